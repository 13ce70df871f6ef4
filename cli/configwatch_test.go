package cli

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"reprise/ui"
	"reprise/ui/theme"
)

// follower is what a client does with config.toml: it reads it when it is woken.
type follower struct {
	t     *testing.T
	wake  <-chan struct{}
	again func(context.Context, bool) ui.Reloaded
}

// followed watches a config.toml, as a server does for a client.
func followed(t *testing.T, path string) *follower {
	t.Helper()
	l := &liveConfig{path: path}
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() { defer close(over); l.watch(ctx, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() { cancel(); <-over })
	wake, forget := l.news.Subscribe()
	t.Cleanup(forget)
	_, _, again := l.client(nil)
	f := &follower{t, wake, again}
	f.rest()
	return f
}

// rest drops the wake that comes of the client's own reading: from now on none but the
// watch wakes it.
func (f *follower) rest() {
	select {
	case <-f.wake:
	default:
	}
}

// next is what the client reads when it is woken and there is something else; ok says
// whether that is it, or yet another change is awaited.
func (f *follower) next(what string, ok func(ui.Reloaded) bool) {
	f.t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case <-f.wake:
			if r := f.again(f.t.Context(), false); r.Changed && ok(r) {
				f.rest()
				return
			}
		case <-late:
			f.t.Fatalf("nobody is told: %s", what)
		}
	}
}

func themed(name string) func(ui.Reloaded) bool {
	return func(r ui.Reloaded) bool { return r.Settings.Theme == always(name) }
}

// Nobody presses a key: what is written is told, however an editor writes it.
func TestTheConfigIsWatched(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "config.toml")
	f := followed(t, path)
	write(t, path, "ui.theme = 'paper'\n") // renames
	f.next("the file came", themed("paper"))
	write(t, path, "ui.theme = 'ink'\n")
	f.next("another file was put in its place", themed("ink"))
	if err := os.WriteFile(path, []byte("ui.theme = 'bakelite'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.next("it was written to", themed("bakelite"))

	write(t, path, "ui.theme = 'paper'\nkeys.bind = {'prefix V' = 'zoom', 'prefix W' = 'no-such-thing'}\n")
	f.next("one of its bindings is wrong", func(r ui.Reloaded) bool {
		if len(r.Notices) != 1 || !strings.Contains(r.Notices[0], "no-such-thing") {
			t.Errorf("said: %q", r.Notices)
		}
		if got := r.Settings.Keys.Keys("zoom"); !slices.Contains(got, "ctrl+b V") {
			t.Errorf("beside a wrong binding zoom has %q", got)
		}
		return themed("paper")(r)
	})

	if err := os.Mkdir(filepath.Join(dir, "themes"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, path, "ui.theme = 'dusk'\n")
	f.next("a theme is named that is not there", func(r ui.Reloaded) bool { return len(r.Notices) == 1 })
	write(t, filepath.Join(dir, "themes", "dusk.toml"), "text = '#ffffff'\n")
	f.next("the theme came", func(r ui.Reloaded) bool { return r.Settings.Theme.Dark.Tokens[theme.Text].RGB == 0xffffff })

	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	f.next("the file went", func(r ui.Reloaded) bool { return r.Settings.Theme == theme.Choice{} })
}

// A config.toml that is a link into a folder of dotfiles is watched there.
func TestALinkedConfigIsWatched(t *testing.T) {
	dots, dir := t.TempDir(), t.TempDir()
	to, path := filepath.Join(dots, "reprise"), filepath.Join(dir, "config.toml")
	write(t, to, "ui.theme = 'ink'\n")
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
	f := followed(t, path)
	write(t, to, "ui.theme = 'paper'\n")
	f.next("where the link leads", themed("paper"))
}

// Without a folder there is nothing to watch, until a look at the prefix finds one.
func TestAConfigFolderThatComesLater(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "reprise")
	path := filepath.Join(dir, "config.toml")
	f := followed(t, path)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, path, "ui.theme = 'ink'\n")
	if r := f.again(t.Context(), false); !themed("ink")(r) { // perhaps the watch was quicker, and told
		t.Fatalf("at the prefix: %+v", r)
	}
	f.rest()
	write(t, path, "ui.theme = 'paper'\n")
	f.next("it changed after that", themed("paper"))
}
