package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"reprise/agent"
	"reprise/db"
)

// write makes a file of the home.
func (h *home) write(name string, data []byte, mode os.FileMode) string {
	h.t.Helper()
	path := filepath.Join(h.root, name)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, data, mode)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return path
}

func (h *home) mkdir(name string) string {
	h.t.Helper()
	path := filepath.Join(h.root, name)
	if err := os.MkdirAll(path, 0o700); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// lost is an agent whose program can be taken away.
const lost = `
[agents.lost]
command = "lost"
new_args = ["--session-id", "{session_id}"]
resume_args = ["--resume", "{session_id}"]
`

// installLost puts the program of agent lost into PATH, and returns its file.
func (h *home) installLost() string {
	h.t.Helper()
	dir := h.mkdir("bin")
	h.config(lost)
	h.env = append(h.env, "PATH="+dir+":"+os.Getenv("PATH"))
	path := filepath.Join(dir, "lost")
	if err := os.Symlink(bin.standin, path); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// What cannot be shown or run is refused at once, in words, with status 1, and
// before the screen is taken.
func TestRefusedAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(h *home)
		args    []string
		env     []string
		script  string // run by a shell in the place of reprise
		says    string
	}{
		"unknown agent":      {args: []string{"clade"}, says: `clade is neither an agent nor a program in PATH, did you mean claude\?`},
		"unknown, of config": {args: []string{"standing"}, says: `standing is neither .*, did you mean standin\?`},
		"like no agent":      {args: []string{"frobnicate"}, says: `frobnicate is neither an agent \(claude, codex, gemini, qwen and \d+ more\) nor a program in PATH`},
		"missing binary": {
			prepare: func(h *home) { h.config(lost) }, args: []string{"lost", "--model", "m1"},
			says: `lost is not in PATH: install it or fix PATH, then start again`,
		},
		"missing path":   {args: []string{"./none"}, says: `\./none cannot be run: .*no such file`},
		"a directory":    {args: []string{"/tmp"}, says: `/tmp cannot be run`},
		"unknown option": {args: []string{"--nope"}, says: `--nope`},
		"TERM=dumb":      {env: []string{"TERM=dumb"}, says: `TERM="dumb" cannot move its cursor: .*set TERM to what yours is`},
		"no TERM":        {env: []string{"TERM="}, says: `TERM="" cannot move its cursor`},
		"relative home":  {env: []string{"REPRISE_HOME=here"}, says: `REPRISE_HOME must be an absolute path`},
		"directory gone": {
			script: "mkdir gone && cd gone && rmdir ../gone && exec reprise",
			says:   `this directory is gone: go to one that exists, then start reprise again`,
		},
		"database is no file": {
			prepare: func(h *home) { h.mkdir("state/" + db.File) }, says: `open database .*` + db.File + `: .*is a directory`,
		},
		"state folder is a file": {
			prepare: func(h *home) { h.write("state", nil, 0o600) }, says: `the state folder cannot be made: .*set REPRISE_HOME to a folder`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			if c.prepare != nil {
				c.prepare(h)
			}
			cmd := exec.Command(bin.reprise, c.args...)
			if c.script != "" {
				cmd = exec.Command("/bin/sh", "-c", c.script)
			}
			cmd.Dir, cmd.Env = h.project, append(append([]string{}, h.env...), c.env...)
			p := h.startCommand(cmd, 400, 10)
			if st := p.ended(); st.ExitCode() != 1 {
				t.Errorf("it ended with %v, want status 1", st)
			}
			p.wait(`^reprise: .*` + c.says)
			if n := strings.Count(strings.TrimSpace(p.text()), "\n"); n > 0 {
				t.Errorf("more than one line:\n%s", p.text())
			}
			h.lastLaunch(0)
		})
	}
}

func TestNeedsATerminal(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	cmd := exec.Command(bin.reprise, "standin")
	cmd.Dir, cmd.Env, cmd.Stdin = h.project, h.env, strings.NewReader("codeword X\n")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("it ended with %v, want status 1", err)
	}
	if want := "reprise: reprise needs a terminal on its input and output: start it in one, over SSH with ssh -t\n"; string(out) != want {
		t.Errorf("it says %q, want %q", out, want)
	}
	cmd = exec.Command("/bin/sh", "-c", "exec "+bin.reprise+" </dev/null") // the output is one
	cmd.Dir, cmd.Env = h.project, h.env
	c := h.startCommand(cmd, outerCols, outerRows)
	if st := c.ended(); st.ExitCode() != 1 {
		t.Errorf("it ended with %v, want status 1", st)
	}
	c.wait("needs a terminal on its input")
}

