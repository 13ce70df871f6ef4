package kinds

import (
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"reprise/agent"
	"reprise/panes/disk"
)

var _ agent.Housed = (*program)(nil)

const profilesFolder = "profiles"

// profileName is what a profile may be called.
var profileName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`) })

// HomeOf is agent.Housed's. The home of a program with profiles may hold others: folders
// in profiles. An option names one, else the file active_profile in the home does. A home
// that is a profile already stays one, unless an option says another (hermes'
// documentation, and its source of 2026).
func (k *program) HomeOf(args []string, home string) string {
	if !k.profiles {
		return home
	}
	name, named := k.profileIn(args)
	root := home
	if inProfiles(home) {
		root = filepath.Dir(filepath.Dir(home))
	}
	folder, ok := k.kept().root(root)
	switch {
	case !ok, !named && root != home:
		return home
	case !named:
		data, err := activeProfile(folder)
		if name = profileCalled(string(data)); err != nil || name == defaultProfile {
			return home
		}
	case name == defaultProfile:
		return root
	}
	at := filepath.Join(folder, profilesFolder, name)
	if !profileName().MatchString(name) {
		return home // it will not start there
	}
	// One of which a disk does not tell whether it is there may be: its sessions are no others then.
	if st, err := disk.Stat(at, disk.Glance); errors.Is(err, fs.ErrNotExist) || err == nil && !st.IsDir() {
		return home
	}
	return at
}

// activeProfile is the file in a home that names the profile of who names none. It is
// waited for: which session one is hangs on it.
func activeProfile(folder string) ([]byte, error) {
	path := filepath.Join(folder, "active_profile")
	return disk.In(path, disk.Must, func(func()) ([]byte, error) { return readHere(path, 1<<10) })
}

// profileOf is what else a session of a home repeats, so that it comes back there: the
// home itself has to be named where another profile may be active, and a profile where no
// variable names it. A program that may know no profiles is told of none.
func (k *program) profileOf(home string, repeated []string) []string {
	if _, named := k.profileIn(repeated); !k.profiles || named {
		return nil
	}
	if inProfiles(home) {
		if name := filepath.Base(home); k.facts.HomeEnv == "" && profileName().MatchString(name) {
			return []string{"-p", name}
		}
		return nil
	}
	if folder, ok := k.kept().root(home); ok {
		if _, err := activeProfile(folder); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	return []string{"-p", defaultProfile}
}

// defaultProfile is what the home itself is called among its profiles.
const defaultProfile = "default"

// profileIn is the profile that a command line names.
func (k *program) profileIn(args []string) (name string, named bool) {
	for _, a := range parse(k.options, args) {
		if a.name == "--profile" || a.name == "-p" {
			name, named = profileCalled(a.value), true
		}
	}
	return name, named
}

func profileCalled(said string) string { return strings.ToLower(strings.TrimSpace(said)) }

// inProfiles reports whether a home is a profile.
func inProfiles(home string) bool { return filepath.Base(filepath.Dir(home)) == profilesFolder }
