package server_test

import (
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"reprise/server"
)

// log is a Writer that can be slow, fail and panic.
type log struct {
	mu    sync.Mutex
	got   strings.Builder // guarded by mu
	at    string          // what it does something else at
	do    func() error
	count int // guarded by mu
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	l.got.Write(p)
	l.count++
	l.mu.Unlock()
	if l.at != "" && strings.Contains(string(p), l.at) {
		return 0, l.do()
	}
	return len(p), nil
}

func (l *log) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.got.String()
}

// Input is handed on in the goroutine that takes it in, behind what came before.
func TestInputIsHandedOn(t *testing.T) {
	in := server.NewInbox()
	in.Put([]byte("before "))
	to := &log{}
	ended := make(chan error, 1)
	go func() {
		_, err := in.WriteTo(to)
		ended <- err
	}()
	eventually(t, func() bool { return to.text() == "before " }, to.text)
	in.Put([]byte("now "))
	if got := to.text(); got != "before now " {
		t.Errorf("%q was handed on when Put returned", got)
	}
	var all sync.WaitGroup // in turn
	for range 10 {
		all.Go(func() {
			for range 100 {
				in.Put([]byte("ab"))
			}
		})
	}
	all.Wait()
	if got := strings.TrimPrefix(to.text(), "before now "); got != strings.Repeat("ab", 1000) {
		t.Error("pieces were lost or torn")
	}
	in.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	in.Put([]byte("late"))
	if strings.Contains(to.text(), "late") {
		t.Error("input came after the end")
	}
}

// Who is handed input and fails gets no more; who puts it is not held up, and its panic
// leaves the inbox whole.
func TestInputThatIsRefused(t *testing.T) {
	failed := errors.New("it fails")
	in := server.NewInbox()
	to := &log{at: "x", do: func() error { return failed }}
	ended := make(chan error, 1)
	go func() {
		_, err := in.WriteTo(to)
		ended <- err
	}()
	in.Put([]byte("a"))
	in.Put([]byte("x"))
	if err := <-ended; !errors.Is(err, failed) {
		t.Errorf("it ends with %v", err)
	}
	in.Put([]byte("b"))
	if got := to.text(); got != "ax" {
		t.Errorf("it was handed %q", got)
	}
	buf := make([]byte, 10)
	if n, err := in.Read(buf); string(buf[:n]) != "b" || err != nil {
		t.Errorf("%q, %v waits", buf[:n], err)
	}

	in = server.NewInbox()
	to = &log{at: "x", do: func() error { panic("told to") }}
	go func() { _, _ = in.WriteTo(to) }()
	in.Put([]byte("a"))
	eventually(t, func() bool { return to.text() == "a" }, to.text)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a panic was swallowed")
			}
		}()
		in.Put([]byte("x"))
	}()
	in.Put([]byte("b"))
	if got := to.text(); got != "axb" {
		t.Errorf("after a panic it was handed %q", got)
	}
	in.Close()
}

// Output that is to be taken at once is taken whole, in order and within bounds, or not
// at all.
func TestOutputAtOnce(t *testing.T) {
	ours, theirs := socketPair(t)
	o, err := server.NewOutbox(ours, time.Minute, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	if o.Now(make([]byte, server.MaxPending)) {
		t.Error("more was taken than may wait")
	}
	taken, refused := 0, 0
	for refused < 100 && taken < 4*server.MaxPending { // nobody reads
		const n = 40 << 10 // in more than one frame
		if o.Now(pattern(taken, n)) {
			taken += n
		} else {
			refused++
		}
	}
	if taken == 0 || refused == 0 {
		t.Errorf("%d bytes were taken, %d times none", taken, refused)
	}
	all := make(chan int, 1)
	go func() {
		n, _ := o.Write(pattern(taken, 1000)) // waits
		n += taken
		for end := time.Now().Add(patience); !o.Now(pattern(n, 10)); time.Sleep(time.Millisecond) { // until there is room
			if time.Now().After(end) {
				t.Error("there is no room again")
				n -= 10
				break
			}
		}
		all <- n + 10
		o.Finish()
		ours.Close()
	}()
	frames, err := server.FramesTo(theirs, 'X')
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if n, want := checkOutput(t, frames), <-all; n != want {
		t.Errorf("%d bytes came, %d were taken", n, want)
	}
	if o.Now([]byte("late")) {
		t.Error("output was taken after the last words")
	}
}
