package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"reprise/testdata/lab"
)

// A person's way through each feature of a multiplexer, tmux being the judge of what is
// seen.

// number is what the pattern's group matches on the screen.
func (j *judged) number(pattern string) string {
	j.t.Helper()
	j.wait(pattern)
	return regexp.MustCompile("(?m)" + pattern).FindStringSubmatch(j.text())[1]
}

// copied waits until tmux has that text from the program's clipboard sequence.
func (j *judged) copied(want string) {
	j.t.Helper()
	comes(j.t, func() string { out, _ := j.try("show-buffer"); return out }, "^"+regexp.QuoteMeta(want)+`\n?$`)
}

func TestLayoutByKeys(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	j := h.judged(100, 30)
	j.wait(`^\$`)
	first := `^━ sh ━+ ~/proj ━┱─ sh ─+ ~/proj ─$`
	j.says("PS1='one '; clear", `\A *one$`)
	j.press("C-b", "%")
	j.wait(`^─ sh ─+ ~/proj ─┲━ sh ━+ ~/proj ━$`)
	j.wait(`┃\$`)
	j.says("PS1='two '; clear", `\A.*\n.*┃two$`)
	j.press("C-b", "T")
	j.wait(`Rename the pane`)
	j.types("mine", "Enter")
	j.wait(`^─ sh ─+ ~/proj ─┲━ sh  mine ━+ ~/proj ━$`)
	j.press("C-b", "T", "C-u", "Enter")
	j.wait(`^─ sh ─+ ~/proj ─┲━ sh ━+ ~/proj ━$`)
	j.press("C-b", "Left")
	j.wait(first)
	// The border: by a key, by its repetition, by the mouse.
	edge := func() int {
		return strings.Index(strings.SplitN(strings.NewReplacer("━", "-", "─", "-", "┱", "|").Replace(j.text()), "\n", 2)[0], "|")
	}
	was := edge()
	moved := func(n int) {
		t.Helper()
		eventually(t, func() error {
			if got := edge(); got != was+n {
				return fmt.Errorf("the border is at %d, want %d", got, was+n)
			}
			return nil
		})
	}
	j.press("C-b", "C-Left", "C-Left")
	moved(-2)
	j.mouse(0, was-1, 10, false)
	j.mouse(32, was-11, 10, false)
	j.mouse(0, was-11, 10, true)
	moved(-12)
	// Zoom, swap, the six layouts, a tab of its own and back.
	j.press("C-b", "z")
	j.wait(`zoom \+1`)
	j.press("C-b", "z")
	j.wait(first)
	j.press("C-b", "}")
	j.wait(`^two *┃one`)
	j.press("C-b", "M-2")
	j.wait(`(?s)^─ sh ─+ ~/proj ─$.*^━ sh ━+ ~/proj ━$`)
	j.press("C-b", `"`)
	j.wait(`(?s)two.*one.*^\$`)
	for _, layout := range []struct{ key, looks string }{
		{"M-1", `^two *│one *┃\$`},
		{"M-3", `(?s)^two *$.*^one *┃\$`},
		{"M-4", `(?s)^two *│one.*^ +┃\$`},
		{"M-5", `(?s)^two *│one.*^━ sh`},
		{"M-6", `^─ sh ─+ ~/proj ─\n─ sh ─+ ~/proj ─\n━ sh ━`},
		{"Space", `^two *│one *┃\$`},
	} {
		j.press("C-b", layout.key)
		j.wait(layout.looks)
	}
	j.press("C-b", "!")
	j.wait(`^ proj › 1 sh  2 sh `)
	j.press("C-b", ",")
	j.wait(`Rename tab 2`)
	j.types("mine", "Enter")
	j.wait(`2 mine`)
	j.press("C-b", "m", "C-b", "1", "C-b", "J")
	j.wait(`^ proj › 1 sh  +`)
	j.wait(`^two.*│one.*┃\$`)
	// The scratch pane: over the tab, hidden, and the same again.
	j.press("C-b", "`")
	j.wait(`^\$`)
	j.types("echo scratch-$$", "Enter")
	pid := j.number(`scratch-(\d+)`)
	j.press("C-b", "`")
	j.gone(`scratch-\d`)
	j.press("C-b", "`")
	j.types("echo again-$$", "Enter")
	j.wait("again-" + pid)
	h.listed(func(all []listed) bool { return len(all[0].Panes) == 4 })
}

