package ui_test

import (
	"bytes"
	"runtime/pprof"
	"testing"
)

// Bubble Tea's renderer, which draws nothing for us, would wake a client every second.
func TestNoTickerWakesAClient(t *testing.T) {
	s := open(t, plainResumer)
	s.sees("ready>") // so it runs
	s.until("end of the renderer", func() bool {
		var all bytes.Buffer
		if err := pprof.Lookup("goroutine").WriteTo(&all, 1); err != nil {
			t.Fatal(err)
		}
		return !bytes.Contains(all.Bytes(), []byte("startRenderer"))
	})
	// And nothing else ended with it.
	s.types("echo $((6*7))-goes-on\r")
	s.sees("42-goes-on")
	s.types("\x02d")
	if err := s.end(); err != nil {
		t.Error(err)
	}
}
