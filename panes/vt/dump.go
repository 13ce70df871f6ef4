package vt

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// AppendDump appends a stream of ordinary control sequences that makes the same
// terminal of a new one of the same size and options: both screens, the
// scrollback, cursors, pen, margins, tab stops, character sets, modes, the stacks of
// keyboard flags, titles and renditions, colours that were set, what the program
// told, and what came of a sequence or a character that is not complete. It is not
// for other terminals: it makes use of what this one does in odd cases.
//
// It notifies nobody, leaves the clipboard alone and asks nothing. Setting mode
// 2048 is answered, though, as a program expects: use Restore, which is silent.
//
// Not in it, as no sequence says it: how often the bell rang; what REP repeats, if
// that is nowhere on a screen that is full; that what follows may join the character
// printed last, if printing that again would show, as it may in insert mode; links whose targets exceed 16 MB in
// all; and of a scrollback in very many styles, all but the newest 64 MB.
func (e *Emulator) AppendDump(b []byte) []byte {
	d := dumper{lineWriter: lineWriter{e: e, b: b, styled: true, guards: true, links: maxTextLinks}}
	d.savedModes()
	d.scrollback()
	d.add("\x1bc") // for what was printed on the way; the scrollback stays
	if e.modes.columns132 {
		d.add("\x1b[?40;3h\x1b[?40l")
	}
	d.page(e.main)
	if e.alt != nil {
		d.add("\x1b[?47h")
		d.page(e.alt)
		if !e.onAlt() {
			d.add("\x1b[?47l")
		}
	}
	d.repeated()
	d.titles()
	d.colors()
	d.told()
	d.pens()
	d.tabs()
	d.modes()
	d.cursor()
	return e.parser.appendPending(d.b)
}

// Restore takes what AppendDump made, or any other output of old, as Write does but
// silently: nothing is answered, notified or put on the clipboard.
func (e *Emulator) Restore(p []byte) {
	o := e.opts
	defer func() { e.opts = o }()
	e.opts.Reply, e.opts.Notify, e.opts.Clipboard = func([]byte) {}, nil, nil
	_, _ = e.Write(p)
}

// dumper writes a dump.
type dumper struct {
	lineWriter
	originX, originY int // what positions are counted from
}

// add appends control sequences.
func (d *dumper) add(s string) {
	d.b = append(d.b, s...)
	d.last, d.lastEnd = 0, 0 // no cell joins one before them
}

func (d *dumper) addf(format string, args ...any) {
	d.b = fmt.Appendf(d.b, format, args...)
	d.last, d.lastEnd = 0, 0
}

// savedModes sets the modes that were saved as they were, saves them, and sets them
// back. It comes first: some of them clear the screen.
func (d *dumper) savedModes() {
	fresh := withDefaultModes()
	for _, n := range slices.Sorted(maps.Keys(d.e.savedModes)) {
		was, saved := setOrReset(decModes[n].get(fresh)), setOrReset(d.e.savedModes[n])
		if n == 3 {
			d.add("\x1b[?40h")
		}
		d.addf("\x1b[?%d%c\x1b[?%ds\x1b[?%d%c", n, saved, n, n, was)
		if n == 3 {
			d.add("\x1b[?40l")
		}
	}
}

// withDefaultModes is an emulator that can be asked for its modes and nothing else.
func withDefaultModes() *Emulator {
	e := &Emulator{modes: defaultModes}
	e.main = &page{}
	e.page = e.main
	return e
}

func setOrReset(on bool) byte {
	if on {
		return 'h'
	}
	return 'l'
}

// repeated prints the character that REP repeats where it leaves no trace: at the
// end of a row that has room, where it is erased again, or else where it stands
// anyway.
func (d *dumper) repeated() {
	e := d.e
	text, w := e.last.again, e.last.againWidth
	if len(text) == 0 {
		return
	}
	for y := range e.page.rows {
		if x := e.page.rows[y].end(); x+w <= e.cols {
			at := fmt.Sprintf("\x1b[%d;%dH", y+1, x+1)
			d.addf("%s%s%s\x1b[%dX", at, text, at, w)
			return
		}
	}
	var buf [clusterBytes]byte
	for y := range e.page.rows {
		row := e.page.row(y)
		for x := range len(row) - w { // not the last column: that would end a wrapped row
			wide := row[x+1].r == filler
			if wide == (w == 2) && string(e.clusterText(buf[:0], row[x].r)) == string(text) {
				d.reprint(e.page, x, y)
				return
			}
		}
	}
}

