package stores

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/agent/past"
)

// made is a database of its own that statements make; it stays open, as that of a
// program that runs does.
func made(t testing.TB, statements ...string) (path string, pool *sql.DB) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "it's a #1?.db")
	pool, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path}).String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	pool.SetMaxOpenConns(1)
	for _, s := range append([]string{`PRAGMA journal_mode = WAL`}, statements...) {
		if _, err := pool.Exec(s); err != nil {
			t.Fatalf("%v: %.200s", err, s)
		}
	}
	return path, pool
}

func seen(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// around lists what lies in a database's folder, with sizes and times, but for the
// memory that its users share.
func around(t *testing.T, path string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if st, err := e.Info(); err == nil && !strings.HasSuffix(e.Name(), "-shm") {
			all = append(all, fmt.Sprint(e.Name(), st.Size(), st.ModTime().UnixNano()))
		}
	}
	return all
}

// told reads all sessions, the last used first.
func told(path string) ([]past.Conversation, error) {
	list, err := OpenCode().List(path, patient)
	if err != nil {
		return nil, err
	}
	ids := []agent.SessionID{"unknown"}
	for _, l := range list {
		ids = append(ids, l.Session)
	}
	return OpenCode().Read(path, ids, patient)
}

// What opencode itself wrote is read, while it has it open and when nobody has, and
// nothing is changed by that.
func TestOpenCode(t *testing.T) {
	path, pool := made(t, seen(t, "opencode.sql"))
	check := func(what string) {
		t.Helper()
		before := around(t, path)
		all, err := told(path)
		if err != nil || len(all) != 3 {
			t.Fatalf("%s: %d sessions, %v", what, len(all), err)
		}
		if d := cmp.Diff(before, around(t, path)); d != "" {
			t.Errorf("%s: it changed: %s", what, d)
		}
		s := all[2]
		begun, used := time.UnixMilli(1796031189717), time.UnixMilli(1796031282139)
		want := past.Conversation{
			Identity: agent.Identity{Session: "ses_dd43309fdffeCtfHRpgUzA0zwF"}, Dir: "/home/me/proj",
			First: `"remember codeword ZEBRA-17"`, Last: "codeword is ZEBRA-17 (3 messages)", Begun: begun, Used: used, Words: s.Words,
		}
		if d := cmp.Diff(want, s); d != "" {
			t.Errorf("%s: %s", what, d)
		}
		if !strings.Contains(s.Words, "tell me the word") {
			t.Errorf("%s: its words are %q", what, s.Words)
		}
		if f := all[0]; f.Session != "ses_dd430c9f0ffe2CHo9SX3zDNrDp" || !strings.Contains(f.Words, "and in a fork?") {
			t.Errorf("%s: the fork: %+v", what, f)
		}
	}
	check("in use")
	marks := func() map[agent.SessionID]past.Mark {
		t.Helper()
		all, err := OpenCode().List(path, patient)
		if err != nil {
			t.Fatal(err)
		}
		m := map[agent.SessionID]past.Mark{}
		for _, l := range all {
			m[l.Session] = l.Mark
		}
		return m
	}
	before := marks()
	const last = "msg_22bcf5c83001FUjNiCbiQ14JEQ" // of the fork
	if _, err := pool.Exec(`UPDATE message SET time_updated = time_updated + 1 WHERE id = ?`, last); err != nil {
		t.Fatal(err)
	}
	for id, m := range marks() {
		if was := id == "ses_dd430c9f0ffe2CHo9SX3zDNrDp"; (m != before[id]) != was {
			t.Errorf("%s: mark %v, it was %v", id, m, before[id])
		}
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	check("not in use")
}

// Of what is hostile, damaged or of another form nothing is told, or what can be.
func TestOpenCodeHostile(t *testing.T) {
	form := seen(t, "opencode.sql")
	form = form[:strings.Index(form, "INSERT")] + `INSERT INTO project (id, worktree, time_created, time_updated, sandboxes) VALUES ('p', '/', 1, 1, '[]');`
	session := func(id, parent, dir string, updated any) string {
		return fmt.Sprintf(`INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated)
			VALUES (%s, 'p', %s, '', %s, '', '', 1, %v);`, id, parent, dir, updated)
	}
	n := 0
	said := func(session, role, part string) string {
		n++
		return fmt.Sprintf(`INSERT INTO message VALUES ('m%03d', '%s', %d, 1, '{"role":"%s"}'); INSERT INTO part VALUES ('t%03d', 'm%03d', '%s', 1, 1, %s);`,
			n, session, n, role, n, n, session, part)
	}
	text := func(s string) string { return `'{"type":"text","text":"` + s + `"}'` }
	for name, c := range map[string]struct {
		add  []string
		want string // sessions, each with its directory, first and last words
	}{
		"a subagent's":         {[]string{session("'a'", "'b'", "'/w'", 9), said("a", "user", text("hello"))}, ""},
		"nothing said":         {[]string{session("'a'", "NULL", "'/w'", 9)}, ""},
		"an id like an option": {[]string{session("'--yolo'", "NULL", "'/w'", 9), said("--yolo", "user", text("hello"))}, ""},
		"a relative directory": {[]string{session("'a'", "NULL", "'w'", 9), said("a", "user", text("hello"))}, "a  <hello> <hello>"},
		"control characters": {
			[]string{session("'a'", "NULL", "'/w' || char(27)", 9), said("a", "user", text(`hel\u001blo\u202e`)), said("a", "assistant", text("done"))},
			"a  <hello> <done>",
		},
		"synthetic words": {
			[]string{session("'a'", "NULL", "'/w'", 9), said("a", "user", `'{"type":"text","text":"put in","synthetic":true}'`), said("a", "user", text("hello"))},
			"a /w <hello> <hello>",
		},
		"no JSON": {
			[]string{session("'a'", "NULL", "'/w'", 9), said("a", "user", `'"text" {{{'`), said("a", "user", text("hello"))},
			"a /w <hello> <hello>",
		},
		"a part of many megabytes": {
			[]string{session("'a'", "NULL", "'/w'", 9), said("a", "user", text("hello")), said("a", "assistant", `'{"type":"text","text":"' || replace(hex(zeroblob(4000000)), '0', 'x') || '"}'`)},
			"a /w <hello> <hello>",
		},
		"no time": {[]string{session("'a'", "NULL", "'/w'", -5), said("a", "user", text("hello"))}, "a /w <hello> <hello>"},
		"times in words": {
			[]string{
				session("'a'", "NULL", "'/w'", "'soon'"), said("a", "user", text("one")), `UPDATE message SET time_created = 'then'`,
				session("'b'", "NULL", "'/v'", 10), said("b", "user", text("two")), `UPDATE message SET time_updated = 'now' WHERE session_id = 'b'`,
			},
			"a /w <one> <one>, b /v <two> <two>",
		},
		"one that cannot be read": {
			[]string{
				session("'a'", "NULL", "'/w'", 9), session("'b'", "NULL", "'/v'", 10), said("a", "user", text("one")), said("b", "user", text("two")),
				`ALTER TABLE part RENAME TO parts`,
				`CREATE VIEW part AS SELECT id, message_id, session_id, CASE session_id WHEN 'b' THEN json('{{') ELSE data END AS data FROM parts`,
			},
			"a /w <one> <one>",
		},
		"none that can be read": {
			[]string{
				session("'b'", "NULL", "'/v'", 10), said("b", "user", text("two")), `ALTER TABLE part RENAME TO parts`,
				`CREATE VIEW part AS SELECT id, message_id, session_id, json('{{') AS data FROM parts`,
			},
			"error",
		},
		"another form":      {[]string{`ALTER TABLE part RENAME COLUMN data TO body`, session("'a'", "NULL", "'/w'", 9)}, "error"},
		"no table":          {[]string{`DROP TABLE part`, `DROP TABLE message`, `DROP TABLE session`}, "error"},
		"two, the last one": {[]string{session("'a'", "NULL", "'/w'", 9), session("'b'", "NULL", "'/v'", 10), said("a", "user", text("one")), said("b", "user", text("two"))}, "b /v <two> <two>, a /w <one> <one>"},
	} {
		path, _ := made(t, append([]string{form}, c.add...)...)
		all, err := told(path)
		var got []string
		for _, s := range all {
			got = append(got, fmt.Sprintf("%s %s <%s> <%s>", s.Session, s.Dir, s.First, s.Last))
		}
		was := strings.Join(got, ", ")
		if err != nil {
			was = "error"
		}
		if was != c.want {
			t.Errorf("%s: %q (%v), want %q", name, was, err, c.want)
		}
	}
}

// A database without a log, whose pages are just being written over, is not read as if
// nobody wrote it.
func TestDatabaseInAJournal(t *testing.T) {
	path, pool := made(t, seen(t, "opencode.sql"), `PRAGMA journal_mode = DELETE`)
	if all, err := told(path); err != nil || len(all) != 3 {
		t.Fatalf("%d sessions, %v", len(all), err)
	}
	for _, s := range []string{`PRAGMA cache_size = 1`, `PRAGMA cache_spill = 1`, `BEGIN`, `UPDATE part SET data = replace(data, 'ZEBRA', 'OTTER')`} {
		if _, err := pool.Exec(s); err != nil {
			t.Fatalf("%v: %s", err, s)
		}
	}
	if all, err := told(path); err == nil {
		t.Errorf("half of what was not committed is read: %d sessions", len(all))
	}
	if _, err := pool.Exec(`ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	if all, err := told(path); err != nil || len(all) != 3 {
		t.Errorf("afterwards %d sessions, %v", len(all), err)
	}
}

// What is no database, or none that can be read, is an error, and is left as it is.
func TestNoDatabase(t *testing.T) {
	dir := t.TempDir()
	junk := filepath.Join(dir, "junk.db")
	if err := os.WriteFile(junk, []byte(strings.Repeat("no database ", 999)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{junk, dir, filepath.Join(dir, "none.db"), "/dev/null"} {
		if all, err := told(path); err == nil {
			t.Errorf("%s: %v", path, all)
		}
	}
	names, err := os.ReadDir(dir)
	if err != nil || !slices.EqualFunc(names, []string{"junk.db"}, func(e os.DirEntry, s string) bool { return e.Name() == s }) {
		t.Errorf("%v, %v", names, err)
	}
}

// What a person waits for when opencode wrote something: all sessions of a large
// database.
func BenchmarkOpenCode(b *testing.B) {
	form := seen(b, "opencode.sql")
	form = form[:strings.Index(form, "INSERT")]
	path, pool := made(b, form, `INSERT INTO project (id, worktree, time_created, time_updated, sandboxes) VALUES ('p', '/', 1, 1, '[]')`)
	const sessions, messages = 5000, 40
	tx, err := pool.Begin()
	if err != nil {
		b.Fatal(err)
	}
	filler := strings.Repeat("what a tool printed ", 100)
	for i := range sessions {
		id := fmt.Sprintf("ses_%05d", i)
		if _, err := tx.Exec(`INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated) VALUES (?, 'p', '', '/w', '', '', 1, ?)`, id, 1000+i); err != nil {
			b.Fatal(err)
		}
		for k := range messages {
			role, part := "user", fmt.Sprintf(`{"type":"text","text":"mend the parser %d of %d"}`, k, i)
			if k%2 == 1 {
				role, part = "assistant", `{"type":"tool","state":{"output":"`+filler+`"}}`
			}
			m := fmt.Sprintf("msg_%05d_%03d", i, k)
			if _, err := tx.Exec(`INSERT INTO message VALUES (?, ?, ?, 1, ?)`, m, id, k+1, fmt.Sprintf(`{"role":%q}`, role)); err != nil {
				b.Fatal(err)
			}
			if _, err := tx.Exec(`INSERT INTO part VALUES (?, ?, ?, 1, 1, ?)`, "prt_"+m, m, id, part); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			if all, err := OpenCode().List(path, patient); err != nil || len(all) != sessions {
				b.Fatal(len(all), err)
			}
		}
	})
	b.Run("read 256", func(b *testing.B) {
		all, err := OpenCode().List(path, patient)
		if err != nil {
			b.Fatal(err)
		}
		var ids []agent.SessionID
		for _, l := range all[:256] {
			ids = append(ids, l.Session)
		}
		for b.Loop() {
			if all, err := OpenCode().Read(path, ids, patient); err != nil || len(all) != len(ids) {
				b.Fatal(len(all), err)
			}
		}
	})
}

// A value that a query would have to make in memory, however small what comes of it, is
// an error before it is made: a view in a hostile database has any size.
func TestValuesAreBounded(t *testing.T) {
	const said = `'[{"type":"text","data":{"text":"hello"}}]'`
	large := strconv.Itoa(maxValue + 1)
	for name, c := range map[string]struct {
		session, message string
		list, read       bool
	}{
		"as they are":         {"'one'", said, true, true},
		"a session's":         {"substr(hex(zeroblob(" + large + ")), 1, 3)", said, false, false},
		"written out":         {"substr(printf('%." + large + "c', 'x'), 1, 3)", said, false, false},
		"a message's":         {"'one'", "CASE WHEN length(zeroblob(" + large + ")) > 3 THEN " + said + " END", true, false},
		"joined":              {"'one'", "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) SELECT CASE WHEN length(group_concat(hex(zeroblob(1000)))) > 3 THEN " + said + " END FROM n)", true, false},
		"as large as allowed": {"'one'", "CASE WHEN length(zeroblob(" + strconv.Itoa(maxValue) + ")) > 3 THEN " + said + " END", true, true},
	} {
		path, _ := made(t, `CREATE VIEW sessions AS SELECT `+c.session+` AS id, NULL AS parent_session_id, 2 AS updated_at`,
			`CREATE VIEW messages AS SELECT 1 AS rowid, 'one' AS session_id, 'user' AS role, `+c.message+` AS parts, 1 AS created_at`)
		list, err := Crush().List(path, patient)
		if ok := err == nil && len(list) == 1; ok != c.list {
			t.Errorf("%s: listed %v, %v", name, list, err)
		}
		all, err := Crush().Read(path, []agent.SessionID{"one"}, patient)
		if ok := err == nil && len(all) == 1; ok != c.read {
			t.Errorf("%s: read %v, %v", name, all, err)
		}
	}
}

// A time that a program keeps can be told as JSON and in nanoseconds, wherever one lives.
func TestMillis(t *testing.T) {
	here := time.Local
	defer func() { time.Local = here }()
	const day9999 = 253402300799999
	for _, zone := range []int{-12, 0, 14} {
		time.Local = time.FixedZone("", zone*3600)
		for _, n := range []number{-1, 0, 1, 1796031189717, 9223372036854, 9223372036855, day9999 - 14*3600*1000, day9999, day9999 + 1, 1<<63 - 1} {
			at := millis(n)
			if _, err := at.MarshalJSON(); err != nil {
				t.Errorf("%d, %d hours east: %v", n, zone, err)
			}
			if back := time.Unix(0, nanos(n)); !at.IsZero() && !back.Equal(at) {
				t.Errorf("%d, %d hours east: %v, in nanoseconds %v", n, zone, at, back)
			}
		}
	}
}

// patient waits for a reading however long it takes.
func patient() {}

// A reading says of each session, and of each message, that it got on.
func TestReadingsGetOn(t *testing.T) {
	const sessions, messages = 20, 30
	path, _ := made(t, `CREATE TABLE sessions (id, parent_session_id, updated_at)`, `CREATE TABLE messages (session_id, role, parts, created_at)`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < `+strconv.Itoa(sessions)+`) INSERT INTO sessions SELECT 's' || i, NULL, i FROM n`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < `+strconv.Itoa(messages)+`)
			INSERT INTO messages SELECT 's1', 'assistant', '[]', i FROM n`,
		`INSERT INTO messages VALUES ('s1', 'user', '[{"type":"text","data":{"text":"hello"}}]', 99)`)
	moves := 0
	move := func() { moves++ }
	if all, err := Crush().List(path, move); err != nil || len(all) != sessions || moves < sessions {
		t.Errorf("listed %d, %v, got on %d times", len(all), err, moves)
	}
	moves = 0
	if all, err := Crush().Read(path, []agent.SessionID{"s1"}, move); err != nil || len(all) != 1 || moves < messages {
		t.Errorf("read %v, %v, got on %d times", all, err, moves)
	}
	c := newChat(t, "/w")
	for range messages {
		c.says("user", parts{{"type": "text", "text": "hello"}})
	}
	c.close("1")
	moves = 0
	if all, err := Cursor(c.path, move); err != nil || len(all) != 1 || moves < messages {
		t.Errorf("read %v, %v, got on %d times", all, err, moves)
	}
}
