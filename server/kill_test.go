package server_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"reprise/server"
)

// Client, server or both are killed at random moments of an attachment under load.
// Whoever survives puts the terminal right, and the next server starts.
func TestKilledAtRandom(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 6
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	dice := rand.New(rand.NewPCG(seed, 0))
	socket := socketIn(t)
	endServer(t, socket)
	for round := range rounds {
		if _, err := server.Ensure(context.Background(), socket, launch(socket, "server")); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		pid := mustServerPID(t, socket)
		client := play("client", socket)
		if round%2 == 0 {
			client.Env = append(client.Env, pipeVar+"=1")
		}
		s := newStation(t).run(client)
		go s.master.WriteString("bcdf")
		time.Sleep(time.Duration(dice.IntN(40_000)) * time.Microsecond)
		victims := 1 + dice.IntN(3)
		if victims&1 != 0 {
			s.cmd.Process.Kill()
		}
		if victims&2 != 0 {
			syscall.Kill(pid, syscall.SIGKILL)
			eventually(t, func() bool { return syscall.Kill(pid, 0) != nil }, func() string { return "it survives" })
		}
		s.exit()
		switch victims {
		case 1:
			s.isRight()
			if now := serverPID(socket); now != pid {
				t.Fatalf("round %d: the server was %d and is %d", round, pid, now)
			}
		case 2:
			s.isRight()
		}
		s.slave.Close()
		s.master.Close()
	}
}

// Attachments that come and go leave nothing behind in the server.
func TestNothingIsLeftBehind(t *testing.T) { bothWays(t, testNothingIsLeftBehind) }

func testNothingIsLeftBehind(t *testing.T) {
	socket := socketIn(t)
	srv := startServer(t, socket)
	fds := func() int {
		open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", srv.Process.Pid))
		if err != nil {
			t.Skip("this system does not tell what a process has open")
		}
		return len(open)
	}
	goroutines := func() int {
		b, err := server.Request(context.Background(), socket, "goroutines", nil)
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(string(b))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	beforeFDs, before := fds(), goroutines()
	for i := range 20 {
		s := attach(t, socket)
		switch i % 4 {
		case 0:
			s.keys("q")
		case 1:
			s.cmd.Process.Kill()
		case 2:
			s.keys("f")
			s.await("flood")
			s.cmd.Process.Kill()
		case 3:
			s.keys("p")
		}
		s.exit()
	}
	eventually(t, func() bool { return fds() <= beforeFDs && goroutines() <= before }, func() string {
		return fmt.Sprintf("%d descriptors, before %d; %d goroutines, before %d", fds(), beforeFDs, goroutines(), before)
	})
}
