package stores

import (
	"crypto/md5" //nolint:gosec // as Cursor names its folders
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// chat is a chat of Cursor's that a test makes.
type chat struct {
	t      testing.TB
	path   string
	pool   *sql.DB
	root   []byte
	number byte
}

func newChat(t testing.TB, dir string) *chat {
	t.Helper()
	sum := md5.Sum([]byte(dir)) //nolint:gosec // see above
	path := filepath.Join(t.TempDir(), hex.EncodeToString(sum[:]), "86bba682-0000-4000-8000-000000000001", "store.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	pool, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path}).String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	c := &chat{t: t, path: path, pool: pool}
	c.exec(`PRAGMA journal_mode = WAL`)
	c.exec(`CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)`)
	c.exec(`CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)`)
	return c
}

func (c *chat) exec(statement string, args ...any) {
	c.t.Helper()
	if _, err := c.pool.Exec(statement, args...); err != nil {
		c.t.Fatal(err)
	}
}

// says adds a message.
func (c *chat) says(role string, content any) {
	c.t.Helper()
	b, err := json.Marshal(map[string]any{"role": role, "content": content})
	if err != nil {
		c.t.Fatal(err)
	}
	c.blob(b)
}

func (c *chat) blob(b []byte) {
	c.t.Helper()
	c.number++
	id := make([]byte, 32)
	id[0] = c.number
	c.exec(`INSERT INTO blobs VALUES (?, ?)`, hex.EncodeToString(id), b)
	c.root = append(append(c.root, 0x0a, 32), id...)
}

// close writes the root, and what is known of the chat.
func (c *chat) close(created string) {
	c.t.Helper()
	c.exec(`INSERT OR REPLACE INTO blobs VALUES ('ff', ?)`, c.root)
	c.exec(`INSERT OR REPLACE INTO meta VALUES ('0', ?)`, hex.EncodeToString([]byte(`{"agentId":"x","name":"A chat","createdAt":`+created+`,"latestRootBlobId":"ff"}`)))
}

func (c *chat) told() string {
	c.t.Helper()
	all, err := Cursor(c.path, patient)
	if err != nil {
		return "error"
	}
	var got []string
	for _, s := range all {
		got = append(got, fmt.Sprintf("%s %s <%s> <%s> own %v from %d", s.Session, s.Dir, s.First, s.Last, s.Own, s.Begun.Unix()))
		if st, err := os.Stat(c.path + "-wal"); err == nil && !s.Used.Equal(st.ModTime()) {
			c.t.Errorf("used at %v, written at %v", s.Used, st.ModTime())
		}
	}
	return strings.Join(got, ", ")
}

type parts = []map[string]any

func TestCursor(t *testing.T) {
	begun := fmt.Sprint(time.Now().Add(-time.Hour).Unix())
	const id = "86bba682-0000-4000-8000-000000000001 "
	user := func(text string) parts { return parts{{"type": "text", "text": text}} }
	for name, c := range map[string]struct {
		make func(c *chat)
		want string
	}{
		"a chat": {func(c *chat) {
			c.says("system", "you are")
			c.says("user", user("<user_info>\nOS Version: linux\nWorkspace Path: /w\n</user_info>"))
			c.says("user", user("<user_query>\nmend the parser\n</user_query>"))
			c.says("assistant", parts{{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "it is"}, {"type": "text", "text": "mended"}, {"type": "tool-call", "args": map[string]any{}}})
			c.says("tool", parts{{"type": "tool-result", "result": "printed"}})
			c.blob([]byte{0x0a, 0x01, 0xff}) // of another form
			c.root = append(c.root, 0x18, 0x05)
			c.close(begun + "000")
		}, id + "/w <mend the parser> <it is\nmended> own false from " + begun},
		"its directory in the root": {func(c *chat) {
			c.root = append(append(c.root, 9<<3|2, 9), "file:///w"...)
			c.says("user", "hello")
			c.close(`"` + begun + `000"`)
		}, id + "/w <hello> <hello> own true from " + begun},
		"its directory beside it": {func(c *chat) {
			c.says("user", "hello")
			c.close(begun + "000")
			c.beside(`{"cwd":"/w","hasConversation":true}`)
		}, id + "/w <hello> <hello> own true from " + begun},
		"another directory than its folder's": {func(c *chat) {
			c.says("user", "hello")
			c.close(begun + "000")
			c.beside(`{"cwd":"/v"}`)
		}, id + " <hello> <hello> own true from " + begun},
		"a subagent's": {func(c *chat) {
			c.says("user", "hello")
			c.close(begun + "000")
			c.beside(`{"isSubagent":true}`)
		}, ""},
		"a pipe beside it": {func(c *chat) {
			c.says("user", "hello")
			c.close(begun + "000")
			if err := unix.Mkfifo(filepath.Join(filepath.Dir(c.path), "meta.json"), 0o600); err != nil {
				t.Error(err)
			}
		}, id + " <hello> <hello> own true from " + begun},
		"no message yet": {func(c *chat) { c.close(begun) }, ""},
		"no root yet":    {func(c *chat) { c.close(begun); c.exec(`DELETE FROM blobs`) }, ""},
		"nothing":        {func(*chat) {}, ""},
		"a message is gone": {func(c *chat) {
			c.says("user", "one")
			c.says("user", "two")
			c.close(begun + "000")
			c.exec(`DELETE FROM blobs WHERE id LIKE '02%'`)
		}, id + " <one> <one> own true from " + begun},
		"too long a message": {func(c *chat) {
			c.says("user", "one")
			c.says("user", strings.Repeat("x", maxCell))
			c.close(begun + "000")
		}, id + " <one> <one> own true from " + begun},
		"no encoding":     {func(c *chat) { c.root = []byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"); c.close(begun) }, ""},
		"a length beyond": {func(c *chat) { c.root = []byte{0x0a, 0xff, 0xff, 0xff, 0x7f}; c.close(begun) }, ""},
		"no hex":          {func(c *chat) { c.exec(`INSERT INTO meta VALUES ('0', 'x')`) }, "error"},
		"no JSON":         {func(c *chat) { c.exec(`INSERT INTO meta VALUES ('0', 'ff')`) }, "error"},
		"no table":        {func(c *chat) { c.exec(`DROP TABLE meta`) }, "error"},
	} {
		t.Run(name, func(t *testing.T) {
			one := newChat(t, "/w")
			c.make(one)
			if got := one.told(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func (c *chat) beside(meta string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(filepath.Dir(c.path), "meta.json"), []byte(meta), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// A root that is anything names no message that cannot be, and ends.
func FuzzCursorRoot(f *testing.F) {
	f.Add([]byte{0x0a, 0x20, 1, 2, 3})
	f.Add([]byte("\x4a\x09file:///w\x18\x05\x0d1234\x09"))
	f.Fuzz(func(t *testing.T, root []byte) {
		var c cursorChat
		c.read(root)
		if len(c.ids) > len(root)/34 {
			t.Errorf("%d ids of %d bytes", len(c.ids), len(root))
		}
	})
}
