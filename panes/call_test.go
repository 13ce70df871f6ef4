package panes_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"reprise/panes"
)

// calls gathers what a host is told.
type calls struct {
	mu  sync.Mutex
	all []panes.Call
}

func (c *calls) take(call panes.Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, call)
}

// words are the calls of a terminal: its notifications, and "bell" once for all its
// bells.
func (c *calls) words(t *testing.T, term *panes.Terminal) (out []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.all {
		if call.Pane != "p1" || call.Terminal != term.ID() {
			t.Errorf("a call of pane %q, terminal %q", call.Pane, call.Terminal)
		}
		word := "bell"
		if call.Notice {
			word = call.Title + "|" + call.Body
		}
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}

func TestProgramsCallForAttention(t *testing.T) {
	for name, c := range map[string]struct {
		print string // printf's format
		want  []string
	}{
		"nothing":             {`hello \033]0;title\a \033]9;4;1;50\a`, nil}, // the end of a title and progress
		"bell":                {`\a\a\a`, []string{"bell"}},
		"OSC 9":               {`\033]9;all done\a`, []string{"|all done"}},
		"OSC 777":             {`\033]777;notify;make;all done\033\\`, []string{"make|all done"}},
		"OSC 99":              {`\033]99;i=1:d=0;make\033\\\033]99;i=1:p=body;all done\033\\`, []string{"make|all done"}},
		"controls are no say": {`\033]9;a\001b\302\233c\a`, []string{"|abc"}},
		"both":                {`\033]9;x\a\a`, []string{"|x", "bell"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got calls
			h := hostWith(t, panes.HostOptions{Call: got.take})
			term := startClosed(t, h, panes.Spec{Pane: "p1", Argv: []string{"printf", c.print}})
			if err := term.OpenGate(); err != nil {
				t.Fatal(err)
			}
			waitDone(t, term)
			if all := got.words(t, term); !slices.Equal(all, c.want) {
				t.Errorf("called %q, want %q", all, c.want)
			}
		})
	}
}

// What a terminal of old showed calls nobody again.
func TestOldOutputDoesNotCall(t *testing.T) {
	var got calls
	h := hostWith(t, panes.HostOptions{Call: got.take})
	term := startClosed(t, h, panes.Spec{Pane: "p1", Argv: []string{"echo", "new"}, History: []byte("old\a\x1b]9;old\a\r\n")})
	if err := term.OpenGate(); err != nil {
		t.Fatal(err)
	}
	waitText(t, term, "new")
	waitDone(t, term)
	if all := got.words(t, term); all != nil {
		t.Errorf("called %q", all)
	}
}

func TestAFloodOfNoticesIsBounded(t *testing.T) {
	var got calls
	h := hostWith(t, panes.HostOptions{Call: got.take})
	const n = 5000
	term := startClosed(t, h, panes.Spec{Pane: "p1", Argv: []string{"printf", strings.Repeat(`\033]9;x\a`, n)}})
	if err := term.OpenGate(); err != nil {
		t.Fatal(err)
	}
	waitDone(t, term)
	got.mu.Lock()
	defer got.mu.Unlock()
	// A read is bounded too, so there are several; on no machine is it one a notice.
	if len(got.all) == 0 || len(got.all) > n/2 {
		t.Errorf("%d calls for %d notices", len(got.all), n)
	}
}
