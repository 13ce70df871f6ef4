package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/ui"
)

var update = flag.Bool("update", false, "write the golden files anew")

// newLesson is a lesson for a person whose keys are those of the settings.
func newLesson(s ui.KeySettings) *lesson {
	k, _ := ui.NewKeymap(s)
	return &lesson{keys: k, last: -1, acts: map[string]int{}}
}

var braces = regexp.MustCompile(`\{([^}]*)\}`)

// Each step names actions that there are, and is done by one of them alone, in any
// order.
func TestStepsAreDoneByDoingThem(t *testing.T) {
	names := append(ui.ActionNames(), demoBack)
	for i, s := range steps {
		if s.done(nil) {
			t.Errorf("%s is done by doing nothing", s.name)
		}
		for _, m := range braces.FindAllStringSubmatch(s.tell, -1) {
			if !slices.Contains(names, m[1]) {
				t.Errorf("%s tells of %s, which is no action", s.name, m[1])
			}
		}
		var by []string
		for _, n := range names {
			if s.done(map[string]int{n: 2}) {
				by = append(by, n)
			}
		}
		if len(by) == 0 && s.name != "Tabs" {
			t.Errorf("%s is done by nothing", s.name)
		}
		if s.done(map[string]int{"help": 9}) {
			t.Errorf("%s is done by help", s.name)
		}
		if i == agentStep && !slices.Equal(by, []string{demoBack}) {
			t.Errorf("the agent's step is done by %q", by)
		}
	}
	l := newLesson(ui.KeySettings{})
	for _, c := range []struct {
		act  string
		want int
	}{{"zoom", 0}, {"split-down", 1}, {"focus-next", 2}, {"zoom", 2}, {"grow-up", 4}, {"new-tab", 4}, {"tab-1", 5}, {"copy", 6}, {demoBack, 7}, {"detach", 8}} {
		l.acts[c.act]++
		if got := l.current(); got != c.want {
			t.Errorf("after %s the current step is %d, want %d", c.act, got, c.want)
		}
	}
}

