package alert_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"reprise/panes"
	"reprise/ui/alert"
)

func TestWhatNobodyHadInSightIsUnseen(t *testing.T) {
	var l alert.Log
	l.Add(alert.Alert{Pane: "a", Kind: alert.Bell})
	l.Sight("me", []panes.PaneID{"b"})
	l.Add(alert.Alert{Pane: "b", Kind: alert.Done})
	l.Add(alert.Alert{Pane: "a", Kind: alert.Done})
	if got := l.Unseen("a"); got != alert.Bell.Set()|alert.Done.Set() {
		t.Errorf("unseen of a: %b", got)
	}
	if got := l.Unseen("b"); got != 0 {
		t.Errorf("unseen of what is in sight: %b", got)
	}
	var seen []bool
	for i, a := range l.After(0) {
		seen = append(seen, a.Seen)
		if a.N != uint64(i+1) || a.At.IsZero() {
			t.Errorf("alert %d has number %d, time %v", i+1, a.N, a.At)
		}
	}
	if fmt.Sprint(seen) != "[false true false]" {
		t.Errorf("seen %v", seen)
	}
	was := l.Seq()
	l.Sight("you", []panes.PaneID{"a"})
	if l.Unseen("a") != 0 || l.Seq() == was {
		t.Error("looking at it does not make it seen")
	}
	was = l.Seq()
	l.Sight("you", nil) // it lost the focus
	l.Sight("me", []panes.PaneID{"b", "c"})
	if l.Seq() != was {
		t.Error("looking where nothing happened is a change")
	}
	l.Add(alert.Alert{Pane: "a", Kind: alert.Exit})
	if l.Unseen("a") != alert.Exit.Set() {
		t.Error("who lost the focus has its panes in sight")
	}
	l.Forget(func(p panes.PaneID) bool { return p != "a" })
	if l.Unseen("a") != 0 {
		t.Error("a closed pane is not forgotten")
	}
}

func TestTheLogIsBounded(t *testing.T) {
	var l alert.Log
	for i := range 3 * alert.Keep {
		l.Add(alert.Alert{Pane: panes.PaneID(fmt.Sprint(i)), Kind: alert.Exit})
	}
	all := l.After(0)
	if len(all) != alert.Keep || all[0].N != 2*alert.Keep+1 || l.Last() != 3*alert.Keep {
		t.Errorf("%d alerts from %d to %d", len(all), all[0].N, l.Last())
	}
	if got := l.After(l.Last() - 2); len(got) != 2 {
		t.Errorf("the last two are %d", len(got))
	}
	if got := l.After(l.Last()); len(got) != 0 {
		t.Errorf("%d are newer than the newest", len(got))
	}
}

func TestBellsPushNothingElseOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l alert.Log
		l.Add(alert.Alert{Pane: "a", Kind: alert.Failure})
		for range 2 * alert.Keep {
			l.Add(alert.Alert{Pane: "b", Kind: alert.Bell})
			time.Sleep(time.Second)
		}
		all := l.After(0)
		if len(all) != alert.Keep || all[0].Kind != alert.Failure || all[alert.Keep-1].N != 2*alert.Keep+1 {
			t.Errorf("%d alerts, first %+v, last %+v", len(all), all[0], all[len(all)-1])
		}
		for i := range all[1:] {
			if all[i].N >= all[i+1].N {
				t.Fatal("they are not in order")
			}
		}
		if got := l.After(2 * alert.Keep); len(got) != 1 {
			t.Errorf("%d are newer than the one before the last", len(got))
		}
	})
}

func TestAFloodIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l alert.Log
		wake, cancel := l.Subscribe()
		defer cancel()
		flood := func(k alert.Kind) int {
			was := l.Last()
			for range 1000 {
				l.Add(alert.Alert{Pane: "a", Kind: k, Words: "x"})
			}
			return int(l.Last() - was)
		}
		time.Sleep(time.Minute)
		if n := flood(alert.Bell); n != 1 {
			t.Errorf("%d bells at once", n)
		}
		if n := flood(alert.Message); n != 5 {
			t.Errorf("%d notifications at once", n)
		}
		l.Add(alert.Alert{Pane: "b", Kind: alert.Bell})
		if l.Last() != 7 {
			t.Error("one pane's flood silences another")
		}
		time.Sleep(time.Second)
		if n := flood(alert.Bell); n != 1 {
			t.Errorf("%d bells a second later", n)
		}
		<-wake
		select {
		case <-wake:
			t.Error("wakes are queued")
		default:
		}
	})
}

func TestCalls(t *testing.T) {
	var l alert.Log
	l.Called(panes.Call{Pane: "a"})
	l.Called(panes.Call{Pane: "a", Notice: true, Title: "make", Body: "done"})
	l.Called(panes.Call{Pane: "a", Notice: true}) // says nothing
	all := l.After(0)
	if len(all) != 2 || all[0].Kind != alert.Bell || all[1].Kind != alert.Message || all[1].Title != "make" || all[1].Words != "done" {
		t.Errorf("%+v", all)
	}
}

func TestMonitorsTellOnceUntilSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l alert.Log
		l.Monitor(alert.Activity, true, "a", "b")
		l.Monitor(alert.Silence, true, "a")
		l.Monitor(alert.Activity, false, "b")
		if got := l.Monitored("a"); got != alert.Activity.Set()|alert.Silence.Set() {
			t.Errorf("a is monitored for %b", got)
		}
		if got := l.Monitored("b"); got != 0 {
			t.Errorf("b is monitored for %b", got)
		}
		say := func() { time.Sleep(time.Minute); l.Add(alert.Alert{Pane: "a", Kind: alert.Activity}) }
		say()
		say()
		if l.Last() != 1 {
			t.Errorf("%d alerts, want one until it is seen", l.Last())
		}
		l.Sight("me", []panes.PaneID{"a"})
		say()
		if l.Last() != 1 {
			t.Error("what is in sight is told of")
		}
		l.Sight("me", nil)
		say()
		if l.Last() != 2 {
			t.Error("not told again after it was seen")
		}
	})
}

func TestQuietHours(t *testing.T) {
	for text, c := range map[string]struct {
		want  alert.Hours
		in    []string
		out   []string
		wrong bool
	}{
		"":            {out: []string{"00:00", "12:00"}},
		"22:00-07:00": {want: alert.Hours{From: 22 * 60, To: 7 * 60}, in: []string{"22:00", "23:59", "00:00", "06:59"}, out: []string{"07:00", "12:00", "21:59"}},
		"09:30-17:00": {want: alert.Hours{From: 9*60 + 30, To: 17 * 60}, in: []string{"09:30", "16:59"}, out: []string{"09:29", "17:00", "00:00"}},
		"22-7":        {wrong: true},
		"22:00":       {wrong: true},
		"25:00-07:00": {wrong: true},
		"08:00-08:00": {wrong: true},
		"-":           {wrong: true},
	} {
		got, err := alert.ParseHours(text)
		if got != c.want || (err != nil) != c.wrong {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		if !c.wrong && got.String() != text {
			t.Errorf("%q is written %q", text, got)
		}
		at := func(s string) time.Time {
			clock, err := time.Parse("15:04", s)
			if err != nil {
				t.Fatal(err)
			}
			return clock
		}
		for _, s := range c.in {
			if !got.Has(at(s)) {
				t.Errorf("%q: %s is not quiet", text, s)
			}
		}
		for _, s := range c.out {
			if got.Has(at(s)) {
				t.Errorf("%q: %s is quiet", text, s)
			}
		}
	}
}

func TestSettingsSayWhatIsTold(t *testing.T) {
	s := alert.Settings{Off: alert.Bell.Set(), Quiet: alert.Hours{From: 22 * 60, To: 7 * 60}}
	noon, night := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC), time.Date(2026, 1, 1, 23, 0, 0, 0, time.UTC)
	if s.Marks(alert.Bell) || s.Tells(alert.Bell, noon) || !s.Marks(alert.Done) || !s.Tells(alert.Done, noon) || s.Tells(alert.Done, night) {
		t.Error("the settings are not followed")
	}
	if s.SilentAfter() != alert.DefaultSilence {
		t.Errorf("silent after %v", s.SilentAfter())
	}
}

// What happened, what of it nobody saw and what is monitored go over to the next
// image of the process; kinds that it does not know are left out.
func TestCarried(t *testing.T) {
	var l, next alert.Log
	for i := range alert.Keep {
		l.Add(alert.Alert{Pane: panes.PaneID(fmt.Sprint(i)), Kind: alert.Exit})
	}
	l.Sight("me", []panes.PaneID{"b"})
	l.Monitor(alert.Silence, true, "b", "c")
	l.Monitor(alert.Activity, true, "c")
	l.Add(alert.Alert{Pane: "a", Kind: alert.Message, Title: "t", Words: "wörds"})
	l.Add(alert.Alert{Pane: "b", Kind: alert.Done, Name: "claude"})
	l.Add(alert.Alert{Pane: "a", Kind: alert.Bell})
	text, err := json.Marshal(l.Carry())
	if err != nil {
		t.Fatal(err)
	}
	// As another version may write it.
	newer := strings.Replace(string(text), `"alerts":[`, `"later":1,"alerts":[{"n":1,"pane":"z","kind":"sneeze"},{"n":99999,"pane":"z","kind":"bell"},`, 1)
	newer = strings.Replace(newer, `"unseen":{`, `"unseen":{"z":["sneeze"],`, 1)
	var c alert.Carried
	if err := json.Unmarshal([]byte(newer), &c); err != nil {
		t.Fatal(err)
	}
	was := next.Seq()
	next.Adopt(c)
	if next.Seq() == was {
		t.Error("taking over is no change")
	}
	if diff := cmp.Diff(l.After(0), next.After(0)); diff != "" {
		t.Errorf("the alerts are others:\n%s", diff)
	}
	for _, p := range []panes.PaneID{"a", "b", "c", "7", "z"} {
		if next.Unseen(p) != l.Unseen(p) || next.Monitored(p) != l.Monitored(p) {
			t.Errorf("%s: unseen %b, monitored %b, were %b, %b", p, next.Unseen(p), next.Monitored(p), l.Unseen(p), l.Monitored(p))
		}
	}
	next.Add(alert.Alert{Pane: "a", Kind: alert.Exit})
	if next.Last() != l.Last()+1 || len(next.After(0)) != alert.Keep {
		t.Errorf("%d alerts, the last %d, it was %d", len(next.After(0)), next.Last(), l.Last())
	}
	var empty alert.Log
	empty.Adopt(alert.Carried{})
	empty.Monitor(alert.Activity, true, "a")
	empty.Add(alert.Alert{Pane: "a", Kind: alert.Bell})
	if empty.Last() != 1 || empty.Unseen("a") != alert.Bell.Set() {
		t.Error("what took over nothing takes nothing in")
	}
}
