package input_test

import (
	"fmt"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes/input"
	"reprise/panes/vt"
)

// decode is what an outer terminal's bytes mean; they must be one event.
func decode(t *testing.T, s string) uv.Event {
	t.Helper()
	var d uv.EventDecoder
	n, ev := d.Decode([]byte(s))
	if n != len(s) {
		t.Fatalf("decode %q: took %d of %d bytes", s, n, len(s))
	}
	if many, ok := ev.(uv.MultiEvent); ok { // CSI 1;nR may be a key or a report
		ev = many[0]
	}
	return ev
}

func legacySequences() []string {
	var seqs []string
	for b := range rune(0x20) {
		seqs = append(seqs, string(b), "\x1b"+string(b))
	}
	for b := rune(0x20); b < 0x7f; b++ {
		seqs = append(seqs, string(b))
		if !strings.ContainsRune("[OP]_^X", b) { // those begin longer sequences
			seqs = append(seqs, "\x1b"+string(b))
		}
	}
	seqs = append(seqs, "\x7f", "\x1b\x7f", "é", "你", "👨\u200d👩\u200d👧", "\x1bé", "\x1b[Z")
	for _, l := range "ABCDEFHPQRS" {
		if l < 'P' {
			seqs = append(seqs, "\x1b["+string(l))
		} else {
			seqs = append(seqs, "\x1bO"+string(l))
		}
		for m := 2; m <= 8; m++ {
			seqs = append(seqs, fmt.Sprintf("\x1b[1;%d%c", m, l))
		}
	}
	for _, n := range []int{2, 3, 5, 6, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34} {
		seqs = append(seqs, fmt.Sprintf("\x1b[%d~", n))
		for m := 2; m <= 8; m++ {
			seqs = append(seqs, fmt.Sprintf("\x1b[%d;%d~", n, m))
		}
	}
	return seqs
}

func TestLegacyBytesComeBack(t *testing.T) {
	for _, s := range legacySequences() {
		if got := string(input.Encode(decode(t, s), vt.Modes{})); got != s {
			t.Errorf("%q came back as %q", s, got)
		}
	}
}

