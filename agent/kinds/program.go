package kinds

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"reprise/agent"
)

// program is an agent program as data: most built-in kinds are values of it, and
// all of the config file.
type program struct {
	facts agent.Facts
	env   []string // set for it, KEY=value
	// options is the table of its options. One that is missing is repeated on a
	// resume with the word behind it, unless only the listed ones are.
	options map[string]option
	listed  bool
	// verbs are first words of a command line that begins no session in a pane.
	verbs map[string]bool
	// places: words are no message but where it works, and are repeated.
	places bool
	// begin and resume are the arguments in front: of a new session (with
	// {session_id} in them we choose its id) and of one that goes on. again are the
	// words with which a person goes on with one, in front of its id.
	begin, resume, again []string
	// copies are the words with which a person makes a copy of one, in front of its id.
	copies []string
	// forks: begin may stand beside the option that makes a copy.
	forks bool
	ids   idForm
	// trees names how the place of a session is found again for which its program made
	// one (worktrees); "": the option that asked for it is not repeated.
	trees  string
	hooks  hooking
	events []event // how to read its calls; nil: they are in our words
	signs
	store store
	// profiles: its home may hold others: see HomeOf.
	profiles bool
	// running is how to tell which session a process of it has open: see witnessed.
	running string
	// shelf is where its conversations are read, if they have another kind's form.
	shelf agent.Shelf
	// keeps is where they lie, as far as only the name of that place matters.
	keeps keeping
	about about
}

// injection is what makes a program call us.
type injection struct {
	args   []string
	env    []string
	files  []file
	notice string
}

// event is one of a program's hook events.
type event struct {
	name string // as the program calls it
	what agent.HookWhat
	// reason is the field of the payload that tells why; sure is the word in it
	// that only a person's own goodbye has.
	reason, sure string
	// words are meanings that a field's word has instead, by the field's name: of several
	// that have one the first by name counts.
	words map[string]map[string]agent.HookWhat
}

// tells reports whether an event may mean something.
func (e event) tells(what agent.HookWhat) bool {
	for _, words := range e.words {
		for _, w := range words {
			if w == what {
				return true
			}
		}
	}
	return e.what == what
}

func (k *program) Facts() agent.Facts {
	f := k.facts
	f.TellsTurns = k.hooks.form != "" && (k.events == nil || slices.ContainsFunc(k.events, func(e event) bool { return e.tells(agent.HookPrompt) }))
	return f
}

func (k *program) Named(word string) agent.SessionID { return k.named(word) }

// named reads a session's id where the person's own arguments name one.
func (k *program) named(word string) agent.SessionID { return k.ids.read(word) }

// Launch: what the person's own arguments say of a session wins over begin.
func (k *program) Launch(in agent.LaunchInput) (agent.Command, error) {
	p := parse(k.options, in.Flags)
	w := words(p)
	goes := leads(w, k.again)
	if _, isPlain := last(p, plain); isPlain || len(w) > 0 && k.verbs[w[0]] && !goes {
		return agent.Command{Argv: append([]string{k.facts.Program}, in.Flags...), Plain: true}, nil
	}
	if in.Anew {
		p = k.anew(p)
	}
	begin, id := k.session(p, in.Session)
	switch {
	case goes && !in.Anew:
		begin, id = nil, ""
		if _, unnamed := last(p, latest); !unnamed {
			id = k.named(wordAt(w, len(k.again)))
		}
	case !in.Anew && leads(w, k.begin[:min(1, len(front(k.begin)))]):
		p, begin, id = k.begun(p, begin, id)
	}
	if marked(begin) && !id.Valid() {
		return agent.Command{}, fmt.Errorf("launch %s: %q is no session id", k.facts.Name, in.Session)
	}
	return k.command(in, p, filled(begin, id), without(p, config), id), nil
}

func (k *program) Resume(in agent.LaunchInput) (agent.Command, error) {
	if !in.Session.Valid() {
		return agent.Command{}, fmt.Errorf("resume %s: %q is no session id", k.facts.Name, in.Session)
	}
	if len(k.resume) == 0 {
		return agent.Command{}, fmt.Errorf("resume %s: %s", k.facts.Name, k.facts.NoResume)
	}
	p := parse(k.options, in.Flags)
	rest := k.goesOnWith(p, in)
	// No option of a former fork: this is the copy, not the original.
	p = slices.DeleteFunc(p, func(a argument) bool { return a.name != "" && a.does == fork })
	return k.command(in, p, filled(k.resume, in.Session), rest, in.Session), nil
}

// Fork begins a copy of in.Session with what a resume of it repeats.
func (k *program) Fork(in agent.LaunchInput) []string {
	args := k.facts.ForkOf(in.Session)
	if args == nil {
		return nil
	}
	p := parse(k.options, in.Flags)
	asks := parse(k.options, args)
	p = slices.DeleteFunc(p, func(a argument) bool { // a copy of a copy: what asked for that one is said again
		return a.name != "" && slices.ContainsFunc(asks, func(b argument) bool { return slices.Equal(a.tokens, b.tokens) })
	})
	for _, a := range p { // ours is joined with it at the launch
		if a.does == config {
			args = append(args, a.tokens...)
		}
	}
	return append(args, k.goesOnWith(p, in)...)
}

