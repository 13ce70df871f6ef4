package input_test

import (
	"bytes"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes/input"
	"reprise/panes/vt"
)

const (
	start = "\x1b[200~"
	end   = "\x1b[201~"
)

func TestPaste(t *testing.T) {
	marked := vt.Modes{BracketedPaste: true}
	for _, c := range []struct {
		in   string
		m    vt.Modes
		want string
	}{
		{"ls\n", marked, start + "ls\n" + end},
		{"a\r\nb\nc\rd", vt.Modes{}, "a\rb\rc\rd"},
		{"", marked, start + end},
		{"", vt.Modes{}, ""},
		{"a" + end + "rm\r", marked, start + "a\u241b[201~rm\r" + end},
		{"a\u009b201~rm\r", marked, start + "a\u241b[201~rm\r" + end},
		{"\x1b" + end + "x", marked, start + "\x1b\u241b[201~x" + end},
		{"\x1b[20" + end + "1~x", marked, start + "\x1b[20\u241b[201~1~x" + end},
		{"⛛201~", marked, start + "⛛201~" + end},
		{"\x1b[31mred", marked, start + "\x1b[31mred" + end},
	} {
		got := input.Paste([]byte(c.in), c.m)
		if string(got) != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
		if n := bytes.Count(got, []byte(end)); c.m.BracketedPaste && (n != 1 || !bytes.HasSuffix(got, []byte(end))) {
			t.Errorf("%q: %d end marks in %q", c.in, n, got)
		}
		if ev := string(input.Encode(uv.PasteEvent{Content: c.in}, c.m)); ev != c.want {
			t.Errorf("as an event, %q: got %q, want %q", c.in, ev, c.want)
		}
	}
}

func TestPasteLeavesItsInputAlone(t *testing.T) {
	in := []byte("a\nb" + end)
	for _, m := range []vt.Modes{{}, {BracketedPaste: true}} {
		input.Paste(in, m)
		if string(in) != "a\nb"+end {
			t.Fatalf("under %+v the input became %q", m, in)
		}
	}
}

func TestPasteInPieces(t *testing.T) {
	text := strings.Repeat("word\n", 20000)
	for _, m := range []vt.Modes{{}, {BracketedPaste: true}} {
		got := append([]byte(nil), input.Encode(uv.PasteStartEvent{}, m)...)
		for rest := []byte(text); len(rest) > 0; {
			n := min(len(rest), 32<<10)
			got = append(got, input.PastePiece(rest[:n], m)...)
			rest = rest[n:]
		}
		got = append(got, input.Encode(uv.PasteEndEvent{}, m)...)
		if want := input.Paste([]byte(text), m); !bytes.Equal(got, want) {
			t.Errorf("%+v: pieces and whole differ: %d and %d bytes", m, len(got), len(want))
		}
	}
}
