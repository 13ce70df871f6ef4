package panes

import (
	"bytes"
	"strings"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"reprise/panes/vt"
)

// maxHistory is how much of Spec.History is taken in; of more, the end.
const maxHistory = 64 << 20

// penOff ends every style and link.
const penOff = "\x1b[m\x1b]8;;\x1b\\"

// Restored is what a terminal of an earlier life of a pane showed, to be shown
// above a divider by a new one (Spec.History).
type Restored struct {
	// Text is saved lines with their styles, as Terminal.Text gives them. It may
	// come from a file that was tampered with: only text, SGR and OSC 8 pass.
	// Blank lines at its end are left out; of more than 64 MiB, so is the
	// beginning.
	Text  []byte
	Words string // in the divider: "restored 14:32"; "": there is none
	ASCII bool   // the divider is drawn in ASCII
	Size  Size   // of the terminal that will show it: Host.PaneSize
	// Screen leaves the end of it on the screen, with the cursor below the
	// divider, as a shell's person wants it. Without it all goes into the
	// scrollback and the screen is blank with the cursor at home, as an agent
	// expects it: it draws its own, and until it does its pane shows what was
	// there before.
	Screen bool
}

// Stream makes the stream for Spec.History, at most 64 MiB; nil if there is
// nothing but blanks.
func (r Restored) Stream() []byte {
	size := r.Size.clamp()
	below := penOff
	if r.Words != "" {
		below += r.divider(size.Cols) + "\r\n"
	}
	if !r.Screen {
		// So many lines push out whatever is above the cursor, wherever that is,
		// and no blank ones with it.
		below += strings.Repeat("\n", size.Rows-1) + "\x1b[H"
	}
	text := withoutBlankEnd(r.Text)
	if len(text) == 0 {
		return nil
	}
	b := make([]byte, 0, len(text)+len(text)/16+len(below))
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		b = append(styledLine.appendTo(b, line), "\r\n"...)
	}
	return append(lastLines(b, maxHistory-len(below)), below...)
}

// divider is a line of light rules with the words near its left end.
func (r Restored) divider(cols int) string {
	rule := "─"
	if r.ASCII {
		rule = "-"
	}
	var b strings.Builder
	b.WriteString("\x1b[2m")
	words, width := fitWords(r.Words, cols-6)
	if width == 0 {
		b.WriteString(strings.Repeat(rule, cols))
	} else {
		b.WriteString(strings.Repeat(rule, 2) + " " + words + " " + strings.Repeat(rule, cols-4-width))
	}
	b.WriteString("\x1b[m")
	return b.String()
}

// fitWords is the text of words, cut to a width in cells.
func fitWords(words string, most int) (string, int) {
	clean := plainText.appendTo(nil, []byte(strings.ReplaceAll(words, "\t", " ")))
	width, end := 0, 0
	for it := graphemes.FromBytes(clean); it.Next(); end = it.End() {
		w := vt.ClusterWidth(string(it.Value()))
		if width+w > most {
			break
		}
		width += w
	}
	return string(clean[:end]), width
}

// withoutBlankEnd leaves out the lines at the end on which nothing is written.
func withoutBlankEnd(text []byte) []byte {
	for len(text) > 0 {
		start := bytes.LastIndexByte(text, '\n') + 1
		if len(bytes.TrimSpace(plainText.appendTo(nil, text[start:]))) > 0 {
			return text
		}
		text = text[:max(start-1, 0)]
	}
	return nil
}

// lastLines is the end of a text, whole lines if it has any.
func lastLines(b []byte, most int) []byte {
	if len(b) <= most {
		return b
	}
	b = b[len(b)-max(most, 0):]
	return b[bytes.IndexByte(b, '\n')+1:]
}

// recall writes a stream into the emulator that no program of this terminal
// printed. It is heard by nobody: a file that was tampered with must not type into
// the program, set the clipboard or call for attention.
func (t *Terminal) recall(stream []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.muted = true
	t.guarded("recall", func(e Emulator) { _, _ = e.Write(stream) })
	t.muted = false
}

// recallHistory shows Spec.History, of which only what draws passes: a mode that
// it set would change what the program is sent.
func (t *Terminal) recallHistory(stream []byte) {
	if len(stream) == 0 {
		return
	}
	var b []byte
	for line := range bytes.Lines(lastLines(stream, maxHistory)) {
		if b = drawing.appendTo(b, line); len(b) >= readSize {
			t.recall(b)
			b = b[:0]
		}
	}
	t.recall(append(b, penOff...))
}
