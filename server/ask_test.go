package server_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"reprise/server"
)

func TestAskTerminal(t *testing.T) {
	for name, c := range map[string]struct {
		says string
		want string
		wait time.Duration
	}{
		"it answers":       {"\x1b[?62;52c", "\x1b[?62;52c", time.Minute},
		"it says nothing":  {"", "", 50 * time.Millisecond},
		"it does not stop": {strings.Repeat("x", 8<<10), strings.Repeat("x", 4<<10), time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			master, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer master.Close()
			defer tty.Close()
			if err := pty.Setsize(master, &pty.Winsize{Cols: 90, Rows: 30}); err != nil {
				t.Fatal(err)
			}
			before := modes(t, tty)
			go func() {
				asked := make([]byte, 0, 64)
				for b := make([]byte, 64); !bytes.Contains(asked, []byte("\x1b[c")); {
					n, err := master.Read(b)
					if err != nil {
						return
					}
					asked = append(asked, b[:n]...)
				}
				_, _ = master.WriteString(c.says)
			}()
			answer, size, err := server.AskTerminal(tty, tty, "\x1b[c", func(b []byte) bool { return bytes.HasSuffix(b, []byte("c")) }, c.wait)
			if err != nil || string(answer) != c.want || size != (server.Size{Cols: 90, Rows: 30}) {
				t.Errorf("%q of %v, %v", answer, size, err)
			}
			if modes(t, tty) != before {
				t.Error("the terminal is not as it was found")
			}
		})
	}
	t.Run("no terminal", func(t *testing.T) {
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, _, err := server.AskTerminal(f, f, "\x1b[c", func([]byte) bool { return false }, time.Minute); err == nil {
			t.Error("no error")
		}
	})
}

// modes are how a terminal is set.
func modes(t *testing.T, tty *os.File) unix.Termios {
	t.Helper()
	got, err := unix.IoctlGetTermios(int(tty.Fd()), getTermios)
	if err != nil {
		t.Fatal(err)
	}
	return *got
}
