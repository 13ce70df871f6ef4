package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// keyNames are keys as people say them (look.md §10).
var keyNames = map[string]rune{
	"enter": uv.KeyEnter, "tab": uv.KeyTab, "esc": uv.KeyEscape, "space": uv.KeySpace, "backspace": uv.KeyBackspace,
	"up": uv.KeyUp, "down": uv.KeyDown, "left": uv.KeyLeft, "right": uv.KeyRight,
	"home": uv.KeyHome, "end": uv.KeyEnd, "pageup": uv.KeyPgUp, "pagedown": uv.KeyPgDown, "pgup": uv.KeyPgUp, "pgdown": uv.KeyPgDown,
	"insert": uv.KeyInsert, "delete": uv.KeyDelete,
	"f1": uv.KeyF1, "f2": uv.KeyF2, "f3": uv.KeyF3, "f4": uv.KeyF4, "f5": uv.KeyF5, "f6": uv.KeyF6,
	"f7": uv.KeyF7, "f8": uv.KeyF8, "f9": uv.KeyF9, "f10": uv.KeyF10, "f11": uv.KeyF11, "f12": uv.KeyF12,
}

var keyModifiers = []struct {
	name string
	mod  uv.KeyMod
}{{"ctrl", uv.ModCtrl}, {"alt", uv.ModAlt}, {"shift", uv.ModShift}, {"super", uv.ModSuper}}

// ParseKey reads a key's name: a character, or a name such as enter, f5 or left,
// each after modifiers and plus signs. The key is as a terminal reports it: a
// capital is its small letter with shift.
func ParseKey(name string) (k uv.KeyPressEvent, err error) {
	rest := name
modifiers:
	for {
		for _, m := range keyModifiers {
			if after, ok := strings.CutPrefix(rest, m.name+"+"); ok && after != "" {
				k.Mod |= m.mod
				rest = after
				continue modifiers
			}
		}
		break
	}
	if code, ok := keyNames[rest]; ok {
		k.Code = code
		return k, nil
	}
	r, n := utf8.DecodeRuneInString(rest)
	if n == 0 || n != len(rest) || r == utf8.RuneError || !unicode.IsGraphic(r) {
		var known []string
		for n := range keyNames {
			known = append(known, n)
		}
		slices.Sort(known)
		return k, fmt.Errorf("%q names no key: take a character or one of %s, with ctrl+, alt+, shift+ or super+ before it", name, strings.Join(known, ", "))
	}
	k.Code = r
	if low, up := unicode.ToLower(r), unicode.ToUpper(r); low != up && (r == up || k.Mod.Contains(uv.ModShift)) {
		k.Code, k.ShiftedCode, k.Mod = low, up, k.Mod|uv.ModShift
		r = up
	}
	if k.Mod&^uv.ModShift == 0 {
		k.Text = string(r)
	}
	return k, nil
}

// canonical is the one name by which bindings know a key that may be written in
// several ways; "": it names none.
func canonical(name string) string {
	k, err := ParseKey(name)
	if err != nil {
		return ""
	}
	return keyName(uv.Key(k))
}
