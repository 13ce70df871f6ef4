package kinds_test

import (
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"reprise/agent"
	"reprise/agent/kinds"
)

// names are all kinds, and one of the config file's.
func names(t testing.TB) []string {
	t.Helper()
	reg, err := kinds.New([]kinds.Custom{coder})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, k := range reg.All() {
		all = append(all, k.Facts().Name)
	}
	return all
}

var hostileIDs = []agent.SessionID{"", "-p", "--resume", "a b", "../x", "a/b", "a\n", "$(x)", "é", agent.SessionID(strings.Repeat("a", 129))}

// TestHostileSession: whatever a hook reports as a session, no option comes of it.
func TestHostileSession(t *testing.T) {
	for _, name := range names(t) {
		k := kind(t, name, coder)
		if k.Facts().NoResume != "" {
			continue // refused whatever the id is
		}
		for _, id := range hostileIDs {
			if got, err := k.Resume(agent.LaunchInput{Session: id}); err == nil {
				t.Errorf("%s resumed %q: %q", name, id, got.Argv)
			}
			raw, err := json.Marshal(map[string]any{"session_id": id})
			if err != nil {
				t.Fatal(err)
			}
			var fields map[string]json.RawMessage
			if err := json.Unmarshal(raw, &fields); err != nil {
				t.Fatal(err)
			}
			for _, event := range []string{"SessionStart", "sessionStart", "start"} {
				if got := k.Hook(event, fields); got.Session != "" {
					t.Errorf("%s took %q as %q", name, id, got.Session)
				}
			}
			if got, err := k.Launch(agent.LaunchInput{Session: id}); err == nil && (got.Session != "" || id != "" && slices.Contains(got.Argv, string(id))) {
				t.Errorf("%s preset %q: %q", name, id, got.Argv)
			}
		}
	}
}

// TestShellWords: sh reads the hook's command as the words that were meant.
func TestShellWords(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	const alphabet = `ab/ '"\$` + "`" + `!*?~#&|;<>(){}[]=%^` + "\t\né"
	letters := []rune(alphabet)
	for range 60 {
		var b strings.Builder
		for range 1 + rnd.IntN(12) {
			b.WriteRune(letters[rnd.IntN(len(letters))])
		}
		in := agent.LaunchInput{Session: preset, Hook: agent.HookCommand{Program: "printf", State: b.String(), Nonce: "%s|"}}
		got, err := kind(t, "coder", coder).Launch(in)
		if err != nil {
			t.Fatal(err)
		}
		prefix := strings.TrimPrefix(got.Env[len(got.Env)-1], "REPRISE_HOOK=")
		out, err := exec.Command("sh", "-c", strings.Replace(prefix, "printf hook", `printf '%s\0' hook`, 1)).Output()
		if err != nil {
			t.Fatalf("%s: %v", prefix, err)
		}
		words := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		if want := []string{"hook", b.String(), "coder", "%s|"}; !slices.Equal(words, want) {
			t.Errorf("%s\n got %q\nwant %q", prefix, words, want)
		}
	}
}

// FuzzFlags: no command line upsets a kind; a resume does not say the first message
// again, and does not grow when it is repeated.
func FuzzFlags(f *testing.F) {
	for _, s := range []string{"--model\x00x\x00fix it", "-c\x00--\x00-r", "resume\x00" + other, "-\x00--\x00--\x00-", "--settings={\x00-pvc", "-i\x00a\x00b\x00-mx"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\x00")
		before := slices.Clone(args)
		for _, name := range names(t) {
			k := kind(t, name, coder)
			got, err := k.Launch(agent.LaunchInput{Session: preset, Flags: args, Hook: hookCommand, Dir: "/nonexistent"})
			if err != nil {
				t.Fatal(err)
			}
			if got.Plain && !slices.Equal(got.Argv[1:], args) {
				t.Fatalf("%s: a plain command was changed: %q", name, got.Argv)
			}
			if k.Facts().NoResume != "" {
				continue
			}
			bare, err := k.Resume(agent.LaunchInput{Session: preset})
			if err != nil {
				t.Fatal(err)
			}
			once, err := k.Resume(agent.LaunchInput{Session: preset, Flags: args})
			if err != nil {
				t.Fatal(err)
			}
			if name == "claude" {
				again, err := k.Resume(agent.LaunchInput{Session: preset, Flags: once.Argv[1:]})
				if err != nil || !slices.Equal(again.Argv, once.Argv) {
					t.Fatalf("resumed twice: %q, then %q, %v", once.Argv, again.Argv, err)
				}
			}
			if len(args) == 1 && !strings.HasPrefix(args[0], "-") && name != "opencode" && len(once.Argv) > len(bare.Argv) {
				t.Fatalf("%s: the message is said again: %q", name, once.Argv)
			}
			if !slices.Equal(args, before) {
				t.Fatalf("%s: the flags were changed", name)
			}
		}
	})
}
