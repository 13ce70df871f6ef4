package vt

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// dfa runs an expression over text with one look-up a character: the states of the
// expression's program (regexp/syntax) that can be reached together are one state
// here, made when it is first met. What the program says of boundaries and ends is
// taken to hold, so with any of that a dfa finds too much: see exact.
//
// It is Thompson's construction made lazily, with the order of states kept so that
// of the matches at the leftmost place the first one by the expression wins (as in
// RE2's DFA). A dfa is not safe for concurrent use.
type dfa struct {
	prog    *syntax.Prog
	longest bool // of the matches at one place the longest wins; it looks at one place only
	classes *classes
	states  []dfaState
	known   map[string]entry
	table   []entry // a row for each state: of ASCII, then of the classes
	row     int     // its length
	start   entry
	looks   int // bytes that end has looked at

	threads []uint32 // of the state that is being made
	seen    []uint32 // when a program's state was last added to threads
	round   uint32
	key     []byte
}

// entry is the way to a state: where the state's row begins, and in the lowest bits
// what else there is to know of it. The scanning loop looks at those once.
type entry uint32

const (
	matches entry = 1 // something matches on the way
	special entry = 2 // it leads to no state

	unknown = special     // it was not gone yet
	dead    = special | 4 // nothing more can match

	entryShift = 2
)

// dfaState is threads in their order, and whether a match may begin behind it.
type dfaState struct {
	threads []uint32
	begins  bool
}

// maxStates bounds a dfa: when it is full it is begun anew.
const maxStates = 1000

// newDFA makes a dfa of a program; it must have the classes of its characters.
func newDFA(p *syntax.Prog, c *classes, longest bool) *dfa {
	d := &dfa{prog: p, classes: c, longest: longest, seen: make([]uint32, len(p.Inst)), row: utf8.RuneSelf + c.n}
	d.clear()
	return d
}

// clear forgets all states but the first.
func (d *dfa) clear() {
	d.states, d.table, d.known = nil, nil, map[string]entry{}
	d.begin()
	d.add(uint32(d.prog.Start), false)
	d.start = d.state(!d.longest, false)
}

func (d *dfa) begin() {
	d.threads = d.threads[:0]
	d.round++
}

// add adds a state of the program, and those that follow without a character, in
// their order. It reports whether that ends in a match; an empty one counts for
// none.
func (d *dfa) add(pc uint32, counts bool) (matched bool) {
	if d.seen[pc] == d.round {
		return false
	}
	d.seen[pc] = d.round
	switch in := &d.prog.Inst[pc]; in.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		matched = d.add(in.Out, counts)
		if matched && !d.longest {
			return true // what comes behind it in the order loses
		}
		return d.add(in.Arg, counts) || matched
	case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
		return d.add(in.Out, counts)
	case syntax.InstMatch:
		if !counts {
			d.seen[pc] = 0
		}
		return counts
	case syntax.InstFail:
	default:
		d.threads = append(d.threads, pc)
	}
	return false
}

// state is the state of the threads that were added.
func (d *dfa) state(begins, matched bool) entry {
	k := d.key[:0]
	for _, t := range d.threads {
		k = binary.LittleEndian.AppendUint32(k, t)
	}
	if begins {
		k = append(k, 1)
	}
	d.key = k
	e, ok := d.known[string(k)]
	switch {
	case ok:
	case len(d.threads) == 0 && !begins:
		e = dead
	default:
		e = entry(len(d.table)) << entryShift
		d.states = append(d.states, dfaState{slices.Clone(d.threads), begins})
		d.table = append(d.table, slices.Repeat([]entry{unknown}, d.row)...)
		d.known[string(k)] = e
	}
	if matched {
		e |= matches
	}
	return e
}

// step makes the way from a state by a character. A dfa that is full begins anew:
// what the caller has of it means nothing then but the result.
func (d *dfa) step(from entry, r rune) entry {
	at := int(from >> entryShift)
	s := d.states[at/d.row]
	class := d.classes.of(r)
	r = d.classes.sample[class]
	d.begin()
	matched := false
	for _, pc := range s.threads {
		in := &d.prog.Inst[pc]
		if in.MatchRune(r) && d.add(in.Out, true) {
			matched = true
			if !d.longest {
				break
			}
		}
	}
	begins := s.begins && !matched
	if begins {
		d.add(uint32(d.prog.Start), false)
	}
	if len(d.states) >= maxStates {
		threads := slices.Clone(d.threads)
		d.clear()
		d.threads = append(d.threads[:0], threads...)
		return d.state(begins, matched)
	}
	e := d.state(begins, matched)
	d.table[at+utf8.RuneSelf+class] = e
	for c, other := range d.classes.ascii {
		if int(other) == class {
			d.table[at+c] = e
		}
	}
	return e
}

