package kinds

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"reprise/agent"
)

// sessionMark stands for the session's id in the arguments of a custom kind.
const sessionMark = agent.SessionMark

// Custom describes an agent program in the config file ([agents.NAME]); see
// docs/custom-agents.md.
type Custom struct {
	// Name is how it is called on the command line and in the database: lower-case
	// letters, digits and -, at most 32, a letter first.
	Name string
	// Label is how the screen calls it; the name if empty.
	Label string
	// Command is the program: a name in PATH or a path. Its arguments stand in the
	// lists below; no shell reads any of them.
	Command string
	// NewArgs begin a session; with {session_id} in them we choose its id.
	NewArgs []string
	// ResumeArgs go on with session {session_id}; none: the kind cannot be resumed.
	ResumeArgs []string
	// ForkArgs begin a copy of session {session_id} under another id; none: it makes no
	// copies.
	ForkArgs []string
	// Options are options of the person's that are repeated on a resume, as a help
	// text writes them: "--model NAME", "--yolo". With none given, every option is,
	// with the word behind it; other words never are.
	Options []string
	// Latest are options that go on with a session that only the program knows, in the
	// same form: "--continue". Once are options for one launch alone: "--prompt TEXT". A
	// resume repeats neither.
	Latest, Once []string
	// KeepWords: words of the person's are no message but a place, and are repeated.
	KeepWords bool
	// Commands are first words that begin no session, and options ("--help"): it is run as
	// any command.
	Commands []string
	// Hooks is how it is made to call us: FORM:WHERE (customHooks); "": a variable
	// tells it of our hook command.
	Hooks string
	// Titles and Screens say how to tell by them what it does, where no hook does
	// (customSigns).
	Titles, Screens []string
	// Env is added to its environment, KEY=value.
	Env []string
	// Processes is how many processes of the kind stand between a hook and the
	// terminal, 1 to 8; 0 means 1. A wrapper that stays alive is one more.
	Processes int
	// Programs are further process names that are this kind's.
	Programs []string
	// HomeEnv is the environment variable that moves its home.
	HomeEnv string
	// Transcript is a pattern for the file of a conversation, with {session_id}
	// and, if it may move, {home}; * stands for any part of one name.
	Transcript string
}

// CustomError says which custom kind cannot be used, and why.
type CustomError struct {
	Name string
	Err  error
}

func (e *CustomError) Error() string { return fmt.Sprintf("agent %q: %v", e.Name, e.Err) }
func (e *CustomError) Unwrap() error { return e.Err }

// Letters of the names below. Not regular expressions: the hook command would
// compile them each time an agent calls it.
const (
	lowerCase = "abcdefghijklmnopqrstuvwxyz"
	letters   = lowerCase + "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	digits    = "0123456789"
)

// made reports whether s begins with one of the first letters and has no letters
// but them and the others.
func made(s, first, others string) bool {
	return s != "" && strings.IndexByte(first, s[0]) >= 0 && strings.Trim(s, first+others) == ""
}

func customName(s string) bool { return len(s) <= 32 && made(s, lowerCase, digits+"-") }
func envName(s string) bool    { return made(s, letters, digits) }

// newCustom checks a description and reads its options.
func newCustom(c Custom) (*program, error) {
	if c.Label == "" {
		c.Label = c.Name
	}
	if c.Processes == 0 {
		c.Processes = 1
	}
	checks := []struct {
		bad  bool
		says string
	}{
		{!customName(c.Name), "the name must be lower-case letters, digits and -, with a letter first"},
		{c.Command == "" || strings.ContainsRune(c.Command, 0), "command is missing: give the program"},
		{strings.ContainsFunc(c.Label, func(r rune) bool { return r < ' ' || r == 0x7f }), "label has control characters"},
		{c.Processes < 1 || c.Processes > 8, "processes must be 1 to 8"},
		{len(c.ResumeArgs) > 0 && !marked(c.ResumeArgs), "resume_args must contain " + sessionMark},
		{len(c.ForkArgs) > 0 && !marked(c.ForkArgs), "fork_args must contain " + sessionMark},
		{strings.Contains(c.Command, sessionMark), "command cannot contain " + sessionMark + "; use new_args and resume_args"},
		{c.HomeEnv != "" && !envName(c.HomeEnv), "home_env must be the name of an environment variable"},
		{c.Transcript != "" && !strings.Contains(c.Transcript, sessionMark), "transcript must contain " + sessionMark},
		{
			c.Transcript != "" && !strings.HasPrefix(c.Transcript, homeMark+"/") && !filepath.IsAbs(c.Transcript) && !strings.HasPrefix(c.Transcript, "~/"),
			"transcript must begin with /, ~/ or " + homeMark + "/",
		},
		{strings.HasPrefix(c.Transcript, homeMark) && c.HomeEnv == "", "transcript has " + homeMark + ", but home_env names no variable"},
	}
	for _, check := range checks {
		if check.bad {
			return nil, errors.New(check.says)
		}
	}
	for _, e := range c.Env {
		if name, _, ok := strings.Cut(e, "="); !ok || !envName(name) {
			return nil, fmt.Errorf("env: %q is no name of an environment variable", name)
		}
	}
	table, err := customOptions(c)
	if err != nil {
		return nil, err
	}
	signs, err := customSigns(c.Titles, c.Screens)
	if err != nil {
		return nil, err
	}
	k := &program{
		facts: agent.Facts{
			Name: c.Name, Label: c.Label, Program: c.Command, Programs: c.Programs,
			OwnProcesses: c.Processes, PresetsID: marked(c.NewArgs), HomeEnv: c.HomeEnv, Fork: c.ForkArgs,
		},
		env: c.Env, options: table, listed: len(c.Options) > 0, verbs: set(c.Commands...), places: c.KeepWords,
		begin: c.NewArgs, resume: c.ResumeArgs, signs: signs,
	}
	if c.Hooks != "" {
		h, form, ok := hooked(c.Hooks)
		if !ok {
			return nil, fmt.Errorf(`hooks: %q is not claude-settings:--OPTION, claude-settings-file:--OPTION or claude-settings-file:VARIABLE`, c.Hooks)
		}
		k.hooks = h
		if form.joins && isOption(h.at) {
			k.options[h.at] = option{one, config}
		}
		if form.events != nil {
			k.events = form.events()
		}
	}
	if len(c.ResumeArgs) == 0 {
		k.facts.NoResume = "the config file gives no resume_args for it"
	}
	if c.Transcript != "" {
		k.store.pattern = c.Transcript
	}
	return k, nil
}

