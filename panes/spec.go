package panes

import "path/filepath"

// Spec is a program to be started in a new pty.
type Spec struct {
	ID   TerminalID
	Pane PaneID // for which it is opened
	Argv []string
	Dir  string // absolute
	// Env is added to the host's environment, KEY=value; a later entry
	// wins, and one that is a bare KEY unsets it. TERM, COLORTERM and REPRISE_*
	// are set by Start.
	Env   []string
	Size  Size   // used if the pane has none yet; zero: 80×24
	Label string // the program's name, for titles
	Nonce string // REPRISE_NONCE
	// Scratch is a file of WriteScratch that is removed when the program has ended.
	Scratch string `json:",omitempty"`
	// Files are written into Folder, a path of FolderFor, before the program is
	// started, at most 1 MiB of them; the folder goes when the program has ended.
	Files  []File `json:"-"`
	Folder string `json:",omitempty"`
	// History is written to the terminal before anything that the program prints:
	// what the pane showed in an earlier life (Restored makes it). It can do
	// nothing but draw: text, CR, LF, tabs, SGR, OSC 8 and CUP pass; of more than
	// 64 MiB, the end. For an agent all of it must end up in the scrollback: a
	// client goes on showing the screen before until the agent's own is no longer
	// blank.
	History []byte `json:"-"`
}

// name is how errors call the program.
func (s Spec) name() string {
	switch {
	case s.Label != "":
		return s.Label
	case len(s.Argv) > 0:
		return filepath.Base(s.Argv[0])
	}
	return "a program"
}
