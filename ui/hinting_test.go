package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes"
	"reprise/testdata/lab"
	"reprise/ui"
	"reprise/ui/pump"
)

// opening runs a test with a pane whose program printed text, where links are opened
// by writing them into a file: what was opened is its lines. In a bubble the opener
// is not waited for.
func opening(t *testing.T, text string, set func(*ui.Config), f func(c *client, opened func() string)) {
	t.Helper()
	dir := t.TempDir()
	log := filepath.Join(dir, "opened")
	opener := filepath.Join(dir, "opener")
	script := "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" > " + log + ".new\nmv " + log + ".new " + log + "\n"
	lab.WriteProgram(t, opener, []byte(script), 0o700)
	runOn(t, 1, nil, func(cfg *ui.Config) {
		cfg.Size = panes.Size{Cols: 80, Rows: 24}
		cfg.Home, cfg.Opener = dir, opener+" -x"
		cfg.Env = append(cfg.Env, "PATH="+os.Getenv("PATH"))
		set(cfg)
	}, func(c *client) {
		c.programs[0].out <- []byte(strings.ReplaceAll(text, "\n", "\r\n"))
		c.settle()
		f(c, func() string {
			c.settle()
			b, _ := os.ReadFile(log)
			_ = os.Remove(log)
			return string(b)
		})
	})
}

const someHints = "see https://x.org/a, ui/copy.go:12 and\n\x1b]8;;https://hidden.org\x1b\\this\x1b]8;;\x1b\\ at 10.0.0.1\nrev 83db48f https://x.org/a\n"

func asIs(*ui.Config) {}

func TestHints(t *testing.T) {
	opening(t, someHints, asIs, func(c *client, _ func() string) {
		c.press("ctrl+b", "F")
		// The newest is under the first finger; the same link has the same label.
		c.sees(" hints ", "a-z copy   A-Z open   esc close", "see attps://x.org/a, ji/copy.go:12", "fhis at d0.0.0.1", "rev s3db48f attps://x.org/a")
		c.programs[0].out <- []byte("\x1b[2Jgone")
		c.sees("rev s3db48f")
		c.press("z", "enter", "s")
		if got := c.clipboard(); got != "83db48f" {
			t.Errorf("copied %q", got)
		}
		c.misses(" hints ", "rev")
		c.press("ctrl+b", "]")
		if got := c.programs[0].typed(); got != "83db48f" {
			t.Errorf("pasted %q", got)
		}
	})
}

// With shift a label opens: a link by the opener, as one argument that no shell
// sees; what is no link or file is copied.
func TestHintsOpen(t *testing.T) {
	opening(t, someHints+"https://x.org/$(id);&a\n", asIs, func(c *client, opened func() string) {
		for _, o := range []struct{ key, args, copied string }{
			{"A", "2\n-x\nhttps://x.org/$(id);&a\n", ""},
			{"S", "2\n-x\nhttps://x.org/a\n", ""},
			{"J", "2\n-x\nhttps://hidden.org\n", ""},
			{"D", "", "83db48f"},
			{"F", "", "10.0.0.1"},
		} {
			c.press("ctrl+b", "F", o.key)
			if got := opened(); got != o.args {
				t.Errorf("%s: opened with %q, want %q\n%s", o.key, got, o.args, c.screen())
			}
			if got := c.clipboard(); got != o.copied {
				t.Errorf("%s: copied %q, want %q", o.key, got, o.copied)
			}
		}
	})
}

// Labels of two letters: the first one narrows them down, and can be taken back.
func TestHintsOfTwoLetters(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		b.WriteString("/f/" + string(rune('a'+i%26)) + strings.Repeat("x", i/26) + " ")
	}
	opening(t, b.String(), asIs, func(c *client, _ func() string) {
		c.press("ctrl+b", "F")
		c.sees("mq/a mh/b", "nz/q", "df/fxx sf/gxx af/hxx")
		before := c.screen()
		c.press("n")
		c.sees("/f/a /f/b", "zf/q", "/f/hxx")
		c.misses("mq")
		c.press("backspace")
		if got := c.screen(); got != before {
			t.Errorf("taken back:\n%s\nwant\n%s", got, before)
		}
	})
}

