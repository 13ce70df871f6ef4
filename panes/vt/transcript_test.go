package vt_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"reprise/panes/vt"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what the transcripts show now as what they should")

// TestTranscripts plays testdata/emu/*.txtar. A file has the size (columns, rows)
// and what goes in, one quoted string or "resize COLS ROWS" a line; then what must
// come of it: the screen, the styles that are not the default, the state, and the
// replies. Each is played whole, byte by byte, and cut in two at every byte.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "emu", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(f)
			if err != nil {
				t.Fatal(err)
			}
			tr := parseTranscript(t, a)
			whole := tr.play(t, func(write func([]byte), b []byte) { write(b) })
			if *update {
				tr.save(t, f, a, whole)
				return
			}
			if d := cmp.Diff(tr.want, whole); d != "" {
				t.Fatalf("want, got:\n%s", d)
			}
			bytewise := tr.play(t, func(write func([]byte), b []byte) {
				for i := range b {
					write(b[i : i+1])
				}
			})
			if d := cmp.Diff(tr.want, bytewise); d != "" {
				t.Fatalf("byte by byte; want, got:\n%s", d)
			}
			for cut := 1; cut < tr.longest; cut++ {
				got := tr.play(t, func(write func([]byte), b []byte) {
					if cut < len(b) {
						write(b[:cut])
						b = b[cut:]
					}
					write(b)
				})
				if got != tr.want {
					t.Fatalf("cut at byte %d; want, got:\n%s", cut, cmp.Diff(tr.want, got))
				}
			}
			want := withoutBells(tr.want)
			for cut := 1; cut < tr.longest; cut++ {
				if got := withoutBells(tr.handOver(t, cut)); got != want {
					t.Fatalf("made anew after byte %d; want, got:\n%s", cut, cmp.Diff(want, got))
				}
			}
		})
	}
}

type transcript struct {
	cols, rows int
	steps      []step
	longest    int
	want       string
}

// step is bytes, or a size.
type step struct {
	in         []byte
	cols, rows int
}

func parseTranscript(t *testing.T, a *txtar.Archive) *transcript {
	t.Helper()
	tr := &transcript{}
	for _, f := range a.Files {
		switch f.Name {
		case "size":
			if _, err := fmt.Sscan(string(f.Data), &tr.cols, &tr.rows); err != nil {
				t.Fatalf("size: %v", err)
			}
		case "in":
			for line := range strings.Lines(string(f.Data)) {
				line = strings.TrimSpace(line)
				if size, ok := strings.CutPrefix(line, "resize "); ok {
					var s step
					if _, err := fmt.Sscan(size, &s.cols, &s.rows); err != nil {
						t.Fatalf("%s: %v", line, err)
					}
					tr.steps = append(tr.steps, s)
					continue
				}
				s, err := strconv.Unquote(line)
				if err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				n := len(tr.steps)
				if n == 0 || tr.steps[n-1].in == nil {
					tr.steps = append(tr.steps, step{})
					n++
				}
				in := &tr.steps[n-1].in
				*in = append(*in, s...)
				tr.longest = max(tr.longest, len(*in))
			}
		default:
			tr.want += fmt.Sprintf("-- %s --\n%s", f.Name, f.Data)
		}
	}
	return tr
}

