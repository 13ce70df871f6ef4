package kinds

import (
	_ "embed"
	"strings"

	"reprise/agent"
)

// scriptName is the file of a program that calls its extensions itself.
const scriptName = "reprise.js"

// callSource is how such an extension calls us, in our own words. CALL stands for
// our hook command, as a list.
//
//go:embed call.js
var callSource string

// script is an extension that calls us.
func script(k *program, h agent.HookCommand, source string) file {
	call, _ := encode([]string{h.Program, "hook", h.State, k.facts.Name, h.Nonce}) // texts can be encoded
	return file{Name: scriptName, Data: []byte(strings.Replace(callSource, "CALL", call, 1) + source)}
}
