package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// screen runs `reprise screen` and returns what it printed.
func screen(t *testing.T, stdin string, args ...string) (string, error) {
	t.Helper()
	root := rootCommand()
	var out strings.Builder
	root.SetArgs(append([]string{"screen"}, args...))
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&out)
	root.SilenceErrors = true
	err := root.Execute()
	return out.String(), err
}

func TestScreen(t *testing.T) {
	const log = "one\r\ntwo\r\n\x1b[31mthree\x1b[m\r\x1b[2Cxx"
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"text":               {[]string{"--size", "8x3"}, "one\ntwo\nthxxe\n"},
		"cut at every byte":  {[]string{"--size", "8x3", "--cut", "1"}, "one\ntwo\nthxxe\n"},
		"only the last rows": {[]string{"--size", "8x2"}, "two\nthxxe\n"},
		"all rows":           {[]string{"--size", "8x2", "--scrollback"}, "one\ntwo\nthxxe\n"},
		"with colours":       {[]string{"--size", "8x3", "--format", "ansi"}, "one\ntwo\n\x1b[0;31mth\x1b[0mxx\x1b[0;31me\x1b[m\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := screen(t, log, c.args...); err != nil || got != c.want {
				t.Errorf("printed %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestScreenJSON(t *testing.T) {
	got, err := screen(t, "a\x1b[6n\x1b]2;name\a", "--size", "4x2", "--format", "json")
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Title   string
		Replies string
		Cursor  struct{ X, Y int }
	}
	if err := json.Unmarshal([]byte(got), &s); err != nil {
		t.Fatalf("%v in %s", err, got)
	}
	if s.Title != "name" || s.Replies != "\x1b[1;2R" || s.Cursor.X != 1 || s.Cursor.Y != 0 {
		t.Errorf("%+v of %s", s, got)
	}
}

func TestScreenRefuses(t *testing.T) {
	for _, args := range [][]string{{"--size", "0x1"}, {"--size", "80"}, {"--size", "1001x1"}, {"--format", "xml"}, {"--cut", "-1"}, {"file"}} {
		if out, err := screen(t, "x", args...); err == nil {
			t.Errorf("screen %q printed %q and no error", args, out)
		}
	}
}
