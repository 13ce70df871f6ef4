package agent

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"reprise/panes"
)

// Kind is one agent program. There is one small file of data for each in
// agent/kinds; user-defined kinds come from the config file.
type Kind interface {
	// Facts are what does not depend on a launch.
	Facts() Facts
	// Launch is the command line and environment of a new session.
	Launch(in LaunchInput) (Command, error)
	// Resume is the command line and environment that go on with in.Session.
	Resume(in LaunchInput) (Command, error)
	// Hook reads one hook payload: what happened, in our words. fields are the
	// payload's top-level strings. event is the name in the hook's argv.
	Hook(event string, fields map[string]json.RawMessage) HookFacts
	// Transcript asks the agent's own store, read-only, whether the session has
	// a conversation.
	Transcript(home, dir string, id SessionID) Transcript
}

// Witness is a Kind whose program writes down which process has which session,
// so that one opened from within, without its id in the argv, is known too.
type Witness interface {
	// Holds reports whether p, a process of the kind, has the session open.
	Holds(home string, p panes.ProcessID, id SessionID) bool
}

// Teller is a Kind that can tell which session a process of its program has open,
// by what the program writes down. It reads only.
type Teller interface {
	// Running is that session, "" if it cannot be told. files are the paths that the
	// process holds open.
	Running(home string, p panes.ProcessID, files []string) SessionID
}

// Forker is a Kind that knows what a copy of a session repeats of its arguments.
type Forker interface {
	// Fork are the arguments of a new session (LaunchInput.Flags) that begin it as a copy
	// of in.Session, whose own were in.Flags; nil: the kind makes no copies.
	Fork(in LaunchInput) []string
}

// Facts are the constants of a kind.
type Facts struct {
	Name    string // as the person types it and the database keeps it
	Label   string // as the screen says it
	Program string // what is looked up in PATH
	// Programs are further process names that count as this kind (wrappers).
	Programs []string
	// OwnProcesses is how many processes of known kinds stand between a hook and
	// the terminal's process when nothing is nested (claude 1, gemini 2).
	OwnProcesses int
	// PresetsID: a new session takes an id that we choose.
	PresetsID bool
	// TellsTurns: its hooks tell when a turn begins.
	TellsTurns bool
	// EscClears: escape pressed twice while it rests empties its line of input.
	EscClears bool
	// NoResume says why the kind cannot be resumed; "" if it can.
	NoResume string
	// Fork are the arguments that begin a copy of a session under an id of its own, with
	// SessionMark in the place of the session's; none: the kind makes no copies.
	Fork []string
	// HomeEnv is the environment variable that moves the agent's home
	// (CLAUDE_CONFIG_DIR, CODEX_HOME); "" if the kind has none.
	HomeEnv string
}

// SessionMark stands for a session's id in the arguments of a kind.
const SessionMark = "{session_id}"

// ForkOf are the arguments that begin a copy of a session; nil: the kind makes none.
func (f Facts) ForkOf(id SessionID) (args []string) {
	if !id.Valid() {
		return nil
	}
	for _, a := range f.Fork {
		args = append(args, strings.ReplaceAll(a, SessionMark, string(id)))
	}
	return args
}

// Home is the agent's home as an environment says it (KEY=value, a later entry
// wins): what goes into Origin.Home and LaunchInput.Home. "" is the default. One that
// does not say where it begins is meant from dir, where the agent is started; "": that is
// not known.
func (f Facts) Home(env []string, dir string) string {
	home := ""
	for _, e := range env {
		if k, v, ok := strings.Cut(e, "="); ok && f.HomeEnv != "" && k == f.HomeEnv {
			home = v
		}
	}
	if home != "" && dir != "" && !filepath.IsAbs(home) {
		return filepath.Join(dir, home)
	}
	return home
}

// Housed is a Kind whose home may hold others.
type Housed interface {
	// HomeOf is the home in which a program with these arguments works that was given home:
	// that one, or one in it. It looks at files.
	HomeOf(args []string, home string) string
}

