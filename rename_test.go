package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// A session is renamed from outside and from inside; its clients show it, and a crash
// does not take the name back.
func TestRenamedSession(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach("standin", "codeword NEWT-1")
	c.wait("noted")
	h.verb("rename", "review")
	c.wait("^ review ")
	h.refuses("no session proj is open", "capture", "-s", "proj")
	h.verb("rename", "-p", "1", "newts")
	h.refuses(`"a\\tb" is no name for a pane: it has at most 64 bytes`, "rename", "-p", "1", "a\tb")
	c.send("\x02$\x15spring\r")
	c.wait("^ spring ")
	second := h.attach("new", "-s", "other")
	second.wait("^ other ")
	h.refuses("there is a session spring already: take another name", "rename", "other", "spring")
	h.refuses(`"a\\tb" is no name for a session: it has 1 to 64 bytes`, "rename", "other", "a\tb")
	h.refuses("there is no session nobody: reprise ls lists them", "rename", "nobody", "some")
	h.killServer()
	c.ended()
	second.ended()
	c = h.attach() // the directory's
	c.wait("^ spring ")
	c.asks("NEWT-1")
	paneIs := func(want string) {
		t.Helper()
		h.listed(func(all []listed) bool {
			return slices.ContainsFunc(all, func(s listed) bool { return s.Name == "spring" && s.Panes[0].Name == want })
		})
	}
	paneIs("newts")
	h.verb("rename", "-p", "1", "")
	paneIs("")
	h.verb("rename", "other", "autumn") // it is saved, but not open
	var names []string
	for _, s := range h.ls() {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, " "); got != "autumn spring" {
		t.Errorf("the sessions are %q", got)
	}
	c.send("\x02d")
	c.wait(`^\[detached from spring\]`)
}

// What another session's panes and tabs are called is in the sidebar at once, and so is
// a pane that opens there.
func TestSidebarFollowsOtherSessions(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	other := h.attach("new", "-s", "other", "cat")
	other.wait("^ other ")
	c := h.attach("new", "-s", "mine", "cat")
	c.wait("^ mine ")
	c.send("\x02\t")
	c.wait("other +")
	// Each full minute the client looks at everything by itself: few come that soon.
	soon := func(pattern string) { t.Helper(); comesWithin(t, patience/3, c.text, pattern) }
	h.verb("rename", "-p", h.pane("other"), "liver")
	soon("liver")
	other.send("\x02,\x15lungs\r")
	soon("1 lungs")
	h.verb("rename", "-p", h.verb("split", "-s", "other", "cat"), "spleen")
	soon("spleen")
}

// pane is the first pane of a session.
func (h *home) pane(session string) string {
	h.t.Helper()
	for _, s := range h.ls() {
		if s.Name == session {
			return s.Panes[0].ID
		}
	}
	h.t.Fatalf("there is no session %s", session)
	return ""
}

// What is printed for programs has the documented keys (docs/commands.md).
func TestPrintedKeys(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.attach("standin", "codeword SWAN-1")
	c.wait("noted")
	h.attach("attach", "--read-only").wait("read-only")
	h.attached(2)
	var sessions []map[string]json.RawMessage
	h.decode(&sessions, "ls", "--json")
	hasKeys(t, "session", sessions[0], "name dir open clients tabs panes")
	for what, keys := range map[string]string{
		"clients": "name cols rows read_only",
		"tabs":    "id number focus panes",
		"panes":   "id number tab focus agent session state program dir pid cols rows",
	} {
		var list []map[string]json.RawMessage
		if err := json.Unmarshal(sessions[0][what], &list); err != nil {
			t.Fatal(err)
		}
		hasKeys(t, what, list[len(list)-1], keys)
	}
	var e map[string]json.RawMessage
	h.decode(&e, "explain", "--json")
	hasKeys(t, "explain", e, "pane decisions")
	var decisions []map[string]json.RawMessage
	if err := json.Unmarshal(e["decisions"], &decisions); err != nil || len(decisions) == 0 {
		t.Fatalf("decisions %s: %v", e["decisions"], err)
	}
	hasKeys(t, "decision", decisions[0], "at terminal what why")
}

// decode reads what a command prints for programs.
func (h *home) decode(to any, args ...string) {
	h.t.Helper()
	if err := json.Unmarshal([]byte(h.verb(args...)), to); err != nil {
		h.t.Fatal(err)
	}
}

// hasKeys checks that an object has keys, in lower case like all of its others.
func hasKeys(t *testing.T, what string, o map[string]json.RawMessage, keys string) {
	t.Helper()
	for _, k := range strings.Fields(keys) {
		if _, ok := o[k]; !ok {
			t.Errorf("%s: there is no %s in %q", what, k, o)
		}
	}
	for k := range o {
		if k != strings.ToLower(k) {
			t.Errorf("%s: key %s", what, k)
		}
	}
}
