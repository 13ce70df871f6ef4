package past

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What a person said to kimi is told from what it added itself; what stands beside the
// file is believed as far as it can be so.
func TestKimi(t *testing.T) {
	const said = `{"type":"context.append_message","time":1796043052170,"message":{"role":"user","content":[{"type":"text","text":"mend the parser"}],"origin":{"kind":"user"}}}` + "\n" +
		`{"type":"context.append_message","time":1796043052180,"message":{"role":"user","content":[{"type":"text","text":"a reminder"}],"origin":{"kind":"injection"}}}` + "\n" +
		`{"type":"context.append_loop_event","time":1796043052190,"event":{"type":"content.part","part":{"type":"think","think":"it is hard","text":"hm"}}}` + "\n" +
		`{"type":"context.append_loop_event","time":1796043052200,"event":{"type":"content.part","part":{"type":"text","text":"it is mended"}}}` + "\n"
	const injected = `{"type":"context.append_message","time":1,"message":{"role":"user","content":"a reminder","origin":{"kind":"injection"}}}` + "\n"
	for _, c := range []struct{ name, id, wire, state, dir, last string }{
		{"one", "session_1", said, `{"cwd":"/w","title":"x"}`, "/w", "it is mended"},
		{"no state", "session_1", said, "", "", "it is mended"},
		{"a line without its time", "session_1", strings.Replace(injected, `"time":1,`, "", 1) + said, "", "", "it is mended"},
		{"a relative directory", "session_1", said, `{"cwd":"w"}`, "", "it is mended"},
		{"control characters", "session_1", said, `{"cwd":"/w\u001b[31m"}`, "", "it is mended"},
		{"another form", "session_1", said, `{"cwd":["/w"]}`, "", "it is mended"},
		{"too long", "session_1", said, `{"x":"` + strings.Repeat("x", stateMax) + `","cwd":"/w"}`, "", "it is mended"},
		{"half a line", "session_1", said + `{"type":"context.append_loop_event","event":{"type":"content.part","part":{"type":"text","text":"half"}}}`, `{"cwd":"/w"}`, "/w", "it is mended"},
		{"nothing said", "session_1", injected, `{"cwd":"/w"}`, "", ""},
		{"no id", "--yolo", said, `{"cwd":"/w"}`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			folder := filepath.Join(home, ".kimi-code", "sessions", "wd_w_1", c.id)
			if err := os.MkdirAll(filepath.Join(folder, "agents", "main"), 0o700); err != nil {
				t.Fatal(err)
			}
			for path, text := range map[string]string{"agents/main/wire.jsonl": c.wire, "state.json": c.state} {
				if text == "" {
					continue
				}
				if err := os.WriteFile(filepath.Join(folder, path), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			m := memory{}
			m.refresh(t, home)
			all := m.sessions()
			if c.last == "" {
				if len(all) != 0 {
					t.Errorf("%+v", all)
				}
				return
			}
			if len(all) != 1 {
				t.Fatalf("%+v", all)
			}
			s := all[0]
			if string(s.Session) != c.id || s.Dir != c.dir || s.First != "mend the parser" || s.Last != c.last || s.Own || strings.Contains(s.Words, "reminder") {
				t.Errorf("%+v", s)
			}
			if now := time.Now(); s.Used.After(now) || s.Begun.After(s.Used) || s.Begun.Year() == 1970 {
				t.Errorf("from %v to %v", s.Begun, s.Used)
			}
		})
	}
}
