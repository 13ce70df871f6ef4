package panes

import (
	"os"
	"time"

	"reprise/panes/vt"
)

// Terminal is one life of one program in a pty, with its screen. All methods are
// safe for concurrent use.
type Terminal struct{}

func (t *Terminal) ID() TerminalID     { panic("written next") }
func (t *Terminal) Spec() Spec         { panic("written next") }
func (t *Terminal) Process() ProcessID { panic("written next") }

// OpenGate lets the shim exec the program. It fails if the gate was closed or the
// shim is gone. CloseGate ends the shim without the program having run.
func (t *Terminal) OpenGate() error  { panic("written next") }
func (t *Terminal) CloseGate() error { panic("written next") }
func (t *Terminal) GateOpen() bool   { panic("written next") }

// Done is closed when the process has ended and its last output was taken in.
func (t *Terminal) Done() <-chan struct{} { panic("written next") }

// Exit is how it ended and when; false while it runs.
func (t *Terminal) Exit() (Exit, time.Time, bool) { panic("written next") }

// Send queues what a person typed or pasted. ErrInputFull: over 1 MiB waits,
// nothing of b was taken. ErrEnded: the program has ended.
func (t *Terminal) Send(b []byte) error { panic("written next") }

// LastKey is when a person last typed here; zero: never.
func (t *Terminal) LastKey() time.Time { panic("written next") }

// Resize sets the size of pty and screen.
func (t *Terminal) Resize(s Size) error { panic("written next") }
func (t *Terminal) Size() Size          { panic("written next") }

// Seq changes whenever the screen or the state may have changed.
func (t *Terminal) Seq() uint64 { panic("written next") }

// Snapshot copies the screen and returns the Seq it belongs to.
func (t *Terminal) Snapshot(dst *vt.Screen) uint64 { panic("written next") }
func (t *Terminal) State() vt.State                { panic("written next") }

// LastLine is the last line on the screen that is not blank, at most 200 cells.
func (t *Terminal) LastLine() string { panic("written next") }

// Signal signals the process group (the pty's session leader and its group).
func (t *Terminal) Signal(sig os.Signal) error { panic("written next") }
