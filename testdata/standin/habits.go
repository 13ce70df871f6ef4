package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// habits are how a standin misbehaves, by name; some have a value, NAME=VALUE.
// NAME@new and NAME@resume hold for such starts only.
//
//	die              ends with 3 at once
//	die-after-start  ends with 3 after its start hook
//	ignore-hup       survives SIGHUP and the end of its terminal
//	hup-0, hup-1     ends with this status on SIGHUP
//	hup-goodbye      calls its goodbye hook, not certain, on SIGHUP (then 129)
//	uncertain        its goodbye is never certain
//	silent-exit      calls no hook on /exit
//	no-hooks         calls no hook at all
//	start-late       calls its start hook with the first message, as codex
//	own-id           takes no id from outside
//	other-id         says another id than it was told
//	slow-start=MS    waits before its start hook
//	slow-answer=MS   waits before an answer
//	same-group       runs hooks in its own process group, as gemini
type habits map[string]string

func readHabits(list, home string, resumed bool) habits {
	more, _ := os.ReadFile(filepath.Join(home, "do"))
	h := habits{}
	split := func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }
	for _, word := range strings.FieldsFunc(list+","+string(more), split) {
		name, value, _ := strings.Cut(word, "=")
		name, when, only := strings.Cut(name, "@")
		if !only || resumed == (when == "resume") {
			h[name] = value
		}
	}
	return h
}

func (h habits) has(name string) bool { _, ok := h[name]; return ok }

// wait sleeps for the milliseconds of a habit.
func (h habits) wait(name string) {
	if d, err := time.ParseDuration(h[name] + "ms"); err == nil {
		time.Sleep(d)
	}
}

// options are the command line.
type options struct {
	session, resume, fork, model, do, message string
	print, nested                             bool
}

func readOptions(args []string) (options, error) {
	o := options{do: os.Getenv("STANDIN_DO")}
	values := map[string]*string{"--session-id": &o.session, "--resume": &o.resume, "--fork": &o.fork, "--model": &o.model}
	flags := map[string]*bool{"--print": &o.print, "--nested": &o.nested}
	for len(args) > 0 {
		name, value, joined := strings.Cut(args[0], "=")
		args = args[1:]
		if flag := flags[name]; flag != nil {
			*flag = true
			continue
		}
		if !strings.HasPrefix(name, "--") {
			o.message = strings.TrimSpace(o.message + " " + name)
			continue
		}
		if !joined {
			if len(args) == 0 {
				return o, fmt.Errorf("%s needs a value", name)
			}
			value, args = args[0], args[1:]
		}
		switch to := values[name]; {
		case name == "--do":
			o.do += "," + value
		case to == nil:
			return o, fmt.Errorf("unknown option %s", name)
		default:
			*to = value
		}
	}
	if o.session != "" && o.resume != "" {
		return o, errors.New("--session-id and --resume exclude each other")
	}
	return o, nil
}
