package panes_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"reprise/panes"
	"reprise/panes/vt"
)

// heard is what an emulator told its owner.
type heard struct{ replies, clips, notices int }

func listening(size panes.Size) (*vt.Emulator, *heard) {
	h := new(heard)
	return vt.New(vt.Options{
		Cols: size.Cols, Rows: size.Rows,
		Reply:     func([]byte) { h.replies++ },
		Clipboard: func([]byte) { h.clips++ },
		Notify:    func(string, string) { h.notices++ },
	}), h
}

// shows is the scrollback and the screen as text, and the cursor.
func shows(e *vt.Emulator) (history, screen []string, cursor vt.Cursor) {
	var s vt.Screen
	row := func(y int) string {
		var b []byte
		for _, c := range s.Row(y) {
			b = s.AppendText(b, c)
		}
		return strings.TrimRight(string(b), " ")
	}
	for back := e.HistoryLen(); back > 0; back-- {
		e.View(&s, back)
		history = append(history, row(0))
	}
	e.Snapshot(&s)
	for y := range s.Rows {
		screen = append(screen, row(y))
	}
	return history, screen, s.Cursor
}

func TestRestored(t *testing.T) {
	const rule = "── restored 14:32 ──"
	tests := []struct {
		name            string
		r               panes.Restored
		history, screen []string
		x, y            int
	}{
		{
			"short, shell",
			panes.Restored{Text: []byte("$ ls\na b\n"), Screen: true},
			nil,
			[]string{"$ ls", "a b", rule, "", ""},
			0, 3,
		},
		{
			"long, shell",
			panes.Restored{Text: []byte("1\n2\n3\n4\n5\n6\n"), Screen: true},
			[]string{"1", "2", "3"},
			[]string{"4", "5", "6", rule, ""},
			0, 4,
		},
		{
			"short, agent",
			panes.Restored{Text: []byte("$ ls\na b\n")},
			[]string{"$ ls", "a b", rule},
			[]string{"", "", "", "", ""},
			0, 0,
		},
		{
			"long, agent",
			panes.Restored{Text: []byte("1\n2\n3\n4\n5\n6")},
			[]string{"1", "2", "3", "4", "5", "6", rule},
			[]string{"", "", "", "", ""},
			0, 0,
		},
		{
			"just a screen, agent",
			panes.Restored{Text: []byte("1\n2\n3\n4\n5")},
			[]string{"1", "2", "3", "4", "5", rule},
			[]string{"", "", "", "", ""},
			0, 0,
		},
		{
			"wraps",
			panes.Restored{Text: []byte(strings.Repeat("x", 45))},
			[]string{strings.Repeat("x", 20), strings.Repeat("x", 20), "xxxxx", rule},
			[]string{"", "", "", "", ""},
			0, 0,
		},
		{
			"blank end",
			panes.Restored{Text: []byte("a\n\nb\n\n \x1b[44m \x1b[m\n\n"), Screen: true},
			nil,
			[]string{"a", "", "b", rule, ""},
			0, 4,
		},
		{
			"a style left open",
			panes.Restored{Text: []byte("\x1b[41ma\n\x1b]8;;http://x\x1b\\b")},
			[]string{"a", "b", rule},
			[]string{"", "", "", "", ""},
			0, 0,
		},
		{
			"one row",
			panes.Restored{Text: []byte("a\nb"), Size: panes.Size{Cols: 20, Rows: 1}},
			[]string{"a", "b", rule},
			[]string{""},
			0, 0,
		},
		{
			"wide and combining",
			panes.Restored{Text: []byte("漢字 e\u0301"), Screen: true, Words: "漢字漢字漢字漢字漢字"},
			nil,
			[]string{"漢字 e\u0301", "── 漢字漢字漢字漢 ──", "", "", ""},
			0, 2,
		},
		{
			"ascii",
			panes.Restored{Text: []byte("a"), Screen: true, ASCII: true},
			nil,
			[]string{"a", "-- restored 14:32 --", "", "", ""},
			0, 2,
		},
		{
			"narrow",
			panes.Restored{Text: []byte("a"), Screen: true, Size: panes.Size{Cols: 8, Rows: 3}},
			nil,
			[]string{"a", "── re ──", ""},
			0, 2,
		},
		{
			"too narrow for words",
			panes.Restored{Text: []byte("a"), Screen: true, Size: panes.Size{Cols: 6, Rows: 3}},
			nil,
			[]string{"a", "──────", ""},
			0, 2,
		},
		{
			"words of controls",
			panes.Restored{Text: []byte("a"), Screen: true, Words: "\x1b[2J\n\u009brestored\a\t14:32"},
			nil,
			[]string{"a", rule, "", "", ""},
			0, 2,
		},
		{
			"hostile lines",
			panes.Restored{Text: []byte("a\x1b[3J\x1b[2Jb\x1b]0;title\ac\x1b[5Ad\x1bce\x1b[?1000hf\x1bP$q\x1b\\g\u0085\u008d\r\x08\x0e\x1b]8;;\x18h\x1b[\n\x1b]52;c;aGk=\ni"), Screen: true},
			nil,
			[]string{"abcdefgh", "", "i", rule, ""},
			0, 4,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.r.Size == (panes.Size{}) {
				tt.r.Size = panes.Size{Cols: 20, Rows: 5}
			}
			if tt.r.Words == "" {
				tt.r.Words = "restored 14:32"
			}
			e, heard := listening(tt.r.Size)
			_, _ = e.Write(tt.r.Stream())
			history, screen, cursor := shows(e)
			if diff := cmp.Diff(tt.history, history); diff != "" {
				t.Errorf("scrollback (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.screen, screen); diff != "" {
				t.Errorf("screen (-want +got):\n%s", diff)
			}
			if cursor.X != tt.x || cursor.Y != tt.y || cursor.Pending {
				t.Errorf("the cursor is at %+v, want %d,%d", cursor, tt.x, tt.y)
			}
			if *heard != (struct{ replies, clips, notices int }{}) {
				t.Errorf("heard %+v", *heard)
			}
		})
	}
	for _, blank := range []string{"", "\n\n", " \n\t\n", "\x1b[1m\x1b[m\n"} {
		if b := (panes.Restored{Text: []byte(blank), Words: "restored"}).Stream(); b != nil {
			t.Errorf("%q makes %q", blank, b)
		}
	}
}

