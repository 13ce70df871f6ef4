package history_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"

	"reprise/panes"
	"reprise/panes/history"
)

var saveTime = time.Date(2026, 3, 1, 14, 32, 0, 0, time.UTC)

func record(text string) history.Record {
	return history.Record{At: saveTime, Cols: 80, Text: []byte(text)}
}

// save saves what must be saved.
func save(t *testing.T, s *history.Store, p panes.PaneID, text string) {
	t.Helper()
	if err := s.Save(p, record(text)); err != nil {
		t.Fatal(err)
	}
}

// text is a pane's saved text; "" if there is none.
func text(t *testing.T, s *history.Store, p panes.PaneID) string {
	t.Helper()
	r, err := s.Load(p)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(r.Text)
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestSaveLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "history")
	s := history.NewStore(dir, history.Options{})
	p := panes.NewPaneID()
	if _, err := s.Load(p); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a pane without history: %v", err)
	}
	for _, want := range []history.Record{
		{At: saveTime, Cols: 80, Text: []byte("\x1b[31mred\x1b[m\nzwei\n")},
		{At: saveTime.Add(time.Millisecond), Cols: panes.MaxSide, Text: []byte("ä漢\n")},
		{At: saveTime, Cols: 1, Text: bytes.Repeat([]byte("0123456789\n"), 1000)},
	} {
		if err := s.Save(p, want); err != nil {
			t.Fatal(err)
		}
		got, err := s.Load(p)
		if err != nil {
			t.Fatal(err)
		}
		if !got.At.Equal(want.At) || got.At.Location() != time.UTC || got.Cols != want.Cols || !bytes.Equal(got.Text, want.Text) {
			t.Errorf("%v %d %.40q became %v %d %.40q", want.At, want.Cols, want.Text, got.At, got.Cols, got.Text)
		}
	}
	if got := names(t, dir); !slices.Equal(got, []string{string(p) + ".zst"}) {
		t.Errorf("files: %q", got)
	}
	for path, want := range map[string]fs.FileMode{dir: 0o700, filepath.Join(dir, string(p)+".zst"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", path, info.Mode(), err, want)
		}
	}
	if err := s.Remove(p); err != nil {
		t.Fatal(err)
	}
	if got := text(t, s, p); got != "" {
		t.Errorf("removed: %q", got)
	}
	if err := s.Remove(p); err != nil {
		t.Errorf("removed twice: %v", err)
	}
}

func TestNoText(t *testing.T) {
	s := history.NewStore(t.TempDir(), history.Options{})
	save(t, s, "p", "text\n")
	save(t, s, "p", "")
	if _, err := s.Load("p"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a pane without text has a file: %v", err)
	}
}

