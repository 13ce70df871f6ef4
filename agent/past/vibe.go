package past

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"reprise/agent"
	"reprise/panes/disk"
)

// vibeLine reads a line of vibe's logs/session/<name>/messages.jsonl.
func vibeLine(b []byte) (l line) {
	if !has(b, `"user"`, `"assistant"`) {
		return l
	}
	var v struct {
		Role     string
		Content  content
		Injected bool
	}
	if json.Unmarshal(b, &v) != nil || v.Injected {
		return l
	}
	if l.person = v.Role == "user"; l.person || v.Role == "assistant" {
		l.text = said(v.Content, l.person)
	}
	return l
}

// vibeAbout reads meta.json beside it, which alone has the id, and is written after each
// message: until it is there nothing can be told.
func vibeAbout(path string, s *Conversation) (hidden bool, err error) {
	b, err := ReadSmall(filepath.Join(filepath.Dir(path), "meta.json"), besideMax)
	if err != nil {
		return false, err
	}
	var v struct {
		Session     agent.SessionID `json:"session_id"`
		Start       string          `json:"start_time"`
		End         string          `json:"end_time"`
		Environment struct {
			Dir string `json:"working_directory"`
		}
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return false, err
	}
	s.take(line{session: v.Session, dir: v.Environment.Dir})
	s.Begun, s.Used = vibeTime(v.Start), vibeTime(v.End)
	return false, nil
}

// vibeMoved reads where vibe's config.toml says that sessions are logged. A path that does
// not say where it begins is meant from wherever vibe is started: it is not followed.
func vibeMoved(home string) string {
	path, err := disk.Real(filepath.Join(home, "config.toml"), disk.Glance) // people link their settings
	if err != nil {
		return ""
	}
	b, err := disk.In(path, disk.Read, func(func()) ([]byte, error) { return ReadSmall(path, besideMax) })
	if err != nil {
		return ""
	}
	var v struct {
		Logging struct {
			Dir string `toml:"save_dir"`
		} `toml:"session_logging"`
	}
	if toml.Unmarshal(b, &v) != nil || strings.HasPrefix(v.Logging.Dir, "~") && v.Logging.Dir != "~" && !strings.HasPrefix(v.Logging.Dir, "~/") {
		return ""
	}
	return v.Logging.Dir
}

// vibeTime reads a time of vibe's: with its zone, or as the clock on the wall had it.
func vibeTime(s string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if at, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return at
		}
	}
	return time.Time{}
}
