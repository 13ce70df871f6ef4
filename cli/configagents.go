package cli

import (
	"errors"
	"regexp"
	"slices"
	"sync"

	"reprise/agent/kinds"
)

// agentSettings are the keys of a table [agents.NAME].
var agentSettings = []struct {
	key string
	takes
	set func(k *kinds.Custom, v any) error
	get func(k *kinds.Custom) any // nil: it is not set
}{
	{"command", textTaken, func(k *kinds.Custom, v any) error { return text(&k.Command, v) }, func(k *kinds.Custom) any { return some(k.Command) }},
	{"label", textTaken, func(k *kinds.Custom, v any) error { return text(&k.Label, v) }, func(k *kinds.Custom) any { return some(k.Label) }},
	{"new_args", textsTaken, func(k *kinds.Custom, v any) error { return texts(&k.NewArgs, v) }, func(k *kinds.Custom) any { return list(k.NewArgs) }},
	{"resume_args", textsTaken, func(k *kinds.Custom, v any) error { return texts(&k.ResumeArgs, v) }, func(k *kinds.Custom) any { return list(k.ResumeArgs) }},
	{"fork_args", textsTaken, func(k *kinds.Custom, v any) error { return texts(&k.ForkArgs, v) }, func(k *kinds.Custom) any { return list(k.ForkArgs) }},
	{"programs", textsTaken, func(k *kinds.Custom, v any) error { return texts(&k.Programs, v) }, func(k *kinds.Custom) any { return list(k.Programs) }},
	{"options", textsTaken, func(k *kinds.Custom, v any) error { return texts(&k.Options, v) }, func(k *kinds.Custom) any { return list(k.Options) }},
	{"latest", textsTaken, func(k *kinds.Custom, v any) error { return texts(&k.Latest, v) }, func(k *kinds.Custom) any { return list(k.Latest) }},
	{"once", textsTaken, func(k *kinds.Custom, v any) error { return texts(&k.Once, v) }, func(k *kinds.Custom) any { return list(k.Once) }},
	{"keep_words", takes{words: []string{"off", "on"}, flag: true}, func(k *kinds.Custom, v any) error {
		switch v {
		case "on", true:
			k.KeepWords = true
		case "off", false:
			k.KeepWords = false
		default:
			return errors.New(`takes "on" or "off"`)
		}
		return nil
	}, func(k *kinds.Custom) any {
		if k.KeepWords {
			return "on"
		}
		return nil
	}},
	{"commands", textsTaken, func(k *kinds.Custom, v any) error { return texts(&k.Commands, v) }, func(k *kinds.Custom) any { return list(k.Commands) }},
	{"hooks", textTaken, func(k *kinds.Custom, v any) error { return text(&k.Hooks, v) }, func(k *kinds.Custom) any { return some(k.Hooks) }},
	{"titles", textsTaken, func(k *kinds.Custom, v any) error { return texts(&k.Titles, v) }, func(k *kinds.Custom) any { return list(k.Titles) }},
	{"screens", textsTaken, func(k *kinds.Custom, v any) error { return texts(&k.Screens, v) }, func(k *kinds.Custom) any { return list(k.Screens) }},
	{"transcript", textTaken, func(k *kinds.Custom, v any) error { return text(&k.Transcript, v) }, func(k *kinds.Custom) any { return some(k.Transcript) }},
	{"home_env", textTaken, func(k *kinds.Custom, v any) error { return text(&k.HomeEnv, v) }, func(k *kinds.Custom) any { return some(k.HomeEnv) }},
	{"env", tableTaken, func(k *kinds.Custom, v any) error {
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
	}, func(k *kinds.Custom) any { return list(environ(k.Env)) }},
	{"processes", takes{least: 1, most: 8}, func(k *kinds.Custom, v any) error {
		n, ok := v.(int64)
		if !ok || n < 1 || n > 8 {
			return errors.New("takes a number from 1 to 8")
		}
		k.Processes = int(n)
		return nil
	}, func(k *kinds.Custom) any { return some(k.Processes) }},
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
		if r.agent(key, t, &k) {
			r.c.Agents = append(r.c.Agents, k)
		}
	}
}

func (r *reading) agent(key string, t map[string]any, k *kinds.Custom) (whole bool) {
	whole = true
	var keys []string
	for _, s := range agentSettings {
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
