package kinds

import (
	"maps"
	"runtime"
	"slices"
	"strings"

	"reprise/agent"
)

// hooking is how a program is made to call us.
type hooking struct {
	form string // of hookForms
	at   string // the option or the variable of the form
	// For settings files: the variable of the defaults that lie beside them, where they
	// lie without the variable of the form, and settings that a session needs beside our
	// hooks.
	defaults, linux, darwin string
	add                     map[string]any
	// rootOnly: the file is refused unless it and every folder above it belong to
	// root and to nobody else.
	rootOnly bool
	// script is a person's file in the place of the form's source; "": that.
	script string
}

// machine is where the machine's settings lie.
func (h hooking) machine() string {
	if runtime.GOOS == "darwin" {
		return h.darwin
	}
	return h.linux
}

// hookForm is a way in which programs are made to call us.
type hookForm struct {
	// option and variable say what hooking.at may be; joins: the option is the person's,
	// too, and theirs is joined with ours.
	option, variable, joins bool
	// keys: names of events are keys of TOML.
	keys   bool
	inject func(k *program, in agent.LaunchInput, p []argument) injection
	events func() []event // of which it tells by default; nil: in our words
	source string         // of its plugin or extension
}

// hookForms are the ways, by the name that a description has for them. By the one of no
// name a program is told of our hook command in a variable.
var hookForms = map[string]hookForm{
	"": {inject: hookVariable},
	"claude-settings": {option: true, joins: true, events: claudeForm, inject: func(k *program, in agent.LaunchInput, p []argument) injection {
		return settingsOption(k, in, p, false)
	}},
	"claude-settings-file": {option: true, variable: true, joins: true, events: claudeForm, inject: func(k *program, in agent.LaunchInput, p []argument) injection {
		if isOption(k.hooks.at) {
			return settingsOption(k, in, p, true)
		}
		return settingsFile(k, in, hookTimeout)
	}},
	// gemini and what was made of it take milliseconds.
	"gemini-settings-file": {variable: true, events: geminiForm, inject: func(k *program, in agent.LaunchInput, _ []argument) injection {
		return settingsFile(k, in, hookTimeout*1000)
	}},
	"codex-overrides": {option: true, keys: true, events: codexForm, inject: codexHooks},
	"copilot-plugin":  {option: true, events: copilotForm, inject: copilotPlugin},
	"opencode-plugin": {variable: true, inject: opencodePlugin, source: opencodeSource},
	"pi-extension":    {option: true, inject: piExtension, source: piSource},
}

// treeForms are the ways to find a session's worktree again, by name.
var treeForms = map[string]func(k *program, in agent.LaunchInput, a argument) []string{
	"claude": claudeWorktree,
	"codex":  codexWorktree,
}

// WorktreeForms lists the ways to find a session's worktree again.
func WorktreeForms() []string { return slices.Sorted(maps.Keys(treeForms)) }

// variableOnly says that of kinds that take hooks from their own folders alone.
const variableOnly = "the variable `REPRISE_HOOK` for hooks of your own"

// HookVariable names our hook command to programs that are not made to call it.
const HookVariable = "REPRISE_HOOK"

// hookVariable tells a program of our hook command in a variable.
func hookVariable(k *program, in agent.LaunchInput, _ []argument) injection {
	prefix := hookPrefix(in.Hook, k.facts.Name)
	if prefix == "" {
		return injection{}
	}
	return injection{env: []string{HookVariable + "=" + prefix}}
}

// hooked reads how a description has a program call us: FORM:WHERE.
func hooked(how string) (h hooking, f hookForm, ok bool) {
	form, at, _ := strings.Cut(how, ":")
	f, ok = hookForms[form]
	word := strings.TrimLeft(at, "-")
	option := isOption(at) && word != "" && !strings.ContainsAny(word, " \t\n=\x00")
	return hooking{form: form, at: at}, f, ok && (f.option && option || f.variable && envName(at))
}

// HookForms lists the ways in which a program can be made to call us, as a description
// has them.
func HookForms() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(hookForms)) {
		if hookForms[name].option {
			all = append(all, name+":--OPTION")
		}
		if hookForms[name].variable {
			all = append(all, name+":VARIABLE")
		}
	}
	return all
}
