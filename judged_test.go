package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// judged is a running reprise in a tmux of its own: what is on its terminal tmux says,
// not our emulator.
type judged struct {
	t      *testing.T
	socket string
	env    []string
}

// judged attaches to the home's server as a person in tmux does.
func (h *home) judged(cols, rows int, args ...string) *judged {
	h.t.Helper()
	dir, err := os.MkdirTemp("", "judge") // a socket's path must be short
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = os.RemoveAll(dir) })
	j := &judged{t: h.t, socket: filepath.Join(dir, "s"), env: h.env}
	start := append([]string{
		"-f", "/dev/null", "set", "-g", "default-terminal", "tmux-256color", ";", "set", "-g", "status", "off", ";", "set", "-s", "escape-time", "0", ";",
		"set", "-s", "set-clipboard", "on", ";", "set", "-g", "remain-on-exit", "on", ";",
		"new-session", "-d", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows), "-c", h.project, bin.reprise,
	}, args...)
	h.t.Cleanup(func() { _, _ = j.try("kill-server") })
	j.run(start...)
	return j
}

func (j *judged) try(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(j.t.Context()), patience) // a cleanup's own has ended
	defer cancel()
	all := []string{"-S", j.socket}
	for _, a := range args {
		if strings.HasSuffix(a, ";") && len(a) > 1 || a == ";" && args[0] == "send-keys" { // else it ends a command
			a = strings.TrimSuffix(a, ";") + `\;`
		}
		all = append(all, a)
	}
	cmd := exec.CommandContext(ctx, "tmux", all...)
	cmd.Env = append(append([]string{}, j.env...), "TMUX=")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (j *judged) run(args ...string) string {
	j.t.Helper()
	out, err := j.try(args...)
	if err != nil {
		j.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return out
}

// text is the screen, row by row; ink the same with its colours.
func (j *judged) text() string { return j.run("capture-pane", "-p") }
func (j *judged) ink() string  { return j.run("capture-pane", "-pe") }

func (j *judged) wait(pattern string) { j.t.Helper(); comes(j.t, j.text, pattern) }
func (j *judged) gone(pattern string) { j.t.Helper(); goes(j.t, j.text, pattern) }

// press presses keys by tmux's names: C-b, Left, Enter, x.
func (j *judged) press(keys ...string) {
	j.t.Helper()
	j.run(append([]string{"send-keys"}, keys...)...)
}

// types types a text, then keys by their names.
func (j *judged) types(text string, keys ...string) {
	j.t.Helper()
	j.run("send-keys", "-l", text)
	if len(keys) > 0 {
		j.press(keys...)
	}
}

// says runs a command in the shell and waits for what it prints.
func (j *judged) says(command, pattern string) {
	j.t.Helper()
	j.types(command, "Enter")
	j.wait(pattern)
}

// mouse sends a mouse event as a terminal does: button, column and row from 1.
func (j *judged) mouse(button, col, row int, up bool) {
	j.t.Helper()
	j.types(mouseEvent(button, col, row, up))
}

// clicks clicks several times in one place: all at once, for the time between the
// clicks of a double one is short.
func (j *judged) clicks(n, col, row int) {
	j.t.Helper()
	j.types(strings.Repeat(mouseEvent(0, col, row, false)+mouseEvent(0, col, row, true), n))
}

func mouseEvent(button, col, row int, up bool) string {
	end := "M"
	if up {
		end = "m"
	}
	return "\x1b[<" + strings.Join([]string{strconv.Itoa(button), strconv.Itoa(col), strconv.Itoa(row)}, ";") + end
}
