package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// command runs a line that begins with a slash.
//
//	/exit           ends, with a certain goodbye
//	/die N          ends with status N, without a word
//	/clear          goes on under a new id
//	/resume ID      goes on with another conversation
//	/fork           goes on with a copy under a new id
//	/nested         runs another standin, which calls the same hooks
//	/ask            waits for a permission
//	/env NAME, /model, /pwd, /id  show it
//	/lines N        prints N lines
func (s *standin) command(line string) (status int, ends bool) {
	verb, arg, _ := strings.Cut(line, " ")
	n, _ := strconv.Atoi(arg)
	switch verb {
	case "/exit":
		if s.do.has("silent-exit") {
			return 0, true
		}
		return s.goodbye(), true
	case "/die":
		return n, true
	case "/clear":
		s.hook("goodbye", map[string]any{"reason": "clear"})
		s.change(newID())
		s.start("clear")
		say("session %s", s.current())
	case "/resume":
		s.change(arg)
		s.start("resume")
		say("session %s", arg)
	case "/fork":
		was, _ := os.ReadFile(s.file())
		s.change(newID())
		s.append(was)
		s.start("fork")
		say("session %s", s.current())
	case "/nested":
		say("nested ended: %v", nested())
	case "/ask":
		s.hook("ask", nil)
	case "/env":
		say("%s=%s", arg, os.Getenv(arg))
	case "/model":
		say("model %s", s.model)
	case "/pwd":
		dir, _ := os.Getwd()
		say("dir %s", dir)
	case "/id":
		say("id %s", s.current())
	case "/lines":
		for i := range n {
			say("line %d", i+1)
		}
	default:
		say("unknown command %s", verb)
	}
	return 0, false
}

func say(format string, args ...any) { fmt.Printf(format+"\r\n", args...) }

// nested runs another agent inside this one: its hooks must change nothing.
func nested() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c := exec.Command(self, "--nested", "--print", "--session-id", newID())
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
}

// hook calls the hook command and waits for it.
func (s *standin) hook(event string, fields map[string]any) {
	call := os.Getenv("REPRISE_HOOK")
	if call == "" || s.do.has("no-hooks") {
		return
	}
	payload := map[string]any{"session_id": s.current(), "event": event, "time": time.Now()}
	for k, v := range fields {
		payload[k] = v
	}
	data, err := json.Marshal(payload)
	if err != nil {
		return
	}
	c := exec.Command("sh", "-c", call+" "+event)
	c.Stdin = bytes.NewReader(data)
	// Most agents do this; a signal to their group then spares the hook.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: !s.do.has("same-group")}
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		say("standin: hook %s: %v %s", event, err, out)
	}
}
