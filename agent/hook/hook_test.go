package hook_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/agent/hook"
	"reprise/agent/kinds"
	"reprise/panes"
)

var epoch = time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)

// calls notes what the command did.
type calls struct {
	recorded, spooled []agent.HookEvent
	recordErr         error
}

func (c *calls) deps(t testing.TB) hook.Deps {
	t.Helper()
	reg, err := kinds.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return hook.Deps{
		Kinds:     reg,
		Ancestors: func() []panes.Proc { return chain("sh", "claude") },
		Terminal:  func(string, string) (panes.ProcessID, error) { return panes.ProcessID{PID: 101}, nil },
		Record: func(state string, e agent.HookEvent) error {
			if state != "/state" {
				t.Errorf("recorded in %s", state)
			}
			c.recorded = append(c.recorded, e)
			return c.recordErr
		},
		Spool: func(_ string, e agent.HookEvent) error {
			c.spooled = append(c.spooled, e)
			return nil
		},
		Now: func() time.Time { return epoch },
	}
}

// chain is a chain of ancestors with the pids 100, 101 …, from command lines.
func chain(lines ...string) []panes.Proc {
	var out []panes.Proc
	for i, l := range lines {
		argv := strings.Fields(l)
		exe := argv[0]
		if strings.HasPrefix(exe, "=") { // an own title: the program is node
			exe, argv[0] = "/usr/bin/node", exe[1:]
		}
		out = append(out, panes.Proc{ID: panes.ProcessID{PID: 100 + i}, Argv: argv, Exe: exe})
	}
	return out
}

func run(t *testing.T, d hook.Deps, stdin io.Reader, args ...string) {
	t.Helper()
	t.Cleanup(func() { signal.Reset(syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT) })
	if status := hook.Run(args, stdin, d); status != 0 {
		t.Errorf("status %d", status)
	}
}

const id = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"

func TestRecord(t *testing.T) {
	for _, c := range []struct {
		name        string
		kind, event string
		stdin       string
		want        agent.HookEvent
	}{
		{
			"claude starts", "claude", "SessionStart", `{"session_id":"` + id + `","cwd":"/x","source":"resume"}`,
			agent.HookEvent{What: agent.HookStart, Session: id, Reason: "resume"},
		},
		{
			"claude ends", "claude", "SessionEnd", `{"session_id":"` + id + `","reason":"prompt_input_exit"}`,
			agent.HookEvent{What: agent.HookGoodbye, Session: id, Reason: "prompt_input_exit", Certain: true},
		},
		{"garbage", "claude", "SessionEnd", "\x00\xff{{{", agent.HookEvent{What: agent.HookGoodbye}},
		{"nothing", "codex", "Stop", "", agent.HookEvent{What: agent.HookStop}},
		{
			"a kind without description", "gone", "start", `{"session_id":"x1"}`,
			agent.HookEvent{What: agent.HookStart, Session: "x1"},
		},
		{"cut off", "claude", "SessionStart", `{"session_id":"` + id + `","sou`, agent.HookEvent{What: agent.HookStart, Session: id}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got calls
			run(t, got.deps(t), strings.NewReader(c.stdin), "/state", c.kind, "nonce", c.event)
			c.want.Nonce, c.want.Kind, c.want.FiredAt, c.want.Depth = "nonce", c.kind, epoch, 1
			if d := cmp.Diff([]agent.HookEvent{c.want}, got.recorded); d != "" || len(got.spooled) != 0 {
				t.Errorf("spooled %v, recorded (-want +got):\n%s", got.spooled, d)
			}
		})
	}
}

func TestRefusedArguments(t *testing.T) {
	for _, args := range [][]string{
		{},
		{"/state", "claude", "n"},
		{"/state", "claude", "n", "Stop", "more"},
		{"state", "claude", "n", "Stop"},
		{"/state", "", "n", "Stop"},
		{"/state", "claude", "n m", "Stop"},
		{"/state", "claude", "n", "Stop\x1b"},
		{"/state", "claude", strings.Repeat("n", 129), "Stop"},
	} {
		var got calls
		run(t, got.deps(t), strings.NewReader("{}"), args...)
		if len(got.recorded)+len(got.spooled) != 0 {
			t.Errorf("%q was taken", args)
		}
	}
}

func TestSpool(t *testing.T) {
	got := calls{recordErr: errors.New("locked")}
	run(t, got.deps(t), strings.NewReader("{}"), "/state", "claude", "n", "Stop")
	if len(got.spooled) != 1 || got.spooled[0].What != agent.HookStop {
		t.Errorf("spooled %v", got.spooled)
	}
}

func TestPanicIsNoVeto(t *testing.T) {
	var got calls
	d := got.deps(t)
	d.Record = func(string, agent.HookEvent) error { panic("broken") }
	run(t, d, strings.NewReader("{}"), "/state", "claude", "n", "Stop")
}

// TestUnknownTerminal: without the database the oldest ancestor with the nonce
// stands for the terminal's process; without that the chain is broken.
func TestUnknownTerminal(t *testing.T) {
	var got calls
	d := got.deps(t)
	d.Terminal = func(string, string) (panes.ProcessID, error) { return panes.ProcessID{}, errors.New("locked") }
	procs := chain("sh", "claude", "sh", "claude", "reprise")
	d.Ancestors = func() []panes.Proc { return procs }
	run(t, d, strings.NewReader("{}"), "/state", "claude", "n", "Stop")
	for i := range procs[:4] {
		procs[i].Nonce = "n"
	}
	run(t, d, strings.NewReader("{}"), "/state", "claude", "n", "Stop")
	if len(got.recorded) != 2 || got.recorded[0].Depth != agent.DepthBroken || got.recorded[1].Depth != 2 {
		t.Errorf("recorded %+v", got.recorded)
	}
}

