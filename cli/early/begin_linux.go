package early

import (
	"errors"
	"path"
	"syscall"
	"unsafe"

	"reprise/server/early"
)

// maxSocketPath is what sun_path holds besides its NUL (unix(7)).
const maxSocketPath = 107

// Args are the first two words of the command line, of which more than 4 KB does not count;
// nil if they cannot be read. os.Args are not there yet.
func Args() []string {
	fd, err := syscall.Open("/proc/self/cmdline", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = syscall.Close(fd) }()
	b := make([]byte, 4<<10)
	n, err := syscall.Read(fd, b)
	if err != nil {
		return nil
	}
	var args []string
	for from, i := 0, 0; i < n && len(args) < 2; i++ {
		if b[i] == 0 {
			args = append(args, string(b[from:i]))
			from = i + 1
		}
	}
	return args
}

// Begin begins a server if this command line needs one and none was left where it would be.
// Of several that are begun at once one serves.
func Begin(args []string) {
	state := State(syscall.Getenv)
	socket := path.Join(state, "run", "server")
	if !opens(args) || state == "" || len(socket) > maxSocketPath || !fits() ||
		syscall.Access(socket, 0) != syscall.ENOENT || makeAll(state) != nil {
		return
	}
	self := make([]byte, 4<<10)
	n, err := syscall.Readlink("/proc/self/exe", self)
	if err != nil || n <= 0 || n == len(self) {
		return
	}
	if b, err := early.Begin([]string{string(self[:n]), "serve"}, syscall.Environ(), path.Join(state, "reprise.log")); err == nil {
		begun = &b
	}
}

// fits reports whether a client may be here at all: on a terminal that is no pane of ours.
func fits() bool {
	pane, _ := syscall.Getenv("REPRISE_PANE")
	term, _ := syscall.Getenv("TERM")
	var termios [64]byte // no struct termios is larger
	for fd := range uintptr(2) {
		if _, _, errno := syscall.RawSyscall(syscall.SYS_IOCTL, fd, syscall.TCGETS, uintptr(unsafe.Pointer(&termios))); errno != 0 {
			return false
		}
	}
	return pane == "" && term != "" && term != "dumb"
}

// makeAll makes a folder for its owner alone, with those above it.
func makeAll(folder string) error {
	err := syscall.Mkdir(folder, 0o700)
	if errors.Is(err, syscall.ENOENT) && folder != "/" {
		if err = makeAll(path.Dir(folder)); err == nil {
			err = syscall.Mkdir(folder, 0o700)
		}
	}
	if errors.Is(err, syscall.EEXIST) {
		return nil
	}
	return err
}
