package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/agent/past"
	"reprise/db/index"
	"reprise/panes"
)

const (
	oneID   = "11111111-2222-4333-8444-555555555555"
	otherID = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"
)

// pairing is a built-in agent beside the one that config.toml makes of its description.
type pairing struct {
	*testing.T
	c        kinds.Custom
	builtIn  agent.Kind
	own      agent.Kind
	ids      []string // that its sessions could have, and others
	compared int
}

// Every built-in agent can be written in config.toml; what comes of that does the same.
func TestBuiltInAgentsInConfig(t *testing.T) {
	built, err := kinds.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range built.All() {
		name := k.Facts().Name
		t.Run(name, func(t *testing.T) {
			t.Setenv("HOME", t.TempDir())
			c, ok := builtInAgent(name)
			if !ok {
				t.Fatal("it cannot be described")
			}
			read, wrong := parseConfig([]byte(agentText(&c)))
			if len(wrong) > 0 || len(read.Agents) != 1 {
				t.Fatalf("%q in\n%s", wrong, agentText(&c))
			}
			if d := cmp.Diff(c, read.Agents[0], cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("read again (-written +read):\n%s", d)
			}
			all, err := kinds.New(read.Agents)
			if err != nil {
				t.Fatal(err)
			}
			own, _ := all.Kind(c.Name)
			p := &pairing{T: t, c: c, builtIn: k, own: own, ids: []string{oneID, otherID, "ses_0123456789abcdef", "T-" + otherID, "session_" + oneID, "a1.b-2", "--yolo", "../x", ""}}
			p.facts()
			p.lines()
			p.hooks()
			p.transcripts()
			p.history()
			p.signs()
			p.running()
			if p.compared < 500 {
				t.Errorf("%d things were compared", p.compared)
			}
		})
	}
}

// trusted is the hash of a command by which codex knows it: the agent's name is in it.
var trusted = regexp.MustCompile(`sha256:[0-9a-f]{64}`)

// same fails unless two values are one, but for the agent's name.
func (p *pairing) same(what string, builtIn, own any) {
	p.Helper()
	p.compared++
	plain := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			p.Fatal(err)
		}
		return trusted.ReplaceAllString(strings.ReplaceAll(string(b), p.c.Name, p.builtIn.Facts().Name), "its hash")
	}
	if a, b := plain(builtIn), plain(own); a != b {
		p.Fatalf("%s:\nbuilt in %s\nin config %s", what, a, b)
	}
}

func (p *pairing) facts() {
	a, b := p.builtIn.Facts(), p.own.Facts()
	if d := cmp.Diff(a, b, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(agent.Facts{}, "Name")); d != "" {
		p.Errorf("facts (-built in +in config):\n%s", d)
	}
	p.same("the word that is typed", shimName(a), shimName(b))
	for _, id := range p.ids {
		p.same("the copy of "+id, a.ForkOf(agent.SessionID(id)), b.ForkOf(agent.SessionID(id)))
		p.same(id+" as a name", p.builtIn.(agent.Namer).Named(id), p.own.(agent.Namer).Named(id))
	}
}

// command is what comes of a command line, files as texts.
func command(c agent.Command, err error) map[string]any {
	files := map[string]string{}
	for _, f := range c.Files {
		files[f.Name] = string(f.Data)
	}
	return map[string]any{"argv": c.Argv, "env": c.Env, "files": files, "session": c.Session, "plain": c.Plain, "notice": c.Notice, "failed": err != nil}
}

