// Package kinds has the agent programs that Reprise knows, and those a person
// describes in the config file. A kind is data (program), sometimes with a little
// code: how its command lines begin and go on with a session, how it is made to
// call our hook command, and where it keeps its conversations. Each file says with
// which version that was seen, or only read; docs/agents.md is made of it.
package kinds

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"reprise/agent"
)

// Registry holds the kinds by name. It is read-only, so safe for concurrent use.
type Registry struct {
	kinds  []agent.Kind
	byName map[string]agent.Kind
}

var _ agent.Registry = (*Registry)(nil)

// builtin are the kinds that need no description, claude and codex first.
func builtin() []*program {
	return []*program{
		claude(), codex(), gemini(), qwen(), copilot(), opencode(), pi(),
		droid(), grok(), kimi(), vibe(), amp(), cursor(), crush(), goose(), hermes(), mastracode(), aider(),
	}
}

// New makes the registry of the built-in kinds and the person's own, which may
// take the place of any but claude and codex. An unusable one is named in the error
// and left out; the registry holds the rest either way.
func New(custom []Custom) (*Registry, error) {
	r := &Registry{byName: map[string]agent.Kind{}}
	for _, k := range builtin() {
		r.add(k.witnessed())
	}
	taken := map[string]bool{}
	var errs []error
	for _, c := range custom {
		k, err := newCustom(c)
		if err == nil && (reserved[c.Name] || taken[c.Name]) {
			err = errTaken
		}
		if err != nil {
			errs = append(errs, &CustomError{Name: c.Name, Err: err})
			continue
		}
		taken[c.Name] = true
		r.add(k.witnessed())
	}
	return r, errors.Join(errs...)
}

// reserved are kinds of which no description takes the place.
var reserved = map[string]bool{"claude": true, "codex": true}

var errTaken = errors.New("the name is taken; choose another")

// Check says what is wrong with a description, beginning with its key in the config file.
func Check(c Custom) error {
	if reserved[c.Name] {
		return errTaken
	}
	_, err := newCustom(c)
	return err
}

func (r *Registry) add(k agent.Kind) {
	name := k.Facts().Name
	r.kinds = append(slices.DeleteFunc(r.kinds, func(old agent.Kind) bool { return old.Facts().Name == name }), k)
	r.byName[name] = k
}

// Kind finds a kind by its name.
func (r *Registry) Kind(name string) (agent.Kind, bool) {
	k, ok := r.byName[name]
	return k, ok
}

// All lists the kinds, built-in ones first.
func (r *Registry) All() []agent.Kind { return append([]agent.Kind(nil), r.kinds...) }

// reasonMax bounds what a hook may put into the ledger, in bytes.
const reasonMax = 64

// text is one string of a hook's payload: "" if it is missing or no string. What
// could upset a terminal or a log is taken out.
func text(fields map[string]json.RawMessage, key string) string {
	var s string
	if json.Unmarshal(fields[key], &s) != nil {
		return ""
	}
	return s
}

// reason is a string of a payload as the ledger may hold it.
func reason(fields map[string]json.RawMessage, key string) string { return bounded(text(fields, key)) }

// bounded is a text as a reason may be: printable ASCII, at most reasonMax.
func bounded(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f {
			return -1
		}
		return r
	}, s)
	return s[:min(len(s), reasonMax)]
}

// session is the id in a payload, "" if there is none or it may not stand in an
// argv.
func session(fields map[string]json.RawMessage, keys ...string) agent.SessionID {
	for _, key := range keys {
		if id := agent.SessionID(text(fields, key)); id.Valid() {
			return id
		}
	}
	return ""
}

// withHome says where an agent's home is: the variable that moves it, or, for the
// default home, that variable's absence, whatever our own environment says today.
func withHome(env []string, f agent.Facts, home string) []string {
	set := func(kv string) bool { return strings.HasPrefix(kv, f.HomeEnv+"=") }
	switch {
	case f.HomeEnv == "", home == "" && slices.ContainsFunc(env, set): // the kind itself moves it
		return env
	case home == "":
		return append(env, f.HomeEnv) // a bare name unsets: panes.Spec
	}
	return append(env, f.HomeEnv+"="+home)
}