// goesOnWith are the arguments with which a session, or a copy of it, goes on, and what
// leads it back to where it was.
func (k *program) goesOnWith(p []argument, in agent.LaunchInput) []string {
	rest, behind := k.repeated(p)
	if a, ok := last(p, place); ok && k.trees != "" {
		rest = append(rest, treeForms[k.trees](k, in, a)...)
	}
	rest = append(rest, k.profileOf(in.Home, rest)...)
	return append(rest, behind...)
}

// session is how a session begins and its id, "" if only a hook tells it.
func (k *program) session(p []argument, preset agent.SessionID) (begin []string, id agent.SessionID) {
	if a, ok := last(p, names); ok {
		return nil, k.named(a.value)
	}
	_, forks := last(p, fork)
	a, goes := last(p, goesOn)
	_, latest := last(p, latest)
	begin = k.begin
	if (goes || latest) && (!forks || !k.forks) {
		begin = slices.DeleteFunc(slices.Clone(begin), func(arg string) bool { return isOption(arg) || arg == sessionMark })
	}
	switch {
	case goes && !forks:
		return begin, k.named(a.value)
	case marked(begin):
		return begin, preset
	}
	return begin, ""
}

// anew is what stays of the arguments when a session that never had a
// conversation is replaced: a copy of a named session is made again.
func (k *program) anew(p []argument) []argument {
	_, forks := last(p, fork)
	from, _ := last(p, goesOn)
	again := forks && k.named(from.value) != ""
	naming, copied := k.naming(p)
	n := 0 // words so far
	return slices.DeleteFunc(p, func(a argument) bool {
		switch {
		case a.name == "":
			n++
			return n > copied && (n <= naming || !k.places)
		case a.name == "--":
			return !k.places
		case a.does == keep:
			_, listed := k.options[a.name]
			return k.listed && !listed
		case a.does == config, a.does == place:
			return false
		}
		return !again || a.does != fork && a.does != goesOn
	})
}

// command puts together what is said of the session, what makes it call us and
// the rest of the person's arguments.
func (k *program) command(in agent.LaunchInput, p []argument, session, rest []string, id agent.SessionID) agent.Command {
	ours := hookForms[k.hooks.form].inject(k, in, p)
	argv := slices.Concat([]string{k.facts.Program}, session, ours.args, rest)
	env := append(withHome(slices.Clone(k.env), k.facts, in.Home), ours.env...)
	return agent.Command{Argv: argv, Env: env, Files: ours.files, Session: id, Notice: ours.notice}
}

// repeated are the arguments that a resume repeats; behind are those behind "--", and it.
func (k *program) repeated(p []argument) (rest, behind []string) {
	naming, _ := k.naming(p)
	n := 0 // words so far
	to := &rest
	for _, a := range p {
		_, listed := k.options[a.name]
		switch {
		case a.name == "--":
			to = &behind
		case a.name == "":
			if n++; !k.places || n <= naming {
				continue
			}
			if to == &behind && len(behind) == 0 {
				behind = append(behind, "--") // else an option might come of it
			}
			*to = append(*to, a.tokens...)
		case a.does == keep && (listed || !k.listed):
			*to = append(*to, a.tokens...)
		}
	}
	return rest, behind
}

func (k *program) Hook(name string, fields map[string]json.RawMessage) agent.HookFacts {
	full := name
	name, mark, _ := strings.Cut(name, ":")
	f := agent.HookFacts{What: agent.HookOther, Session: session(fields, "session_id", "sessionId")}
	i := slices.IndexFunc(k.events, func(e event) bool { return e.name == name })
	switch {
	case i < 0 && hookForms[k.hooks.form].events == nil:
		return Payload(full, fields)
	case i < 0:
		return f
	}
	e := k.events[i]
	f.What = e.what
	for _, field := range slices.Sorted(maps.Keys(e.words)) {
		if what, ok := e.words[field][text(fields, field)]; ok {
			f.What = what
			break
		}
	}
	if e.reason != "" {
		f.Reason = reason(fields, e.reason)
	}
	f.Certain = e.sure != "" && f.What == agent.HookGoodbye && f.Reason == e.sure
	// A copy's first start still names the session it was made of.
	if mark == forkMark && f.What == agent.HookStart && f.Reason == "resume" {
		f.Session = ""
	}
	return f
}

// forkMark is added to the name of the event with which a copy starts.
const forkMark = "fork"

// about is what docs/agents.md says of a program beside its table.
type about struct {
	version string // the version that was looked at
	seen    string // what was seen with that version itself; the rest is documented
	hooks   string // how it is made to call us
	store   string // what its conversations are, where no file tells
	ids     string // what becomes of the id: /clear, fork, compaction, resume within
	quit    string // how a clean end looks
	own     ownHooks
	notes   string
}

// ownHooks are hooks of the person's own that call us, for a program that takes them
// from its own configuration alone: what to add to which file of the person's home.
type ownHooks struct{ file, text string }

// ownHook is the command of such a hook, with our word for what happens. Elsewhere than
// in a pane it does nothing.
func ownHook(event string) string {
	return `[ -z "$` + HookVariable + `" ] || sh -c "$` + HookVariable + " " + event + `"`
}
