package vt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// morePieces are what random streams of dumps hold beside pieces: what is seen only
// later.
var morePieces = []string{
	"\x1b[?%dh", "\x1b[?%dl", "\x1b[?%d;%ds", "\x1b[?7;25;1007;2048s", "\x1b[?7;25;1007;2048r", "\x1b[?1049;1048;6;3;47s", "\x1b[?1048r", "\x1b[?40;3h",
	"\x1b[?2004h", "\x1b[?1000h", "\x1b[?1003;1006h", "\x1b[?1004h", "\x1b[?1007l", "\x1b[?25l", "\x1b[?95h", "\x1b[?66h", "\x1b=", "\x1b[2h", "\x1b[12l",
	"\x1b]4;%d;#123456\x1b\\", "\x1b]10;#abcdef\x1b\\", "\x1b]11;rgb:1/2/3\x1b\\", "\x1b]12;#010203\x1b\\", "\x1b]104\x1b\\", "\x1b]110\x1b\\", "\x1b]4;%d;?\x1b\\",
	"\x1b]7;file://h/a%20b%3fc%25\x1b\\", "\x1b]9;4;1;%d\x1b\\", "\x1b]9;4;3\x1b\\", "\x1b]7501;state=blocked:app=x:kind=permission\x1b\\", "\x1b[%d q",
	"\x1b]99;i=1:d=0:p=title;half\x1b\\", "\x1b]99;i=1:d=0:p=body;b\x1b\\", "\x1b]99;;whole\x1b\\", "\x1b]52;c;eA==\x1b\\", "\x1b]1;icon\x1b\\", "\x1b]2;漢 100%s\x1b\\",
	"\x1bo", "\x1bn", "\x1b*A", "\x1b+0", "\x1bO", "#_q", "\x1b[2\"q", "\x1b[?996n", "\x1b[?2031h", "\x1b[?6$p", "\x1bP$q\"q\x1b\\", "\x1bP$qr\x1b\\",
	"\a", "\x1b[s", "\x1b[?69h\x1b[%d;%ds", "\x1b[%d;%dr\x1b[?6h", "0123456789012345678901234567890123456789", "漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢",
	"\x1b[?1049;1048;6;3;47;2026r", "\x1b[>%du", "\x1b[?7l", "\x1b[?7h",
	// incomplete
	"\x1b", "\x1b[", "\x1b[1", "\x1b[1;", "\x1b[?", "\x1b[?1;2:3", "\x1b[1$", "\x1b[  ", "\x1b[1;2;3;4;5;6;7;8;9;10;1;2;3;4;5;6;7;8;9;10;1;2;3;4;5;6;7;8;9;10;1;2;3;4", "\x1b(", "\x1b##",
	"\x1b]0;tit", "\x1b]8;;http://x", "\x1bP$q", "\x1bPx\x1b", "\x1b_x", "\x1b]2;y\x1b", "\xe6", "\xe6\xbc", "\xf0\x9f\x99", "\xf0", "\xf4\x8f", "\xe0", "\xed\x9f", "\xc2", "\xf0\x90",
}

func dumpStream(r *rand.Rand, n int) []byte {
	var b []byte
	for range n {
		if r.IntN(3) > 0 {
			b = append(b, randomStream(r, 1)...)
			continue
		}
		s := morePieces[r.IntN(len(morePieces))]
		for bytes.Contains([]byte(s), []byte("%d")) {
			v := r.IntN(12)
			if r.IntN(4) == 0 {
				v = []int{1000, 1002, 1004, 1006, 1045, 1048, 1049, 2004, 2026, 2031, 2048, 69, 66, 95, 40, 45, 41, 25}[r.IntN(18)]
			}
			before, after, _ := bytes.Cut([]byte(s), []byte("%d"))
			s = fmt.Sprintf("%s%d%s", before, v, after)
		}
		b = append(b, s...)
	}
	return b
}

// dumped is a terminal and what it said.
type dumped struct {
	*Emulator
	said bytes.Buffer
}

func newDumped(cols, rows int) *dumped {
	d := &dumped{}
	d.Emulator = New(Options{
		Cols: cols, Rows: rows, Scrollback: 40,
		Reply:     func(b []byte) { fmt.Fprintf(&d.said, "reply %q\n", b) },
		Clipboard: func(b []byte) { fmt.Fprintf(&d.said, "clipboard %q\n", b) },
		Notify:    func(title, body string) { fmt.Fprintf(&d.said, "notify %q %q\n", title, body) },
	})
	return d
}

// again makes a new terminal of d's dump.
func (d *dumped) again() (*dumped, []byte, error) {
	dump := d.AppendDump([]byte("before"))[len("before"):]
	other := newDumped(d.cols, d.rows)
	other.Restore(dump)
	if other.said.Len() > 0 {
		return nil, nil, fmt.Errorf("a dump was answered: %s", other.said.String())
	}
	other.told.bells = d.told.bells
	return other, dump, nil
}

func alike(a, b *dumped, what string) error {
	if x, y := a.dump(), b.dump(); x != y {
		return fmt.Errorf("%s: original, copy:\n%s", what, cmp.Diff(x, y))
	}
	if a.State() != b.State() {
		return fmt.Errorf("%s: state %+v, copy %+v", what, a.State(), b.State())
	}
	if x, y := a.said.String(), b.said.String(); x != y {
		return fmt.Errorf("%s: original said\n%s\ncopy\n%s", what, x, y)
	}
	return b.check()
}

