package kinds

import (
	"cmp"
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
// docs/custom-agents.md. Describe has the built-in ones in this form. Lists of options
// are as a help text writes them: optionRow.
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
	// Options are options of the person's that are repeated on a resume. With none given,
	// every option is, with the word behind it; other words never are.
	Options []string
	// Latest are options that go on with a session that only the program knows:
	// "--continue". Once are options for one launch alone: "--prompt TEXT". A resume
	// repeats neither.
	Latest, Once []string
	// Roles are further options.
	Roles CustomRoles
	// KeepWords: words of the person's are no message but a place, and are repeated.
	KeepWords bool
	// EscClears: escape pressed twice while it rests empties its line of input.
	EscClears bool
	// Commands are first words that begin no session, and options ("--help"): it is run as
	// any command.
	Commands []string
	// Sessions say how it goes on with sessions.
	Sessions CustomSessions
	// Hooks is how it is made to call us: FORM:WHERE (hookForms); "": a variable
	// tells it of our hook command.
	Hooks string
	// Calls say more of its hooks.
	Calls CustomCalls
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
	// Store says more of where its conversations are.
	Store CustomStore
}

// CustomRoles are options of a custom kind by what they mean for a session, where its
// arguments do not tell.
type CustomRoles struct {
	// ID are options that name a new session, Resume options that go on with the one that
	// they name, Fork options that make a copy of it, Place options that give it a
	// directory of its own.
	ID, Resume, Fork, Place []string
	// Unlisted is what becomes on a resume of an option that is in no list: "repeat", or
	// "drop"; "": it is repeated if Options are none.
	Unlisted string
}

// CustomSessions say how a custom kind goes on with sessions.
type CustomSessions struct {
	// IDForm is what its ids look like: "uuid", or a beginning with a * behind it; "": any.
	IDForm string
	// ForkTakesID: NewArgs may stand beside the option that makes a copy.
	ForkTakesID bool
	// ResumeWords and ForkWords are words in front of an id with which a person goes on
	// with a session, or makes a copy.
	ResumeWords, ForkWords []string
	// NoResume says why it cannot be resumed, where it has no ResumeArgs.
	NoResume string
	// Worktree is how the directory of a session is found again (treeForms).
	Worktree string
	// Running is how to tell which session a process has open: claudeFiles, or the name
	// of a file that it keeps open, with {session_id}, and with names of folders above it.
	Running string
}

// CustomCalls say more of a custom kind's hooks.
type CustomCalls struct {
	// Events are the events of its hooks, by name; none: those of the form.
	Events map[string]CustomEvent
	// Defaults is the variable of settings that lie beside those of the machine, Machine
	// is where these lie, Owner who must own ours ("root", or "" for anybody), and Add what
	// else ours say: of a form that is a settings file.
	Defaults, Machine, Owner string
	Add                      map[string]any
	// Script is a file that calls us, of a form that has one: its own by default.
	Script string
}

// CustomEvent is what an event of a custom kind's hooks means.
type CustomEvent struct {
	What string // a word of agent.HookWhat
	// Reason is the field of the payload that tells why, Certain the word in it that only a
	// person's own goodbye has.
	Reason, Certain string
	// When has other meanings, by a field of the payload and a word in it.
	When map[string]map[string]string
}

// CustomStore says where the conversations of a custom kind are.
type CustomStore struct {
	// Home is its home by default; Folder is the home below the folder that HomeEnv names.
	Home, Folder string
	// Has are words of which a line of a conversation's file has one; none: it is not empty.
	Has []string
	// Unsure: what is not found may still be there.
	Unsure bool
	// Format is the agent in whose form the files are; "": they are not read. Where
	// Transcript is "", they are where that agent's would be.
	Format string
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

// newCustom checks a description and makes a kind of it.
func newCustom(c Custom) (*program, error) {
	if c.Label == "" {
		c.Label = c.Name
	}
	if c.Processes == 0 {
		c.Processes = 1
	}
	for _, check := range c.checks() {
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
			EscClears: c.EscClears,
		},
		env: c.Env, options: table, listed: c.Roles.Unlisted == dropped || c.Roles.Unlisted == "" && len(c.Options) > 0,
		verbs: set(slices.DeleteFunc(slices.Clone(c.Commands), isOption)...), places: c.KeepWords,
		begin: c.NewArgs, resume: c.ResumeArgs, again: c.Sessions.ResumeWords, copies: c.Sessions.ForkWords,
		forks: c.Sessions.ForkTakesID, ids: idForm(c.Sessions.IDForm), trees: c.Sessions.Worktree, running: c.Sessions.Running,
		signs: signs,
	}
	if len(c.ResumeArgs) == 0 {
		k.facts.NoResume = cmp.Or(c.Sessions.NoResume, "the config file gives no resume_args for it")
	}
	if err := k.customHooks(c); err != nil {
		return nil, err
	}
	k.store = customStore(c)
	k.keeps = customKeeping(c, k.store)
	k.profiles = slices.ContainsFunc(builtin(), func(b *program) bool { return b.profiles && b.facts.Program == filepath.Base(c.Command) })
	k.shelf = agent.Shelf{Format: c.Store.Format, Home: c.Store.Home, Folder: c.Store.Folder, Pattern: c.Transcript}
	return k, nil
}

