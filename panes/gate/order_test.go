package gate

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"syscall"
	"testing"
)

func TestOrder(t *testing.T) {
	tests := map[string]Order{
		"a program":          {Dir: "/d", Argv: []string{"sh"}, Env: []string{"A=1", ""}},
		"odd strings":        {Argv: []string{"a b\n", "", "\xff", strings.Repeat("x", 100_000)}, Env: []string{"ODD=\xff\n="}},
		"a NUL in an arg":    {Argv: []string{"a\x00b"}},
		"a NUL in a folder":  {Dir: "\x00", Argv: []string{"a"}},
		"a NUL in the env":   {Argv: []string{"a"}, Env: []string{"a=\x00"}},
		"more than exec has": {Argv: []string{strings.Repeat("x", maxOrder)}},
		"no program":         {Dir: "/"},
	}
	for name, o := range tests {
		t.Run(name, func(t *testing.T) {
			var sent bytes.Buffer
			err := o.Send(&sent)
			if bad := strings.Contains(name, "NUL") || strings.Contains(name, "more"); bad != errors.Is(err, ErrOrder) || !bad && err != nil {
				t.Fatalf("error %v", err)
			}
			if err != nil {
				if sent.Len() > 0 {
					t.Errorf("%d bytes were sent", sent.Len())
				}
				return
			}
			sent.WriteString("\x01") // what opens the gate is not the order's
			got, err := readOrder(filled(t, sent.Bytes()))
			if len(o.Argv) == 0 {
				if !errors.Is(err, ErrOrder) {
					t.Errorf("error %v, want %v", err, ErrOrder)
				}
				return
			}
			if err != nil || got.Dir != o.Dir || !reflect.DeepEqual(got.Argv, o.Argv) || strings.Join(got.Env, "\x00") != strings.Join(o.Env, "\x00") {
				t.Errorf("%.200q, %v", got, err)
			}
		})
	}
}

// filled is a pipe that holds b and then ends.
func filled(t testing.TB, b []byte) pipe {
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fds[0]) })
	go func() {
		for len(b) > 0 {
			n, err := syscall.Write(fds[1], b)
			if err != nil && err != syscall.EINTR {
				break // the reader had enough
			}
			b = b[max(n, 0):]
		}
		_ = syscall.Close(fds[1])
	}()
	return pipe(fds[0])
}

// Whatever comes through the pipe is an order that could be sent, or none.
func FuzzParseOrder(f *testing.F) {
	for _, s := range []string{"", "\x00", "/\x001\x00sh\x00", "/\x001\x00sh\x00A=1\x00", "/\x002\x00sh\x00", "/\x00-1\x00sh\x00", "/\x001\x00sh", "/\x001\x00sh\x00A", "\x00\x00\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := parseOrder(b)
		if err != nil {
			return
		}
		if len(o.Argv) == 0 {
			t.Fatalf("%q has no program", o)
		}
		var again bytes.Buffer
		if err := o.Send(&again); err != nil {
			t.Fatalf("%q: %v", o, err)
		}
		if same, err := parseOrder(again.Bytes()[4:]); err != nil || !reflect.DeepEqual(same, o) {
			t.Fatalf("%q became %q, %v", o, same, err)
		}
	})
}