// What is wrong in config.toml is named with its line on the screen; the rest
// applies.
func TestConfigFaults(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		says string
		then func(h *home, c *client)
	}{
		"unknown key": {
			"after_exit = 'hold'\nresume.mod = 'ask'\n",
			`config\.toml line 2: unknown key resume\.mod, did you mean resume\.mode\? The rest is in force\.`,
			func(_ *home, c *client) {
				c.tell("CRAB-1")
				c.send("/exit\r")
				c.wait("◦ standin ended, .* enter restart") // held, as the other line says
			},
		},
		"bad value": {
			"resume.parallel = 0\nresume.mode = 'ask'\n",
			`config\.toml line 1: resume\.parallel takes a number from 1 to 32\. The rest is in force\.`,
			func(h *home, c *client) {
				c.tell("CRAB-2")
				killGroup(h.t, h.lastLaunch(1).PID)
				c.wait("standin session from a moment ago")
				h.lastLaunch(1)
			},
		},
		"wrong agent": {
			"[agents.other]\ncommand = 7\n",
			`config\.toml line 2: agents\.other\.command takes a text; this agent is left out\. The rest is in force\.`,
			func(_ *home, c *client) { c.tell("CRAB-3") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.config(c.text)
			p := h.start("standin")
			p.wait(c.says)
			c.then(h, p)
		})
	}
}

// A config file that cannot be used at all is named, and the defaults hold.
func TestConfigUnusable(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(h *home)
		says    string
	}{
		"syntax error": {
			func(h *home) { h.config("after_exit = \n") },
			`config\.toml line 1: .*None of the file is in force\.`,
		},
		"a directory": {
			func(h *home) {
				path := h.root + "/config/config.toml"
				if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
					h.t.Fatal(err)
				}
			},
			`config\.toml is not a file\. None of the file is in force\.`,
		},
		"10 MB": {
			func(h *home) { h.write("config/config.toml", bytes.Repeat([]byte("#\n"), 5<<20), 0o600) },
			`config\.toml is larger than 1 MiB\. None of the file is in force\.`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			c.prepare(h)
			p := h.start()
			p.wait(c.says)
			p.wait(sh)
		})
	}
}

// A database of a newer reprise is refused and left as it is; the newer one finds
// everything in it.
func TestNewerDatabase(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.start("standin")
	c.tell("SWAN-1")
	session := h.lastLaunch(1).Session
	path := h.leave(c)
	known := setVersion(t, path, 900)
	p := h.startSized(400, 10)
	if st := p.ended(); st.ExitCode() != 1 {
		t.Errorf("it ended with %v, want status 1", st)
	}
	p.wait(fmt.Sprintf(`belongs to a newer reprise \(schema 900, this one knows %d\)\. Update reprise, or set REPRISE_HOME to another folder`, known))
	h.lastLaunch(1)
	setVersion(t, path, known)
	d := h.start()
	if again := h.lastLaunch(2); again.Session != session {
		t.Errorf("session %s after %s", again.Session, session)
	}
	d.asks("SWAN-1")
}

// leave leaves the program once the agent's last hook was heard, and returns the
// path of the database: nobody has it open, and all of it is in this file.
func (h *home) leave(c *client) string {
	h.t.Helper()
	state := filepath.Join(h.root, "state")
	d, err := db.Open(context.Background(), state, db.Options{})
	if err != nil {
		h.t.Fatal(err)
	}
	binding(h.t, d, func(b agent.Binding) bool { return b.LastEvent == "stop" })
	if err := d.Close(); err != nil {
		h.t.Fatal(err)
	}
	c.send("\x02d")
	c.ended()
	path := filepath.Join(state, db.File)
	eventually(h.t, func() error {
		// A hook leaves the log to whoever closes the database next.
		d, err := db.Open(context.Background(), state, db.Options{})
		if err == nil {
			err = d.Close()
		}
		if err != nil {
			return err
		}
		if _, err := os.Stat(path + "-wal"); err == nil {
			return errors.New("the database is open")
		}
		return nil
	})
	return path
}

// setVersion sets a database's schema version (user_version: a big-endian number
// at offset 60 of the file, https://www.sqlite.org/fileformat.html §1.3) and
// returns the one before. No process may have it open.
func setVersion(t *testing.T, path string, version int) (was int) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b [4]byte
	if _, err := f.ReadAt(b[:], 60); err != nil {
		t.Fatal(err)
	}
	was = int(binary.BigEndian.Uint32(b[:]))
	binary.BigEndian.PutUint32(b[:], uint32(version))
	if _, err := f.WriteAt(b[:], 60); err != nil {
		t.Fatal(err)
	}
	return was
}

