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
		if got := f.HomeEntry("/h"); f.HomeEnv == "" && got != nil || f.HomeEnv != "" && f.Home(got) != "/h" {
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