func (d *dumper) titles() {
	t := &d.e.titles
	for _, s := range t.stack {
		d.addf("\x1b]2;%s\x1b\\\x1b]1;%s\x1b\\\x1b[22t", s[0], s[1])
	}
	d.addf("\x1b]2;%s\x1b\\\x1b]1;%s\x1b\\", t.title, t.icon)
}

func (d *dumper) colors() {
	p := &d.e.palette
	for i, c := range p.shownSpecial {
		if c != 0 {
			d.addf("\x1b]%d;#%06x\x1b\\", 10+i, uint32(c&0xFFFFFF))
		}
	}
	for i, c := range p.shownIndexed {
		if c != 0 {
			d.addf("\x1b]4;%d;#%06x\x1b\\", i, uint32(c&0xFFFFFF))
		}
	}
}

// escapeDir escapes what would end the path in a URL.
var escapeDir = strings.NewReplacer("%", "%25", "?", "%3F", "#", "%23")

// told writes what the program said about itself, and a notification of which not
// all has come.
func (d *dumper) told() {
	t := &d.e.told
	if t.dir != "" {
		d.addf("\x1b]7;file://%s\x1b\\", escapeDir.Replace(t.dir))
	}
	if p := t.progress; p != (Progress{}) {
		d.addf("\x1b]9;4;%d;%d\x1b\\", p.State, p.Percent)
	}
	if s := t.status; s != (Status{}) {
		d.addf("\x1b]7501;state=%s:app=%s:kind=%s\x1b\\", s.State, s.App, s.Kind)
	}
	if t.shape != 0 {
		d.addf("\x1b[%d q", t.shape)
	}
	n := &d.e.notice
	for _, part := range []struct {
		name string
		text []byte
	}{{"title", n.title}, {"body", n.body}} {
		if len(part.text) > 0 {
			d.addf("\x1b]99;i=%s:d=0:e=1:p=%s;%s\x1b\\", n.id, part.name, base64.StdEncoding.EncodeToString(part.text))
		}
	}
}

// pens writes the stack of renditions.
func (d *dumper) pens() {
	for _, s := range d.e.pens {
		s.link, s.attr = 0, s.attr&^isProtected
		d.setStyle(s)
		d.add("\x1b[#{")
	}
	d.setStyle(style{})
}

func (d *dumper) tabs() {
	if slices.Equal(d.e.tabs, growTabs(nil, d.e.cols)) {
		return
	}
	d.add("\x1b[3g")
	for x, on := range d.e.tabs {
		if on {
			d.addf("\x1b[%dG\x1bH", x+1)
		}
	}
}

// modesElsewhere are those that other parts of a dump set, because they move the
// cursor, clear or switch the screen, or must come later: DECCOLM, DECOM, DECLRMM
// and the alternate screens; IRM.
var modesElsewhere = map[int]bool{3: true, 6: true, 47: true, 69: true, 1047: true, 1048: true, 1049: true}

const modeInsert = 4

// modes writes the modes that are not as they are at first.
func (d *dumper) modes() {
	e := d.e
	fresh := withDefaultModes()
	for _, n := range slices.Sorted(maps.Keys(decModes)) {
		m := decModes[n]
		if on := m.get(e); m.set != nil && !modesElsewhere[n] && on != m.get(fresh) {
			d.addf("\x1b[?%d%c", n, setOrReset(on))
		}
	}
	for _, n := range slices.Sorted(maps.Keys(ansiModes)) {
		m := ansiModes[n]
		if on := m.get(e); n != modeInsert && on != m.get(fresh) {
			d.addf("\x1b[%d%c", n, setOrReset(on))
		}
	}
	if v := e.modes.modifyKeys; v != 0 {
		d.addf("\x1b[>4;%dm", v)
	}
	if e.extent != 0 {
		d.addf("\x1b[%d*x", e.extent)
	}
}