func TestModesBytesComeBack(t *testing.T) {
	for _, c := range []struct {
		name string
		m    vt.Modes
		seqs []string
	}{
		{"application cursor", vt.Modes{AppCursor: true}, []string{
			"\x1bOA", "\x1bOB", "\x1bOC", "\x1bOD", "\x1bOH", "\x1bOF", "\x1bOE", "\x1bOP", "\x1b[1;5A", "\x1b[3~",
		}},
		{"application keypad", vt.Modes{AppKeypad: true}, []string{
			"\x1bOM", "\x1bOX", "\x1bOj", "\x1bOk", "\x1bOl", "\x1bOm", "\x1bOn", "\x1bOo",
			"\x1bOp", "\x1bOq", "\x1bOr", "\x1bOs", "\x1bOt", "\x1bOu", "\x1bOv", "\x1bOw", "\x1bOx", "\x1bOy",
		}},
		{"modifyOtherKeys 1", vt.Modes{ModifyOtherKeys: 1}, []string{
			"\x1b[27;2;13~", "\x1b[27;5;13~", "\x1b[27;6;9~", "\x1b[27;5;9~", "\x1b[27;5;49~", "\x1b[27;7;59~",
			"\x1b[27;6;65~", "\x03", "\x1bx", "\x1b[Z", "\x1b\r", "\x00", "\x1f", "A", "\x7f", "\x1b\x7f",
		}},
		{"modifyOtherKeys 2", vt.Modes{ModifyOtherKeys: 2}, []string{
			"\x1b[27;2;13~", "\x1b[27;3;13~", "\x1b[27;5;9~", "\x1b[27;5;99~", "\x1b[27;3;120~", "\x1b[27;5;27~",
			"\x1b[27;6;65~", "\x1b[27;3;127~", "\x1b[27;2;127~", "\x1b[27;5;32~", "A", "!", "\x1b[Z", "\r",
		}},
		{"kitty 1", vt.Modes{Kitty: 1}, []string{
			"\x1b[13;2u", "\x1b[13;5u", "\x1b[27u", "\x1b[105;5u", "\x1b[109;5u", "\x1b[97;6u", "\x1b[120;3u",
			"\x1b[107;9u", "\x1b[57376u", "\x1b[57428u", "\x1b[9;5u", "\x1b[127;5u", "\x1b[32;5u", "\x1b[1;5A",
			"\x1b[3;5~", "\x1b[13;5~", "\x1b[13~", "\x1b[P", "\x1b[A", "\x1b[H", "\r", "\t", "\x7f", "a", "A", "é",
			"\x1b[57414u", "\x1b[57417u", "\x1b[57363u", "\x1b[E", "\x1b[1;129A", "\x1b[49;4u",
		}},
		{"kitty 1 with application cursor", vt.Modes{Kitty: 1, AppCursor: true}, []string{"\x1b[A", "\x1b[F"}},
		{"kitty 1+2", vt.Modes{Kitty: 3}, []string{
			"\x1b[97;1:3u", "\x1b[1;1:3A", "\x1b[1;5:2A", "\x1b[3;1:3~", "\x1b[97;5:3u", "\x1b[27;1:3u", "\x1b[57376;2:2u",
		}},
		{"kitty 1+8", vt.Modes{Kitty: 9}, []string{
			"\x1b[97u", "\x1b[97;2u", "\x1b[13u", "\x1b[9u", "\x1b[127u", "\x1b[57442;5u", "\x1b[97;65u", "\x1b[32u",
			"\x1b[97;133u", "\x1b[57358u", "\x1b[57399u",
		}},
		{"kitty 1+2+8", vt.Modes{Kitty: 11}, []string{"\x1b[13;1:3u", "\x1b[9;1:2u", "\x1b[57441;2:3u"}},
		{"kitty 1+4+8", vt.Modes{Kitty: 13}, []string{"\x1b[97:65;2u"}},
		{"kitty 1+8+16", vt.Modes{Kitty: 25}, []string{"\x1b[97;;97u", "\x1b[97;2;65u", "\x1b[97;;229u", "\x1b[97;5u"}},
	} {
		for _, s := range c.seqs {
			if got := string(input.Encode(decode(t, s), c.m)); got != s {
				t.Errorf("%s: %q came back as %q", c.name, s, got)
			}
		}
	}
}

// Keys as no terminal says them, but a decoder may.
func TestOddKeys(t *testing.T) {
	for _, c := range []struct {
		ev   uv.Event
		m    vt.Modes
		want string
	}{
		{uv.KeyPressEvent{Code: 'a', Text: "a\x07b"}, vt.Modes{Kitty: 25}, "\x1b[97;;97:98u"},
		{uv.KeyPressEvent{Code: 'É', Text: "É", Mod: uv.ModCapsLock}, vt.Modes{Kitty: 9}, "\x1b[233;65u"},
		{uv.KeyPressEvent{Code: uv.KeyExtended, Text: strings.Repeat("ab\r", 100)}, vt.Modes{Kitty: 31}, strings.Repeat("ab\r", 100)},
		{uv.KeyPressEvent{Code: uv.KeyUp, Mod: -1}, vt.Modes{}, "\x1b[A"},
		{uv.KeyPressEvent{Code: uv.KeyUp, Mod: uv.ModScrollLock}, vt.Modes{Kitty: 1}, "\x1b[A"},
		{uv.KeyPressEvent{Code: -5}, vt.Modes{}, ""},
		{uv.KeyPressEvent{Code: -5}, vt.Modes{Kitty: 31}, ""},
		{uv.KeyPressEvent{Code: uv.KeyF40}, vt.Modes{}, ""},
		{uv.KeyPressEvent{Code: uv.KeyF40}, vt.Modes{Kitty: 31}, ""},
		{uv.KeyPressEvent{}, vt.Modes{Kitty: 31}, ""},
		{nil, vt.Modes{}, ""},
	} {
		if got := string(input.Encode(c.ev, c.m)); got != c.want {
			t.Errorf("%#v under %+v: got %q, want %q", c.ev, c.m, got, c.want)
		}
	}
}

