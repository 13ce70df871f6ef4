package kinds

import (
	"os"
	"path/filepath"
	"strings"

	"reprise/agent"
)

// Marks in the pattern of a conversation's file, beside that of the session's id.
const (
	homeMark = agent.HomeMark
	headMark = agent.HeadMark
)

// store is where a program keeps its conversations: files, one for each session.
type store struct {
	home  string // its folder by default: "~/.claude"; "" is not known
	below string // that folder below the one that the home variable names; "": that itself
	// pattern is the path of a file, with marks: it begins with {home}/, ~/ or /. "": it
	// is not asked.
	pattern string
	// has are words of which a line of the file has one if it has a conversation; none:
	// one that is not empty has. holds decides in their place.
	has   []string
	holds func(path string, id agent.SessionID) (bool, error)
	// elsewhere: it may lie at another place, too, or have another form: what is not found
	// may still be there.
	elsewhere bool
}

// Shelf is agent.Shelved's.
func (k *program) Shelf() agent.Shelf { return k.shelf }

func (k *program) Transcript(home, _ string, id agent.SessionID) agent.Transcript {
	_, t := k.store.find(home, id)
	if k.store.elsewhere && t == agent.NoTranscript {
		return agent.CannotTell
	}
	return t
}

// root is the folder that {home} stands for.
func (s store) root(home string) (dir string, ok bool) {
	if home != "" {
		return filepath.Join(home, s.below), true
	}
	return expanded(s.home)
}

// expanded is a path with the person's home for ~.
func expanded(path string) (string, bool) {
	user, err := os.UserHomeDir()
	if path == "" || strings.HasPrefix(path, "~") && err != nil {
		return "", false
	}
	return agent.Expanded(path, user), true
}

// find looks for a session's file. The store is the home or, where the pattern names
// none, the longest folder that is the same for every session: unless it can be read
// there is no answer.
func (s store) find(home string, id agent.SessionID) (path string, t agent.Transcript) {
	if s.pattern == "" || !id.Valid() || strings.Contains(s.pattern, headMark) && len(id) < 8 {
		return "", agent.CannotTell
	}
	root, parts, ok := s.place(home)
	if !ok {
		return "", agent.CannotTell
	}
	for i, p := range parts {
		parts[i] = agent.Named(p, id)
	}
	return find(root, func(path string) (bool, error) {
		switch {
		case s.holds != nil:
			return s.holds(path, id)
		case s.has != nil:
			return hasLine(path, s.has...)
		}
		return isFile(path)
	}, parts...)
}

// place is the store's folder, and the names below it.
func (s store) place(home string) (root string, parts []string, ok bool) {
	folder, parts := agent.SplitPattern(s.pattern)
	if folder == homeMark {
		root, ok = s.root(home)
	} else {
		root, ok = expanded(folder)
	}
	return root, parts, ok
}
