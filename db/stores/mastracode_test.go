package stores

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/agent/past"
)

// What mastracode wrote itself is read, with a thread in which nothing was said beside
// it; what is hostile hides none of it.
func TestMastracode(t *testing.T) {
	const id = "36bdfb4f-a5e6-4b55-80bc-3ad6c3b3f265"
	path, _ := made(t, seen(t, "mastracode.sql"), `
		INSERT INTO mastra_threads VALUES
			('broken', 'r', '', X'ffffff', 'no time', '2026-11-30T13:26:00.000Z'), ('a list', 'r', '', '{}', '2026-11-30T13:25:00.000Z', '2026-11-30T13:25:00.000Z'),
			('in-text', 'r', '', '{"projectPath":"/w"}', '2026-11-30T13:24:00.000Z', '2026-11-30T13:24:30.000Z'), ('in-list', 'r', '', '[1]', '', '2026-11-30T13:23:00.000Z');
		INSERT INTO mastra_messages VALUES
			('1', 'broken', '{"parts":[{"type":"text","text":"mend it"}]}', 'user', 'v2', 'no time', 'r'),
			('2', 'in-text', '{"parts":[{"type":"text","text":"mend the parser"},{"type":"tool-invocation"},{"type":"text","text":"now"}]}', 'user', 'v2', '2026-11-30T13:24:00.000Z', 'r'),
			('3', 'in-text', '{"parts":[{"type":"text","text":"26 minutes later"}]}', 'signal', 'system-reminder', '2026-11-30T13:24:10.000Z', 'r'),
			('4', 'in-text', '{{', 'assistant', 'v2', '2026-11-30T13:24:20.000Z', 'r'),
			('5', 'in-list', '{"parts":[{"type":"text","text":"`+strings.Repeat("x", maxCell)+`"}]}', 'user', 'v2', '2026-11-30T13:23:00.000Z', 'r');`)
	list, err := Mastracode().List(path, patient)
	var ids []agent.SessionID
	for _, l := range list {
		ids = append(ids, l.Session)
	}
	if err != nil || !cmp.Equal(ids, []agent.SessionID{id, "52ccd97c-4df1-4b01-8903-2e0ff7fb944d", "broken", "in-text", "in-list"}) {
		t.Fatalf("%v, %v", ids, err)
	}
	got, err := Mastracode().Read(path, append(ids, "unknown"), patient)
	if err != nil || len(got) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i := range got {
		got[i].Begun, got[i].Used = got[i].Begun.UTC(), got[i].Used.UTC()
	}
	at := func(clock string) time.Time {
		day, err := time.Parse(time.RFC3339, "2026-11-30T"+clock+"Z")
		if err != nil {
			t.Fatal(err)
		}
		return day
	}
	want := []past.Conversation{
		{
			Identity: agent.Identity{Session: id}, Dir: "/home/me/proj", First: "remember codeword ZEBRA-17", Last: "codeword is ZEBRA-17 (2 messages)",
			Begun: at("13:27:10.617"), Used: at("13:27:23.73"), Words: got[0].Words,
		},
		{Identity: agent.Identity{Session: "broken"}, First: "mend it", Last: "mend it", Own: true, Used: at("13:26:00"), Words: got[1].Words},
		{
			Identity: agent.Identity{Session: "in-text"}, Dir: "/w", First: "mend the parser\nnow", Last: "mend the parser\nnow", Own: true,
			Begun: at("13:24:00"), Used: at("13:24:20"), Words: got[2].Words,
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if !strings.Contains(got[0].Words, "tell me the word") {
		t.Errorf("its words are %q", got[0].Words)
	}
}
