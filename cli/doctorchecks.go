package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"reprise/db"
	"reprise/server"
)

// lookTime bounds one look at the server or the database.
const lookTime = 15 * time.Second

// leastRoom is the least room on the disk, in bytes: below it nothing may be saved soon.
const leastRoom = 64 << 20

func lookAtKeys(_ context.Context, p patient, r *findings) {
	reading, _ := readConfig(p.paths.config)
	k := reading.c.Keys
	r.add(sound, "prefix", fmt.Sprintf("%s, keys of %s", k.Prefix, k.Preset), "")
	if lookEnv(p.env, "TMUX") != "" && k.Prefix == "ctrl+b" {
		r.add(noted, "tmux", "a tmux around Reprise takes ctrl+b first, if that is its prefix", `press it twice, or set keys.prefix = "ctrl+a"`)
	}
	if lookEnv(p.env, "REPRISE_PANE") != "" {
		r.add(noted, "nested", "this is a pane of Reprise: what is said of the terminal is said of the pane", "run reprise doctor outside to see your terminal")
	}
}

func lookAtConfig(_ context.Context, p patient, r *findings) {
	_, faults := faultsOf(p.paths.config, p.env)
	for _, f := range faults {
		r.add(wrong, "config.toml", f, "mend it; reprise config check looks again")
	}
	switch _, err := os.Stat(p.paths.config); {
	case len(faults) > 0:
	case errors.Is(err, fs.ErrNotExist):
		r.add(sound, "config.toml", "there is none: every default is in force", "")
	default:
		r.add(sound, "config.toml", "sound: "+p.tilde(p.paths.config), "")
	}
}

// tilde shortens the home directory in a path.
func (p patient) tilde(path string) string {
	if home := lookEnv(p.env, "HOME"); home != "" && home != "/" {
		if rest, ok := strings.CutPrefix(path, home+"/"); ok {
			return "~/" + rest
		}
	}
	return path
}

func lookAtServer(ctx context.Context, p patient, r *findings) {
	socket, err := p.paths.socket(serverName)
	if err != nil {
		r.add(wrong, "socket", err.Error(), "")
		return
	}
	folder := filepath.Dir(socket)
	if _, err := os.Lstat(folder); errors.Is(err, fs.ErrNotExist) {
		r.add(sound, "socket", "not made yet: "+p.tilde(socket), "")
		r.add(sound, "server", "none is running: reprise starts one", "")
		return
	}
	if err := server.Folder(folder); err != nil { // it is there, so it is only looked at
		r.add(wrong, "socket", err.Error(), "")
		return
	}
	r.add(sound, "socket", fmt.Sprintf("%s, its folder is yours alone", p.tilde(socket)), "")
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	reply, err := server.Request(ctx, socket, "version", []byte("{}"))
	var s identity
	if err == nil {
		err = json.Unmarshal(reply, &s)
	}
	switch {
	case errors.Is(err, server.ErrNoServer):
		r.add(sound, "server", "none is running: reprise starts one", "")
	case err != nil:
		r.add(wrong, "server", "it does not answer: "+err.Error(), "look into "+p.tilde(p.paths.logFile())+"; reprise kill-server ends it, and sessions come back at the next start")
	case s.Build != p.build:
		r.add(noted, "server", fmt.Sprintf("process %d, version %s, is another build than this program (%s)", s.PID, s.Version, versionText()), "reprise upgrade lets it go on as this one")
	default:
		r.add(sound, "server", fmt.Sprintf("process %d, version %s, %s", s.PID, s.Version, counted(s.Sessions, "session")), "")
	}
}

func lookAtState(ctx context.Context, p patient, r *findings) {
	st, err := os.Stat(p.paths.state)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.add(sound, "folder", "not made yet: "+p.tilde(p.paths.state), "")
		return
	case err != nil:
		r.add(wrong, "folder", err.Error(), "set REPRISE_HOME to a folder that can be written")
		return
	case st.Mode().Perm()&0o077 != 0:
		r.add(wrong, "folder", fmt.Sprintf("others may enter %s", p.tilde(p.paths.state)), "run chmod 700 "+p.paths.state)
	case unix.Access(p.paths.state, unix.R_OK|unix.W_OK|unix.X_OK) != nil:
		r.add(wrong, "folder", fmt.Sprintf("%s cannot be written", p.tilde(p.paths.state)), "make it yours (chown), or set REPRISE_HOME to another folder")
	default:
		r.add(sound, "folder", fmt.Sprintf("%s, yours alone", p.tilde(p.paths.state)), "")
	}
	switch n, err := p.free(p.paths.state); {
	case err != nil:
		r.add(noted, "room", err.Error(), "")
	case n < leastRoom:
		r.add(wrong, "room", inBytes(int64(n))+" are free", "make room: what cannot be saved cannot come back")
	default:
		r.add(sound, "room", inBytes(int64(n))+" are free", "")
	}
	lookAtDatabase(ctx, p, r)
}

func lookAtDatabase(ctx context.Context, p patient, r *findings) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	d, err := db.Inspect(ctx, p.paths.state)
	var newer *db.NewerError
	switch {
	case errors.As(err, &newer):
		r.add(wrong, "database", newer.Error(), "")
	case db.Busy(err):
		r.add(noted, "database", "others write to it just now, so it was not looked at", "ask again")
	case err != nil:
		r.add(wrong, "database", err.Error(), "")
	case !d.Exists:
		r.add(sound, "database", "not made yet", "")
	case d.Damage != "":
		r.add(wrong, "database", d.Damage, "the next start sets it aside and begins an empty one; agents keep their own sessions")
	default:
		what := fmt.Sprintf("sound, %s, %s, %s can come back", inBytes(d.Bytes), counted(d.Workspaces, "saved session"), counted(d.Candidates, "agent session"))
		do := ""
		if d.Schema < d.Known {
			do = fmt.Sprintf("its schema %d becomes %d at the next start, after a copy", d.Schema, d.Known)
		}
		r.add(sound, "database", what, do)
		r.add(sound, "unsettled", unsettled(d), "")
	}
	if len(d.Aside) > 0 {
		r.add(noted, "set aside", "damaged databases of before: "+strings.Join(d.Aside, ", "), "remove them when nothing of them is wanted")
	}
}

// unsettled says what is under way, or waits for the next server.
func unsettled(d db.Report) string {
	var all []string
	for _, n := range []struct {
		n    int
		what string
	}{{d.Claims, "resume"}, {d.Unsure, "unsure end"}, {d.Ending, "program that ends"}, {d.Hooks, "hook event"}} {
		if n.n > 0 {
			all = append(all, counted(n.n, n.what))
		}
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ") + ": a server settles them"
}

func lookAtLogin(ctx context.Context, p patient, r *findings) {
	if warning := p.logout(ctx); warning != "" {
		what, do, _ := strings.Cut(warning, ". ")
		r.add(wrong, "logout", what, do)
		return
	}
	r.add(sound, "logout", "a server outlives this login", "")
}

// inBytes is a size in words.
func inBytes(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 40, "TB"}, {1 << 30, "GB"}, {1 << 20, "MB"}, {1 << 10, "kB"}} {
		if n >= u.size {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

func freeRoom(dir string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, fmt.Errorf("look how much room is left: %w", err)
	}
	return st.Bavail * uint64(st.Bsize), nil
}
