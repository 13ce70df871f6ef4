package kinds_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reprise/agent"
	"reprise/agent/kinds"
)

var coder = kinds.Custom{
	Name: "coder", Command: "/opt/coder", NewArgs: []string{"--session-id", "{session_id}"},
	ResumeArgs: []string{"--resume={session_id}", "-q"},
}

func TestCustomLaunch(t *testing.T) {
	id := string(preset)
	checkLaunch(t, kind(t, "coder", coder), []launchCase{
		{name: "alone", argv: "/opt/coder|--session-id|" + id, session: preset},
		{name: "flags and a message", flags: []string{"--model", "x", "fix it"}, argv: "/opt/coder|--session-id|" + id + "|--model|x|fix it", session: preset},
		{name: "own id", flags: []string{"--session-id=mine"}, argv: "/opt/coder|--session-id=mine", session: "mine"},
		{name: "own resume", flags: []string{"--resume", "mine"}, argv: "/opt/coder|--resume|mine", session: "mine"},
		{name: "an own id that cannot be used", flags: []string{"--session-id", "-x"}, argv: "/opt/coder|--session-id|-x"},
		{name: "anew", anew: true, flags: []string{"--resume", "mine", "--model", "x", "fix it"}, argv: "/opt/coder|--session-id|" + id + "|--model|x", session: preset},
	})
	learns := coder
	learns.NewArgs = []string{"start"}
	checkLaunch(t, kind(t, "coder", learns), []launchCase{
		{name: "id by hook", flags: []string{"-x"}, argv: "/opt/coder|start|-x"},
	})
}

func TestCustomResume(t *testing.T) {
	r := "/opt/coder|--resume=" + string(preset) + "|-q"
	checkResume(t, kind(t, "coder", coder), []launchCase{
		{name: "flags stay, the message goes", flags: []string{"--model", "x", "--yolo", "fix it", "now"}, argv: r + "|--model|x|--yolo"},
		{name: "what named the session goes", flags: []string{"--session-id", "mine", "--resume=mine"}, argv: r},
	})
	listed := coder
	listed.Options = []string{"--model NAME", "--yolo"}
	checkResume(t, kind(t, "coder", listed), []launchCase{
		{name: "only listed options", flags: []string{"--model", "x", "--once", "w", "--yolo", "word"}, argv: r + "|--model|x|--yolo"},
	})
}

func TestCustomEnvironment(t *testing.T) {
	c := coder
	c.Env, c.HomeEnv = []string{"A=1"}, "CODER_HOME"
	k := kind(t, "coder", c)
	got, err := k.Launch(agent.LaunchInput{Session: preset, Home: "/h", Hook: hookCommand})
	want := []string{"A=1", "CODER_HOME=/h", `REPRISE_HOOK='/state/bin/it'\''s a prog' hook '/state dir' coder n0`}
	if err != nil || !slices.Equal(got.Env, want) {
		t.Errorf("env %q, %v", got.Env, err)
	}
	if f := k.Facts(); f.Label != "coder" || f.OwnProcesses != 1 || !f.PresetsID || f.NoResume != "" || f.Home([]string{"CODER_HOME=/a", "CODER_HOME=/b"}, "/w") != "/b" {
		t.Errorf("facts %+v", f)
	}
}

func TestCustomWithoutResume(t *testing.T) {
	c := coder
	c.ResumeArgs = nil
	k := kind(t, "coder", c)
	if k.Facts().NoResume == "" {
		t.Error("it says that it can be resumed")
	}
	if _, err := k.Resume(agent.LaunchInput{Session: preset}); err == nil {
		t.Error("it was resumed")
	}
	if _, err := k.Launch(agent.LaunchInput{Session: "-x"}); err == nil {
		t.Error("an option was preset as a session")
	}
}

