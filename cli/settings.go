package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"reprise/ui"
	"reprise/ui/alert"
	"reprise/ui/frame"
)

// setting is one key of config.toml.
type setting struct {
	key string
	doc string // for the file that init writes
	takes
	set func(c *config, v any) error
	get func(c *config) any // a string or an int, as set takes it
}

// settings is the whole of config.toml but the tables [keys.bind] and [agents.NAME]. It is
// made when it is asked for first: many a run of reprise reads no settings.
var settings = sync.OnceValue(func() []setting {
	return []setting{
		word("after_exit", "what follows when an agent was quit", func(c *config) *string { return &c.AfterExit }, "shell", "hold", "close"),
		number("scrollback", "lines that a pane keeps of what left the top of its screen", func(c *config) *int { return &c.Scrollback }, 0, maxScrollback),
		word("restore_scrollback", "whether what panes show is kept on disk, to be shown again after the server died", func(c *config) *string { return &c.RestoreScrollback }, "on", "off"),
		word("history", "whether past sessions are looked for in what agents keep on this machine", func(c *config) *string { return &c.History }, "on", "off"),
		word("clipboard", "whether programs may set your clipboard", func(c *config) *string { return &c.Clipboard }, "off", "write"),
		word("resume.mode", "whether a dead session resumes by itself, asks, or waits for the key", func(c *config) *string { return &c.ResumeMode }, "auto", "ask", "off"),
		word("resume.scope", "which panes resume by themselves", func(c *config) *string { return &c.ResumeScope }, "visible", "all"),
		number("resume.parallel", "how many resumes are launched at once", func(c *config) *int { return &c.Parallel }, 1, 32),
		word("resume.typed", "whether agents that you type in a shell are known and come back, too", func(c *config) *string { return &c.Typed }, "on", "off"),
		{"resume.max_age", `a session whose last sign of life is older asks first; such as "7d" or "36h", "0" is never`, agesTaken, setMaxAge, func(c *config) any { return ageText(c.MaxAge) }},
		{"ui.theme", `the colours: "auto" is ink or paper by the terminal's background; a theme's name; or a pair such as {light = "paper", dark = "bakelite"}`, takes{other: "`\"auto\"`, a theme's name, a pair", schema: themeSchema()}, setTheme, getTheme},
		word("ui.ascii", "draw with ASCII alone", func(c *config) *string { return &c.ASCII }, "auto", "on", "off"),
		onOff("ui.screen_reader", "for who hears the screen: nothing is drawn but text, and what changes is said in one line at the foot", func(c *config) *string { return &c.ScreenReader }),
		word("ui.confirm_paste", "whether lines are pasted only when you said so into a program that would take them for typed ones", func(c *config) *string { return &c.ConfirmPaste }, "on", "off"),
		word("ui.mouse", "whether the mouse gives focus, selects, scrolls and moves borders; programs that ask for it get it anyway", func(c *config) *string { return &c.Mouse }, "on", "off"),
		{"ui.opener", `the program that opens links, with its arguments, the link comes last: "auto" is xdg-open, on macOS open`, openerTaken, setOpener, func(c *config) any { return c.Opener }},
		barSide("bar.left", "parts at the left of the status bar", true, func(c *config) *[]frame.Part { return &c.Bar.Left }),
		barSide("bar.right", "parts at its right, behind what needs you", false, func(c *config) *[]frame.Part { return &c.Bar.Right }),
		telling("bell", "bells of programs: your terminal is rung, the tab is marked, an agent's is said", alert.Bell),
		telling("message", "notifications of programs: your terminal gets them, the tab is marked, an agent's is said", alert.Message),
		telling("done", "an agent's turn ended out of your sight: the tab is marked, a line says it", alert.Done),
		telling("waiting", "an agent waits for you out of your sight: likewise", alert.Waiting),
		telling("exit", "an agent ended out of your sight: likewise", alert.Exit),
		telling("failure", "an agent could not be resumed out of your sight: likewise", alert.Failure),
		telling("activity", "a pane that is monitored printed something: likewise", alert.Activity),
		telling("silence", "a pane that is monitored printed nothing for a while: likewise", alert.Silence),
		number("notifications.silence_after", "seconds after which a pane that is monitored is silent", func(c *config) *int { return &c.Silence }, 1, 24*60*60),
		onOff("notifications.desktop", "what is said also goes to your terminal as a notification while another window has the keyboard", func(c *config) *string { return &c.Desktop }),
		{"notifications.quiet", `hours of each day in which tabs are marked and nothing else happens; such as "22:00-07:00", "" is never`, hoursTaken, setQuiet, func(c *config) any { return c.Quiet.String() }},
		{"keys.prefix", "the key that comes before others; twice it goes to the program", keysTaken, setPrefix, func(c *config) any { return c.Keys.Prefix }},
		word("keys.preset", "keys to begin with: tmux's after the prefix, or those and keys with alt that need no prefix", func(c *config) *string { return &c.Keys.Preset }, ui.Presets()...),
		word("keys.copy", "keys in copy mode", func(c *config) *string { return &c.Keys.Copy }, ui.CopyKeys()...),
	}
})