// One who only looks on copies, and opens nothing.
func TestHintsReadOnly(t *testing.T) {
	opening(t, someHints, func(cfg *ui.Config) { cfg.ReadOnly = true }, func(c *client, opened func() string) {
		c.press("ctrl+b", "F", "A")
		c.sees("This client only looks on")
		if got := opened(); got != "" {
			t.Errorf("opened with %q", got)
		}
		c.press("ctrl+b", "F", "a")
		if got := c.clipboard(); got != "https://x.org/a" {
			t.Errorf("copied %q", got)
		}
	})
}

// What cannot be opened is said, and copied where that helps.
func TestHintsNotOpened(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"run": 0o700, "a.desktop": 0o600, "text": 0o600} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	missing := func(cfg *ui.Config) { cfg.Opener = "no-such-opener" }
	failing := func(cfg *ui.Config) { cfg.Opener = "false" }
	for _, o := range []struct {
		link   string
		set    func(*ui.Config)
		says   string
		copied string
	}{
		{"file://" + dir + "/text", asIs, "Opened file:///", ""},
		{"file://" + dir + "/run", asIs, "Not opened: " + dir[:20], ""},
		{"file://" + dir + "/a.desktop", asIs, "Not opened: " + dir[:20], ""},
		{"file://" + dir + "/none", asIs, "Not opened: there is no file", ""},
		{"file://other.org/etc/passwd", asIs, "Not opened: it names a file of another machine", ""},
		{"ssh://x.org", asIs, `Not opened: only http, https, file and mailto are opened, not "ssh"`, ""},
		{"https://x.org", missing, "no-such-opener is not there to open links", "https://x.org"},
		{"https://x.org", failing, "Could not open the link, it was copied (false: exit status 1)", "https://x.org"},
		{"/no/such/file:3", asIs, "There is no file /no/such/file.", ""},
		{"plain text", asIs, "No link, path, hash or address is in sight in this pane.", ""},
	} {
		opening(t, o.link+"\n", o.set, func(c *client, _ func() string) {
			c.press("ctrl+b", "F", "A")
			c.settle()
			c.sees(o.says)
			if got := c.clipboard(); got != o.copied {
				t.Errorf("%s: copied %q, want %q", o.link, got, o.copied)
			}
		})
	}
}

// A path is opened in the editor, at its line, in a pane of its own, which closes
// with it; from the directory that its program tells.
func TestHintsEdit(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "--cmd=x")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, o := range []struct{ editor, want string }{
		{"EDITOR=vim -R", "vim -R +12 " + file},
		{"VISUAL=/usr/bin/hx", "/usr/bin/hx " + file + ":12"},
		{"EDITOR=code", "code --goto " + file + ":12"},
		{"EDITOR=", "vi +12 " + file},
	} {
		editor := func(cfg *ui.Config) { cfg.Env = append(cfg.Env, o.editor) }
		opening(t, "\x1b]7;file://"+dir+"\x1b\\error in ./--cmd=x, --cmd:9 \"\nFile \"--cmd=x\", line 12\n", editor, func(c *client, _ func() string) {
			c.press("ctrl+b", "F", "A")
			c.settle()
			r := c.agents.started
			if len(r) != 1 || strings.Join(r[0].Argv, " ") != o.want || r[0].Dir != dir {
				t.Fatalf("started %+v, want %s", r, o.want)
			}
			if n := len(c.host.Layout().Panes()); n != 2 {
				t.Fatalf("%d panes", n)
			}
			c.programs[1].end <- panes.Exit{}
			c.wait(time.Second)
			if n := len(c.host.Layout().Panes()); n != 1 {
				t.Errorf("%d panes when the editor has ended", n)
			}
		})
	}
}

// An editor that fails leaves its pane, where it may have said why.
func TestFailedEditorStays(t *testing.T) {
	opening(t, "/etc/passwd:1\n", asIs, func(c *client, _ func() string) {
		c.press("ctrl+b", "F", "A")
		c.settle()
		c.programs[1].end <- panes.Exit{Status: 1}
		c.wait(time.Second)
		if n := len(c.host.Layout().Panes()); n != 2 {
			t.Errorf("%d panes when the editor has failed", n)
		}
	})
}

