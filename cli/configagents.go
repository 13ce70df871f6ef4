package cli

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"reprise/agent/kinds"
)

// agentSetting is a key of a table [agents.NAME].
type agentSetting struct {
	key string
	takes
	set func(k *kinds.Custom, v any) error
	get func(k *kinds.Custom) any // nil: it is not set
}

// agentSettings are the keys of a table [agents.NAME].
var agentSettings = sync.OnceValue(func() []agentSetting {
	return []agentSetting{
		ownText("command", func(k *kinds.Custom) *string { return &k.Command }),
		ownText("label", func(k *kinds.Custom) *string { return &k.Label }),
		ownTexts("new_args", func(k *kinds.Custom) *[]string { return &k.NewArgs }),
		ownTexts("resume_args", func(k *kinds.Custom) *[]string { return &k.ResumeArgs }),
		ownTexts("fork_args", func(k *kinds.Custom) *[]string { return &k.ForkArgs }),
		ownTexts("resume_words", func(k *kinds.Custom) *[]string { return &k.Sessions.ResumeWords }),
		ownTexts("fork_words", func(k *kinds.Custom) *[]string { return &k.Sessions.ForkWords }),
		ownText("no_resume", func(k *kinds.Custom) *string { return &k.Sessions.NoResume }),
		ownText("id_form", func(k *kinds.Custom) *string { return &k.Sessions.IDForm }),
		ownTexts("programs", func(k *kinds.Custom) *[]string { return &k.Programs }),
		ownTexts("options", func(k *kinds.Custom) *[]string { return &k.Options }),
		ownWord("unlisted", func(k *kinds.Custom) *string { return &k.Roles.Unlisted }, "repeat", "drop"),
		ownTexts("latest", func(k *kinds.Custom) *[]string { return &k.Latest }),
		ownTexts("once", func(k *kinds.Custom) *[]string { return &k.Once }),
		ownTexts("id_options", func(k *kinds.Custom) *[]string { return &k.Roles.ID }),
		ownTexts("resume_options", func(k *kinds.Custom) *[]string { return &k.Roles.Resume }),
		ownTexts("fork_options", func(k *kinds.Custom) *[]string { return &k.Roles.Fork }),
		ownFlag("fork_takes_id", func(k *kinds.Custom) *bool { return &k.Sessions.ForkTakesID }),
		ownTexts("place_options", func(k *kinds.Custom) *[]string { return &k.Roles.Place }),
		ownWord("worktree", func(k *kinds.Custom) *string { return &k.Sessions.Worktree }, kinds.WorktreeForms()...),
		ownFlag("keep_words", func(k *kinds.Custom) *bool { return &k.KeepWords }),
		ownFlag("esc_clears", func(k *kinds.Custom) *bool { return &k.EscClears }),
		ownTexts("commands", func(k *kinds.Custom) *[]string { return &k.Commands }),
		{
			"hooks",
			takes{schema: map[string]any{"type": "string", "minLength": 1, "examples": kinds.HookForms()}},
			func(k *kinds.Custom, v any) error { return text(&k.Hooks, v) }, func(k *kinds.Custom) any { return some(k.Hooks) },
		},
		ownText("hooks_defaults", func(k *kinds.Custom) *string { return &k.Calls.Defaults }),
		ownText("hooks_machine", func(k *kinds.Custom) *string { return &k.Calls.Machine }),
		ownWord("hooks_owner", func(k *kinds.Custom) *string { return &k.Calls.Owner }, "root"),
		{"hooks_add", treeTaken, setHooksAdd, func(k *kinds.Custom) any { return tree(k.Calls.Add) }},
		ownText("hooks_script", func(k *kinds.Custom) *string { return &k.Calls.Script }),
		{"events", takes{schema: eventsSchema()}, setEvents, eventsTree},
		ownTexts("titles", func(k *kinds.Custom) *[]string { return &k.Titles }),
		ownTexts("screens", func(k *kinds.Custom) *[]string { return &k.Screens }),
		ownText("transcript", func(k *kinds.Custom) *string { return &k.Transcript }),
		ownTexts("transcript_has", func(k *kinds.Custom) *[]string { return &k.Store.Has }),
		ownFlag("transcript_unsure", func(k *kinds.Custom) *bool { return &k.Store.Unsure }),
		ownWord("format", func(k *kinds.Custom) *string { return &k.Store.Format }, formats()...),
		ownText("running", func(k *kinds.Custom) *string { return &k.Sessions.Running }),
		ownText("home", func(k *kinds.Custom) *string { return &k.Store.Home }),
		ownText("home_env", func(k *kinds.Custom) *string { return &k.HomeEnv }),
		ownText("home_folder", func(k *kinds.Custom) *string { return &k.Store.Folder }),
		{"env", tableTaken, setEnv, func(k *kinds.Custom) any { return list(environ(k.Env)) }},
		ownNumber("processes", func(k *kinds.Custom) *int { return &k.Processes }, 1, 8),
	}
})

func ownText(key string, field func(*kinds.Custom) *string) agentSetting {
	return agentSetting{
		key, textTaken, func(k *kinds.Custom, v any) error { return text(field(k), v) },
		func(k *kinds.Custom) any { return some(*field(k)) },
	}
}

