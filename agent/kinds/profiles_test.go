package kinds_test

import (
	"os"
	"path/filepath"
	"testing"

	"reprise/agent"
)

// A session is that of the profile in which it runs, whoever says which one that is.
func TestProfilesAreHomes(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	k := kind(t, "hermes")
	native, other := filepath.Join(user, ".hermes"), filepath.Join(user, "other")
	for _, dir := range []string{native + "/profiles/coder", native + "/profiles/writer", other + "/profiles/coder"} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		active, env string
		args        []string
		want        string
	}{
		{"", "", nil, ""},
		{"", other, nil, other},
		{"", "", []string{"-p", "coder", "chat"}, native + "/profiles/coder"},
		{"", "", []string{"chat", "--profile=Coder", "--yolo"}, native + "/profiles/coder"},
		{"", other, []string{"-p", "coder"}, other + "/profiles/coder"},
		{"", native + "/profiles/writer", []string{"-p", "coder"}, native + "/profiles/coder"},
		{"", native + "/profiles/writer", nil, native + "/profiles/writer"},
		{"", native + "/profiles/writer", []string{"-p", "default"}, native},
		{"coder\n", "", nil, native + "/profiles/coder"},
		{"coder\n", "", []string{"-p", "writer"}, native + "/profiles/writer"},
		{"coder\n", "", []string{"-p", "default"}, ""},
		{"coder\n", native + "/profiles/writer", nil, native + "/profiles/writer"},
		{"default\n", "", nil, ""},
		{"none\n", "", nil, ""},
		{"../profiles/coder\n", "", nil, ""},
		{"", "", []string{"-p", "../../other"}, ""},
		{"", "", []string{"-p", ""}, ""},
		{"", "", []string{"-p"}, ""},
	} {
		if err := os.WriteFile(native+"/active_profile", []byte(c.active), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := agent.HomeOf(k, c.args, []string{"HERMES_HOME=" + c.env}, "/"); got != c.want {
			t.Errorf("%q in %q, active %q: %q, want %q", c.args, c.env, c.active, got, c.want)
		}
	}
}
