package past

import (
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"reprise/agent"
)

// Store is where a kind of agent keeps its conversations. What is stated of them was
// seen with the versions on the agents page of the specification.
type Store struct {
	Kind string
	// Read reads the sessions of one file. An error says that it cannot be told now.
	Read func(path string) ([]Conversation, error)
	// Beside are endings of files that belong to each file: it counts as changed when
	// one of them is.
	Beside []string

	folder string   // below the person's home
	inner  string   // below a home that the person named; "": that itself
	xdg    string   // variable that names the folder above; "": none
	path   []string // of its files below the root, one pattern for each name
}

// Stores are the stores that this package reads itself.
func Stores() []Store {
	return []Store{
		{Kind: "claude", folder: ".claude", path: []string{"projects", "*", "*.jsonl"}, Read: reader(claudeLine, named(""))},
		{Kind: "codex", folder: ".codex", path: []string{"sessions", "*", "*", "*", "rollout-*.jsonl"}, Read: reader(codexLine, nil)},
		{Kind: "gemini", folder: ".gemini", inner: ".gemini", path: []string{"tmp", "*", "chats", "session-*.jsonl"}, Read: reader(geminiLine, geminiDir)},
		{Kind: "qwen", folder: ".qwen", path: []string{"projects", "*", "chats", "*.jsonl"}, Read: reader(qwenLine, named(""))},
		{Kind: "copilot", folder: ".copilot", path: []string{"session-state", "*", "events.jsonl"}, Read: reader(copilotLine, named(".."))},
	}
}

// Database is a store that is one file, read by whoever knows its form: at names it
// below the person's folder of data (XDG base directory specification).
func Database(kind string, read func(path string) ([]Conversation, error), beside []string, at ...string) Store {
	last := len(at) - 1
	return Store{
		Kind: kind, Read: read, Beside: beside,
		folder: filepath.Join(append([]string{".local", "share"}, at[:last]...)...), inner: filepath.Join(at[:last]...), xdg: "XDG_DATA_HOME",
		path: at[last:],
	}
}

// root is the folder in which the store of a home lies.
func (s Store) root(user, home string, env func(string) string) string {
	if home == "" && s.xdg != "" {
		home = env(s.xdg)
	}
	if home != "" {
		return filepath.Join(home, s.inner)
	}
	return filepath.Join(user, s.folder)
}

// mark is a file's mark, and that of what belongs to it.
func (s Store) mark(path string, st fs.FileInfo) Mark {
	m := markOf(st)
	for _, ending := range s.Beside {
		if more, err := lstat(path + ending); err == nil {
			m.Size += more.Size()
			m.Time = max(m.Time, more.ModTime().UnixNano())
		}
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
}

// reader makes a reader of files that have one JSON value on each line. about, which
// may be nil, tells what the place of the file says: it has the last word on the id.
func reader(parse func([]byte) line, about func(path string, s *Conversation)) func(string) ([]Conversation, error) {
	return func(path string) ([]Conversation, error) {
		f, mark, err := open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		var s Conversation
		hidden := false
		var words strings.Builder
		led := 0
		err = headLines(f, func(b []byte) bool {
			l := parse(b)
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
				led += len(b)
			}
			return !hidden && led < headLed
		})
		if err != nil || hidden || s.First == "" {
			return nil, err
		}
		var end []string
		room := WordsMax / 2
		err = tailLines(f, mark.Size, func(b []byte) bool {
			l := parse(b)
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
			return nil, err
		}
		for i := len(end) - 1; i >= 0; i-- {
			words.WriteString(end[i])
			words.WriteByte('\n')
		}
		s.Words = cut(words.String(), WordsMax)
		s.date(time.Unix(0, mark.Time))
		if about != nil {
			about(path, &s)
		}
		if !filepath.IsAbs(s.Dir) {
			s.Dir = ""
		}
		return []Conversation{s}, nil
	}
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

// date mends times that cannot be: nothing was said after the file was last changed.
func (s *Conversation) date(changed time.Time) {
	if s.Used.Year() < 1970 || s.Used.After(changed) {
		s.Used = changed
	}
	if s.Begun.Year() < 1970 || s.Begun.After(s.Used) {
		s.Begun = time.Time{}
	}
}

// named gives a session the id that stands in the name of its file, or of a folder
// above it.
func named(above string) func(string, *Conversation) {
	return func(path string, s *Conversation) {
		name := filepath.Base(path)
		if above != "" {
			name = filepath.Base(filepath.Dir(path))
		}
		s.Session = agent.SessionID(strings.TrimSuffix(name, ".jsonl"))
	}
}
