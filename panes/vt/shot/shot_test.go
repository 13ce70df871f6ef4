package shot_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"reprise/panes/vt"
	"reprise/panes/vt/shot"
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
	fmt.Fprint(e, "\x1b[4h\x1b[?1002h")
	got := write(t, e, shot.Options{Format: "json", Scrollback: true, Replies: replies.Bytes()})
	var d struct {
		Size   struct{ Cols, Rows int }
		Cursor struct {
			X, Y        int
			Visible     bool
			PendingWrap bool `json:"pending_wrap"`
		}
		Title      string
		Modes      map[string]any
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
	for name, want := range map[string]any{"autowrap": true, "origin": false, "insert": true, "alt_scroll": true, "bracketed_paste": false, "mouse": 1002.0} {
		if d.Modes[name] != want {
			t.Errorf("mode %s is %v, want %v", name, d.Modes[name], want)
		}
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

func TestFeed(t *testing.T) {
	const in = "a漢e\u0301\x1b[31mb\x1b[6n\r\n"
	var want string
	for _, cut := range []int{0, 1, 2, 3, 100_000} {
		var b bytes.Buffer
		err := shot.Feed(&b, shot.Input{Reader: strings.NewReader(in), Cols: 10, Rows: 2, Cut: cut}, shot.Options{Format: "json"})
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = b.String()
		}
		if b.String() != want || !strings.Contains(want, `"replies":"\u001b[1;6R"`) {
			t.Errorf("cut %d: %s, want %s", cut, b.String(), want)
		}
	}
}

func TestParseSize(t *testing.T) {
	if c, r, err := shot.ParseSize("120x40"); c != 120 || r != 40 || err != nil {
		t.Errorf("120x40 is %d×%d, %v", c, r, err)
	}
	for _, s := range []string{"", "80", "80x", "x24", "0x24", "80x1001", "-1x5", "80x24x"} {
		if c, r, err := shot.ParseSize(s); err == nil {
			t.Errorf("%q is %d×%d", s, c, r)
		}
	}
}
