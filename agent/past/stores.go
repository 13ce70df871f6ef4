package past

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"reprise/agent"
)

// Store is where a kind of agent keeps its conversations. What is stated of them was
// seen, if nothing else is said, with the versions in docs/agents.md.
type Store struct {
	Kind string

	// read reads the sessions of one file, and calls alive as it gets on: see disk.In. An
	// error says that it cannot be told now.
	read func(path string, alive func()) ([]Conversation, error)
	// database, where a file is one of many sessions; then read is nil.
	database Database
	logged   bool     // its files are databases: their logs count
	folder   string   // below the person's home
	inner    string   // below a home that the person named; "": that itself
	outer    string   // below that which xdg names
	xdg      string   // variable that names the folder above; "": none
	path     []string // of its files below the root, one pattern for each name
	// listed are the store's files, where the file at path only names them; nil: it is
	// one of them.
	listed func(path string) []Place
	// moved is the folder, as a person writes one, that a file of the home names in place of
	// the folders of path but the last two; "": it names none. nil: there is no such file.
	moved func(home string) string
	homes string // a folder in a home in which are others; "": there is none
	// Of one that a person described: its home, in place of the folders above, its root
	// whatever the home is, and that it has no other.
	home, fixed string
	placed      bool
	format      string // the kind whose form its files have
	form        int64  // see Mark.Form
}

// Stores are the stores that this package reads itself.
func Stores() []Store {
	return []Store{
		{Kind: "claude", folder: ".claude", path: []string{"projects", "*", "*.jsonl"}, read: reader(claudeLine, named(""))},
		{Kind: "codex", folder: ".codex", path: []string{"sessions", "*", "*", "*", "rollout-*.jsonl"}, read: reader(codexLine, nil)},
		{Kind: "gemini", folder: ".gemini", inner: ".gemini", path: []string{"tmp", "*", "chats", "session-*.jsonl"}, read: reader(geminiLine, geminiDir)},
		{Kind: "qwen", folder: ".qwen", path: []string{"projects", "*", "chats", "*.jsonl"}, read: reader(qwenLine, named(""))},
		{Kind: "copilot", folder: ".copilot", path: []string{"session-state", "*", "events.jsonl"}, read: reader(copilotLine, named(".."))},
		// Of droid's the form is that which other readers of it document; nothing was seen.
		{Kind: "droid", folder: ".factory", inner: ".factory", path: []string{"sessions", "*", "*.jsonl"}, read: reader(droidLine, named(""))},
		{Kind: "kimi", folder: ".kimi-code", path: []string{"sessions", "*", "*", "agents", "main", "wire.jsonl"}, read: reader(kimiLine, kimiPlace)},
		{Kind: "pi", folder: ".pi/agent", path: []string{"sessions", "*", "*.jsonl"}, read: reader(piLine, nil)},
		{Kind: "grok", folder: ".grok", path: []string{"sessions", "*", "*", "updates.jsonl"}, read: reader(grokLine, grokAbout)},
		// Of these two the form is that of vibe's source, and that which other readers of amp's
		// document; nothing was seen.
		{Kind: "vibe", folder: ".vibe", path: []string{"logs", "session", "*", "messages.jsonl"}, read: reader(vibeLine, vibeAbout), moved: vibeMoved},
		{Kind: "amp", folder: ".local/share/amp", outer: "amp", xdg: "XDG_DATA_HOME", path: []string{"threads", "T-*.json"}, read: readAmp},
	}
}

// Database reads a store that is an SQLite database. It calls alive as it gets on: see
// disk.In.
type Database interface {
	// List lists its sessions, the last used first, each with a mark whose Size or Time is
	// another one when the session changed.
	List(path string, alive func()) ([]Listed, error)
	// Read reads some of them. One that is gone, or is no conversation, is left out.
	Read(path string, ids []agent.SessionID, alive func()) ([]Conversation, error)
}

// Place is where a database lies that a file names.
type Place struct {
	Path string
	Dir  string // where its sessions were held that do not tell it themselves, absolute; "": not known
}

// Listed is a session in a database.
type Listed struct {
	Session agent.SessionID
	Mark    Mark
}

