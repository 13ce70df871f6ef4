package vt

import (
	"regexp"
	"regexp/syntax"
	"slices"
)

// automaton finds an expression's matches in a line.
type automaton struct {
	forward  *syntax.Prog
	backward *syntax.Prog // of the expression reversed; nil: forward finds too much
	classes  [2]*classes  // of both
}

// newAutomaton makes an automaton of an expression; nil: it is too large.
func newAutomaton(tree *syntax.Regexp) *automaton {
	a := &automaton{}
	var err error
	if a.forward, err = syntax.Compile(tree); err != nil || len(a.forward.Inst) > maxInst {
		return nil
	}
	if a.classes[0] = newClasses(a.forward); a.classes[0] == nil {
		return nil
	}
	if slices.ContainsFunc(a.forward.Inst, func(in syntax.Inst) bool { return in.Op == syntax.InstEmptyWidth }) {
		return a
	}
	back, err := syntax.Compile(reversed(tree))
	if err != nil {
		return a
	}
	if a.classes[1] = newClasses(back); a.classes[1] != nil {
		a.backward = back
	}
	return a
}

// maxInst bounds an expression's program. Each state of a dfa may be as large.
const maxInst = 1000

// reversed is an expression that matches what another one does, backward. It may
// have no boundaries.
func reversed(r *syntax.Regexp) *syntax.Regexp {
	back := *r
	back.Rune = r.Rune
	if r.Op == syntax.OpLiteral {
		back.Rune = slices.Clone(r.Rune)
		slices.Reverse(back.Rune)
	}
	back.Sub = make([]*syntax.Regexp, len(r.Sub))
	for i, sub := range r.Sub {
		at := i
		if r.Op == syntax.OpConcat {
			at = len(r.Sub) - 1 - i
		}
		back.Sub[at] = reversed(sub)
	}
	return &back
}

// scanner is an automaton at work. It is not safe for concurrent use.
type scanner struct {
	re       *regexp.Regexp
	forward  *dfa
	backward *dfa // nil: re says where the matches are
}

func newScanner(a *automaton, re *regexp.Regexp) *scanner {
	s := &scanner{re: re}
	if a == nil {
		return s
	}
	s.forward = newDFA(a.forward, a.classes[0], false)
	if a.backward != nil {
		s.backward = newDFA(a.backward, a.classes[1], true)
	}
	return s
}

// maxLooks bounds how often the bytes of a line are looked at, on the average: an
// expression may look on to the line's end from each match.
const maxLooks = 200

// line gives take the matches in a line: first byte and the one behind the last.
// What is left of a line that takes too long is not looked at.
func (s *scanner) line(text []byte, take func(from, to int)) {
	if s.backward == nil {
		if s.forward != nil {
			if _, ok := s.forward.end(text, 0, true); !ok {
				return
			}
		}
		for _, m := range s.re.FindAllIndex(text, -1) {
			if m[0] < m[1] {
				take(m[0], m[1])
			}
		}
		return
	}
	at := 0
	s.forward.looks = 0
	for s.forward.looks <= maxLooks*len(text) {
		end, ok := s.forward.end(text, at, false)
		if !ok {
			return
		}
		from, ok := s.backward.beginning(text[at:end])
		if !ok {
			return
		}
		take(at+from, end)
		at = end
	}
}
