package frame_test

import (
	"testing"

	"reprise/ui/frame"
)

func init() {
	goldens = append(goldens,
		golden{"alerts", 4, func(s *frame.Scene) {
			s.Tabs = []frame.Tab{
				{Name: "heart", Current: true},
				{Name: "docs", Mark: frame.Rang},
				{Name: "infra", Mark: frame.Done},
				{Name: "site", Mark: frame.Permission},
			}
			for i, st := range []frame.State{frame.Done, frame.Permission, frame.Rang, frame.Notified} {
				s.Panes[i].State = st
			}
			s.Bar.Message = "claude is done in tab 3"
		}},
		golden{"monitors", 2, func(s *frame.Scene) {
			s.Panes[0].State, s.Panes[1].State = frame.Active, frame.Silent
		}},
		golden{"messages", 2, func(s *frame.Scene) {
			s.Bar.Chip = "messages"
			s.Sheet = frame.Sheet{Title: "Messages", Count: "4", Keys: hints("enter", "go", "esc", "close"), List: &frame.List{
				Rows: [][]string{
					{"14:02", "", "pts/4 attached"},
					{"14:10", "message", "zsh in tab 2: make: all done"},
					{"14:31", "failed", "No room to split: a pane needs 20x3. Zoom out or use a new tab (ctrl+b c)."},
					{"14:32", "done", "claude is done in tab 3"},
				}, Selected: 3,
			}}
		}},
		golden{"bar-parts", 1, func(s *frame.Scene) {
			s.Tabs = []frame.Tab{{Name: "heart", Current: true}, {Name: "docs"}}
			s.Bar.Agents, s.Bar.Load, s.Bar.Host, s.Bar.Clients, s.Bar.Failed = 3, "0.42", "buildbox", 2, 1
			s.Bar.Layout = &frame.BarLayout{
				Left:  []frame.Part{frame.PartHost, frame.PartSession, frame.PartTabs},
				Right: []frame.Part{frame.PartClock, frame.PartTitle, frame.PartAgents, frame.PartClients, frame.PartBranch, frame.PartLoad},
			}
		}},
		golden{"bar-bare", 2, func(s *frame.Scene) {
			s.Tabs = []frame.Tab{{Name: "heart", Current: true}}
			s.Bar.Failed, s.Bar.Zoomed, s.Bar.Hidden = 1, true, 2
			s.Bar.Layout = &frame.BarLayout{}
		}},
	)
}

func TestPartsHaveNames(t *testing.T) {
	for _, name := range []string{"session", "tabs", "title", "agents", "clients", "branch", "load", "host", "clock"} {
		p, ok := frame.PartNamed(name)
		if !ok || p.String() != name {
			t.Errorf("%q is part %v, %v", name, p, ok)
		}
	}
	if _, ok := frame.PartNamed("colour"); ok {
		t.Error("any name names a part")
	}
}

func TestLayoutsTellTheirParts(t *testing.T) {
	var none *frame.BarLayout
	if !none.Has(frame.PartClock) || none.Has(frame.PartLoad) {
		t.Error("no layout is not the default one")
	}
	if l := (&frame.BarLayout{Right: []frame.Part{frame.PartLoad}}); !l.Has(frame.PartLoad) || l.Has(frame.PartClock) {
		t.Error("a layout does not know its parts")
	}
}
