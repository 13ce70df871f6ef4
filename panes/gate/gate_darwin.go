package gate

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// defaultSignals undoes what was inherited as ignored (from nohup, or from a
// shell that started us in the background): exec resets what a program catches,
// but not what it ignores. Go's runtime catches most signals anyway. Of the rest,
// HUP and INT are caught here only if they were ignored, so that none is lost
// between here and exec; whether the job-control signals were, Go does not tell,
// and a stop that is lost at this moment harms nobody. The runtime itself ends a process
// by a hangup that it did not ask for.
func defaultSignals() error {
	unread := make(chan os.Signal, 1)
	signal.Notify(unread, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU)
	for _, sig := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(sig) {
			signal.Notify(unread, sig)
		}
	}
	return nil
}

// hungUp reports whether a descriptor was a terminal whose other side is closed.
func hungUp(fd int) bool {
	_, err := unix.IoctlGetTermios(fd, unix.TIOCGETA)
	return err != nil && !errors.Is(err, unix.ENOTTY)
}
