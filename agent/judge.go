package agent

// Judge says what one hook event does to a binding (resume.md §3, Revival and
// Goodbye). Pure. own is the kind's Facts().OwnProcesses. The store adds nothing
// but the guards of the table of moves.
func Judge(e HookEvent, t Terminal, b Binding, own int) Verdict {
	if why := stranger(e, t, b, own); why != "" {
		return Verdict{Ignore: true, Why: why}
	}
	if b.Reason != Live {
		return judgeEnded(e, t, b)
	}
	return judgeLive(e, b)
}

// stranger says why an event does not come from the agent that this terminal was
// started for; "" if it does.
func stranger(e HookEvent, t Terminal, b Binding, own int) string {
	switch {
	case e.Nonce == "" || e.Nonce != t.Nonce:
		return "wrong nonce"
	case e.Kind != b.Kind:
		return "wrong kind"
	case e.Session != "" && !e.Session.Valid():
		return "invalid session id"
	case e.Depth == DepthBroken && (e.Session == "" || e.Session != b.Session):
		return "parents do not lead to the terminal, and it is not the bound session"
	case e.Depth > own:
		return "nested agent"
	}
	return ""
}

func judgeLive(e HookEvent, b Binding) Verdict {
	if e.What == HookGoodbye {
		switch {
		case e.Session != "" && b.Session != "" && e.Session != b.Session:
			return Verdict{Ignore: true, Why: "goodbye of another session"}
		case !e.Certain: // [P5]
			return Verdict{Ignore: true, Why: "goodbye is not certain: " + e.Reason}
		}
		return Verdict{Goodbye: true, Why: "goodbye: " + e.Reason}
	}
	v := Verdict{Prompted: e.What == HookPrompt || e.What == HookStop}
	if e.Session == "" || e.Session == b.Session {
		return v
	}
	// The event names another session than the bound one, or the first.
	// What a person pinned is no guess of ours: it takes the agent's own word that
	// another one starts, or is spoken to.
	first := b.Session == "" || b.LastEvent == "" && !b.Pinned
	switch {
	case !first && e.FiredAt.Before(b.LastEventAt):
		return Verdict{Ignore: true, Why: "fired before the binding's last event, and of another session"}
	case !first && e.What != HookStart && e.What != HookPrompt:
		return Verdict{Ignore: true, Why: "another session that neither started nor was spoken to"}
	}
	v.Rebind = e.Session
	// A new session's conversation may be empty; the transcript is asked before a
	// resume. A message in this very event says that it is not.
	v.Unprompt = b.Session != "" && !v.Prompted
	v.Why = "the agent says that this is its session"
	return v
}

func judgeEnded(e HookEvent, t Terminal, b Binding) Verdict {
	if b.Reason != Detached && b.Reason != TerminalExited {
		return Verdict{Ignore: true, Why: "the binding is " + string(b.Reason)}
	}
	if e.What == HookGoodbye {
		if e.Certain && b.Reason == Detached && b.Unsure && (e.Session == "" || e.Session == b.Session) {
			return Verdict{Goodbye: true, Why: "goodbye: " + e.Reason}
		}
		return Verdict{Ignore: true, Why: "goodbye after the end"}
	}
	other := e.Session != "" && e.Session != b.Session
	switch {
	case t.Status != TerminalActive: // [P3]
		return Verdict{Ignore: true, Why: "the terminal has ended"}
	case !e.FiredAt.After(b.Ended): // [P4]
		return Verdict{Ignore: true, Why: "fired before the end"}
	case e.What != HookStart && !other: // [P3]
		return Verdict{Ignore: true, Why: "a straggler: neither a start nor another session"}
	}
	prompted := e.What == HookPrompt || e.What == HookStop
	v := Verdict{Reopen: true, Prompted: prompted, Why: "the agent lives on in its terminal"}
	if other {
		v.Rebind, v.Unprompt = e.Session, !prompted
	}
	return v
}
