package past

import (
	"encoding/json"
	"path/filepath"

	"reprise/agent"
)

// kimiLine reads a line of kimi's sessions/<directory>/<id>/agents/main/wire.jsonl. Its
// times are milliseconds since 1970.
func kimiLine(b []byte) (l line) {
	if !has(b, `"context.append_message"`, `"content.part"`) {
		return l
	}
	var v struct {
		Type    string
		Time    int64
		Message struct {
			Role    string
			Content content
			Origin  struct{ Kind string } // what else than user is the program's own
		}
		Event struct {
			Type string
			Part struct{ Type, Text string }
		}
	}
	if json.Unmarshal(b, &v) != nil {
		return l
	}
	l.at = unixMilli(v.Time)
	switch {
	case v.Type == "context.append_message" && v.Message.Role == "user" && v.Message.Origin.Kind == "user":
		l.person, l.text = true, said(v.Message.Content, true)
	case v.Type == "context.append_loop_event" && v.Event.Type == "content.part" && v.Event.Part.Type == "text":
		l.text = said(content(v.Event.Part.Text), false)
	}
	return l
}

// stateMax bounds what is read of the file beside a session's, in bytes.
const stateMax = 64 << 10

// kimiPlace reads a kimi session's id, which its folder is called, and its directory,
// which stands in the file state.json there.
func kimiPlace(path string, s *Conversation) (hidden bool, err error) {
	folder := filepath.Dir(filepath.Dir(filepath.Dir(path)))
	s.Session = agent.SessionID(filepath.Base(folder))
	var state struct{ Cwd string }
	if b, err := ReadSmall(filepath.Join(folder, "state.json"), stateMax); err == nil && json.Unmarshal(b, &state) == nil {
		s.take(line{dir: state.Cwd})
	}
	return false, nil
}
