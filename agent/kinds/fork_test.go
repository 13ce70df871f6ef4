package kinds_test

import (
	"slices"
	"strings"
	"testing"

	"reprise/agent"
	"reprise/agent/kinds"
)

// A copy is launched under another id than that of its original, with what asks for it
// as it stands; resumed later, it is the copy that goes on.
func TestForks(t *testing.T) {
	reg, err := kinds.New([]kinds.Custom{
		{Name: "one", Command: "one", NewArgs: []string{"--id", "{session_id}"}, ResumeArgs: []string{"--go", "{session_id}"}, ForkArgs: []string{"--copy", "{session_id}"}},
		{Name: "two", Command: "two", ResumeArgs: []string{"--go", "{session_id}"}, ForkArgs: []string{"--go", "{session_id}", "--anew"}},
		{Name: "three", Command: "three", ResumeArgs: []string{"--go={session_id}"}, ForkArgs: []string{"--copy={session_id}"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	const from, copied = agent.SessionID("11111111-2222-4333-8444-555555555555"), agent.SessionID("99999999-2222-4333-8444-555555555555")
	forks := 0
	for _, k := range reg.All() {
		f := k.Facts()
		id := from
		if f.Name == "opencode" {
			id = theirs
		}
		args := f.ForkOf(id)
		if len(f.Fork) == 0 {
			if args != nil {
				t.Errorf("%s: %q", f.Name, args)
			}
			continue
		}
		forks++
		if got := f.HomeEntry(""); got != nil {
			t.Errorf("%s: its default home is %q", f.Name, got)
		}
		if got := f.HomeEntry("/h"); f.HomeEnv == "" && got != nil || f.HomeEnv != "" && f.Home(got, "") != "/h" {
			t.Errorf("%s: another home is %q", f.Name, got)
		}
		if f.ForkOf("--yolo") != nil {
			t.Errorf("%s: an option is taken for an id", f.Name)
		}
		in := agent.LaunchInput{Flags: args}
		if f.PresetsID {
			in.Session = copied
		}
		got, err := k.Launch(in)
		line := strings.Join(got.Argv, " ")
		if err != nil || got.Plain || !strings.Contains(line, strings.Join(args, " ")) {
			t.Errorf("%s: launched as %q, %v", f.Name, line, err)
		}
		if got.Session != "" && got.Session != copied || got.Session == copied && !slices.Contains(got.Argv, string(copied)) {
			t.Errorf("%s: the copy is %q in %q", f.Name, got.Session, line)
		}
		in.Session = copied
		got, err = k.Resume(in)
		line = strings.Join(got.Argv, " ")
		if err != nil || got.Session != copied || strings.Contains(line, string(id)) || strings.Contains(line, "--fork") || strings.Contains(line, "--copy") || strings.Contains(line, "--anew") {
			t.Errorf("%s: resumed as %q, %v", f.Name, line, err)
		}
	}
	if forks != 10 {
		t.Errorf("%d kinds make copies", forks)
	}
}

// A copy is given what a resume of its original repeats: not its first message, nor what
// it said of its session; its own configuration is joined with ours as that was.
func TestForksKeepFlags(t *testing.T) {
	const from = "11111111-2222-4333-8444-555555555555"
	custom := kinds.Custom{
		Name: "mine", Command: "mine", NewArgs: []string{"--id", "{session_id}"}, ResumeArgs: []string{"--go", "{session_id}"},
		ForkArgs: []string{"--copy", "{session_id}"}, Options: []string{"--model NAME", "--fast"}, Once: []string{"--prompt TEXT"},
	}
	for _, c := range []struct{ name, was, want string }{
		{"claude", "--model opus --session-id " + from + " --settings {} hello", "--resume " + from + " --fork-session --settings {} --model opus"},
		{"claude", "--continue --fork-session --permission-mode plan", "--resume " + from + " --fork-session --permission-mode plan"},
		{"codex", "-m o3 --image a.png resume --last --full-auto", "fork " + from + " -m o3 --full-auto"},
		{"codex", "fork 99999999-2222-4333-8444-555555555555 -C /w", "fork " + from + " -C /w"},
		{"pi", "--model m --continue hello", "--fork " + from + " --model m"},
		{"mine", "--model m --prompt hi --fast --unknown", "--copy " + from + " --model m --fast"},
		{"gemini", "--model m", ""},
	} {
		k := kind(t, c.name, custom)
		forker, ok := k.(agent.Forker)
		if !ok {
			t.Errorf("%s does not say what a copy repeats", c.name)
			continue
		}
		if got := strings.Join(forker.Fork(agent.LaunchInput{Session: from, Flags: strings.Fields(c.was)}), " "); got != c.want {
			t.Errorf("%s %s: a copy is begun by %q, want %q", c.name, c.was, got, c.want)
		}
	}
}
