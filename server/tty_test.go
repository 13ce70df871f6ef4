package server_test

import (
	"strings"
	"testing"

	"reprise/server"
)

// A shell that prints while a terminal is put right comes between sequences, not
// into the middle of one.
func TestPieces(t *testing.T) {
	for name, s := range map[string]string{
		"the reset":         server.Reset,
		"twice":             server.Reset + server.Reset,
		"one long sequence": "\x1b]0;" + strings.Repeat("x", 200) + "\a\x1b[m",
		"text":              strings.Repeat("y", 200),
		"nothing":           "",
	} {
		t.Run(name, func(t *testing.T) {
			written, cut := "", 0
			for written != s {
				piece := server.FirstPiece(s[len(written):])
				if piece == "" || len(piece) > 64 || !strings.HasPrefix(s[len(written):], piece) {
					t.Fatalf("%q follows %q", piece, written)
				}
				if piece[0] != 0x1b {
					cut++
				}
				written += piece
			}
			if cut > 0 && strings.HasPrefix(s, server.Reset) {
				t.Errorf("%d sequences were cut", cut)
			}
		})
	}
}

// There are terminals whose screens have a scroll region and a pen each: both are put
// right, and the cursor stays.
func TestResetOfBothScreens(t *testing.T) {
	alt, main, _ := strings.Cut(server.Reset, "\x1b[?1049l")
	for screen, s := range map[string]string{"alternate": alt, "main": main} {
		if !strings.Contains(s, "\x1b7\x1b[r\x1b8") || !strings.Contains(s, "\x1b[m") {
			t.Errorf("%s screen: %q", screen, s)
		}
	}
}
