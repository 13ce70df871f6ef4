package vt

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// dataDir is where the suites of others lie; the test is skipped without them.
func dataDir(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("REPRISE_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir = filepath.Join(dir, name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no %s: set REPRISE_DATA to the folder that holds %s", dir, name)
	}
	return dir
}

// ratchet holds a count against the least that was reached before.
func ratchet(t *testing.T, name string, passed, of int) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "conformance.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	t.Logf("%s: %d of %d (%.1f %%)", name, passed, of, 100*float64(passed)/float64(of))
	for s := bufio.NewScanner(f); s.Scan(); {
		w := strings.Fields(s.Text())
		if len(w) != 3 || w[0] != name {
			continue
		}
		least, _ := strconv.Atoi(w[1])
		if passed < least {
			t.Errorf("%s passed %d, once %d", name, passed, least)
		}
		return
	}
	t.Errorf("testdata/conformance.txt has no line for %s", name)
}

// libvtermFiles are those that a screen can answer.
var libvtermFiles = regexp.MustCompile(`^(1[123568]|2[01267]|30|6[01349]|9[02])`)

func TestLibvterm(t *testing.T) { testLibvterm(t, false) }

// TestLibvtermHandedOver has the terminal made anew from a dump before all that it
// is sent: it must do as well.
func TestLibvtermHandedOver(t *testing.T) { testLibvterm(t, true) }

func testLibvterm(t *testing.T, handOver bool) {
	t.Helper()
	dir := dataDir(t, "libvterm")
	files, err := filepath.Glob(filepath.Join(dir, "*.test"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	passed, of := 0, 0
	for _, f := range files {
		name := filepath.Base(f)
		if !libvtermFiles.MatchString(name) {
			continue
		}
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		s := &script{name: name, cols: 80, rows: 25, handOver: handOver}
		s.run(string(b))
		passed += s.passed
		of += s.asserted
		for _, m := range s.misses {
			t.Log(m)
		}
	}
	ratchet(t, "libvterm", passed, of)
}

// script runs one of libvterm's test files: bytes in, questions about the state.
type script struct {
	name             string
	cols, rows       int
	e                *Emulator
	handOver         bool
	out              bytes.Buffer
	scrollback       int
	fg, bg           string // the default colours
	asserted, passed int
	misses           []string
}

const (
	defaultFG = "rgb(240,240,240)"
	defaultBG = "rgb(0,0,0)"
)

func (s *script) init() {
	s.out.Reset()
	s.e = s.terminal()
}

func (s *script) terminal() *Emulator {
	return New(Options{Cols: s.cols, Rows: s.rows, Scrollback: s.scrollback, Reply: func(b []byte) { s.out.Write(b) }})
}

func (s *script) run(text string) {
	s.scrollback, s.fg, s.bg = -1, defaultFG, defaultBG
	s.init()
	for n, line := range strings.Split(text, "\n") {
		s.line(n+1, strings.TrimSpace(line))
	}
}

var loopLine = regexp.MustCompile(`^\$(REP|SEQ)\s+(\d+)(?:\s+(\d+))?:\s*(.*)$`)

func (s *script) line(n int, line string) {
	if m := loopLine.FindStringSubmatch(line); m != nil {
		from, to := 1, atoi(m[2])
		if m[1] == "SEQ" {
			from, to = atoi(m[2]), atoi(m[3])
		}
		for i := from; i <= to; i++ {
			s.line(n, strings.ReplaceAll(m[4], `\#`, strconv.Itoa(i)))
		}
		return
	}
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case strings.HasPrefix(line, "?"):
		s.assert(n, line, s.ask(line[1:]))
	case word == "output":
		want := unquote(rest)
		ok := bytes.HasPrefix(s.out.Bytes(), want)
		err := fmt.Errorf("got %q", s.out.String())
		if ok {
			s.out.Next(len(want))
			err = nil
		}
		s.assert(n, line, err)
	case word == "PUSH":
		s.out.Reset()
		if s.handOver {
			dump := s.e.AppendDump(nil)
			s.e = s.terminal()
			s.e.Restore(dump)
		}
		_, _ = s.e.Write(unquote(rest))
	case word == "RESET":
		_, _ = s.e.Write([]byte("\x1b\\\x1bc"))
		s.out.Reset()
	case word == "INIT":
		s.cols, s.rows, s.scrollback = 80, 25, -1
		s.init()
	case word == "RESIZE":
		r, c, _ := strings.Cut(rest, ",")
		s.cols, s.rows = atoi(c), atoi(r)
		s.e.Resize(s.cols, s.rows)
	case word == "WANTSCREEN" && strings.Contains(rest, "b"):
		s.e.history = newHistory(0)
		if !strings.Contains(rest, "-") {
			s.e.history = newHistory(1000)
			for range 100 { // what libvterm's harness gives back, whatever it was given
				s.e.history.add(s.e.pack(nil, []glyph{{'A', 0}, {'B', 0}, {'C', 0}, {'D', 0}, {'E', 0}}, row{}))
			}
		}
	case word == "SETDEFAULTCOL":
		s.fg, s.bg, _ = strings.Cut(rest, " ")
		if s.bg == "" {
			s.bg = defaultBG
		}
	}
}

func (s *script) assert(n int, line string, err error) {
	s.asserted++
	if err == nil {
		s.passed++
		return
	}
	s.misses = append(s.misses, fmt.Sprintf("%s:%d: %s: %v", s.name, n, line, err))
}

func atoi(s string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(s))
	return n
}

