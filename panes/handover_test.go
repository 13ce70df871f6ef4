package panes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"reprise/panes"
)

// recorder is an emulator whose screen is every byte that it was ever given.
type recorder struct {
	fake
	all []byte
}

func newRecorder(size panes.Size, reply func([]byte)) panes.Emulator {
	return &recorder{fake: fake{cols: size.Cols, rows: size.Rows, reply: reply}}
}

func (r *recorder) Write(b []byte) (int, error) {
	r.all = append(r.all, b...)
	return r.fake.Write(b)
}

func (r *recorder) AppendDump(b []byte) []byte { return append(b, r.all...) }

const upgrades = 6

// count prints numbered lines until it is typed at.
func count() {
	stop := make(chan struct{})
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		close(stop)
	}()
	var b []byte
	for i := 0; ; i++ {
		b = fmt.Appendf(b, "n%d\n", i)
		if i%50 != 49 {
			continue
		}
		os.Stdout.Write(b)
		b = b[:0]
		select {
		case <-stop:
			os.Exit(3)
		case <-time.After(time.Millisecond):
		}
	}
}

// slow reads a raw terminal more slowly than it is typed at, writes what it heard
// to a file and back, and ends with END.
func slow(file string) {
	f, err := os.Create(file)
	if err != nil {
		panic(err)
	}
	fmt.Print("ready ")
	b := make([]byte, 700)
	for {
		n, err := os.Stdin.Read(b)
		if err != nil {
			os.Exit(1)
		}
		f.Write(b[:n])
		os.Stdout.Write(b[:n])
		if bytes.HasSuffix(b[:n], []byte("END")) {
			os.Exit(7)
		}
		time.Sleep(time.Millisecond)
	}
}

// upgraded is what one image of the process that upgrades tells the next.
type upgraded struct {
	Round, Sent int
	PIDs        map[string]panes.ProcessID
	Host        panes.HostHandover
}

// outcome is what its last image tells the test.
type outcome struct {
	PIDs    map[string]panes.ProcessID
	Before  map[string]panes.ProcessID
	Exits   map[string]panes.Exit
	Texts   map[string]string
	Sizes   map[string]panes.Size
	Sent    int
	Layout  []panes.PaneID
	Shown   []string
	Environ []string
	Keys    bool // the last key is remembered
}

