package lab

import (
	"os"
	"syscall"
	"testing"
)

// WriteProgram writes a program that can be started at once. Written while another test
// starts a process, it could not: the child has the open file until it has become its
// program, and the system starts no file that somebody may write to ("text file busy",
// golang/go#22315). So no process of this program starts meanwhile.
func WriteProgram(tb testing.TB, path string, data []byte, mode os.FileMode) {
	tb.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, data, mode); err != nil {
		tb.Fatal(err)
	}
}
