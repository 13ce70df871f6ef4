package ui_test

import (
	"os"
	"path/filepath"
	"testing"

	"reprise/ui"
)

// What an opener may run is not opened, however its mode and its case are.
func TestHarmless(t *testing.T) {
	for _, tt := range []struct {
		name string
		mode os.FileMode
		ok   bool
	}{
		{"notes.txt", 0o600, true},
		{"README", 0o600, true},
		{"script.txt", 0o700, false},
		{"a.desktop", 0o600, false},
		{"a.Terminal", 0o600, false},
		{"a.webloc", 0o600, false},
		{"a.command", 0o600, false},
		{"folder", os.ModeDir, true},
		{".config", os.ModeDir, true},
		{"Calculator.app", os.ModeDir, false},
		{"unknown.bundle", os.ModeDir, false},
	} {
		path := filepath.Join(t.TempDir(), tt.name)
		var err error
		if tt.mode.IsDir() {
			err = os.Mkdir(path, 0o700)
		} else {
			err = os.WriteFile(path, nil, tt.mode)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := ui.Harmless(path); (err == nil) != tt.ok {
			t.Errorf("%s: %v, want it opened: %v", tt.name, err, tt.ok)
		}
	}
	if ui.Harmless(filepath.Join(t.TempDir(), "none")) == nil {
		t.Error("a file that there is not is opened")
	}
}
