package input

import (
	"strconv"

	uv "github.com/charmbracelet/ultraviolet"
)

// function is a key with a CSI form: CSI number ; modifiers final. A number of 1
// is left out when no modifiers follow, and may then become SS3 final.
type function struct {
	number int
	final  byte
}

// functions are the forms of xterm and, but for F3, of kitty ("Functional key
// definitions").
var functions = map[rune]function{
	uv.KeyUp: {1, 'A'}, uv.KeyDown: {1, 'B'}, uv.KeyRight: {1, 'C'}, uv.KeyLeft: {1, 'D'},
	uv.KeyBegin: {1, 'E'}, uv.KeyEnd: {1, 'F'}, uv.KeyHome: {1, 'H'},
	uv.KeyF1: {1, 'P'}, uv.KeyF2: {1, 'Q'}, uv.KeyF3: {1, 'R'}, uv.KeyF4: {1, 'S'},
	uv.KeyFind: {1, '~'}, uv.KeyInsert: {2, '~'}, uv.KeyDelete: {3, '~'}, uv.KeySelect: {4, '~'},
	uv.KeyPgUp: {5, '~'}, uv.KeyPgDown: {6, '~'},
	uv.KeyF5: {15, '~'}, uv.KeyF6: {17, '~'}, uv.KeyF7: {18, '~'}, uv.KeyF8: {19, '~'},
	uv.KeyF9: {20, '~'}, uv.KeyF10: {21, '~'}, uv.KeyF11: {23, '~'}, uv.KeyF12: {24, '~'},
	uv.KeyF13: {25, '~'}, uv.KeyF14: {26, '~'}, uv.KeyF15: {28, '~'}, uv.KeyF16: {29, '~'},
	uv.KeyF17: {31, '~'}, uv.KeyF18: {32, '~'}, uv.KeyF19: {33, '~'}, uv.KeyF20: {34, '~'},
}

// kittyF3 replaces CSI R, which would be a cursor position report.
var kittyF3 = function{13, '~'}

// cursorKey reports whether DECCKM changes the key's form.
func (f function) cursorKey() bool { return f.final >= 'A' && f.final <= 'H' }

// pfKey reports whether the key is one of the VT100's PF1 to PF4, whose form
// without modifiers is always SS3.
func (f function) pfKey() bool { return f.final >= 'P' && f.final <= 'S' }

// csi is the key's CSI form; field is "" or the modifier field.
func (f function) csi(field string) []byte {
	b := append(make([]byte, 0, 16), 0x1b, '[')
	if f.number != 1 || field != "" || f.final == '~' {
		b = strconv.AppendInt(b, int64(f.number), 10)
	}
	if field != "" {
		b = append(append(b, ';'), field...)
	}
	return append(b, f.final)
}

func ss3(final byte) []byte { return []byte{0x1b, 'O', final} }

// keypadKey is what a key of the numeric keypad types and the final byte of its
// SS3 form under DECKPAM.
type keypadKey struct{ char, application byte }

var keypad = map[rune]keypadKey{
	uv.KeyKp0: {'0', 'p'}, uv.KeyKp1: {'1', 'q'}, uv.KeyKp2: {'2', 'r'}, uv.KeyKp3: {'3', 's'},
	uv.KeyKp4: {'4', 't'}, uv.KeyKp5: {'5', 'u'}, uv.KeyKp6: {'6', 'v'}, uv.KeyKp7: {'7', 'w'},
	uv.KeyKp8: {'8', 'x'}, uv.KeyKp9: {'9', 'y'},
	uv.KeyKpEnter: {'\r', 'M'}, uv.KeyKpEqual: {'=', 'X'}, uv.KeyKpMultiply: {'*', 'j'},
	uv.KeyKpPlus: {'+', 'k'}, uv.KeyKpComma: {',', 'l'}, uv.KeyKpMinus: {'-', 'm'},
	uv.KeyKpDecimal: {'.', 'n'}, uv.KeyKpDivide: {'/', 'o'}, uv.KeyKpSep: {',', 'l'},
}

// keypadNavigation are the keypad's keys without num lock. Only kitty tells them
// from the plain ones.
var keypadNavigation = map[rune]rune{
	uv.KeyKpUp: uv.KeyUp, uv.KeyKpDown: uv.KeyDown, uv.KeyKpLeft: uv.KeyLeft, uv.KeyKpRight: uv.KeyRight,
	uv.KeyKpPgUp: uv.KeyPgUp, uv.KeyKpPgDown: uv.KeyPgDown, uv.KeyKpHome: uv.KeyHome, uv.KeyKpEnd: uv.KeyEnd,
	uv.KeyKpInsert: uv.KeyInsert, uv.KeyKpDelete: uv.KeyDelete, uv.KeyKpBegin: uv.KeyBegin,
}

