package agent

import "strings"

// loginVariables belong to a person's login, not to the workspace: they name
// sockets and screens that are gone when that person comes back from elsewhere.
var loginVariables = []string{
	"DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "KRB5CCNAME", "SSH_AGENT_PID", "SSH_ASKPASS", "SSH_AUTH_SOCK", "SSH_CLIENT",
	"SSH_CONNECTION", "SSH_TTY", "WAYLAND_DISPLAY", "WINDOWID", "XAUTHORITY", "XDG_SESSION_ID", "XDG_SESSION_TYPE",
}

// Login is what belongs to a person's login in the environment of a client that
// has attached, as changes of a workspace's environment: KEY=value sets, a bare KEY
// unsets what the client lacks. Everything else stays the workspace's.
func Login(client []string) []string {
	changes := make([]string, 0, len(loginVariables))
	for _, key := range loginVariables {
		one := key
		for _, e := range client {
			if k, _, ok := strings.Cut(e, "="); ok && k == key {
				one = e
			}
		}
		changes = append(changes, one)
	}
	return changes
}

// SetEnviron changes the environment in which programs are looked up from now on
// (Config.Environ): KEY=value sets, a bare KEY unsets. The host, which starts the
// programs, is told the same by the caller.
func (c *Coordinator) SetEnviron(changes []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.env = applied(c.env, changes)
}

// environ is the environment in which programs are looked up; with more, which
// wins.
func (c *Coordinator) environ(more ...string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return applied(c.env, more)
}

// applied is an environment with changes: KEY=value sets, a bare KEY unsets, a
// later one wins.
func applied(env, changes []string) []string {
	last := map[string]string{}
	for _, e := range changes {
		key, _, _ := strings.Cut(e, "=")
		last[key] = e
	}
	out := make([]string, 0, len(env)+len(changes))
	for _, e := range env {
		if key, _, _ := strings.Cut(e, "="); last[key] == "" {
			out = append(out, e)
		}
	}
	for _, e := range changes {
		if key, _, set := strings.Cut(e, "="); set && last[key] == e {
			out = append(out, e)
			delete(last, key) // the same may stand there twice
		}
	}
	return out
}
