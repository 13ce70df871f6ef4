package ui_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/agent/past"
	"reprise/ui"
)

func pastRow(id, dir, first, last string) past.Row {
	return past.Row{Conversation: past.Conversation{
		Identity: agent.Identity{Kind: "claude", Session: agent.SessionID(id)}, Dir: dir, First: first, Last: last,
	}}
}

func TestFindPast(t *testing.T) {
	rows := []past.Row{
		pastRow("1", "/w/api", "mend the flaky test", "all pass"),
		pastRow("2", "/w/web", "write the release notes", "mended"),
		pastRow("3", "/w/web", "why is it slow", "it sorts twice"),
	}
	deep := map[string]string{"database": "3", "quantum": "1"}
	saying := func(w string) map[agent.Identity]bool {
		id, ok := deep[w]
		return map[agent.Identity]bool{{Kind: "claude", Session: agent.SessionID(id)}: ok}
	}
	for typed, want := range map[string][]string{
		"":              {"1", "2", "3"},
		"mend":          {"1", "2"}, // in the first prompt before the last message
		"mft":           {"1"},
		"flk":           {"1"}, // shortened
		"web":           {"2", "3"},
		"web database":  {"3"},
		"quantum notes": nil,
		"nowhere":       nil,
	} {
		var got []string
		for _, r := range ui.FindPast(rows, typed, saying) {
			got = append(got, string(r.Identity.Session))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q: %s", typed, d)
		}
	}
	if got := ui.FindPast(rows, "database", nil); len(got) != 0 {
		t.Errorf("without an index: %v", got)
	}
	if g := ui.ByDir(rows, true); len(g) != 2 || len(g[1]) != 2 {
		t.Errorf("by directory: %v", g)
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		path, dir string
		want      bool
	}{{"/w/a", "/w/a", true}, {"/w/a/b", "/w/a", true}, {"/w/ab", "/w/a", false}, {"/w", "/w/a", false}, {"/w", "/", true}, {"", "/", false}} {
		if got := ui.Within(c.path, c.dir); got != c.want {
			t.Errorf("%q in %q: %v", c.path, c.dir, got)
		}
	}
}

func TestShortAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "0s", 40 * time.Second: "40s", 6*time.Minute + 59*time.Second: "6m", 3 * time.Hour: "3h", 60 * time.Hour: "2 d",
	} {
		if got := ui.ShortAge(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}
