package kinds_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reprise/agent"
	"reprise/panes/disk"
	"reprise/panes/disk/dead"
)

// A store's folder that leads to a disk that does not answer leaves the question open, and
// the rest of the home good.
func TestAStoreOnASilentDisk(t *testing.T) {
	far, _ := dead.Mount(t)
	home := t.TempDir()
	beside := filepath.Join(home, "beside")
	if err := errors.Join(os.Mkdir(beside, 0o700), os.Symlink(far, filepath.Join(home, "projects"))); err != nil {
		t.Fatal(err)
	}
	// It hangs once for as short as may be.
	if _, err := disk.Stat(far, disk.Glance); !errors.Is(err, disk.ErrSilent) {
		t.Fatal(err)
	}
	if got := kind(t, "claude").Transcript(home, "", preset); got != agent.CannotTell {
		t.Errorf("it says %v", got)
	}
	for _, path := range []string{home, beside} {
		if _, err := disk.In(path, disk.Glance, func(func()) ([]os.DirEntry, error) { return os.ReadDir(path) }); err != nil {
			t.Errorf("what is in %s: %v", path, err)
		}
	}
}

// Worktrees that lie on a disk that does not answer are passed over; what is beside them
// in the project's folder stays good.
func TestClaudeWorktreesOnASilentDisk(t *testing.T) {
	far, _ := dead.Mount(t)
	home, dir := t.TempDir(), t.TempDir()
	project, sub := filepath.Join(home, "projects", "-x-proj--claude-worktrees-owl"), filepath.Join(dir, "sub")
	err := errors.Join(
		os.MkdirAll(project, 0o700), os.WriteFile(filepath.Join(project, string(preset)+".jsonl"), []byte(`{"type":"user"}`), 0o600),
		os.MkdirAll(sub, 0o700), os.Mkdir(filepath.Join(dir, ".claude"), 0o700), os.Symlink(far, filepath.Join(dir, ".claude", "worktrees")),
	)
	if err != nil {
		t.Fatal(err)
	}
	got, err := kind(t, "claude").Resume(agent.LaunchInput{Session: preset, Flags: []string{"-w"}, Home: home, Dir: dir})
	if want := "claude|--resume|" + string(preset); err != nil || strings.Join(got.Argv, "|") != want {
		t.Errorf("%q, %v: want %q", got.Argv, err, want)
	}
	for _, path := range []string{dir, sub} {
		if _, err := disk.In(path, disk.Glance, func(func()) ([]os.DirEntry, error) { return os.ReadDir(path) }); err != nil {
			t.Errorf("what is in %s: %v", path, err)
		}
	}
}

// Whose session one is does not hang on whether the profile's disk answers in time.
func TestProfilesOnASilentDisk(t *testing.T) {
	far, _ := dead.Mount(t)
	user := t.TempDir()
	t.Setenv("HOME", user)
	native := filepath.Join(user, ".hermes")
	if err := errors.Join(os.Mkdir(native, 0o700), os.Symlink(far, filepath.Join(native, "profiles")), os.WriteFile(filepath.Join(native, "active_profile"), []byte("writer\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"coder": native + "/profiles/coder", "": native + "/profiles/writer", "../coder": ""} {
		var args []string
		if name != "" {
			args = []string{"-p", name}
		}
		if got := agent.HomeOf(kind(t, "hermes"), args, nil, "/"); got != want {
			t.Errorf("%q: %q, want %q", args, got, want)
		}
	}
}