// check is something that a description may not be, and what to say then.
type check struct {
	bad  bool
	says string
}

// checks are those of a description that need no other of its parts read.
func (c Custom) checks() []check {
	control := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
	}
	s, st := c.Sessions, c.Store
	tree := treeForms[s.Worktree] != nil
	return append([]check{
		{!customName(c.Name), "the name must be lower-case letters, digits and -, with a letter first"},
		{c.Command == "" || strings.ContainsRune(c.Command, 0), "command is missing: give the program"},
		{control(c.Label), "label has control characters"},
		{c.Processes < 1 || c.Processes > 8, "processes must be 1 to 8"},
		{len(c.ResumeArgs) > 0 && !marked(c.ResumeArgs), "resume_args must contain " + sessionMark},
		{len(c.ForkArgs) > 0 && !marked(c.ForkArgs), "fork_args must contain " + sessionMark},
		{strings.Contains(c.Command, sessionMark), "command cannot contain " + sessionMark + "; use new_args and resume_args"},
		{c.HomeEnv != "" && !envName(c.HomeEnv), "home_env must be the name of an environment variable"},
		{!slices.Contains([]string{"", repeats, dropped}, c.Roles.Unlisted), `unlisted takes "repeat" or "drop"`},
		{!idForm(s.IDForm).plausible(), `id_form takes "uuid", or how an id begins and a *, such as "ses_*"; without it any id fits`},
		{slices.ContainsFunc(slices.Concat(s.ResumeWords, s.ForkWords), func(w string) bool { return w == "" || isOption(w) }), "resume_words and fork_words take words, and no options: those stand in resume_options and fork_options"},
		{s.NoResume != "" && len(c.ResumeArgs) > 0, "no_resume says why it cannot be resumed, but resume_args say how it can: give one of them"},
		{control(s.NoResume), "no_resume has control characters"},
		{s.Worktree != "" && !tree, "worktree takes " + strings.Join(WorktreeForms(), " or ")},
		{tree && c.Transcript == "" && st.Format == "", "worktree needs a transcript, in which the directory is found"},
		{s.Running != "" && s.Running != claudeFiles && !openName(s.Running), `running takes "claude", or the name of a file that it keeps open, with ` + sessionMark + ` and no * behind it`},
	}, storeChecks(c)...)
}

// storeChecks are those of where its conversations are.
func storeChecks(c Custom) []check {
	st := c.Store
	homely := strings.HasPrefix(c.Transcript, homeMark)
	return []check{
		{c.Transcript != "" && !strings.Contains(c.Transcript, sessionMark) && !strings.Contains(c.Transcript, headMark), "transcript must contain " + sessionMark},
		{c.Transcript != "" && !strings.HasPrefix(c.Transcript, homeMark+"/") && !rooted(c.Transcript), "transcript must begin with /, ~/ or " + homeMark + "/"},
		{homely && c.HomeEnv == "" && st.Home == "", "transcript has " + homeMark + ", but home_env names no variable, and home no folder"},
		{!wellFormed(c.Transcript), "transcript is no pattern: a [ in it has no ], or a \\ stands at its end"},
		{st.Home != "" && st.Home != "~" && !rooted(st.Home), "home must begin with / or ~/"},
		{st.Folder != "" && (c.HomeEnv == "" || !filepath.IsLocal(st.Folder)), "home_folder is a path below the folder that home_env names, such as \".mine\""},
		{st.Unsure && c.Transcript == "" && st.Format == "", "transcript_unsure belongs to a transcript"},
		{len(st.Has) > 0 && c.Transcript == "" || slices.Contains(st.Has, ""), "transcript_has takes texts of which a line in the file of transcript has one"},
	}
}

// rooted reports whether a path of the config file says where it begins.
func rooted(path string) bool {
	return !strings.ContainsRune(path, 0) && (filepath.IsAbs(path) || strings.HasPrefix(path, "~/"))
}

// wellFormed reports whether a path is a pattern.
func wellFormed(path string) bool {
	return !slices.ContainsFunc(agent.Names(path), func(part string) bool {
		_, err := filepath.Match(part, "")
		return err != nil
	})
}

// openName reports whether a pattern is one of idForm.in.
func openName(pattern string) bool {
	_, behind, ok := strings.Cut(pattern, sessionMark)
	return ok && !agent.IsPattern(behind) && !strings.Contains(behind, sessionMark) && filepath.IsLocal(pattern) && filepath.Clean(pattern) == pattern && wellFormed(pattern)
}

// customStore is where the conversations of a description are. Files in the form of
// another agent are asked as that one's are.
func customStore(c Custom) store {
	s := store{home: c.Store.Home, below: c.Store.Folder, pattern: c.Transcript, has: c.Store.Has, elsewhere: c.Store.Unsure}
	if c.Store.Format == "" {
		return s
	}
	for _, k := range builtin() {
		if k.facts.Name != c.Store.Format {
			continue
		}
		if s.pattern == "" {
			s.pattern, s.home, s.below = k.store.pattern, cmp.Or(s.home, k.store.home), cmp.Or(s.below, k.store.below)
			s.elsewhere = s.elsewhere || k.store.elsewhere
		}
		if s.has == nil {
			s.has, s.holds = k.store.has, k.store.holds
		}
	}
	return s
}

func marked(args []string) bool { return markAt(args) >= 0 }

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