// Byte for byte, what passes of a line.
func TestRestoredBytes(t *testing.T) {
	link := "\x1b]8;id=1;http://x/\x1b\\"
	long := strings.Repeat("1;", 5000)
	for text, want := range map[string]string{
		"a\x0fb\x0ec\x07":                 "a\x0fbc",
		"a\tb":                            "a\tb",
		"a\xffb\xc3":                      "ab",
		"a\xc3\x1b[1mb":                   "a\x1b[1mb",
		"a\u009bb\u00a0c\ufffd":           "ab\u00a0c\ufffd",
		"\x1b[1;4:3;38:2::1:2:3ma":        "\x1b[1;4:3;38:2::1:2:3ma",
		"\x1b[ma\x1b[1\x1b[2mb\x1b[3":     "\x1b[ma\x1b[2mb",
		"a\x1b[" + long + "mb":            "ab",
		"a\x1b[1\xc3\xa9mb":               "a\u00e9mb",
		"a\x1b(0b\x1b$)Cc\x1b":            "abc",
		link + "a\x1b]8;;\a":              link + "a\x1b]8;;\a",
		"a\x1b]8;\ab\x1b]8;x\ac":          "abc",
		"a\x1b]8;;http://\xc3\xa9\ab":     "ab",
		"a\x1b]8;;" + long + "\ab":        "ab",
		"a\x1b]8;;x\x18b\x1b]8;;x\x1b[mc": "ab\x1b[mc",
		"a\x1b]0;t\x1b\\b\x1bPq\x1b\\c":   "abc",
		"a\x1b]8;;x":                      "a",
	} {
		b := panes.Restored{Text: []byte(text), Words: "restored", Size: panes.Size{Cols: 80, Rows: 24}}.Stream()
		if got, _, _ := strings.Cut(string(b), "\r\n"); got != want {
			t.Errorf("of %.60q pass %.60q, want %q", text, got, want)
		}
	}
}

