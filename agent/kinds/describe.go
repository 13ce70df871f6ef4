package kinds

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Describe is a built-in kind as a person would describe it in the config file: where
// its files are read for the list of past sessions, Store.Format must name it.
func Describe(name string) (Custom, bool) {
	for _, k := range builtin() {
		if k.facts.Name == name {
			return k.described(), true
		}
	}
	return Custom{}, false
}

func (k *program) described() Custom {
	f := k.facts
	c := Custom{
		Name: f.Name, Label: f.Label, Command: f.Program, Programs: f.Programs, Processes: f.OwnProcesses, HomeEnv: f.HomeEnv,
		NewArgs: k.begin, ResumeArgs: k.resume, ForkArgs: f.Fork, Env: k.env, KeepWords: k.places, EscClears: f.EscClears,
		Commands: slices.Concat(slices.Sorted(maps.Keys(k.verbs)), k.rows(plain)),
		Options:  k.rows(keep), Once: k.rows(drop), Latest: k.rows(latest),
		Roles: CustomRoles{ID: k.rows(names), Resume: k.rows(goesOn), Fork: k.rows(fork), Place: k.rows(place), Unlisted: repeats},
		Sessions: CustomSessions{
			IDForm: string(k.ids), ForkTakesID: k.forks, ResumeWords: k.again, ForkWords: k.copies,
			NoResume: f.NoResume, Worktree: k.trees, Running: k.running,
		},
		Calls:      CustomCalls{Events: described(k.events), Defaults: k.hooks.defaults, Machine: k.hooks.machine(), Add: k.hooks.add, Script: k.hooks.script},
		Transcript: k.store.pattern,
		Store:      CustomStore{Home: k.store.home, Folder: k.store.below, Has: k.store.has, Unsure: k.store.elsewhere},
	}
	if k.listed {
		c.Roles.Unlisted = dropped
	}
	if k.hooks.rootOnly {
		c.Calls.Owner = rootOwner
	}
	if k.hooks.form != "" {
		c.Hooks = k.hooks.form + ":" + k.hooks.at
	}
	if k.store.holds != nil {
		c.Store.Format = f.Name
	}
	for _, t := range k.titles {
		c.Titles = append(c.Titles, string(t.doing)+": "+t.begins)
	}
	for _, l := range k.screens {
		word := string(l.doing)
		if l.below > 0 {
			word = fmt.Sprintf("%s+%d", word, l.below)
		}
		c.Screens = append(c.Screens, word+": "+strings.Join(append([]string{l.foot}, l.rows...), " | "))
	}
	return c
}

// rows are the options of one role.
func (k *program) rows(does role) (rows []string) {
	for _, name := range slices.Sorted(maps.Keys(k.options)) {
		if o := k.options[name]; o.does == does {
			rows = append(rows, optionText(name, o.takes))
		}
	}
	return rows
}

// described are events as a description has them.
func described(events []event) map[string]CustomEvent {
	if len(events) == 0 {
		return nil
	}
	all := map[string]CustomEvent{}
	for _, e := range events {
		said := CustomEvent{What: string(e.what), Reason: e.reason, Certain: e.sure}
		for field, words := range e.words {
			if said.When == nil {
				said.When = map[string]map[string]string{}
			}
			said.When[field] = make(map[string]string, len(words))
			for word, what := range words {
				said.When[field][word] = string(what)
			}
		}
		all[e.name] = said
	}
	return all
}
