package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestInstallKeepsWhatIsUsed(t *testing.T) {
	state := t.TempDir()
	program, build, err := install(state)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(program); err != nil || string(got) != string(want) {
		t.Errorf("the copy has %d bytes, %v; want %d", len(got), err, len(want))
	}
	again, same, err := install(state)
	if err != nil || again != program || same != build {
		t.Errorf("once more: %s %s %v, want %s %s", again, same, err, program, build)
	}
	old := time.Now().Add(-2 * freshBuild)
	for _, name := range []string{"used", "unused", "fresh"} {
		dir := filepath.Join(state, "bin", name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if name != "fresh" {
			if err := os.Chtimes(dir, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := pruneBuilds(state, []string{"used"}); err != nil {
		t.Fatal(err)
	}
	for name, kept := range map[string]bool{"used": true, "unused": false, "fresh": true, build: true} {
		if _, err := os.Stat(filepath.Join(state, "bin", name)); (err == nil) != kept {
			t.Errorf("%s: %v, want kept %v", name, err, kept)
		}
	}
}
