package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
	var p *tea.Program
	p = tea.NewProgram(guest{m, func() tea.Msg { _ = p.ReleaseTerminal(); return nil }},
		// The pump reads the terminal. Without any input Bubble Tea turns keyboard
		// protocols and queries off.
		tea.WithContext(ctx), tea.WithInput(strings.NewReader("")), tea.WithOutput(cfg.Out), tea.WithEnvironment(cfg.Env),
		tea.WithWindowSize(cfg.Size.Cols, cfg.Size.Rows), tea.WithColorProfile(cfg.Profile),
		tea.WithoutSignalHandler(), tea.WithoutRenderer(), tea.WithFPS(1),
	)
	answers := make(chan struct{}, 1)
	keys := pump.New(func(e pump.Event) {
		if _, last := e.Ev.(uv.PrimaryDeviceAttributesEvent); last {
			select {
			case answers <- struct{}{}:
			default:
			}
		}
		p.Send(inputMsg(e))
	})
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
	go m.feed(keys, cancel)
	go m.follow(ctx, p, answers)
	_, runErr := p.Run()
	cancelled := ctx.Err() != nil
	if cancelled || errors.Is(runErr, tea.ErrProgramKilled) {
		m.saveNow(m.focusTold())
	}
	switch {
	case m.Err() != nil:
		return m.Err()
	case runErr != nil && !cancelled:
		return fmt.Errorf("client: %w", runErr)
	}
	return nil
}

// feed reads the terminal until it is gone, which ends the client.
func (m *Model) feed(keys *pump.Pump, gone func()) {
	defer gone()
	defer func() {
		if r := recover(); r != nil {
			m.cfg.Log.Error("client: input", "err", r)
		}
	}()
	// Not the client's context: answers are awaited after its end.
	keys.Run(context.Background(), pump.Read(context.Background(), m.cfg.In))
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

// guest is a model whose Program has no terminal: it lets go of it as soon as it runs.
// Bubble Tea's renderer, which draws nothing here, would else wake the process every
// second for ever.
type guest struct {
	*Model
	release tea.Cmd
}

func (g guest) Init() tea.Cmd { return tea.Batch(g.Model.Init(), g.release) }
