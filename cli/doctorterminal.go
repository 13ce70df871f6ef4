package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"reprise/server"
)

// What a client's terminal must have at least (look.md §8).
const leastCols, leastRows = 30, 8

// coloursOf says how many colours are shown.
func coloursOf(w io.Writer, env []string) string {
	return map[colorprofile.Profile]string{
		colorprofile.TrueColor: "16 million", colorprofile.ANSI256: "256", colorprofile.ANSI: "16",
	}[colorprofile.Detect(w, env)]
}

// Modes that are asked for by DECRQM.
const (
	modeFocus = "1004"
	modePaste = "2004"
	modeSync  = "2026"
)

// probeGlyph is a box line: it is as wide as what else is of ambiguous width.
const probeGlyph = "─"

// terminalQuestion asks what can be asked without a trace: the line that the glyph is
// tried on is wiped. The last question is one that every terminal answers.
var terminalQuestion = ansi.RequestKittyKeyboard +
	"\x1b[?" + modeFocus + "$p\x1b[?" + modePaste + "$p\x1b[?" + modeSync + "$p" +
	"\x1b[>q" + // XTVERSION
	"\x1bP+q4d73\x1b\\" + // XTGETTCAP Ms: OSC 52 that writes
	"\r" + probeGlyph + ansi.RequestCursorPositionReport + "\r\x1b[K" +
	ansi.RequestPrimaryDeviceAttributes

// terminalAnswers is what a terminal says of itself.
type terminalAnswers struct {
	name            string // and version, as XTVERSION says it; "": it does not
	kitty, writes52 bool
	modes           map[string]bool // whether it knows them, of those that it told of
	column          int             // of the cursor behind probeGlyph, from 1; 0: not told
	last            bool            // it answered the last question
}

// readAnswers finds the answers among what came. Everything else, keys that were
// typed, is passed over.
func readAnswers(b []byte) (a terminalAnswers) {
	a.modes = map[string]bool{}
	var state byte
	for len(b) > 0 {
		seq, _, n, next := ansi.DecodeSequence(b, state, nil)
		if n <= 0 {
			break
		}
		a.take(string(seq))
		b, state = b[n:], next
	}
	return a
}

func (a *terminalAnswers) take(seq string) {
	if body, ok := strings.CutPrefix(seq, "\x1bP"); ok {
		body = strings.TrimSuffix(strings.TrimSuffix(body, "\x1b\\"), "\x9c")
		if name, ok := strings.CutPrefix(body, ">|"); ok {
			a.name = oneLine(name[:min(len(name), 60)])
		}
		a.writes52 = a.writes52 || strings.HasPrefix(strings.ToLower(body), "1+r4d73")
		return
	}
	body, ok := strings.CutPrefix(seq, "\x1b[")
	if !ok {
		return
	}
	switch {
	case strings.HasPrefix(body, "?") && strings.HasSuffix(body, "u"):
		a.kitty = true
	case strings.HasPrefix(body, "?") && strings.HasSuffix(body, "$y"):
		mode, value, _ := strings.Cut(strings.TrimSuffix(body[1:], "$y"), ";")
		if slices.Contains([]string{modeFocus, modePaste, modeSync}, mode) {
			a.modes[mode] = value != "0" && value != "4" // not known, off for good
		}
	case strings.HasPrefix(body, "?") && strings.HasSuffix(body, "c"):
		a.last = true
		for _, p := range strings.Split(strings.TrimSuffix(body[1:], "c"), ";") {
			a.writes52 = a.writes52 || p == "52"
		}
	case strings.HasSuffix(body, "R"):
		var row, col int
		if n, _ := fmt.Sscanf(body, "%d;%dR", &row, &col); n == 2 && a.column == 0 && col > 0 && col < 100 {
			a.column = col
		}
	}
}

func lookAtTerminal(_ context.Context, p patient, r *findings) {
	answer, size, err := p.terminal(terminalQuestion, func(b []byte) bool {
		return bytes.HasSuffix(b, []byte("c")) && readAnswers(b).last
	})
	if errors.Is(err, server.ErrBackground) {
		r.add(noted, "terminal", "it belongs to another program just now, so it was not asked", "run reprise doctor in the foreground")
		return
	}
	if err != nil {
		r.add(noted, "terminal", "input and output are no terminal, so none was asked", "run reprise doctor in the terminal that you use")
		return
	}
	a := readAnswers(answer)
	term := lookEnv(p.env, "TERM")
	r.lookAtName(a, term)
	if what := fmt.Sprintf("%dx%d", size.Cols, size.Rows); size.Cols >= leastCols && size.Rows >= leastRows {
		r.add(sound, "size", what, "")
	} else {
		r.add(wrong, "size", what, fmt.Sprintf("make the window larger: panes need %dx%d", leastCols, leastRows))
	}
	switch {
	case p.colours != "":
		r.add(sound, "colours", p.colours, "")
	case lookEnv(p.env, "NO_COLOR") != "":
		r.add(noted, "colours", "none, as NO_COLOR asks", "")
	default:
		r.add(noted, "colours", "none that TERM="+term+" tells of", "set TERM to what your terminal is, xterm-256color for most")
	}
	if !a.last {
		r.add(noted, "answers", fmt.Sprintf("the terminal did not answer within %v", answerTime), "what it can do is not known: Reprise works with less")
		return
	}
	r.can(a.kitty, true, "keys", "all keys can be told apart (kitty protocol)", "some keys cannot be told apart, such as ctrl+i and tab", "a terminal with the kitty keyboard protocol tells them apart")
	for _, m := range terminalModes {
		yes, told := a.modes[m.mode]
		r.can(yes, told, m.name, m.does, m.lacks, m.do)
	}
	r.can(a.writes52, true, "clipboard", "copies go to it by OSC 52", "it does not tell whether it takes copies by OSC 52", "if copies do not arrive, allow clipboard access in the terminal's settings")
	switch {
	case a.column == 2:
		r.add(sound, "glyphs", "box lines are one cell wide", "")
	case a.column > 2:
		r.add(noted, "glyphs", "box lines are two cells wide: ASCII is drawn in their place", "let ambiguous characters be narrow in the terminal's settings")
	default:
		r.add(noted, "glyphs", "the width of box lines is not known", `if lines are torn, set ui.ascii = "on"`)
	}
}

// terminalModes are what modes are for.
var terminalModes = []struct{ mode, name, does, lacks, do string }{
	{modeSync, "drawing", "frames are shown whole (synchronized output)", "frames may tear: no synchronized output", ""},
	{modeFocus, "focus", "it tells when it has the focus", "it does not tell when it has the focus", "programs and notifications take it to be looked at always"},
	{modePaste, "paste", "what is pasted can be told from typed keys", "what is pasted looks as if typed: no bracketed paste", "leave ui.confirm_paste on"},
}

// can adds what a terminal does, what it does not, or that it did not tell.
func (r *findings) can(yes, told bool, name, does, lacks, do string) {
	switch {
	case yes:
		r.add(sound, name, does, "")
	case told:
		r.add(noted, name, lacks, do)
	default:
		r.add(noted, name, "it does not say whether "+does, "")
	}
}

func (r *findings) lookAtName(a terminalAnswers, term string) {
	what := "TERM=" + term
	if a.name != "" {
		what = a.name + ", " + what
	}
	switch term {
	case "":
		r.add(wrong, "name", what+"not set", "set TERM to what your terminal is, xterm-256color for most")
	case "dumb":
		r.add(wrong, "name", what+": it shows text only", "start Reprise in a terminal that is not dumb")
	default:
		r.add(sound, "name", what, "")
	}
}