// TestOpenPipe: an agent that does not close the pipe, or stops half-way, costs
// nothing, or two seconds.
func TestOpenPipe(t *testing.T) {
	for _, c := range []struct {
		write string
		waits time.Duration
	}{
		{`{"session_id":"` + id + `"}`, 0},
		{`{"session_id":"` + id + `",`, 2 * time.Second},
		{``, 2 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			r, w := io.Pipe()
			go func() { _, _ = io.WriteString(w, c.write) }()
			var got calls
			start := time.Now()
			run(t, got.deps(t), r, "/state", "claude", "n", "SessionStart")
			if took := time.Since(start); took != c.waits {
				t.Errorf("%q: waited %v", c.write, took)
			}
			if want := c.write != ""; len(got.recorded) != 1 || (got.recorded[0].Session == id) != want {
				t.Errorf("%q: recorded %+v", c.write, got.recorded)
			}
			_ = w.Close()
			_ = r.Close()
		})
	}
}

// TestTerminalIsNotRead: on a terminal the bytes are keys of a person.
func TestTerminalIsNotRead(t *testing.T) {
	dev, err := os.Open("/dev/zero")
	if err != nil {
		t.Skip(err)
	}
	defer dev.Close()
	var got calls
	run(t, got.deps(t), dev, "/state", "claude", "n", "Stop")
	if at, err := dev.Seek(0, io.SeekCurrent); len(got.recorded) != 1 || err == nil && at != 0 {
		t.Errorf("recorded %v at %d", got.recorded, at)
	}
}

func TestDeafToSignals(t *testing.T) {
	var got calls
	d := got.deps(t)
	d.Record = func(string, agent.HookEvent) error {
		for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} {
			if !signal.Ignored(sig) {
				t.Errorf("%v would end it", sig)
			}
		}
		return nil
	}
	run(t, d, strings.NewReader("{}"), "/state", "claude", "n", "Stop")
}

// TestPayload compares the scanner with encoding/json on well-formed payloads.
func TestPayload(t *testing.T) {
	for _, s := range []string{
		`{}`, ` { } `, `{"a":"b"}`, `{"a":1,"b":true,"c":null,"d":-1.5e3}`, `{"a":"x\"y\\","b":"é\n"}`,
		`{"a":{"session_id":"no"},"b":["x",{"y":"}"}],"session_id":"yes"}`, "{\n\t\"a\" : \"b\" ,\r\n \"c\":2 }",
		`{"a":"b"} {"a":"c"}`, `{"a":1,"a":2}`, `{"\u0061b":"c"}`, `{"prompt":"` + strings.Repeat("x", 10<<20) + `","session_id":"late"}`,
		`{"t":[` + strings.Repeat(`{"k":["v"]},`, 100000) + `1],"session_id":"late"}`,
	} {
		var all, want map[string]json.RawMessage
		if err := json.NewDecoder(strings.NewReader(s)).Decode(&all); err != nil {
			t.Fatal(err)
		}
		want = map[string]json.RawMessage{}
		for k, v := range all {
			if v[0] != '{' && v[0] != '[' && len(v) <= 1024 {
				want[k] = v
			}
		}
		if d := cmp.Diff(want, hook.Scan(strings.NewReader(s))); d != "" {
			t.Errorf("%.60s: (-want +got):\n%.600s", s, d)
		}
	}
}

func TestPayloadBounds(t *testing.T) {
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, `"k%d":1,`, i)
	}
	for name, c := range map[string]struct {
		in   string
		want int
	}{
		"many keys":      {`{` + many.String() + `"a":1}`, 64},
		"long key":       {`{"` + strings.Repeat("k", 100) + `":1,"a":2}`, 1},
		"long value":     {`{"a":"` + strings.Repeat("v", 2000) + `","b":2}`, 1},
		"long number":    {`{"a":` + strings.Repeat("1", 100) + `,"b":2}`, 0},
		"bad escape":     {`{"a":"\q","b":2}`, 1},
		"bad word":       {`{"a":maybe,"b":2}`, 1},
		"no object":      {`["a"]`, 0},
		"deep":           {`{"x":` + strings.Repeat("[", 1<<20), 0},
		"endless string": {`{"a":1,"x":"` + strings.Repeat("y", 1<<20), 1},
		"no colon":       {`{"a" 1}`, 0},
	} {
		if got := hook.Scan(strings.NewReader(c.in)); len(got) != c.want {
			t.Errorf("%s: %d fields", name, len(got))
		}
	}
	endless := hook.Scan(io.MultiReader(strings.NewReader(`{"a":1,"x":"`), zeroes{}))
	if len(endless) != 1 {
		t.Errorf("endless: %v", endless)
	}
}

// zeroes is a stream that never ends.
type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func FuzzPayload(f *testing.F) {
	for _, s := range []string{`{"a":"b","c":{"d":1}}`, `{"a":"\u00e9\\"}`, `{"a":tru`, "{\"\":1}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := hook.Scan(strings.NewReader(s))
		var all map[string]json.RawMessage
		if json.Unmarshal([]byte(s), &all) != nil || len(all) > 64 {
			return
		}
		for k, v := range got {
			if cmp.Diff(all[k], v) != "" {
				t.Fatalf("%q: %q is %s, not %s", s, k, v, all[k])
			}
		}
	})
}
