package hook

import (
	"path/filepath"
	"strings"

	"reprise/agent"
	"reprise/panes"
)

// nameMax is how much of a name Linux keeps for a process (comm, proc(5)).
const nameMax = 15

// interpreters run scripts; a script's name is what tells the kind.
var interpreters = map[string]bool{
	"node": true, "nodejs": true, "bun": true, "deno": true, "python": true,
	"ruby": true, "perl": true, "sh": true, "bash": true, "dash": true, "zsh": true, "ksh": true,
}

// scriptEndings are taken off a script's name.
var scriptEndings = []string{".js", ".mjs", ".cjs", ".ts", ".py", ".rb", ".pl", ".sh"}

// Depth counts the processes of known agent kinds from a hook up to the
// terminal's recorded process, that one included (resume.md §3, Revival). A
// launcher script whose child is the program itself (npm's) is not counted. It is
// agent.DepthBroken if the chain does not lead to root.
func Depth(chain []panes.Proc, root panes.ProcessID, known agent.Registry) int {
	names := programs(known)
	depth, below := 0, ""
	for _, p := range chain {
		kind, script := identify(p, names)
		if kind != "" && (!script || kind != below) {
			depth++
		}
		if p.ID == root {
			return depth
		}
		below = ""
		if !script {
			below = kind
		}
	}
	return agent.DepthBroken
}

// programs maps the names of processes to the kinds they belong to.
func programs(known agent.Registry) map[string]string {
	names := map[string]string{}
	for _, k := range known.All() {
		f := k.Facts()
		for _, p := range append([]string{f.Program}, f.Programs...) {
			if name := filepath.Base(p); !Interprets(name) {
				names[name] = f.Name
				names[name[:min(len(name), nameMax)]] = f.Name
			}
		}
	}
	return names
}

// identify is the kind that a process belongs to, "" if to none, and whether it
// is a script of that name.
func identify(p panes.Proc, names map[string]string) (kind string, script bool) {
	own := ""
	if len(p.Argv) > 0 {
		own = strings.TrimPrefix(filepath.Base(p.Argv[0]), "-")
	}
	if kind = names[own]; kind != "" {
		return kind, false
	}
	exe := filepath.Base(p.Exe)
	candidates := []string{p.Name, exe}
	if script = Interprets(own) || Interprets(exe); script {
		candidates = []string{scriptName(p.Argv), p.Name}
	}
	for _, name := range candidates {
		if kind = names[name]; kind != "" {
			return kind, script
		}
	}
	return "", false
}

// Interprets reports whether a program runs scripts; python3.13 is python.
func Interprets(name string) bool { return interpreters[strings.TrimRight(name, "0123456789.")] }

// scriptName is the name of the script that an interpreter was given, "" if it
// runs a command from its argv (sh -c: how hooks are run).
func scriptName(argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	for _, a := range argv[1:] {
		switch {
		case strings.HasPrefix(a, "--"):
		case strings.HasPrefix(a, "-"):
			if strings.ContainsAny(a, "cem") {
				return ""
			}
		default:
			name := filepath.Base(a)
			for _, end := range scriptEndings {
				name = strings.TrimSuffix(name, end)
			}
			return name
		}
	}
	return ""
}
