package agent

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"reprise/panes"
)

// ProcessTable is the system's processes, as far as sessions are concerned.
type ProcessTable interface {
	// Alive reports whether any process of the terminal that id leads, or led,
	// still runs: pid, start time and boot id must match, or, once the leader is
	// gone, the launch's nonce.
	Alive(id panes.ProcessID, nonce string) bool
	// Runs reports whether id itself still runs.
	Runs(id panes.ProcessID) bool
	// End ends them: HUP, TERM, KILL with at most grace between, until they were
	// seen gone. An error says that one still runs.
	End(ctx context.Context, id panes.ProcessID, nonce string, grace time.Duration) error
	// List lists the processes that we may see.
	List() ([]panes.Proc, error)
	// OpenFiles lists the paths that a process holds open; nil if unknown.
	OpenFiles(pid int) []string
}

// SystemProcesses is the real process table.
func SystemProcesses() ProcessTable { return system{} }

type system struct{}

func (system) Alive(id panes.ProcessID, nonce string) bool { return len(panes.Group(id, nonce)) > 0 }

func (system) Runs(id panes.ProcessID) bool { return id.Alive() }

func (system) End(ctx context.Context, id panes.ProcessID, nonce string, grace time.Duration) error {
	return panes.EndProcess(ctx, id, nonce, grace)
}

func (system) List() ([]panes.Proc, error) { return panes.Processes() }

func (system) OpenFiles(pid int) []string { return openFiles(pid) }

// names reports whether the session stands in a process's argv.
func names(p panes.Proc, id SessionID) bool {
	return id != "" && slices.ContainsFunc(p.Argv, func(a string) bool { return a == string(id) || strings.HasSuffix(a, "="+string(id)) })
}

// opens reports whether the session stands in the name of a file that a process holds
// (codex keeps its session's file open from the start).
func opens(p panes.Proc, id SessionID, files func(pid int) []string) bool {
	return id != "" && slices.ContainsFunc(files(p.ID.PID), func(path string) bool { return strings.Contains(filepath.Base(path), string(id)) })
}

// Runs reports whether a process is the kind's program.
func (f Facts) Runs(p panes.Proc) bool { return runs(p, f) }

// runs reports whether a process is the kind's program. An agent written for an
// interpreter has its script second in argv.
func runs(p panes.Proc, f Facts) bool {
	names := []string{p.Name, filepath.Base(p.Exe)}
	for _, a := range p.Argv[:min(2, len(p.Argv))] {
		base := filepath.Base(a)
		names = append(names, base, strings.TrimSuffix(base, filepath.Ext(base)))
	}
	want := append([]string{filepath.Base(f.Program)}, f.Programs...)
	return slices.ContainsFunc(names, func(n string) bool {
		return n != "" && n != "." && slices.Contains(want, n)
	})
}
