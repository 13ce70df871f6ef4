package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"reprise/agent"
	"reprise/agent/past"
	"reprise/ui/fuzzy"
)

// FindPast sorts out the past sessions that fit what was typed: each word of it must
// be in the first prompt, as people shorten it, or in the last message, the directory,
// the agent's name or the session's id as it stands, or begin a word of what saying
// tells, which may be nil. The best come first, of equals the last used; without words
// all fit, and stay as they are.
func FindPast(rows []past.Row, typed string, saying func(word string) map[agent.Identity]bool) []past.Row {
	words := strings.Fields(typed)
	if len(words) == 0 {
		return rows
	}
	type scored struct {
		past.Row
		score int
	}
	fit := make([]scored, len(rows))
	for i, r := range rows {
		fit[i].Row = r
	}
	for _, w := range words {
		m := fuzzy.New(w)
		var said map[agent.Identity]bool
		if saying != nil {
			said = saying(w)
		}
		fit = slices.DeleteFunc(fit, func(r scored) bool { return r.score < 0 })
		for i := range fit {
			r := &fit[i]
			score, _, ok := m.Match(r.First, r.Last+" "+r.Dir+" "+r.Kind+" "+string(r.Identity.Session))
			switch {
			case ok:
				r.score += score
			case !said[r.Identity]:
				r.score = -1
			}
		}
	}
	fit = slices.DeleteFunc(fit, func(r scored) bool { return r.score < 0 })
	slices.SortStableFunc(fit, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	out := make([]past.Row, len(fit))
	for i, r := range fit {
		out[i] = r.Row
	}
	return out
}

// ByDir puts sessions that were held in one directory together, the directory that was
// used last first; grouped false leaves them as they are.
func ByDir(rows []past.Row, grouped bool) [][]past.Row {
	if !grouped {
		return [][]past.Row{rows}
	}
	at := map[string]int{}
	var all [][]past.Row
	for _, r := range rows {
		i, ok := at[r.Dir]
		if !ok {
			i = len(all)
			at[r.Dir], all = i, append(all, nil)
		}
		all[i] = append(all[i], r)
	}
	return all
}

// Within reports whether a directory is dir, or below it.
func Within(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == '/' || dir == "/")
}

// ShortAge is a time in one unit, as lists have it: 40s, 6m, 3h, 2 d.
func ShortAge(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, int(d/time.Second)))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d/time.Minute))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh", int(d/time.Hour))
	}
	return fmt.Sprintf("%d d", int(d/(24*time.Hour)))
}
