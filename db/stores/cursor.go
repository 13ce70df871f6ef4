package stores

import (
	"context"
	"crypto/md5" //nolint:gosec // it names folders by it
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"reprise/agent"
	"reprise/agent/past"
)

// Bounds of what is read of a chat of Cursor's, in bytes.
const (
	maxCursorMeta = 64 << 10
	maxCursorRoot = 1 << 20 // names some 30,000 messages
)

// Cursor reads a chat of the Cursor CLI: chats/<MD5 of the directory>/<id>/store.db in
// its folder of configuration. Its form is that which others that read it document
// (2025 and 2026); nothing was seen. The table meta has, under "0", what is known of the
// chat, as JSON in hex; the table blobs has its messages, as JSON, and a root, in the
// encoding of protocol buffers, which names them in order. No message has a time.
func Cursor(path string, alive func()) (all []past.Conversation, err error) {
	folder := filepath.Dir(path)
	var beside struct {
		Subagent bool `json:"isSubagent"`
		Cwd      string
	}
	// Older versions have none.
	if b, err := past.ReadSmall(filepath.Join(folder, "meta.json"), maxCursorMeta); err == nil && json.Unmarshal(b, &beside) == nil && beside.Subagent {
		return nil, nil
	}
	changed, err := lastWritten(path)
	if err != nil {
		return nil, err
	}
	err = read(path, func(ctx context.Context, tx *sql.Tx) error {
		alive()
		c, err := openCursor(ctx, tx, alive)
		if err != nil || c == nil {
			return err
		}
		head, tail := c.ids[:min(len(c.ids), maxParts)], slices.Clone(c.ids[max(0, len(c.ids)-maxParts):])
		slices.Reverse(tail)
		dir := c.place(filepath.Base(filepath.Dir(folder)), beside.Cwd)
		told, ok, err := past.Told(agent.SessionID(filepath.Base(folder)), dir, changed,
			func(see func(past.Message) bool) error { return c.messages(head, c.begun, see) },
			func(see func(past.Message) bool) error { return c.messages(tail, changed, see) })
		if ok {
			all = append(all, told)
		}
		return err
	})
	return all, err
}

// lastWritten is when a database, or its log, was last written.
func lastWritten(path string) (at time.Time, err error) {
	for _, name := range []string{path, path + "-wal"} {
		st, err := os.Stat(name)
		switch {
		case err == nil && st.ModTime().After(at):
			at = st.ModTime()
		case err != nil && (name == path || !errors.Is(err, fs.ErrNotExist)):
			return at, err
		}
	}
	return at, nil
}

// cursorChat is a chat that is open.
type cursorChat struct {
	ctx   context.Context
	tx    *sql.Tx
	alive func() // called with each message
	begun time.Time
	ids   []string // of its messages, in order
	where string   // its directory, as the root has it: a URI
}

// openCursor reads what a chat's database says of it; nil: it has no message yet.
func openCursor(ctx context.Context, tx *sql.Tx, alive func()) (*cursorChat, error) {
	var value sql.NullString
	err := tx.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = '0' AND octet_length(value) <= ?`, 2*maxCursorMeta).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	b, err := hex.DecodeString(value.String)
	if err != nil {
		return nil, err
	}
	var meta struct {
		Root    string      `json:"latestRootBlobId"`
		Created json.Number `json:"createdAt"` // a number, or one in quotes
	}
	if err := json.Unmarshal(b, &meta); err != nil {
		return nil, err
	}
	begun, _ := meta.Created.Int64()
	c := &cursorChat{ctx: ctx, tx: tx, alive: alive, begun: millis(number(begun))}
	root, err := c.blob(meta.Root, maxCursorRoot)
	if err != nil || root == nil {
		return nil, err
	}
	c.read(root)
	return c, nil
}

// blob is one of the chat's blobs, nil if there is none of at most limit bytes.
func (c *cursorChat) blob(id string, limit int) (data []byte, err error) {
	err = c.tx.QueryRowContext(c.ctx, `SELECT data FROM blobs WHERE id = ? AND octet_length(data) <= ?`, id, limit).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return data, err
}

// read reads a root: field 1 of it names a message each, field 9 is the directory. What
// is behind something that is no such encoding is left out.
// (https://protobuf.dev/programming-guides/encoding/)
func (c *cursorChat) read(root []byte) {
	for len(root) > 0 {
		tag, n := binary.Uvarint(root)
		if n <= 0 {
			return
		}
		root = root[n:]
		size := uint64(0)
		switch tag & 7 {
		case 0:
			_, n := binary.Uvarint(root)
			size = uint64(max(n, 0))
		case 1:
			size = 8
		case 2:
			of, n := binary.Uvarint(root)
			if n <= 0 {
				return
			}
			root, size = root[n:], of
		case 5:
			size = 4
		}
		if size == 0 && tag&7 != 2 || size > uint64(len(root)) {
			return
		}
		value := root[:size]
		switch root = root[size:]; {
		case tag == 1<<3|2 && len(value) == sha256.Size:
			c.ids = append(c.ids, hex.EncodeToString(value))
		case tag == 9<<3|2:
			c.where = string(value)
		}
	}
}

// place is the chat's directory: the one of those that are named whose MD5 its folder
// is named by; "": none is. The first message names it too.
func (c *cursorChat) place(bucket, named string) string {
	all := []string{named, c.where}
	if u, err := url.Parse(c.where); err == nil && u.Scheme == "file" {
		all = append(all, u.Path)
	}
	for _, id := range c.ids[:min(len(c.ids), 3)] {
		if b, err := c.blob(id, maxCell); err == nil {
			var m struct{ Content json.RawMessage }
			if json.Unmarshal(b, &m) == nil {
				_, after, _ := strings.Cut(past.Text(m.Content), "\nWorkspace Path: ")
				dir, _, _ := strings.Cut(after, "\n")
				all = append(all, dir)
			}
		}
	}
	for _, dir := range all {
		if sum := md5.Sum([]byte(dir)); dir != "" && hex.EncodeToString(sum[:]) == bucket { //nolint:gosec // see above
			return dir
		}
	}
	return ""
}

// messages lets see look at some messages; at is the time of the first of them.
func (c *cursorChat) messages(ids []string, at time.Time, see func(past.Message) bool) error {
	for _, id := range ids {
		c.alive()
		b, err := c.blob(id, maxCell)
		if err != nil {
			return err
		}
		m := past.Message{At: at, Size: len(b)}
		m.Person, m.Text = cursorText(b)
		at = time.Time{}
		if !see(m) {
			return nil
		}
	}
	return nil
}

// cursorText is what a message says. What a person typed stands in an element of its
// own, beside what the program put there.
func cursorText(blob []byte) (person bool, said string) {
	var m struct {
		Role    string
		Content json.RawMessage
	}
	if len(blob) == 0 || blob[0] != '{' || json.Unmarshal(blob, &m) != nil {
		return false, ""
	}
	said = past.Text(m.Content)
	switch m.Role {
	case "assistant":
		return false, said
	case "user":
		if _, typed, ok := strings.Cut(said, "<user_query>"); ok {
			said, _, _ = strings.Cut(typed, "</user_query>")
		} else if strings.HasPrefix(said, "<user_info>") {
			said = ""
		}
		return true, said
	}
	return false, ""
}
