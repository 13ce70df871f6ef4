package vt

// Options are what an Emulator is made with.
type Options struct {
	Cols, Rows int
	// Reply takes the answers to a program's queries. It is called during Write,
	// under the owner's lock, and must not block.
	Reply func([]byte)
	// Foreground and Background are the outer terminal's colours, told to
	// programs that ask (OSC 10, 11); zero: a dark default.
	Foreground, Background Color
}

// Emulator is a terminal.
type Emulator struct{}

// New makes an emulator of at least 1×1 and at most 1000×1000 cells.
func New(o Options) *Emulator { panic("written next") }

// Write takes a piece of a program's output, cut anywhere. It always takes all
// of it; the error is always nil.
func (e *Emulator) Write(p []byte) (int, error) { panic("written next") }

// Resize changes the size, clamped as in New.
func (e *Emulator) Resize(cols, rows int) { panic("written next") }

// Snapshot copies the screen into dst, only the rows that differ.
func (e *Emulator) Snapshot(dst *Screen) { panic("written next") }

// State is what the emulator knows beside its cells.
func (e *Emulator) State() State { panic("written next") }
