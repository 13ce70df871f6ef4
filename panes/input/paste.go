package input

import (
	"bytes"

	"reprise/panes/vt"
)

// The marks of a bracketed paste (mode 2004).
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
	// pasteEnd8 is the end mark with the one-character CSI, as UTF-8.
	pasteEnd8 = "\u009b201~"
	// harmless stands for the control character of an end mark within a paste.
	// Taking it out could make a new mark of what stood around it.
	harmless = "\u241b"
)

// Paste gives the bytes that paste b: between marks if the program asked for
// them, else as if typed, with line ends as the enter key sends them. An end mark
// within b is made harmless, so that nothing pasted can pass for typed keys.
func Paste(b []byte, m vt.Modes) []byte {
	out := append(make([]byte, 0, len(b)+len(pasteStart)+len(pasteEnd)), PasteStart(m)...)
	out = append(out, PastePiece(b, m)...)
	return append(out, PasteEnd(m)...)
}

// PasteStart opens a paste that goes out in pieces; nil if the program did not
// ask for marks.
func PasteStart(m vt.Modes) []byte {
	if !m.BracketedPaste {
		return nil
	}
	return []byte(pasteStart)
}

// PasteEnd closes what PasteStart opened.
func PasteEnd(m vt.Modes) []byte {
	if !m.BracketedPaste {
		return nil
	}
	return []byte(pasteEnd)
}

// PastePiece is a piece of a paste. An end mark or a CR LF that lies across two
// pieces is not seen: whoever cuts must not cut there. The answer may share b's
// memory.
func PastePiece(b []byte, m vt.Modes) []byte {
	if m.BracketedPaste {
		if bytes.Contains(b, []byte(pasteEnd)) {
			b = bytes.ReplaceAll(b, []byte(pasteEnd), []byte(harmless+pasteEnd[1:]))
		}
		if bytes.Contains(b, []byte(pasteEnd8)) {
			b = bytes.ReplaceAll(b, []byte(pasteEnd8), []byte(harmless+"["+pasteEnd[2:]))
		}
		return b
	}
	if bytes.IndexByte(b, '\n') < 0 {
		return b
	}
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\r"))
	return bytes.ReplaceAll(b, []byte("\n"), []byte("\r"))
}