// Links open by ctrl and a click, shown as text or behind it; files only where no
// program wants the mouse.
func TestLinksOpenByMouse(t *testing.T) {
	click := func(x, y int, mod uv.KeyMod) []pump.Event {
		e := uv.Mouse{X: x, Y: y, Button: uv.MouseLeft, Mod: mod}
		return []pump.Event{{Ev: uv.MouseClickEvent(e)}, {Ev: uv.MouseMotionEvent(e)}, {Ev: uv.MouseReleaseEvent(e)}}
	}
	for _, o := range []struct {
		modes, name string
		x, y        int
		mod         uv.KeyMod
		opens, told bool
	}{
		{"", "a link", 4, 0, uv.ModCtrl, true, false},
		{"", "its last cell", 18, 0, uv.ModCtrl, true, false},
		{"", "behind it", 19, 0, uv.ModCtrl, false, false},
		{"", "a link behind text", 1, 1, uv.ModCtrl, true, false},
		{"", "without ctrl", 4, 0, 0, false, false},
		{"\x1b[?1000h\x1b[?1006h", "a link, the program wants the mouse", 4, 0, uv.ModCtrl, true, false},
		{"\x1b[?1000h\x1b[?1006h", "a path, the program wants the mouse", 22, 0, uv.ModCtrl, false, true},
		{"\x1b[?1000h\x1b[?1006h", "a link without ctrl", 4, 0, 0, false, true},
	} {
		opening(t, someHints+o.modes, asIs, func(c *client, opened func() string) {
			for _, e := range click(o.x, o.y, o.mod) {
				c.event(e)
			}
			if got := opened(); (got != "") != o.opens || got != "" && !strings.HasPrefix(got, "2\n-x\nhttps://") {
				t.Errorf("%s: opened with %q", o.name, got)
			}
			if got := c.programs[0].typed(); (got != "") != o.told {
				t.Errorf("%s: the program was told %q", o.name, got)
			}
		})
	}
	opening(t, someHints, asIs, func(c *client, _ func() string) {
		for _, e := range click(22, 0, uv.ModCtrl) {
			c.event(e)
		}
		c.sees("There is no file")
	})
}

// The text of a pane opens in the editor, at its end, as a file that only the person
// can read and that goes with the program.
func TestEditScrollback(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	reading(t, 1, 500, func(c *client) {
		c.press("ctrl+b", "e")
		c.settle()
		r := c.agents.started
		if len(r) != 1 || len(r[0].Argv) != 3 || r[0].Argv[0] != "vi" || r[0].Argv[1] != "+500" || r[0].Argv[2] != r[0].Scratch {
			t.Fatalf("started %+v", r)
		}
		b, err := os.ReadFile(r[0].Scratch)
		if err != nil || !strings.HasPrefix(string(b), "line 1 of the log\nline 2 of") || !strings.HasSuffix(string(b), "\nline 500 of the log\n") {
			t.Errorf("the file holds %d bytes (%v)", len(b), err)
		}
	})
}

// A file that no editor looks at does not stay.
func TestEditScrollbackFails(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	reading(t, 1, 5, func(c *client) {
		c.agents.failing = errTest
		c.press("ctrl+b", "e")
		c.sees("Could not open the editor: the disk is full")
		if n := len(c.host.Layout().Panes()); n != 1 {
			t.Errorf("%d panes", n)
		}
	})
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left over: %v (%v)", left, err)
	}
}

// Links behind text reach a terminal that knows them, and no other.
func TestLinksReachTheTerminal(t *testing.T) {
	for term, knows := range map[string]bool{"xterm-kitty": true, "xterm-256color": false} {
		opening(t, someHints, func(cfg *ui.Config) { cfg.Env = append(cfg.Env, "TERM="+term) }, func(c *client, _ func() string) {
			if got := strings.Contains(string(c.out.all), ";https://hidden.org\x1b\\"); got != knows {
				t.Errorf("%s was told of the link: %v", term, got)
			}
		})
	}
}
