package cli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"time"

	"reprise/agent"
	"reprise/panes"
	"reprise/panes/disk"
	"reprise/panes/history"
	"reprise/panes/vt"
)

// rememberAfter is how long after a pane showed something it is asked where its
// program is by now, so that it can be opened there again.
const rememberAfter = 5 * time.Second

// silentAfter is how long a program that shows nothing is not asked again: it may have
// changed its directory without a word (cd in a line of several commands).
const silentAfter = time.Minute

// wholeText is all that a terminal can show once more.
var wholeText = vt.Text{Styled: true, History: -1}

// remember keeps directories and titles with the layout, as they change. While
// nothing happens it sleeps without a clock.
func (h *house) remember(ctx context.Context) {
	wake, cancel := h.host.Subscribe()
	defer cancel()
	timer := time.NewTimer(0)
	defer timer.Stop()
	var asked lookedAt
	for {
		select {
		case <-ctx.Done():
			return
		case <-wake:
		}
		timer.Reset(rememberAfter)
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		asked = h.takeMeta(asked, time.Now())
		if err := h.saveLayout(ctx); err != nil && ctx.Err() == nil {
			h.proc.log.Warn("keep directories and titles", "err", err)
		}
	}
}

// lookedAt is for each terminal when its program was asked last where it is.
type lookedAt map[*panes.Terminal]look

type look struct {
	seq uint64 // what the terminal had shown by then
	at  time.Time
}

// takeMeta writes down what the panes' programs are at, and returns at which it
// looked. One that showed nothing since before is asked again after silentAfter alone: to
// ask costs a turn through the kernel and the disk, and what is written down wakes
// remember itself.
func (h *house) takeMeta(before lookedAt, now time.Time) lookedAt {
	l := h.host.Layout()
	asked := make(lookedAt, len(before))
	for _, id := range l.Panes() {
		t := h.host.Shown(id)
		if t == nil {
			continue
		}
		if _, _, ended := t.Exit(); ended {
			continue // it keeps what it had
		}
		seq := t.Seq()
		if last, known := before[t]; known && seq == last.seq && now.Sub(last.at) < silentAfter {
			asked[t] = last
			continue
		}
		asked[t] = look{seq, now}
		m := l.Meta[id]
		m.Dir, m.Title = h.dirOf(id), t.State().Title
		if old := l.Meta[id]; m.Dir != old.Dir || m.Title != old.Title {
			h.host.SetMeta(id, m)
		}
	}
	return asked
}

// dirOf is where a pane's program works: where it says (OSC 7), else where its
// process is, else where its pane or its workspace was opened.
func (h *house) dirOf(id panes.PaneID) string {
	var candidates []string
	if t := h.host.Shown(id); t != nil {
		candidates = append(candidates, t.State().Dir)
		if dir, err := panes.Cwd(t.Process().PID); err == nil {
			candidates = append(candidates, dir)
		}
	}
	return firstDir(append(candidates, h.coord.View(id).Dir, h.workspace.Dir)...)
}

// firstDir is the first that is a directory; "/" if none is.
func firstDir(candidates ...string) string {
	for _, dir := range candidates {
		if disk.IsDir(dir, disk.Glance) {
			return dir
		}
	}
	return "/"
}

// keepHistory keeps on disk what the panes have shown; nil: nothing is kept.
func (h *house) keepHistory() *history.Keeper {
	if h.cfg.RestoreScrollback == "off" {
		return nil
	}
	return history.NewKeeper(history.KeeperOptions{
		Host: h.host, Store: h.proc.past,
		Text: func(t *panes.Terminal) []byte { return t.Text(wholeText) },
		Told: func(err error) {
			if err != nil {
				h.proc.log.Warn("panes' scrollback is not being saved", "err", err)
				return
			}
			h.proc.log.Info("panes' scrollback is saved again")
		},
	})
}

// past is what a pane showed before a program is started in it: in the terminal
// that it replaces, or before the server was started.
func (h *house) past(r agent.HistoryRequest) []byte {
	again := h.restored(r.Pane)
	// A shell goes on below what was saved; what follows a program of this life of
	// the server begins on a clean screen.
	again.Words, again.Screen = "restored "+time.Now().Format("15:04"), r.Kind == ""
	if t := h.host.Terminal(r.Old); t != nil {
		again.Text, again.Screen = t.Text(wholeText), false
	}
	return again.Stream()
}

// showPast shows in a pane in which nothing is started yet what it showed before
// the server was started.
func (h *house) showPast(p panes.PaneID, t *agent.Terminal) {
	again := h.restored(p)
	again.Screen = true
	if lines := again.Stream(); lines != nil {
		h.host.ShowPast(p, t.ID, cmp.Or(t.Ended, t.Created), lines)
	}
}

// restored is what was saved of a pane; without text if nothing was.
func (h *house) restored(p panes.PaneID) panes.Restored {
	r := panes.Restored{ASCII: h.cfg.ASCII == "on", Size: h.host.PaneSize(p)}
	if h.cfg.RestoreScrollback == "off" {
		return r
	}
	rec, err := h.proc.past.Load(p)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.proc.log.Warn("read a pane's saved scrollback", "pane", p, "err", err)
	}
	r.Text = rec.Text
	return r
}
