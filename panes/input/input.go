// Package input turns what a person did into the bytes that a program expects:
// keys, mouse, focus and pastes, in the dialect that the program asked for
// (vt.Modes). It is the reverse of a terminal's input decoder and, like one, a
// pure function: it keeps no state, does no I/O and may be used from any
// goroutine.
//
// Facts come from the kitty keyboard protocol
// (https://sw.kovidgoyal.net/kitty/keyboard-protocol/), from xterm's ctlseqs and
// its modified-keys tables, and from DEC STD 070 for the keypad.
package input

import (
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes/vt"
)

// Focus reports, sent under mode 1004 (ctlseqs, "FocusIn/FocusOut").
const (
	focusIn  = "\x1b[I"
	focusOut = "\x1b[O"
)

// Encode gives the bytes for ev under the modes m; nil: the program has no use
// for this event. The coordinates of a mouse event count from the pane's own
// upper left cell, from 0.
//
// Decoding the answer (uv.EventDecoder) gives ev again wherever the dialect can
// say it: a legacy program cannot tell ctrl+i from tab.
func Encode(ev uv.Event, m vt.Modes) []byte {
	switch ev := ev.(type) {
	case uv.KeyPressEvent:
		return key(uv.Key(ev), false, m)
	case uv.KeyReleaseEvent:
		return key(uv.Key(ev), true, m)
	case uv.MouseEvent:
		return mouse(ev, m)
	case uv.FocusEvent:
		return Focus(true, m)
	case uv.BlurEvent:
		return Focus(false, m)
	case uv.PasteEvent:
		return Paste([]byte(ev.Content), m)
	case uv.PasteStartEvent:
		return PasteStart(m)
	case uv.PasteEndEvent:
		return PasteEnd(m)
	}
	return nil
}

// Focus is what a program is told that gets the focus or loses it; nil: it did not
// ask.
func Focus(has bool, m vt.Modes) []byte {
	switch {
	case !m.FocusEvents:
		return nil
	case has:
		return []byte(focusIn)
	}
	return []byte(focusOut)
}

// knownMods are the modifiers that any dialect can say. Decoders make others up
// from broken parameters.
const knownMods = typing | beyond | locks

const (
	typing = uv.ModShift | uv.ModAlt | uv.ModCtrl
	// beyond has no form in legacy text keys.
	beyond = uv.ModSuper | uv.ModHyper | uv.ModMeta
	locks  = uv.ModCapsLock | uv.ModNumLock
)

func key(k uv.Key, release bool, m vt.Modes) []byte {
	if k.Mod < 0 {
		k.Mod = 0
	}
	k.Mod &= knownMods
	if m.Kitty != 0 {
		return kitty(k, release, m)
	}
	if release {
		return nil
	}
	return legacy(k, m)
}