var quoted = regexp.MustCompile(`^"((?:[^"\\]|\\.)*)"(?:\s*x\s*(\d+))?`)

// unquote reads a string of Perl's, repeated by x if so.
func unquote(q string) []byte {
	m := quoted.FindStringSubmatch(strings.TrimSpace(q))
	if m == nil {
		return nil
	}
	var b []byte
	for s := m[1]; s != ""; {
		if s[0] != '\\' {
			b, s = append(b, s[0]), s[1:]
			continue
		}
		c := s[1]
		s = s[2:]
		switch c {
		case 'e':
			b = append(b, 0x1b)
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'a':
			b = append(b, '\a')
		case 'b':
			b = append(b, '\b')
		case 'x':
			hex := strings.Trim(s[:2], "{}")
			if s[0] == '{' {
				hex = s[1:strings.IndexByte(s, '}')]
				s = s[strings.IndexByte(s, '}')+1:]
			} else {
				s = s[2:]
			}
			v, _ := strconv.ParseUint(hex, 16, 8)
			b = append(b, byte(v))
		default:
			b = append(b, c)
		}
	}
	if m[2] != "" {
		b = bytes.Repeat(b, atoi(m[2]))
	}
	return b
}

// ask answers a question: nil if the answer is the one expected.
func (s *script) ask(q string) error {
	what, want, _ := strings.Cut(q, "=")
	f := strings.Fields(what)
	want = strings.TrimSpace(want)
	var got string
	switch f[0] {
	case "cursor":
		got = fmt.Sprintf("%d,%d", s.e.cur.y, s.e.cur.x)
	case "pen":
		got = s.pen(f[1])
	case "lineinfo":
		if y := atoi(f[1]); y > 0 && s.e.page.rows[y-1].wrapped {
			got = "cont"
		}
	case "screen_row":
		y := atoi(f[1])
		return sameText(s.text(y, 0, y+1, s.cols), want)
	case "screen_chars":
		b := numbers(f[1])
		return sameText(s.text(b[0], b[1], b[2], b[3]), want)
	case "screen_text":
		b := numbers(f[1])
		text := s.text(b[0], b[1], b[2], b[3])
		var hex []string
		for i := range len(text) {
			hex = append(hex, fmt.Sprintf("0x%02x", text[i]))
		}
		got = strings.Join(hex, ",")
	case "screen_cell":
		b := numbers(f[1])
		got = s.cell(b[0], b[1])
	case "screen_eol":
		b := numbers(f[1])
		got = "0"
		if strings.TrimRight(s.text(b[0], b[1], b[0]+1, s.cols), " ") == "" {
			got = "1"
		}
	default:
		return fmt.Errorf("unknown question %q", f[0])
	}
	if got != want {
		return fmt.Errorf("got %s", got)
	}
	return nil
}

func numbers(s string) []int {
	var n []int
	for p := range strings.SplitSeq(s, ",") {
		n = append(n, atoi(p))
	}
	return n
}