// Styles and links of what was saved are shown, and end before the divider.
func TestRestoredStyles(t *testing.T) {
	size := panes.Size{Cols: 20, Rows: 4}
	e, _ := listening(size)
	_, _ = e.Write(panes.Restored{
		Text: []byte("\x1b[1;38:2::1:2:3mA\x1b[m\x1b]8;id=1;http://x/\x1b\\B\x1b]8;;\aC\x1b[4:3mD"), Words: "restored", Size: size, Screen: true,
	}.Stream())
	var s vt.Screen
	e.Snapshot(&s)
	a, b, c, d, rule := s.Row(0)[0], s.Row(0)[1], s.Row(0)[2], s.Row(0)[3], s.Row(1)[0]
	switch {
	case a.Attr&vt.Bold == 0 || a.FG == 0, b.Link == 0 || b.Attr != 0, c.Link != 0, d.Attr == 0, d.Link != 0:
		t.Errorf("styles: %+v %+v %+v %+v", a, b, c, d)
	case rule.Attr != vt.Dim || rule.Link != 0:
		t.Errorf("the divider is %+v", rule)
	case s.Row(2)[0] != vt.Blank:
		t.Errorf("below it stands %+v", s.Row(2)[0])
	}
}

// Hostile bytes: whatever is in a file, a terminal shows it and is otherwise as
// new.
func TestHistoryOnlyDraws(t *testing.T) {
	pieces := []string{
		"\x1b[c", "\x1b[6n", "\x1b[?1000h", "\x1b[?1049h", "\x1b[?2004h", "\x1b[>1u", "\x1b[?1h", "\x1b[?2026h", "\x1b[4h", "\x1b[20h", "\x1bP$qm\x1b\\",
		"\x1b]10;?\a", "\x1b]52;c;aGk=\a", "\x1b]9;x\a", "\x1b]0;t\a", "\x1b]7;file:///x\a", "\x1b]4;1;red\a", "\x1b]7501;state=done\a", "\a", "\x0e", "\x1b(0", "\x1b=",
		"\x1b[3J", "\x1b[2J", "\x1b[2;3r", "\x1b[8;5;5t", "\x1b[21t", "\x1bc", "\x1b#8", "\x1b7", "\x1b[!p", "\x1b[?5h", "\x1b[3g", "\x1b[?25l", "\x1b[5 q",
		"\x1b[>4;2m", "\x1b[?1m", "\x1b[1$m", "\x1b[31m", "\x1b]8;;http://x\a", "\x1b[5;5H", "text", "漢", "\n", "\r\n", "\t", "\x1b", "\x1b[", "\x1b]", "\x1bP", "\x1b]8;;", "\x1b\\", ";", "1", "\xe6", "\x9b", "\u009b", "\u0085", "\x18", "\x00", "\x7f",
	}
	size := panes.Size{Cols: 30, Rows: 6}
	random := rand.New(rand.NewPCG(1, 2))
	fresh, _ := listening(size)
	for round := range 2000 {
		var b []byte
		for range random.IntN(30) {
			b = append(b, pieces[random.IntN(len(pieces))]...)
		}
		e, heard := listening(size)
		r := panes.Restored{Text: b, Words: "restored", Size: size}.Stream()
		_, _ = e.Write(r)
		_, screen, cursor := shows(e)
		if text := strings.Join(screen, ""); text != "" || cursor.X != 0 || cursor.Y != 0 || len(r) > 0 && e.HistoryLen() == 0 {
			t.Fatalf("round %d: after %q the screen shows %q, cursor %+v, %d lines above", round, b, text, cursor, e.HistoryLen())
		}
		checkFresh(t, b, fresh, e, heard)

		// The same bytes, given to a terminal as they are.
		e, heard = listening(size)
		play := newScript()
		h := panes.NewHost(panes.HostOptions{
			Launch: func(panes.Spec) (panes.Process, error) { return play, nil },
			Emulator: func(_ panes.Size, reply func([]byte)) panes.Emulator {
				return e
			},
		})
		term, err := h.Start(t.Context(), panes.Spec{Argv: []string{"x"}, Dir: "/", Size: size, History: b})
		if err != nil {
			t.Fatal(err)
		}
		if term.Spec().History != nil {
			t.Fatal("the history is kept twice")
		}
		play.die <- panes.Exit{}
		close(play.out)
		<-term.Done()
		checkFresh(t, b, fresh, e, heard)
	}
}

