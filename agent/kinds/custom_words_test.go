package kinds_test

import (
	"strings"
	"testing"

	"reprise/agent"
	"reprise/agent/kinds"
)

// Words that say which session is meant are no place to work in: a resume, a copy and a
// fresh session repeat the places alone.
func TestKeptWordsNameNoSession(t *testing.T) {
	id := string(preset)
	c := kinds.Custom{
		Name: "coder", Command: "coder", NewArgs: []string{"chat", "--id", "{session_id}"}, KeepWords: true,
		ResumeArgs: []string{"resume", "{session_id}"}, ForkArgs: []string{"fork", "{session_id}"},
		Latest: []string{"--last"},
	}
	worded := c
	worded.Sessions = kinds.CustomSessions{ResumeWords: []string{"go", "on"}, ForkWords: []string{"fork"}}
	for name, c := range map[string]kinds.Custom{"by its arguments": c, "by its words": worded} {
		t.Run(name, func(t *testing.T) {
			k := kind(t, "coder", c)
			checkResume(t, k, []launchCase{
				{name: "a place", flags: []string{"dir"}, argv: "coder|resume|" + id + "|dir"},
				{name: "a copy", flags: []string{"fork", other, "dir", "fork"}, argv: "coder|resume|" + id + "|dir|fork"},
				{name: "an option between", flags: []string{"fork", "--model", "x", other, "dir"}, argv: "coder|resume|" + id + "|--model|x|dir"},
				{name: "gone on with", flags: []string{"resume", other, "dir"}, argv: "coder|resume|" + id + "|dir"},
				{name: "a picker", flags: []string{"resume"}, argv: "coder|resume|" + id},
				{name: "the last one", flags: []string{"resume", "--last", "dir"}, argv: "coder|resume|" + id + "|dir"},
				{name: "how it begins", flags: []string{"chat", "dir"}, argv: "coder|resume|" + id + "|dir"},
				{name: "no option comes of a word", flags: []string{"--yolo", "--", "--x", "dir"}, argv: "coder|resume|" + id + "|--yolo|--|--x|dir"},
			})
			checkLaunch(t, k, []launchCase{
				{name: "anew after a resume", anew: true, flags: []string{"resume", other, "dir"}, argv: "coder|chat|--id|" + id + "|dir", session: preset},
				{name: "anew after a copy", anew: true, flags: []string{"fork", other, "dir"}, argv: "coder|chat|--id|" + id + "|fork|" + other + "|dir", session: preset},
				{name: "anew after a copy of none", anew: true, flags: []string{"fork"}, argv: "coder|chat|--id|" + id, session: preset},
				{name: "anew keeps words words", anew: true, flags: []string{"--", "--x"}, argv: "coder|chat|--id|" + id + "|--|--x", session: preset},
				{name: "anew after the beginning", anew: true, flags: []string{"chat", "dir"}, argv: "coder|chat|--id|" + id + "|dir", session: preset},
			})
			got := k.(agent.Forker).Fork(agent.LaunchInput{Session: preset, Flags: []string{"fork", other, "dir", "--", "-x"}})
			if want := "fork|" + id + "|dir|--|-x"; strings.Join(got, "|") != want {
				t.Errorf("a copy of a copy is begun by %q, want %q", got, want)
			}
		})
	}
	checkResume(t, kind(t, "coder", worded), []launchCase{
		{name: "by several words", flags: []string{"go", "on", other, "dir"}, argv: "coder|resume|" + id + "|dir"},
		{name: "one of several words", flags: []string{"go", other}, argv: "coder|resume|" + id + "|go|" + other},
	})
}

// A person may say some of a new session's own arguments: what is recorded is the id that
// stands in the command line, or none.
func TestCustomBeginningSaid(t *testing.T) {
	id := string(preset)
	c := kinds.Custom{Name: "coder", Command: "coder", NewArgs: []string{"chat", "--id", "{session_id}"}, ResumeArgs: []string{"chat", "--go", "{session_id}"}, Latest: []string{"--last"}}
	checkLaunch(t, kind(t, "coder", c), []launchCase{
		{name: "the word", flags: []string{"chat", "--model", "x"}, argv: "coder|chat|--id|" + id + "|--model|x", session: preset},
		{name: "behind an option", flags: []string{"--v=1", "chat", "hi"}, argv: "coder|chat|--id|" + id + "|--v=1|hi", session: preset},
		{name: "its own id", flags: []string{"chat", "--id", other}, argv: "coder|chat|--id|" + other, session: other},
		{name: "gone on with", flags: []string{"chat", "--go", other}, argv: "coder|chat|--go|" + other, session: other},
		{name: "the last one", flags: []string{"chat", "--last"}, argv: "coder|chat|--last"},
		{name: "a message", flags: []string{"hi", "chat"}, argv: "coder|chat|--id|" + id + "|hi|chat", session: preset},
		{name: "anew", anew: true, flags: []string{"chat", "hi"}, argv: "coder|chat|--id|" + id, session: preset},
	})
	c.NewArgs = []string{"chat", "new", "{session_id}"}
	checkLaunch(t, kind(t, "coder", c), []launchCase{
		{name: "the words", flags: []string{"chat", "new"}, argv: "coder|chat|new|" + id, session: preset},
		{name: "the words and an id", flags: []string{"chat", "new", other}, argv: "coder|chat|new|" + other, session: other},
		{name: "the words and no id", flags: []string{"chat", "new", "../y"}, argv: "coder|chat|new|../y"},
		{name: "another command", flags: []string{"chat", "list"}, argv: "coder|chat|list"},
	})
	checkLaunch(t, kind(t, "coder", coder), []launchCase{
		{name: "a message like an option", flags: []string{"--", "--session-id"}, argv: "/opt/coder|--session-id|" + id + "|--|--session-id", session: preset},
	})
}
