package frame_test

import "reprise/ui/frame"

// pasts shows the view of past sessions.
func pasts(change func(h *frame.History)) func(*frame.Scene) {
	return func(s *frame.Scene) {
		h := &frame.History{
			Title: "Past sessions", Scope: "all directories", Count: "7 of 1 204", Input: frame.Input{On: true}, Selected: 2,
			Rows: []frame.HistoryRow{
				{Dir: "~/w/reprise"},
				{Kind: "claude", Text: "Fix flaky resume test", Note: "open in heart", Open: true},
				{Kind: "claude", Text: "The hooks are spread over five files, put them into one table per kind", Note: "2 d"},
				{Kind: "codex", Text: "Sweep at start and its test", Note: "2 d"},
				{Dir: "~/w/a-directory/with/a/rather/long/name/that/does/not/fit/anywhere/at/all/docs"},
				{Kind: "opencode", Text: "Port the key table to the new form and say in the release notes what changed for people", Note: "12 d"},
				{Kind: "gemini", Text: "Summarise migration notes", Hits: []int{10, 11, 12}, Note: "40s"},
			},
			Preview: frame.Preview{
				Kind: "claude", Facts: "~/w/reprise   2 d ago   session …41c7e0b2",
				Said: []frame.Said{
					{Who: "you", Text: "the hooks are spread over five files, put them into one table per kind\n\n- no new package\n- tests first"},
					{Who: "claude", Text: "All pass: 212 tests in 6.1 s. The old files are removed and docs/agents.md is generated again."},
				},
			},
		}
		if change != nil {
			change(h)
		}
		s.History, s.Bar.Chip = h, "history"
		s.Bar.Mode.Keys = [6]frame.Hint{{Key: "enter", Verb: "resume in a pane"}, {Key: "tab", Verb: "this directory"}, {Key: "ctrl+y", Verb: "copy id"}, {Key: "esc", Verb: "close"}}
	}
}

func init() {
	goldens = append(goldens,
		golden{"history", 4, pasts(nil)},
		golden{"history-typed", 1, pasts(func(h *frame.History) {
			h.Input = frame.Input{On: true, Text: "migration notes of the year", Cursor: 9}
			h.Rows, h.Selected, h.Scope = h.Rows[5:], 1, "this directory"
		})},
		golden{"history-preview", 2, pasts(func(h *frame.History) { h.Alone = true })},
		golden{"history-none", 2, pasts(func(h *frame.History) {
			h.Rows, h.Preview, h.Empty = nil, frame.Preview{}, "No past session is found."
		})},
	)
}
