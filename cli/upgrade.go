package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"reprise/agent"
	"reprise/panes"
	"reprise/server"
	"reprise/ui/alert"
)

// An upgrade in place: the server's process becomes another program (exec), which
// keeps its pid, and so its children, and goes on with the descriptors of their
// ptys. What is only in memory travels in a file that has no name.

// legacyFormat numbers the form of a legacy, which is that of the layouts in it: the
// newest form that this program knows, and the oldest one.
const (
	legacyFormat = 4
	legacyOldest = 2
)

const (
	// maxLegacy bounds a legacy, in bytes: 500 panes of 10,000 coloured lines.
	maxLegacy = 4 << 30
	// tryTime is for the new program to say that it could take over.
	tryTime = 10 * time.Second
	// quietTime is for clients to leave and for resumes under way to be finished.
	quietTime = 10 * time.Second
	// takeOverTime is for the new program to answer.
	takeOverTime = 30 * time.Second
)

// errUpgrade lets clients go while the server becomes another program.
var errUpgrade = errors.New("the server is being upgraded")

// legacy is what the program before leaves to the one that takes over.
type legacy struct {
	Format int           `json:"format"`
	Claim  server.Claim  `json:"claim"`
	Stays  bool          `json:"stays"`
	Houses []houseLegacy `json:"houses"`
	// Helpers are programs beside the terminals that are to be reaped.
	Helpers []panes.ProcessID `json:"helpers,omitempty"`
}

// houseLegacy is one open workspace.
type houseLegacy struct {
	Name     string             `json:"name"`
	Dir      string             `json:"dir"`
	ByDir    bool               `json:"by_dir"`
	NoResume bool               `json:"no_resume"`
	Env      []string           `json:"env"`
	Instance agent.InstanceID   `json:"instance"`
	Lock     int                `json:"lock"` // descriptor of the instance's lock
	Used     time.Time          `json:"used"`
	Focus    *panes.PaneID      `json:"focus,omitempty"`
	Host     panes.HostHandover `json:"host"`
	Lives    agent.State        `json:"lives"`
	Happened alert.Carried      `json:"happened"`
}

// upgradeQuery asks the server to go on as another program.
type upgradeQuery struct {
	Program string `json:"program"` // absolute path
}

// identity is which program a server is.
type identity struct {
	PID      int    `json:"pid"`
	Build    string `json:"build"`
	Version  string `json:"version"`
	Sessions int    `json:"sessions"`
}

// versionQuery asks which program a server is.
type versionQuery struct{}

func (p *process) identity(context.Context, versionQuery) (identity, error) {
	return identity{PID: os.Getpid(), Build: p.build, Version: versionText(), Sessions: len(p.all())}, nil
}

// upgrade does not return if it succeeds: the program that goes on has no memory of
// who asked. After an error everything is as it was, but that clients attach again.
func (p *process) upgrade(ctx context.Context, q upgradeQuery) (identity, error) {
	form := p.form()
	if err := tryProgram(ctx, q.Program, form); err != nil {
		return identity{}, fmt.Errorf("the server was not upgraded: %w", err)
	}
	p.opening.Lock() // nothing is opened or closed from here on
	defer p.opening.Unlock()
	err := p.become(ctx, q.Program, form)
	p.log.Error("upgrade", "program", q.Program, "err", err)
	return identity{}, fmt.Errorf("the server was not upgraded and goes on as it was: %w", err)
}

// form is the form that a legacy needs now.
func (p *process) form() int {
	form := legacyOldest
	for _, h := range p.all() {
		form = max(form, h.host.Layout().Form())
	}
	return form
}

// tryProgram asks a program whether it can take over a form, before anything is
// stopped.
func tryProgram(ctx context.Context, program string, form int) error {
	if !filepath.IsAbs(program) {
		return fmt.Errorf("%q is no absolute path", program)
	}
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "serve", "--can-adopt", strconv.Itoa(form))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s cannot take over: %w %s", program, err, bytes.TrimSpace(out[:min(len(out), 200)]))
	}
	return nil
}

// become turns this process into the program, which takes over the form. opening is
// held.
func (p *process) become(ctx context.Context, program string, form int) error {
	houses := p.all()
	for _, h := range houses {
		h.roster.detachAll(errUpgrade)
	}
	ctx, cancel := context.WithTimeout(ctx, quietTime)
	defer cancel()
	for _, h := range houses {
		if err := h.deserted(ctx); err != nil {
			return err
		}
	}
	p.ahead.close()
	l := legacy{Format: p.form(), Stays: p.stays}
	if l.Format > form {
		return errors.New("panes were arranged in another way meanwhile: try again")
	}
	var keep []int
	for _, h := range houses {
		one, goOn, err := h.leave(ctx)
		defer goOn()
		if err != nil {
			return fmt.Errorf("session %s: %w", h.Name(), err)
		}
		l.Houses = append(l.Houses, one)
		keep = append(append(keep, one.Host.FDs()...), one.Lock)
	}
	var err error
	if l.Claim, err = p.listener.Claim(); err != nil {
		return err
	}
	defer l.Claim.Drop()
	l.Helpers = panes.Helpers()
	file, err := p.write(l)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	fd := int(file.Fd())
	keep = append(keep, l.Claim.Socket, l.Claim.Lock, fd)
	p.log.Info("becoming another program", "program", program, "sessions", len(houses))
	return panes.Reexec(program, []string{program, "serve", "--adopt", strconv.Itoa(fd)}, os.Environ(), keep)
}

