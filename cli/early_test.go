package cli

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/adrg/xdg"

	"reprise/cli/early"
)

// What is no program must not begin a server.
func TestEarlyKnowsAllCommands(t *testing.T) {
	want := slices.Collect(maps.Keys(hidden))
	for _, c := range rootCommand().Commands() {
		want = append(append(want, c.Name()), c.Aliases...)
	}
	want = slices.DeleteFunc(want, func(name string) bool { return name == "no-help" })
	slices.Sort(want)
	if got := slices.Sorted(slices.Values(early.Commands)); !slices.Equal(got, want) {
		t.Errorf("early.Commands are\n%q, want\n%q", got, want)
	}
}

// A server that is begun early must be the one that is looked for.
func TestEarlyStateFolder(t *testing.T) {
	t.Cleanup(xdg.Reload)
	for _, tt := range []struct {
		env  map[string]string
		left bool // to who asks
	}{
		{map[string]string{"REPRISE_HOME": "/r//x/", "XDG_STATE_HOME": "/s", "HOME": "/h"}, false},
		{map[string]string{"XDG_STATE_HOME": "/s/./t", "HOME": "/h"}, false},
		{map[string]string{"HOME": "/h/../i"}, false},
		{map[string]string{"REPRISE_HOME": "r", "HOME": "/h"}, true},
		{map[string]string{"XDG_STATE_HOME": "~/s", "HOME": "/h"}, true},
		{map[string]string{"XDG_STATE_HOME": "$HOME/s", "HOME": "/h"}, true},
		{map[string]string{}, true},
	} {
		for _, key := range []string{"REPRISE_HOME", "XDG_STATE_HOME", "HOME"} {
			t.Setenv(key, tt.env[key])
		}
		xdg.Reload()
		got := early.State(os.LookupEnv)
		want, err := findPaths()
		if left := got == ""; left != tt.left || !left && (err != nil || got != want.state) {
			t.Errorf("%v: %q, want %q (%v)", tt.env, got, want.state, err)
		}
	}
}
