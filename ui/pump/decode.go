package pump

import (
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// linuxKeys are the function keys of the Linux console: ESC [ [ A to E.
var linuxKeys = map[byte]rune{'A': uv.KeyF1, 'B': uv.KeyF2, 'C': uv.KeyF3, 'D': uv.KeyF4, 'E': uv.KeyF5}

// decode emits what raw, one token, means.
func (p *Pump) decode(raw []byte) {
	if code, ok := linuxKey(raw); ok {
		p.emit(Event{Raw: raw, Ev: uv.KeyPressEvent{Code: code}})
		return
	}
	if string(raw) == "\ufffd" { // the decoder takes it for a broken byte
		p.emit(Event{Raw: raw, Ev: uv.KeyPressEvent{Code: '\ufffd', Text: "\ufffd"}})
		return
	}
	for len(raw) > 0 {
		n, ev := p.dec.Decode(raw)
		if n <= 0 || n > len(raw) {
			n = len(raw)
		}
		// The decoder may keep or hand out parts of what it is given.
		p.meaning(raw[:n:n], ev)
		raw = raw[n:]
	}
}

func linuxKey(raw []byte) (rune, bool) {
	if len(raw) != 4 || string(raw[:3]) != "\x1b[[" {
		return 0, false
	}
	code, ok := linuxKeys[raw[3]]
	return code, ok
}

func (p *Pump) meaning(raw []byte, ev uv.Event) {
	switch e := ev.(type) {
	case nil:
		ev = uv.UnknownEvent(raw)
	case uv.KeyPressEvent:
		e.Mod = modifiers(raw, e.Mod)
		ev = e
	case uv.KeyReleaseEvent:
		e.Mod = modifiers(raw, e.Mod)
		ev = e
	case uv.MultiEvent:
		p.several(raw, e)
		return
	}
	p.emit(Event{Raw: raw, Ev: ev})
}

// several resolves an event with more than one meaning, or emits its parts; the
// bytes go with the first.
func (p *Pump) several(raw []byte, evs uv.MultiEvent) {
	if len(evs) == 2 {
		if _, both := evs[1].(uv.CursorPositionEvent); both {
			p.meaning(raw, evs[0])
			return
		}
	}
	for _, ev := range evs {
		p.emit(Event{Raw: raw, Ev: ev})
		raw = nil
	}
}

// modifiers puts right what the decoder makes of the modifiers in CSI forms that
// end in a letter or a tilde: it reads their bits in its own order, kitty means
// super by the one that it calls meta. A broken number of 0 is all bits to it.
func modifiers(raw []byte, mod uv.KeyMod) uv.KeyMod {
	if mod < 0 {
		return 0
	}
	if len(raw) < 3 || raw[len(raw)-1] == 'u' || !strings.HasPrefix(string(raw), "\x1b[") ||
		strings.HasPrefix(string(raw), "\x1b[27;") { // xterm's own, whose bit is meta
		return mod
	}
	const swapped = uv.ModMeta | uv.ModSuper
	out := mod &^ swapped
	if mod&uv.ModMeta != 0 {
		out |= uv.ModSuper
	}
	if mod&uv.ModSuper != 0 {
		out |= uv.ModMeta
	}
	return out
}
