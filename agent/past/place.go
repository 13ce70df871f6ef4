package past

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strings"

	"reprise/agent"
)

// In is the store of another kind whose files have the form of this one's, at a place
// that a person described.
func (s Store) In(kind string, at agent.Shelf) Store {
	form := fnv.New64a()
	_, _ = fmt.Fprintf(form, "%q %q", s.Kind, at.Pattern) // it never fails
	s.Kind, s.format, s.form = kind, s.Kind, int64(form.Sum64())
	s.home = at.Home
	if at.Folder != "" {
		s.inner = at.Folder
	}
	if at.Pattern == "" || s.logged { // as that one's lie
		return s
	}
	s.folder, s.xdg, s.inner, s.moved = "", "", at.Folder, nil
	fixed, parts := agent.SplitPattern(at.Pattern)
	if fixed != agent.HomeMark {
		s.fixed = fixed
	}
	s.path = make([]string, len(parts))
	for i, p := range parts {
		s.path[i] = strings.NewReplacer(agent.SessionMark, "*", agent.HeadMark, "*").Replace(p)
	}
	s.placed = true
	read := s.read
	s.read = func(path string, alive func()) ([]Conversation, error) {
		all, err := read(path, alive)
		var kept []Conversation
		for _, c := range all {
			if c.identify(path, parts); c.named(path, parts) {
				kept = append(kept, c)
			}
		}
		return kept, err
	}
	return s
}

// identify takes the id from the path of its file, where in a name only it is open.
func (s *Conversation) identify(path string, parts []string) {
	for i := len(parts) - 1; i >= 0; i-- {
		name := filepath.Base(path)
		path = filepath.Dir(path)
		before, after, is := strings.Cut(parts[i], agent.SessionMark)
		if is && !agent.IsPattern(before+after) && !strings.Contains(before+after, agent.HeadMark) && !strings.Contains(after, agent.SessionMark) {
			s.Session = agent.SessionID(strings.TrimSuffix(strings.TrimPrefix(name, before), after))
		}
	}
}

// named reports whether its file has the path that the pattern gives it.
func (s *Conversation) named(path string, parts []string) bool {
	for i := len(parts) - 1; i >= 0; i-- {
		ok, err := filepath.Match(agent.Named(parts[i], s.Session), filepath.Base(path))
		if err != nil || !ok {
			return false
		}
		path = filepath.Dir(path)
	}
	return s.Session.Valid()
}