// upgrade is a process that owns terminals and becomes itself again and again,
// while one program prints, one is typed at, and one dies.
func upgrade(dir string) {
	if err := upgradeNow(dir); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

func upgradeNow(dir string) error {
	h := panes.NewHost(panes.HostOptions{Shim: []string{os.Args[0], "gate"}, Emulator: newRecorder})
	state := filepath.Join(dir, "state")
	s := upgraded{PIDs: map[string]panes.ProcessID{}}
	b, err := os.ReadFile(state)
	switch {
	case errors.Is(err, os.ErrNotExist):
		err = firstImage(h, dir, &s)
	case err == nil:
		if err = json.Unmarshal(b, &s); err == nil {
			err = h.AdoptAll(s.Host)
		}
	}
	if err != nil {
		return err
	}
	named := map[string]*panes.Terminal{}
	for _, t := range h.Terminals() {
		named[t.Spec().Label] = t
	}
	if s.Round == upgrades {
		return lastImage(h, named, s)
	}
	s.Round++
	// So much that some of it is still to be written when the upgrade comes.
	if err := typeAt(named["slow"], &s, 20_000); err != nil {
		return err
	}
	seen := len(named["count"].Dump())
	for len(named["count"].Dump()) == seen {
		time.Sleep(time.Millisecond)
	}
	resume := h.Pause()
	if s.Round == 2 {
		// Nobody reaps it before the next image does.
		id := named["doomed"].Process()
		if err := syscall.Kill(id.PID, syscall.SIGTERM); err != nil {
			return err
		}
		for id.Alive() {
			time.Sleep(time.Millisecond)
		}
	}
	if s.Host, err = h.Handover(); err != nil {
		return err
	}
	if s.Round%2 == 1 {
		// An upgrade that fails: it goes on, and is typed at again.
		if err := panes.Reexec(filepath.Join(dir, "missing"), os.Args, os.Environ(), s.Host.FDs()); err == nil || !strings.Contains(err.Error(), "missing") {
			return fmt.Errorf("became nothing: %w", err)
		}
		resume()
		if err := typeAt(named["slow"], &s, 5_000); err != nil {
			return err
		}
		h.Pause()
		if s.Host, err = h.Handover(); err != nil {
			return err
		}
	}
	if b, err = json.Marshal(s); err != nil {
		return err
	}
	if err := os.WriteFile(state, b, 0o600); err != nil {
		return err
	}
	return panes.Reexec(os.Args[0], os.Args, os.Environ(), s.Host.FDs())
}

// typed is what is typed at a program, of any length.
func typed(from, to int) []byte {
	var b []byte
	for i := from; i < to; i++ {
		b = append(b, byte('a'+i%26))
		if i%1000 == 999 {
			b[len(b)-1] = '\n'
		}
	}
	return b
}

func typeAt(t *panes.Terminal, s *upgraded, n int) error {
	s.Sent += n
	return t.Send(typed(s.Sent-n, s.Sent))
}

func firstImage(h *panes.Host, dir string, s *upgraded) error {
	area := panes.Size{Cols: 200, Rows: 50}
	programs := []struct {
		label string
		argv  []string
	}{
		{"count", []string{"sh", "-c", `stty -echo; exec "$0" count`, os.Args[0]}},
		{"slow", []string{"sh", "-c", `stty raw -echo; exec "$0" slow "$1"`, os.Args[0], filepath.Join(dir, "heard")}},
		{"doomed", []string{"sleep", "600"}},
		{"dead", []string{"sh", "-c", "echo over; exit 9"}},
	}
	var after panes.PaneID
	for _, p := range programs {
		pane, err := h.Split(after, panes.Right, area)
		if err != nil {
			return err
		}
		after = pane
		t, err := h.Start(context.Background(), panes.Spec{Argv: p.argv, Dir: dir, Label: p.label, Pane: pane, Nonce: "nonce"})
		if err != nil {
			return err
		}
		h.Point(pane, t.ID())
		if err := t.OpenGate(); err != nil {
			return err
		}
		s.PIDs[p.label] = t.Process()
		switch p.label {
		case "slow":
			for !bytes.Contains(t.Dump(), []byte("ready ")) {
				time.Sleep(time.Millisecond)
			}
		case "dead":
			<-t.Done()
			h.SetSize("c", pane, panes.Size{Cols: 33, Rows: 11})
		}
	}
	h.SetEnviron([]string{"BROUGHT=1"})
	return nil
}

func lastImage(h *panes.Host, named map[string]*panes.Terminal, s upgraded) error {
	o := outcome{
		Before: s.PIDs, PIDs: map[string]panes.ProcessID{}, Exits: map[string]panes.Exit{}, Texts: map[string]string{},
		Sizes: map[string]panes.Size{}, Sent: s.Sent, Layout: h.Layout().Panes(), Environ: h.Environ(),
	}
	o.Keys = !named["slow"].LastKey().IsZero() && named["count"].LastKey().IsZero()
	if err := errors.Join(named["slow"].Send([]byte("END")), named["count"].Send([]byte("\n"))); err != nil {
		return err
	}
	for label, t := range named {
		<-t.Done()
		o.PIDs[label] = t.Process()
		o.Exits[label], _, _ = t.Exit()
		o.Texts[label] = string(t.Dump())
		o.Sizes[label] = t.Size()
	}
	for _, p := range o.Layout {
		o.Shown = append(o.Shown, h.Shown(p).Spec().Label)
	}
	return json.NewEncoder(os.Stdout).Encode(o)
}

// Upgrades in place: nothing that programs print or are typed is lost or doubled,
// and they end when and how they end.
func TestUpgrade(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "upgrade", dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	var o outcome
	if err := json.Unmarshal(out, &o); err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	if diff := cmp.Diff(o.Before, o.PIDs); diff != "" {
		t.Errorf("other processes:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]panes.Exit{"count": {Status: 3}, "slow": {Status: 7}, "doomed": {Status: 143, Signal: 15}, "dead": {Status: 9}}, o.Exits); diff != "" {
		t.Errorf("exits:\n%s", diff)
	}
	var lines strings.Builder
	for i := range strings.Count(o.Texts["count"], "\n") {
		fmt.Fprintf(&lines, "n%d\r\n", i)
	}
	sent := string(typed(0, o.Sent)) + "END"
	heard, err := os.ReadFile(filepath.Join(dir, "heard"))
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string][2]string{
		"the counter printed": {o.Texts["count"], lines.String()},
		"was typed":           {string(heard), sent},
		"was echoed":          {o.Texts["slow"], "ready " + sent},
		"the dead printed":    {o.Texts["dead"], "over\r\n"},
	} {
		if c[0] != c[1] {
			n := 0
			for n < min(len(c[0]), len(c[1])) && c[0][n] == c[1][n] {
				n++
			}
			t.Errorf("what %s: %d bytes, want %d; they differ at %d: %.40q, want %.40q", what, len(c[0]), len(c[1]), n, c[0][n:], c[1][n:])
		}
	}
	if diff := cmp.Diff([]string{"count", "slow", "doomed", "dead"}, o.Shown); diff != "" {
		t.Errorf("panes:\n%s", diff)
	}
	if got := o.Sizes["dead"]; got != (panes.Size{Cols: 33, Rows: 11}) {
		t.Errorf("size %v", got)
	}
	if !o.Keys || !strings.Contains(strings.Join(o.Environ, "\n"), "BROUGHT=1") {
		t.Errorf("last keys %v, environment %q", o.Keys, o.Environ)
	}
}

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
