package stores

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/agent/past"
)

func TestGoose(t *testing.T) {
	path, _ := made(t, seen(t, "goose.sql"), `
		INSERT INTO sessions (id, working_dir, session_type, updated_at) VALUES
			('20260503_1', '/w', 'user', '2026-05-03 10:00:30'), ('20260503_2', '/w', 'sub_agent', '2026-05-03 10:00:00'), ('20260503_3', '/v', 'user', '2026-05-03 09:00:00');
		INSERT INTO messages (session_id, role, content_json, created_timestamp, metadata_json) VALUES
			('20260503_1', 'user', '[{"type":"text","text":"mend the parser"}]', 1777802400, NULL),
			('20260503_1', 'assistant', '[{"type":"toolRequest","id":"1"}]', 1777802410, '{"userVisible":true}'),
			('20260503_1', 'user', '[{"type":"toolResponse","id":"1"}]', 1777802415, NULL),
			('20260503_1', 'assistant', '[{"type":"text","text":"it is"},{"type":"text","text":"mended"}]', 1777802420, '{"userVisible":true}'),
			('20260503_1', 'user', '[{"type":"text","text":"a summary"}]', 1777802425, '{"userVisible":false}'),
			('20260503_1', 'user', '{{', 1777802426, '{{'),
			('20260503_2', 'user', '[{"type":"text","text":"a subagent"}]', 1777802400, NULL),
			('20260503_3', 'user', '[{"type":"text","text":"in milliseconds"}]', 1777798800000, NULL);`)
	list, err := Goose().List(path, patient)
	if err != nil || len(list) != 2 || list[0].Session != "20260503_1" {
		t.Fatalf("%+v, %v", list, err)
	}
	got, err := Goose().Read(path, []agent.SessionID{"20260503_1", "20260503_3"}, patient)
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	want := []past.Conversation{
		{
			Identity: agent.Identity{Session: "20260503_1"}, Dir: "/w", First: "mend the parser", Last: "it is\nmended",
			Begun: time.Unix(1777802400, 0), Used: time.Unix(1777802426, 0), Words: got[0].Words,
		},
		{
			Identity: agent.Identity{Session: "20260503_3"}, Dir: "/v", First: "in milliseconds", Last: "in milliseconds", Own: true,
			Begun: time.Unix(1777798800, 0), Used: time.Unix(1777798800, 0), Words: got[1].Words,
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
