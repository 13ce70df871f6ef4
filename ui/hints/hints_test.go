package hints_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"reprise/panes/vt"
	"reprise/ui/hints"
)

// screen is what an emulator of so many columns shows of a text.
func screen(t *testing.T, cols, rows int, text string) *vt.Screen {
	t.Helper()
	e := vt.New(vt.Options{Cols: cols, Rows: rows})
	if _, err := e.Write([]byte(strings.ReplaceAll(text, "\n", "\r\n"))); err != nil {
		t.Fatal(err)
	}
	var s vt.Screen
	e.Snapshot(&s)
	return &s
}

// words are hints in short.
func words(all []hints.Hint) (got []string) {
	kinds := []string{hints.Link: "link", hints.Path: "path", hints.Hash: "hash", hints.Address: "address"}
	for _, h := range all {
		s := kinds[h.Kind] + " " + h.Text
		if h.Kind == hints.Path {
			s += fmt.Sprintf(" (%s %d)", h.File, h.Line)
		}
		got = append(got, s)
	}
	return got
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"see https://go.dev/doc?a=1#x.", []string{"link https://go.dev/doc?a=1#x"}},
		{"(https://en.wikipedia.org/wiki/Go_(game)), <http://x.org>", []string{"link https://en.wikipedia.org/wiki/Go_(game)", "link http://x.org"}},
		{"\"HTTP://X.ORG/a\" and mailto:me@x.org;", []string{"link HTTP://X.ORG/a", "link mailto:me@x.org"}},
		{"https:// nohttps://x http://x.de。more", []string{"link http://x.de"}},
		{"ui/copy.go:12:3: undefined", []string{"path ui/copy.go:12:3 (ui/copy.go 12)"}},
		{"copy.go:12 Makefile:3 10:30 localhost:80", []string{"path copy.go:12 (copy.go 12)"}},
		{"at src/App.tsx(10,4) in", []string{"path src/App.tsx(10,4) (src/App.tsx 10)"}},
		{`  File "/usr/lib/x y.py", line 33, in f`, []string{"path /usr/lib/x y.py:33 (/usr/lib/x y.py 33)"}},
		{`  File "<stdin>", line 1`, nil},
		{"  --> src/main.rs:4:5", []string{"path src/main.rs:4:5 (src/main.rs 4)"}},
		{"open /etc/passwd, ~/x ./run.sh ../a.", []string{"path /etc/passwd (/etc/passwd 0)", "path ~/x (~/x 0)", "path ./run.sh (./run.sh 0)", "path ../a (../a 0)"}},
		{"--file=/a/b.c and/or text/html HTTP/1.1 docs/x.md // none 1/2", []string{"path /a/b.c (/a/b.c 0)", "path docs/x.md (docs/x.md 0)"}},
		{"docs/größe.txt:7", []string{"path docs/größe.txt:7 (docs/größe.txt 7)"}},
		{"index 83db48f..bf26bd9 1234567 deadbeef x83db48f1", []string{"hash 83db48f", "hash bf26bd9"}},
		{"commit b7f2c1d0a9e8b7f2c1d0a9e8b7f2c1d0a9e8b7f2", []string{"hash b7f2c1d0a9e8b7f2c1d0a9e8b7f2c1d0a9e8b7f2"}},
		{"10.0.0.1:8080 10.0.0.0/24 256.1.1.1 1.2.3.4.5 12:30:45", []string{"address 10.0.0.1:8080", "address 10.0.0.0/24"}},
		{"fe80::1: ok ::1 2001:db8::/32 std::vector a::b", []string{"address fe80::1", "address ::1", "address 2001:db8::/32"}},
		{"\x1b]8;;https://hidden.org/\x1b\\click 10.0.0.1\x1b]8;;\x1b\\ 10.0.0.2", []string{"link https://hidden.org/", "address 10.0.0.2"}},
		{"", nil},
	} {
		if got := words(hints.Find(screen(t, 100, 3, c.text))); !slices.Equal(got, c.want) {
			t.Errorf("%q\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

// What is wrapped is found whole, at whichever of its cells one looks, and wide
// characters count as the cells that they take.
func TestRuns(t *testing.T) {
	s := screen(t, 20, 6, "日本 https://x.org/abcdefghijklmnopq end\n/tmp/日本.txt:1")
	all := hints.Find(s)
	if got := words(all); !slices.Equal(got, []string{"link https://x.org/abcdefghijklmnopq", "path /tmp/日本.txt:1 (/tmp/日本.txt 1)"}) {
		t.Fatalf("found %q", got)
	}
	if got, want := all[0].Runs, []hints.Run{{0, 5, 20}, {1, 0, 16}}; !slices.Equal(got, want) {
		t.Errorf("the link is at %v, want %v", got, want)
	}
	if got, want := all[1].Runs, []hints.Run{{2, 0, 15}}; !slices.Equal(got, want) {
		t.Errorf("the path is at %v, want %v", got, want)
	}
	for _, c := range []struct {
		row, col int
		want     string
	}{{0, 5, "link"}, {0, 4, ""}, {1, 0, "link"}, {1, 15, "link"}, {1, 16, ""}, {2, 8, "path"}, {2, 6, "path"}, {5, 0, ""}, {9, 0, ""}, {-1, 0, ""}} {
		h, ok := hints.At(s, c.row, c.col)
		if got := append(words([]hints.Hint{h}), ""); ok != (c.want != "") || ok && !strings.HasPrefix(got[0], c.want) {
			t.Errorf("at %d,%d: %q %v, want %q", c.row, c.col, got, ok, c.want)
		}
	}
}

// A screen full of them has a label for each that there is a label for.
func TestLabels(t *testing.T) {
	for n := range hints.Max + 5 {
		labels := hints.Labels(n)
		if len(labels) != min(n, hints.Max) {
			t.Fatalf("%d labels of %d", len(labels), n)
		}
		seen := map[string]bool{}
		for _, l := range labels {
			if len(l) == 2 && seen[l[:1]] || seen[l] || len(l) < 1 || len(l) > 2 {
				t.Fatalf("%d: label %q in %q", n, l, labels)
			}
			seen[l] = true
		}
	}
	if got := hints.Labels(3); !slices.Equal(got, []string{"a", "s", "d"}) {
		t.Errorf("labels %q", got)
	}
	var b strings.Builder
	for i := range hints.Max + 100 {
		fmt.Fprintf(&b, "f%d.c:1 ", i)
	}
	all := hints.Find(screen(t, 200, 100, b.String()))
	if len(all) != hints.Max || all[len(all)-1].Line != 1 || all[len(all)-1].File != fmt.Sprintf("f%d.c", hints.Max+99) {
		t.Errorf("%d hints, the last %+v", len(all), all[len(all)-1])
	}
	of := hints.Labelled([]hints.Hint{{Text: "x"}, {Text: "y"}, {Text: "x"}, {Kind: hints.Hash, Text: "x"}})
	if !slices.Equal(of, []string{"s", "d", "s", "a"}) {
		t.Errorf("labelled %q", of)
	}
}

func TestOpenable(t *testing.T) {
	for _, c := range []struct{ link, want string }{
		{"https://x.org/a?b=c#d", "https://x.org/a?b=c#d"},
		{"HTTP://X.org", "http://X.org"},
		{"file:///tmp/a%20b", "file:///tmp/a%20b"},
		{"file://localhost/tmp/a", "file:///tmp/a"},
		{"mailto:me@x.org?subject=a%20b&attach=/etc/passwd", "mailto:me@x.org?subject=a%20b"},
		{"file://elsewhere/tmp/a", ""},
		{"file:tmp", ""},
		{"http:x", ""},
		{"javascript:alert(1)", ""},
		{"ssh://-oProxyCommand=x/", ""},
		{"--help", ""},
		{"https://x.org/\x1b[31m", ""},
		{"https://x.org/\u202egnp", ""},
		{"https://x.org/a\nb", ""},
		{"https://x.org/" + strings.Repeat("a", 3000), ""},
		{"%zz", ""},
		{"", ""},
	} {
		got, err := hints.Openable(c.link)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q is opened as %q (%v), want %q", c.link, got, err, c.want)
		}
	}
	if got := hints.LocalFile("file:///tmp/a%20b") + hints.LocalFile("https://x.org/y"); got != "/tmp/a b" {
		t.Errorf("local file %q", got)
	}
}

// Whatever is on the screen: what is found lies in it, and in no two at once.
func FuzzFind(f *testing.F) {
	f.Add("https://x.org/\x1b]8;;http://y\x1b\\日本 a.go:1:2 ::1 10.0.0.1/8 abcdef12")
	f.Add("File \"a\", line 3 mailto:a@b.c (1,2) ../../x.c: 日日日日日日日日日日日日日日日/日.a:1")
	f.Fuzz(func(t *testing.T, text string) {
		e := vt.New(vt.Options{Cols: 23, Rows: 7})
		_, _ = e.Write([]byte(text))
		var s vt.Screen
		e.Snapshot(&s)
		taken := map[[2]int]bool{}
		for _, h := range hints.Find(&s) {
			if h.Text == "" || len(h.Runs) == 0 {
				t.Fatalf("nothing: %+v", h)
			}
			for _, r := range h.Runs {
				if r.Row < 0 || r.Row >= s.Rows || r.From < 0 || r.To > s.Cols || r.From >= r.To {
					t.Fatalf("%+v is not on the screen", h)
				}
				for x := r.From; x < r.To; x++ {
					if taken[[2]int{r.Row, x}] {
						t.Fatalf("%+v shares a cell", h)
					}
					taken[[2]int{r.Row, x}] = true
				}
				if got, ok := hints.At(&s, r.Row, r.From); !ok || got.Text != h.Text {
					t.Fatalf("at %v: %+v, want %+v", r, got, h)
				}
			}
			_, _ = hints.Openable(h.Text)
		}
	})
}
