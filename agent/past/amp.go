package past

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"reprise/agent"
)

// ampMax bounds what is read of one of amp's threads, in bytes: of a longer one the
// beginning is known, and not what was said last.
const ampMax = 8 << 20

// readAmp reads one of amp's threads/<id>.json: one value, with all messages. A file
// that is no such value has no conversation, or is just being written.
func readAmp(path string, alive func()) ([]Conversation, error) {
	f, mark, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := Conversation{}
	s.Session = agent.SessionID(strings.TrimSuffix(filepath.Base(path), ".json"))
	lines := s.ampThread(json.NewDecoder(io.NewSectionReader(pieces{f, alive}, 0, ampMax)))
	talked, err := s.gather(
		func(see func(line) bool) error {
			for _, l := range lines {
				if !see(l) {
					break
				}
			}
			return nil
		},
		func(see func(line) bool) error {
			if mark.Size > ampMax {
				return nil
			}
			for _, l := range slices.Backward(lines) {
				if !see(l) {
					break
				}
			}
			return nil
		},
	)
	if err != nil || !talked {
		return nil, err
	}
	s.mend(time.Unix(0, mark.Time))
	return []Conversation{s}, nil
}

// ampThread reads a thread as far as it goes: its messages, and what it says of itself.
func (s *Conversation) ampThread(in *json.Decoder) (lines []line) {
	if t, err := in.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return lines
		}
		switch key {
		case "created":
			var at int64
			err = in.Decode(&at)
			s.Begun = unixMilli(at)
		case "env":
			var env struct {
				Initial struct{ Trees []struct{ URI string } }
			}
			if err = in.Decode(&env); err == nil && len(env.Initial.Trees) > 0 {
				if u, err := url.Parse(env.Initial.Trees[0].URI); err == nil && u.Scheme == "file" {
					s.take(line{dir: u.Path})
				}
			}
		case "messages":
			lines, err = ampMessages(in)
		default:
			var skip json.RawMessage
			err = in.Decode(&skip)
		}
		if err != nil {
			return lines
		}
	}
	return lines
}

func ampMessages(in *json.Decoder) (lines []line, err error) {
	if t, err := in.Token(); err != nil || t != json.Delim('[') {
		return nil, err
	}
	for in.More() {
		var m struct {
			Role    string
			Content content
			Meta    struct{ SentAt int64 }
		}
		if err := in.Decode(&m); err != nil {
			return lines, err
		}
		l := line{person: m.Role == "user", at: unixMilli(m.Meta.SentAt)}
		if l.person || m.Role == "assistant" {
			l.text = said(m.Content, l.person)
		}
		lines = append(lines, l)
	}
	_, err = in.Token() // ]
	return lines, err
}