// The outer terminal speaks one dialect, the program another.
func TestTranslation(t *testing.T) {
	for _, c := range []struct {
		in   string
		m    vt.Modes
		want string
	}{
		{"\x1b[13;2u", vt.Modes{}, "\r"},
		{"\x1b[13;5u", vt.Modes{}, "\r"},
		{"\x1b[27u", vt.Modes{}, "\x1b"},
		{"\x1b[27;3u", vt.Modes{}, "\x1b\x1b"},
		{"\x1b[105;5u", vt.Modes{}, "\t"},
		{"\x1b[9;5u", vt.Modes{}, "\t"},
		{"\x1b[9;4u", vt.Modes{}, "\x1b\x1b[Z"},
		{"\x1b[127;5u", vt.Modes{}, "\b"},
		{"\r", vt.Modes{NewLine: true}, "\r\n"},
		{"\x1b[13;5u", vt.Modes{NewLine: true}, "\r\n"},
		{"\x7f", vt.Modes{BackspaceBS: true}, "\b"},
		{"\x1b[127;5u", vt.Modes{BackspaceBS: true}, "\x7f"},
		{"\x1b[97;6u", vt.Modes{}, "\x01"},
		{"\x1b[120;3u", vt.Modes{}, "\x1bx"},
		{"\x1b[120;4u", vt.Modes{}, "\x1bX"},
		{"\x1b[46;4u", vt.Modes{}, "\x1b>"},
		{"\x1b[49;4u", vt.Modes{}, "\x1b!"},
		{"\x1b[45;6u", vt.Modes{}, "\x1f"},
		{"\x1b[99;5u", vt.Modes{}, "\x03"},
		{"\x1b[99;7u", vt.Modes{}, "\x1b\x03"},
		{"\x1b[32;5u", vt.Modes{}, "\x00"},
		{"\x1b[49;5u", vt.Modes{}, "1"},
		{"\x1b[1089;5u", vt.Modes{}, ""},
		{"\x1b[1089::99;5u", vt.Modes{}, "\x03"},
		{"\x1b[97;1:3u", vt.Modes{}, ""},
		{"\x1b[57399u", vt.Modes{}, "0"},
		{"\x1b[57399u", vt.Modes{AppKeypad: true}, "0"},
		{"\x1b[57414u", vt.Modes{AppKeypad: true}, "\x1bOM"},
		{"\x1b[57414u", vt.Modes{}, "\r"},
		{"\x1b[57414;3u", vt.Modes{}, "\x1b\r"},
		{"\x1b[57417u", vt.Modes{}, "\x1b[D"},
		{"\x1b[57417;5u", vt.Modes{}, "\x1b[1;5D"},
		{"\x1b[57442;5u", vt.Modes{}, ""},
		{"\x1b[57428u", vt.Modes{}, ""},
		{"\x1b[107;9u", vt.Modes{}, ""},
		{"\x1b[107;33u", vt.Modes{}, "\x1bk"},
		{"\x1b[1;129A", vt.Modes{}, "\x1b[A"},
		{"\x1b[1;129A", vt.Modes{AppCursor: true}, "\x1bOA"},
		{"\x1b[13;2u", vt.Modes{ModifyOtherKeys: 2}, "\x1b[27;2;13~"},
		{"\x1b[105;5u", vt.Modes{ModifyOtherKeys: 2}, "\x1b[27;5;105~"},
		{"\x1b[32;2u", vt.Modes{ModifyOtherKeys: 2}, " "},
		{"\x1b[127;5u", vt.Modes{ModifyOtherKeys: 2}, "\b"},
		{"\x1b[97;8u", vt.Modes{ModifyOtherKeys: 1}, "\x1b\x01"},
		{"\x1b[13;129u", vt.Modes{Kitty: 1}, "\r"},
		{"\x1b[97;6u", vt.Modes{ModifyOtherKeys: 1}, "\x1b[27;6;65~"},
		{"\x1b[97;7u", vt.Modes{ModifyOtherKeys: 1}, "\x1b\x01"},
		{"\x1b[105;5u", vt.Modes{ModifyOtherKeys: 1}, "\t"},
		{"\x1b[27;2;13~", vt.Modes{Kitty: 1}, "\x1b[13;2u"},
		{"\x1b[27;6;65~", vt.Modes{Kitty: 1}, "\x1b[97;6u"},
		{"\x1b[27;5;105~", vt.Modes{Kitty: 1}, "\x1b[105;5u"},
		{"\x01", vt.Modes{Kitty: 1}, "\x1b[97;5u"},
		{"\x1bx", vt.Modes{Kitty: 1}, "\x1b[120;3u"},
		{"\x1bX", vt.Modes{Kitty: 1}, "\x1b[120;4u"},
		{"\x1bX", vt.Modes{Kitty: 5}, "\x1b[120:88;4u"},
		{"\x1b", vt.Modes{Kitty: 1}, "\x1b[27u"},
		{"\x1b", vt.Modes{Kitty: 2}, "\x1b"},
		{"\x03", vt.Modes{Kitty: 2}, "\x03"},
		{"\x1b[99;5:3u", vt.Modes{Kitty: 2}, "\x1b[99;5:3u"},
		{"\x1b[57417u", vt.Modes{Kitty: 2}, "\x1b[D"},
		{"\x03", vt.Modes{Kitty: 16}, "\x03"},
		{"\x1b[Z", vt.Modes{Kitty: 1}, "\x1b[9;2u"},
		{"\x00", vt.Modes{Kitty: 1}, "\x1b[32;5u"},
		{"\x1c", vt.Modes{Kitty: 1}, "\x1b[92;5u"},
		{"\b", vt.Modes{Kitty: 1}, "\x1b[104;5u"},
		{"\x7f", vt.Modes{Kitty: 1}, "\x7f"},
		{"\x1bOR", vt.Modes{Kitty: 1}, "\x1b[13~"},
		{"\x1bOA", vt.Modes{Kitty: 1}, "\x1b[A"},
		{"A", vt.Modes{Kitty: 9}, "\x1b[97;2u"},
		{"É", vt.Modes{Kitty: 9}, "\x1b[233;2u"},
		{"É", vt.Modes{Kitty: 25}, "\x1b[233;2;201u"},
		{"\x1b[97;133u", vt.Modes{Kitty: 1}, "\x1b[97;5u"},
		{"\x1b[13;1:3u", vt.Modes{Kitty: 3}, ""},
		{"\x1b[97;1:2u", vt.Modes{Kitty: 3}, "a"},
		{"\x1b[1;1:2A", vt.Modes{Kitty: 1}, "\x1b[A"},
		{"\x1b[57441u", vt.Modes{Kitty: 1}, ""},
		{"👨\u200d👩\u200d👧", vt.Modes{Kitty: 9}, "👨\u200d👩\u200d👧"},
		{"👨\u200d👩\u200d👧", vt.Modes{Kitty: 25}, "\x1b[0;;128104:8205:128105:8205:128103u"},
		{"\x1b[I", vt.Modes{}, ""},
		{"\x1b[I", vt.Modes{FocusEvents: true}, "\x1b[I"},
		{"\x1b[O", vt.Modes{FocusEvents: true}, "\x1b[O"},
		{"\x1b[?1;2c", vt.Modes{}, ""}, // a reply is not a person's doing
	} {
		if got := string(input.Encode(decode(t, c.in), c.m)); got != c.want {
			t.Errorf("%q under %+v: got %q, want %q", c.in, c.m, got, c.want)
		}
	}
}
