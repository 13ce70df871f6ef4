package cli

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"reprise/agent"
	"reprise/ui/alert"
	"reprise/ui/frame"
)

func TestTheBarOfTheConfig(t *testing.T) {
	for text, c := range map[string]struct {
		left, right []frame.Part
		wrong       []string
	}{
		"": {frame.DefaultBar.Left, frame.DefaultBar.Right, nil},
		"left = ['host', 'tabs']\nright = ['load', 'clock']": {
			[]frame.Part{frame.PartHost, frame.PartTabs}, []frame.Part{frame.PartLoad, frame.PartClock}, nil,
		},
		"right = []": {frame.DefaultBar.Left, []frame.Part{}, nil},
		"left = ['tabs', 'weather']": {frame.DefaultBar.Left, frame.DefaultBar.Right, []string{
			`config.toml line 2: bar.left takes a list of parts (session, tabs, title, working, agents, clients, branch, load, host, clock), and "weather" is none. The rest is in force.`,
		}},
		"right = ['tabs']": {frame.DefaultBar.Left, frame.DefaultBar.Right, []string{
			`config.toml line 2: bar.right takes a list of parts (session, title, working, agents, clients, branch, load, host, clock), and "tabs" is none. The rest is in force.`,
		}},
		"right = 'clock'": {frame.DefaultBar.Left, frame.DefaultBar.Right, []string{
			`config.toml line 2: bar.right takes a list of parts (session, title, working, agents, clients, branch, load, host, clock). The rest is in force.`,
		}},
		"right = ['clock', 7]": {frame.DefaultBar.Left, frame.DefaultBar.Right, []string{
			`config.toml line 2: bar.right takes a list of parts (session, title, working, agents, clients, branch, load, host, clock), and "7" is none. The rest is in force.`,
		}},
		"left = ['host', 'host']": {frame.DefaultBar.Left, frame.DefaultBar.Right, []string{
			`config.toml line 2: bar.left has "host" twice. The rest is in force.`,
		}},
		"middle = []": {frame.DefaultBar.Left, frame.DefaultBar.Right, []string{
			`config.toml line 2: unknown key bar.middle. The rest is in force.`,
		}},
	} {
		got, wrong := parseConfig([]byte("[bar]\n" + text + "\n"))
		if d := cmp.Diff(frame.BarLayout{Left: c.left, Right: c.right}, *got.settings().Bar); d != "" {
			t.Errorf("%s: the bar (-want +got):\n%s", text, d)
		}
		if d := cmp.Diff(c.wrong, wrong); d != "" {
			t.Errorf("%s: what is wrong (-want +got):\n%s", text, d)
		}
	}
}

func TestNotificationsOfTheConfig(t *testing.T) {
	got, wrong := parseConfig([]byte("[notifications]\nbell = 'off'\nsilence = false\nquiet = '22:00-07:00'\ndesktop = 'on'\nsilence_after = 90\n"))
	want := alert.Settings{
		Off: alert.Bell.Set() | alert.Silence.Set(), Quiet: alert.Hours{From: 22 * 60, To: 7 * 60}, Desktop: true, Silence: 90 * time.Second,
	}
	if d := cmp.Diff(want, got.settings().Alerts); d != "" || wrong != nil {
		t.Errorf("settings (-want +got):\n%s%q", d, wrong)
	}
	got, wrong = parseConfig([]byte("[notifications]\nbell = 'loud'\nquiet = 'nights'\nsilence_after = 0\n"))
	if d := cmp.Diff(alert.Settings{Silence: alert.DefaultSilence}, got.settings().Alerts); d != "" {
		t.Errorf("wrong values are in force (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{
		`config.toml line 2: notifications.bell takes "off" or "on". The rest is in force.`,
		`config.toml line 3: notifications.quiet takes hours such as "22:00-07:00", or "" for none. The rest is in force.`,
		`config.toml line 4: notifications.silence_after takes a number from 1 to 86400. The rest is in force.`,
	}, wrong); d != "" {
		t.Errorf("what is wrong (-want +got):\n%s", d)
	}
}

// What the config says of bar and notifications is written so that it is read as the
// same.
func TestBarAndNotificationsAreWrittenAsRead(t *testing.T) {
	want, _ := parseConfig([]byte("[bar]\nleft = []\nright = ['host']\n[notifications]\ndone = 'off'\nquiet = '07:30-08:00'\n"))
	got, wrong := parseConfig([]byte(want.text(false)))
	if d := cmp.Diff(want.settings().Bar, got.settings().Bar); d != "" || wrong != nil {
		t.Errorf("bar (-want +got):\n%s%q", d, wrong)
	}
	if d := cmp.Diff(want.alerts(), got.alerts()); d != "" {
		t.Errorf("notifications (-want +got):\n%s", d)
	}
	env, wrong := want.overlaid([]string{`REPRISE_BAR_RIGHT=["load"]`, "REPRISE_NOTIFICATIONS_QUIET=21:00-06:00"}, "")
	if len(env.Bar.Right) != 1 || env.Bar.Right[0] != frame.PartLoad || env.Quiet.From != 21*60 || wrong != nil {
		t.Errorf("the environment makes it %+v, %+v, %q", env.Bar, env.Quiet, wrong)
	}
}

func TestAgentsEventsAreAlerts(t *testing.T) {
	var h house
	for what, kind := range map[agent.EventKind]alert.Kind{
		agent.EventDone: alert.Done, agent.EventAsks: alert.Waiting, agent.EventExited: alert.Exit, agent.EventFailed: alert.Failure,
	} {
		h.happens(agent.Event{Pane: "p", What: what, Label: "claude", Words: "words"})
		all := h.Happened().After(h.Happened().Last() - 1)
		if len(all) != 1 || all[0].Kind != kind || all[0].Pane != "p" || all[0].Name != "claude" || all[0].Words != "words" {
			t.Errorf("event %d is %+v", what, all)
		}
	}
}