// lines compares what is run: for each option and command, and for lines of several of
// them at random.
func (p *pairing) lines() {
	words := slices.Concat(p.ids, []string{"", "a message", "word", "--", "-", "--unknown", "-zvc", "--settings", `{"model":"x"}`, "-chooks.Stop=[]"})
	lines := [][]string{nil, {"a message"}}
	for _, rows := range [][]string{p.c.Options, p.c.Latest, p.c.Once, p.c.Commands, p.c.Roles.ID, p.c.Roles.Resume, p.c.Roles.Fork, p.c.Roles.Place} {
		for _, row := range rows {
			name, _, _ := strings.Cut(row, " ")
			words = append(words, name)
			lines = append(lines, []string{name, "value", "second", "--last"}, []string{name + "=value"}, []string{"first", name})
		}
	}
	for _, begin := range [][]string{p.c.NewArgs, p.c.ResumeArgs, p.c.ForkArgs, append(p.c.Sessions.ResumeWords, "{session_id}"), append(p.c.Sessions.ForkWords, "{session_id}")} {
		for _, id := range p.ids {
			var line []string
			for _, a := range begin {
				line = append(line, strings.ReplaceAll(a, "{session_id}", id))
			}
			words = append(words, line...)
			lines = append(lines, line, append(slices.Clone(line), "--model", "x", "hi"))
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var line []string
		for range 1 + rnd.IntN(6) {
			line = append(line, words[rnd.IntN(len(words))])
		}
		lines = append(lines, line)
	}
	hook := agent.HookCommand{Program: "/state/bin/it's a prog", State: "/state dir", Nonce: "n0", Folder: "/nowhere/launch/1.1-n0"}
	dir := p.TempDir()
	for i, line := range lines {
		in := agent.LaunchInput{Session: oneID, Flags: line, Dir: dir, Anew: i%3 == 0, Home: []string{"", "/h"}[i%2], Env: []string{p.at() + `={"a":1}`, "X=1"}}
		if i%4 != 0 {
			in.Hook = hook
		}
		p.same(fmt.Sprintf("launch of %q", line), command(p.builtIn.Launch(in)), command(p.own.Launch(in)))
		p.same(fmt.Sprintf("resume of %q", line), command(p.builtIn.Resume(in)), command(p.own.Resume(in)))
	}
	for _, id := range p.ids {
		in := agent.LaunchInput{Session: agent.SessionID(id), Hook: hook}
		p.same("launch as "+id, command(p.builtIn.Launch(in)), command(p.own.Launch(in)))
		p.same("resume of "+id, command(p.builtIn.Resume(in)), command(p.own.Resume(in)))
	}
}

// at is where the agent's hooks go in.
func (p *pairing) at() string {
	_, at, _ := strings.Cut(p.c.Hooks, ":")
	return strings.TrimLeft(at, "-")
}

// hooks compares what the agent's calls mean.
func (p *pairing) hooks() {
	payloads := []string{`{}`, `{"session_id":"` + otherID + `"}`, `{"sessionId":"` + otherID + `","certain":true,"reason":"exit"}`, `{"session_id":"--yolo"}`, `{"session_id":7}`}
	events := []string{"start", "prompt", "stop", "ask", "answer", "work", "fail", "rest", "goodbye", "other", "Invented", "", "a b", "SessionStart:fork"}
	for name, e := range p.c.Calls.Events {
		events = append(events, name, name+":fork")
		for _, word := range []string{"resume", "x", e.Certain} {
			payloads = append(payloads, fmt.Sprintf(`{"session_id":%q,%q:%q}`, otherID, e.Reason, word))
		}
		for field, words := range e.When {
			for word := range words {
				payloads = append(payloads, fmt.Sprintf(`{%q:%q}`, field, word), fmt.Sprintf(`{%q:[%q]}`, field, word))
			}
		}
	}
	for _, event := range events {
		for _, payload := range payloads {
			var fields map[string]json.RawMessage
			if err := json.Unmarshal([]byte(payload), &fields); err != nil {
				p.Fatal(err)
			}
			p.same(event+" with "+payload, p.builtIn.Hook(event, fields), p.own.Hook(event, fields))
		}
	}
}

// transcripts compares what is said of sessions in a store.
func (p *pairing) transcripts() {
	home, _ := os.UserHomeDir()
	ask := func(what string) {
		p.Helper()
		for _, at := range []string{"", home, filepath.Join(home, ".claude"), filepath.Join(home, "none")} {
			for _, id := range append(p.ids, "short") {
				p.same(fmt.Sprintf("%s: %q in %q", what, id, at), p.builtIn.Transcript(at, "/p", agent.SessionID(id)), p.own.Transcript(at, "/p", agent.SessionID(id)))
			}
		}
	}
	ask("no store")
	base := strings.Replace(p.c.Store.Home, "~", home, 1)
	if p.c.Transcript == "" {
		return
	}
	if err := os.MkdirAll(base, 0o700); err != nil {
		p.Fatal(err)
	}
	ask("an empty home")
	path := strings.NewReplacer("{home}", base, "{session_id}", otherID, "{session_id:8}", otherID[:8], "*", "x").Replace(p.c.Transcript)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.Fatal(err)
	}
	verdicts := map[agent.Transcript]bool{}
	for _, content := range []string{
		"", "{}\n", strings.Join(p.c.Store.Has, "\n") + "\n", `{"type":"user"}` + "\n", `{"sessionId":"` + otherID + `"}` + "\n" + `{"$set":[{"type":"user"}]}` + "\n",
		`{"sessionId":"` + otherID + `"}` + "\n" + `{"type":"user","message":{"role":"user"}}` + "\n",
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			p.Fatal(err)
		}
		ask(content)
		verdicts[p.builtIn.Transcript("", "/p", otherID)] = true
	}
	if !verdicts[agent.HasTranscript] || len(verdicts) < 2 {
		p.Errorf("of the sample in %s it was always said %v", path, verdicts)
	}
}