func ownTexts(key string, field func(*kinds.Custom) *[]string) agentSetting {
	return agentSetting{
		key, textsTaken, func(k *kinds.Custom, v any) error { return texts(field(k), v) },
		func(k *kinds.Custom) any { return list(*field(k)) },
	}
}

// ownWord is a key that takes one of some words.
func ownWord(key string, field func(*kinds.Custom) *string, words ...string) agentSetting {
	return agentSetting{key, takes{words: words}, func(k *kinds.Custom, v any) error {
		s, ok := v.(string)
		if !ok || !slices.Contains(words, s) {
			return fmt.Errorf("takes %s", orList(words))
		}
		*field(k) = s
		return nil
	}, func(k *kinds.Custom) any { return some(*field(k)) }}
}

// ownNumber is a key that takes a number from least to most.
func ownNumber(key string, field func(*kinds.Custom) *int, least, most int) agentSetting {
	return agentSetting{key, takes{least: least, most: most}, func(k *kinds.Custom, v any) error {
		n, ok := v.(int64)
		if !ok || n < int64(least) || n > int64(most) {
			return fmt.Errorf("takes a number from %d to %d", least, most)
		}
		*field(k) = int(n)
		return nil
	}, func(k *kinds.Custom) any { return some(*field(k)) }}
}

// ownFlag is a key that is on or off, and off without it.
func ownFlag(key string, field func(*kinds.Custom) *bool) agentSetting {
	return agentSetting{key, takes{words: []string{"off", "on"}, flag: true}, func(k *kinds.Custom, v any) error {
		switch v {
		case "on", true:
			*field(k) = true
		case "off", false:
			*field(k) = false
		default:
			return errors.New(`takes "on" or "off"`)
		}
		return nil
	}, func(k *kinds.Custom) any {
		if *field(k) {
			return "on"
		}
		return nil
	}}
}

func setEnv(k *kinds.Custom, v any) error {
	t, ok := v.(map[string]any)
	if !ok {
		return errors.New("takes a table of texts")
	}
	for name, value := range t {
		s, ok := value.(string)
		if !ok {
			return errors.New("takes a table of texts")
		}
		k.Env = append(k.Env, name+"="+s)
	}
	slices.Sort(k.Env)
	return nil
}

func text(to *string, v any) error {
	s, ok := v.(string)
	if !ok || s == "" {
		return errors.New("takes a text")
	}
	*to = s
	return nil
}

func texts(to *[]string, v any) error {
	list, ok := v.([]any)
	if !ok {
		return errors.New("takes a list of texts")
	}
	for _, e := range list {
		s, ok := e.(string)
		if !ok {
			return errors.New("takes a list of texts")
		}
		*to = append(*to, s)
	}
	return nil
}

var agentName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`) })

// agents reads the tables [agents.NAME]. An agent with a wrong value is left out
// whole: half a command line would start something that nobody asked for.
func (r *reading) agents(v any) {
	tables, ok := v.(map[string]any)
	if !ok {
		r.fault("agents", "agents takes tables, [agents.NAME].")
		return
	}
	names := make([]string, 0, len(tables))
	for name := range tables {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		key := "agents." + name
		t, ok := tables[name].(map[string]any)
		if !ok || !agentName().MatchString(name) {
			r.fault(key, "an agent is a table [agents.NAME] with a name of a-z, 0-9 and -.")
			continue
		}
		k := kinds.Custom{Name: name}
		if !r.agent(key, t, &k) {
			continue
		}
		if err := kinds.Check(k); err != nil {
			at, _, _ := strings.Cut(err.Error(), " ") // the key that it is about
			r.fault(key+"."+strings.TrimRight(at, ":,"), "%s: %v; this agent is left out.", key, err)
			continue
		}
		r.c.Agents = append(r.c.Agents, k)
	}
}

func (r *reading) agent(key string, t map[string]any, k *kinds.Custom) (whole bool) {
	whole = true
	var keys []string
	for _, s := range agentSettings() {
		keys = append(keys, key+"."+s.key)
		v, ok := t[s.key]
		if !ok {
			continue
		}
		if err := s.set(k, v); err != nil {
			r.fault(key+"."+s.key, "%s.%s %v; this agent is left out.", key, s.key, err)
			whole = false
		}
	}
	for name := range t {
		if full := key + "." + name; !slices.Contains(keys, full) {
			r.unknown(full, keys)
		}
	}
	if k.Command == "" && whole {
		r.fault(key, "%s has no command; this agent is left out.", key)
		whole = false
	}
	return whole
}

// knownKinds are the kinds of the settings that were asked for last.
type knownKinds struct {
	mu       sync.Mutex
	of       []kinds.Custom
	registry *kinds.Registry
}

// registry is that of the built-in kinds and of these. To make one takes a tenth of a
// millisecond of the first prompt, and 140 KB. An unusable kind is left out; what is wrong
// with it is said with the rest of the settings.
func (p *process) registry(agents []kinds.Custom) *kinds.Registry {
	k := &p.kinds
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.registry == nil || !reflect.DeepEqual(k.of, agents) {
		k.of = agents
		k.registry, _ = kinds.New(agents)
	}
	return k.registry
}
