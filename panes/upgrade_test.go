package panes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"reprise/panes"
	"reprise/panes/vt"
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
	Helpers     []panes.ProcessID
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
	Helpers int  // programs beside the terminals that were known after the last upgrade
	Zombies int  // of them, once they were ended
}

// upgrade is a process that owns terminals and becomes itself again and again,
// while one program prints, one is typed at, and one dies.
func upgrade(dir, emulator string) {
	if err := upgradeNow(dir, emulator == "recorder"); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

func upgradeNow(dir string, recorded bool) error {
	o := panes.HostOptions{Shim: func() []string { return []string{os.Args[0], "gate"} }, Scrollback: 1_000_000}
	if recorded {
		o.Emulator = newRecorder
	}
	h := panes.NewHost(o)
	state := filepath.Join(dir, "state")
	s := upgraded{PIDs: map[string]panes.ProcessID{}}
	b, err := os.ReadFile(state)
	switch {
	case errors.Is(err, os.ErrNotExist):
		err = firstImage(h, dir, &s)
	case err == nil:
		if err = json.Unmarshal(b, &s); err == nil {
			err = errors.Join(h.AdoptAll(s.Host), notInherited(s.Host.FDs()))
			panes.AdoptHelpers(append(s.Helpers, panes.ProcessID{PID: 1}), slog.New(slog.DiscardHandler))
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
	seen := named["count"].Seq()
	for named["count"].Seq() == seen {
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
	s.Helpers = panes.Helpers()
	if b, err = json.Marshal(s); err != nil {
		return err
	}
	if err := os.WriteFile(state, b, 0o600); err != nil {
		return err
	}
	return panes.Reexec(os.Args[0], os.Args, os.Environ(), s.Host.FDs())
}

// notInherited finds descriptors that programs started from now on would get.
func notInherited(fds []int) error {
	for _, fd := range fds {
		// One that cannot be asked is closed: its program has ended.
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err == nil && flags&unix.FD_CLOEXEC == 0 {
			return fmt.Errorf("descriptor %d is inherited", fd)
		}
	}
	return nil
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
			for !strings.Contains(t.LastLine(), "ready") {
				time.Sleep(time.Millisecond)
			}
		case "dead":
			<-t.Done()
			h.SetSize("c", pane, panes.Size{Cols: 33, Rows: 11})
		}
	}
	h.SetEnviron([]string{"BROUGHT=1"})
	// One is listened to no longer, the other still is when this image ends.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	go func() { _, _ = panes.Run(context.Background(), []string{"sleep", "600"}, dir, nil, 1) }()
	if err := panes.Spawn(ctx, []string{"sleep", "600"}, dir, nil); err != nil {
		return err
	}
	for end := time.Now().Add(patience); len(panes.Helpers()) < 2; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("%d helpers run, not 2", len(panes.Helpers()))
		}
	}
	return nil
}

func lastImage(h *panes.Host, named map[string]*panes.Terminal, s upgraded) error {
	o := outcome{
		Before: s.PIDs, PIDs: map[string]panes.ProcessID{}, Exits: map[string]panes.Exit{}, Texts: map[string]string{},
		Sizes: map[string]panes.Size{}, Sent: s.Sent, Layout: h.Layout().Panes(), Environ: h.Environ(),
	}
	all := panes.Helpers()
	o.Helpers = len(all)
	for _, id := range all {
		if err := syscall.Kill(id.PID, syscall.SIGKILL); err != nil {
			return err
		}
	}
	for end := time.Now().Add(patience); len(panes.Helpers()) > 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	for _, id := range all {
		if now, err := panes.Identify(id.PID); err == nil && now == id {
			o.Zombies++
		}
	}
	o.Keys = !named["slow"].LastKey().IsZero() && named["count"].LastKey().IsZero()
	if err := errors.Join(named["slow"].Send([]byte("END")), named["count"].Send([]byte("\n"))); err != nil {
		return err
	}
	for label, t := range named {
		<-t.Done()
		o.PIDs[label] = t.Process()
		o.Exits[label], _, _ = t.Exit()
		if o.Texts[label] = string(t.Text(vt.Text{History: -1})); o.Texts[label] == "" {
			o.Texts[label] = string(t.Dump())
		}
		o.Sizes[label] = t.Size()
	}
	for _, p := range o.Layout {
		o.Shown = append(o.Shown, h.Shown(p).Spec().Label)
	}
	return json.NewEncoder(os.Stdout).Encode(o)
}

// Upgrades in place: nothing that programs print or are typed is lost or doubled,
// and they end when and how they end. The recorder has every byte; the real
// emulator has the lines.
func TestUpgrade(t *testing.T) {
	for _, emulator := range []string{"recorder", "vt"} {
		t.Run(emulator, func(t *testing.T) { testUpgrade(t, emulator) })
	}
}

func testUpgrade(t *testing.T, emulator string) {
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 6*patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "upgrade", dir, emulator)
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
	newline := "\r\n"
	if emulator == "vt" {
		newline = "\n"
	}
	var lines strings.Builder
	for i := range strings.Count(o.Texts["count"], "\n") {
		fmt.Fprintf(&lines, "n%d%s", i, newline)
	}
	sent := string(typed(0, o.Sent)) + "END"
	heard, err := os.ReadFile(filepath.Join(dir, "heard"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the counter printed", o.Texts["count"], lines.String())
	same(t, "the dead printed", o.Texts["dead"], "over"+newline)
	same(t, "was typed", string(heard), sent)
	if emulator == "recorder" { // a raw terminal's lines are no staircase
		same(t, "was echoed", o.Texts["slow"], "ready "+sent)
	}
	if diff := cmp.Diff([]string{"count", "slow", "doomed", "dead"}, o.Shown); diff != "" {
		t.Errorf("panes:\n%s", diff)
	}
	if got := o.Sizes["dead"]; got != (panes.Size{Cols: 33, Rows: 11}) {
		t.Errorf("size %v", got)
	}
	if o.Helpers != 2 || o.Zombies != 0 {
		t.Errorf("%d helpers, of which %d stay zombies", o.Helpers, o.Zombies)
	}
	if !o.Keys || !strings.Contains(strings.Join(o.Environ, "\n"), "BROUGHT=1") {
		t.Errorf("last keys %v, environment %q", o.Keys, o.Environ)
	}
}

// same compares long texts.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	n := 0
	for n < min(len(got), len(want)) && got[n] == want[n] {
		n++
	}
	t.Errorf("what %s: %d bytes, want %d; they differ at %d: %.40q, want %.40q", what, len(got), len(want), n, got[n:], want[n:])
}
