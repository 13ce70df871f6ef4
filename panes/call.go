package panes

import "reprise/panes/vt"

// Call is a program's call for attention: it rang the bell, or it has something to
// say (OSC 9, 99, 777).
type Call struct {
	Pane     PaneID
	Terminal TerminalID
	// Notice: Title and Body are a notification, printable characters only, at most
	// 256 cells each; the title may be empty. Else it is a bell.
	Notice      bool
	Title, Body string
}

// maxCalls bounds how many notifications of one read are passed on. Bells of one
// read are one.
const maxCalls = 8

// Told is what a program last told its terminal of itself.
type Told struct {
	Terminal TerminalID
	Title    string    // as vt.State has it
	Status   vt.Status // OSC 7501
}

// Told is what the program last told its terminal of itself.
func (t *Terminal) Told() Told { return t.toldIn(t.State()) }

func (t *Terminal) toldIn(s vt.State) Told {
	return Told{Terminal: t.spec.ID, Title: s.Title, Status: s.Status}
}

// owner is what a terminal tells its host. All are called under no lock.
type owner struct {
	wake func()     // Seq changed
	call func(Call) // its program calls for attention
	told func(Told) // its program tells something else of itself

	typing *Typing
}

// ownedBy makes a host the one that the terminal tells.
func (t *Terminal) ownedBy(h *Host) {
	t.owner.Store(&owner{func() { h.changed(t) }, h.o.Call, h.o.Told, h.o.Typing})
}

// asked is what a program asked of the world beside its screen. Guarded by the
// terminal's mu.
type asked struct {
	clip  Clipping
	calls []Call // of the read that is being taken in
}

// notified is called by the emulator, under mu.
func (t *Terminal) notified(title, body string) {
	if !t.muted && len(t.asked.calls) < maxCalls {
		t.asked.calls = append(t.asked.calls, t.called(true, title, body))
	}
}

func (t *Terminal) called(notice bool, title, body string) Call {
	return Call{Pane: t.spec.Pane, Terminal: t.spec.ID, Notice: notice, Title: title, Body: body}
}

// takeCalls is what the program called for in one read; rang says whether that was
// the bell, too. mu is held.
func (t *Terminal) takeCalls(rang bool) (all []Call) {
	all, t.asked.calls = t.asked.calls, nil
	if rang {
		all = append(all, t.called(false, "", ""))
	}
	return all
}