// end looks for the leftmost match that begins at a byte of text or later, and
// returns where it ends. With any the first end that is seen will do.
func (d *dfa) end(text []byte, from int, any bool) (end int, ok bool) {
	s, table, i := d.start, d.table, from
	for i < len(text) {
		var next entry
		r, size := rune(text[i]), 1
		if r < utf8.RuneSelf {
			next = table[int(s>>entryShift)+int(r)]
		} else {
			r, size = utf8.DecodeRune(text[i:])
			next = table[int(s>>entryShift)+utf8.RuneSelf+d.classes.of(r)]
		}
		i += size
		if next&(matches|special) != 0 {
			if next == unknown {
				next = d.step(s, r)
				table = d.table
			}
			if next&matches != 0 {
				if end, ok = i, true; any {
					break
				}
			}
			if next&special != 0 {
				break
			}
		}
		s = next
	}
	d.looks += i - from
	return end, ok
}

// beginning looks backward from the end of text for the longest match that ends
// there, and returns where it begins: d is one of the expression reversed.
func (d *dfa) beginning(text []byte) (at int, ok bool) {
	s := d.start
	for i := len(text); i > 0; {
		r, size := utf8.DecodeLastRune(text[:i])
		i -= size
		next := d.table[int(s>>entryShift)+utf8.RuneSelf+d.classes.of(r)]
		if next == unknown {
			next = d.step(s, r)
		}
		if next&matches != 0 {
			at, ok = i, true
		}
		if next&special != 0 {
			break
		}
		s = next
	}
	return at, ok
}

// classes parts the characters into those that no program of some tells apart.
type classes struct {
	n      int
	ascii  [utf8.RuneSelf]uint16
	bounds []rune   // where a class begins, in order, the first at 0
	class  []uint16 // that begins there
	sample []rune   // one character of each class
}

// maxClasses bounds the classes: a table has a row of them for each state.
const maxClasses = 256

// newClasses parts the characters for a program; nil: into too many.
func newClasses(p *syntax.Prog) *classes {
	c := &classes{bounds: []rune{0, unicode.MaxRune + 1}}
	var tells []*syntax.Inst
	for i := range p.Inst {
		in := &p.Inst[i]
		switch in.Op {
		case syntax.InstRune, syntax.InstRune1:
			c.part(in)
		case syntax.InstRuneAnyNotNL:
			c.bounds = append(c.bounds, '\n', '\n'+1)
		case syntax.InstRuneAny:
		default:
			continue
		}
		tells = append(tells, in)
	}
	slices.Sort(c.bounds)
	c.bounds = slices.Compact(c.bounds)
	c.bounds = c.bounds[:len(c.bounds)-1]
	byWhat := map[string]uint16{}
	what := make([]byte, len(tells))
	for _, r := range c.bounds {
		for i, in := range tells {
			what[i] = 0
			if in.MatchRune(r) {
				what[i] = 1
			}
		}
		class, ok := byWhat[string(what)]
		if !ok {
			class = uint16(c.n)
			byWhat[string(what)] = class
			c.sample = append(c.sample, r)
			if c.n++; c.n > maxClasses {
				return nil
			}
		}
		c.class = append(c.class, class)
	}
	for r := range c.ascii {
		c.ascii[r] = c.find(rune(r))
	}
	return c
}

// part notes where the characters that a state of a program takes begin and end.
func (c *classes) part(in *syntax.Inst) {
	if len(in.Rune) != 1 {
		for i := 0; i+1 < len(in.Rune); i += 2 {
			c.bounds = append(c.bounds, in.Rune[i], in.Rune[i+1]+1)
		}
		return
	}
	r := in.Rune[0]
	c.bounds = append(c.bounds, r, r+1)
	if syntax.Flags(in.Arg)&syntax.FoldCase == 0 {
		return
	}
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		c.bounds = append(c.bounds, o, o+1)
	}
}

// of is a character's class.
func (c *classes) of(r rune) int {
	if r < utf8.RuneSelf {
		return int(c.ascii[r])
	}
	return int(c.find(r))
}

func (c *classes) find(r rune) uint16 {
	i, found := slices.BinarySearch(c.bounds, r)
	if !found {
		i--
	}
	return c.class[i]
}
