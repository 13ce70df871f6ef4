package cli

import (
	"fmt"
	"strings"

	"reprise/ui"
)

// takes says which values a setting has: for the documentation, for editors and for
// the environment. One of its parts is set.
type takes struct {
	words       []string
	flag        bool           // words are off and on: false and true are taken for them
	least, most int            // a number of this range; most is never 0
	other       string         // in Markdown
	schema      map[string]any // of other, as JSON Schema has it
}

// Values of settings that are neither some words nor a number.
var (
	agesTaken = takes{
		other:  "such as `\"7d\"`, `\"36h\"`; `\"0\"` never",
		schema: map[string]any{"type": "string", "pattern": `^(0|(\d+d)?((\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+)?)$`},
	}
	keysTaken   = takes{other: "a key", schema: map[string]any{"type": "string", "examples": []string{ui.DefaultPrefix, "ctrl+a", "f12"}}}
	openerTaken = takes{other: "`\"auto\"`, or a program and its arguments", schema: map[string]any{"type": "string", "minLength": 1}}
	textTaken   = takes{schema: map[string]any{"type": "string", "minLength": 1}}
	textsTaken  = takes{schema: map[string]any{"type": "array", "items": map[string]any{"type": "string"}}}
	tableTaken  = takes{schema: map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"}}}
	treeTaken   = takes{schema: map[string]any{"type": "object"}}
)

// markdown is the values as docs/config.md has them.
func (t takes) markdown() string {
	switch {
	case t.most != 0:
		return fmt.Sprintf("%d to %d", t.least, t.most)
	case t.words != nil:
		return "`\"" + strings.Join(t.words, "\"` `\"") + "\"`"
	}
	return t.other
}

// json is the values as JSON Schema has them.
func (t takes) json() map[string]any {
	switch {
	case t.most != 0:
		return map[string]any{"type": "integer", "minimum": t.least, "maximum": t.most}
	case t.words != nil:
		if t.flag {
			return map[string]any{"enum": []any{"off", "on", false, true}}
		}
		return map[string]any{"enum": t.words}
	}
	return t.schema
}