// HomeOf is the home of a kind's program by its environment and its arguments, started in
// dir; see Facts.Home.
func HomeOf(k Kind, args, env []string, dir string) string {
	home := k.Facts().Home(env, dir)
	if housed, ok := k.(Housed); ok {
		home = housed.HomeOf(args, home)
	}
	return home
}

// HomeEntry is what an environment says (KEY=value) so that Home is that one; none for
// the default, and for a kind whose home nothing moves.
func (f Facts) HomeEntry(home string) []string {
	if home == "" || f.HomeEnv == "" {
		return nil
	}
	return []string{f.HomeEnv + "=" + home}
}

// LaunchInput is what a command line is made of.
type LaunchInput struct {
	Session SessionID // to preset (Launch) or to resume; "" if the kind does not preset
	Flags   []string  // the person's own arguments
	Home    string    // the agent's home, "" for its default
	Dir     string
	Hook    HookCommand
	// Env is the environment that it will run in, KEY=value, a later entry wins:
	// what it says of the person's own configuration is joined with ours.
	Env []string
	// Anew (Launch only): Flags were given for another session, which had no
	// conversation. What they say of a session and a first message is left out.
	Anew bool
}

// HookCommand is how an agent can call us: the program's own binary by its
// lasting path, and what tells this launch from every other.
type HookCommand struct {
	Program string // absolute path in the state folder
	State   string // state folder
	Nonce   string
	// Folder is where Command.Files of this launch will lie; absolute.
	Folder string
}

// Command is what is to be exec'd.
type Command struct {
	Argv []string // Argv[0] is the program's name or path
	Env  []string // added to the environment
	// Files are written into HookCommand.Folder before the program starts, and
	// removed when it has ended.
	Files []panes.File
	// Session is the session that this command line begins or goes on with: the
	// one to bind. It differs from LaunchInput.Session when the person's own
	// arguments name one; "" if only a hook can tell.
	Session SessionID
	// Plain: the arguments start no session (claude mcp, codex exec, --help). Run
	// it as any command, without a binding.
	Plain bool
	// Notice is one sentence the person should read; "" mostly.
	Notice string
}

// HookFacts is one hook event in our words.
type HookFacts struct {
	What    HookWhat
	Session SessionID // "" if the payload has none (or an invalid one)
	// Reason is the kind's own word, for the ledger (at most 64 bytes).
	Reason string
	// Certain: a goodbye that the kind gives only when the person quit.
	Certain bool
}

// HookWhat is what a hook tells.
type HookWhat string

// Hook events in our words.
const (
	HookStart   HookWhat = "start"   // a session starts, also by /clear, resume, fork
	HookPrompt  HookWhat = "prompt"  // a person's message was sent: a turn begins
	HookStop    HookWhat = "stop"    // the turn ended
	HookAsk     HookWhat = "ask"     // it waits for a permission
	HookAnswer  HookWhat = "answer"  // it waits for an answer to a question of its own
	HookWork    HookWhat = "work"    // it works on within its turn: a tool ran, a question was settled
	HookFail    HookWhat = "fail"    // the turn ended by an error of the model's service
	HookRest    HookWhat = "rest"    // it waits for a message, whether there was one before or not
	HookGoodbye HookWhat = "goodbye" // the session ends
	HookOther   HookWhat = "other"   // a sign of life, nothing more
)

// Transcript is what the agent's store says of a session.
type Transcript int

// Answers of a transcript store.
const (
	CannotTell Transcript = iota // the store cannot be read, or the kind has none we know
	HasTranscript
	NoTranscript // the store is readable and has none
)

// Registry finds kinds by name. It is read-only after start.
type Registry interface {
	Kind(name string) (Kind, bool)
	All() []Kind
}

// Resolve finds a program as the person's shell would: panes.LookPath.
var _ = panes.LookPath
