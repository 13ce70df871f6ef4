package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

	"reprise/panes"
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

// Run shows a client on its terminal until the person quits, ctx ends, or the
// terminal is gone; in each case the layout is saved. The terminal is put back as
// it was, whatever happens. Only a fault is an error.
func Run(ctx context.Context, cfg Config) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tty, restore, err := raw(cfg.In)
	if err != nil {
		return err
	}
	defer restore()
	if tty != nil && cfg.Size == (panes.Size{}) {
		cfg.Size = sizeOf(tty)
	}
	m := New(cfg)
	defer m.Close()
	in, err := uv.NewCancelReader(cfg.In)
	if err != nil {
		return fmt.Errorf("read the terminal: %w", err)
	}
	fed := make(chan struct{})
	reading := false
	defer func() {
		if reading && in.Cancel() { // false: it cannot be called off
			<-fed
		}
		_ = in.Close()
	}()

	never := make(hung)
	defer close(never)
	p := tea.NewProgram(m,
		tea.WithContext(ctx), tea.WithInput(never), tea.WithOutput(cfg.Out), tea.WithEnvironment(cfg.Env),
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
	if _, err := io.WriteString(cfg.Out, m.Enter()); err != nil {
		return fmt.Errorf("write to the terminal: %w", err)
	}
	defer func() {
		_, _ = io.WriteString(cfg.Out, m.Leave())
		select { // the last question was answered, so all were
		case <-answers:
		case <-time.After(drainTime):
		}
	}()
	reading = true
	go func() {
		defer close(fed)
		m.feed(keys, in, cancel)
	}()
	if tty != nil {
		defer m.watchSize(ctx, tty, p)()
	}
	_, runErr := p.Run()
	cancelled := ctx.Err() != nil
	if cancelled || errors.Is(runErr, tea.ErrProgramKilled) {
		m.saveNow()
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
func (m *Model) feed(keys *pump.Pump, in io.Reader, gone func()) {
	defer gone()
	defer func() {
		if r := recover(); r != nil {
			m.cfg.Log.Error("client: input", "err", r)
		}
	}()
	// Not the client's context: answers are awaited after its end.
	keys.Run(context.Background(), pump.Read(context.Background(), in))
}

// watchSize sends changes of the terminal's size; what it returns ends that.
func (m *Model) watchSize(ctx context.Context, tty *os.File, p *tea.Program) (stop func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, unix.SIGWINCH)
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-ch:
				s := sizeOf(tty)
				p.Send(tea.WindowSizeMsg{Width: s.Cols, Height: s.Rows})
			}
		}
	}()
	return func() {
		signal.Stop(ch)
		cancel()
	}
}

func (m *Model) saveNow() {
	if m.cfg.Save == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), saveTime)
	defer cancel()
	if err := m.cfg.Save(ctx); err != nil {
		m.cfg.Log.Error("the layout was not saved", "err", err)
	}
}

// raw puts a terminal into raw mode; tty is nil if in is none.
func raw(in io.Reader) (tty *os.File, restore func(), err error) {
	f, ok := in.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) {
		return nil, func() {}, nil
	}
	saved, err := term.MakeRaw(f.Fd())
	if err != nil {
		return nil, nil, fmt.Errorf("prepare the terminal: %w", err)
	}
	return f, func() { _ = term.Restore(f.Fd(), saved) }, nil
}

// sizeOf is a terminal's size; 80×24 if it does not say.
func sizeOf(tty *os.File) panes.Size {
	w, h, err := term.GetSize(tty.Fd())
	if err != nil || w < 1 || h < 1 {
		return panes.Size{Cols: 80, Rows: 24}
	}
	return panes.Size{Cols: w, Rows: h}
}

// hung is an input that never delivers: the pump reads the terminal. Bubble Tea
// must have one, without it turns keyboard protocols and queries off.
type hung chan struct{}

func (h hung) Read([]byte) (int, error) {
	<-h
	return 0, io.EOF
}
