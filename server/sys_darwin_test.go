package server_test

import "golang.org/x/sys/unix"

const (
	getTermios   = unix.TIOCGETA
	setTermios   = unix.TIOCSETA
	inputWaiting = 0x4004667f // FIONREAD, which x/sys/unix lacks
)
