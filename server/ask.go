package server

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"
)

// maxReply bounds what a terminal may answer, in bytes.
const maxReply = 4 << 10

// ErrBackground says that the terminal belongs to another job just now.
var ErrBackground = errors.New("the terminal belongs to another program just now")

// AskTerminal writes a question to the terminal that in and out are, and returns what
// comes back until enough says so, maxReply is reached or the time is over: too late
// or too little is no error. Whatever happens (but SIGKILL) the terminal is set as it
// was found; keys that were typed meanwhile are lost. The answer is as hostile as any
// input.
func AskTerminal(in, out *os.File, question string, enough func(answer []byte) bool, wait time.Duration) (answer []byte, size Size, err error) {
	t, err := openTerminal(in, out)
	if err != nil {
		return nil, Size{}, err
	}
	defer t.close()
	size = t.size()
	if !t.foreground() {
		return nil, size, ErrBackground
	}
	told := make(chan os.Signal, 1)
	signal.Notify(told, unix.SIGHUP, unix.SIGINT, unix.SIGTERM)
	defer signal.Stop(told)
	over := make(chan struct{})
	defer close(over)
	var ended error
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case s := <-told:
			ended = fmt.Errorf("ask the terminal: %v", s)
		case <-time.After(wait):
		case <-over:
			return
		}
		t.interrupt()
	}()
	if err := t.raw(); err != nil {
		return nil, size, err
	}
	defer t.restore()
	if _, err = t.Write([]byte(question)); err == nil {
		answer, err = t.listen(enough)
	}
	if errors.Is(err, errInterrupted) {
		<-done
		err = ended
	}
	return answer, size, err
}

// listen reads until it is enough.
func (t *terminal) listen(enough func([]byte) bool) (answer []byte, err error) {
	var b [512]byte
	for len(answer) < maxReply && !enough(answer) {
		n, err := t.Read(b[:])
		answer = append(answer, b[:n]...)
		if err != nil {
			return answer, err
		}
	}
	return answer[:min(len(answer), maxReply)], nil
}
