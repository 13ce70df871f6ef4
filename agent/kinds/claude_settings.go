package kinds

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"reprise/agent"
	"reprise/panes/disk"
)

// settingsMax bounds a settings file, in bytes: more would not fit an argv.
const settingsMax = 96 << 10

// hookTimeout is how long an agent waits for our hook command, in seconds.
const hookTimeout = 5

// settingsOption is an option that takes settings with hooks in claude's form: JSON
// or, asFile, only a file of it. What the person gave is joined with ours; if that
// cannot be done theirs stand alone, and the notice says what is lost.
func settingsOption(k *program, in agent.LaunchInput, p []argument, asFile bool) injection {
	theirs, given := last(p, config)
	value, notice := joinSettings(k, in, p, theirs.value, given)
	if value == "" {
		return injection{}
	}
	if asFile && notice == "" && in.Hook.Program != "" {
		path := filepath.Join(in.Hook.Folder, "settings.json")
		return injection{args: []string{k.hooks.at, path}, files: []file{{Name: "settings.json", Data: []byte(value)}}}
	}
	return injection{args: []string{k.hooks.at, value}, notice: notice}
}

func joinSettings(k *program, in agent.LaunchInput, p []argument, theirs string, given bool) (value, notice string) {
	prefix := hookPrefix(in.Hook, k.facts.Name)
	if prefix == "" {
		return theirs, ""
	}
	base := map[string]json.RawMessage{}
	var err error
	if given {
		if base, err = readSettings(theirs, in.Dir); err != nil {
			return theirs, withoutHooks(k, "its "+k.hooks.at+": "+err.Error())
		}
	}
	events := slices.Clone(k.events)
	if _, forks := last(p, fork); forks {
		for i := range events {
			if events[i].what == agent.HookStart {
				events[i].name += ":" + forkMark
			}
		}
	}
	out := ""
	if err = addHooks(base, events, prefix, hookTimeout); err == nil {
		out, err = encode(base)
	}
	if err == nil && len(out) > settingsMax {
		err = errors.New("they are too long")
	}
	if err != nil {
		return theirs, withoutHooks(k, "its "+k.hooks.at+": "+err.Error())
	}
	return out, ""
}

// readSettings reads the value of --settings: JSON, or a file of it.
func readSettings(value, dir string) (map[string]json.RawMessage, error) {
	data := []byte(value)
	if !strings.HasPrefix(strings.TrimSpace(value), "{") {
		if !filepath.IsAbs(value) {
			value = filepath.Join(dir, value)
		}
		var err error
		if data, err = readFile(value, settingsMax); err != nil {
			return nil, err
		}
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil || m == nil {
		return nil, errors.New("they are not a JSON object")
	}
	return m, nil
}

// readFile reads a regular file of at most limit bytes; anything else (a pipe
// would block, a device never end) is an error.
func readFile(path string, limit int64) ([]byte, error) {
	data, err := disk.In(path, disk.Glance, func(func()) ([]byte, error) { return readHere(path, limit) })
	var raw *fs.PathError
	if errors.As(err, &raw) {
		return nil, errors.New("the file cannot be read")
	}
	return data, err
}

// readHere is readFile where the disk answers.
func readHere(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, errors.New("they are no regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, errors.New("they are too long")
	}
	return data, nil
}

// addHooks appends our hooks behind the ones that the settings have, in the form
// that claude, gemini and qwen share. timeout is in the program's unit.
func addHooks(settings map[string]json.RawMessage, events []event, prefix string, timeout int) error {
	hooks := map[string]json.RawMessage{}
	if raw, ok := settings["hooks"]; ok {
		if json.Unmarshal(raw, &hooks) != nil || hooks == nil {
			return errors.New("their hooks have another form")
		}
	}
	for _, e := range events {
		name, _, _ := strings.Cut(e.name, ":")
		var list []json.RawMessage
		if raw, ok := hooks[name]; ok && json.Unmarshal(raw, &list) != nil {
			return errors.New("their hooks have another form")
		}
		ours, err := encode(map[string]any{"hooks": []any{map[string]any{
			"type": "command", "command": prefix + " " + e.name, "timeout": timeout,
		}}})
		if err != nil {
			return err
		}
		all, err := encode(append(list, json.RawMessage(ours)))
		if err != nil {
			return err
		}
		hooks[name] = json.RawMessage(all)
	}
	raw, err := encode(hooks)
	settings["hooks"] = json.RawMessage(raw)
	return err
}

// encode is v as JSON in one line, keys sorted; <, > and & stay as they are, for
// whoever reads the argv.
func encode(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}
