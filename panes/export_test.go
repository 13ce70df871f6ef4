package panes

// SignalProcess is what EndProcess sends by: its guard cannot be seen from
// outside, because a pid that is given away between look and signal is rare.
var SignalProcess = signalProcess

// LastLines bounds histories: at 64 MiB, too much for a test.
var LastLines = lastLines

// SparePID is the process of a spare shim that nobody has taken.
func SparePID(s *Spare) int {
	c := <-s.ready
	again := make(chan *child, 1)
	again <- c
	close(again)
	s.ready = again
	return c.id.PID
}