func TestBroadcastByKeys(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	j := h.judged(120, 30)
	j.wait(`^\$`)
	j.press("C-b", "%", "C-b", "%", "C-b", "M-1")
	j.wait(`^\$ *│\$ *┃\$`)
	out := func(name string) string {
		b, _ := os.ReadFile(filepath.Join(h.project, name))
		return string(b)
	}
	j.press("C-b", "E")
	j.wait(`^ broadcast 3 `)
	j.wait(`» typing here.*» typing here.*» typing here`)
	j.types("echo all >>all", "Enter")
	comes(t, func() string { return out("all") }, `^all\nall\nall\n$`)
	j.press("C-b", "E")
	j.gone(`broadcast`)
	// The marked ones alone.
	j.press("C-b", "m", "C-b", "Left", "C-b", "m", "C-b", "E")
	j.wait(`^ broadcast 2 `)
	j.types("echo two >>two", "Enter")
	comes(t, func() string { return out("two") }, `^two\ntwo\n$`)
	j.press("C-b", "E", "C-b", "M")
	j.gone(`broadcast|marked`)
	j.types("echo one >>one", "Enter")
	comes(t, func() string { return out("one") }, `^one\n$`)
	if all, two := out("all"), out("two"); all != "all\nall\nall\n" || two != "two\ntwo\n" {
		t.Errorf("later keys went to others: %q and %q", all, two)
	}
}

func TestCopyingByKeysAndMouse(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.config("[keys]\ncopy = \"vi\"\n")
	j := h.judged(100, 30)
	j.wait(`^\$`)
	j.says(`clear; printf 'alpha one\nbravo two\ncharl six\n'; echo see https://example.org/a and src/main.go:12 and 1234567890abcdef`, `^see https`)
	j.press("C-b", "[", "g", "0")
	j.wait(`^ copy `)
	j.press("C-v", "j", "l", "l", "y") // a block: 3 columns of 2 lines
	j.copied("alp\nbra")
	j.press("C-b", "/")
	j.types("t.o", "Enter")
	j.wait(`1 of 1`)
	j.press("v", "e", "y")
	j.copied("two")
	// Hints: what is labelled is copied by its letter.
	j.press("C-b", "F")
	j.wait(`^ hints .*a-z copy`)
	j.types(j.number(`and ([a-z])234567890abcdef`))
	j.copied("1234567890abcdef")
	// The mouse: a double click takes the word, a drag what is under it.
	j.clicks(2, 7, 1)
	j.copied("one")
	j.mouse(0, 1, 3, false)
	j.mouse(32, 3, 3, false)
	j.mouse(32, 5, 3, false)
	j.mouse(0, 5, 3, true)
	j.copied("charl")
}

