package panes

// SignalProcess is what EndProcess sends by: its guard cannot be seen from
// outside, because a pid that is given away between look and signal is rare.
var SignalProcess = signalProcess

// LastLines bounds histories: at 64 MiB, too much for a test.
var LastLines = lastLines