// A folder that was open to others is closed before anything is put there.
func TestFolderIsClosed(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	save(t, history.NewStore(dir, history.Options{}), "p", "x")
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// Any zstd shows a file's text.
func TestFilesAreZstd(t *testing.T) {
	dir := t.TempDir()
	save(t, history.NewStore(dir, history.Options{}), "p", "some text\n")
	b, err := os.ReadFile(filepath.Join(dir, "p.zst"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if got, err := d.DecodeAll(b, nil); err != nil || string(got) != "some text\n" {
		t.Errorf("%q %v", got, err)
	}
}

func TestNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "h")
	s := history.NewStore(dir, history.Options{})
	for _, p := range []panes.PaneID{
		"", ".", "..", "../x", "a/b", "/etc/x", "a.zst", "a\x00b", "a\nb", "ä", "a b",
		panes.PaneID(strings.Repeat("a", 65)),
	} {
		if err := s.Save(p, record("x")); !errors.Is(err, history.ErrPane) {
			t.Errorf("save %q: %v", p, err)
		}
		if _, err := s.Load(p); !errors.Is(err, history.ErrPane) {
			t.Errorf("load %q: %v", p, err)
		}
		if err := s.Remove(p); !errors.Is(err, history.ErrPane) {
			t.Errorf("remove %q: %v", p, err)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was made for nothing: %v", err)
	}
	for _, p := range []panes.PaneID{"a", "A_9-z", "-", panes.PaneID(strings.Repeat("a", 64)), panes.NewPaneID()} {
		save(t, s, p, "x")
		if got := text(t, s, p); got != "x" {
			t.Errorf("%q: %q", p, got)
		}
	}
}

func TestPaneBound(t *testing.T) {
	for _, c := range []struct {
		name, text string
		bytes      int
		want       string
	}{
		{"fits", "one\ntwo\n", 8, "one\ntwo\n"},
		{"the oldest line goes", "one\ntwo\n", 7, "two\n"},
		{"whole lines", "one\ntwo\nthree\n", 9, "three\n"},
		{"cut at a line's start", "one\ntwo\n", 4, "two\n"},
		{"the last line has no end", "one\ntwo", 6, "two"},
		{"one line", "abcdef", 3, "def"},
		{"one line with its end", "abcdef\n", 3, "ef\n"},
		{"one line of wide characters", "漢字", 4, "字"},
		{"not UTF-8", "\x80\x80\x80\x80\x80\x80\x80\x80", 7, "\x80\x80\x80\x80"},
		{"not a character", "a\x80\x80", 2, "\x80"},
	} {
		s := history.NewStore(t.TempDir(), history.Options{PaneBytes: c.bytes})
		save(t, s, "p", c.text)
		if got := text(t, s, "p"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	// Whatever bound was asked for, what is saved can be read.
	s := history.NewStore(t.TempDir(), history.Options{PaneBytes: 1 << 40})
	long := strings.Repeat("a line of some length\n", history.MaxText/20)
	save(t, s, "p", long)
	if got := text(t, s, "p"); len(got) > history.MaxText || len(got) < history.MaxText-22 || !strings.HasSuffix(long, got) {
		t.Errorf("%d bytes", len(got))
	}
}

// noise is text that hardly gets smaller.
func noise(seed uint64, n int) string {
	b := make([]byte, n)
	for i := range b {
		seed = seed*6364136223846793005 + 1442695040888963407
		b[i] = byte('!' + (seed>>33)%90)
	}
	return string(b)
}

// age sets when a file was saved.
func age(t *testing.T, dir, name string, d time.Duration) {
	t.Helper()
	at := time.Now().Add(-d)
	if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
		t.Fatal(err)
	}
}

func TestTotalBound(t *testing.T) {
	dir := t.TempDir()
	s := history.NewStore(dir, history.Options{TotalBytes: 40_000})
	for i := range 4 { // a is the oldest
		name := string(rune('a' + i))
		save(t, s, panes.PaneID(name), noise(uint64(i), 10_000))
		age(t, dir, name+".zst", time.Duration(10-i)*time.Hour)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), bytes.Repeat([]byte("x"), 100_000), 0o600); err != nil {
		t.Fatal(err)
	}
	// b was saved again meanwhile, so a and c are the oldest now.
	save(t, s, "b", noise(9, 10_000))
	save(t, s, "e", noise(10, 16_000))
	if got, want := names(t, dir), []string{"b.zst", "d.zst", "e.zst", "notes.txt"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	// One that is larger than the bound alone stays: it is the only one.
	save(t, s, "f", noise(11, 100_000))
	if got, want := names(t, dir), []string{"f.zst", "notes.txt"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	s := history.NewStore(filepath.Join(dir, "none"), history.Options{})
	if err := s.Prune(func(panes.PaneID) bool { return false }); err != nil {
		t.Errorf("no folder: %v", err)
	}
	s = history.NewStore(dir, history.Options{})
	for _, p := range []panes.PaneID{"kept", "gone"} {
		save(t, s, p, "x")
	}
	for name, d := range map[string]time.Duration{
		"kept.1.tmp": 2 * time.Hour, "gone.2.tmp": time.Minute, // the second one's writer may live
		"notes.zst.txt": 2 * time.Hour, "..zst": 2 * time.Hour, "a b.zst": 2 * time.Hour, "x.tmp": 2 * time.Hour,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		age(t, dir, name, d)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.zst"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("kept.zst", filepath.Join(dir, "link.zst")); err != nil {
		t.Fatal(err)
	}
	var asked []panes.PaneID
	err := s.Prune(func(p panes.PaneID) bool {
		asked = append(asked, p)
		return p == "kept"
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"..zst", "a b.zst", "folder.zst", "gone.2.tmp", "kept.zst", "link.zst", "notes.zst.txt", "x.tmp"}
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if !slices.Equal(asked, []panes.PaneID{"gone", "kept"}) {
		t.Errorf("asked for %q", asked)
	}
}

// file is a file as a hostile hand may make one: every field as given.
func file(version, cols uint16, size uint32, at int64, frame []byte) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(nil, 0x184D2A5E)
	b = le.AppendUint32(b, 24)
	b = append(b, "reprise\x00"...)
	b = le.AppendUint16(b, version)
	b = le.AppendUint16(b, cols)
	b = le.AppendUint32(b, size)
	b = le.AppendUint64(b, uint64(at))
	return append(b, frame...)
}

// frame is text as zstd has it.
func frame(t *testing.T, text []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(text, nil)
}

func TestHostileFiles(t *testing.T) {
	small := frame(t, []byte("text"))
	bomb := frame(t, make([]byte, 64<<20)) // some KiB
	cut := frame(t, []byte(noise(1, 5000)))
	changed := bytes.Clone(cut)
	changed[len(changed)/2] ^= 1
	at := saveTime.UnixMilli()
	dir := t.TempDir()
	s := history.NewStore(dir, history.Options{})
	for _, c := range []struct {
		name  string
		bytes []byte
		want  error
	}{
		{"empty", nil, history.ErrDamaged},
		{"garbage", []byte(noise(2, 4000)), history.ErrDamaged},
		{"zstd of another program", small, history.ErrDamaged},
		{"header only", file(1, 80, 4, at, nil), history.ErrDamaged},
		{"half a header", file(1, 80, 4, at, nil)[:20], history.ErrDamaged},
		{"no frame", file(1, 80, 4, at, []byte("text")), history.ErrDamaged},
		{"cut", file(1, 80, 5000, at, cut[:len(cut)-100]), history.ErrDamaged},
		{"without its checksum", file(1, 80, 5000, at, cut[:len(cut)-4]), history.ErrDamaged},
		{"a bit changed", file(1, 80, 5000, at, changed), history.ErrDamaged},
		{"less text than promised", file(1, 80, 5, at, small), history.ErrDamaged},
		{"more text than promised", file(1, 80, 3, at, small), history.ErrDamaged},
		{"bomb", file(1, 80, 4, at, bomb), history.ErrDamaged},
		{"bomb that promises much", file(1, 80, history.MaxText, at, bomb), history.ErrDamaged},
		{"bomb that is honest", file(1, 80, 64<<20, at, bomb), history.ErrDamaged},
		{"many frames", file(1, 80, 4, at, bytes.Repeat(small, 1000)), history.ErrDamaged},
		{"no columns", file(1, 0, 4, at, small), history.ErrDamaged},
		{"too many columns", file(1, panes.MaxSide+1, 4, at, small), history.ErrDamaged},
		{"time before 1970", file(1, 80, 4, -1, small), history.ErrDamaged},
		{"time without end", file(1, 80, 4, 1<<62, small), history.ErrDamaged},
		{"version 0", file(0, 80, 4, at, small), history.ErrDamaged},
		{"newer version", file(2, 80, 4, at, small), history.ErrNewer},
		{"newer version of another form", file(7, 0, 0, -1, nil), history.ErrNewer},
		{"good", file(1, 80, 4, at, small), nil},
	} {
		path := filepath.Join(dir, "p.zst")
		if err := os.WriteFile(path, c.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := s.Load("p")
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, c.bytes) {
			t.Errorf("%s: the file did not stay: %v", c.name, err)
		}
		save(t, s, "p", "new")
		if got := text(t, s, "p"); got != "new" {
			t.Errorf("%s: after a save %q", c.name, got)
		}
	}
}

// What is no file is neither followed nor waited for nor read.
func TestHostileEntries(t *testing.T) {
	dir := t.TempDir()
	s := history.NewStore(dir, history.Options{})
	save(t, s, "real", "text")
	huge := filepath.Join(dir, "huge.zst")
	for name, make := range map[string]func(path string) error{
		"link":   func(path string) error { return os.Symlink("real.zst", path) },
		"pipe":   func(path string) error { return unix.Mkfifo(path, 0o600) },
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"huge": func(string) error {
			if err := os.WriteFile(huge, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(huge, 1<<40) // a hole
		},
	} {
		if err := make(filepath.Join(dir, name+".zst")); err != nil {
			t.Fatal(err)
		}
		if r, err := s.Load(panes.PaneID(name)); err == nil {
			t.Errorf("%s: %q", name, r.Text)
		}
	}
	if err := os.Remove(huge); err != nil { // it is the total bound's
		t.Fatal(err)
	}
	// A save replaces the link and the pipe, and does not write through them.
	for _, p := range []panes.PaneID{"link", "pipe"} {
		save(t, s, p, "new")
		if got := text(t, s, p); got != "new" {
			t.Errorf("%s: %q", p, got)
		}
	}
	if got := text(t, s, "real"); got != "text" {
		t.Errorf("written through a link: %q", got)
	}
	if err := s.Save("folder", record("x")); err == nil {
		t.Error("a folder was replaced")
	}
	for _, name := range names(t, dir) {
		if strings.HasSuffix(name, ".tmp") {
			t.Errorf("%s was left", name)
		}
	}
}

// A bomb costs no memory beyond what its header promises.
func TestBombTakesNoMemory(t *testing.T) {
	dir := t.TempDir()
	bomb := frame(t, make([]byte, 64<<20))
	if err := os.WriteFile(filepath.Join(dir, "p.zst"), file(1, 80, 100, 0, bomb), 0o600); err != nil {
		t.Fatal(err)
	}
	s := history.NewStore(dir, history.Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := s.Load("p"); !errors.Is(err, history.ErrDamaged) {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 8<<20 {
		t.Errorf("%d bytes for %d bytes of bomb", got, len(bomb))
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(file(1, 80, 4, 0, []byte{0x28, 0xb5, 0x2f, 0xfd, 4, 0, 0x21, 0, 0, 't', 'e', 'x', 't', 1, 2, 3, 4}))
	f.Add(file(1, 80, 0, 0, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "p.zst"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := history.NewStore(dir, history.Options{}).Load("p")
		if err == nil && (len(r.Text) > history.MaxText || r.Cols < 1 || r.Cols > panes.MaxSide) {
			t.Errorf("%d bytes, %d columns", len(r.Text), r.Cols)
		}
	})
}

// screenful is a pane's text as a program's log has it: n lines, some coloured.
func screenful(n int) []byte {
	var b []byte
	for i := range n {
		b = fmt.Appendf(b, "\x1b[2m2026-03-01T14:%02d:%02d\x1b[m \x1b[32mINFO\x1b[m request %08x served in %d ms: /api/v1/items/%d?page=%d\n",
			i/60%60, i%60, uint32(i)*2654435761, i*7919%900, i%97, i%11)
	}
	return b
}

func BenchmarkSave(b *testing.B) {
	dir := b.TempDir()
	s := history.NewStore(dir, history.Options{})
	r := history.Record{At: saveTime, Cols: 120, Text: screenful(10_000)}
	b.SetBytes(int64(len(r.Text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Save("p", r); err != nil {
			b.Fatal(err)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "p.zst"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size())/10_000, "disk-B/line")
	b.ReportMetric(float64(len(r.Text))/10_000, "text-B/line")
}

func BenchmarkLoad(b *testing.B) {
	s := history.NewStore(b.TempDir(), history.Options{})
	r := history.Record{At: saveTime, Cols: 120, Text: screenful(10_000)}
	if err := s.Save("p", r); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(r.Text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Load("p"); err != nil {
			b.Fatal(err)
		}
	}
}
