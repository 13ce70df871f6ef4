package history_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"reprise/panes"
	"reprise/panes/history"
)

// roles are what this test binary does when it is started again with a role in
// its environment.
var roles = map[string]func(dir string) error{
	"saver":   saver,
	"limited": limited,
}

const (
	roleKey = "HISTORY_TEST_ROLE"
	dirKey  = "HISTORY_TEST_DIR"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(roleKey); role != "" {
		if err := roles[role](os.Getenv(dirKey)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func again(t *testing.T, role, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), roleKey+"="+role, dirKey+"="+dir)
	return cmd
}

// versions are what savers save: none can be mistaken for a part of another.
var versions = sync.OnceValue(func() []string {
	var out []string
	for i := range 3 {
		out = append(out, strings.Repeat(noise(uint64(i), 99)+"\n", 100)+noise(uint64(100+i), 200_000))
	}
	return out
})

// saver saves without end, and says each time that it did.
func saver(dir string) error {
	s := history.NewStore(dir, history.Options{})
	all := versions()
	for i := 0; ; i++ {
		if err := s.Save("p", record(all[i%len(all)])); err != nil {
			return err
		}
		fmt.Println("saved")
	}
}

// start starts a saver and waits until it has saved once.
func start(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := again(t, "saver", dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("the saver ended")
	}
	go func() {
		for lines.Scan() { // lets it go on
			continue
		}
	}()
	return cmd
}

// whole checks that the pane's file is one of those that were saved.
func whole(t *testing.T, s *history.Store) {
	t.Helper()
	r, err := s.Load("p")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(versions(), string(r.Text)) {
		t.Fatalf("%d bytes that nobody saved", len(r.Text))
	}
}

// Wherever a save is killed, the file is the old one or the new one.
func TestKilledSaver(t *testing.T) {
	dir := t.TempDir()
	s := history.NewStore(dir, history.Options{})
	for round := range 12 {
		cmd := start(t, dir)
		// Somewhere in its next saves: another place in each round.
		time.Sleep(time.Duration(round) * 611 * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		whole(t, s)
	}
	left := len(names(t, dir)) - 1
	for _, name := range names(t, dir) {
		if strings.HasSuffix(name, ".tmp") {
			age(t, dir, name, 2*time.Hour)
		}
	}
	if err := s.Prune(func(p panes.PaneID) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"p.zst"}) {
		t.Errorf("%q", got)
	}
	t.Logf("%d of 12 were killed before their file had its name", left)
}

// Two processes save one pane while a third one reads it.
func TestTwoSavers(t *testing.T) {
	dir := t.TempDir()
	one, two := start(t, dir), start(t, dir)
	s := history.NewStore(dir, history.Options{})
	for range 100 {
		whole(t, s)
	}
	for _, cmd := range []*exec.Cmd{one, two} {
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != unix.SIGKILL {
			t.Errorf("a saver failed beside another: %v", err)
		}
	}
}

// limited saves where no file may be longer than 64 KiB.
func limited(dir string) error {
	signal.Ignore(unix.SIGXFSZ)
	lim := unix.Rlimit{Cur: 64 << 10, Max: 64 << 10}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &lim); err != nil {
		return err
	}
	return fails(dir, unix.EFBIG)
}

// fails saves little, then more than there is room for, then little again.
func fails(dir string, want error) error {
	s := history.NewStore(dir, history.Options{})
	if err := s.Save("p", record("old\n")); err != nil {
		return err
	}
	if err := s.Save("p", record(noise(1, 4<<20))); !errors.Is(err, want) {
		return fmt.Errorf("saved without room: %w", err)
	}
	r, err := s.Load("p")
	if err != nil || string(r.Text) != "old\n" {
		return fmt.Errorf("the old file is %q: %w", r.Text, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 1 {
		return fmt.Errorf("in the folder: %q %w", left, err)
	}
	return s.Save("p", record("new\n"))
}

func TestNoRoom(t *testing.T) {
	dir := t.TempDir()
	if out, err := again(t, "limited", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := text(t, history.NewStore(dir, history.Options{}), "p"); got != "new\n" {
		t.Errorf("%q", got)
	}
}
