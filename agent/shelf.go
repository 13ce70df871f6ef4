package agent

import (
	"path/filepath"
	"slices"
	"strings"
)

// Shelved is a Kind whose conversations have the form of another one's.
type Shelved interface {
	// Shelf says where they lie; one without a Format is not read.
	Shelf() Shelf
}

// Keeper is a Kind that can tell where its program keeps its conversations.
type Keeper interface {
	// Keeps names the store of a home, as Origin.Home is: one name for each place, whatever
	// kind and home lead there. It does not look at the disk.
	Keeps(home string) string
}

// StoreOf names where a kind's conversations in a home lie; "": it is not known.
func StoreOf(r Registry, kind, home string) string {
	if r == nil {
		return ""
	}
	k, _ := r.Kind(kind)
	keeper, ok := k.(Keeper)
	if !ok {
		return ""
	}
	return keeper.Keeps(home)
}

// same reports whether two identities are one session.
func (c *Coordinator) same(a, b Identity) bool {
	if a == b || a.Session == "" || a.Session != b.Session {
		return a == b
	}
	store := StoreOf(c.cfg.Registry, a.Kind, a.Home)
	return store != "" && store == StoreOf(c.cfg.Registry, b.Kind, b.Home)
}

// Shelf is where conversations lie, and in what form.
type Shelf struct {
	Format string // the name of the Kind that has the form, too
	Home   string // the Kind's home by default: begins with / or ~; "" is not known
	Folder string // that home below the folder that the home variable names; "": that itself
	// Pattern is the path of a conversation's file, with marks; it begins with {home}/, ~/
	// or /. "": they lie as those of Format do, as in databases they do anyway.
	Pattern string
}

// Marks in a pattern, beside SessionMark.
const (
	HomeMark = "{home}"
	HeadMark = "{session_id:8}" // the first eight letters of the id
)

// headLen is what HeadMark stands for, in letters.
const headLen = 8

// Named is a name of a pattern for one session.
func Named(pattern string, id SessionID) string {
	return strings.NewReplacer(SessionMark, string(id), HeadMark, string(id[:min(headLen, len(id))])).Replace(pattern)
}

// IsPattern reports whether a name stands for others than itself: see filepath.Match.
func IsPattern(name string) bool { return strings.ContainsAny(name, `*?[\`) }

// SplitPattern splits a Shelf's pattern: into the folder that is the same for every
// session, HomeMark or a path that begins with / or ~, and the names below it, one at
// least.
func SplitPattern(pattern string) (folder string, below []string) {
	if rest, homely := strings.CutPrefix(pattern, HomeMark); homely {
		return HomeMark, Names(rest)
	}
	rest, tilde := strings.CutPrefix(pattern, "~")
	if tilde {
		folder = "~"
	}
	below = Names(rest)
	open := slices.IndexFunc(below, func(name string) bool {
		return IsPattern(name) || strings.Contains(name, SessionMark) || strings.Contains(name, HeadMark)
	})
	if open < 0 {
		open = len(below) - 1
	}
	return folder + "/" + filepath.Join(below[:open]...), below[open:]
}

// Names are those of a path below its root.
func Names(path string) []string {
	return strings.Split(strings.TrimPrefix(filepath.Clean("/"+path), "/"), "/")
}

// Expanded is a path of a person's with their home for ~.
func Expanded(path, user string) string {
	if below, ok := strings.CutPrefix(path, "~"); ok {
		return filepath.Join(user, below)
	}
	return path
}
