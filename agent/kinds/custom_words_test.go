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
