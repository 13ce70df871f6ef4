package cli

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"
)

// askTime bounds a question to the system's login manager.
const askTime = 500 * time.Millisecond

// sessionScope is the cgroup of a login's processes (systemd-logind(8)).
var sessionScope = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)/session-[^/]+\.scope(/|$)`) })

// logoutWarning says that a server which was started here ends with this login,
// and what mends that; "" if it does not.
func logoutWarning(ctx context.Context) string {
	cgroup, err := os.ReadFile("/proc/self/cgroup")
	if err != nil || !endsWithLogin(string(cgroup), func() string { return killUserProcesses(ctx) }) {
		return ""
	}
	return "This login ends what it started (KillUserProcesses): the server will not survive it. To mend that, see docs/systemd.md, or run: " +
		"loginctl enable-linger && systemctl --user enable --now reprise.service"
}

// endsWithLogin judges by the process's cgroups and, if that may matter, by what
// logind says of KillUserProcesses.
func endsWithLogin(cgroups string, kills func() string) bool {
	return sessionScope().MatchString(cgroups) && strings.TrimSpace(kills()) == "b true"
}

// killUserProcesses asks logind for its setting (org.freedesktop.login1(5)):
// "b true", "b false", or "" where there is none.
func killUserProcesses(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, "busctl", "--system", "get-property", "org.freedesktop.login1",
		"/org/freedesktop/login1", "org.freedesktop.login1.Manager", "KillUserProcesses").Output()
	if err != nil {
		return ""
	}
	return string(out)
}