func TestCustomRefusals(t *testing.T) {
	reg, err := kinds.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	builtins := len(reg.All())
	for says, change := range map[string]func(*kinds.Custom){
		"name must be":               func(c *kinds.Custom) { c.Name = "Coder" },
		"name is taken":              func(c *kinds.Custom) { c.Name = "claude" },
		"command is missing":         func(c *kinds.Custom) { c.Command = "" },
		"command cannot contain":     func(c *kinds.Custom) { c.Command = "{session_id}" },
		"resume_args must contain":   func(c *kinds.Custom) { c.ResumeArgs = []string{"--continue"} },
		"processes must be":          func(c *kinds.Custom) { c.Processes = 9 },
		"label has":                  func(c *kinds.Custom) { c.Label = "a\x1b[31m" },
		"home_env must":              func(c *kinds.Custom) { c.HomeEnv = "A=B" },
		"env:":                       func(c *kinds.Custom) { c.Env = []string{"A B=1"} },
		"hooks:":                     func(c *kinds.Custom) { c.Hooks = "claude-settings:MY_SETTINGS" },
		"claude-settings-file:--OP":  func(c *kinds.Custom) { c.Hooks = "codex:--x" },
		"options:":                   func(c *kinds.Custom) { c.Options = []string{"model"} },
		"transcript must contain":    func(c *kinds.Custom) { c.Transcript = "/x" },
		"transcript must begin":      func(c *kinds.Custom) { c.Transcript = "x/{session_id}" },
		"home_env names no variabl":  func(c *kinds.Custom) { c.Transcript = "{home}/{session_id}" },
		"transcript is no pattern":   func(c *kinds.Custom) { c.Transcript = "/x[/{session_id}" },
		"transcript_has takes":       func(c *kinds.Custom) { c.Store.Has = []string{"x"} },
		"transcript_unsure belongs":  func(c *kinds.Custom) { c.Store.Unsure = true },
		"home must begin":            func(c *kinds.Custom) { c.Store.Home = "mine" },
		"home_folder is a path":      func(c *kinds.Custom) { c.HomeEnv, c.Store.Folder = "MINE", "../x" },
		"once: \"--a --b\" is not":   func(c *kinds.Custom) { c.Once = []string{"--a --b"} },
		"commands: \"--[x]\" is not": func(c *kinds.Custom) { c.Commands = []string{"--[x]"} },
		"id_options: \"id\"":         func(c *kinds.Custom) { c.Roles.ID = []string{"id"} },
		"resume_options: \"-r A B\"": func(c *kinds.Custom) { c.Roles.Resume = []string{"-r A B"} },
		"fork_options: \"\"":         func(c *kinds.Custom) { c.Roles.Fork = []string{""} },
		"place_options: \"-w,\"":     func(c *kinds.Custom) { c.Roles.Place = []string{"-w,"} },
		"unlisted takes":             func(c *kinds.Custom) { c.Roles.Unlisted = "keep" },
		"id_form takes":              func(c *kinds.Custom) { c.Sessions.IDForm = "--*" },
		"fork_words take words":      func(c *kinds.Custom) { c.Sessions.ForkWords = []string{"--fork"} },
		"no_resume says why":         func(c *kinds.Custom) { c.Sessions.NoResume = "never" },
		"no_resume has":              func(c *kinds.Custom) { c.ResumeArgs, c.Sessions.NoResume = nil, "\x1b[2J" },
		"worktree takes":             func(c *kinds.Custom) { c.Sessions.Worktree = "git" },
		"worktree needs":             func(c *kinds.Custom) { c.Sessions.Worktree = "claude" },
		"running takes":              func(c *kinds.Custom) { c.Sessions.Running = "{session_id}*" },
		`running takes "claude"`:     func(c *kinds.Custom) { c.Sessions.Running = "/sessions/{session_id}" },
		`running takes "claude", `:   func(c *kinds.Custom) { c.Sessions.Running = "sessions/../{session_id}" },
		"hooks_owner and hooks_add":  func(c *kinds.Custom) { c.Hooks, c.Calls.Machine = "claude-settings:--settings", "/x" },
		"hooks_machine must":         func(c *kinds.Custom) { c.Hooks, c.Calls.Machine = "gemini-settings-file:FILE", "x" },
		"hooks_defaults must":        func(c *kinds.Custom) { c.Hooks, c.Calls.Defaults = "gemini-settings-file:FILE", "A B" },
		"hooks_owner takes":          func(c *kinds.Custom) { c.Hooks, c.Calls.Owner = "gemini-settings-file:FILE", "me" },
		"hooks_script must":          func(c *kinds.Custom) { c.Hooks, c.Calls.Script = "pi-extension:--extension", "x.js" },
		"is no event":                func(c *kinds.Custom) { c.Calls.Events = map[string]kinds.CustomEvent{"Stop; rm -rf ~": {What: "stop"}} },
		"events.Stop: \"ends\"":      func(c *kinds.Custom) { c.Calls.Events = map[string]kinds.CustomEvent{"Stop": {What: "ends"}} },
		"events.End: certain is": func(c *kinds.Custom) {
			c.Calls.Events = map[string]kinds.CustomEvent{"End": {What: "goodbye", Certain: "x"}}
		},
		"events.Ask.when.tool": func(c *kinds.Custom) {
			c.Calls.Events = map[string]kinds.CustomEvent{"Ask": {What: "ask", When: map[string]map[string]string{"tool": {"x": ""}}}}
		},
	} {
		c := coder
		change(&c)
		good := coder
		good.Name = "good"
		r, err := kinds.New([]kinds.Custom{c, good})
		var ce *kinds.CustomError
		if err == nil || !strings.Contains(err.Error(), says) || !errors.As(err, &ce) || ce.Name != c.Name {
			t.Errorf("%s: error %v", says, err)
		}
		if _, ok := r.Kind("good"); !ok || len(r.All()) != builtins+1 {
			t.Errorf("%s: the other kinds are gone", says)
		}
	}
	if _, err := kinds.New([]kinds.Custom{coder, coder}); err == nil {
		t.Error("one name, two kinds")
	}
}

