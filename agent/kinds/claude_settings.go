package kinds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"reprise/agent"
)

// settingsMax bounds a settings file, in bytes: more would not fit an argv.
const settingsMax = 96 << 10

// hookTimeout is how long an agent waits for our hook command, in seconds.
const hookTimeout = 5

// claudeSettings is the value of --settings: our hooks, joined into the person's
// own settings if they gave some. If that cannot be done theirs stand alone, and
// the notice says what is lost.
func claudeSettings(in agent.LaunchInput, start, theirs string, given bool) (value, notice string) {
	prefix := hookPrefix(in.Hook, "claude")
	if prefix == "" {
		return theirs, ""
	}
	base := map[string]json.RawMessage{}
	if given {
		var err error
		if base, err = readSettings(theirs, in.Dir); err != nil {
			return theirs, noHooks(err)
		}
	}
	if err := addHooks(base, prefix, start); err != nil {
		return theirs, noHooks(err)
	}
	out, err := encode(base)
	if err == nil && len(out) > settingsMax {
		err = errors.New("they are too long")
	}
	if err != nil {
		return theirs, noHooks(err)
	}
	return out, ""
}

func noHooks(err error) string {
	return fmt.Sprintf("claude runs without Reprise's hooks (its --settings: %v): after /clear it will come back with the older conversation.", err)
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
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.New("the file cannot be read")
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, errors.New("they are no regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, errors.New("the file cannot be read")
	}
	if int64(len(data)) > limit {
		return nil, errors.New("they are too long")
	}
	return data, nil
}

// addHooks appends our hooks behind the ones that the settings have. start is our
// name for the start of a session.
func addHooks(settings map[string]json.RawMessage, prefix, start string) error {
	hooks := map[string]json.RawMessage{}
	if raw, ok := settings["hooks"]; ok {
		if json.Unmarshal(raw, &hooks) != nil || hooks == nil {
			return errors.New("their hooks have another form")
		}
	}
	for _, e := range claudeEvents {
		var list []json.RawMessage
		if raw, ok := hooks[e.name]; ok && json.Unmarshal(raw, &list) != nil {
			return errors.New("their hooks have another form")
		}
		event := e.name
		if event == claudeStart {
			event = start
		}
		ours, err := encode(map[string]any{"hooks": []any{map[string]any{
			"type": "command", "command": prefix + " " + event, "timeout": hookTimeout,
		}}})
		if err != nil {
			return err
		}
		all, err := encode(append(list, json.RawMessage(ours)))
		if err != nil {
			return err
		}
		hooks[e.name] = json.RawMessage(all)
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
