package vt_test

import (
	"fmt"
	"strings"
	"testing"

	"reprise/panes/vt"
)

func TestAppendText(t *testing.T) {
	const alt = "a\r\nb\x1b[?1049hALT\x1b[31mred"
	for _, c := range []struct {
		name, in string
		text     vt.Text
		want     string
	}{
		{"empty", "", vt.Text{}, ""},
		{"blanks from the scrollback on", strings.Repeat(" ", 35), vt.Text{History: -1}, ""},
		{"lines", "one\r\n\r\n two  \r\n\r\n", vt.Text{History: -1}, "one\n\n two\n"},
		{"scrollback is not wanted", "1\r\n2\r\n3\r\n4\r\n5", vt.Text{}, "3\n4\n5\n"},
		{"some scrollback", "1\r\n2\r\n3\r\n4\r\n5", vt.Text{History: 1}, "2\n3\n4\n5\n"},
		{"more than there is", "1\r\n2\r\n3\r\n4\r\n5", vt.Text{History: 99}, "1\n2\n3\n4\n5\n"},
		{"all", "1\r\n2\r\n3\r\n4\r\n5", vt.Text{History: -1}, "1\n2\n3\n4\n5\n"},
		{"blank screen keeps the scrollback", "1\r\n\r\n\r\n\x1b[2J", vt.Text{History: -1}, "1\n"},
		{"wrapped", "0123456789abcdefghijklmnopqrstuvwxyz0123456789", vt.Text{History: -1}, "0123456789abcdefghijklmnopqrstuvwxyz0123456789\n"},
		{"no room for a wide one", "012345678漢字", vt.Text{}, "012345678漢字\n"},
		{"clusters", "e\u0301👨‍👩‍👧\U0001F1E9\U0001F1EA!", vt.Text{}, "e\u0301👨‍👩‍👧\U0001F1E9\U0001F1EA!\n"},
		{"plain has no style", "\x1b[1;44mx  \x1b]8;;http://a\x1b\\y\x1b[m", vt.Text{}, "x  y\n"},
		{"plain cuts every blank", "x\x1b[44m  ", vt.Text{}, "x\n"},
		{"style", "a\x1b[1;4:3;38;2;1;2;3;58;5;9mb\x1b[mc", vt.Text{Styled: true}, "a\x1b[0;1;4:3;38:2:1:2:3;58:5:9mb\x1b[mc\n"},
		{"style ends with its line", "\x1b[31mab\r\ncd", vt.Text{Styled: true}, "\x1b[0;31mab\x1b[m\n\x1b[0;31mcd\x1b[m\n"},
		{"style goes on in a wrapped line", "\x1b[31m0123456789abc", vt.Text{Styled: true}, "\x1b[0;31m0123456789abc\x1b[m\n"},
		{"blanks of a background stay", "\x1b[44mx  \x1b[m  ", vt.Text{Styled: true}, "\x1b[0;44mx  \x1b[m\n"},
		{"underlined blanks stay", "\x1b[4m  \x1b[24m  ", vt.Text{Styled: true}, "\x1b[0;4m  \x1b[m\n"},
		{"blanks of a colour go", "x\x1b[31m  ", vt.Text{Styled: true}, "x\n"},
		{"link", "a\x1b]8;id=1;http://a\x1b\\b\x1b]8;;\x1b\\c", vt.Text{Styled: true}, "a\x1b]8;;http://a\x1b\\b\x1b]8;;\x1b\\c\n"},
		{"protection is no style", "\x1b[1\"qab\x1b[31mc", vt.Text{Styled: true}, "ab\x1b[0;31mc\x1b[m\n"},
		{"two that would be one", "\U0001F1E9\x1b[3G\U0001F1EA", vt.Text{Styled: true}, "\U0001F1E9\x0f\U0001F1EA\n"},
		{"the main screen behind the other", alt, vt.Text{Styled: true}, "a\nb\n"},
		{"the other screen", "1\r\n2\r\n3\r\n4" + alt, vt.Text{Alt: true, History: -1}, "\n\n ALTred\n"},
		{"no other screen", "1\r\n2\r\n3\r\n4", vt.Text{Alt: true, History: -1}, "1\n2\n3\n4\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := vt.New(vt.Options{Cols: 10, Rows: 3})
			fmt.Fprint(e, c.in)
			if got := string(e.AppendText([]byte("before "), c.text)); got != "before "+c.want {
				t.Errorf("got  %q\nwant %q", got, "before "+c.want)
			}
		})
	}
}

// TestTextOfManyLinks holds the bound of links: cells can name them for two bytes.
func TestTextOfManyLinks(t *testing.T) {
	e := vt.New(vt.Options{Cols: 1000, Rows: 100})
	target := strings.Repeat("x", 2000)
	for i := range 10_000 {
		fmt.Fprintf(e, "\x1b]8;;http://%d/%s\x1b\\a", i%2, target)
	}
	got := e.AppendText(nil, vt.Text{Styled: true, History: -1})
	if n := len(got); n < 16<<20 || n > 17<<20 {
		t.Errorf("%d bytes", n)
	}
	if n := strings.Count(string(got), "\\a"); n != 10_000 {
		t.Errorf("%d cells of 10,000", n)
	}
}
