package past

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"reprise/panes/disk"
	"reprise/panes/disk/dead"
)

// Folders of a disk that does not answer hold nothing up: neither a project's nor a home,
// nor where what was read before lay. What was known of them is kept.
func TestASilentDiskHoldsNothingUp(t *testing.T) {
	far, _ := dead.Mount(t)
	home := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{home}, names...)...) }
	list := `{"projects":[`
	for i := range 300 { // more than may hang
		list += fmt.Sprintf(`{"path":%q},`, filepath.Join(far, fmt.Sprint(i)))
	}
	list += fmt.Sprintf(`{"path":%q,"data_dir":%q}]}`, home, at("near"))
	err := errors.Join(
		os.MkdirAll(at("near"), 0o700), os.WriteFile(at("near", "crush.db"), nil, 0o600),
		os.MkdirAll(at(".local/share/crush"), 0o700), os.WriteFile(at(".local/share/crush/projects.json"), []byte(list), 0o600),
		os.Symlink(filepath.Join(far, "claude"), at(".claude")), os.Symlink(far, at("later")),
		os.MkdirAll(at(".codex/rollouts"), 0o700), os.Symlink(far, at(".codex/sessions")),
	)
	if err != nil {
		t.Fatal(err)
	}
	stores := append(Stores(), InListed("crush", one{}, CrushProjects, ".", "crush", "projects.json"))
	index := memory{}
	for _, path := range []string{filepath.Join(far, "projects/a/b.jsonl"), at("later/projects/a/b.jsonl")} {
		index[path] = File{Path: path, Mark: Mark{Kind: "claude"}}
	}
	before := len(index)
	done := make(chan error, 1)
	var stats Stats
	go func() {
		var err error
		homes := map[string][]string{"codex": {far, filepath.Join(far, "other")}}
		stats, err = Refresh(context.Background(), index, stores, Sources(stores, home, noEnv, homes), nil)
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the refresh hangs")
	}
	if got := index.sessions(); len(got) != 1 || got[0].Session != "near" {
		t.Errorf("found %v", got)
	}
	for _, path := range []string{home, at(".codex"), at(".codex/rollouts")} {
		if _, err := disk.In(path, disk.Glance, func(func()) ([]os.DirEntry, error) { return os.ReadDir(path) }); err != nil {
			t.Errorf("what is in %s: %v", path, err)
		}
	}
	if stats.Gone != 0 || len(index) != before+2 {
		t.Errorf("%d of %d were forgotten, though nobody can see whether they are gone", stats.Gone, before)
	}
}
