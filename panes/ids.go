// Package panes runs programs in pseudo-terminals and keeps their screens. A
// Terminal is one life of one program; a Host says which pane points at which
// terminal and how a workspace's panes are laid out. The package knows no
// agents, no SQL and no Bubble Tea.
//
// Lock order: Host, then Terminal. No I/O under either lock.
package panes

import "github.com/google/uuid"

// PaneID names a place on the screen. It outlives the terminals shown there.
type PaneID string

// TerminalID names one life of one program in a pty. It is never reused.
type TerminalID string

// TabID names a tab of a layout.
type TabID string

// NewPaneID makes a new pane id (UUID version 7: sorted by time of birth).
func NewPaneID() PaneID { return PaneID(newID()) }

// NewTabID makes a new tab id.
func NewTabID() TabID { return TabID(newID()) }

// NewTerminalID makes a new terminal id.
func NewTerminalID() TerminalID { return TerminalID(newID()) }

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// MaxSide is the largest width and height of a terminal, in cells.
const MaxSide = 1000

// Size is a terminal's size in cells; both are at least 1 and at most MaxSide.
type Size struct{ Cols, Rows int }

func (s Size) clamp() Size {
	return Size{Cols: min(max(s.Cols, 1), MaxSide), Rows: min(max(s.Rows, 1), MaxSide)}
}

// ProcessID tells one process from every other that had or will have its pid:
// start times count from boot and repeat, so the boot id belongs to it.
type ProcessID struct {
	PID   int    `json:"pid"`
	Start uint64 `json:"start"` // clock ticks from boot (field 22 of proc(5) stat); microseconds since 1970 on macOS
	Boot  string `json:"boot"`  // boot id
}

// Exit is how a process ended: by its own status, or by a signal (then Status is
// 128 + Signal, as shells say it).
type Exit struct {
	Status int
	Signal int // 0: none
}
