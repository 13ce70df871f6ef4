package kinds

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reprise/agent"
)

var update = flag.Bool("update", false, "write docs/agents.md anew")

// TestAgentsAreDocumented: docs/agents.md says what the tables say.
func TestAgentsAreDocumented(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "agents.md")
	want := agentsPage(t)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("docs/agents.md is not what the tables say (%v): go test ./agent/kinds -run TestAgentsAreDocumented -update", err)
	}
}

const agentsHead = `# Agents

Made of the tables in agent/kinds; ` + "`go test ./agent/kinds -run TestAgentsAreDocumented -update`" + ` writes it anew. ID is the session's id.
What an agent keeps about its conversations is read, never written; hooks are added for one launch and leave nothing behind.

| agent | a new session | goes on by | id | who tells of changes |
|---|---|---|---|---|
`

func agentsPage(t *testing.T) string {
	t.Helper()
	reg, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	var rows, parts strings.Builder
	for _, k := range reg.All() {
		f, a := k.Facts(), aboutOf(t, k)
		if a.version == "" || a.hooks == "" || a.ids == "" || a.quit == "" {
			t.Errorf("%s: not all is said: %+v", f.Name, a)
		}
		id := "told by a hook"
		if f.PresetsID {
			id = "chosen by Reprise"
		} else if a.hooks == variableOnly {
			id = "named by you"
		}
		resume := f.NoResume
		if resume == "" {
			resume = commandLine(t, k.Resume)
		} else {
			resume, id = "does not come back: "+resume, "none"
		}
		fmt.Fprintf(&rows, "| [%s](#%s) | %s | %s | %s | %s |\n", f.Name, f.Name, commandLine(t, k.Launch), resume, id, a.hooks)
		fmt.Fprintf(&parts, "\n## %s\n\n", f.Name)
		seen := "read, nothing of it seen"
		if a.seen != "" {
			seen = "seen: " + a.seen + "; the rest read"
		}
		fmt.Fprintf(&parts, "- Version: %s. Of it %s.\n- Conversations: %s.\n", a.version, seen, storeOf(k, a))
		if f.HomeEnv != "" {
			fmt.Fprintf(&parts, "- Home: `%s`; a session comes back in the one it began in.\n", f.HomeEnv)
		}
		fmt.Fprintf(&parts, "- Processes of its own: %d.\n", f.OwnProcesses)
		if events := eventsOf(k); events != "" {
			fmt.Fprintf(&parts, "- Events: %s.\n", events)
		}
		if len(f.Fork) > 0 {
			fmt.Fprintf(&parts, "- A copy: `%s %s`.\n", f.Program, strings.ReplaceAll(strings.Join(f.Fork, " "), sessionMark, "ID"))
		}
		if f.NoResume == "" {
			fmt.Fprintf(&parts, "- Options on a resume: %s.\n", optionsOf(k))
		}
		fmt.Fprintf(&parts, "- Its id: %s.\n- A clean end: %s.\n", strings.TrimSuffix(a.ids, "."), strings.TrimSuffix(a.quit, "."))
		if a.notes != "" {
			fmt.Fprintf(&parts, "- %s\n", a.notes)
		}
	}
	return agentsHead + rows.String() + parts.String()
}

// optionsOf says what becomes of a person's options when a session comes back.
func optionsOf(k agent.Kind) string {
	table, all := codexOptions, true
	if p, ok := k.(*program); ok {
		table, all = p.options, !p.listed
	} else if c, ok := k.(claude); ok {
		table, all = c.options, !c.listed
	}
	var out []string
	for _, r := range []struct {
		says  string
		roles []role
	}{
		{"repeated", []role{keep, config}},
		{"left out", []role{drop}},
		{"lead back to where it was", []role{place}},
		{"replaced by the session", []role{names, goesOn, latest, fork}},
		{"begin no session", []role{plain}},
	} {
		var names []string
		for name, o := range table {
			if slices.Contains(r.roles, o.does) {
				names = append(names, "`"+name+"`")
			}
		}
		if len(names) > 0 {
			slices.Sort(names)
			out = append(out, r.says+": "+strings.Join(names, " "))
		}
	}
	if all {
		out = append(out, "any other is repeated with the word behind it")
	}
	return strings.Join(out, "; ")
}

func aboutOf(t *testing.T, k agent.Kind) about {
	t.Helper()
	switch k := k.(type) {
	case *program:
		return k.about
	case claude:
		return k.about
	case codex:
		return k.about()
	}
	t.Fatalf("nothing is known about %T", k)
	return about{}
}

func storeOf(k agent.Kind, a about) string {
	p, ok := k.(*program)
	if c, is := k.(claude); is {
		p, ok = c.program, true
	}
	switch {
	case ok && p.store.path != "":
		return "`" + p.store.path + "`, asked whether a session has a message"
	case !ok:
		return "`" + a.store + "`, asked whether a session has a message"
	}
	return a.store
}

// commandLine is what a kind runs without hooks.
func commandLine(t *testing.T, compose func(agent.LaunchInput) (agent.Command, error)) string {
	t.Helper()
	c, err := compose(agent.LaunchInput{Session: "ID"})
	if err != nil {
		t.Fatal(err)
	}
	return "`" + strings.Join(c.Argv, " ") + "`"
}

// eventsOf are the program's events that call us, with our words for them.
func eventsOf(k agent.Kind) string {
	var out []string
	say := func(name string, what agent.HookWhat) { out = append(out, name+" ("+string(what)+")") }
	p, _ := k.(*program)
	if c, ok := k.(claude); ok {
		p = c.program
	}
	if p == nil {
		for _, e := range codexEvents {
			say(e.name, e.what)
		}
		return strings.Join(out, ", ")
	}
	for _, e := range p.events {
		say(e.name, e.what)
		for field, words := range e.words {
			for word, what := range words {
				out[len(out)-1] += fmt.Sprintf(", with %s %s (%s)", field, word, what)
			}
		}
	}
	return strings.Join(out, ", ")
}
