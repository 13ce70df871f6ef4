package vt

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

func snapshotText(e *Emulator) string {
	var s Screen
	e.Snapshot(&s)
	return screenText(e)
}

// TestTablesAreCollected prints far more styles, clusters and links than the tables
// may hold; those on the screen and in the history must keep their meaning.
func TestTablesAreCollected(t *testing.T) {
	e := New(Options{Cols: 40, Rows: 4, Scrollback: 3})
	var shared Screen
	fmt.Fprint(e, "\x1b[H\x1b[38;2;1;2;3;4:3m\x1b]8;;http://kept\x1b\\e\u0301\u0302\x1b]8;;\x1b\\\x1b[m\r\n")
	e.Snapshot(&shared)
	for i := range 80_000 {
		fmt.Fprintf(e, "\x1b[3;1H\x1b[38;2;%d;%d;%dma%c\u0323%c%c\x1b]8;;http://x/%d\x1b\\l\x1b]8;;\x1b\\", i&255, i>>8&255, i>>16, 'a'+i%26, 0x300+i/26%64, 0x300+i/1664%64, i)
	}
	if n := len(e.styles.list); n > stylesAt+1 {
		t.Errorf("%d styles", n)
	}
	if n := len(e.links.list); n > maxLinks+1 {
		t.Errorf("%d links", n)
	}
	if e.linkBytes > maxLinkBytes {
		t.Errorf("%d bytes of links", e.linkBytes)
	}
	var s Screen
	e.Snapshot(&s)
	for _, sc := range []*Screen{&s, &shared} {
		c := sc.Row(0)[0]
		if got := string(sc.AppendText(nil, c)); got != "e\u0301\u0302" || c.FG != ColorRGB|0x010203 || c.Attr.Underline() != UnderlineCurly || sc.Links[c.Link] != "http://kept" {
			t.Errorf("first cell is %q %+v link %q", got, c, sc.Links[c.Link])
		}
	}
	if got := s.Row(2)[2]; string(s.AppendText(nil, got)) == "" || s.Links[got.Link] != "http://x/79999" {
		t.Errorf("newest cell is %+v, link %q", got, s.Links[got.Link])
	}
	if err := e.check(); err != nil {
		t.Error(err)
	}
}

func TestManyClusters(t *testing.T) {
	e := New(Options{Cols: 40, Rows: 4, Scrollback: 3})
	var b []byte
	for i := range 100_000 {
		b = fmt.Appendf(b[:0], "%c%c%c%c", 'a'+i%26, 0x300+i/26%64, 0x300+i/1664%64, 0x300+i/106496%64)
		_, _ = e.Write(b)
	}
	if n := len(e.clusters.list); n > 2*collectAt {
		t.Errorf("%d clusters", n)
	}
	if got := snapshotText(e); !strings.HasSuffix(got, string(b)) {
		t.Errorf("screen ends in %q, want %q", got[len(got)-8:], b)
	}
}

