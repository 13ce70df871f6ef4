package shot

import (
	"fmt"
	"io"

	"reprise/panes/vt"
)

// feedSize is how much is fed at a time unless it is told.
const feedSize = 32 << 10

// Input is what Feed reads and the terminal that it is shown by.
type Input struct {
	Reader     io.Reader
	Cols, Rows int
	// Cut is how many bytes are fed at a time; 0: many.
	Cut int
}

// ParseSize reads COLSxROWS, each from 1 to 1000.
func ParseSize(s string) (cols, rows int, err error) {
	var rest string
	n, _ := fmt.Sscanf(s, "%dx%d%s", &cols, &rows, &rest)
	if n != 2 || cols < 1 || cols > 1000 || rows < 1 || rows > 1000 {
		return 0, 0, fmt.Errorf("size %q is not COLSxROWS, such as 80x24, each from 1 to 1000", s)
	}
	return cols, rows, nil
}

// Feed reads a program's output to its end and writes the screen that is left.
// o.Replies is filled by it.
func Feed(w io.Writer, in Input, o Options) error {
	e := vt.New(vt.Options{Cols: in.Cols, Rows: in.Rows, Reply: func(b []byte) {
		o.Replies = append(o.Replies, b...)
	}})
	size := in.Cut
	if size <= 0 {
		size = feedSize
	}
	buf := make([]byte, max(size, feedSize))
	for {
		n, err := in.Reader.Read(buf)
		for p := buf[:n]; len(p) > 0; {
			k := min(size, len(p))
			_, _ = e.Write(p[:k])
			p = p[k:]
		}
		if err == io.EOF {
			return Write(w, e, o)
		}
		if err != nil {
			return fmt.Errorf("read what a program printed: %w", err)
		}
	}
}
