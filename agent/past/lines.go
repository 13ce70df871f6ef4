package past

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// Bounds of what is read of one file, in bytes.
const (
	lineMax = 256 << 10 // a longer line is passed over
	headMax = 2 << 20   // until the person's first words are found
	headLed = 64 << 10  // behind them, for more to search in
	tailMin = 64 << 10  // from the end
	tailMax = 2 << 20   // if the last word is not in there
)

// errNotRegular says that a store's name is that of a link, a pipe or a device.
var errNotRegular = errors.New("not a regular file")

// errTooLarge says that a file has more in it than such a one can have.
var errTooLarge = errors.New("too large")

// open opens a regular file and tells its mark. It neither follows a link nor waits
// for the other end of a pipe.
func open(path string) (*os.File, Mark, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, Mark{}, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		f.Close()
		return nil, Mark{}, err
	}
	return f, markOf(st), nil
}

// pieces reads a file piece by piece, and calls alive after each: a file that takes long
// is none whose disk does not answer.
type pieces struct {
	from  io.ReaderAt
	alive func()
}

// pieceMax bounds a piece, in bytes.
const pieceMax = 64 << 10

// ReadAt implements io.ReaderAt.
func (p pieces) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) && err == nil {
		var got int
		got, err = p.from.ReadAt(b[n:min(n+pieceMax, len(b))], at+int64(n))
		n += got
		p.alive()
	}
	return n, err
}

// heads are readers of lines, each with its buffer.
var heads = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, lineMax) }}

// headLines gives the lines of a file's beginning to see, until it has seen enough.
// An unfinished last line is left out: its program is still writing it.
func headLines(f io.ReaderAt, see func(line []byte) (more bool)) error {
	in := heads.Get().(*bufio.Reader)
	defer heads.Put(in)
	in.Reset(io.NewSectionReader(f, 0, headMax))
	for {
		line, err := in.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case !long && !see(line):
			return nil
		}
	}
}

// tailLines gives the lines of a file's end to see, the last one first, until it has
// seen enough. What the last few of them do not tell is looked for further ahead.
func tailLines(f io.ReaderAt, size int64, see func(line []byte) (more bool)) error {
	end, rest := size, []byte(nil)
	for step := int64(tailMin); end > 0 && size-end < tailMax; step *= 4 {
		from := max(0, end-step, size-tailMax)
		block := make([]byte, end-from, int(end-from)+len(rest))
		n, err := f.ReadAt(block, from)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if n < len(block) { // it was made shorter meanwhile
			return nil
		}
		block = append(block, rest...)
		if end == size { // an unfinished last line is left out
			block = block[:bytes.LastIndexByte(block, '\n')+1]
		}
		for {
			at := bytes.LastIndexByte(bytes.TrimSuffix(block, []byte("\n")), '\n')
			if at < 0 {
				break
			}
			if line := block[at+1:]; len(line) <= lineMax && !see(line) {
				return nil
			}
			block = block[:at+1]
		}
		if from == 0 {
			if len(block) > 0 && len(block) <= lineMax {
				see(block)
			}
			return nil
		}
		end, rest = from, bytes.Clone(block)
		if len(rest) > lineMax { // what is kept of a line that is passed over: that it is too long
			rest = rest[len(rest)-lineMax-1:]
		}
	}
	return nil
}
