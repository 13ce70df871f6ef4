package server

import "bytes"

// fence counts questions and answers that pass by, so that the client knows
// whether answers are still to come. It watches for the one question that every
// terminal answers, primary device attributes (DA1, ECMA-48 and xterm's ctlseqs),
// which is asked last: what is in flight at a detach comes before its answer.
type fence struct {
	asked, answered int
	in              []byte // the beginning of what may become an answer
}

// maxAnswer bounds an answer: terminals list about ten attributes.
const maxAnswer = 64

// questions counts them in what goes to the terminal.
func questions(p []byte) int {
	return bytes.Count(p, []byte("\x1b[c")) + bytes.Count(p, []byte("\x1b[0c"))
}

// typed looks at what comes from the terminal: CSI ? digits and semicolons c.
func (f *fence) typed(p []byte) {
	for len(p) > 0 {
		if len(f.in) == 0 {
			at := bytes.IndexByte(p, 0x1b)
			if at < 0 {
				return
			}
			p = p[at:]
		}
		c := p[0]
		switch n := len(f.in); {
		case n == 0, n == 1 && c == '[', n == 2 && c == '?', n > 2 && n < maxAnswer && (c >= '0' && c <= '9' || c == ';'):
			f.in, p = append(f.in, c), p[1:]
		case n > 3 && c == 'c':
			f.answered++
			f.in, p = f.in[:0], p[1:]
		default: // c may begin another
			f.in = f.in[:0]
		}
	}
}

// open reports whether an answer is still to come.
func (f *fence) open() bool { return f.answered < f.asked }
