package panes

// Spec is a program to be started in a new pty.
type Spec struct {
	ID   TerminalID
	Pane PaneID // for which it is opened
	Argv []string
	Dir  string
	// Env is added to the process's own environment, KEY=value; a later entry
	// wins. TERM, COLORTERM and REPRISE_* are set by Start.
	Env   []string
	Size  Size
	Label string // the program's name, for titles
	Nonce string // REPRISE_NONCE
}

// LookPath finds a program as exec does, in the given PATH; a name with a slash
// is taken as it is, relative to dir.
func LookPath(program, dir, path string) (string, error) { panic("panes: written next") }
