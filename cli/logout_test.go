package cli

import "testing"

func TestEndsWithLogin(t *testing.T) {
	const (
		login   = "0::/user.slice/user-1000.slice/session-3.scope\n"
		service = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/reprise.service\n"
		older   = "12:pids:/user.slice/user-1000.slice/session-c2.scope\n1:name=systemd:/user.slice/user-1000.slice/session-c2.scope\n"
	)
	for name, c := range map[string]struct {
		cgroups, kills string
		want, asked    bool
	}{
		"a login that kills":          {login, "b true\n", true, true},
		"a login that does not":       {login, "b false\n", false, true},
		"a login without logind":      {login, "", false, true},
		"cgroups of the first kind":   {older, "b true\n", true, true},
		"a unit of the user's":        {service, "b true\n", false, false},
		"a container":                 {"0::/\n", "b true\n", false, false},
		"a scope of another kind":     {"0::/user.slice/my-session-3.scope.d\n", "b true\n", false, false},
		"below the scope of a login":  {"0::/user.slice/session-3.scope/x\n", "b true\n", true, true},
		"nothing is known of cgroups": {"", "b true\n", false, false},
	} {
		asked := false
		got := endsWithLogin(c.cgroups, func() string { asked = true; return c.kills })
		if got != c.want || asked != c.asked {
			t.Errorf("%s: %v, asked %v; want %v, %v", name, got, asked, c.want, c.asked)
		}
	}
}
