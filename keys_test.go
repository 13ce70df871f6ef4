package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A key of config.toml works, one that is wrong is named, and a change of the file
// is in force after the prefix was pressed.
func TestKeysOfTheConfig(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.config("[keys]\nprefix = 'ctrl+a'\n[keys.bind]\n'prefix v' = 'split-right'\n'alt+o' = 'focus-next'\n'prefix w' = 'splt-down'\n")
	c := h.start()
	c.wait(`line 6: keys.bind "prefix w": unknown action splt-down, did you mean split-down`)
	c.types("\r", `^\$`)
	c.send("\x01v")
	c.wait(`^─.*[┱┲]━`) // two panes, the right one has the focus
	c.types("\r", `┃\$`)
	c.says("echo FI''RST", `┃FIRST`)
	c.send("\x1bo")
	c.wait(`^━.*[┱┲]─`)
	c.says("echo SEC''OND", `^SECOND`)

	// ctrl+b is the program's, and so is the prefix if it comes twice.
	c.says("cat -v", `cat -v`)
	c.send("\x02\x01\x01\r")
	c.wait(`^\^B\^A`)

	path := filepath.Join(h.root, "config", "config.toml")
	if err := os.WriteFile(path+".new", []byte("[keys.bind]\n'prefix m' = 'zoom'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	c.send("\x01y")
	c.types("\x02m", `zoom \+1`) // ctrl+b is the prefix again
}