func TestLongClusterIsCut(t *testing.T) {
	e := New(Options{Cols: 10, Rows: 1})
	fmt.Fprint(e, "e"+strings.Repeat("\u0301", 100_000)+"x")
	if got := screenText(e); len(got) > clusterBytes+1 || !strings.HasSuffix(got, "x") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

func TestUnterminatedStrings(t *testing.T) {
	for _, intro := range []string{"\x1b]0;", "\x1b]52;c;", "\x1bP", "\x1bP$q", "\x1b_G", "\x1b^", "\x1bX", "\x1b[", "\x1b[1;", "\x1b(", "\x1bk"} {
		e := New(Options{Cols: 10, Rows: 2})
		fmt.Fprint(e, intro)
		chunk := bytes.Repeat([]byte("1;"), 32<<10)
		for range 64 {
			_, _ = e.Write(chunk)
		}
		if n := cap(e.parser.str); n > 2*maxString {
			t.Errorf("%q: %d bytes are kept", intro, n)
		}
		fmt.Fprint(e, "\x18\x1b[2J\x1b[Hok")
		if got := screenText(e); got != "ok" {
			t.Errorf("%q: screen is %q", intro, got)
		}
		if e.State().Title != "" {
			t.Errorf("%q: a title of %d bytes", intro, len(e.State().Title))
		}
	}
}

func TestSizesAreClamped(t *testing.T) {
	e := New(Options{Cols: -5, Rows: 1 << 30})
	if e.cols != 1 || e.rows != maxSize {
		t.Errorf("size is %d×%d", e.cols, e.rows)
	}
	for _, s := range [][2]int{{1 << 40, 0}, {0, 0}, {1000, 1000}, {1, 1}, {2, 1}, {80, 24}} {
		e.Resize(s[0], s[1])
		fmt.Fprint(e, "漢字 text\r\n❤\ufe0f\x1b[?1049h漢\x1b[?1049l")
		if err := e.check(); err != nil {
			t.Fatalf("%v: %v", s, err)
		}
		var sc Screen
		e.Snapshot(&sc)
		if err := checkScreen(&sc); err != nil {
			t.Fatalf("%v: %v", s, err)
		}
	}
}

func TestSnapshotAllocatesNothing(t *testing.T) {
	e := fullScreen(t)
	var s Screen
	e.Snapshot(&s)
	if n := testing.AllocsPerRun(20, func() { s.owner = nil; e.Snapshot(&s) }); n != 0 {
		t.Errorf("%v allocations for a whole screen", n)
	}
	if n := testing.AllocsPerRun(20, func() { e.Snapshot(&s) }); n != 0 {
		t.Errorf("%v allocations for an unchanged screen", n)
	}
}

// TestSnapshotCopiesWhatDiffers looks at which rows are copied.
func TestSnapshotCopiesWhatDiffers(t *testing.T) {
	e := New(Options{Cols: 10, Rows: 4})
	fmt.Fprint(e, "a\r\nb\r\nc")
	var s, other Screen
	e.Snapshot(&s)
	copied := func() string {
		out := ""
		for i := range s.Cells {
			s.Cells[i].Rune = '?' // whatever is copied anew is not this
		}
		e.Snapshot(&s)
		for y := range s.Rows {
			if s.Row(y)[9].Rune != '?' {
				out += fmt.Sprint(y)
			}
		}
		return out
	}
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"\x1b[2;1Hx", "1"},
		{"\x1b[2;1Hx", ""}, // as it was
		{"\x1b[2;1H\x1b[31mx\x1b[m", "1"},
		{"\x1b[2;1Hx\x1b[K\x1b[2;2H\x1b[K", "1"},
		{"\x1b[H0123456789", "0"},
		{"w", "01"},              // the first goes on in the second
		{"\x1b[H\x1b[10C9", "0"}, // and no longer
		{"\x1b[H\x1b[4;2H", ""},
		{"\x1b[1;2r\x1b[2;1H\n\x1b[r", "01"},
		{"\x1b[31m", ""},
		{"\x1b[?1049h", "0123"},
		{"\x1b[?1049l", "0123"},
		{"\x1b[4;1H\n", "0123"},
		{"\x1b[?5h", "0123"},
	} {
		_, _ = e.Write([]byte(c.in))
		if got := copied(); got != c.want {
			t.Errorf("%q: rows %q were copied, want %q", c.in, got, c.want)
		}
	}
	e.Snapshot(&other)
	New(Options{Cols: 10, Rows: 4}).Snapshot(&other)
	if other.Row(0)[0] != Blank {
		t.Error("a screen of another emulator was not filled")
	}
}

