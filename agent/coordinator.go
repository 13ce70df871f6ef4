package agent

import (
	"context"

	"reprise/panes"
)

// LaunchRequest is a first launch in a pane: an agent, a command or a shell.
type LaunchRequest struct {
	Pane panes.PaneID
	Kind string   // agent kind's name; "" for a command
	Argv []string // a command's argv; an agent's own arguments (without the program); empty with Kind "": the person's shell
	Dir  string
	Env  []string
}

// Act is what a person asks of a dead pane.
type Act int

// Acts on a dead pane.
const (
	ActDismiss  Act = iota // the candidate stays, but does not resume by itself
	ActShell               // a shell in the same directory (dismisses a candidate, settles an unsure goodbye)
	ActRunAgain            // the same program once more, as it was first launched
)

// Look is what one client shows: it orders the queue and, with scope visible,
// decides what may resume.
type Look struct {
	Client  string // any name of the client; the same in each report
	Focused panes.PaneID
	Visible []panes.PaneID // best first
}

// Coordinator brings sessions back. One per process.
type Coordinator struct{}

func (c *Coordinator) View(p panes.PaneID) PaneView { panic("written next") }
func (c *Coordinator) Resume(ctx context.Context, r ResumeRequest) ResumeResult {
	panic("written next")
}
func (c *Coordinator) Look(l Look)                                         { panic("written next") }
func (c *Coordinator) Launch(ctx context.Context, r LaunchRequest) error   { panic("written next") }
func (c *Coordinator) Do(ctx context.Context, p panes.PaneID, a Act) error { panic("written next") }

// End ends what a pane runs because a person closed it: stamped durably before
// any signal. It returns once the stamp is down; the process is ended behind it.
func (c *Coordinator) End(ctx context.Context, p panes.PaneID) error { panic("written next") }

// Subscribe returns a channel of capacity one, signalled when any View may have
// changed.
func (c *Coordinator) Subscribe() (wake <-chan struct{}, cancel func()) { panic("written next") }