func dumpSession(seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 7))
	d := newDumped(1+r.IntN(30), 1+r.IntN(10))
	for range 6 {
		_, _ = d.Write(dumpStream(r, 1+r.IntN(40)))
		if r.IntN(4) == 0 {
			d.Resize(1+r.IntN(30), 1+r.IntN(10))
		}
		if err := checkDump(d, dumpStream(r, 1+r.IntN(60)), r); err != nil {
			return err
		}
	}
	return nil
}

// checkDump dumps d and gives both the same to go on with, in pieces and with other
// sizes between them.
func checkDump(d *dumped, more []byte, r *rand.Rand) error {
	copied, dump, err := d.again()
	if err != nil {
		return err
	}
	d.said.Reset()
	if d.alt == nil && copied.alt != nil {
		d.alt = d.newPage(false) // one that was never shown is as good as a blank one
	}
	if err := alike(d, copied, fmt.Sprintf("dump %q", dump)); err != nil {
		return err
	}
	if bytes.Equal(d.last.again, copied.last.again) {
		if again := copied.AppendDump(nil); !bytes.Equal(again, dump) {
			return fmt.Errorf("dump %q\nof the copy %q", dump, again)
		}
	} else { // see AppendDump
		for _, e := range []*dumped{d, copied} {
			_, _ = e.Write([]byte("\x18x"))
		}
	}
	for done := 0; done < len(more); {
		n := min(len(more)-done, 1+r.IntN(64))
		_, _ = d.Write(more[done : done+n])
		_, _ = copied.Write(more[done : done+n])
		done += n
		if err := alike(d, copied, fmt.Sprintf("dump %q\nthen %q", dump, more[:done])); err != nil {
			return err
		}
		if r.IntN(4) == 0 {
			cols, rows := 1+r.IntN(30), 1+r.IntN(10)
			d.Resize(cols, rows)
			copied.Resize(cols, rows)
			if err := alike(d, copied, fmt.Sprintf("dump %q\nthen %q\nthen %dx%d", dump, more[:done], cols, rows)); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestDump makes copies of terminals in random states and goes on with both.
func TestDump(t *testing.T) {
	sessions := uint64(60)
	if testing.Short() {
		sessions = 20
	}
	for seed := range sessions {
		if err := dumpSession(seed); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestDumpOfPartOfACharacter cuts every kind of character after every byte.
func TestDumpOfPartOfACharacter(t *testing.T) {
	for _, c := range []string{"\u0080", "\u07ff", "\u0800", "\u0fff", "\u1000", "\ud7ff", "\uffff", "\U00010000", "\U0003ffff", "\U00100000", "\U0010ffff"} {
		for n := range len(c) {
			e := New(Options{Cols: 4, Rows: 1})
			_, _ = e.Write([]byte(c[:n]))
			if got := e.parser.appendPending(nil); string(got) != c[:n] {
				t.Errorf("%q cut after %d bytes: %q", c, n, got)
			}
		}
	}
}

// TestDumpOfRecordings cuts what real agents wrote here and there, has the rest
// written to a copy too, and holds the two together.
func TestDumpOfRecordings(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(dataDir(t, "recordings"), "*.raw"))
	if len(files) == 0 {
		t.Fatal("no recordings")
	}
	for i, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(i), 9))
		d := newDumped(120, 40)
		for len(raw) > 0 {
			n := min(len(raw), 1+r.IntN(20_000))
			_, _ = d.Write(raw[:n])
			raw = raw[n:]
			copied, dump, err := d.again()
			if err != nil {
				t.Fatal(err)
			}
			d.said.Reset()
			if again := copied.AppendDump(nil); !bytes.Equal(again, dump) {
				t.Fatalf("%s: %q\nof the copy %q", f, dump, again)
			}
			rest := raw[:min(len(raw), 2000)]
			raw = raw[len(rest):]
			_, _ = d.Write(rest)
			_, _ = copied.Write(rest)
			if err := alike(d, copied, f); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// FuzzDump dumps a terminal in any state and goes on with both.
func FuzzDump(f *testing.F) {
	for i := range 40 {
		r := rand.New(rand.NewPCG(uint64(i), 11))
		f.Add(dumpStream(r, 30), dumpStream(r, 10), uint64(i)*0x9E3779B97F4A7C15)
	}
	for _, s := range morePieces {
		f.Add([]byte(s), []byte(s), uint64(len(s)))
	}
	f.Fuzz(func(t *testing.T, b, more []byte, size uint64) {
		if len(b) > 4096 || len(more) > 4096 {
			return
		}
		r := rand.New(rand.NewPCG(size, 12))
		d := newDumped(1+r.IntN(40), 1+r.IntN(12))
		_, _ = d.Write(b)
		if r.IntN(3) == 0 {
			d.Resize(1+r.IntN(40), 1+r.IntN(12))
		}
		if err := checkText(d.Emulator, 2+r.IntN(40), 1+r.IntN(10)); d.cols > 1 && err != nil {
			t.Fatal(err)
		}
		if err := checkDump(d, more, r); err != nil {
			t.Fatal(err)
		}
	})
}
