package cli

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settleTime is how long nothing must come to config.toml before it is read: an
// editor writes it in several steps.
const settleTime = 150 * time.Millisecond

// watch reads config.toml and the themes when they change, until ctx ends, so that
// the clients are woken. It watches folders, as editors rename another file over the
// old one. A folder that is not there yet is watched once something of it was read;
// until then, and where nothing can be watched, the look at the prefix remains.
func (l *liveConfig) watch(ctx context.Context, log *slog.Logger) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		log.Warn("config.toml is looked at when a prefix is pressed only", "err", err)
		return
	}
	defer func() { _ = w.Close() }() // nothing is lost with it
	read, forget := l.news.Subscribe()
	defer forget()
	settled := time.NewTimer(settleTime) // what changed before it was watched
	defer settled.Stop()
	names := l.watchIn(w)
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-w.Events:
			if slices.Contains(names, filepath.Base(e.Name)) || filepath.Ext(e.Name) == ".toml" {
				settled.Reset(settleTime)
			}
			continue // nothing else of a folder concerns us, and it may be a busy one
		case err := <-w.Errors: // events may be lost
			log.Warn("follow config.toml", "err", err)
			settled.Reset(settleTime)
			continue
		case <-settled.C:
			l.take(false)
		case <-read:
		}
		before := len(w.WatchList())
		if names = l.watchIn(w); len(w.WatchList()) > before {
			settled.Reset(settleTime)
		}
	}
}

// watchIn watches the folders of all that is read, where a link leads too, and
// returns the names in them that are news.
func (l *liveConfig) watchIn(w *fsnotify.Watcher) (names []string) {
	themes := themesOf(l.path)
	names = []string{filepath.Base(l.path), filepath.Base(themes)}
	folders := []string{filepath.Dir(l.path), themes}
	if to, err := filepath.EvalSymlinks(l.path); err == nil {
		names, folders = append(names, filepath.Base(to)), append(folders, filepath.Dir(to))
	}
	for _, f := range folders {
		if !slices.Contains(w.WatchList(), f) {
			_ = w.Add(f) // it may not be there
		}
	}
	return names
}
