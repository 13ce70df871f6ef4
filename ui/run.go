package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"reprise/ui/pump"
)

const (
	// drainTime is how long answers are still awaited before the terminal is put
	// back: what comes later would be typed into the person's shell.
	drainTime = 100 * time.Millisecond
	// saveTime is how long saving the layout may take when the client is told to
	// go.
	saveTime = 3 * time.Second
)

// Run shows a client on its terminal until the person leaves, ctx ends, or the
// terminal is gone; in each case the layout is saved. The terminal's modes are put
// back, whatever happens. Only a fault is an error.
func Run(ctx context.Context, cfg Config) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := New(cfg)
	defer m.Close()
	l := newLoop(m)
	p := tea.NewProgram(l,
		// The pump reads the terminal. Without any input Bubble Tea asks the terminal
		// nothing, and makes no table of its keys: a third of a millisecond for each client.
		tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(cfg.Out), tea.WithEnvironment(cfg.Env),
		tea.WithWindowSize(cfg.Size.Cols, cfg.Size.Rows), tea.WithColorProfile(cfg.Profile),
		tea.WithoutSignalHandler(), tea.WithoutRenderer(), tea.WithFPS(1), tea.WithFilter(l.take),
	)
	l.send, l.stop, l.release = p.Send, cancel, func() tea.Msg { _ = p.ReleaseTerminal(); return nil }
	l.hire(ctx)
	answers := make(chan struct{}, 1)
	keys := pump.NewFeeder(func(e pump.Event) {
		if _, last := e.Ev.(uv.PrimaryDeviceAttributesEvent); last {
			select {
			case answers <- struct{}{}:
			default:
			}
		}
		l.tell(inputMsg(e))
	}, l.broken)
	if err := m.out.write([]byte(m.Enter())); err != nil {
		return fmt.Errorf("write to the terminal: %w", err)
	}
	defer func() {
		m.out.last([]byte(Reset))
		select { // the last question was answered, so all were
		case <-answers:
		case <-time.After(drainTime):
		}
	}()
	go l.feed(keys)
	go m.follow(ctx, p, answers)
	_, runErr := p.Run()
	fault := l.over()
	cancelled := ctx.Err() != nil
	if cancelled || fault != nil || errors.Is(runErr, tea.ErrProgramKilled) {
		m.saveNow(m.focusTold())
	}
	switch {
	case fault != nil:
		return fault
	case runErr != nil && !cancelled:
		return fmt.Errorf("client: %w", runErr)
	}
	return nil
}

// feed reads the terminal until it is gone, which ends the client. It goes on after
// the client's end: answers are still awaited.
func (l *loop) feed(keys *pump.Feeder) {
	defer l.stop()
	defer func() {
		if r := recover(); r != nil {
			l.broken(r, debug.Stack())
		}
	}()
	defer keys.Close()
	_, _ = io.Copy(keys, l.m.cfg.In)
}

// follow tells the program what becomes of the terminal.
func (m *Model) follow(ctx context.Context, p *tea.Program, answers <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case s := <-m.cfg.Resized:
			p.Send(tea.WindowSizeMsg{Width: s.Cols, Height: s.Rows})
		case <-m.cfg.Resumed:
			select { // it is asked anew
			case <-answers:
			default:
			}
			p.Send(resumedMsg{})
		}
	}
}

// saveNow writes what the next start begins with: it is the last chance.
func (m *Model) saveNow(tell func()) {
	if tell != nil {
		tell()
	}
	if m.cfg.Save == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), saveTime)
	defer cancel()
	if err := m.cfg.Save(ctx); err != nil {
		m.cfg.Log.Error("the layout was not saved", "err", err)
	}
}
