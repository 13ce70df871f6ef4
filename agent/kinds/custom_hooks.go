package kinds

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"reprise/agent"
)

// customHooks has a program call us as a description says.
func (k *program) customHooks(c Custom) error {
	form := hookForms[""]
	if c.Hooks != "" {
		var ok bool
		if k.hooks, form, ok = hooked(c.Hooks); !ok {
			return fmt.Errorf("hooks: %q is not one of %s", c.Hooks, strings.Join(HookForms(), ", "))
		}
	}
	if form.joins && isOption(k.hooks.at) {
		k.options[k.hooks.at] = option{one, config}
	}
	if form.events != nil {
		k.events = form.events()
	}
	if len(c.Calls.Events) > 0 {
		var err error
		if k.events, err = customEvents(c.Calls.Events); err != nil {
			return err
		}
	}
	if at := slices.IndexFunc(k.events, func(e event) bool { return form.keys && strings.Contains(e.name, ".") }); at >= 0 {
		return fmt.Errorf("events: %q has a dot, which would be another table in %s", k.events[at].name, c.Hooks)
	}
	more := c.Calls
	file := form.variable && form.events != nil && !isOption(k.hooks.at)
	for _, check := range []check{
		{!file && (more.Defaults != "" || more.Machine != "" || more.Owner != "" || len(more.Add) > 0), "hooks_defaults, hooks_machine, hooks_owner and hooks_add belong to hooks in a settings file that a variable names"},
		{more.Defaults != "" && !envName(more.Defaults), "hooks_defaults must be the name of an environment variable"},
		{more.Defaults != "" && more.Machine == "", "hooks_defaults needs hooks_machine: the defaults lie beside that file"},
		{more.Machine != "" && !filepath.IsAbs(more.Machine), "hooks_machine must be a path that begins with /"},
		{more.Owner != "" && more.Owner != rootOwner, `hooks_owner takes "root"`},
		{more.Script != "" && (form.source == "" || !rooted(more.Script)), "hooks_script must begin with / or ~/, and belongs to hooks with a plugin or an extension"},
	} {
		if check.bad {
			return fmt.Errorf("%s", check.says)
		}
	}
	k.hooks.defaults, k.hooks.linux, k.hooks.darwin, k.hooks.add = more.Defaults, more.Machine, more.Machine, more.Add
	k.hooks.rootOnly, k.hooks.script = more.Owner == rootOwner, more.Script
	return nil
}

// rootOwner is CustomCalls.Owner of settings that must be root's.
const rootOwner = "root"

// customEvents reads a description's events. Their names stand in a command that a shell
// reads.
func customEvents(all map[string]CustomEvent) ([]event, error) {
	var out []event
	for _, name := range slices.Sorted(maps.Keys(all)) {
		said := all[name]
		e := event{name: name, what: agent.HookWhat(said.What), reason: said.Reason, sure: said.Certain}
		if !made(name, letters+digits, "-.") || len(name) > eventMax {
			return nil, fmt.Errorf("events: %q is no event: its name is letters, digits, _ - and ., at most %d", name, eventMax)
		}
		if !slices.Contains(hookWords, e.what) {
			return nil, fmt.Errorf("events.%s: %q is none of %s", name, said.What, eventWords())
		}
		if e.sure != "" && (e.what != agent.HookGoodbye || e.reason == "") {
			return nil, fmt.Errorf("events.%s: certain is the word that reason has in a goodbye that only a person can cause: give what = \"goodbye\" and reason", name)
		}
		if e.sure != bounded(e.sure) {
			return nil, fmt.Errorf("events.%s: certain must be printable ASCII, at most %d letters: no reason is kept longer", name, reasonMax)
		}
		for field, words := range said.When {
			for word, what := range words {
				if !slices.Contains(hookWords, agent.HookWhat(what)) {
					return nil, fmt.Errorf("events.%s.when.%s: %q is none of %s", name, field, what, eventWords())
				}
				if e.words == nil {
					e.words = map[string]map[string]agent.HookWhat{}
				}
				if e.words[field] == nil {
					e.words[field] = map[string]agent.HookWhat{}
				}
				e.words[field][word] = agent.HookWhat(what)
			}
		}
		out = append(out, e)
	}
	return out, nil
}

// eventMax bounds the name of an event, in bytes.
const eventMax = 64

// hookWords are what an event can tell.
var hookWords = []agent.HookWhat{
	agent.HookStart, agent.HookPrompt, agent.HookStop, agent.HookAsk, agent.HookAnswer, agent.HookWork,
	agent.HookFail, agent.HookRest, agent.HookGoodbye, agent.HookOther,
}

func eventWords() string { return strings.Join(EventWords(), ", ") }

// EventWords are the words for what an event can tell.
func EventWords() []string {
	all := make([]string, len(hookWords))
	for i, w := range hookWords {
		all[i] = string(w)
	}
	return all
}
