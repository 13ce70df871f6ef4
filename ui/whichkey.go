package ui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"reprise/panes"
	"reprise/ui/frame"
)

// restTime is how long the prefix rests before the keys that may follow are shown.
const restTime = 400 * time.Millisecond

// restedMsg comes when the prefix may have rested.
type restedMsg struct{ mode *prefix }

func (r restedMsg) apply(m *Model) tea.Cmd {
	if m.mode != mode(r.mode) || m.view.refused() { // a key came, and it may be another prefix
		return nil
	}
	r.mode.shown = &whichKey{Columns: &frame.Columns{Hints: m.keys.hints()}}
	m.draws.dirty = true
	return nil
}

// whichKey is the sheet of the keys that may follow the prefix.
type whichKey struct {
	*frame.Columns // another one for each page: it is compared by its pointer
}

var whichKeyKeys = frame.Hints{{Key: "pgdown", Verb: "scroll"}, {Key: "esc", Verb: "cancel"}}

func (p *prefix) sheet() frame.Sheet {
	if p.shown == nil {
		return frame.Sheet{}
	}
	return frame.Sheet{Title: "Keys", Count: "esc cancels", Columns: p.shown.Columns, Keys: whichKeyKeys}
}

// scroll turns the page; false: the key means something else.
func (w *whichKey) scroll(key string, size panes.Size) bool {
	if w == nil || key != "pgup" && key != "pgdown" {
		return false
	}
	rows, last := w.Page(size)
	if last == 0 {
		return false
	}
	if key == "pgup" {
		rows = -rows
	}
	next := *w.Columns
	next.First = min(max(w.First+rows, 0), last)
	w.Columns = &next
	return true
}

// hints are the keys after the prefix in the order of their actions, in words: keys
// of the same verb together.
func (k *Keymap) hints() []frame.Hint {
	var verbs []string
	keys := map[string][]string{}
	for _, a := range actions {
		for _, b := range k.after {
			if b.action != a.name {
				continue
			}
			if keys[a.verb] == nil {
				verbs = append(verbs, a.verb)
			}
			keys[a.verb] = append(keys[a.verb], b.key)
		}
	}
	out := make([]frame.Hint, len(verbs))
	for i, v := range verbs {
		out[i] = frame.Hint{Key: strings.Join(inShort(keys[v]), " "), Verb: v}
	}
	return out
}

// inShort says keys as people do: arrows for the four of them, 1-9 for digits.
func inShort(keys []string) (out []string) {
	done := map[string]bool{}
	for _, key := range keys {
		if done[key] {
			continue
		}
		mods, last := key, ""
		if i := strings.LastIndexByte(key, '+'); i < len(key)-1 {
			mods, last = key[:i+1], key[i+1:]
		}
		four := []string{mods + "left", mods + "right", mods + "up", mods + "down"}
		run := digitsFrom(keys, mods, last)
		switch {
		case slices.Contains(four, key) && !slices.ContainsFunc(four, func(k string) bool { return !slices.Contains(keys, k) }):
			key = mods + "arrows"
		case len(run) > 2:
			four, key = run, run[0]+"-"+strings.TrimPrefix(run[len(run)-1], mods)
		default:
			four = nil
		}
		for _, k := range four {
			done[k] = true
		}
		out = append(out, key)
	}
	return out
}

// digitsFrom are the keys of the digits that follow one another, from this one on.
func digitsFrom(keys []string, mods, digit string) (run []string) {
	if len(digit) != 1 {
		return nil
	}
	for d := digit[0]; d >= '0' && d <= '9' && slices.Contains(keys, mods+string(d)); d++ {
		run = append(run, mods+string(d))
	}
	return run
}
