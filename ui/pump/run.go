package pump

import (
	"context"
	"io"
	"time"
)

// Run feeds p what comes in until in is closed or ctx ends, and keeps the escape
// timer. At the end it hands out what is left.
func (p *Pump) Run(ctx context.Context, in <-chan []byte) {
	defer p.Close()
	t := time.NewTimer(time.Hour)
	t.Stop()
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case b, ok := <-in:
			if !ok {
				return
			}
			p.Feed(b)
		case <-t.C:
			p.Timeout()
		}
		if d := p.Wait(); d > 0 {
			t.Reset(d)
		} else {
			t.Stop()
		}
	}
}

// Read starts to read r and hands on what it gets, in reads of up to 32 KiB. The
// channel closes at r's first error, or when ctx ends; a read that hangs then
// holds its goroutine until r is closed or says something, and what it says is
// lost.
func Read(ctx context.Context, r io.Reader) <-chan []byte {
	out := make(chan []byte)
	go func() {
		defer close(out)
		buf := make([]byte, 32<<10)
		for {
			n, err := r.Read(buf)
			if n > 0 {
				select {
				case out <- append([]byte(nil), buf[:n]...):
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return out
}