// What a description says of options, words and ids is what is done with them.
func TestCustomOptions(t *testing.T) {
	c := coder
	c.Options = []string{"-m, --model NAME", "--add-dir DIR...", "--debug[=WHAT]", "--port=N"}
	c.Roles = kinds.CustomRoles{ID: []string{"-s ID"}, Resume: []string{"-r, --resume [ID]"}, Fork: []string{"--fork"}, Place: []string{"-w [NAME]"}, Unlisted: "repeat"}
	c.Commands = []string{"mcp", "-p, --print TEXT"}
	c.Sessions = kinds.CustomSessions{IDForm: "uuid", ForkTakesID: true, ResumeWords: []string{"open"}, ForkWords: []string{"copy", "of"}}
	k, id := kind(t, "coder", c), string(preset)
	checkLaunch(t, k, []launchCase{
		{name: "own id", flags: []string{"-s", other}, argv: "/opt/coder|-s|" + other, session: other},
		{name: "a name for an id", flags: []string{"-s", "auth"}, argv: "/opt/coder|-s|auth"},
		{name: "picker", flags: []string{"-r", "--model", "x"}, argv: "/opt/coder|-r|--model|x"},
		{name: "a copy", flags: []string{"-r", other, "--fork"}, argv: "/opt/coder|--session-id|" + id + "|-r|" + other + "|--fork", session: preset},
		{name: "in words", flags: []string{"open", other}, argv: "/opt/coder|open|" + other, session: other},
		{name: "in words, no id", flags: []string{"open", "auth"}, argv: "/opt/coder|open|auth"},
		{name: "print", flags: []string{"--print", "hi"}, argv: "/opt/coder|--print|hi", plain: true},
		{name: "mcp", flags: []string{"mcp"}, argv: "/opt/coder|mcp", plain: true},
		{name: "anew after a copy in words", anew: true, flags: []string{"copy", "of", other, "hi"}, argv: "/opt/coder|--session-id|" + id + "|copy|of|" + other, session: preset},
		{name: "anew after a copy of none", anew: true, flags: []string{"copy", "of", "it"}, argv: "/opt/coder|--session-id|" + id, session: preset},
	})
	checkResume(t, k, []launchCase{
		{
			name: "flags", flags: []string{"-m", "x", "--add-dir", "a", "b", "--debug", "--port", "7", "--newest", "8", "-w", "tree", "-r", other, "--fork", "hi"},
			argv: "/opt/coder|--resume=" + id + "|-q|-m|x|--add-dir|a|b|--debug|--port|7|--newest|8",
		},
	})
	c.Roles.Unlisted = "drop"
	checkResume(t, kind(t, "coder", c), []launchCase{{name: "unlisted", flags: []string{"--newest", "8", "-m", "x"}, argv: "/opt/coder|--resume=" + id + "|-q|-m|x"}})
}