// kittyNumbers are the keys that kitty numbers itself, in the order of its table.
var kittyNumbers = numberKeys()

func numberKeys() map[rune]int {
	n := map[rune]int{
		uv.KeyEscape: 27, uv.KeyEnter: 13, uv.KeyTab: 9, uv.KeyBackspace: 127,
		// Kitty has no number for the key that its keypad shares with the comma
		// of other keyboards.
		uv.KeyKpComma: 57416,
	}
	series := func(first int, keys ...rune) {
		for i, k := range keys {
			n[k] = first + i
		}
	}
	series(57358, uv.KeyCapsLock, uv.KeyScrollLock, uv.KeyNumLock, uv.KeyPrintScreen, uv.KeyPause, uv.KeyMenu)
	for f := uv.KeyF13; f <= uv.KeyF35; f++ {
		n[f] = 57376 + int(f-uv.KeyF13)
	}
	series(57399, uv.KeyKp0, uv.KeyKp1, uv.KeyKp2, uv.KeyKp3, uv.KeyKp4, uv.KeyKp5, uv.KeyKp6, uv.KeyKp7,
		uv.KeyKp8, uv.KeyKp9, uv.KeyKpDecimal, uv.KeyKpDivide, uv.KeyKpMultiply, uv.KeyKpMinus, uv.KeyKpPlus,
		uv.KeyKpEnter, uv.KeyKpEqual, uv.KeyKpSep, uv.KeyKpLeft, uv.KeyKpRight, uv.KeyKpUp, uv.KeyKpDown,
		uv.KeyKpPgUp, uv.KeyKpPgDown, uv.KeyKpHome, uv.KeyKpEnd, uv.KeyKpInsert, uv.KeyKpDelete, uv.KeyKpBegin)
	series(57428, uv.KeyMediaPlay, uv.KeyMediaPause, uv.KeyMediaPlayPause, uv.KeyMediaReverse, uv.KeyMediaStop,
		uv.KeyMediaFastForward, uv.KeyMediaRewind, uv.KeyMediaNext, uv.KeyMediaPrev, uv.KeyMediaRecord,
		uv.KeyLowerVol, uv.KeyRaiseVol, uv.KeyMute)
	series(57441, uv.KeyLeftShift, uv.KeyLeftCtrl, uv.KeyLeftAlt, uv.KeyLeftSuper, uv.KeyLeftHyper,
		uv.KeyLeftMeta, uv.KeyRightShift, uv.KeyRightCtrl, uv.KeyRightAlt, uv.KeyRightSuper, uv.KeyRightHyper,
		uv.KeyRightMeta, uv.KeyIsoLevel3Shift, uv.KeyIsoLevel5Shift)
	return n
}

// modifierKey reports whether the key is a modifier or a lock: those are sent
// only to programs that asked for all keys.
func modifierKey(code rune) bool {
	return code >= uv.KeyLeftShift && code <= uv.KeyIsoLevel5Shift ||
		code >= uv.KeyCapsLock && code <= uv.KeyNumLock
}

// controls are the keys whose control character is not the usual masking of a
// letter. The digits are those of the VT220's keyboard, which xterm and kitty
// keep.
var controls = map[rune]byte{
	' ': 0x00, '2': 0x00, '@': 0x00, '`': 0x00,
	'3': 0x1b, '[': 0x1b, '{': 0x1b,
	'4': 0x1c, '\\': 0x1c, '|': 0x1c,
	'5': 0x1d, ']': 0x1d, '}': 0x1d,
	'6': 0x1e, '^': 0x1e, '~': 0x1e,
	'7': 0x1f, '_': 0x1f, '/': 0x1f, '-': 0x1f,
	'8': 0x7f, '?': 0x7f,
}

// control is the control character that ctrl and the key make.
func control(code rune) (byte, bool) {
	if code >= 'a' && code <= 'z' || code >= 'A' && code <= 'Z' {
		return byte(code) & 0x1f, true
	}
	b, ok := controls[code]
	return b, ok
}

// usShifted is what shift makes of the keys of a US keyboard. It stands in where
// the outer terminal names the key and not what it types (kitty without
// alternate keys): alt+shift+. must reach a program as alt+>.
var usShifted = map[rune]rune{
	'1': '!', '2': '@', '3': '#', '4': '$', '5': '%', '6': '^', '7': '&', '8': '*', '9': '(', '0': ')',
	'-': '_', '=': '+', '[': '{', ']': '}', '\\': '|', ';': ':', '\'': '"', '`': '~', ',': '<', '.': '>', '/': '?',
}