func TestCallbacks(t *testing.T) {
	var got []string
	e := New(Options{
		Cols: 10, Rows: 2,
		Reply:     func(b []byte) { got = append(got, fmt.Sprintf("reply %q", b)) },
		Clipboard: func(b []byte) { got = append(got, fmt.Sprintf("clipboard %q", b)) },
		Notify:    func(title, body string) { got = append(got, fmt.Sprintf("notify %q %q", title, body)) },
	})
	fmt.Fprint(e, "\x1b]52;c;aGVsbG8=\a\x1b]52;c;?\a\x1b]52;c;!\a",
		"\x1b]9;done\x1b\\\x1b]9;4;3\a\x1b]9;1;x\a\x1b]777;notify;a;b\a\x1b]99;i=1;hi\x1b\\",
		"\x1b]99;i=2:d=0;Title \a\x1b]99;i=2:d=0:e=1;b25l\a\x1b]99;i=2:d=1:p=body;Body\x1b\\\x1b]99;i=3:p=icon;x\a\x1b]99;d=0;part\a\x1b]99;i=4:p=?;\a", "\x1b[c\x1b[?2031h")
	e.SetColors(ColorRGB, ColorRGB|0xFFFFFF)
	e.SetColors(ColorRGB, ColorIndexed|15)
	want := []string{
		`clipboard "hello"`, `notify "" "done"`, `notify "a" "b"`, `notify "" "hi"`, `notify "Title one" "Body"`,
		`reply "\x1b[?64;22;28;52c"`, `reply "\x1b[?997;2n"`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if p := e.State().Progress; p.State != 3 {
		t.Errorf("progress %+v", p)
	}
}

// TestResizeAtAnyByte changes the size behind every byte of a stream that has
// something of everything, to the smallest and the largest sizes and back.
func TestResizeAtAnyByte(t *testing.T) {
	const stream = "漢e\u0301👨\u200d👩\x1b[1;38;2;1;2;3mline that goes on\r\n\x1b[2;3r\x1b[?69h\x1b[2;5s" +
		"\x1b]8;;http://a\x1b\\l\x1b]0;t\x07\x1b[?1049hX\x1b[5@\x1b7\x1b[?1049l\x1b[2L\x1bP$qm\x1b\\\x1b[3b\x1b8"
	sizes := [][2]int{{1, 1}, {80, 24}, {1000, 2}, {2, 1000}, {3, 3}, {40, 10}}
	e := New(Options{Cols: 40, Rows: 10, Scrollback: 50})
	var s Screen
	for i := range len(stream) {
		_, _ = e.Write([]byte{stream[i]})
		size := sizes[i%len(sizes)]
		if i%40 == 39 {
			size = [2]int{1000, 1000}
		}
		e.Resize(size[0], size[1])
		if err := e.check(); err != nil {
			t.Fatalf("%v behind %q: %v", size, stream[:i+1], err)
		}
		e.View(&s, i%3)
		if err := checkScreen(&s); err != nil {
			t.Fatalf("%v behind %q: %v", size, stream[:i+1], err)
		}
	}
}

// TestStacksAreBounded pushes what can be pushed, and saves and designates what can
// be, far more often than there is room for.
func TestStacksAreBounded(t *testing.T) {
	e := New(Options{Cols: 40, Rows: 4})
	for i := range 70_000 {
		fmt.Fprintf(e, "\x1b[22t\x1b]2;%d\x07\x1b[>%du\x1b[#{\x1b[?%ds\x1b7\x1b[%dG\x1bH\x1b]4;%d;#123456\x07", i, i&31, i, i, i)
	}
	for name, n := range map[string][2]int{
		"titles":        {len(e.titles.stack), maxTitles},
		"kitty's flags": {len(e.page.kitty), kittyDepth},
		"renditions":    {len(e.pens), maxPens},
		"saved modes":   {len(e.savedModes), len(decModes)},
		"tab stops":     {len(e.tabs), 40},
	} {
		if n[0] > n[1] {
			t.Errorf("%d %s, at most %d", n[0], name, n[1])
		}
	}
}

// TestAnEmptyScreenIsSmall: rows that were never written have no cells, and nobody
// has told vt10x of them.
func TestAnEmptyScreenIsSmall(t *testing.T) {
	const most = 12 << 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	e := New(Options{Cols: 160, Rows: 48})
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > most {
		t.Errorf("an empty screen takes %d bytes, at most %d", n, most)
	}
	var s Screen
	e.Snapshot(&s)
	runtime.ReadMemStats(&before)
	fmt.Fprint(e, "\x1b[2J\x1b[H\x1b[J\x1b[2K\x1b[5;5H\x1b[1K$ \x1b[?25h")
	e.Snapshot(&s)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 2*160*8 {
		t.Errorf("a prompt takes %d bytes", n)
	}
}