func TestWhatIsShown(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	j := h.judged(120, 30)
	j.wait(`^\$`)
	j.wait(`ctrl\+b then \? shows every key`) // the first run's line
	j.press("C-b")
	j.wait(`━ Keys ━`) // it rests
	j.press("Escape")  // at once before a key it would be alt
	j.gone(`━ Keys ━`)
	j.press("C-b", "?")
	j.types("side by side")
	j.wait(`ctrl\+b alt\+1 +Spread the panes: all side by side`)
	j.press("Escape")
	j.gone(`━ All keys ━`)
	j.press("C-b", "Tab")
	j.wait(`^ proj +│`)
	j.press("q")
	j.gone(`^ proj +│`)
	// The config is followed while it runs; one bad binding leaves the others in force.
	h.config("[ui]\ntheme = \"paper\"\n[keys.bind]\n\"prefix v\" = \"split-right\"\n\"prefix u\" = \"split-rihgt\"\n")
	j.press("C-b", "o")
	j.wait(`split-rihgt`)
	j.press("C-b", "v")
	j.wait(`┃\$`)
	comes(t, j.ink, `38;5;25m┃`) // paper's accent in 256 colours
	// Room for little, and for nothing.
	j.run("resize-window", "-x", "60", "-y", "15")
	j.wait(`┱─|─┲`)
	j.run("resize-window", "-x", "20", "-y", "5")
	j.wait(`Too small`)
	j.wait(`20x5, needs 30x8`)
	j.run("resize-window", "-x", "120", "-y", "30")
	j.wait(`─┲━`)
	// A person who hears the screen gets no lines.
	h.config("[ui]\nscreen_reader = \"on\"\n")
	j.press("C-b", "o")
	j.gone(`[━─│┃]`)
	j.wait(`^Session proj\. Pane 1 of 2, sh\.`)
	// Nor is there colour where none is wanted.
	h.config("")
	j.press("C-b", "d")
	h.attached(0)
	h.env = append(h.env, "NO_COLOR=1")
	k := h.judged(100, 30, "attach")
	k.wait(`━ sh ━`)
	if ink := k.ink(); regexp.MustCompile(`\x1b\[[0-9;]*([349][0-7]|[34]8;[0-9;]+)m`).MatchString(ink) {
		t.Errorf("colours with NO_COLOR:\n%q", ink)
	}
}

// A paste of lines is asked about where a program would run them, links open by click and
// by label, and a pane that is monitored tells what it does out of sight.
func TestPastesLinksAndMonitors(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	opened := filepath.Join(h.root, "opened")
	opener := filepath.Join(h.root, "opener")
	lab.WriteProgram(t, opener, []byte("#!/bin/sh\necho \"$1\" >>"+opened+"\n"), 0o700)
	h.config("[ui]\nopener = \"" + opener + "\"\n[keys.bind]\n\"prefix v\" = \"monitor-activity\"\n")
	j := h.judged(100, 24)
	j.wait(`^\$`)
	j.run("set-buffer", "echo one\necho two\n")
	j.run("paste-buffer", "-p")
	j.wait(`━ Paste 2 lines\?`)
	j.press("n")
	j.gone(`━ Paste`)
	j.says("echo nothing", `^(\$ )*nothing`)
	if strings.Contains(j.text(), "one") {
		t.Errorf("it was pasted all the same:\n%s", j.text())
	}
	j.run("paste-buffer", "-p")
	j.wait(`━ Paste 2 lines\?`)
	j.press("y")
	j.wait(`^(\$ )*two`)

	j.says("clear; echo at http://example.test/a-1 now", `^(\$ )*at http`)
	j.types("\x1b[<16;8;1M\x1b[<16;8;1m") // ctrl and a click
	holds(t, opened, "http://example.test/a-1\n")
	j.press("C-b", "F")
	j.wait(` hints `)
	j.press("A")
	holds(t, opened, "http://example.test/a-1\nhttp://example.test/a-1\n")

	j.press("C-b", "v")
	j.wait(`You are told of`)
	j.types("read x; echo $x; sleep 1; echo late", "Enter")
	j.press("C-b", "c")
	j.wait(`2 sh`)
	h.verb("send", "-p", "1", "go\r")
	j.wait(`1 sh [^ 2]`)
}

// holds waits until a file has a text.
func holds(t *testing.T, path, want string) {
	t.Helper()
	eventually(t, func() error {
		if b, _ := os.ReadFile(path); string(b) != want {
			return fmt.Errorf("%s holds %q", path, b)
		}
		return nil
	})
}