// text is a rectangle's text, without blanks at its rows' ends.
func (s *script) text(top, left, bottom, right int) string {
	var rows []string
	var sc Screen
	s.e.Snapshot(&sc)
	for y := top; y < bottom; y++ {
		var b []byte
		for _, c := range sc.Row(y)[left:min(right, sc.Cols)] {
			b = sc.AppendText(b, c)
		}
		rows = append(rows, strings.TrimRight(string(b), " "))
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}

// sameText compares with a quoted string or a list of code points.
func sameText(got, want string) error {
	w := string(unquote(want))
	if strings.HasPrefix(want, "0x") {
		w = ""
		for p := range strings.SplitSeq(want, ",") {
			v, _ := strconv.ParseInt(strings.TrimSpace(p), 0, 32)
			w += string(rune(v))
		}
	}
	if strings.TrimRight(w, " ") != got {
		return fmt.Errorf("got %q", got)
	}
	return nil
}

func (s *script) pen(name string) string {
	p := s.e.pen.style
	onOff := func(a Attr) string {
		if p.attr&a != 0 {
			return "on"
		}
		return "off"
	}
	switch name {
	case "bold":
		return onOff(Bold)
	case "italic":
		return onOff(Italic)
	case "blink":
		return onOff(Blink)
	case "reverse":
		return onOff(Reverse)
	case "underline":
		return strconv.Itoa(p.attr.Underline())
	case "font":
		return "0"
	case "small":
		return onOff(Superscript | Subscript)
	case "baseline":
		switch {
		case p.attr&Superscript != 0:
			return "raise"
		case p.attr&Subscript != 0:
			return "lower"
		}
		return "normal"
	case "foreground":
		return colorText(p.fg, "rgb(240,240,240,is_default_fg)")
	case "background":
		return colorText(p.bg, "rgb(0,0,0,is_default_bg)")
	}
	return "?"
}

func colorText(c Color, def string) string {
	switch {
	case c == 0:
		return def
	case c&ColorRGB != 0:
		return fmt.Sprintf("rgb(%d,%d,%d)", c>>16&255, c>>8&255, c&255)
	}
	return fmt.Sprintf("idx(%d)", c&255)
}

// cellColor is a colour in libvterm's palette.
func cellColor(c Color, def string) string {
	base := []string{"0,0,0", "224,0,0", "0,224,0", "224,224,0", "0,0,224", "224,0,224", "0,224,224", "224,224,224"}
	if c&ColorIndexed != 0 && c&255 < 8 {
		return "rgb(" + base[c&255] + ")"
	}
	return colorText(c, def)
}

func (s *script) cell(y, x int) string {
	var sc Screen
	s.e.Snapshot(&sc)
	c := sc.Row(y)[x]
	var text []string
	for _, r := range string(sc.AppendText(nil, c)) {
		if len(text) < 6 && r != ' ' { // libvterm keeps six of a cluster
			text = append(text, fmt.Sprintf("0x%x", r))
		}
	}
	w := 1
	if c.Attr&Wide != 0 {
		w = 2
	}
	attrs := ""
	if c.Attr&Bold != 0 {
		attrs += "B"
	}
	if u := c.Attr.Underline(); u != 0 {
		attrs += fmt.Sprintf("U%d", u)
	}
	if c.Attr&Italic != 0 {
		attrs += "I"
	}
	if c.Attr&Reverse != 0 {
		attrs += "R"
	}
	switch {
	case c.Attr&Superscript != 0:
		attrs += "S^"
	case c.Attr&Subscript != 0:
		attrs += "S_"
	}
	return fmt.Sprintf("{%s} width=%d attrs={%s} fg=%s bg=%s", strings.Join(text, ","), w, attrs,
		cellColor(c.FG, s.fg), cellColor(c.BG, s.bg))
}

// TestRecordings replays what real agents wrote; the last screen must be the one
// that xterm.js shows.
func TestRecordings(t *testing.T) {
	dir := dataDir(t, "recordings")
	files, _ := filepath.Glob(filepath.Join(dir, "*.raw"))
	passed := 0
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(f, ".raw") + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		e := New(Options{Cols: 120, Rows: 40})
		_, _ = e.Write(raw)
		if got := screenText(e); got == strings.TrimRight(string(want), "\n ") {
			passed++
		} else {
			t.Logf("%s:\n%s\nwant:\n%s", filepath.Base(f), got, want)
		}
	}
	ratchet(t, "recordings", passed, len(files))
}

func screenText(e *Emulator) string {
	var sc Screen
	e.Snapshot(&sc)
	var rows []string
	for y := range sc.Rows {
		var b []byte
		for _, c := range sc.Row(y) {
			b = sc.AppendText(b, c)
		}
		rows = append(rows, strings.TrimRightFunc(string(b), unicode.IsSpace)) // as xterm.js trims
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}