// write puts a legacy into a file without a name.
func (p *process) write(l legacy) (*os.File, error) {
	file, err := os.CreateTemp(p.paths.state, "legacy-*") // 0600
	if err != nil {
		return nil, fmt.Errorf("write what is handed over: %w", err)
	}
	err = os.Remove(file.Name())
	if err == nil {
		err = json.NewEncoder(file).Encode(l)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("write what is handed over: %w", err)
	}
	return file, nil
}

// deserted waits until nobody visits the workspace.
func (h *house) deserted(ctx context.Context) error {
	for {
		h.proc.mu.Lock()
		n := h.visits
		h.proc.mu.Unlock()
		if n == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("session %s: %s do not leave", h.Name(), counted(n, "client"))
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// leave brings a workspace to rest and says what is to be taken over; goOn undoes
// that.
func (h *house) leave(ctx context.Context) (_ houseLegacy, goOn func(), err error) {
	var undo []func()
	goOn = func() {
		for _, u := range undo {
			u()
		}
	}
	one := houseLegacy{
		Name: h.Name(), Dir: h.dir, ByDir: h.byDir, NoResume: h.noResume, Env: h.env, Used: *h.used.Load(), Focus: h.focus.Load(),
	}
	if one.Lives, err = h.coord.Handover(ctx); err != nil {
		return one, goOn, err
	}
	undo = append(undo, h.coord.GoOn)
	h.takeMeta(nil, time.Now())
	if err = h.saveLayout(ctx); err != nil {
		return one, goOn, err
	}
	undo = append(undo, h.host.Pause())
	if one.Host, err = h.host.Handover(); err != nil {
		return one, goOn, err
	}
	one.Happened = h.Happened().Carry()
	one.Instance, one.Lock, err = h.db.Handover()
	return one, goOn, err
}

// abandon closes the descriptors of a workspace that cannot be taken over: its
// programs are hung up, and its instance is dead to everybody.
func (one houseLegacy) abandon() {
	for _, fd := range append(one.Host.FDs(), one.Lock) {
		_ = syscall.Close(fd)
	}
}

// readLegacy takes over a legacy's file.
func readLegacy(fd int) (l legacy, err error) {
	file := os.NewFile(uintptr(fd), "legacy")
	if file == nil {
		return l, fmt.Errorf("descriptor %d is none", fd)
	}
	defer func() { _ = file.Close() }()
	if err := json.NewDecoder(io.LimitReader(file, maxLegacy)).Decode(&l); err != nil {
		return l, fmt.Errorf("read what was handed over: %w", err)
	}
	if l.Format < legacyOldest || l.Format > legacyFormat {
		return l, fmt.Errorf("read what was handed over: form %d, this program knows %d", l.Format, legacyFormat)
	}
	return l, nil
}

// checkAdopt says whether this program takes over what is left in a form.
func checkAdopt(format int) error {
	if format < legacyOldest || format > legacyFormat {
		return fmt.Errorf("this program takes over forms up to %d, the server leaves form %d: end the server with reprise kill-server, which loses nothing, and start again", legacyFormat, format)
	}
	return nil
}

// adopt opens the workspaces of the program before. What cannot be taken over is
// mended as after a crash.
func (p *process) adopt(ctx context.Context, l legacy) {
	p.stays = l.Stays
	panes.AdoptHelpers(l.Helpers, p.log)
	for _, one := range l.Houses {
		h, err := adoptHouse(ctx, p, one)
		if err != nil {
			p.log.Error("take over", "session", one.Name, "err", err)
			continue
		}
		p.mu.Lock()
		p.houses[h.Name()] = h
		p.mu.Unlock()
	}
}

// upgradeCommand is `reprise upgrade`.
func upgradeCommand() *cobra.Command {
	var other string
	cmd := &cobra.Command{
		Use:   "upgrade",
		Short: "Let the running server go on as this program; what runs notices nothing",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			paths, err := findPaths()
			if err != nil {
				return err
			}
			program, build, err := install(paths.state)
			if err != nil {
				return err
			}
			if other != "" {
				program, build = other, ""
			}
			var before, after identity
			if err := ask(cmd.Context(), "version", versionQuery{}, &before); err != nil {
				return err
			}
			// The server that was asked does not answer if it succeeds.
			if err := ask(cmd.Context(), "upgrade", upgradeQuery{program}, &after); !errors.Is(err, server.ErrLost) {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), takeOverTime)
			defer cancel()
			for {
				if err = ask(ctx, "version", versionQuery{}, &after); err == nil || ctx.Err() != nil {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			switch {
			case err != nil:
				return fmt.Errorf("the upgraded server does not answer: %w. Its log says what happened: %s", err, paths.logFile())
			case after.PID != before.PID || build != "" && after.Build != build:
				return fmt.Errorf("the server ended during the upgrade and another one was started: sessions come back when they are shown. What happened is told in %s", paths.logFile())
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "upgraded: %s, %s\n", after.Version, counted(after.Sessions, "session"))
			return err
		},
	}
	cmd.Flags().StringVar(&other, "program", "", "go on as this program instead: its absolute path")
	return cmd
}
