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

// claudeFiles is the running form of a program that writes sessions/PID.json in its home,
// as claude does.
const claudeFiles = "claude"

// witnessed is a kind that can tell which session a process of it has open, if its
// program gives it to know: by what it writes down of itself (claudeFiles), or by the
// name of a file that it keeps open, which is then the pattern of it: of as many of the
// last names of its path as it has.
func (k *program) witnessed() agent.Kind {
	switch k.running {
	case "":
		return k
	case claudeFiles:
		return wroteDown{k}
	}
	return keptOpen{k}
}

// wroteDown is a kind whose program writes down what its processes do.
type wroteDown struct{ *program }

// keptOpen is a kind whose program keeps a session's file open.
type keptOpen struct{ *program }

var (
	_ agent.Witness = wroteDown{}
	_ agent.Teller  = wroteDown{}
	_ agent.Doer    = wroteDown{}
	_ agent.Teller  = keptOpen{}
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

// process is what claude wrote down of a process; a file of a former process
// with this pid proves nothing.
func (k wroteDown) process(home string, p panes.ProcessID) (s claudeProcess, ok bool) {
	root, ok := k.store.root(home)
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

// Holds is agent.Witness's.
func (k wroteDown) Holds(home string, p panes.ProcessID, id agent.SessionID) bool {
	return id != "" && k.Running(home, p, nil) == id
}

// Running is agent.Teller's.
func (k wroteDown) Running(home string, p panes.ProcessID, _ []string) agent.SessionID {
	if s, ok := k.process(home, p); ok && s.SessionID.Valid() {
		return s.SessionID
	}
	return ""
}

// Does is agent.Doer's: the status in the file changes within a second.
func (k wroteDown) Does(home string, p panes.ProcessID) (agent.Doing, time.Time) {
	s, ok := k.process(home, p)
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

// lastMilli is in Unix milliseconds when the year 9999 ends first on Earth: JSON takes no
// later time.
const lastMilli = 253402300799999 - 14*60*60*1000

// Running finds the session's file among those that are open; "" if it has several.
func (k keptOpen) Running(_ string, _ panes.ProcessID, files []string) (id agent.SessionID) {
	for _, path := range files {
		found := k.ids.in(lastNames(path, 1+strings.Count(k.running, "/")), k.running)
		if found == "" {
			continue
		}
		if id != "" && found != id {
			return ""
		}
		id = found
	}
	return id
}

// lastNames is the end of a path: n of its names.
func lastNames(path string, n int) string {
	names := strings.Split(path, "/")
	return strings.Join(names[max(0, len(names)-n):], "/")
}
