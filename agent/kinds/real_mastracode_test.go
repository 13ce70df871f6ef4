package kinds_test

import (
	"syscall"
	"testing"

	"reprise/agent"
)

// TestRealMastracode: it tells by hooks of the person's own what it does, goes on with
// the last thread by itself, and with another one after /new.
func TestRealMastracode(t *testing.T) {
	if testing.Short() {
		t.Skip("real agents are slow")
	}
	a := otherAgent{name: "mastracode", tool: `execute_command {"command":"touch x"}`, yes: "y"}
	s, r := a.prepare(t)
	p := s.play(s.kind.Launch(s.input("")))
	p.tell(r, "remember codeword ZEBRA-17", "ZEBRA-17")
	e := p.await(agent.HookPrompt, 0).Event
	if !e.Session.Valid() || e.Depth != s.kind.Facts().OwnProcesses {
		t.Fatalf("prompted as %+v", e)
	}
	p.permit(a, e.Session)
	p.signal(syscall.SIGKILL)
	p.wait()

	p = s.play(s.kind.Launch(s.input("")))
	p.tell(r, "which codeword?", "ZEBRA-17")
	if got := p.await(agent.HookPrompt, 0).Event.Session; got != e.Session {
		t.Errorf("it went on with %s, it was %s", got, e.Session)
	}
	p.once("/new")
	p.once("/new")
	prompts := p.count(agent.HookPrompt)
	p.tell(r, "hello again", "")
	if got := p.await(agent.HookPrompt, prompts).Event.Session; got == e.Session || !got.Valid() {
		t.Errorf("after /new it has %s", got)
	}
	p.command("/exit", p.ended)
	p.wait()
	if status := p.cmd.ProcessState.ExitCode(); status != 0 {
		t.Errorf("/exit gave status %d", status)
	}
}
