package input_test

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unicode"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/google/go-cmp/cmp"

	"reprise/panes/input"
	"reprise/panes/vt"
)

// With all of the kitty protocol's enhancements that the decoder reads, every key
// with every modifier comes back as it was.
func TestKittyKeysComeBack(t *testing.T) {
	special := []rune{uv.KeyEscape, uv.KeyEnter, uv.KeyTab, uv.KeyBackspace}
	for k := uv.KeyUp; k <= uv.KeyIsoLevel5Shift; k++ {
		switch {
		case k > uv.KeyF35 && k <= uv.KeyF63, // no terminal sends them
			k == uv.KeyFind, k == uv.KeySelect, // decoded as home and end
			k == uv.KeyKpBegin, k == uv.KeyKpComma: // share a form with begin and separator
			continue
		}
		special = append(special, k)
	}
	m := vt.Modes{Kitty: 1 | 2 | 8}
	for _, code := range special {
		for bits := range uv.KeyMod(8) {
			for _, ev := range []uv.Event{
				uv.KeyPressEvent{Code: code, Mod: bits},
				uv.KeyPressEvent{Code: code, Mod: bits, IsRepeat: true},
				uv.KeyReleaseEvent{Code: code, Mod: bits},
			} {
				checkKey(t, ev, m)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	all := uv.ModShift | uv.ModAlt | uv.ModCtrl | uv.ModSuper | uv.ModHyper | uv.ModMeta | uv.ModCapsLock | uv.ModNumLock
	for range 20000 {
		code := rune(r.IntN(0x3000))
		if !unicode.IsPrint(code) || unicode.IsUpper(code) || unicode.IsTitle(code) {
			continue
		}
		k := uv.Key{Code: code, Mod: uv.KeyMod(r.IntN(256)) & all}
		if r.IntN(4) == 0 {
			checkKey(t, uv.KeyReleaseEvent(k), m)
			continue
		}
		k.IsRepeat = r.IntN(4) == 0
		checkKey(t, uv.KeyPressEvent(k), m)
	}
}

// checkKey compares without what the decoder adds by itself: the text.
func checkKey(t *testing.T, ev uv.Event, m vt.Modes) {
	t.Helper()
	b := input.Encode(ev, m)
	got := decode(t, string(b))
	switch k := got.(type) {
	case uv.KeyPressEvent:
		k.Text = ""
		got = k
	case uv.KeyReleaseEvent:
		k.Text = ""
		got = k
	}
	if diff := cmp.Diff(ev, got); diff != "" {
		t.Errorf("%#v through %q (-sent +got):\n%s", ev, b, diff)
	}
}

// Whatever the decoder may hand over, the encoder answers with one complete
// token that is valid in the dialect, and answers the same twice.
func FuzzEncode(f *testing.F) {
	for _, s := range legacySequences() {
		f.Add([]byte(s), uint32(0))
	}
	for _, s := range []string{"\x1b[97;5:3u", "\x1b[<35;10;5M", "\x1b[M !!", "\x1b[1;0A", "\x1b[27;99;1114112~", "\x1b[1114112;999999u"} {
		f.Add([]byte(s), uint32(0xffffffff))
	}
	f.Fuzz(func(t *testing.T, b []byte, bits uint32) {
		m := vt.Modes{
			AppCursor: bits&1 != 0, AppKeypad: bits&2 != 0, BackspaceBS: bits&4 != 0, BracketedPaste: bits&8 != 0,
			FocusEvents: bits&16 != 0, AltScreen: bits&32 != 0, AltScroll: bits&64 != 0, MouseSGR: bits&128 != 0,
			Kitty: uint8(bits >> 8 & 31), ModifyOtherKeys: uint8(bits >> 13 & 3),
			Mouse: []uint16{0, 9, 1000, 1002, 1003}[bits>>16%5],
		}
		var d uv.EventDecoder
		_, ev := d.Decode(bytes.Clone(b))
		if k, ok := ev.(uv.KeyEvent); ok && len(k.Key().Text) > 1024 {
			t.Skip()
		}
		one, two := input.Encode(ev, m), input.Encode(ev, m)
		if !bytes.Equal(one, two) {
			t.Fatalf("%q gave %q and %q", b, one, two)
		}
		if limit := len(b) + 64; len(one) > 8*limit {
			t.Fatalf("%d bytes made %d", len(b), len(one))
		}
	})
}
