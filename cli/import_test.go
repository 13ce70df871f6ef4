package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/db"
	"reprise/panes"
)

const importedID = "11111111-2222-4333-8444-555555555555"

// fakeLook is a system in which a claude runs in a shell of pane process 20, a codex
// behind an interpreter in that of 30, and vim in that of 40.
func fakeLook(t *testing.T) processLook {
	t.Helper()
	registry, err := kinds.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	proc := func(pid, parent int, argv ...string) panes.Proc {
		return panes.Proc{ID: panes.ProcessID{PID: pid}, Parent: parent, Argv: argv, Name: filepath.Base(argv[0])}
	}
	return processLook{
		kinds: registry,
		procs: []panes.Proc{
			proc(10, 1, "-bash"),
			proc(20, 1, "bash"), proc(21, 20, "claude", "--resume", importedID, "--model", "opus"),
			proc(30, 1, "zsh"), proc(31, 30, "node", "/opt/bin/codex", "--search"), proc(32, 31, "/opt/lib/codex", "--search"),
			proc(40, 1, "bash"), proc(41, 40, "vim", "a b.txt"),
			proc(50, 1, "bash"), proc(51, 50, "claude", "mcp", "list"),
		},
		cwd: func(pid int) string { return map[int]string{21: "/srv/api"}[pid] },
		env: func(pid int) []string { return map[int][]string{31: {"CODEX_HOME=/srv/codex"}}[pid] },
		files: func(pid int) []string {
			return map[int][]string{32: {"/srv/codex/sessions/rollout-2026-11-29-" + importedID + ".jsonl"}}[pid]
		},
	}
}

// line is one of tmux's answer.
func tmuxLine(session, window, auto, layout string, pane, pid int, command, name, dir string) string {
	return strings.Join([]string{session, window, auto, layout, fmt.Sprintf("%%%d", pane), fmt.Sprint(pid), command, name, "/home/me", dir}, "\t") + "\n"
}

const threePanes = "b8de,100x30,0,0{50x30,0,0,1,49x30,51,0[49x15,51,0,2,49x14,51,16,3]}"

func TestImportOfARunningTmux(t *testing.T) {
	out := tmuxLine("work", "0", "0", threePanes, 1, 10, "bash", "edit", "/tmp") +
		tmuxLine("work", "0", "0", threePanes, 2, 20, "claude", "edit", "/usr") +
		tmuxLine("work", "0", "0", threePanes, 3, 30, "node", "edit", "/var") +
		tmuxLine("work", "1", "1", "wrong", 4, 40, "vim", "vim", "/srv") +
		tmuxLine("work", "1", "1", "wrong", 5, 50, "claude", "vim", "relative") +
		tmuxLine("again", "0", "1", threePanes, 1, 10, "bash", "edit", "/tmp") + // grouped with work
		"nonsense\n"
	var told, got bytes.Buffer
	all := parseTmux(out, fakeLook(t), &told)
	if err := printForeign(&got, "would be made", all, nil); err != nil {
		t.Fatal(err)
	}
	golden(t, "import-tmux.txt", got.String())
	if !strings.Contains(told.String(), "window 1 of work: its panes are put side by side") {
		t.Errorf("told %q", &told)
	}
	a := all[0].tabs[0].panes[1].agent
	if want := (agent.Origin{Kind: "claude", Dir: "/srv/api", Flags: []string{"--resume", importedID, "--model", "opus"}}); !cmp.Equal(a.origin, want) {
		t.Errorf("claude: %+v", a.origin)
	}
	a = all[0].tabs[0].panes[2].agent
	if want := (agent.Origin{Kind: "codex", Dir: "/var", Home: "/srv/codex", Flags: []string{"--search"}, Env: []string{"CODEX_HOME=/srv/codex"}}); !cmp.Equal(a.origin, want) {
		t.Errorf("codex: %+v", a.origin)
	}
	if root := all[0].tabs[0].root; root.Down || !root.Children[1].Down || root.Children[0].Weight != 50 {
		t.Errorf("the splits: %+v", root)
	}
}

func TestImportOfASave(t *testing.T) {
	older := "pane\tw\t0\t:edit\t1\t:*\t0\t:/tmp\t1\tbash\t:\n" +
		"pane\tw\t0\t:edit\t1\t:*\t1\t:/usr\t0\tclaude\t:claude --resume " + importedID + "\n" +
		"pane\tw\t0\t:edit\t1\t:*\t2\t:/var\t0\tvim\t:vim 'a b' > c\n" +
		"window\tw\t0\t1\t:*\t" + threePanes + "\nstate\tw\tx\n"
	newer := "pane\tw\t0\t1\t:*\t0\ttitle\t:/tmp\t1\tbash\t:\n" +
		"pane\tw\t0\t1\t:*\t1\ttitle\t:/a\\ b\t0\tcodex\t:node /x/codex resume " + importedID + "\n" +
		"pane\tw\t0\t1\t:*\t2\ttitle\t:/var\t0\thtop\t:htop -d 5\n" +
		"window\tw\t0\t:mine\t1\t:*\t" + threePanes + "\toff\n"
	for name, text := range map[string]string{"older": older, "newer": newer} {
		var got bytes.Buffer
		all := parseResurrect(text, fakeLook(t), io.Discard)
		if err := printForeign(&got, "would be made", all, nil); err != nil {
			t.Fatal(err)
		}
		golden(t, "import-save-"+name+".txt", got.String())
		if len(all) != 1 || !all[0].tabs[0].root.Children[1].Down {
			t.Errorf("%s: the splits are lost", name)
		}
	}
}

