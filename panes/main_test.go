package panes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"reprise/panes"
	"reprise/panes/gate"
	"reprise/panes/vt"
)

// The test binary is its own launch shim, and the programs that need no shell.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "gate":
			os.Exit(gate.Run())
		case "argv":
			fmt.Printf("argv=%q\n", os.Args[2:])
			os.Exit(0)
		case "owner":
			own(os.Args[2])
		case "upgrade":
			upgrade(os.Args[2], os.Args[3])
		case "count":
			count()
		case "slow":
			slow(os.Args[2])
		}
	}
	os.Exit(m.Run())
}

// own is a process that owns terminals and is killed: one whose gate is still
// closed, and one started after it that runs on whatever happens.
func own(dir string) {
	h := panes.NewHost(panes.HostOptions{Shim: func() []string { return []string{os.Args[0], "gate"} }})
	waits, err := h.Start(context.Background(), panes.Spec{Argv: []string{"touch", dir + "/ran"}, Dir: dir, Nonce: "waits"})
	if err == nil {
		var runs *panes.Terminal
		runs, err = h.Start(context.Background(), panes.Spec{
			Argv: []string{"sh", "-c", `trap "" HUP; touch up; while :; do sleep 1; done`}, Dir: dir, Nonce: "runs",
		})
		if err == nil {
			err = runs.OpenGate()
			for _, missing := os.Stat(dir + "/up"); missing != nil; _, missing = os.Stat(dir + "/up") {
				time.Sleep(5 * time.Millisecond)
			}
			out, _ := json.Marshal([]panes.ProcessID{waits.Process(), runs.Process()})
			fmt.Println(string(out))
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	select {}
}

// patience is how long a test waits for what must come; only a failing test
// waits that long.
const patience = time.Minute

func newHost(t *testing.T) *panes.Host {
	t.Helper()
	return hostWith(t, panes.HostOptions{})
}

// fakeHost's terminals have the fake emulator.
func fakeHost(t *testing.T) *panes.Host {
	t.Helper()
	return hostWith(t, panes.HostOptions{Emulator: newFake})
}

func hostWith(t *testing.T, o panes.HostOptions) *panes.Host {
	t.Helper()
	o.Shim = func() []string { return []string{os.Args[0], "gate"} }
	h := panes.NewHost(o)
	t.Cleanup(func() {
		for _, term := range h.Terminals() {
			end(t, term)
		}
	})
	return h
}

// end ends what a test started, with all its kin.
func end(t *testing.T, term *panes.Terminal) {
	t.Helper()
	if err := panes.EndProcess(t.Context(), term.Process(), term.Spec().Nonce, time.Second); err != nil && t.Context().Err() == nil {
		t.Error(err)
	}
	_ = term.Signal(os.Kill)
	waitDone(t, term)
}

func start(t *testing.T, h *panes.Host, argv ...string) *panes.Terminal {
	t.Helper()
	term := startClosed(t, h, panes.Spec{Argv: argv})
	if err := term.OpenGate(); err != nil {
		t.Fatal(err)
	}
	return term
}

func startClosed(t *testing.T, h *panes.Host, spec panes.Spec) *panes.Terminal {
	t.Helper()
	if spec.Dir == "" {
		spec.Dir = t.TempDir()
	}
	if spec.Nonce == "" {
		spec.Nonce = string(panes.NewTerminalID())
	}
	term, err := h.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return term
}

func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func waitDone(t *testing.T, term *panes.Terminal) panes.Exit {
	t.Helper()
	select {
	case <-term.Done():
	case <-time.After(patience):
		t.Fatalf("terminal is not done; screen:\n%s", screenText(term))
	}
	exit, at, ok := term.Exit()
	if !ok || at.IsZero() {
		t.Fatal("done, but has no exit")
	}
	return exit
}

func waitText(t *testing.T, term *panes.Terminal, want string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		text := screenText(term)
		if strings.Contains(text, want) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %q on the screen:\n%s", want, text)
		}
	}
}

func screenText(term *panes.Terminal) string {
	var s vt.Screen
	term.Snapshot(&s)
	var b []byte
	for y := range s.Rows {
		for _, c := range s.Row(y) {
			b = s.AppendText(b, c)
		}
		b = append(bytes.TrimRight(b, " "), '\n')
	}
	return string(b)
}

// fake is an emulator that knows lines, synchronized updates and one query, and
// can be told to panic.
type fake struct {
	cols, rows int
	text       []byte
	sync       bool
	reply      func([]byte)
}

var fakeBytes atomic.Int64 // what all fakes were given

func newFake(size panes.Size, reply func([]byte)) panes.Emulator {
	return &fake{cols: size.Cols, rows: size.Rows, reply: reply}
}

const keepText = 64 << 10

func (f *fake) Write(p []byte) (int, error) {
	fakeBytes.Add(int64(len(p)))
	if bytes.Contains(p, []byte("PANIC")) {
		panic("told to")
	}
	open, shut := bytes.LastIndex(p, []byte("\x1b[?2026h")), bytes.LastIndex(p, []byte("\x1b[?2026l"))
	if open != shut {
		f.sync = open > shut
	}
	for range bytes.Count(p, []byte("\x1b[c")) {
		f.reply([]byte("\x1b[?62c"))
	}
	f.text = append(f.text, p...)
	if len(f.text) > 2*keepText {
		f.text = append([]byte(nil), f.text[len(f.text)-keepText:]...)
	}
	return len(p), nil
}

func (f *fake) Resize(cols, rows int) { f.cols, f.rows = cols, rows }

func (f *fake) State() vt.State { return vt.State{Modes: vt.Modes{Synchronized: f.sync}} }

func (f *fake) Snapshot(dst *vt.Screen) {
	dst.Cols, dst.Rows = f.cols, f.rows
	dst.Cells = make([]vt.Cell, f.cols*f.rows)
	dst.Gen = make([]uint64, f.rows)
	for i := range dst.Cells {
		dst.Cells[i] = vt.Blank
	}
	var lines []string
	for line := range strings.Lines(string(f.text)) {
		line = strings.TrimRight(line, "\r\n")
		for len(line) > f.cols {
			lines = append(lines, line[:f.cols])
			line = line[f.cols:]
		}
		lines = append(lines, line)
	}
	lines = lines[max(0, len(lines)-f.rows):]
	for y, line := range lines {
		for x, r := range []byte(line) {
			dst.Row(y)[x].Rune = rune(max(r, ' '))
		}
	}
}
