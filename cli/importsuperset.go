package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"reprise/agent"
	"reprise/db/stores"
	"reprise/panes"
	"reprise/panes/disk"
)

// supersetSource is where Superset's workspaces are read.
type supersetSource struct {
	file string // a database of it; "": those in its folder
	home string // its folder
}

// supersetHome is Superset's folder, as it finds it itself.
func supersetHome() string {
	if dir := strings.TrimSpace(os.Getenv("SUPERSET_HOME_DIR")); dir != "" {
		return dir
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, ".superset")
}

// read reads the databases of its host service, one for each organisation; where there
// is none, that of an older version.
func (s supersetSource) read(kinds agent.Registry, told io.Writer) ([]foreign, error) {
	files := []string{s.file}
	if s.file == "" {
		files, _ = filepath.Glob(filepath.Join(s.home, "host", "*", "host.db")) // the pattern is sound
		if old := filepath.Join(s.home, "local.db"); len(files) == 0 && isThere(old) {
			files = []string{old}
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("nothing of Superset is kept in %s: name its host.db by --file", s.home)
	}
	var all []foreign
	for _, file := range files {
		found, err := stores.Superset(file)
		if err != nil {
			var olderr error
			if found, olderr = stores.OldSuperset(file); olderr != nil {
				return nil, fmt.Errorf("%w. Its form may be that of a version that Reprise does not know: start reprise in each of its worktrees instead", err)
			}
		}
		for _, w := range found {
			dir := absolute(w.Dir)
			if dir == "/" || !disk.IsDir(dir, disk.Must) {
				fmt.Fprintf(told, "reprise: %s is left out: its directory %s is gone\n", oneLine(w.Name), oneLine(w.Dir))
				continue
			}
			all = append(all, supersetForeign(w, dir, kinds))
		}
	}
	return all, nil
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, os.ErrNotExist)
}

// supersetForeign is a workspace as a session: a tab for each terminal, for how they
// stood beside each other its database does not tell. One that had none gets a shell.
func supersetForeign(w stores.SupersetWorkspace, dir string, kinds agent.Registry) foreign {
	f := foreign{name: w.Name, dir: dir, from: "superset"}
	if strings.TrimSpace(oneLine(f.name)) == "" {
		f.name = filepath.Base(dir)
	}
	terminals := w.Terminals
	if len(terminals) == 0 {
		terminals = []stores.SupersetTerminal{{}}
	}
	seen := map[stores.SupersetTerminal]bool{}
	for _, t := range slices.Backward(terminals) { // of two that had one session the newer one
		if t.Session != "" && seen[t] {
			continue
		}
		seen[t] = true
		p := foreignPane{id: panes.NewPaneID(), dir: dir}
		if k, ok := kinds.Kind(t.Agent); ok {
			p.argv = []string{k.Facts().Program}
			p.agent = &foundAgent{origin: agent.Origin{Kind: t.Agent, Dir: dir}, session: t.Session}
		}
		f.tabs = append(f.tabs, foreignTab{root: &panes.Node{Pane: p.id, Weight: 1}, panes: []foreignPane{p}})
	}
	slices.Reverse(f.tabs)
	return f
}
