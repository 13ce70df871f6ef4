package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// What the tests of the server share: clients that attach to it, and the commands
// that drive it from outside. It ends with its home (home.clear).

// attach runs reprise as a person does: the first one starts the server.
func (h *home) attach(args ...string) *client {
	h.t.Helper()
	return h.attachSized(outerCols, outerRows, args...)
}

func (h *home) attachSized(cols, rows int, args ...string) *client {
	h.t.Helper()
	return h.startCommand(h.reprise(args...), cols, rows)
}

// attachIn is attach in another directory.
func (h *home) attachIn(dir string, args ...string) *client {
	h.t.Helper()
	cmd := h.reprise(args...)
	cmd.Dir = dir
	return h.startCommand(cmd, outerCols, outerRows)
}

func (h *home) reprise(args ...string) *exec.Cmd {
	cmd := exec.Command(bin.reprise, args...)
	cmd.Dir, cmd.Env = h.project, h.env
	return cmd
}

// process is one process of this home.
type process struct {
	pid  int
	argv []string
}

// processes are those that were started with this home's environment.
func (h *home) processes() []process {
	var all []process
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		env, err := os.ReadFile(filepath.Join(d, "environ"))
		if err != nil || !bytes.Contains(env, []byte("REPRISE_HOME="+h.root+"\x00")) {
			continue
		}
		argv, _ := os.ReadFile(filepath.Join(d, "cmdline"))
		pid, _ := strconv.Atoi(filepath.Base(d))
		all = append(all, process{pid, strings.Split(strings.TrimSuffix(string(argv), "\x00"), "\x00")})
	}
	return all
}

// servers are the processes that run as servers of this home.
func (h *home) servers() (pids []int) {
	for _, p := range h.processes() {
		// A process that it starts is a copy of it for a moment: parents come first.
		if len(p.argv) == 2 && p.argv[1] == "serve" && !slices.Contains(pids, parent(p.pid)) {
			pids = append(pids, p.pid)
		}
	}
	return pids
}

// parent is a process's parent, 0 if it is gone.
func parent(pid int) int {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(b), ") ")
	if f := strings.Fields(rest); len(f) > 1 {
		pid, _ = strconv.Atoi(f[1])
		return pid
	}
	return 0
}

// server waits for the only server and returns its process.
func (h *home) server() int {
	h.t.Helper()
	var pids []int
	eventually(h.t, func() error {
		if pids = h.servers(); len(pids) != 1 {
			return fmt.Errorf("servers %v, want one", pids)
		}
		return nil
	})
	return pids[0]
}

// killServer is a crash of the server.
func (h *home) killServer() {
	h.t.Helper()
	pid := h.server()
	signal(h.t, pid, syscall.SIGKILL)
	isOver(h.t, pid)
}

// noServer waits until no server runs.
func (h *home) noServer() {
	h.t.Helper()
	eventually(h.t, func() error {
		if pids := h.servers(); len(pids) > 0 {
			return fmt.Errorf("server %v runs", pids)
		}
		return nil
	})
}

// run runs reprise without any terminal.
func (h *home) run(args ...string) (stdout, stderr string, status int) {
	h.t.Helper()
	cmd := h.reprise(args...)
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if e := cmd.Run(); e != nil {
		var exit *exec.ExitError
		if !errors.As(e, &exit) {
			h.t.Fatal(e)
		}
	}
	return out.String(), err.String(), cmd.ProcessState.ExitCode()
}

// verb is run of a command that must succeed, and returns what it prints.
func (h *home) verb(args ...string) string {
	h.t.Helper()
	out, err, status := h.run(args...)
	if status != 0 || err != "" {
		h.t.Fatalf("reprise %q: status %d, it says %q", args, status, err)
	}
	return strings.TrimSuffix(out, "\n")
}

// listed is a session as `reprise ls --json` tells it.
type listed struct {
	Name, Dir string
	Open      bool
	Clients   []struct {
		Name       string
		Cols, Rows int
		ReadOnly   bool `json:"read_only"`
	}
	Tabs []struct {
		Name          string
		Number, Panes int
	}
	Panes []listedPane
}

type listedPane struct {
	ID, Agent, Session, State, Status, Program, Title, Name, Dir string

	Number, Tab, PID, Cols, Rows int
	Focus                        bool
}

// ls lists the sessions.
func (h *home) ls() (all []listed) {
	h.t.Helper()
	if err := json.Unmarshal([]byte(h.verb("ls", "--json")), &all); err != nil {
		h.t.Fatal(err)
	}
	return all
}