// word is a setting that takes one of some words.
func word(key, doc string, field func(*config) *string, words ...string) setting {
	set := func(c *config, v any) error {
		s, ok := v.(string)
		if !ok || !slices.Contains(words, s) {
			return fmt.Errorf("takes %s", orList(words))
		}
		*field(c) = s
		return nil
	}
	return setting{key, doc + ": " + orList(words), takes{words: words}, set, func(c *config) any { return *field(c) }}
}

// onOff is a setting that is on or off, and off without one.
func onOff(key, doc string, field func(*config) *string) setting {
	s := word(key, doc, field, "off", "on")
	words := s.set
	s.takes.flag = true
	s.set = func(c *config, v any) error {
		switch v {
		case true:
			v = "on"
		case false:
			v = "off"
		}
		return words(c, v)
	}
	return s
}

// number is a setting that takes a number from least to most.
func number(key, doc string, field func(*config) *int, least, most int) setting {
	set := func(c *config, v any) error {
		n, ok := v.(int64)
		if !ok || n < int64(least) || n > int64(most) {
			return fmt.Errorf("takes a number from %d to %d", least, most)
		}
		*field(c) = int(n)
		return nil
	}
	return setting{key, fmt.Sprintf("%s: %d to %d", doc, least, most), takes{least: least, most: most}, set, func(c *config) any { return *field(c) }}
}

func setMaxAge(c *config, v any) error {
	s, ok := v.(string)
	d, err := parseAge(s)
	if !ok || err != nil {
		return errors.New(`takes an age such as "7d" or "36h"`)
	}
	c.MaxAge = d
	return nil
}

// setOpener takes a command. No shell reads it.
func setOpener(c *config, v any) error {
	s, ok := v.(string)
	if !ok || strings.TrimSpace(s) == "" || strings.ContainsFunc(s, unicode.IsControl) {
		return fmt.Errorf("takes %q, or a program and its arguments", ui.DefaultOpener)
	}
	c.Opener = strings.TrimSpace(s)
	return nil
}

func orList(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	return strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1]
}

// parseAge reads a duration that may be in days: "7d", "1d12h", "36h", "0".
func parseAge(s string) (time.Duration, error) {
	var days time.Duration
	if head, tail, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.ParseUint(head, 10, 16)
		if err != nil {
			return 0, fmt.Errorf("bad age %q", s)
		}
		days, s = time.Duration(n)*24*time.Hour, tail
		if s == "" {
			return days, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("bad age %q", s)
	}
	return days + d, nil
}

// ageText writes an age as parseAge reads it.
func ageText(d time.Duration) string {
	days, rest := d/(24*time.Hour), d%(24*time.Hour)
	text := ""
	if days > 0 {
		text = fmt.Sprintf("%dd", days)
	}
	if rest > 0 {
		text += rest.String()
	}
	if text == "" {
		return "0"
	}
	return text
}