// InDatabase is a store that is one database: at names it below the person's folder of
// data (XDG base directory specification). In a home that the person named the first of
// its folders is called inner; "": as it is.
func InDatabase(kind string, d Database, inner string, at ...string) Store {
	last := len(at) - 1
	below := append([]string{cmp.Or(inner, at[0])}, at[1:last]...)
	return Store{
		Kind: kind, database: d, logged: true,
		folder: filepath.Join(append([]string{".local", "share"}, at[:last]...)...), inner: filepath.Join(below...), outer: filepath.Join(at[:last]...), xdg: "XDG_DATA_HOME",
		path: at[last:],
	}
}

// InListed is InDatabase where the file at lists the databases: listed reads it.
func InListed(kind string, d Database, listed func(path string) []Place, inner string, at ...string) Store {
	s := InDatabase(kind, d, inner, at...)
	s.listed = listed
	return s
}

// AtHome is a store that is one database: name in its agent's home, which is a folder of
// the person's own.
func AtHome(kind string, d Database, folder, name string) Store {
	return Store{Kind: kind, database: d, logged: true, folder: folder, path: []string{name}}
}

// With is the store where each folder in one of a home's is a home, too.
func (s Store) With(homes string) Store {
	s.homes = homes
	return s
}

// InDatabases is a store of databases of one session each, at below its agent's home: a
// folder of the person's own, or outer below what the variable xdg names. read reads one, and
// calls alive as it gets on: see disk.In.
func InDatabases(kind string, read func(path string, alive func()) ([]Conversation, error), folder, xdg, outer string, at ...string) Store {
	return Store{Kind: kind, read: read, logged: true, folder: folder, xdg: xdg, outer: outer, path: at}
}

// root is the folder in which the store of a home lies.
func (s Store) root(user, home string, env func(string) string) string {
	switch {
	case s.fixed != "":
		return agent.Expanded(s.fixed, user)
	case home == "" && (s.home != "" || s.placed):
		return agent.Expanded(s.home, user)
	}
	if home == "" && s.xdg != "" && env(s.xdg) != "" {
		return filepath.Join(env(s.xdg), s.outer)
	}
	if home != "" {
		return filepath.Join(home, s.inner)
	}
	return filepath.Join(user, s.folder)
}

// at is the store of a home, and the folder in which its files lie.
func (s Store) at(home, user string) (Store, string) {
	if s.moved == nil || !filepath.IsAbs(home) {
		return s, home
	}
	said := agent.Expanded(s.moved(home), user)
	if !filepath.IsAbs(said) {
		return s, home
	}
	s.path = s.path[len(s.path)-2:]
	return s, said
}

// mark is a file's mark; that of a database includes its log.
func (s Store) mark(path string, st fs.FileInfo) Mark {
	m := markOf(st)
	if !s.logged {
		return m
	}
	if log, err := lstat(path + "-wal"); err == nil {
		m.Size += log.Size()
		m.Time = max(m.Time, log.ModTime().UnixNano())
	}
	return m
}

// line is what one line of a store's file says.
type line struct {
	session agent.SessionID
	dir     string
	at      time.Time
	person  bool
	text    string // what was said; "": the line is no message
	// hidden: the file is no conversation of a person's (a subagent's).
	hidden bool
	size   int // of the line, in bytes
}

// about tells what the place of a file, and the files beside it, say of its conversation:
// it has the last word. A hidden one is no person's.
type about func(path string, s *Conversation) (hidden bool, err error)

// reader makes a reader of files that have one JSON value on each line. tell may be nil.
func reader(parse func([]byte) line, tell about) func(string, func()) ([]Conversation, error) {
	return func(path string, alive func()) ([]Conversation, error) {
		f, mark, err := open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in := pieces{f, alive}
		parsed := func(see func(line) bool) func([]byte) bool {
			return func(b []byte) bool {
				l := parse(b)
				l.size = len(b)
				return see(l)
			}
		}
		var s Conversation
		if tell != nil {
			if hidden, err := tell(path, &s); hidden || err != nil {
				return nil, err
			}
		}
		talked, err := s.gather(
			func(see func(line) bool) error { return headLines(in, parsed(see)) },
			func(see func(line) bool) error { return tailLines(in, mark.Size, parsed(see)) },
		)
		if err != nil || !talked {
			return nil, err
		}
		s.mend(time.Unix(0, mark.Time))
		return []Conversation{s}, nil
	}
}

