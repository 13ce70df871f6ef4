package kinds

import (
	"path/filepath"
	"regexp"
	"strings"

	"reprise/agent"
	"reprise/panes/disk"
)

// profiled is a kind whose home may hold others, its profiles: folders in profiles. An
// option names one, else the file active_profile in the home does. A home that is a
// profile already stays one, unless an option says another (hermes' documentation, and
// its source of 2026).
type profiled struct{ *program }

var _ agent.Housed = profiled{}

const profilesFolder = "profiles"

// profileName is what a profile may be called.
var profileName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// HomeOf is agent.Housed's.
func (k profiled) HomeOf(args []string, home string) string {
	name, named := "", false
	for _, a := range parse(k.options, args) {
		if a.name == "--profile" || a.name == "-p" {
			name, named = strings.ToLower(strings.TrimSpace(a.value)), true
		}
	}
	root := home
	if filepath.Base(filepath.Dir(home)) == profilesFolder {
		root = filepath.Dir(filepath.Dir(home))
	}
	folder, ok := k.store.root(root)
	switch {
	case !ok, !named && root != home:
		return home
	case !named:
		data, err := readFile(filepath.Join(folder, "active_profile"), 1<<10)
		if name = strings.ToLower(strings.TrimSpace(string(data))); err != nil || name == "default" {
			return home
		}
	case name == "default":
		return root
	}
	at := filepath.Join(folder, profilesFolder, name)
	if !profileName.MatchString(name) || !disk.IsDir(at, disk.Glance) {
		return home // it will not start there
	}
	return at
}