// A damaged database is set aside and named on the screen; the program starts
// with an empty one and works.
func TestDamagedDatabase(t *testing.T) {
	for name, damage := range map[string]func(b []byte) []byte{
		"no database at all": func([]byte) []byte { return bytes.Repeat([]byte("garbage "), 2000) },
		"cut off":            func(b []byte) []byte { return b[:len(b)/2] },
		"a page of garbage": func(b []byte) []byte {
			return append(append(append([]byte{}, b[:4096]...), bytes.Repeat([]byte{0xa5}, 4096)...), b[8192:]...)
		},
		"another program's": func(b []byte) []byte {
			copy(b[68:], "none") // application_id
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			c := h.start("standin")
			c.tell("TOAD-1")
			path := h.leave(c)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			b = damage(b)
			h.write("state/"+db.File, b, 0o600)
			p := h.start()
			p.wait(`The database was damaged and is now reprise\.db\.damaged-1\. Started empty; agents keep their own sessions\.`)
			p.wait(sh)
			kept, err := os.ReadFile(path + ".damaged-1")
			if err != nil || !bytes.Equal(kept, b) {
				t.Errorf("set aside were %d bytes, %v; want the %d that there were", len(kept), err, len(b))
			}
			p.kill()
			q := h.start("standin") // the new one keeps what it is told
			q.wait("standin, session")
			q.kill()
			isOver(t, h.lastLaunch(2).PID)
			h.start()
			h.lastLaunch(3)
		})
	}
}

// The agent's program is gone when its session is to come back: the pane says so
// and keeps the session.
func TestBinaryMissingAtResume(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	program := h.installLost()
	c := h.start("lost", "codeword FROG-1")
	c.wait("noted")
	c.kill()
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	d := h.start()
	d.wait(`✗ Could not resume lost: lost is not in PATH\. Install it or fix PATH, then retry\.`)
	d.wait(`r retry   d dismiss   s shell here`)
	store := h.store()
	refused := func() (n int) {
		notes, err := store.Notes(context.Background(), "", 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, note := range notes {
			if note.What == "refusal" && strings.HasPrefix(note.Why, "binary-missing") {
				n++
			}
		}
		return n
	}
	d.pressUntil("r", `Could not resume lost`, func() bool { return refused() > 1 }) // it is still not there
	d.wait(`Could not resume lost: lost is not in PATH`)
	h.lastLaunch(1)
	h.installLost()
	d.pressUntil("r", "Could not resume lost", func() bool { return len(h.launched()) > 1 })
	if again := h.lastLaunch(2); !again.Resumed {
		t.Errorf("launched %+v", again)
	}
	d.asks("FROG-1")
}

// The session's directory is gone: as above.
func TestDirectoryMissingAtResume(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.start("standin", "codeword NEWT-1")
	c.wait("noted")
	if err := os.RemoveAll(h.project); err != nil {
		t.Fatal(err)
	}
	killGroup(t, h.lastLaunch(1).PID)
	c.wait(`✗ Could not resume standin: its folder ~/proj is gone\. Bring it back, then retry\.`)
	c.wait(`r retry   d dismiss   s shell here`)
	h.lastLaunch(1)
	h.mkdir("proj")
	c.press("r", "Could not resume standin")
	if again := h.lastLaunch(2); again.Dir != h.project {
		t.Errorf("resumed in %s, want %s", again.Dir, h.project)
	}
	c.asks("NEWT-1")
}

// A terminal of one cell is enough to run in; a larger one shows what runs.
func TestTinyTerminal(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.startSized(1, 1, "standin")
	h.lastLaunch(1)
	binding(t, h.store(), func(b agent.Binding) bool { return b.LastEvent == "start" })
	c.resize(20, 5)
	c.wait("Too small")
	c.wait("20x5, needs 30x8")
	c.send("codeword GNAT-1\r") // the focused pane is typed to all the same
	c.resize(outerCols, outerRows)
	c.wait("noted")
	c.send("\x02%")
	c.wait(sh)
	c.resize(1, 1)
	c.resize(outerCols, outerRows)
	c.send("echo sti''ll\r")
	c.wait("still *$")
	c.send("\x02o")
	c.send("codeword?\r")
	c.wait("the codeword is GNAT-1")
	h.lastLaunch(1)
}

// The workspace is not lost by a start that cannot use its terminal.
func TestRefusalLosesNothing(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.start("standin", "codeword WASP-1")
	c.wait("noted")
	c.kill()
	for _, env := range [][]string{{"TERM=dumb"}, {"PATH=/nowhere"}} {
		p := h.startProgram(bin.reprise, h.project, env, "clade")
		p.ended()
	}
	d := h.start()
	h.lastLaunch(2)
	d.asks("WASP-1")
	if all, err := h.store().Workspaces(context.Background()); err != nil || len(all) != 1 {
		t.Errorf("workspaces %+v, %v; want one", all, err)
	}
}
