package kinds_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/uuid"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/testdata/lab"
)

// standinKind describes the stand-in as a person would in the config file.
func standinKind(program string) kinds.Custom {
	return kinds.Custom{
		Name: "standin", Command: program,
		NewArgs: []string{"--session-id", "{session_id}"}, ResumeArgs: []string{"--resume", "{session_id}"},
		HomeEnv: "STANDIN_HOME", Transcript: "{home}/conversations/{session_id}.jsonl",
	}
}

// TestCustomKind takes a custom kind through its life with a real process: hooks
// by REPRISE_HOOK, their depth, a nested agent, /clear, a death and a resume.
func TestCustomKind(t *testing.T) {
	program := lab.Standin(t)
	k := kind(t, "standin", standinKind(program))
	home := t.TempDir()
	log := filepath.Join(home, "log")
	env := append(os.Environ(), "STANDIN_HOME="+home, "STANDIN_LOG="+log)
	s := newStage(t, k, t.TempDir(), env)
	if err := os.Mkdir(filepath.Join(home, "conversations"), 0o700); err != nil {
		t.Fatal(err)
	}
	id := agent.SessionID(uuid.NewString())

	p := s.play(k.Launch(s.input(id, "--model", "x", "codeword ZEBRA-17")))
	p.await(agent.HookStop, 0)
	if e := p.await(agent.HookStart, 0); e.Event.Session != id || e.Event.Depth != 1 || e.Event.Kind != "standin" || e.Event.Nonce != "nonce-1" {
		t.Errorf("started as %+v", e.Event)
	}
	p.key("/nested\r")
	if e := p.await(agent.HookStart, 1); e.Event.Depth != 2 || e.Event.Session == id {
		t.Errorf("nested started as %+v", e.Event)
	}
	if got := k.Transcript(home, s.dir, id); got != agent.HasTranscript {
		t.Errorf("transcript: %v", got)
	}
	p.signal(syscall.SIGKILL)
	p.wait()

	p = s.play(k.Resume(s.input(id, "--model", "x", "codeword OTHER-1")))
	p.await(agent.HookStart, 0)
	p.key("codeword?\r/model\r")
	p.await(agent.HookStop, 0)
	p.key("/clear\r")
	if e := p.await(agent.HookStart, 1); e.Event.Session == id || !e.Event.Session.Valid() {
		t.Errorf("after /clear: %+v", e.Event)
	} else if got := k.Transcript(home, s.dir, e.Event.Session); got != agent.NoTranscript {
		t.Errorf("transcript after /clear: %v", got)
	}
	p.key("/exit\r")
	p.wait()
	if e := p.await(agent.HookGoodbye, 1); !e.Event.Certain {
		t.Errorf("goodbye %+v", e.Event)
	}
	starts, err := lab.Starts(log)
	if err != nil {
		t.Fatal(err)
	}
	mine := lab.Of(starts, string(id))
	if len(mine) != 2 || mine[0].Resumed || !mine[1].Resumed || mine[0].Double || mine[1].Double || len(starts) != 3 {
		t.Errorf("starts %+v", starts)
	}
	if n := p.count(agent.HookPrompt); n != 1 {
		t.Errorf("%d prompts after the resume: the first message was said again", n)
	}
}
