package kinds

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"reprise/agent"
	"reprise/panes"
)

var (
	_ agent.Teller = claude{}
	_ agent.Teller = codex{}
)

// Running reads sessions/PID.json, which claude writes at its start and removes at a
// clean end: a file of a former process with this pid proves nothing.
func (claude) Running(home string, p panes.ProcessID, _ []string) agent.SessionID {
	root, ok := homeDir(home, ".claude")
	if !ok {
		return ""
	}
	data, err := readFile(filepath.Join(root, "sessions", strconv.Itoa(p.PID)+".json"), settingsMax)
	if err != nil {
		return ""
	}
	var s struct {
		SessionID agent.SessionID `json:"sessionId"`
		ProcStart string          `json:"procStart"` // field 22 of proc(5) stat, on Linux
	}
	if json.Unmarshal(data, &s) != nil || !s.SessionID.Valid() {
		return ""
	}
	if runtime.GOOS == "linux" && s.ProcStart != "" && s.ProcStart != strconv.FormatUint(p.Start, 10) {
		return ""
	}
	return s.SessionID
}

// Running finds the session's file, rollout-<time>-<id>.jsonl, which codex keeps open;
// "" if it has several open.
func (codex) Running(_ string, _ panes.ProcessID, files []string) (id agent.SessionID) {
	for _, path := range files {
		name := filepath.Base(path)
		if ok, _ := filepath.Match("rollout-*.jsonl", name); !ok {
			continue
		}
		name = strings.TrimSuffix(name, ".jsonl")
		found := sessionUUID(name[max(0, len(name)-uuidLen):])
		if found == "" || id != "" && found != id {
			return ""
		}
		id = found
	}
	return id
}

// uuidLen is the length of a UUID's text.
const uuidLen = 36
