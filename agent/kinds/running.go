package kinds

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"reprise/agent"
	"reprise/panes"
)

var (
	_ agent.Teller = claude{}
	_ agent.Teller = codex{}
	_ agent.Doer   = claude{}
)

// claudeProcess is sessions/PID.json, which claude writes at its start and removes at a
// clean end.
type claudeProcess struct {
	SessionID  agent.SessionID `json:"sessionId"`
	ProcStart  string          `json:"procStart"` // field 22 of proc(5) stat, on Linux
	Status     string          `json:"status"`
	WaitingFor string          `json:"waitingFor"`
	UpdatedAt  int64           `json:"updatedAt"` // of the status, Unix milliseconds
}

// readClaudeProcess is what claude wrote down of a process; a file of a former process
// with this pid proves nothing.
func readClaudeProcess(home string, p panes.ProcessID) (s claudeProcess, ok bool) {
	root, ok := homeDir(home, ".claude")
	if !ok {
		return s, false
	}
	data, err := readFile(filepath.Join(root, "sessions", strconv.Itoa(p.PID)+".json"), settingsMax)
	if err != nil || json.Unmarshal(data, &s) != nil {
		return s, false
	}
	former := runtime.GOOS == "linux" && s.ProcStart != "" && s.ProcStart != strconv.FormatUint(p.Start, 10)
	return s, !former
}

// Running is agent.Teller's.
func (claude) Running(home string, p panes.ProcessID, _ []string) agent.SessionID {
	if s, ok := readClaudeProcess(home, p); ok && s.SessionID.Valid() {
		return s.SessionID
	}
	return ""
}

// Does is agent.Doer's: the status in the file changes within a second.
func (claude) Does(home string, p panes.ProcessID) (agent.Doing, time.Time) {
	s, ok := readClaudeProcess(home, p)
	doing := map[string]agent.Doing{"idle": agent.Idle, "busy": agent.Working, "waiting": agent.AsksAnswer}[s.Status]
	if s.Status == "waiting" && s.WaitingFor == "permission prompt" {
		doing = agent.AsksPermission
	}
	if !ok || doing == "" {
		return "", time.Time{}
	}
	if s.UpdatedAt <= 0 || s.UpdatedAt > lastMilli {
		return doing, time.Time{}
	}
	return doing, time.UnixMilli(s.UpdatedAt)
}

// lastMilli is the end of the year 9999, in Unix milliseconds: JSON takes no later time.
const lastMilli = 253402300799999

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
