// Package past reads the conversations that agents keep on this machine: whose they
// are, where and when they were held, how they began and what was said last. It reads
// the head and the tail of a store's file, never the whole; it writes nothing into a
// store.
//
// Contract: a store is another program's and may be damaged or hostile. What is read
// of a file is bounded, only regular files are opened, and no control character leaves
// the package. Readers are pure functions of one file. Refresh is safe for concurrent
// use if its Index is.
package past

import (
	"context"
	"time"

	"reprise/agent"
)

// Conversation is one conversation as its agent's store has it.
type Conversation struct {
	agent.Identity
	Dir   string // where it was held, absolute; "" if the store does not tell
	First string // what the person asked at first; at most TextMax bytes, lines kept
	Last  string // what was said last, by whoever; at most TextMax bytes, lines kept
	// Own: the last word is the person's.
	Own bool
	// Words are what else is searched: more of the beginning and of the end; at most
	// WordsMax bytes. A list leaves them out.
	Words string
	Begun time.Time // zero: not known
	Used  time.Time // when something was said last
}

// Bounds of a session's texts, in bytes.
const (
	TextMax  = 1 << 10
	WordsMax = 6 << 10
)

// Mark tells whether a store's file changed since it was read, or would be read as
// something else now.
type Mark struct {
	Size       int64
	Time       int64  // of the last change, in nanoseconds since 1970
	Kind, Home string // whose it was read as
	Form       int64  // stands for how a person described the Kind's files; 0: nobody did
}

// File is what was read of one file of a store: mostly one session; none if it holds
// no conversation yet.
type File struct {
	Path     string
	Mark     Mark
	Sessions []Conversation
}

// Index keeps what was read, so that nothing is read twice. Package db/index
// implements it.
type Index interface {
	// Marks are the marks of all files that were read, by path.
	Marks(ctx context.Context) (map[string]Mark, error)
	// Put takes in files, each in place of what was known of it.
	Put(ctx context.Context, files []File) error
	// Drop forgets files.
	Drop(ctx context.Context, paths []string) error
}
