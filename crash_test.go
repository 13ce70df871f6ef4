package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"reprise/testdata/lab"
)

// rounds is how often client and server are killed; REPRISE_ROUNDS sets another
// number.
func rounds(t *testing.T) int {
	t.Helper()
	n := 200
	if testing.Short() {
		n = 12
	}
	if s := os.Getenv("REPRISE_ROUNDS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// crews are the homes among which the rounds are shared.
const crews = 4

// Whenever client, server or both are killed, while agents converse and print: all
// sessions are back, each once.
func TestKilledAtRandom(t *testing.T) {
	n := rounds(t)
	for crew := range crews {
		t.Run(fmt.Sprint(crew), func(t *testing.T) {
			t.Parallel()
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			w := newWreck(t, rand.New(rand.NewPCG(seed, 0)))
			for i := range n/crews + 1 {
				w.round(i)
				if t.Failed() {
					return
				}
			}
			w.remember()
		})
	}
}

// wreck is a session with two agents, and what became of it.
type wreck struct {
	*home
	r       *rand.Rand
	c       *client
	words   []string
	crashes int // of the server
}

func newWreck(t *testing.T, r *rand.Rand) *wreck {
	w := &wreck{home: newHome(t), r: r, words: []string{"WORD-1", "WORD-2"}}
	w.c = w.attach("standin", "codeword "+w.words[0])
	w.c.wait("noted")
	w.verb("split", "standin", "codeword "+w.words[1])
	w.c.wait(`(?s)noted.*noted`)
	return w
}

// round is one: something is killed while something happens, and all is well
// afterwards.
func (w *wreck) round(i int) {
	w.t.Helper()
	launches := len(w.launched())
	server := w.server()
	w.c.send([]string{"more\r", "/lines 3000\r", "/lines 50\rmore\rmore\r", "\x02o/lines 500\rmore\r"}[w.r.IntN(4)])
	time.Sleep(time.Duration(w.r.IntN(60)) * time.Millisecond) // the moment is to be any
	killsServer := w.r.IntN(4) != 0
	if killsServer && w.r.IntN(2) == 0 {
		w.c.kill()
	}
	if killsServer {
		signal(w.t, server, syscall.SIGKILL)
		w.crashes++
	}
	w.c.kill()
	w.c = w.attach()
	if w.r.IntN(3) == 0 { // and again, while it comes up
		time.Sleep(time.Duration(w.r.IntN(200)) * time.Millisecond)
		for _, pid := range w.servers() {
			if syscall.Kill(pid, syscall.SIGKILL) == nil {
				w.crashes++
			}
		}
		w.c.kill()
		w.c = w.attach()
	}
	w.whole()
	if got := len(w.launched()); !killsServer && w.crashes == 0 && got != launches {
		w.t.Errorf("round %d: %d launches without a crash of the server", i, got-launches)
	}
}

// whole checks that both agents live in one server, each in the process that was
// launched last for its session, and that no session was launched more often than
// the server crashed.
func (w *wreck) whole() {
	w.t.Helper()
	d := w.store()
	sessions := w.allLive(d, len(w.words))
	_ = d.Close()
	w.home.server()
	starts := w.launched()
	for _, s := range sessions {
		if n := len(lab.Of(starts, s)); n > w.crashes+1 {
			w.t.Errorf("session %s was launched %d times, the server crashed %d times", s, n, w.crashes)
		}
	}
	if n := len(lab.Of(starts, sessions[0])) + len(lab.Of(starts, sessions[1])); n != len(starts) {
		w.t.Errorf("%d launches of %d are of other sessions", len(starts)-n, len(starts))
	}
}

// remember asks both agents what they were told at the beginning.
func (w *wreck) remember() {
	w.t.Helper()
	known := map[string]bool{}
	for range w.words {
		w.c.answered(known)
		w.c.send("\x02o")
	}
}
