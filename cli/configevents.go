package cli

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"reprise/agent/kinds"
)

// setHooksAdd takes a table of what JSON can say, too.
func setHooksAdd(k *kinds.Custom, v any) error {
	t, ok := v.(map[string]any)
	if !ok || !plainTree(t) {
		return errors.New("takes a table of texts, numbers, booleans, lists and tables")
	}
	k.Calls.Add = t
	return nil
}

func plainTree(v any) bool {
	switch v := v.(type) {
	case string, bool, int64:
		return true
	case float64:
		return !math.IsInf(v, 0) && !math.IsNaN(v)
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !plainTree(e) })
	case map[string]any:
		for _, e := range v {
			if !plainTree(e) {
				return false
			}
		}
		return true
	}
	return false
}

// tree is a table to be written, nil if it is empty.
func tree(t map[string]any) any {
	if len(t) == 0 {
		return nil
	}
	return t
}

// setEvents takes a table of an agent's events: NAME = "what it means", or a table that
// says more of it.
func setEvents(k *kinds.Custom, v any) error {
	t, ok := v.(map[string]any)
	if !ok {
		return errors.New(`takes a table: SessionStart = "start"`)
	}
	k.Calls.Events = map[string]kinds.CustomEvent{}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		var e kinds.CustomEvent
		switch said := t[name].(type) {
		case string:
			e.What = said
		case map[string]any:
			if err := setEvent(&e, said); err != nil {
				return fmt.Errorf("of %s %w", name, err)
			}
		default:
			return fmt.Errorf(`of %s takes a text such as "start", or a table`, name)
		}
		k.Calls.Events[name] = e
	}
	return nil
}

// setEvent takes what a table says of one event.
func setEvent(e *kinds.CustomEvent, said map[string]any) error {
	for _, key := range slices.Sorted(maps.Keys(said)) {
		switch v := said[key]; key {
		case "what", "reason", "certain":
			to := map[string]*string{"what": &e.What, "reason": &e.Reason, "certain": &e.Certain}[key]
			if err := text(to, v); err != nil {
				return fmt.Errorf("%s %w", key, err)
			}
		case "when":
			fields, ok := v.(map[string]any)
			if !ok {
				return errors.New(`when takes a table: tool_name = {Ask = "answer"}`)
			}
			e.When = map[string]map[string]string{}
			for field, words := range fields {
				t, ok := words.(map[string]any)
				if !ok {
					return fmt.Errorf(`when.%s takes a table: {Ask = "answer"}`, field)
				}
				e.When[field] = map[string]string{}
				for word, what := range t {
					s, ok := what.(string)
					if !ok {
						return fmt.Errorf("when.%s takes texts", field)
					}
					e.When[field][word] = s
				}
			}
		default:
			return fmt.Errorf("takes no %s: what, reason, certain and when are its keys", key)
		}
	}
	return nil
}

// eventsTree is the table that setEvents takes.
func eventsTree(k *kinds.Custom) any {
	all := map[string]any{}
	for name, e := range k.Calls.Events {
		if e.Reason == "" && e.Certain == "" && e.When == nil {
			all[name] = e.What
			continue
		}
		said := map[string]any{"what": e.What}
		if e.Reason != "" {
			said["reason"] = e.Reason
		}
		if e.Certain != "" {
			said["certain"] = e.Certain
		}
		if e.When != nil {
			when := map[string]any{}
			for field, words := range e.When {
				when[field] = map[string]any{}
				for word, what := range words {
					when[field].(map[string]any)[word] = what
				}
			}
			said["when"] = when
		}
		all[name] = said
	}
	return tree(all)
}

// eventsSchema is what setEvents takes, as JSON Schema has it.
func eventsSchema() map[string]any {
	what := map[string]any{"enum": kinds.EventWords()}
	words := map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "object", "additionalProperties": what}}
	one := map[string]any{
		"type": "object", "additionalProperties": false, "required": []string{"what"},
		"properties": map[string]any{"what": what, "reason": textTaken.schema, "certain": textTaken.schema, "when": words},
	}
	return map[string]any{"type": "object", "additionalProperties": map[string]any{"anyOf": []any{what, one}}}
}
