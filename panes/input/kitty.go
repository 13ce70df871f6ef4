package input

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes/vt"
)

// Progressive enhancements (kitty keyboard protocol, "Progressive enhancement").
const (
	disambiguate = 1 << iota
	eventTypes
	alternateKeys
	allKeys
	associatedText
)

// maxText bounds the text of one CSI u; longer text did not come from a key.
const maxText = 16

func kitty(k uv.Key, release bool, m vt.Modes) []byte {
	flags := m.Kitty
	all := flags&allKeys != 0
	if flags&(disambiguate|eventTypes|allKeys) == 0 { // the others only add to these
		if release {
			return nil
		}
		return legacy(k, m)
	}
	if release && flags&eventTypes == 0 || modifierKey(k.Code) && !all {
		return nil
	}
	if flags&(disambiguate|allKeys) == 0 {
		if plain, ok := keypadNavigation[k.Code]; ok {
			k.Code = plain
		}
	}
	types := k.Text != "" && k.Mod&(uv.ModAlt|uv.ModCtrl|beyond) == 0
	if types && !all && !release {
		return []byte(k.Text)
	}
	event := ""
	if flags&eventTypes != 0 {
		switch {
		case release:
			event = ":3"
		case k.IsRepeat:
			event = ":2"
		}
	}
	if f, ok := kittyFunction(k.Code); ok {
		return f.csi(modifierField(k.Mod, event))
	}
	if !all {
		switch k.Code {
		case uv.KeyEnter, uv.KeyTab, uv.KeyBackspace:
			// They stay plain so that a shell can be used after a program died
			// without resetting the protocol.
			if release {
				return nil
			}
			if k.Mod&^locks == 0 {
				return legacy(k, m)
			}
		}
		if flags&disambiguate == 0 && event == "" {
			return legacy(k, m)
		}
	}
	return kittyText(k, flags, event, types && !release)
}

// kittyFunction is the key's form if it is not CSI u. Keys from F13 on have
// numbers of their own.
func kittyFunction(code rune) (function, bool) {
	if code == uv.KeyF3 {
		return kittyF3, true
	}
	if code == uv.KeyKpBegin {
		code = uv.KeyBegin
	}
	f, ok := functions[code]
	return f, ok && (code < uv.KeyF13 || code > uv.KeyF20)
}

func modifierField(mod uv.KeyMod, event string) string {
	n := modifiers(mod)
	if n == 1 && event == "" {
		return ""
	}
	return strconv.Itoa(n) + event
}

// kittyText is CSI number : shifted : base ; modifiers : event ; text u.
func kittyText(k uv.Key, flags uint8, event string, types bool) []byte {
	number, named := kittyNumbers[k.Code]
	if !named {
		if k.Code == uv.KeyExtended {
			return composed(k.Text, flags, types)
		}
		if k.Code <= 0 || k.Code > uv.KeyExtended {
			return nil
		}
		k = unshift(k)
		number = int(k.Code)
		if flags&allKeys == 0 {
			k.Mod &^= locks // "not reported for text producing keys"
		}
	}
	b := append(make([]byte, 0, 32), 0x1b, '[')
	b = strconv.AppendInt(b, int64(number), 10)
	if flags&alternateKeys != 0 && !named {
		b = alternates(b, k)
	}
	field := modifierField(k.Mod, event)
	text := ""
	if types && flags&allKeys != 0 && flags&associatedText != 0 {
		text = k.Text
	}
	if field != "" || text != "" {
		b = append(append(b, ';'), field...)
	}
	b = appendText(b, text)
	return append(b, 'u')
}

// composed is text that no single key typed, from an input method say.
func composed(text string, flags uint8, types bool) []byte {
	if text == "" || !types {
		return nil
	}
	if flags&allKeys == 0 || flags&associatedText == 0 || utf8.RuneCountInString(text) > maxText {
		return []byte(text)
	}
	return append(appendText([]byte("\x1b[0;"), text), 'u')
}

func appendText(b []byte, text string) []byte {
	sep := byte(';')
	for _, r := range text {
		if unicode.IsControl(r) { // the protocol forbids them here
			continue
		}
		b = strconv.AppendInt(append(b, sep), int64(r), 10)
		sep = ':'
	}
	return b
}

func alternates(b []byte, k uv.Key) []byte {
	typed := shifted(k, k.Mod)
	shift := typed != k.Code
	base := k.BaseCode > 0 && k.BaseCode != k.Code
	if shift || base {
		b = append(b, ':')
	}
	if shift {
		b = strconv.AppendInt(b, int64(typed), 10)
	}
	if base {
		b = strconv.AppendInt(append(b, ':'), int64(k.BaseCode), 10)
	}
	return b
}

// unshift names a key by what it types without shift, as the protocol wants;
// decoders of other dialects know only what it typed.
func unshift(k uv.Key) uv.Key {
	if !unicode.IsUpper(k.Code) {
		return k
	}
	if k.ShiftedCode == 0 {
		k.ShiftedCode = k.Code
	}
	k.Code = unicode.ToLower(k.Code)
	if k.Mod&uv.ModCapsLock == 0 {
		k.Mod |= uv.ModShift
	}
	return k
}
