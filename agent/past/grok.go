package past

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"

	"reprise/agent"
)

// besideMax bounds what stands beside a conversation and tells of it, in bytes.
const besideMax = 1 << 20

// grokLine reads a line of grok's sessions/<directory>/<id>/updates.jsonl, which has
// what its screen was told: messages as they were typed.
func grokLine(b []byte) (l line) {
	if !has(b, `"user_message_chunk"`, `"agent_message_chunk"`) {
		return l
	}
	var v struct {
		Params struct {
			Update struct {
				Kind    string `json:"sessionUpdate"`
				Content struct{ Type, Text string }
			}
			Meta struct {
				At int64 `json:"agentTimestampMs"`
			} `json:"_meta"`
		}
	}
	if json.Unmarshal(b, &v) != nil {
		return l
	}
	u := v.Params.Update
	l.at, l.person = unixMilli(v.Params.Meta.At), u.Kind == "user_message_chunk"
	if u.Content.Type == "text" && (l.person || u.Kind == "agent_message_chunk") {
		l.text = said(content(u.Content.Text), l.person)
	}
	return l
}

// grokAbout reads summary.json beside it; without one the names of the folders tell.
func grokAbout(path string, s *Conversation) (hidden bool, err error) {
	folder := filepath.Dir(path)
	s.Session = agent.SessionID(filepath.Base(folder))
	var v struct {
		Info struct{ Cwd string }
		Kind string `json:"session_kind"`
	}
	if b, err := ReadSmall(filepath.Join(folder, "summary.json"), besideMax); err == nil && json.Unmarshal(b, &v) == nil {
		s.take(line{dir: v.Info.Cwd})
	}
	if dir, err := url.PathUnescape(filepath.Base(filepath.Dir(folder))); err == nil {
		s.take(line{dir: dir})
	}
	return strings.HasPrefix(v.Kind, "subagent"), nil
}
