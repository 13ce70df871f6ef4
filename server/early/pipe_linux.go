package early

import "syscall"

// pipe makes a pipe that no program inherits.
func pipe(p *[2]int) error { return syscall.Pipe2(p[:], syscall.O_CLOEXEC) }
