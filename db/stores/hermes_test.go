package stores

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"reprise/agent"
)

// hermesForm has what is asked of hermes' database; of an older one less.
func hermesForm(old bool) string {
	sessions, messages := ", cwd TEXT, hidden INTEGER NOT NULL DEFAULT 0", ", active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0, display_kind TEXT"
	if old {
		sessions, messages = "", ""
	}
	return `CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT` + sessions + `);
		CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT, timestamp REAL NOT NULL` + messages + `);`
}

func TestHermes(t *testing.T) {
	const said = `INSERT INTO messages (session_id, role, content, timestamp) VALUES
		('a', 'system', 'you are', 100.5), ('a', 'user', 'mend the parser', 100.5), ('a', 'assistant', NULL, 101), ('a', 'tool', 'printed', 102), ('a', 'assistant', 'it is mended', 103.25),
		('sub', 'user', 'look for it', 102), ('gone-on', 'user', 'a summary', 201), ('gone-on', 'assistant', 'and more', 202),
		('bot', 'user', 'hello from afar', 5), ('job', 'user', 'at night', 6), ('--x', 'user', 'an option', 7), ('empty', 'assistant', 'hello?', 8);`
	const sessions = `INSERT INTO sessions (id, source, parent_session_id, started_at, ended_at, end_reason) VALUES
		('a', 'cli', NULL, 100.25, 200.5, 'compression'), ('sub', 'cli', 'a', 101.5, 102, NULL), ('gone-on', 'cli', 'a', 200.5, NULL, NULL),
		('bot', 'telegram', NULL, 5, NULL, NULL), ('job', 'cron', NULL, 6, NULL, NULL), ('--x', 'cli', NULL, 7, NULL, NULL), ('empty', 'cli', NULL, 8, NULL, NULL);`
	for name, c := range map[string]struct {
		add  string
		old  bool
		want string
	}{
		"of today": {
			`UPDATE sessions SET cwd = '/w' WHERE id = 'a'; INSERT INTO sessions (id, source, started_at, hidden) VALUES ('not shown', 'cli', 9, 1);
			INSERT INTO messages (session_id, role, content, timestamp, active, compacted, display_kind) VALUES
				('not shown', 'user', 'x', 9, 1, 0, NULL), ('a', 'user', 'taken back', 104, 0, 0, NULL), ('a', 'user', 'a hint', 105, 1, 0, 'hidden'),
				('a', 'user', char(0) || 'json:[{"type":"text","text":"see this"},{"type":"image_url"}]', 106, 0, 1, NULL);`,
			false,
			"gone-on  <a summary> <and more> 201 to 202, a /w <mend the parser> <see this> 100.5 to 106, bot  <hello from afar> <hello from afar> 5 to 5",
		},
		"of an older version": {"", true, "gone-on  <a summary> <and more> 201 to 202, a  <mend the parser> <it is mended> 100.5 to 103.25, bot  <hello from afar> <hello from afar> 5 to 5"},
		"nonsense": {
			`UPDATE sessions SET started_at = -5, cwd = 'relative'; UPDATE messages SET timestamp = 9e99 WHERE session_id = 'a';
			DELETE FROM sessions WHERE id NOT IN ('a'); UPDATE messages SET content = '{' WHERE role = 'assistant' AND session_id = 'a'`,
			false, "a  <mend the parser> <{> 0 to 200.5",
		},
		"a message of megabytes": {
			`INSERT INTO messages (session_id, role, content, timestamp) VALUES ('bot', 'assistant', hex(zeroblob(1000000)), 10); DELETE FROM sessions WHERE id <> 'bot'`,
			false, "bot  <hello from afar> <hello from afar> 5 to 10",
		},
		"another form": {`ALTER TABLE messages RENAME COLUMN content TO body`, false, "error"},
	} {
		path, _ := made(t, hermesForm(c.old), sessions, said, c.add)
		list, err := Hermes().List(path, patient)
		ids := []agent.SessionID{"unknown"}
		for _, l := range list {
			ids = append(ids, l.Session)
		}
		all, readErr := Hermes().Read(path, ids, patient)
		var got []string
		for _, s := range all {
			at := func(at time.Time) float64 {
				if at.IsZero() {
					return 0
				}
				return float64(at.UnixMilli()) / 1000
			}
			got = append(got, fmt.Sprintf("%s %s <%s> <%s> %v to %v", s.Session, s.Dir, s.First, s.Last, at(s.Begun), at(s.Used)))
		}
		was := strings.Join(got, ", ")
		if err != nil || readErr != nil {
			was = "error"
		}
		if was != c.want {
			t.Errorf("%s: %s (%v, %v), want %s", name, was, err, readErr, c.want)
		}
	}
}