// gather reads a conversation's beginning and its end: head gives the lines from the
// first on, tail from the last on, each as long as more are wanted. It reports false
// for what a person has said nothing in.
func (s *Conversation) gather(head, tail func(see func(line) (more bool)) error) (talked bool, err error) {
	hidden := false
	var words strings.Builder
	led := 0
	err = head(func(l line) bool {
		hidden = hidden || l.hidden
		s.take(l)
		if l.text != "" && words.Len() < WordsMax/2 {
			words.WriteString(plain(l.text, WordsMax/2))
			words.WriteByte('\n')
		}
		if s.First == "" && l.person {
			s.First = plain(l.text, TextMax)
		}
		if s.First != "" {
			led += l.size
		}
		return !hidden && (s.First == "" || led < headLed && words.Len() < WordsMax/2)
	})
	if err != nil || hidden || s.First == "" {
		return false, err
	}
	var end []string
	room := WordsMax / 2
	err = tail(func(l line) bool {
		s.take(l)
		if l.text == "" {
			return true
		}
		if s.Last == "" {
			s.Last, s.Own = plain(l.text, TextMax), l.person
		}
		text := plain(l.text, room)
		end, room = append(end, text), room-len(text)-1
		return room > 0 || s.Used.IsZero()
	})
	if err != nil {
		return false, err
	}
	for i := len(end) - 1; i >= 0; i-- {
		words.WriteString(end[i])
		words.WriteByte('\n')
	}
	s.Words = cut(words.String(), WordsMax)
	return true, nil
}

// Message is something that was said, as a database has it.
type Message struct {
	At     time.Time
	Person bool
	Text   string
	Size   int // of what was read for it, in bytes
}

// Told makes a conversation of what a database says: of it itself, and by head and tail
// of its messages, from the first on and from the last on, each as long as more are
// wanted. ok is false for one in which no person has said anything.
func Told(id agent.SessionID, dir string, changed time.Time, head, tail func(see func(Message) (more bool)) error) (s Conversation, ok bool, err error) {
	s.Session = id
	s.take(line{dir: dir})
	as := func(from func(see func(Message) bool) error) func(func(line) bool) error {
		return func(see func(line) bool) error {
			return from(func(m Message) bool {
				return see(line{at: m.At, person: m.Person, text: said(content(m.Text), m.Person), size: m.Size})
			})
		}
	}
	if ok, err = s.gather(as(head), as(tail)); err != nil || !ok {
		return Conversation{}, false, err
	}
	s.mend(changed)
	return s, true, nil
}

// dirMax bounds the name of a directory, in bytes.
const dirMax = 4 << 10

// take notes what a line says beside its message.
func (s *Conversation) take(l line) {
	if s.Session == "" && l.session.Valid() {
		s.Session = l.session
	}
	if s.Dir == "" && len(l.dir) <= dirMax && plain(l.dir, dirMax) == l.dir {
		s.Dir = l.dir
	}
	if s.Begun.IsZero() {
		s.Begun = l.at
	}
	if l.at.After(s.Used) {
		s.Used = l.at
	}
}

// mend takes back what cannot be: nothing was said after the file was last changed, and
// a directory is absolute.
func (s *Conversation) mend(changed time.Time) {
	if s.Used.Year() < 1970 || s.Used.After(changed) {
		s.Used = changed
	}
	if s.Begun.Year() < 1970 || s.Begun.After(s.Used) {
		s.Begun = time.Time{}
	}
	if !filepath.IsAbs(s.Dir) {
		s.Dir = ""
	}
}

// unixMilli is a time as JavaScript has it; zero for none.
func unixMilli(n int64) time.Time {
	if n <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(n)
}

// named gives a session the id that stands in the name of its file, or of a folder
// above it.
func named(above string) about {
	return func(path string, s *Conversation) (bool, error) {
		name := filepath.Base(path)
		if above != "" {
			name = filepath.Base(filepath.Dir(path))
		}
		s.Session = agent.SessionID(strings.TrimSuffix(name, ".jsonl"))
		return false, nil
	}
}
