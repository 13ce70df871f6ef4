package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A person goes through the tutor: each step is ticked by doing it, the demo agent dies
// and comes back with what it was told, and nothing is left of it.
func TestTutor(t *testing.T) {
	h := newHome(t)
	tmp := filepath.Join(h.root, "t")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := h.reprise("tutor")
	cmd.Env = append(cmd.Env, "TMPDIR="+tmp)
	c := h.startCommand(cmd, outerCols, outerRows)
	c.wait(`► Split\n +ctrl\+b % puts a new pane at the right`)
	for _, step := range []struct{ keys, then string }{
		{"\x02%", "✓ Split"},
		{"\x02\x1b[D", "✓ Move"},
		{"\x02\x1b[1;5D", "✓ Resize"},
		{"\x02z", `zoom \+1`},
		{"\x02z", "✓ Zoom"},
		{"\x02c", "^ tutor › 1 .* 2 sh"},
		{"\x02p", "✓ Tabs"},
		{"\x02[", "^ copy "},
		{"q", "✓ Look back"},
		{"", "Demo agent. Type a few words"},
		{"\x02\x1b[B", "━ demo ━"},
		{"hello there\r", "I keep that in mind"},
		{"die\r", "back again. You said:"},
		{"", "✓ An agent dies"},
	} {
		c.send(step.keys)
		c.wait(step.then)
	}
	c.wait("^  hello there")
	c.send("\x02d")
	if st := c.ended(); st.ExitCode() != 0 {
		t.Errorf("it ended with %v", st)
	}
	c.wait("tutor: all 8 steps done. Nothing of it was kept")
	eventually(t, func() error {
		if all := h.processes(); len(all) > 0 {
			return fmt.Errorf("these are left: %v", all)
		}
		return nil
	})
	left, err := os.ReadDir(tmp)
	for _, e := range left {
		if strings.HasPrefix(e.Name(), "reprise-tutor-") {
			t.Errorf("%s is left", e.Name())
		}
	}
	if err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(h.root, "state")); !os.IsNotExist(err) {
		t.Errorf("the person's own state folder was made: %v", err)
	}
}