func (tr *transcript) save(t *testing.T, path string, a *txtar.Archive, got string) {
	t.Helper()
	kept := a.Files[:0]
	for _, f := range a.Files {
		if f.Name == "size" || f.Name == "in" {
			kept = append(kept, f)
		}
	}
	a.Files = append(kept, txtar.Parse([]byte(got)).Files...)
	if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (tr *transcript) play(t *testing.T, feed func(write func([]byte), b []byte)) string {
	t.Helper()
	var replies bytes.Buffer
	e := vt.New(vt.Options{Cols: tr.cols, Rows: tr.rows, Scrollback: 100, Reply: func(b []byte) { replies.Write(b) }})
	for _, s := range tr.steps {
		if s.in == nil {
			e.Resize(s.cols, s.rows)
			continue
		}
		feed(func(b []byte) {
			if n, err := e.Write(b); n != len(b) || err != nil {
				t.Fatalf("Write took %d of %d: %v", n, len(b), err)
			}
		}, s.in)
	}
	return describe(e, replies.String())
}

// handOver plays with another terminal, made of a dump, from byte cut of each step on.
func (tr *transcript) handOver(t *testing.T, cut int) string {
	t.Helper()
	var replies bytes.Buffer
	o := vt.Options{Cols: tr.cols, Rows: tr.rows, Scrollback: 100, Reply: func(b []byte) { replies.Write(b) }}
	e := vt.New(o)
	for _, s := range tr.steps {
		if s.in == nil {
			e.Resize(s.cols, s.rows)
			o.Cols, o.Rows = s.cols, s.rows
			continue
		}
		n := min(cut, len(s.in))
		_, _ = e.Write(s.in[:n])
		dump := e.AppendDump(nil)
		e = vt.New(o)
		e.Restore(dump)
		_, _ = e.Write(s.in[n:])
	}
	return describe(e, replies.String())
}

var bells = regexp.MustCompile(`bells \d+`)

func withoutBells(s string) string { return bells.ReplaceAllString(s, "") }

// describe writes an emulator's sections; those that are empty are left out.
func describe(e *vt.Emulator, replies string) string {
	var b, styles strings.Builder
	var s vt.Screen
	e.Snapshot(&s)
	fmt.Fprintln(&b, "-- screen --")
	b.WriteString(rows(&s, &styles))
	if n := e.HistoryLen(); n > 0 {
		fmt.Fprintln(&b, "-- history --")
		for i := range n {
			text, wrapped := e.AppendHistory(nil, i)
			fmt.Fprintf(&b, "%s%s\n", text, mark(wrapped))
		}
	}
	if styles.Len() > 0 {
		fmt.Fprintf(&b, "-- styles --\n%s", styles.String())
	}
	fmt.Fprintln(&b, "-- state --")
	c := s.Cursor
	fmt.Fprintf(&b, "cursor %d,%d", c.X, c.Y)
	for _, f := range []struct {
		on   bool
		name string
	}{{c.Pending, " pending"}, {!c.Visible, " hidden"}, {c.Shape != 0, fmt.Sprintf(" shape %d", c.Shape)}} {
		if f.on {
			b.WriteString(f.name)
		}
	}
	b.WriteByte('\n')
	st := e.State()
	st.Modes.AltScroll = !st.Modes.AltScroll // on by default
	if st.Modes != (vt.Modes{}) {
		fmt.Fprintf(&b, "modes%s\n", set(fmt.Sprintf("%+v", st.Modes)))
	}
	st.Modes = vt.Modes{}
	if st != (vt.State{}) {
		fmt.Fprintf(&b, "title %q icon %q dir %q bells %d progress %v status %+v\n", st.Title, st.IconName, st.Dir, st.Bells, st.Progress, st.Status)
	}
	if replies != "" {
		fmt.Fprintf(&b, "-- replies --\n%q\n", replies)
	}
	return b.String()
}

// set leaves out the fields that are false or 0.
func set(fields string) string {
	out := ""
	for f := range strings.FieldsSeq(strings.Trim(fields, "{}")) {
		if !strings.HasSuffix(f, ":false") && !strings.HasSuffix(f, ":0") {
			out += " " + strings.TrimSuffix(f, ":true")
		}
	}
	return out
}

func mark(wrapped bool) string {
	if wrapped {
		return "↩"
	}
	return ""
}

// rows is a screen's text; styles gets a line for every run of cells that are not
// in the default style.
func rows(s *vt.Screen, styles *strings.Builder) string {
	var lines []string
	for y := range s.Rows {
		var text []byte
		row := s.Row(y)
		for x := 0; x < len(row); {
			start := x
			look := row[x]
			for x < len(row) && alike(row[x], look) {
				text = s.AppendText(text, row[x])
				x++
			}
			if d := styleText(s, look); d != "" {
				fmt.Fprintf(styles, "%d %d-%d%s\n", y, start, x-1, d)
			}
		}
		lines = append(lines, strings.TrimRight(string(text), " ")+mark(s.Wrapped[y]))
	}
	for len(lines) > 1 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n") + "\n"
}

func alike(a, b vt.Cell) bool {
	a.Rune, b.Rune = 0, 0
	a.Attr &^= vt.Wide
	b.Attr &^= vt.Wide
	return a == b
}

var attrNames = []struct {
	attr vt.Attr
	name string
}{
	{vt.Bold, "bold"},
	{vt.Dim, "dim"},
	{vt.Italic, "italic"},
	{vt.Blink, "blink"},
	{vt.Reverse, "reverse"},
	{vt.Conceal, "conceal"},
	{vt.Strike, "strike"},
	{vt.Overline, "overline"},
	{vt.Superscript, "super"},
	{vt.Subscript, "sub"},
}

func styleText(s *vt.Screen, c vt.Cell) string {
	d := ""
	for _, a := range attrNames {
		if c.Attr&a.attr != 0 {
			d += " " + a.name
		}
	}
	if u := c.Attr.Underline(); u != 0 {
		d += fmt.Sprintf(" underline %d", u)
	}
	for _, p := range []struct {
		name string
		c    vt.Color
	}{{"fg", c.FG}, {"bg", c.BG}, {"ul", c.UL}} {
		switch {
		case p.c&vt.ColorRGB != 0:
			d += fmt.Sprintf(" %s #%06x", p.name, int(p.c&0xffffff))
		case p.c&vt.ColorIndexed != 0:
			d += fmt.Sprintf(" %s %d", p.name, int(p.c&0xff))
		}
	}
	if c.Link != 0 {
		d += " link " + s.Links[c.Link]
	}
	return d
}
