package kinds

import (
	_ "embed"
	"encoding/json"
	"errors"
	"net/url"
	"path/filepath"
	"strings"

	"reprise/agent"
)

// opencode is SST's opencode. It takes no id from outside, and calls a plugin of
// JavaScript, which calls us in our own words.
func opencode() *program {
	return &program{
		facts: agent.Facts{
			Name: "opencode", Label: "opencode", Program: "opencode", OwnProcesses: 1,
			Fork: []string{"--session", sessionMark, "--fork"},
		},
		resume: []string{"--session", sessionMark},
		ids:    "ses_*",
		places: true,
		verbs: set("completion", "acp", "mcp", "attach", "run", "debug", "providers", "auth", "agent", "upgrade", "uninstall", "serve", "web",
			"models", "stats", "export", "import", "github", "pr", "session", "plugin", "plug", "db"),
		hooks: hooking{form: "opencode-plugin", at: "OPENCODE_CONFIG_CONTENT"},
		options: table(
			row(goesOn, one, "--session", "-s"),
			row(latest, none, "--continue", "-c"),
			row(fork, none, "--fork"),
			row(plain, none, "--help", "-h", "--version", "-v"),
			row(drop, one, "--prompt"),
			row(keep, one, "--log-level", "--port", "--hostname", "--mdns-domain", "--model", "-m", "--agent", "--replay-limit"),
			row(keep, many, "--cors"),
			row(keep, none, "--print-logs", "--pure", "--mdns", "--auto", "--mini", "--no-replay"),
		),
		about: about{
			hooks:   "a plugin of this launch, by `OPENCODE_CONFIG_CONTENT`, beside what you have in it",
			version: "1.18.33",
			seen:    "launch, resume, two in one directory, hooks, store, /new, SIGKILL and SIGHUP",
			store:   "a database (`~/.local/share/opencode/opencode.db`), read for the history, and not asked before a resume: a session whose id is known has had a message",
			ids:     "`/new` begins a session with another id, `--fork` a copy, another one is picked within: the hook tells each with its next message. Compaction keeps the id. Sessions of subagents are told apart by their parent.",
			quit:    "exit 0 after `/exit`",
			notes:   "Its id comes with the first message. With any plugin, ours too, it waits at the start until npm has installed `@opencode-ai/plugin` in its configuration folder: once, some seconds; without a network each time, about 70 s.",
		},
	}
}

//go:embed opencode.js
var opencodeSource string

// opencodePlugin adds our plugin to what the person says in the variable that holds a
// configuration, joined with those of the files.
func opencodePlugin(k *program, in agent.LaunchInput, _ []argument) injection {
	if in.Hook.Program == "" {
		return injection{}
	}
	own, err := script(k, in.Hook, opencodeSource)
	if err != nil {
		return injection{notice: withoutHooks(k, err.Error())}
	}
	config, err := withPlugin(k.hooks.at, lookup(in.Env, k.hooks.at), (&url.URL{Scheme: "file", Path: filepath.Join(in.Hook.Folder, own.Name)}).String())
	if err != nil {
		return injection{notice: withoutHooks(k, err.Error())}
	}
	return injection{env: []string{k.hooks.at + "=" + config}, files: []file{own}}
}

func withPlugin(variable, config, plugin string) (string, error) {
	c := map[string]json.RawMessage{}
	if strings.TrimSpace(config) != "" {
		if err := json.Unmarshal(withoutComments([]byte(config)), &c); err != nil || c == nil {
			return "", errors.New(variable + " is not a JSON object")
		}
	}
	var list []json.RawMessage
	if raw, ok := c["plugin"]; ok && json.Unmarshal(raw, &list) != nil {
		return "", errors.New("plugin in " + variable + " is no list")
	}
	ours, err := encode(plugin)
	if err != nil {
		return "", err
	}
	all, err := encode(append(list, json.RawMessage(ours)))
	if err != nil {
		return "", err
	}
	c["plugin"] = json.RawMessage(all)
	return encode(c)
}
