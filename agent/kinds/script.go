package kinds

import (
	_ "embed"
	"fmt"
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

// script is an extension that calls us: of the given source, or the person's own.
func script(k *program, h agent.HookCommand, source string) (file, error) {
	if own := k.hooks.script; own != "" {
		path, _ := expanded(own) // without a home none is found
		data, err := readFile(path, settingsMax)
		if err != nil {
			return file{}, fmt.Errorf("hooks_script, %s: %w", own, err)
		}
		source = string(data)
	}
	call, _ := encode([]string{h.Program, "hook", h.State, k.facts.Name, h.Nonce}) // texts can be encoded
	return file{Name: scriptName, Data: []byte(strings.Replace(callSource, "CALL", call, 1) + source)}, nil
}
