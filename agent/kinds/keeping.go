package kinds

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"reprise/agent"
)

// keeping is where a program keeps its conversations, as far as that tells whether
// another kind's are the same ones. The zero keeping is that of the kind's own store.
type keeping struct {
	of      string // the kind whose program, or whose form of files, it has, or how a session is resumed
	homeEnv string // the variable that moves the home of that one
	store   store
	home    string // that which the kind itself sets: what its program sees
}

var _ agent.Keeper = (*program)(nil)

// Keeps is agent.Keeper's: the pattern of the files, or, where none is known, whose form
// they have, and the home. Links are not followed, for an answer that changes while a
// session is open would let it be opened twice.
func (k *program) Keeps(home string) string {
	kept := k.kept()
	root, ok := kept.root(home)
	if below, homely := strings.CutPrefix(kept.store.pattern, homeMark); homely && ok {
		return filepath.Join(root, below)
	} else if path, ok := expanded(kept.store.pattern); ok && !homely {
		return filepath.Clean(path)
	}
	if !ok {
		root = cmp.Or(home, kept.home)
	}
	return kept.of + ":" + root
}

// kept is the keeping that counts.
func (k *program) kept() keeping {
	kept := k.keeps
	if kept.of == "" {
		kept = keeping{of: k.facts.Name, homeEnv: k.facts.HomeEnv, store: k.store}
	}
	kept.home = lookup(k.env, kept.homeEnv)
	return kept
}

// root is the folder of a home, if it is known.
func (k keeping) root(home string) (root string, ok bool) {
	return k.store.root(cmp.Or(home, k.home))
}

// customKeeping is that of a description, whose own store is s: where it says nothing of
// files, what runs the program of a known agent keeps them as that does, and what resumes a
// session by the same words as another one has it where that one has.
func customKeeping(c Custom, s store) keeping {
	words := strings.Join(slices.Concat([]string{c.Command}, c.ResumeArgs), " ")
	kept := keeping{of: cmp.Or(c.Store.Format, words), homeEnv: c.HomeEnv, store: s}
	for _, k := range builtin() {
		switch {
		case k.facts.Name == c.Store.Format:
		case c.Store.Format == "" && c.Transcript == "" && filepath.Base(c.Command) == k.facts.Program:
			kept.of, kept.store = k.facts.Name, k.store
			kept.store.home, kept.store.below = cmp.Or(c.Store.Home, k.store.home), cmp.Or(c.Store.Folder, k.store.below)
		default:
			continue
		}
		kept.homeEnv = cmp.Or(c.HomeEnv, k.facts.HomeEnv)
	}
	return kept
}
