package server_test

import "golang.org/x/sys/unix"

const (
	getTermios   = unix.TCGETS
	setTermios   = unix.TCSETS
	inputWaiting = unix.TIOCINQ
)