// listed waits until the list is right and returns it.
func (h *home) listed(right func(all []listed) bool) (all []listed) {
	h.t.Helper()
	eventually(h.t, func() error {
		if all = h.ls(); !right(all) {
			return fmt.Errorf("the list is %+v", all)
		}
		return nil
	})
	return all
}

// attached waits until n clients are attached to the only session, and returns it.
func (h *home) attached(n int) listed {
	h.t.Helper()
	return h.listed(func(all []listed) bool { return len(all) == 1 && len(all[0].Clients) == n })[0]
}

// inShell is attach by a shell, which has the terminal back afterwards and says so.
type inShell struct {
	*client
	slave *os.File // keeps the terminal, as the shell does
	found string   // its settings
}

func (h *home) inShell(args ...string) inShell {
	h.t.Helper()
	// A setting that is not the usual one must be there again, too.
	cmd := exec.Command("/bin/sh", append([]string{"-c", `stty -ixon; read go; "$0" "$@"; s=$?; while :; do echo "status $s"; read line; done`, bin.reprise}, args...)...)
	cmd.Dir, cmd.Env = h.project, h.env
	s := inShell{client: h.startCommand(cmd, outerCols, outerRows)}
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/0", cmd.Process.Pid))
	if err == nil {
		s.slave, err = os.OpenFile(name, os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = s.slave.Close() })
	eventually(h.t, func() error {
		if s.found = s.stty(); !strings.Contains(s.found, "-ixon") {
			return fmt.Errorf("the settings are %s", s.found)
		}
		return nil
	})
	s.send("\n")
	return s
}

// stty are the terminal's settings.
func (s inShell) stty() string {
	s.t.Helper()
	cmd := exec.Command("stty", "-a")
	cmd.Stdin = s.slave
	b, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("stty: %v %s", err, b)
	}
	return string(b)
}

// pid is the client's own process.
func (s inShell) pid() int {
	s.t.Helper()
	pids := s.children()
	if len(pids) != 1 {
		s.t.Fatalf("the shell has the children %q", pids)
	}
	pid, _ := strconv.Atoi(pids[0])
	return pid
}

// children are the processes that the shell runs.
func (s inShell) children() []string {
	shell := s.cmd.Process.Pid
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", shell, shell))
	return strings.Fields(string(b))
}

// modesOff are a terminal's modes that a shell must not find set, modesOn those
// that it must find: alternate screen, mouse, focus, paste, light and dark,
// synchronized update; autowrap, cursor.
var (
	modesOff = []int{1049, 9, 1000, 1002, 1003, 1006, 1004, 2004, 2031, 2026}
	modesOn  = []int{7, 25}
)

// wrong tells what of the terminal is not as a shell must find it.
func (s inShell) wrong() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range modesOff {
		if s.emu.ModeSet(n, true) {
			return fmt.Errorf("mode %d is set", n)
		}
	}
	for _, n := range modesOn {
		if !s.emu.ModeSet(n, true) {
			return fmt.Errorf("mode %d is not set", n)
		}
	}
	if m := s.emu.State().Modes; m.Kitty != 0 || m.ModifyOtherKeys != 0 {
		return fmt.Errorf("the keyboard's modes are %+v", m)
	}
	return nil
}

// taken waits until the client has the terminal.
func (s inShell) taken() {
	s.t.Helper()
	eventually(s.t, func() error {
		if s.wrong() == nil || s.stty() == s.found {
			return errors.New("the client has not taken the terminal")
		}
		return nil
	})
}

// back waits until the shell has the terminal as it gave it away, and has been told
// the client's exit status.
func (s inShell) back(status int) {
	s.t.Helper()
	eventually(s.t, func() error {
		if pids := s.children(); len(pids) > 0 {
			return fmt.Errorf("the client, process %s, has not ended", pids)
		}
		return nil
	})
	// What the shell says before the alternate screen is left is lost with that.
	s.types("\n", fmt.Sprintf("^status %d$", status))
	eventually(s.t, func() error {
		if got := s.stty(); got != s.found {
			return fmt.Errorf("the settings are\n%s\nwere\n%s", got, s.found)
		}
		return s.wrong()
	})
}

// goesOn fails if a process has ended.
func goesOn(t *testing.T, pid int) {
	t.Helper()
	if over(pid) {
		t.Errorf("process %d has ended", pid)
	}
}
