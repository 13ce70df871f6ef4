package kinds_test

import (
	"strings"
	"testing"

	"reprise/agent"
	"reprise/agent/kinds"
)

// An option that a copy is begun with, too, asks for a copy only if no list says what else
// it is.
func TestForkArgsHaveOptionsOfOtherUse(t *testing.T) {
	id := string(preset)
	c := kinds.Custom{
		Name: "coder", Command: "coder", ResumeArgs: []string{"--resume", "{session_id}"},
		ForkArgs: []string{"--resume", "{session_id}", "--fork", "--mode", "copy", "--form=copy", "--model", "small", "--yolo", "--once"},
		Options:  []string{"--model NAME", "--yolo"}, Once: []string{"--once"}, Hooks: "claude-settings:--settings",
	}
	k := kind(t, "coder", c)
	checkResume(t, k, []launchCase{
		{name: "no copy", flags: []string{"--model", "opus", "--yolo"}, argv: "coder|--resume|" + id + "|--model|opus|--yolo"},
		{name: "a copy", flags: k.Facts().ForkOf(other), argv: "coder|--resume|" + id + "|--model|small|--yolo"},
	})
	for flags, want := range map[string]bool{
		"--yolo": false, "--once": false, "--model x": false, "--fork": true, "--mode copy": true, "--form=copy": true,
	} {
		got, err := k.Launch(agent.LaunchInput{Flags: strings.Fields(flags), Hook: folderHook("/s")})
		if err != nil || strings.Contains(strings.Join(got.Argv, " "), "SessionStart:fork") != want {
			t.Errorf("%s: taken for a copy: %v, want %v: %q, %v", flags, !want, want, got.Argv, err)
		}
	}
	again := k.(agent.Forker).Fork(agent.LaunchInput{Session: preset, Flags: append(k.Facts().ForkOf(other), "--model", "opus")})
	if want := "--resume " + id + " --fork --mode copy --form=copy --model small --yolo --once --model opus"; strings.Join(again, " ") != want {
		t.Errorf("a copy of a copy is begun by %q, want %q", again, want)
	}
	c.ForkArgs, c.Options = []string{"--copy", "{session_id}"}, []string{"--copy ID", "--fast"}
	checkResume(t, kind(t, "coder", c), []launchCase{
		{name: "what names the original", flags: []string{"--copy", other, "--fast"}, argv: "coder|--resume|" + id + "|--fast"},
	})
	c.ForkArgs, c.Options = []string{"--fork", "--mode", "copy", "{session_id}"}, nil
	checkResume(t, kind(t, "coder", c), []launchCase{
		{name: "a value is no message", flags: []string{"--mode", "copy", "--fork", "hi", "--fast"}, argv: "coder|--resume|" + id + "|--fast"},
	})
}