// customOptions makes the table of options from what the description tells: its
// options, those in front of the session's id, and those that ask for a copy.
func customOptions(c Custom) (map[string]option, error) {
	table := map[string]option{}
	for _, list := range []struct {
		key  string
		rows []string
		does role
	}{{"options", c.Options, keep}, {"latest", c.Latest, latest}, {"once", c.Once, drop}} {
		for _, o := range list.rows {
			f := strings.Fields(o)
			if len(f) == 0 || !isOption(f[0]) || len(f) > 2 {
				return nil, fmt.Errorf(`%s: %q is not of the form "--name" or "--name VALUE"`, list.key, o)
			}
			takes := none
			if len(f) == 2 {
				takes = one
			}
			table[f[0]] = option{takes, list.does}
		}
	}
	for _, o := range c.Commands {
		if isOption(o) {
			table[o] = option{none, plain}
		}
	}
	for i, a := range c.ForkArgs {
		name, _, joined := strings.Cut(a, "=")
		valued := joined || i+1 < len(c.ForkArgs) && c.ForkArgs[i+1] == sessionMark
		switch {
		case isOption(name) && valued:
			table[name] = option{one, latest} // whose copy it is only a hook tells
		case isOption(name):
			table[name] = option{none, fork}
		}
	}
	for does, args := range map[role][]string{names: c.NewArgs, goesOn: c.ResumeArgs} {
		for i, a := range args {
			name, value, joined := strings.Cut(a, "=")
			switch {
			case joined && isOption(name) && value == sessionMark:
				table[name] = option{one, does}
			case a == sessionMark && i > 0 && isOption(args[i-1]):
				table[args[i-1]] = option{one, does}
			}
		}
	}
	return table, nil
}

func marked(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, sessionMark) })
}

// claudeForm are events that programs took over from claude.
func claudeForm() []event {
	return []event{
		{name: "SessionStart", what: agent.HookStart, reason: "source"},
		{name: "UserPromptSubmit", what: agent.HookPrompt},
		{name: "Stop", what: agent.HookStop},
		{name: "PermissionRequest", what: agent.HookAsk},
		{name: "PostToolUse", what: agent.HookWork},
		{name: "Notification", what: agent.HookOther, reason: "notification_type"},
		// What its reasons prove is not known: no goodbye is certain.
		{name: "SessionEnd", what: agent.HookGoodbye, reason: "reason"},
	}
}

// Payload reads the payload of a custom kind's hook, which speaks our words: the
// event is start, prompt, stop, ask, answer, work, fail or goodbye, the fields are session_id (or
// sessionId), reason and certain. It serves kinds, too, that the config file no
// longer has.
func Payload(event string, fields map[string]json.RawMessage) agent.HookFacts {
	f := agent.HookFacts{
		What:    agent.HookOther,
		Session: session(fields, "session_id", "sessionId"),
		Reason:  reason(fields, "reason"),
	}
	switch what := agent.HookWhat(event); what {
	case agent.HookStart, agent.HookPrompt, agent.HookStop, agent.HookAsk, agent.HookAnswer, agent.HookWork, agent.HookFail:
		f.What = what
	case agent.HookGoodbye:
		f.What = what
		f.Certain = string(fields["certain"]) == "true"
	}
	return f
}

// filled puts the id where the mark stands.
func filled(args []string, id agent.SessionID) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = strings.ReplaceAll(a, sessionMark, string(id))
	}
	return out
}
