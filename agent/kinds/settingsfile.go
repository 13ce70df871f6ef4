package kinds

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"reprise/agent"
	"reprise/panes"
	"reprise/panes/disk"
)

type file = panes.File

// settingsFile writes the machine's settings, with our hooks in them, into a file of
// this launch: for a program that takes the machine's settings, which win over all
// others, from the file that a variable names. timeout is in the program's unit.
func settingsFile(k *program, in agent.LaunchInput, timeout int) injection {
	prefix := hookPrefix(in.Hook, k.facts.Name)
	if prefix == "" {
		return injection{}
	}
	path := filepath.Join(in.Hook.Folder, "settings.json")
	if k.hooks.rootOnly && !rootsAlone(filepath.Dir(in.Hook.Folder)) {
		return injection{notice: withoutHooks(k, "it takes them only from files of root")}
	}
	machine := lookup(in.Env, k.hooks.at)
	if machine == "" {
		machine = k.hooks.machine()
	}
	source := machine
	if source != "" && !filepath.IsAbs(source) {
		source = in.Dir + "/" + source // not cleaned: the system does not, either
	}
	data, err := joinedFile(k, source, prefix, timeout)
	if err != nil {
		return injection{notice: withoutHooks(k, err.Error())}
	}
	env := []string{k.hooks.at + "=" + path}
	if d := k.hooks.defaults; d != "" && lookup(in.Env, d) == "" && filepath.IsAbs(machine) {
		// Else it would look for them beside our file. A relative path would lead into the
		// directory where it works.
		env = append(env, d+"="+filepath.Join(filepath.Dir(machine), "system-defaults.json"))
	}
	return injection{env: env, files: []file{{Name: "settings.json", Data: data}}}
}

func joinedFile(k *program, machine, prefix string, timeout int) ([]byte, error) {
	settings := map[string]json.RawMessage{}
	if _, err := disk.Stat(machine, disk.Glance); machine != "" && (err == nil || !absent(err)) {
		data, err := readFile(machine, settingsMax)
		if err != nil {
			return nil, errors.New("the machine's settings, " + machine + ", cannot be read")
		}
		if err := json.Unmarshal(withoutComments(data), &settings); err != nil || settings == nil {
			return nil, errors.New("the machine's settings, " + machine + ", are not a JSON object")
		}
	}
	if err := overlay(settings, k.hooks.add); err != nil {
		return nil, err
	}
	if err := addHooks(settings, k.events, prefix, timeout); err != nil {
		return nil, err
	}
	out, err := encode(settings)
	return []byte(out), err
}

// overlay sets what a tree of values says, and leaves the rest.
func overlay(to map[string]json.RawMessage, with map[string]any) error {
	for key, v := range with {
		if tree, ok := v.(map[string]any); ok {
			below := map[string]json.RawMessage{}
			if raw, ok := to[key]; ok && (json.Unmarshal(raw, &below) != nil || below == nil) {
				return errors.New("the setting " + key + " has another form")
			}
			if err := overlay(below, tree); err != nil {
				return err
			}
			v = below
		}
		raw, err := encode(v)
		if err != nil {
			return err
		}
		to[key] = json.RawMessage(raw)
	}
	return nil
}

// withoutHooks is the sentence about a program that cannot be made to call us.
func withoutHooks(k *program, why string) string {
	lost := "after it began another conversation of its own it will come back with the older one."
	if !k.facts.PresetsID {
		lost = "it cannot come back by itself."
	}
	return k.facts.Label + " runs without Reprise's hooks (" + why + "): " + lost
}

// rootsAlone reports whether a folder and all above it belong to root, and nobody
// else may write there.
func rootsAlone(dir string) bool {
	for ; ; dir = filepath.Dir(dir) {
		st, err := os.Lstat(dir)
		if err != nil && absent(err) { // it will be made, in the folder above it
			if os.Geteuid() != 0 {
				return false
			}
		} else {
			if err != nil {
				return false
			}
			sys, ok := st.Sys().(*syscall.Stat_t)
			if !ok || sys.Uid != 0 || st.Mode()&os.ModeSymlink == 0 && st.Mode().Perm()&0o022 != 0 {
				return false
			}
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

// lookup is the value of a variable, "" if it is not set; a later entry wins.
func lookup(env []string, name string) (value string) {
	for _, e := range env {
		if k, v, ok := strings.Cut(e, "="); ok && k == name {
			value = v
		}
	}
	return value
}

// withoutComments is JSON with its comments, of both kinds, made blank: gemini and
// opencode allow them.
func withoutComments(data []byte) []byte {
	out := append([]byte(nil), data...)
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case out[i] == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := "\n"
			if out[i+1] == '*' {
				end = "*/"
			}
			n := strings.Index(string(out[i+2:]), end)
			if n < 0 {
				n = len(out) - i - 2
			} else if end == "*/" {
				n += 2
			}
			for j := range n + 2 {
				out[i+j] = ' '
			}
			i += n + 1
		}
	}
	return out
}