// checkFresh compares what a terminal tells about itself, and what it would do to
// the next text, with a new one's.
func checkFresh(t *testing.T, b []byte, fresh, e *vt.Emulator, h *heard) {
	t.Helper()
	if diff := cmp.Diff(fresh.State(), e.State()); diff != "" {
		t.Fatalf("after %q (-want +got):\n%s", b, diff)
	}
	if *h != (heard{}) {
		t.Fatalf("after %q it told %+v", b, *h)
	}
	var s vt.Screen
	_, _ = e.Write([]byte("\x1b[H\x1b[2Jq"))
	e.Snapshot(&s)
	if c := s.Row(0)[0]; c.Rune != 'q' || c.FG != 0 || c.BG != 0 || c.Attr != 0 || c.Link != 0 || !s.Cursor.Visible || s.Cursor.Shape != 0 {
		t.Fatalf("after %q a letter is written as %+v", b, c)
	}
}

// A terminal is deaf to its history, whatever its emulator makes of it, and hears
// its program afterwards.
func TestHistoryTypesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScript()
		h := panes.NewHost(panes.HostOptions{
			Launch: func(panes.Spec) (panes.Process, error) { return s, nil },
			Emulator: func(_ panes.Size, reply func([]byte)) panes.Emulator {
				return &chatty{fake: fake{cols: 80, rows: 24}, reply: reply}
			},
		})
		term, err := h.Start(t.Context(), panes.Spec{Argv: []string{"x"}, Dir: "/", History: []byte("rm -rf /\n")})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		select {
		case b := <-s.in:
			t.Errorf("the program was typed %q", b)
		default:
		}
		if got := screenText(term); !strings.Contains(got, "rm -rf /") {
			t.Errorf("the history is not shown: %q", got)
		}
		s.out <- []byte("mine")
		synctest.Wait()
		select {
		case b := <-s.in:
			if string(b) != "mine" {
				t.Errorf("the program was answered %q", b)
			}
		default:
			t.Error("the program was not answered")
		}
		s.die <- panes.Exit{}
		close(s.out)
		<-term.Done()
	})
}

// chatty answers everything with itself.
type chatty struct {
	fake
	reply func([]byte)
}

func (c *chatty) Write(b []byte) (int, error) {
	c.reply(b)
	return c.fake.Write(b)
}

func TestLastLines(t *testing.T) {
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{"ab\ncd\n", 6, "ab\ncd\n"},
		{"ab\ncd\n", 5, "cd\n"},
		{"ab\ncd\n", 4, "cd\n"},
		{"ab\ncd\n", 0, ""},
		{"ab\ncd\n", -1, ""},
		{"abcdef", 3, "def"},
	} {
		if got := string(panes.LastLines([]byte(tt.text), tt.most)); got != tt.want {
			t.Errorf("%d of %q are %q, want %q", tt.most, tt.text, got, tt.want)
		}
	}
}
