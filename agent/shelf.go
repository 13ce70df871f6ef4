package agent

import "strings"

// Shelved is a Kind whose conversations have the form of another one's.
type Shelved interface {
	// Shelf says where they lie; one without a Format is not read.
	Shelf() Shelf
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
