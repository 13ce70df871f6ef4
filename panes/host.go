package panes

import "context"

// Host owns the terminals of this process and says which pane shows which, and
// how the panes are laid out. Safe for concurrent use.
type Host struct{}

// HostOptions configure a Host.
type HostOptions struct {
	// Shim is the argv prefix of the launch shim: our own binary by its lasting
	// path and the hidden command that waits at the gate.
	Shim []string
}

func NewHost(o HostOptions) *Host { panic("written next") }

// Start, Point, Terminal, Terminals, Retire: see agent.Host.
func (h *Host) Start(ctx context.Context, spec Spec) (*Terminal, error) { panic("written next") }
func (h *Host) Point(p PaneID, t TerminalID) bool                       { panic("written next") }
func (h *Host) Terminal(t TerminalID) *Terminal                         { panic("written next") }
func (h *Host) Terminals() []*Terminal                                  { panic("written next") }
func (h *Host) Retire(t TerminalID)                                     { panic("written next") }

// Shown is the terminal that a pane shows, dead or alive; nil: none.
func (h *Host) Shown(p PaneID) *Terminal { panic("written next") }

// Layout is a copy of the layout; SetLayout replaces it (open a saved one).
func (h *Host) Layout() Layout     { panic("written next") }
func (h *Host) SetLayout(l Layout) { panic("written next") }

// Split puts a new pane beside pane p; p "" makes the first one. ErrNoRoom: a
// pane needs MinCols × MinRows (area is the size of the whole pane area).
func (h *Host) Split(p PaneID, dir Direction, area Size) (PaneID, error) { panic("written next") }

// Close takes a pane out of the layout; its neighbours get the room. The pane's
// terminal stays known until retired.
func (h *Host) Close(p PaneID) { panic("written next") }

// Grow moves the border of p that lies in the direction by n cells.
func (h *Host) Grow(p PaneID, dir Direction, n int, area Size) { panic("written next") }

// SetSize tells the size in which a pane is shown: its terminal follows, and
// programs started for it later get it.
func (h *Host) SetSize(p PaneID, s Size) { panic("written next") }

// Subscribe returns a channel of capacity one that is signalled when anything
// on any screen or in the layout may have changed. It carries nothing: ask for
// the state.
func (h *Host) Subscribe() (wake <-chan struct{}, cancel func()) { panic("written next") }
