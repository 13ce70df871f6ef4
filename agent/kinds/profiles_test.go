package kinds_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reprise/agent"
	"reprise/agent/kinds"
)

// A session is that of the profile in which it runs, whoever says which one that is.
func TestProfilesAreHomes(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	own, moved := kinds.Custom{Name: "mine", Command: "/opt/bin/hermes", HomeEnv: "HERMES_HOME", ResumeArgs: []string{"--resume", "{session_id}"}}, filepath.Join(user, "moved")
	fixed := own
	fixed.Name, fixed.Env = "fixed", []string{"HERMES_HOME=" + moved}
	k, copied := kind(t, "hermes"), kind(t, "mine", own)
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
		if got := agent.HomeOf(copied, c.args, []string{"HERMES_HOME=" + c.env}, "/"); got != c.want {
			t.Errorf("under another name %q in %q, active %q: %q, want %q", c.args, c.env, c.active, got, c.want)
		}
	}
	if err := os.MkdirAll(moved+"/profiles/coder", 0o700); err != nil {
		t.Fatal(err)
	}
	if got, want := agent.HomeOf(kind(t, "fixed", fixed), []string{"-p", "coder"}, nil, "/"), moved+"/profiles/coder"; got != want {
		t.Errorf("with a home of its own: %q, want %q", got, want)
	}
	if got := agent.HomeOf(kind(t, "codex"), []string{"-p", "coder"}, nil, "/"); got != "" {
		t.Errorf("a program without profiles has one: %q", got)
	}
}

// A session of the home itself comes back there though another profile is active now, and
// so does a copy of it.
func TestTheDefaultProfileIsNamed(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	native, other := filepath.Join(user, ".hermes"), filepath.Join(user, "other")
	if err := errors.Join(os.MkdirAll(native+"/profiles/coder", 0o700), os.MkdirAll(other, 0o700), os.WriteFile(native+"/active_profile", []byte("coder\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	own := kinds.Custom{Name: "mine", Command: "hermes", ResumeArgs: []string{"--resume", "{session_id}"}, ForkArgs: []string{"--copy", "{session_id}"}, Options: []string{"--yolo"}}
	mine := kind(t, "mine", own)
	for _, c := range []struct {
		k     agent.Kind
		home  string
		flags []string
		want  string
	}{
		{kind(t, "hermes"), "", nil, "hermes --resume one -p default"},
		{kind(t, "hermes"), native, []string{"--yolo", "hello"}, "hermes --resume one --yolo -p default"},
		{kind(t, "hermes"), "", []string{"-p", "default"}, "hermes --resume one -p default"},
		{kind(t, "hermes"), "", []string{"--profile=coder"}, "hermes --resume one --profile=coder"},
		{kind(t, "hermes"), native + "/profiles/coder", nil, "hermes --resume one"},
		{kind(t, "hermes"), other, nil, "hermes --resume one"}, // no profile is active there
		{mine, "", []string{"-p", "default", "--yolo"}, "hermes --resume one --yolo -p default"},
		{mine, native + "/profiles/coder", nil, "hermes --resume one -p coder"}, // no variable names it
	} {
		in := agent.LaunchInput{Session: "one", Home: c.home, Flags: c.flags}
		got, err := c.k.Resume(in)
		if line := strings.Join(got.Argv, " "); err != nil || line != c.want {
			t.Errorf("%q in %q: %q, %v; want %q", c.flags, c.home, line, err, c.want)
		}
	}
	args := mine.(agent.Forker).Fork(agent.LaunchInput{Session: "one"})
	if got := strings.Join(args, " "); got != "--copy one -p default" {
		t.Errorf("a copy is made by %q", got)
	}
	if home := agent.HomeOf(mine, args, nil, "/"); home != "" {
		t.Errorf("the copy lies in %q", home)
	}
}
