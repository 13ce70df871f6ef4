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
	var rows, parts strings.Builder
	for _, k := range builtin() {
		f, a := k.facts, k.about
		if a.version == "" || a.hooks == "" || a.ids == "" || a.quit == "" {
			t.Errorf("%s: not all is said: %+v", f.Name, a)
		}
		id := "told by a hook"
		if f.PresetsID {
			id = "chosen by Reprise"
		} else if a.own.text != "" {
			id = "named by you, or told by hooks of yours"
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
		fmt.Fprintf(&parts, "- Version: %s. Of it %s.\n- Conversations: %s.\n", a.version, seen, storeOf(k))
		if f.HomeEnv != "" {
			comes := "; a session comes back in the one it began in"
			if f.NoResume != "" {
				comes = ""
			}
			fmt.Fprintf(&parts, "- Home: `%s`%s.\n", f.HomeEnv, comes)
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
		if a.own.text != "" {
			text := "      " + strings.ReplaceAll(strings.TrimSuffix(a.own.text, "\n"), "\n", "\n      ")
			fmt.Fprintf(&parts, "- Hooks of your own, in `~/%s`, which tell its id and what it does:\n\n%s\n\n", a.own.file, text)
		}
		if a.notes != "" {
			fmt.Fprintf(&parts, "- %s\n", a.notes)
		}
	}
	return agentsHead + rows.String() + parts.String()
}

// optionsOf says what becomes of a person's options when a session comes back.
func optionsOf(k *program) string {
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
		for name, o := range k.options {
			if slices.Contains(r.roles, o.does) {
				names = append(names, "`"+name+"`")
			}
		}
		if len(names) > 0 {
			slices.Sort(names)
			out = append(out, r.says+": "+strings.Join(names, " "))
		}
	}
	if !k.listed {
		out = append(out, "any other is repeated with the word behind it")
	}
	return strings.Join(out, "; ")
}

func storeOf(k *program) string {
	if k.store.pattern == "" {
		return k.about.store
	}
	says := "`" + strings.Replace(k.store.pattern, homeMark, k.store.home, 1) + "`, asked whether a session has a message"
	if k.store.elsewhere {
		says += "; that it has none is not concluded"
	}
	if k.about.store != "" {
		says += "; " + k.about.store
	}
	return says
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

// OwnHooks are the hooks of a person's own that docs/agents.md gives for a kind, and
// where they are added.
func OwnHooks(t *testing.T, k agent.Kind) (file, text string) {
	t.Helper()
	for _, p := range builtin() {
		if p.facts.Name == k.Facts().Name {
			return p.about.own.file, p.about.own.text
		}
	}
	t.Fatalf("no built-in kind %s", k.Facts().Name)
	return "", ""
}

// eventsOf are the program's events that call us, with our words for them.
func eventsOf(k *program) string {
	var out []string
	for _, e := range k.events {
		out = append(out, e.name+" ("+string(e.what)+")")
		for field, words := range e.words {
			for word, what := range words {
				out[len(out)-1] += fmt.Sprintf(", with %s %s (%s)", field, word, what)
			}
		}
	}
	return strings.Join(out, ", ")
}
