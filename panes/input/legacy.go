package input

import (
	"strconv"
	"unicode"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes/vt"
)

// modifiers is the number that CSI forms carry: 1 and a bit for each modifier,
// as kitty numbers them. Shift, alt and ctrl are xterm's too.
func modifiers(mod uv.KeyMod) int {
	n := 1
	for i, bit := range [...]uv.KeyMod{
		uv.ModShift, uv.ModAlt, uv.ModCtrl, uv.ModSuper, uv.ModHyper, uv.ModMeta, uv.ModCapsLock, uv.ModNumLock,
	} {
		if mod&bit != 0 {
			n += 1 << i
		}
	}
	return n
}

// legacy is the encoding of a terminal without the kitty protocol, with xterm's
// modifyOtherKeys where the program set it.
func legacy(k uv.Key, m vt.Modes) []byte {
	code := k.Code
	if plain, ok := keypadNavigation[code]; ok {
		code = plain
	}
	mod := k.Mod &^ locks
	if f, ok := functions[code]; ok {
		return legacyFunction(f, mod, m)
	}
	if mod&(uv.ModSuper|uv.ModHyper) != 0 {
		return nil // not a key of this dialect, and not to be taken for another
	}
	if mod&uv.ModMeta != 0 { // what xterm's metaSendsEscape makes of meta
		mod = mod&^uv.ModMeta | uv.ModAlt
	}
	if pad, ok := keypad[code]; ok {
		// A keypad key with text was pressed under num lock and types, whatever
		// the keypad's mode.
		if m.AppKeypad && mod == 0 && k.Text == "" {
			return ss3(pad.application)
		}
		return alted(mod, string(rune(pad.char)))
	}
	if m.ModifyOtherKeys > 0 && otherKey(code, mod, m.ModifyOtherKeys) {
		return []byte("\x1b[27;" + strconv.Itoa(modifiers(mod)) + ";" + strconv.Itoa(int(shifted(k, mod))) + "~")
	}
	switch code {
	case uv.KeyEnter:
		if m.NewLine {
			return alted(mod, "\r\n")
		}
		return alted(mod, "\r")
	case uv.KeyTab:
		if mod&uv.ModShift != 0 {
			return alted(mod, "\x1b[Z")
		}
		return alted(mod, "\t")
	case uv.KeyEscape:
		return alted(mod, "\x1b")
	case uv.KeyBackspace:
		// DECBKM chooses the character, ctrl the other one.
		if m.BackspaceBS != (mod&uv.ModCtrl != 0) {
			return alted(mod, "\b")
		}
		return alted(mod, "\x7f")
	}
	return legacyText(k, mod)
}

func legacyFunction(f function, mod uv.KeyMod, m vt.Modes) []byte {
	switch {
	case mod != 0:
		return f.csi(strconv.Itoa(modifiers(mod)))
	case f.pfKey(), m.AppCursor && f.cursorKey():
		return ss3(f.final)
	}
	return f.csi("")
}

// legacyText encodes a key that types a character, or would without ctrl.
func legacyText(k uv.Key, mod uv.KeyMod) []byte {
	if mod&uv.ModCtrl != 0 {
		code := k.Code
		if code > unicode.MaxASCII && k.BaseCode != 0 {
			code = k.BaseCode // ctrl+c on a keyboard of another script
		}
		if b, ok := control(code); ok {
			return alted(mod, string(rune(b)))
		}
		if code > unicode.MaxASCII {
			return nil
		}
	}
	if k.Text != "" {
		return alted(mod, k.Text)
	}
	if k.Code <= 0 || k.Code >= uv.KeyExtended {
		return nil
	}
	return alted(mod, string(shifted(k, mod)))
}

// shifted is the character that k types, given that mod may hold shift.
func shifted(k uv.Key, mod uv.KeyMod) rune {
	if mod&uv.ModShift == 0 {
		return k.Code
	}
	if k.ShiftedCode > 0 && k.ShiftedCode < uv.KeyExtended {
		return k.ShiftedCode
	}
	if r, ok := usShifted[k.Code]; ok {
		return r
	}
	if k.Code < uv.KeyExtended {
		return unicode.ToUpper(k.Code)
	}
	return k.Code
}

// alted is s, behind an ESC if alt is held.
func alted(mod uv.KeyMod, s string) []byte {
	if mod&uv.ModAlt != 0 {
		return []byte("\x1b" + s)
	}
	return []byte(s)
}

// otherKey reports whether modifyOtherKeys at the given level sends the key as
// CSI 27 ; modifiers ; code ~ (xterm's ModifyOtherKeys and allowedCharModifiers).
// Keys that type with shift alone stay plain, as in tmux and foot: xterm itself
// escapes them at level 2, which takes capitals from programs that do not decode
// them.
func otherKey(code rune, mod uv.KeyMod, level uint8) bool {
	if mod == 0 || code <= 0 || code >= uv.KeyExtended {
		return false
	}
	alt, ctrl, shift := mod&uv.ModAlt != 0, mod&uv.ModCtrl != 0, mod&uv.ModShift != 0
	if level >= 2 {
		switch code {
		case uv.KeyTab:
			return mod != uv.ModShift // back tab has its own form
		case uv.KeyEnter:
			return true
		case uv.KeyBackspace:
			return mod != uv.ModCtrl
		}
		return alt || ctrl
	}
	switch code {
	case uv.KeyTab, uv.KeyEnter:
		return shift && (code != uv.KeyTab || mod != uv.ModShift) || mod == uv.ModCtrl
	case uv.KeyBackspace, uv.KeyEscape:
		return false
	}
	if code >= '@' && code <= '~' {
		return ctrl && shift && !alt
	}
	_, known := control(code)
	return ctrl && !known
}
