package agent_test

import (
	"errors"
	"path/filepath"
	"testing"

	"reprise/agent"
	"reprise/panes/disk"
	"reprise/panes/disk/dead"
)

// What lies on a disk that does not answer is refused: nothing is launched there, and the
// resumes of others do not wait behind it.
func TestNothingIsResumedOnASilentDisk(t *testing.T) {
	far, _ := dead.Mount(t)
	// It hangs once, outside the bubble: a system call keeps its time from going on.
	if _, err := disk.Stat(far, disk.Glance); !errors.Is(err, disk.ErrSilent) {
		t.Fatal(err)
	}
	bubble(t, 2, func(w *world) {
		s := w.start()
		r := w.past("past-1", 0)
		r.Dir = filepath.Join(far, "project")
		got := s.c.OpenSession(t.Context(), r)
		if got.Failure != agent.FailDirectory || got.Err == nil {
			t.Fatalf("opened there: %+v", got)
		}
		want := "Could not resume robot: its folder " + r.Dir + " is on a disk that does not answer. Bring it back, then retry."
		if got := got.Err.Error(); len(got) < len(want) || got[:len(want)] != want {
			t.Errorf("it says %q, want %q", got, want)
		}
		if n := w.starts("past-1"); n != 0 {
			t.Errorf("%d starts", n)
		}
	})
}
