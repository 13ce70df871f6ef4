package kinds

import (
	"encoding/json"
	"os/exec"
	"testing"
)

// TestGrokHooks: they call what the variable says with our word, also where its quotes
// are those of an awkward folder, and do nothing elsewhere than in a pane.
func TestGrokHooks(t *testing.T) {
	var file struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	if err := json.Unmarshal([]byte(grok().about.own.text), &file); err != nil {
		t.Fatal(err)
	}
	for event, want := range map[string]string{"SessionStart": "start", "UserPromptSubmit": "prompt", "Stop": "stop", "Notification": "ask"} {
		if len(file.Hooks[event]) != 1 || len(file.Hooks[event][0].Hooks) != 1 {
			t.Errorf("%s: %+v", event, file.Hooks[event])
			continue
		}
		for value, want := range map[string]string{`printf '%s;' 'it'\''s a "state"' $x`: `it's a "state";` + want + ";", "": ""} {
			cmd := exec.Command("/bin/sh", "-c", file.Hooks[event][0].Hooks[0].Command)
			cmd.Env = []string{"PATH=/usr/bin:/bin"}
			if value != "" {
				cmd.Env = append(cmd.Env, HookVariable+"="+value)
			}
			if out, err := cmd.CombinedOutput(); err != nil || string(out) != want {
				t.Errorf("%s with %q: %q, %v, want %q", event, value, out, err, want)
			}
		}
	}
}
