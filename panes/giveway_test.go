package panes_test

import (
	"testing"
	"testing/synctest"
	"time"

	"reprise/panes"
)

// A flood rests while somebody types elsewhere, and only then: it costs nothing of it
// else, and nothing of what a key itself brings.
func TestAFloodGivesWayToKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var typing panes.Typing
		var terms []*panes.Terminal
		var scripts []*script
		for range 2 { // sessions of one server
			s := newScript()
			h := panes.NewHost(panes.HostOptions{
				Emulator: newFake, Typing: &typing,
				Launch: func(panes.Spec) (panes.Process, error) { return s, nil },
			})
			term, err := h.Start(t.Context(), panes.Spec{Argv: []string{"x"}, Dir: "/"})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.die <- panes.Exit{}; close(s.out); <-term.Done() })
			terms, scripts = append(terms, term), append(scripts, s)
		}
		// took is how long a terminal needs for a hundred pages.
		took := func(s *script) time.Duration {
			from := time.Now()
			for range 100 {
				s.out <- make([]byte, 4<<10)
			}
			synctest.Wait()
			return time.Since(from)
		}
		if d := took(scripts[1]); d != 0 {
			t.Errorf("nobody types, and the flood takes %v", d)
		}
		key := func() {
			t.Helper()
			if err := terms[0].Send([]byte("a")); err != nil {
				t.Fatal(err)
			}
			<-scripts[0].in
		}
		key()
		if d := took(scripts[1]); d != 0 {
			t.Errorf("beside a key alone the flood takes %v", d)
		}
		time.Sleep(200 * time.Millisecond)
		key()
		if d := took(scripts[0]); d != 0 {
			t.Errorf("what the key brings takes %v", d)
		}
		if d := took(scripts[1]); d < 9*time.Millisecond || d > 11*time.Millisecond {
			t.Errorf("beside who types the flood takes %v, want 50 rests", d)
		}
		time.Sleep(time.Second)
		if d := took(scripts[1]); d != 0 {
			t.Errorf("a second later the flood takes %v", d)
		}
	})
}
