package agent

import (
	"slices"
	"strings"
)

// clientVariables belong to a person's login, not to the workspace: they name
// sockets and screens that are gone when that person comes back from elsewhere.
var clientVariables = []string{
	"DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "KRB5CCNAME", "SSH_AGENT_PID", "SSH_ASKPASS", "SSH_AUTH_SOCK", "SSH_CLIENT",
	"SSH_CONNECTION", "SSH_TTY", "WAYLAND_DISPLAY", "WINDOWID", "XAUTHORITY", "XDG_SESSION_ID", "XDG_SESSION_TYPE",
}

// SetEnviron takes over what belongs to the login of a client that has attached,
// given that client's environment (KEY=value): SSH_AUTH_SOCK, DISPLAY and the like.
// What the client lacks of them is unset. Programs that are started from now on
// get it; nothing of it is recorded with them.
func (c *Coordinator) SetEnviron(client []string) {
	update := make([]string, 0, len(clientVariables))
	for _, key := range clientVariables {
		one := key // a bare KEY unsets it
		for _, e := range client {
			if k, _, ok := strings.Cut(e, "="); ok && k == key {
				one = e
			}
		}
		update = append(update, one)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.login = update
}

// environ is the environment in which programs are looked up; with more, which
// wins.
func (c *Coordinator) environ(more ...string) []string {
	return applied(c.cfg.Environ, slices.Concat(c.loginEnv(), more))
}

// loginEnv is what SetEnviron changed, as a change of an environment.
func (c *Coordinator) loginEnv() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.login
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
