package vt

import (
	"bytes"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Pattern is what is searched for in a terminal's text. It is safe for concurrent
// use.
type Pattern struct {
	// literal is all that is searched for if re is nil; else every match holds
	// it, if there is one: lines without it need no closer look.
	literal []byte
	re      *regexp.Regexp
	auto    *automaton // of re; nil: it is too large for one
	idle    sync.Pool  // of *scanner
	fold    bool       // literal is in lower case, and so must be what it is compared with
}

// MaxPattern is the longest pattern, in bytes.
const MaxPattern = 1000

// NewPattern makes a pattern of plain text, or of a regular expression (RE2). It
// tells upper from lower case only if text has upper case. The error says what is
// wrong with an expression; text must not be empty.
func NewPattern(text string, expression bool) (*Pattern, error) {
	if text == "" || len(text) > MaxPattern {
		return nil, fmt.Errorf("a pattern has 1 to %d bytes, this one %d", MaxPattern, len(text))
	}
	if !expression {
		text = regexp.QuoteMeta(text)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("search pattern: %w", err)
	}
	p := &Pattern{fold: !hasUpper(text)}
	tree = tree.Simplify()
	if p.literal = required(tree); p.fold && !isASCII(p.literal) || bytes.ContainsRune(p.literal, '\n') {
		p.literal = nil
	}
	if tree.Op == syntax.OpLiteral && p.literal != nil {
		return p, nil
	}
	if p.fold {
		text = "(?i)" + text
	}
	if p.re, err = regexp.Compile(text); err != nil {
		return nil, fmt.Errorf("search pattern: %w", err)
	}
	if tree, err = syntax.Parse(text, syntax.Perl); err == nil {
		p.auto = newAutomaton(tree.Simplify())
	}
	return p, nil
}

// hasUpper reports whether an expression has upper case outside of its escapes.
func hasUpper(s string) bool {
	escaped := false
	return strings.ContainsFunc(s, func(r rune) bool {
		if escaped {
			escaped = false
			return false
		}
		escaped = r == '\\'
		return unicode.IsUpper(r)
	})
}

func isASCII(b []byte) bool {
	return !bytes.ContainsFunc(b, func(r rune) bool { return r >= utf8.RuneSelf })
}

// required is the longest text that every match of an expression holds; nil if
// none was found.
func required(r *syntax.Regexp) (longest []byte) {
	switch r.Op {
	case syntax.OpLiteral:
		if r.Flags&syntax.FoldCase == 0 {
			return []byte(string(r.Rune))
		}
	case syntax.OpConcat:
		for _, sub := range r.Sub {
			if l := required(sub); len(l) > len(longest) {
				longest = l
			}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(r.Sub[0])
	}
	return longest
}

// Find gives take every match, in reading order. A match lies within a line and
// has at least one cell.
func (p *Pattern) Find(l *Lines, take func(Span)) {
	var s *scanner
	if p.re != nil {
		if s, _ = p.idle.Get().(*scanner); s == nil {
			s = newScanner(p.auto, p.re)
		}
		defer p.idle.Put(s)
	}
	if p.literal == nil {
		for at := 0; at < len(l.Text); {
			at = s.lineAt(l, at, take)
		}
		return
	}
	text := l.Text
	if p.fold {
		text = l.lowered()
	}
	for at := 0; ; {
		i := bytes.Index(text[at:], p.literal)
		if i < 0 {
			return
		}
		at += i
		if p.re != nil {
			at = s.lineAt(l, bytes.LastIndexByte(text[:at], '\n')+1, take)
			continue
		}
		end := at + len(p.literal)
		take(Span{l.pos(at), l.pos(end - 1)})
		at = end
	}
}

// lineAt gives take the matches of the line that begins at a byte, and returns where
// the next one begins.
func (s *scanner) lineAt(l *Lines, at int, take func(Span)) int {
	end := len(l.Text)
	if i := bytes.IndexByte(l.Text[at:], '\n'); i >= 0 {
		end = at + i
	}
	s.line(l.Text[at:end], func(from, to int) { take(Span{l.pos(at + from), l.pos(at + to - 1)}) })
	return end + 1
}

// lowered is Text with ASCII in lower case.
func (l *Lines) lowered() []byte {
	if len(l.lower) != len(l.Text) {
		l.lower = append(l.lower[:0], l.Text...)
		for i, c := range l.lower {
			if c >= 'A' && c <= 'Z' {
				l.lower[i] = c + 'a' - 'A'
			}
		}
	}
	return l.lower
}
