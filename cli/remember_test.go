package cli

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFirstDir(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		candidates []string
		want       string
	}{
		{[]string{dir}, dir},
		{[]string{"", "relative", file, filepath.Join(dir, "gone"), dir}, dir},
		{[]string{file}, "/"},
		{nil, "/"},
	} {
		if got := firstDir(c.candidates...); got != c.want {
			t.Errorf("%q: %s, want %s", c.candidates, got, c.want)
		}
	}
}
