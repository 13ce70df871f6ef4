package agent

// Judge says what one hook event does to a binding (resume.md §3, Revival and
// Goodbye). Pure. own is the kind's Facts().OwnProcesses. The store adds nothing
// but the guards of the table of moves.
func Judge(e HookEvent, t Terminal, b Binding, own int) Verdict { panic("written next") }
