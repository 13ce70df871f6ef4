package panes_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"reprise/panes"
	"reprise/panes/vt"
)

func TestHandoverRefused(t *testing.T) {
	h := hostWith(t, panes.HostOptions{Emulator: newRecorder})
	waits := startClosed(t, h, panes.Spec{Argv: []string{"sleep", "600"}})
	runs := start(t, h, "sleep", "600")
	if _, err := runs.Handover(); !errors.Is(err, panes.ErrNotPaused) {
		t.Errorf("while it runs: %v", err)
	}
	resume := h.Pause()
	if _, err := waits.Handover(); !errors.Is(err, panes.ErrGateWaits) {
		t.Errorf("with a closed gate: %v", err)
	}
	if _, err := h.Handover(); !errors.Is(err, panes.ErrGateWaits) {
		t.Errorf("the host, with a closed gate: %v", err)
	}
	if _, err := runs.Handover(); err != nil {
		t.Errorf("paused: %v", err)
	}
	resume()
	resume() // a second time is nothing
	if err := waits.OpenGate(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Handover(); !errors.Is(err, panes.ErrNotPaused) {
		t.Errorf("after the pause: %v", err)
	}
	resume = h.Pause()
	defer resume()
	x, err := h.Handover()
	if err != nil || len(x.FDs()) != 2 {
		t.Errorf("%v, with descriptors %v", err, x.FDs())
	}
	fakes := fakeHost(t)
	start(t, fakes, "sleep", "600")
	defer fakes.Pause()()
	if _, err := fakes.Handover(); err == nil {
		t.Error("an emulator that cannot be carried over was")
	}
}

// A pause is no more than that: what dies is dead afterwards, what is typed is
// typed, what is started starts.
func TestPause(t *testing.T) {
	h := newHost(t)
	cat := start(t, h, "sh", "-c", "stty -echo; echo ready; exec cat")
	waitText(t, cat, "ready")
	dies := start(t, h, "sleep", "600")
	dead := start(t, h, "true")
	waitDone(t, dead)
	for round := range 20 {
		resume := h.Pause()
		if err := cat.Send(fmt.Appendf(nil, "word %d\n", round)); err != nil {
			t.Fatal(err)
		}
		started := make(chan *panes.Terminal)
		if round == 3 {
			go func() {
				term, err := h.Start(context.Background(), panes.Spec{Argv: []string{"true"}, Dir: "/"})
				if err != nil {
					t.Error(err)
				}
				started <- term
			}()
			if err := dies.Signal(syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			waitFor(t, "its death", func() bool { return !dies.Process().Alive() })
			if _, _, ended := dies.Exit(); ended {
				t.Error("it was seen dead in the pause")
			}
			if n := len(h.Terminals()); n != 3 {
				t.Errorf("%d terminals in the pause", n)
			}
		}
		resume()
		if round == 3 {
			if exit := waitDone(t, dies); exit.Signal != 9 {
				t.Errorf("it ended with %+v", exit)
			}
			<-started
		}
		waitText(t, cat, fmt.Sprintf("word %d\n", round))
	}
	if err := cat.Send([]byte{4}); err != nil {
		t.Fatal(err)
	}
	if exit := waitDone(t, cat); exit.Status != 0 {
		t.Errorf("it ended with %+v", exit)
	}
}

func TestAdoptRefuses(t *testing.T) {
	h := newHost(t)
	term := start(t, h, "sleep", "600")
	pipe, _, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	self, err := panes.Identify(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	size := panes.Size{Cols: 80, Rows: 24}
	for name, x := range map[string]panes.Handover{
		"no id":         {FD: -1, Ended: time.Now(), Size: size},
		"an id twice":   {Spec: term.Spec(), FD: -1, Ended: time.Now(), Size: size},
		"no descriptor": {Spec: panes.Spec{ID: "a"}, Process: term.Process(), FD: 9999, Size: size},
		"our own input": {Spec: panes.Spec{ID: "a"}, Process: term.Process(), FD: 0, Size: size},
		"a pipe":        {Spec: panes.Spec{ID: "a"}, Process: term.Process(), FD: int(pipe.Fd()), Size: size},
	} {
		if adopted, err := h.Adopt(x); err == nil {
			t.Errorf("%s: %v", name, adopted.ID())
		}
	}
	for name, id := range map[string]panes.ProcessID{
		"no child of ours": self,
		"another's pid":    {PID: term.Process().PID, Start: 1, Boot: panes.BootID()},
	} {
		master, slave, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		fd, err := unix.Dup(int(master.Fd()))
		if err != nil {
			t.Fatal(err)
		}
		master.Close()
		if adopted, err := h.Adopt(panes.Handover{Spec: panes.Spec{ID: "a"}, Process: id, FD: fd, Size: size}); err == nil {
			t.Errorf("%s: %v", name, adopted.ID())
		}
		if _, err := slave.Write([]byte("x")); err == nil {
			t.Errorf("%s: its pty is still open", name)
		}
		slave.Close()
	}
	if n := len(h.Terminals()); n != 1 {
		t.Errorf("%d terminals", n)
	}
	if err := h.AdoptAll(panes.HostHandover{Layout: []byte("{")}); !errors.Is(err, panes.ErrLayout) {
		t.Errorf("no layout: %v", err)
	}
}

// A failed Reexec leaves the descriptors as they were.
func TestReexecFails(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	inherited := func() bool {
		flags, err := unix.FcntlInt(r.Fd(), unix.F_GETFD, 0)
		if err != nil {
			t.Fatal(err)
		}
		return flags&unix.FD_CLOEXEC == 0
	}
	if inherited() {
		t.Fatal("pipes are inherited")
	}
	missing := filepath.Join(t.TempDir(), "missing")
	for _, keep := range [][]int{{int(r.Fd())}, {int(r.Fd()), 9999}} {
		if err := panes.Reexec(missing, []string{"x"}, nil, keep); err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("error %v", err)
		}
		if inherited() {
			t.Errorf("keep %v: it is inherited now", keep)
		}
	}
}

func TestTextAndDump(t *testing.T) {
	h := newHost(t)
	term := start(t, h, "sh", "-c", `printf '\033[1mbold\033[m\n'; seq 1 50; printf end`)
	waitDone(t, term)
	var want strings.Builder
	want.WriteString("bold\n")
	for i := range 50 {
		fmt.Fprintln(&want, i+1)
	}
	want.WriteString("end\n")
	same(t, "is its text", string(term.Text(vt.Text{History: -1})), want.String())
	if got := string(term.Text(vt.Text{History: -1, Styled: true})); !strings.HasPrefix(got, "\x1b[0;1mbold") {
		t.Errorf("styled it begins with %.20q", got)
	}
	again := vt.New(vt.Options{Cols: 80, Rows: 24})
	_, _ = again.Write(term.Dump())
	same(t, "a dump makes", string(again.AppendText(nil, vt.Text{History: -1})), want.String())
	// An emulator that cannot tell.
	term = start(t, fakeHost(t), "true")
	waitDone(t, term)
	if term.Text(vt.Text{}) != nil || term.Dump() != nil {
		t.Error("a fake told")
	}
}

// What Terminal.Text gives, Restored shows again as it was.
func TestRestoredFromText(t *testing.T) {
	h := newHost(t)
	term := start(t, h, "sh", "-c", `printf '\033[1;31mred\033[m \033[44mblue  \033[m\n\033]8;;http://x\033\\link\033]8;;\033\\\n'; seq 1 40`)
	waitDone(t, term)
	text := term.Text(vt.Text{Styled: true, History: -1})
	again := startClosed(t, h, panes.Spec{
		Argv: []string{"true"}, History: panes.Restored{Text: text, Words: "restored", Size: panes.Size{Cols: 80, Rows: 24}, Screen: true}.Stream(),
	})
	got := string(again.Text(vt.Text{Styled: true, History: -1}))
	shown, divider, _ := strings.Cut(strings.TrimSuffix(got, "\n"), "\x1b[0;2m──")
	same(t, "is shown", shown, string(text))
	if !strings.HasPrefix(divider, " restored ─") {
		t.Errorf("the divider is %.40q", divider)
	}
}