// history compares what is found of past sessions, with the default home and another.
func (p *pairing) history() {
	name := p.builtIn.Facts().Name
	if p.c.Store.Format == "" {
		if slices.Contains(formats(), name) {
			p.Error("its past sessions cannot be read")
		}
		return
	}
	home := p.TempDir()
	if err := os.CopyFS(home, os.DirFS("../agent/past/testdata/home")); err != nil {
		p.Fatal(err)
	}
	own := slices.DeleteFunc(shelves(justOne{p.own}), func(s past.Store) bool { return s.Kind != p.c.Name })
	built := slices.DeleteFunc(readable(), func(s past.Store) bool { return s.Kind != name })
	moved := filepath.Join(home, strings.TrimSuffix(strings.TrimPrefix(p.c.Store.Home, "~"), p.c.Store.Folder))
	for _, at := range []string{"", moved} {
		p.same("past sessions in "+at, read(p.T, built, home, at), read(p.T, own, home, at))
	}
	found := read(p.T, own, home, "")
	if _, err := os.Stat(filepath.Join(home, p.c.Store.Home[min(1, len(p.c.Store.Home)):])); err == nil && p.c.Store.Home != "" && len(found) == 0 {
		p.Error("nothing was found of the sample store")
	}
}

// justOne is a registry of one kind.
type justOne struct{ one agent.Kind }

func (j justOne) Kind(string) (agent.Kind, bool) { return j.one, true }
func (j justOne) All() []agent.Kind              { return []agent.Kind{j.one} }

// read is what stores have: those of the default home, or of the one that is named alone.
func read(t *testing.T, all []past.Store, user, home string) []past.Conversation {
	t.Helper()
	homes := map[string][]string{}
	for _, s := range all {
		homes[s.Kind] = []string{home}
	}
	if home != "" {
		user = t.TempDir()
	}
	x, err := index.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, err := past.Refresh(t.Context(), x, all, past.Sources(all, user, func(string) string { return "" }, homes), nil); err != nil {
		t.Fatal(err)
	}
	found, err := x.List(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// signs compares what titles and screens tell.
func (p *pairing) signs() {
	a, b := p.builtIn.(agent.Expressive), p.own.(agent.Expressive)
	for _, t := range append(p.c.Titles, "working: me@host", "x:", "idle: ") {
		_, begins, _ := strings.Cut(t, ": ")
		for _, title := range []string{begins + "work", strings.ReplaceAll(begins, "⠿", "⠋") + " x", " " + begins} {
			p.same("the title "+title, a.Title(title), b.Title(title))
		}
	}
	for _, s := range append(p.c.Screens, "idle: > | ready") {
		_, rows, _ := strings.Cut(strings.ReplaceAll(s, "⠿", "⠋"), ": ")
		look := strings.Split(rows, " | ")
		foot := append(slices.Clone(look[1:]), look[0]) // as it stands on the screen
		for _, screen := range [][]string{look, foot, foot[1:], append(slices.Clone(foot), "a", "b")} {
			p.same(fmt.Sprintf("the screen %q", screen), a.Screen(screen), b.Screen(screen))
		}
	}
}

// running compares what is told of a process.
func (p *pairing) running() {
	_, witness := p.builtIn.(agent.Witness)
	_, ownWitness := p.own.(agent.Witness)
	doer, does := p.builtIn.(agent.Doer)
	ownDoer, ownDoes := p.own.(agent.Doer)
	teller, tells := p.builtIn.(agent.Teller)
	ownTeller, ownTells := p.own.(agent.Teller)
	p.same("how its processes tell", []bool{witness, does, tells}, []bool{ownWitness, ownDoes, ownTells})
	if !tells {
		return
	}
	home := p.TempDir()
	if err := os.Mkdir(filepath.Join(home, "sessions"), 0o700); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "sessions", "7.json"), []byte(`{"sessionId":"`+otherID+`","status":"busy"}`), 0o600); err != nil {
		p.Fatal(err)
	}
	for _, id := range p.ids {
		files := []string{"/dev/null", "/h/" + strings.NewReplacer("{session_id}", id, "*", "2026-11-29").Replace(p.c.Sessions.Running)}
		p.same("open files "+files[1], teller.Running(home, panes.ProcessID{PID: 7}, files), ownTeller.Running(home, panes.ProcessID{PID: 7}, files))
	}
	if does {
		a, since := doer.Does(home, panes.ProcessID{PID: 7})
		b, ownSince := ownDoer.Does(home, panes.ProcessID{PID: 7})
		p.same("what it does", []any{a, since}, []any{b, ownSince})
	}
}
