// Package hook is the command that agents call when something happens in a
// session: reprise hook STATE KIND NONCE EVENT, with the agent's payload on
// stdin. It records one event and moves nothing; it works when no Reprise runs.
//
// An agent waits for it, shows what it prints, may take an exit status of 2 for a
// veto, and often dies while it runs. So it is quiet, bounded in time and memory,
// deaf to the signals that end an agent, and its status is always 0.
package hook

import (
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/panes"
)

// readTime bounds the wait for a payload: an agent may leave the pipe open.
const readTime = 2 * time.Second

// wordMax bounds each word of the command line, in bytes.
const wordMax = 128

// Deps is what the command needs of the other rooms.
type Deps struct {
	Kinds agent.Registry
	// Ancestors are the parents of this process, the nearest first
	// (panes.ParentChain).
	Ancestors func() []panes.Proc
	// Terminal is the recorded process of the launch that has the nonce.
	Terminal func(state, nonce string) (panes.ProcessID, error)
	// Record keeps the event in the database of the state folder, Spool in a file
	// beside it.
	Record, Spool func(state string, e agent.HookEvent) error
	Now           func() time.Time
}

// Run is the command. args are STATE, KIND, NONCE and EVENT. It returns 0, the
// process's exit status.
func Run(args []string, stdin io.Reader, d Deps) (status int) {
	signal.Ignore(syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT)
	fired := d.Now()
	if len(args) != 4 || !filepath.IsAbs(args[0]) {
		return 0
	}
	for _, a := range args[1:] {
		if a == "" || len(a) > wordMax || strings.ContainsFunc(a, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
			return 0
		}
	}
	// A panic would end with status 2, which claude takes for a veto.
	defer func() { _ = recover() }()
	state, kind, nonce, event := args[0], args[1], args[2], args[3]

	fields := payload(stdin)
	read := kinds.Payload // a kind that the config file no longer has
	if k, ok := d.Kinds.Kind(kind); ok {
		read = k.Hook
	}
	f := read(event, fields)
	e := agent.HookEvent{
		Nonce: nonce, Kind: kind, What: f.What, Session: f.Session,
		Reason: f.Reason, Certain: f.Certain, FiredAt: fired,
	}
	root, err := d.Terminal(state, nonce)
	chain := d.Ancestors()
	if err != nil {
		root = topmost(chain, nonce)
	}
	e.Depth = Depth(chain, root, d.Kinds)
	if d.Record(state, e) != nil {
		_ = d.Spool(state, e) // nobody is left to be told
	}
	return 0
}

// payload reads the agent's JSON. A terminal is left alone: its bytes are keys
// that a person typed.
func payload(stdin io.Reader) Fields {
	if f, ok := stdin.(*os.File); ok {
		if st, err := f.Stat(); err != nil || st.Mode()&os.ModeCharDevice != 0 {
			return nil
		}
	}
	s := newScanner(stdin)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.run() // what came before a fault counts
	}()
	select {
	case <-done:
	case <-time.After(readTime):
	}
	return s.fields()
}

// topmost is the oldest ancestor that carries the launch's nonce: the terminal's
// process, when the database cannot tell it.
func topmost(chain []panes.Proc, nonce string) (id panes.ProcessID) {
	for _, p := range chain {
		if p.Nonce == nonce {
			id = p.ID
		}
	}
	return id
}