func TestImportIsKept(t *testing.T) {
	p := paths{state: t.TempDir()}
	out := tmuxLine("wo\x1brk", "0", "0", threePanes, 1, 10, "bash", "edit", "/tmp") +
		tmuxLine("wo\x1brk", "0", "0", threePanes, 2, 20, "claude", "edit", "/usr") +
		tmuxLine("wo\x1brk", "0", "0", threePanes, 3, 40, "vim", "edit", "/var")
	for _, want := range []string{"work", "work-2"} {
		all := parseTmux(out, fakeLook(t), io.Discard)
		names, err := keepForeign(t.Context(), p, all, time.Now())
		if err != nil || !cmp.Equal(names, []string{want}) {
			t.Fatalf("%q, %v", names, err)
		}
	}
	d, err := db.Open(t.Context(), p.state, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ws, err := d.Workspace(t.Context(), "work")
	if err != nil {
		t.Fatal(err)
	}
	l, err := panes.DecodeLayout(ws.Layout)
	if err != nil || len(l.Tabs) != 1 || l.Tabs[0].Name != "edit" {
		t.Fatalf("%+v, %v", l, err)
	}
	ids := l.Panes()
	if l.Meta[ids[0]].Dir != "/tmp" {
		t.Errorf("the shell's directory: %+v", l.Meta[ids[0]])
	}
	for i, want := range []func(r agent.PaneRecord) bool{
		func(r agent.PaneRecord) bool { return r.Terminal == nil },
		func(r agent.PaneRecord) bool {
			return r.Candidate && r.Binding.Session == importedID && r.Binding.Origin.Dir == "/srv/api"
		},
		func(r agent.PaneRecord) bool {
			return r.Binding == nil && cmp.Equal(r.Terminal.Argv, []string{"vim", "a b.txt"})
		},
	} {
		if r, err := d.Pane(t.Context(), ids[i]); err != nil || !want(r) {
			t.Errorf("pane %d: %+v, %v", i+1, r, err)
		}
	}
}

// What cannot be taken over whole is not taken over at all, so that it can be done
// again.
func TestImportIsAllOrNothing(t *testing.T) {
	p := paths{state: t.TempDir()}
	out := tmuxLine("good", "0", "0", threePanes, 1, 10, "bash", "edit", "/tmp") +
		tmuxLine("bad", "0", "0", threePanes, 2, 20, "claude", "edit", "/usr")
	all := parseTmux(out, fakeLook(t), io.Discard)
	spoil := func(name string) { all[1].name = name }
	for _, name := range []string{"/", "."} { // names that no session can have
		spoil(name)
		if names, err := keepForeign(t.Context(), p, all, time.Now()); err == nil || len(names) != 0 {
			t.Fatalf("%q is taken over: %q", name, names)
		}
	}
	spoil("bad")
	if names, err := keepForeign(t.Context(), p, all, time.Now()); err != nil || !cmp.Equal(names, []string{"good", "bad"}) {
		t.Errorf("%q, %v", names, err)
	}
}

func TestImportLeavesTmuxAlone(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip(err)
	}
	// Not below TMPDIR, which may be too long for a socket, and not by a link.
	dir, err := os.MkdirTemp("/tmp", "reprise-tmux-")
	if err == nil {
		defer os.RemoveAll(dir)
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	socket := fmt.Sprintf("reprise-import-%d", os.Getpid())
	tmux := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("tmux", append([]string{"-f", "/dev/null", "-L", socket}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMUX_TMPDIR="+dir, "TMUX=", "SHELL=/bin/sh")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %q: %v %s", args, err, out)
		}
		return string(out)
	}
	t.Setenv("TMUX_TMPDIR", dir)
	tmux("new-session", "-d", "-s", "work", "-n", "edit", "-x", "100", "-y", "30", "-c", dir, "exec sleep 1000")
	defer tmux("kill-server")
	tmux("split-window", "-h", "-t", "work", "-c", "/", "exec sleep 2000")
	// What tmux forks is itself for a moment.
	running := "sleep " + dir + "\nsleep /\n"
	for end := time.Now().Add(time.Minute); tmux("list-panes", "-a", "-F", "#{pane_current_command} #{pane_current_path}") != running; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the panes do not run what they should")
		}
	}
	before := tmux("list-panes", "-a")
	registry, err := kinds.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	all, err := tmuxSource{socket: socket}.read(t.Context(), systemLook(registry), io.Discard)
	if err != nil || len(all) != 1 || len(all[0].tabs) != 1 || len(all[0].tabs[0].root.Children) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	if got := all[0].tabs[0]; got.name != "edit" || got.panes[0].dir != dir || got.panes[1].dir != "/" {
		t.Errorf("%+v", got)
	}
	if after := tmux("list-panes", "-a"); after != before {
		t.Errorf("tmux has changed:\n%s\n%s", before, after)
	}
}

func FuzzImportOfASave(f *testing.F) {
	f.Add("pane\tw\t0\t1\t:*\t0\ttitle\t:/tmp\t1\tbash\t:\nwindow\tw\t0\t:mine\t1\t:*\t" + threePanes + "\toff\n")
	registry, err := kinds.New(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range parseResurrect(text, processLook{kinds: registry}, io.Discard) {
			if in, err := s.imported(time.Unix(1, 0)); err == nil && (len(in.Layout) == 0 || !filepath.IsAbs(in.Dir)) {
				t.Errorf("%+v", in)
			}
		}
	})
}
