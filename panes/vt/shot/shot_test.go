package shot_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reprise/panes/vt"
	"reprise/panes/vt/shot"
	"strings"
	"testing"
)

func emulator() (*vt.Emulator, *bytes.Buffer) {
	var replies bytes.Buffer
	e := vt.New(vt.Options{Cols: 8, Rows: 2, Reply: func(b []byte) { replies.Write(b) }})
	fmt.Fprint(e, "old\r\n\x1b]0;t\a\x1b[1;4:3;38;2;1;2;3;44;58;5;9m漢\x1b[m\x1b]8;;http://a\x1b\\x\x1b]8;;\x1b\\\r\n\x1b[5nabcdefgh")
	return e, &replies
}

func write(t *testing.T, e *vt.Emulator, o shot.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := shot.Write(&b, e, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	e, _ := emulator()
	if got := write(t, e, shot.Options{}); got != "漢x\nabcdefgh\n" {
		t.Errorf("got %q", got)
	}
	if got := write(t, e, shot.Options{Scrollback: true}); got != "old\n漢x\nabcdefgh\n" {
		t.Errorf("with the scrollback: %q", got)
	}
	if err := shot.Write(&bytes.Buffer{}, e, shot.Options{Format: "gif"}); err == nil || !strings.Contains(err.Error(), "json") {
		t.Errorf("an unknown format: %v", err)
	}
}

// TestANSI feeds what was written to another emulator: it must show the same.
func TestANSI(t *testing.T) {
	e, _ := emulator()
	got := write(t, e, shot.Options{Format: "ansi"})
	again := vt.New(vt.Options{Cols: 8, Rows: 3})
	fmt.Fprint(again, strings.ReplaceAll(got, "\n", "\r\n"))
	var a, b vt.Screen
	e.Snapshot(&a)
	again.Snapshot(&b)
	for y := range a.Rows {
		for x, c := range a.Row(y) {
			d := b.Row(y)[x]
			if a.Links[c.Link] != b.Links[d.Link] {
				t.Errorf("cell %d,%d: link %q, then %q", x, y, a.Links[c.Link], b.Links[d.Link])
			}
			c.Link, d.Link = 0, 0
			if c != d {
				t.Errorf("cell %d,%d: %+v, then %+v in %q", x, y, c, d, got)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	e, replies := emulator()
	got := write(t, e, shot.Options{Format: "json", Scrollback: true, Replies: replies.Bytes()})
	var d struct {
		Size   struct{ Cols, Rows int }
		Cursor struct {
			X, Y        int
			Visible     bool
			PendingWrap bool `json:"pending_wrap"`
		}
		Title      string
		Replies    string
		Lines      []struct{ Cells []map[string]any }
		Scrollback []struct{ Cells []map[string]any }
	}
	if err := json.Unmarshal([]byte(got), &d); err != nil {
		t.Fatal(err)
	}
	if d.Size.Cols != 8 || d.Size.Rows != 2 || d.Cursor.X != 7 || d.Cursor.Y != 1 || !d.Cursor.PendingWrap || !d.Cursor.Visible || d.Title != "t" || d.Replies != "\x1b[0n" {
		t.Errorf("head of %s", got)
	}
	want := `map[attributes:[bold] bg:index:4 fg:#010203 text:漢 underline:curly underline_color:index:9 width:2]`
	if c := fmt.Sprint(d.Lines[0].Cells[0]); c != want {
		t.Errorf("first cell %s, want %s", c, want)
	}
	if c := d.Lines[0].Cells[1]; c["link"] != "http://a" || c["text"] != "x" {
		t.Errorf("second cell %v", c)
	}
	if len(d.Lines) != 2 || len(d.Lines[0].Cells) != 7 || len(d.Scrollback) != 1 || d.Scrollback[0].Cells[0]["text"] != "o" {
		t.Errorf("lines of %s", got)
	}
}
