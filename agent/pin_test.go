package agent_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"reprise/agent"
)

// A pin, done or refused, takes nobody's resume out of the queue for good.
func TestPinInTheQueue(t *testing.T) {
	bubble(t, 6, func(w *world) {
		s := w.start()
		var want []agent.SessionID
		for i := range 5 {
			want = append(want, s.spoken(i).session)
		}
		s.crash()
		s = w.start()
		for i := range want {
			s.wants(i, agent.PaneDue)
		}
		living := s.spoken(5).session
		ctx := context.Background()
		s.c.Hold(true)
		if n, err := s.c.ResumeAll(ctx); n != len(want) || err != nil {
			t.Fatalf("%d resumes are under way: %v", n, err)
		}
		for i := range want {
			s.wants(i, agent.PaneQueued)
		}
		if _, err := s.c.Pin(ctx, w.panes[0], "../x"); err == nil {
			t.Error("an id that is none was pinned")
		}
		w.robot.says("named", agent.HasTranscript)
		if got, err := s.c.Pin(ctx, w.panes[1], "named"); err != nil || got.Session != "named" {
			t.Errorf("pin: %+v, %v", got, err)
		}
		if got, err := s.c.Pin(ctx, w.panes[2], string(living)); err != nil || got.Held == nil {
			t.Errorf("pin of a session that another has: %+v, %v", got, err)
		}
		if _, err := s.c.Unpin(ctx, w.panes[3]); err == nil {
			t.Error("what was not pinned was unpinned")
		}
		s.c.Hold(false)
		time.Sleep(time.Minute)
		synctest.Wait()
		want[1] = "named"
		for i, id := range want {
			s.wants(i, agent.PaneNormal)
			if got := s.in(i).session; got != id {
				t.Errorf("pane %d has session %s, want %s", i, got, id)
			}
		}
	})
}
