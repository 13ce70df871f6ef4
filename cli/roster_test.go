package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/panes"
	"reprise/ui"
)

func TestRoster(t *testing.T) {
	var r roster
	gone := map[string]int{}
	leave := func(name string) func(error) { return func(error) { gone[name]++ } }
	wake, cancel := r.Subscribe()
	r.add("b", guest{Peer: ui.Peer{Name: "pts/4"}, order: 2, detach: leave("pts/4")})
	r.add("a", guest{Peer: ui.Peer{Name: "pts/3", Read: true}, order: 1, detach: leave("pts/3")})
	select {
	case <-wake:
	default:
		t.Error("nobody is told of a new client")
	}
	size := panes.Size{Cols: 80, Rows: 24}
	r.resize("b", size)
	r.resize("nobody", size)
	want := []ui.Peer{{Name: "pts/3", Read: true}, {Name: "pts/4", Size: size, Self: true}}
	if d := cmp.Diff(want, r.List("b")); d != "" {
		t.Error(d)
	}
	<-wake
	r.Detach("pts/3")
	if d := cmp.Diff(map[string]int{"pts/3": 1}, gone); d != "" {
		t.Error(d)
	}
	if n := r.detachAll(errDetached); n != 2 || gone["pts/4"] != 1 {
		t.Errorf("%d detached: %v", n, gone)
	}
	r.remove("a")
	<-wake
	cancel()
	r.remove("b")
	select {
	case <-wake:
		t.Error("told after it was called off")
	default:
	}
	if l := r.List(""); len(l) != 0 {
		t.Errorf("left: %v", l)
	}
}

func TestGuestName(t *testing.T) {
	for _, c := range []struct {
		tty  string
		env  []string
		want string
	}{
		{"pts/3", nil, "pts/3"},
		{"", nil, "process 7"},
		{"pts/3\x1b[2J", nil, "process 7"},
		{"pts/3", []string{"SSH_CONNECTION=10.0.0.7 50100 10.0.0.1 22"}, "pts/3 from 10.0.0.7"},
		{"pts/3", []string{"SSH_CONNECTION=fe80::1 50100 fe80::2 22"}, "pts/3 from fe80::1"},
		{"pts/3", []string{"SSH_CONNECTION=\x1b[31mevil 1 2 3"}, "pts/3"},
	} {
		if got := guestName(c.tty, 7, c.env); got != c.want {
			t.Errorf("%q %v: %q, want %q", c.tty, c.env, got, c.want)
		}
	}
}

func TestParseProfile(t *testing.T) {
	for _, p := range profiles {
		if got := parseProfile(p.String()); got != p {
			t.Errorf("%v is read as %v", p, got)
		}
	}
	if got := parseProfile("more colours than there are"); got != profiles[1] {
		t.Errorf("what is not known is %v", got)
	}
}