// A script of the person's own calls us in the place of ours.
func TestCustomScript(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.js")
	c := coder
	c.Hooks, c.Calls.Script = "pi-extension:--ext", path
	k := kind(t, "coder", c)
	in := agent.LaunchInput{Session: preset, Hook: folderHook("/s")}
	got, err := k.Launch(in)
	if err != nil || !strings.Contains(got.Notice, "hooks_script, "+path) || len(got.Files) > 0 {
		t.Errorf("without a file: %+v, %v", got, err)
	}
	if err := os.WriteFile(path, []byte("export default () => call('start')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err = k.Launch(in); err != nil || got.Argv[3] != "--ext" {
		t.Fatalf("%q, %v", got.Argv, err)
	}
	if s := written(t, got, "reprise.js"); !strings.Contains(s, "coder") || !strings.HasSuffix(s, "=> call('start')\n") {
		t.Errorf("the script is %s", s)
	}
	checkHooks(t, k, []hookCase{{"stop", `{"session_id":"a"}`, agent.HookFacts{What: agent.HookStop, Session: "a"}}})
}

func TestCustomHooks(t *testing.T) {
	checkHooks(t, kind(t, "coder", coder), []hookCase{
		{"start", `{"session_id":"a"}`, agent.HookFacts{What: agent.HookStart, Session: "a"}},
		{"prompt", `{"sessionId":"a"}`, agent.HookFacts{What: agent.HookPrompt, Session: "a"}},
		{"goodbye", `{"certain":true,"reason":"exit"}`, agent.HookFacts{What: agent.HookGoodbye, Reason: "exit", Certain: true}},
		{"goodbye", `{"certain":"true"}`, agent.HookFacts{What: agent.HookGoodbye}},
		{"stop", `{"certain":true}`, agent.HookFacts{What: agent.HookStop}},
		{"other", `{}`, agent.HookFacts{What: agent.HookOther}},
		{"Start", `{"session_id":"-a"}`, agent.HookFacts{What: agent.HookOther}},
	})
	c := coder
	c.Calls.Events = map[string]kinds.CustomEvent{
		"turn.end": {What: "stop", Reason: "why", When: map[string]map[string]string{"why": {"error": "fail"}}},
		"bye":      {What: "goodbye", Reason: "why", Certain: "quit"},
	}
	checkHooks(t, kind(t, "coder", c), []hookCase{
		{"turn.end", `{"session_id":"a"}`, agent.HookFacts{What: agent.HookStop, Session: "a"}},
		{"turn.end", `{"why":"error"}`, agent.HookFacts{What: agent.HookFail, Reason: "error"}},
		{"bye", `{"why":"quit"}`, agent.HookFacts{What: agent.HookGoodbye, Reason: "quit", Certain: true}},
		{"bye", `{"why":"SIGHUP"}`, agent.HookFacts{What: agent.HookGoodbye, Reason: "SIGHUP"}},
		{"start", `{"session_id":"a"}`, agent.HookFacts{What: agent.HookStart, Session: "a"}},
	})
}

func TestTranscript(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	put := func(path, content string) {
		t.Helper()
		if err := os.MkdirAll(path[:strings.LastIndex(path, "/")], 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loop := func(path string) {
		t.Helper()
		if err := os.MkdirAll(path[:strings.LastIndex(path, "/")], 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, path); err != nil {
			t.Fatal(err)
		}
	}
	odd := home + "/[odd]*"
	put(home+"/.claude/projects/-other/"+other+".jsonl", `{"type":"mode"}`+"\n"+`{"type":"user","message":{}}`)
	put(home+"/.claude/projects/-other/titled.jsonl", `{"type":"ai-title","aiTitle":"\"type\":\"user\""}`+"\n")
	put(home+"/.claude/projects/-other/long.jsonl", `{"x":"`+strings.Repeat("x", 1<<20)+`"}`+"\n"+`{"type":"assistant"}`)
	put(home+"/.claude/projects/-other/empty.jsonl", "")
	put(home+"/.claude/projects/stray", "")
	put(home+"/.codex/sessions/2026/11/29/rollout-2026-11-29T10-00-00-"+other+".jsonl", "{}")
	put(home+"/.codex/sessions/2026/11/28/rollout-x-packed.jsonl.zst", "{}")
	put(home+"/.codex/sessions/stray", "")
	put(home+"/.grok/sessions/%2Fw/"+other+"/updates.jsonl", `{"params":{"update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"hi"}}}}`+"\n")
	put(home+"/.grok/sessions/%2Fw/"+string(preset)+"/chat_history.jsonl", `{"type":"user","content":"rules"}`)
	put(home+"/.vibe/logs/session/session_x_"+other[:8]+"/meta.json", `{"session_id": "`+other+`"}`)
	put(home+"/.vibe/logs/session/session_x_"+other[:8]+"/messages.jsonl", `{"role": "user", "content": "hi"}`+"\n")
	put(home+"/.cursor/chats/0123/"+other+"/meta.json", `{"hasConversation":true}`)
	put(home+"/.cursor/chats/0123/"+string(preset)+"/meta.json", `{"hasConversation":false}`)
	put(odd+"/fresh", "")
	put(odd+"/s/a.json", "{}")
	loop(home + "/sick/projects/loop")
	loop(home + "/ill/projects")
	put(home+"/half/projects/x/a.jsonl", `{"type":"user"}`)
	loop(home + "/half/projects/loop")

	c := coder
	c.HomeEnv, c.Transcript = "CODER_HOME", "{home}/s/{session_id}.json"
	tilde := coder
	tilde.Name, tilde.Transcript = "tilde", "~/[[]odd]?/*/{session_id}.json"
	rooted := coder
	rooted.Name, rooted.Transcript = "rooted", home+"/absent/{session_id}"
	none := coder
	none.Name = "none"
	reg, err := kinds.New([]kinds.Custom{c, tilde, rooted, none})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		kind, home string
		id         agent.SessionID
		want       agent.Transcript
	}{
		{"claude", "", other, agent.HasTranscript},
		{"claude", home + "/.claude", other, agent.HasTranscript},
		{"claude", "", preset, agent.NoTranscript},
		{"claude", "", "empty", agent.NoTranscript},
		{"claude", "", "titled", agent.NoTranscript},
		{"claude", "", "long", agent.HasTranscript},
		{"claude", "", "../x", agent.CannotTell},
		{"claude", odd, other, agent.NoTranscript}, // no projects yet
		{"claude", home + "/absent", other, agent.CannotTell},
		{"claude", home + "/sick", other, agent.CannotTell},
		{"claude", home + "/ill", other, agent.CannotTell},
		{"claude", home + "/half", "a", agent.HasTranscript},
		{"claude", home + "/half", "b", agent.CannotTell},
		{"codex", "", other, agent.HasTranscript},
		{"codex", "", "packed", agent.HasTranscript},
		{"codex", "", preset, agent.NoTranscript},
		{"codex", home + "/absent", preset, agent.CannotTell},
		{"grok", "", other, agent.HasTranscript},
		{"grok", "", preset, agent.NoTranscript},
		{"grok", home + "/absent", preset, agent.CannotTell},
		{"vibe", "", other, agent.HasTranscript},
		{"vibe", "", agent.SessionID(other[:8]), agent.HasTranscript}, // as a person may name it
		{"vibe", "", preset, agent.CannotTell},
		{"vibe", "", "short", agent.CannotTell},
		{"cursor-agent", "", other, agent.HasTranscript},
		{"cursor-agent", home + "/.cursor", other, agent.HasTranscript},
		{"cursor-agent", "", preset, agent.CannotTell},
		{"coder", odd, "a", agent.HasTranscript},
		{"coder", odd, "b", agent.NoTranscript},
		{"coder", "", "a", agent.CannotTell},
		{"tilde", "", "a", agent.HasTranscript},
		{"tilde", "", "b", agent.NoTranscript},
		{"rooted", "", "a", agent.CannotTell},
		{"none", "", "a", agent.CannotTell},
	} {
		k, _ := reg.Kind(test.kind)
		if got := k.Transcript(test.home, "/somewhere", test.id); got != test.want {
			t.Errorf("%s in %q, %s: %v, want %v", test.kind, test.home, test.id, got, test.want)
		}
	}
}

// A person who describes a kind that we know, too, gets their own.
func TestCustomInPlaceOfABuiltin(t *testing.T) {
	c := coder
	c.Name = "gemini"
	reg, err := kinds.New([]kinds.Custom{c})
	if err != nil {
		t.Fatal(err)
	}
	k, _ := reg.Kind("gemini")
	n := 0
	for _, k := range reg.All() {
		if k.Facts().Name == "gemini" {
			n++
		}
	}
	if k.Facts().Program != "/opt/coder" || n != 1 {
		t.Errorf("%d kinds of the name, and it is %+v", n, k.Facts())
	}
}

// A kind of the config file is made to call us as the built-in ones are, and has
// commands that are no sessions.
func TestCustomHooksInjected(t *testing.T) {
	folder := folderHook("/s").Folder
	const start = "coder n0 SessionStart"
	theirs := []string{"--settings", `{"model":"x"}`, "-v"}
	for hooks, want := range map[string]struct{ argv, env string }{
		"claude-settings-file:--settings": {argv: "|--settings|" + folder + "/settings.json|-v"},
		"claude-settings-file:MY_FILE":    {argv: `|--settings|{"model":"x"}|-v`, env: "MY_FILE=" + folder + "/settings.json"},
		"claude-settings:--settings":      {},
	} {
		c := coder
		c.Hooks, c.Commands = hooks, []string{"mcp"}
		k := kind(t, "coder", c)
		got, err := k.Launch(agent.LaunchInput{Session: preset, Flags: theirs, Hook: folderHook("/s")})
		if err != nil || got.Notice != "" {
			t.Fatal(err, got.Notice)
		}
		argv := strings.Join(got.Argv, "|")
		if !strings.HasSuffix(argv, want.argv) || want.env != "" && !slices.Contains(got.Env, want.env) {
			t.Errorf("%s: %s with %q", hooks, argv, got.Env)
		}
		settings := argv
		if want.argv != "" {
			settings = written(t, got, "settings.json")
		}
		if !strings.Contains(settings, start) || strings.Contains(strings.Join(got.Env, " "), "REPRISE_HOOK") {
			t.Errorf("%s: settings %s, env %q", hooks, settings, got.Env)
		}
		checkHooks(t, k, []hookCase{
			{"PermissionRequest", `{"session_id":"a"}`, agent.HookFacts{What: agent.HookAsk, Session: "a"}},
			{"SessionEnd", `{"reason":"prompt_input_exit"}`, agent.HookFacts{What: agent.HookGoodbye, Reason: "prompt_input_exit"}},
		})
		if plain, err := k.Launch(agent.LaunchInput{Session: preset, Flags: []string{"mcp", "list"}, Hook: folderHook("/s")}); err != nil || !plain.Plain {
			t.Errorf("%s: mcp list is %+v, %v", hooks, plain, err)
		}
	}
}

// What built-in kinds are, a description in the config file can be: the same command
// lines come of both.
func TestCustomHasThePowersOfBuiltIn(t *testing.T) {
	const ses = agent.SessionID(theirs)
	uuid := agent.SessionID("11111111-2222-4333-8444-555555555555")
	for name, c := range map[string]struct {
		custom  kinds.Custom
		session agent.SessionID
	}{
		"opencode": {kinds.Custom{
			ResumeArgs: []string{"--session", "{session_id}"}, ForkArgs: []string{"--session", "{session_id}", "--fork"},
			Options: []string{"--model NAME", "--auto"}, Latest: []string{"--continue"}, Once: []string{"--prompt TEXT"}, KeepWords: true, Commands: []string{"run", "serve", "--help"},
		}, ses},
		"pi": {kinds.Custom{
			ResumeArgs: []string{"--session", "{session_id}"}, ForkArgs: []string{"--fork", "{session_id}"}, HomeEnv: "PI_CODING_AGENT_DIR",
			Latest: []string{"--continue"}, Once: []string{"--prompt TEXT"}, Options: []string{"--model NAME", "--auto"}, Commands: []string{"run", "install", "--help"},
		}, uuid},
		"grok": {kinds.Custom{
			NewArgs: []string{"--session-id", "{session_id}"}, ResumeArgs: []string{"--resume", "{session_id}"}, ForkArgs: []string{"--resume", "{session_id}", "--fork-session"},
			HomeEnv: "GROK_HOME", Latest: []string{"--continue"}, Options: []string{"--model NAME"}, Commands: []string{"mcp", "--help"},
		}, uuid},
	} {
		built := kind(t, name)
		c.custom.Name, c.custom.Command = name, name
		own := kind(t, name, c.custom)
		lines := [][]string{nil, {"--model", "x"}, {"--model=x", "--continue"}, {"--help"}, built.Facts().ForkOf(c.session), c.custom.ResumeArgs[:0:0]}
		switch name {
		case "opencode":
			lines = append(lines, []string{"--auto", "dir"}, []string{"--prompt", "hi"}, []string{"run", "x"}, []string{"--continue", "--model", "x"})
		case "pi":
			lines = append(lines, []string{"install", "x"}, []string{"--session", string(c.session)}, []string{"--model", "x", "a message"})
		case "grok":
			lines = append(lines, []string{"mcp", "list"}, []string{"--resume", string(c.session)}, []string{"--session-id", string(c.session)})
		}
		for _, flags := range lines {
			for _, anew := range []bool{false, true} {
				in := agent.LaunchInput{Flags: flags, Home: map[bool]string{true: "/h"}[built.Facts().HomeEnv != ""], Anew: anew}
				if built.Facts().PresetsID {
					in.Session = preset
				}
				a, err := built.Launch(in)
				b, err2 := own.Launch(in)
				if err != nil || err2 != nil || !slices.Equal(a.Argv, b.Argv) || a.Session != b.Session || a.Plain != b.Plain || !slices.Equal(a.Env, b.Env) {
					t.Errorf("%s %q, anew %v: launched %+v (%v), built in %+v (%v)", name, flags, anew, b, err2, a, err)
				}
			}
			in := agent.LaunchInput{Flags: flags, Session: c.session}
			a, err := built.Resume(in)
			b, err2 := own.Resume(in)
			if err != nil || err2 != nil || !slices.Equal(a.Argv, b.Argv) || a.Session != b.Session {
				t.Errorf("%s %q: resumed %+v (%v), built in %+v (%v)", name, flags, b, err2, a, err)
			}
		}
		if a, b := built.Facts(), own.Facts(); !slices.Equal(a.Fork, b.Fork) || a.PresetsID != b.PresetsID || a.HomeEnv != b.HomeEnv {
			t.Errorf("%s: facts %+v, built in %+v", name, b, a)
		}
	}
}