func TestLessonSpeaksOfThePersonsKeys(t *testing.T) {
	l := newLesson(ui.KeySettings{Prefix: "ctrl+a", Binds: []ui.Bind{{Key: "prefix |", Action: "split-right"}, {Key: "prefix %", Action: ""}, {Key: `prefix "`, Action: ""}}})
	if got, want := l.words(steps[0]), "ctrl+a | puts a new pane at the right, the action split-down one below."; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// In a pane of any size no line is wider and there are no more of them than fit; the
// current step stays in sight.
func TestLessonFits(t *testing.T) {
	l := newLesson(ui.KeySettings{})
	for done := range len(steps) + 1 {
		for w := 20; w <= 120; w += 7 {
			for h := 3; h <= 34; h += 3 {
				lines := l.lines(w, h)
				if len(lines) > h {
					t.Fatalf("%dx%d: %d lines", w, h, len(lines))
				}
				want := "That was all."
				if done < len(steps) {
					want = "► " + steps[done].name
				}
				if !strings.Contains(strings.Join(lines, "\n"), want) {
					t.Fatalf("%dx%d: no %q in %q", w, h, want, lines)
				}
				for _, line := range lines {
					if n := displaywidth.String(sgr.ReplaceAllString(line, "")); n > w {
						t.Fatalf("%dx%d: %q has %d cells", w, h, line, n)
					}
				}
			}
		}
		for _, act := range []string{"split-down", "focus-up", "grow-up", "zoom", "new-tab", "copy", demoBack, "detach"}[done:min(done+1, len(steps))] {
			l.acts[act], l.acts["tab-1"] = 2, 1
		}
	}
}

var sgr = regexp.MustCompile(`\x1b\[\d*m`)

func TestLessonGolden(t *testing.T) {
	l := newLesson(ui.KeySettings{})
	var b strings.Builder
	for _, c := range []struct {
		w, h int
		acts []string
	}{{80, 24, nil}, {39, 22, []string{"split-right"}}, {30, 8, []string{"split-right"}}, {59, 13, []string{"split-right", "focus-up", "grow-up", "zoom", "zoom", "new-tab", "tab-1", "copy"}}} {
		l.acts, l.ascii = map[string]int{}, c.w == 59
		for _, a := range c.acts {
			l.acts[a]++
		}
		fmt.Fprintf(&b, "== %dx%d\n%s\n", c.w, c.h, strings.Join(l.lines(c.w, c.h), "\n"))
	}
	path := filepath.Join("testdata", "lesson.txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run with -update)", err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("the lesson differs (-want +got):\n%s", d)
	}
}

// Who hears the screen is told each step once.
func TestLessonForReaders(t *testing.T) {
	l := newLesson(ui.KeySettings{})
	l.reader = true
	var out bytes.Buffer
	l.show(&out, 80, 24)
	l.show(&out, 40, 24)
	l.acts["split-down"] = 1
	l.show(&out, 40, 24)
	want := "Step 1 of 8, Split. ctrl+b % puts a new pane at the right, ctrl+b \" one below.\r\n" +
		"Done.\r\nStep 2 of 8, Move. ctrl+b left and the\r\nother arrows go to another pane.\r\n"
	if got := out.String(); got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

func TestDemoAgentKnowsWhatItWasTold(t *testing.T) {
	dir := t.TempDir()
	talk := func(begin, resume, said string) (out string, dead bool, err error) {
		var b bytes.Buffer
		err = demo(strings.NewReader(said), &b, dir, begin, resume, func() { dead = true })
		return b.String(), dead, err
	}
	if out, dead, err := talk("s-1", "", "hello\n\n two \ndie\nnever\n"); err != nil || !dead || !strings.Contains(out, "die and enter") {
		t.Errorf("the first time: %q, %v, %v", out, dead, err)
	}
	if out, dead, err := talk("", "s-1", "three\n"); err != nil || dead || !strings.Contains(out, "You said:\n  hello\n  two\n> ") {
		t.Errorf("resumed: %q, %v, %v", out, dead, err)
	}
	if out, _, err := talk("", "s-2", ""); err != nil || !strings.HasSuffix(out, "You said:\n> ") {
		t.Errorf("another session: %q, %v", out, err)
	}
	for _, session := range []string{"", "../x", "a/b"} {
		if _, _, err := talk("", session, "x\n"); err == nil {
			t.Errorf("session %q is taken", session)
		}
	}
	if out, _, err := talk("s-3", "", strings.Repeat("x", 10_000)); err != nil || strings.Contains(out, "in mind") {
		t.Errorf("a line without an end: %q, %v", out, err)
	}
	if out, _, err := talk("s-4", "", strings.Repeat("x\n", 1000)); err != nil || strings.Count(out, "in mind") != maxDemoLines {
		t.Errorf("%d lines are kept, %v", strings.Count(out, "in mind"), err)
	}
}

func TestTutorsVerdict(t *testing.T) {
	tu := &tutor{acts: map[string]int{"split-down": 1}}
	if got := tu.verdict(); !strings.HasPrefix(got, "tutor: 1 of 8 steps done.") {
		t.Errorf("it says %q", got)
	}
	c := defaultConfig()
	c.ResumeMode, c.AfterExit = "off", "close"
	tu.dir, tu.program = "/t", "/bin/reprise"
	tu.adjust(&c)
	if _, err := kinds.New(c.Agents); err != nil || c.ResumeMode != string(agent.ModeAuto) || c.AfterExit != string(agent.AfterShell) {
		t.Errorf("settings %+v, %v", c, err)
	}
	if a := c.Agents[0]; a.NewArgs[3] == a.ResumeArgs[3] {
		t.Errorf("begins as it goes on: %+v", a)
	}
	(*tutor)(nil).adjust(&c) // a process that is none
}

func TestOnlyATutorTellsProgress(t *testing.T) {
	if _, err := new(process).progress(context.Background(), progressQuery{}); err == nil || !strings.Contains(err.Error(), "reprise tutor begins one") {
		t.Errorf("it says %v", err)
	}
}

func TestStaleTutorsAreSwept(t *testing.T) {
	dir := t.TempDir()
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	stale, mine := fmt.Sprintf(tutorFolder+"x", gone.Process.Pid), fmt.Sprintf(tutorFolder+"x", os.Getpid())
	for _, name := range []string{stale, mine, "other"} {
		if err := os.MkdirAll(filepath.Join(dir, name, "state"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	target := filepath.Join(dir, "other")
	if err := os.Symlink(target, filepath.Join(dir, stale+"2")); err != nil {
		t.Fatal(err)
	}
	sweepTutors(dir)
	var left []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := []string{"other", mine, stale + "2"}
	slices.Sort(want)
	if !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
	if _, err := os.Stat(filepath.Join(target, "state")); err != nil {
		t.Errorf("what a link leads to is gone: %v", err)
	}
}
