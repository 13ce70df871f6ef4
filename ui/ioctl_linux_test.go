package ui_test

import "golang.org/x/sys/unix"

const (
	getTermios   = unix.TCGETS
	inputWaiting = unix.TIOCINQ
)
