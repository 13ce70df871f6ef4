package past

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// lay writes files below a home, and tells in one line each what is read of them.
func lay(t *testing.T, files map[string]string) []string {
	t.Helper()
	home := t.TempDir()
	for name, text := range files {
		path := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	m := memory{}
	stats := m.refresh(t, home)
	var got []string
	for _, s := range m.sessions() {
		begun := int64(0)
		if !s.Begun.IsZero() {
			begun = s.Begun.Unix()
		}
		got = append(got, fmt.Sprintf("%s %s %s <%s> <%s> own %v from %d", s.Kind, s.Session, s.Dir, s.First, s.Last, s.Own, begun))
	}
	if stats.Failed > 0 {
		got = append(got, fmt.Sprintf("failed %d", stats.Failed))
	}
	return got
}

func checkLaid(t *testing.T, what string, files map[string]string, want string) {
	t.Helper()
	if got := strings.Join(lay(t, files), ", "); got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

func TestGrok(t *testing.T) {
	const dir = ".grok/sessions/%2Fw/0000-1111/"
	say := func(who, text string) string {
		return fmt.Sprintf(`{"timestamp":1700000000,"method":"session/update","params":{"sessionId":"other","update":{"sessionUpdate":"%s_message_chunk","content":{"type":"text","text":%q}},"_meta":{"agentTimestampMs":1700000001000}}}`+"\n", who, text)
	}
	talk := say("user", "why?") + `{"params":{"update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}}}}` + "\n" + say("agent", "because")
	checkLaid(t, "a conversation", map[string]string{dir + "updates.jsonl": talk, dir + "summary.json": `{"info":{"cwd":"/v"},"session_kind":null}`}, "grok 0000-1111 /v <why?> <because> own false from 1700000001")
	checkLaid(t, "without a summary", map[string]string{dir + "updates.jsonl": talk}, "grok 0000-1111 /w <why?> <because> own false from 1700000001")
	checkLaid(t, "a subagent's", map[string]string{dir + "updates.jsonl": talk, dir + "summary.json": `{"info":{"cwd":"/v"},"session_kind":"subagent_fork"}`}, "")
	checkLaid(t, "no message yet", map[string]string{dir + "chat_history.jsonl": `{"type":"user","content":"rules"}`, dir + "summary.json": `{}`}, "")
	checkLaid(t, "an image, and values of another kind", map[string]string{
		dir + "updates.jsonl": `{"params":{"update":{"sessionUpdate":"user_message_chunk","content":{"type":"image","data":"x"}}}}` + "\n" +
			`{"params":{"update":{"sessionUpdate":"user_message_chunk","content":["text"]}}}` + "\n" + say("user", "see this"),
		dir + "summary.json": strings.Repeat(" ", besideMax+1),
	}, "grok 0000-1111 /w <see this> <see this> own true from 1700000001")
}

func TestVibe(t *testing.T) {
	const dir = ".vibe/logs/session/session_20260927_080000_1234abcd/"
	const id = "1234abcd-0000-4000-8000-000000000000"
	begun := time.Date(2026, 1, 27, 8, 0, 0, 0, time.Local)
	meta := `{"session_id": "` + id + `", "start_time": "2026-01-27T08:00:00.000000", "end_time": null, "environment": {"working_directory": "/w"}, "config": {}}`
	talk := `{"role": "user", "content": "house rules", "injected": true}` + "\n" + `{"role": "user", "content": "fix the login bug", "message_id": "1"}` + "\n" +
		`{"role": "tool", "content": "the \"user\" said", "tool_call_id": "2"}` + "\n" + `{"role": "assistant", "content": "fixed"}` + "\n" + `{"role": "assistant", "tool_calls": []}` + "\n"
	want := fmt.Sprintf("vibe %s /w <fix the login bug> <fixed> own false from %d", id, begun.Unix())
	checkLaid(t, "a conversation", map[string]string{dir + "messages.jsonl": talk, dir + "meta.json": meta}, want)
	zoned := strings.Replace(meta, "08:00:00.000000", "08:00:00.000000"+begun.Format("-07:00"), 1)
	checkLaid(t, "a time with its zone", map[string]string{dir + "messages.jsonl": talk, dir + "meta.json": zoned}, want)
	checkLaid(t, "its second file is being written", map[string]string{dir + "messages.jsonl": talk}, "failed 1")
	checkLaid(t, "half of it is there", map[string]string{dir + "messages.jsonl": talk, dir + "meta.json": meta[:40]}, "failed 1")
	checkLaid(t, "an id like an option", map[string]string{dir + "messages.jsonl": talk, dir + "meta.json": `{"session_id":"--yolo"}`}, "")
	const moved = "notes/session_20260927_080000_1234abcd/"
	for says, want := range map[string]string{
		`"~/notes"`: want, `""`: "", `"notes"`: "", `"~notes"`: "", `7`: "", `"~/none"`: "",
	} {
		checkLaid(t, "where its settings say: "+says, map[string]string{
			".vibe/config.toml":      "[session_logging]\nenabled = true\nsave_dir = " + says + "\n",
			moved + "messages.jsonl": talk, moved + "meta.json": meta,
		}, want)
	}
	for _, config := range []string{"", "[session_logging]\nsave_dir = ''\n", "no toml", "session_logging = 7", strings.Repeat("#", besideMax+1)} {
		checkLaid(t, "where they say nothing: "+config[:min(20, len(config))], map[string]string{
			".vibe/config.toml": config, dir + "messages.jsonl": talk, dir + "meta.json": meta,
		}, want)
	}
	checkLaid(t, "a subagent's", map[string]string{dir + "agents/x/messages.jsonl": talk, dir + "agents/x/meta.json": meta}, "")
}

func TestAmp(t *testing.T) {
	const path = ".local/share/amp/threads/T-0000-1111.json"
	thread := `{"v":5,"id":"T-other","created":1700000000000,"messages":[
		{"role":"user","messageId":0,"content":[{"type":"text","text":"fix the login bug"}],"meta":{"sentAt":1700000001000}},
		{"role":"assistant","messageId":1,"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"fixed"},{"type":"tool_use","id":"1","input":{"text":7}}]},
		{"role":"user","messageId":2,"content":[{"type":"tool_result","toolUseID":"1","run":{"status":"done","result":{"output":"x"}}}]}
		],"title":"Login","env":{"initial":{"trees":[{"uri":"file:///w/my%20project"}]}}}`
	const want = "amp T-0000-1111 /w/my project <fix the login bug> <fixed> own false from 1700000000"
	checkLaid(t, "a thread", map[string]string{path: thread, filepath.Dir(path) + "/index.json": thread}, want)
	checkLaid(t, "half of it is there", map[string]string{path: thread[:200]}, "amp T-0000-1111  <fix the login bug> <fix the login bug> own true from 1700000000")
	checkLaid(t, "nothing said", map[string]string{path: `{"id":"T-0000-1111","created":1,"messages":[]}`}, "")
	for _, no := range []string{"", "[]", "7", `{"messages":7}`, `{"messages":[7]}`, `{"messages":{"role":"user","content":"x"}}`, strings.Repeat("[", 99999)} {
		checkLaid(t, fmt.Sprintf("%.20s", no), map[string]string{path: no}, "")
	}
	long := strings.Replace(thread, "it is", "", 1)
	long = strings.Replace(long, `{"role":"assistant"`, `{"role":"assistant","content":"`+strings.Repeat("x", ampMax)+`"},{"role":"assistant"`, 1)
	checkLaid(t, "one of megabytes", map[string]string{path: long}, "amp T-0000-1111  <fix the login bug> <> own false from 1700000000")
}
