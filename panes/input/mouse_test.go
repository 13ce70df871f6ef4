package input_test

import (
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes/input"
	"reprise/panes/vt"
)

func TestMouse(t *testing.T) {
	left := uv.Mouse{X: 4, Y: 9, Button: uv.MouseLeft}
	none := uv.Mouse{X: 4, Y: 9, Button: uv.MouseNone}
	up := uv.Mouse{X: 4, Y: 9, Button: uv.MouseWheelUp}
	far := uv.Mouse{X: 300, Y: 9, Button: uv.MouseLeft}
	ctrl := uv.Mouse{X: 0, Y: 0, Button: uv.MouseRight, Mod: uv.ModCtrl | uv.ModAlt | uv.ModShift}
	for _, c := range []struct {
		name   string
		ev     uv.Event
		mode   uint16
		sgr    bool
		legacy string
		want   string
	}{
		{name: "off", ev: uv.MouseClickEvent(left)},
		{name: "x10 press", ev: uv.MouseClickEvent(left), mode: 9, legacy: "\x1b[M %*", want: "\x1b[<0;5;10M"},
		{name: "x10 has no modifiers", ev: uv.MouseClickEvent(ctrl), mode: 9, legacy: "\x1b[M\"!!", want: "\x1b[<2;1;1M"},
		{name: "x10 has no release", ev: uv.MouseReleaseEvent(left), mode: 9},
		{name: "x10 has no wheel", ev: uv.MouseWheelEvent(up), mode: 9},
		{name: "press", ev: uv.MouseClickEvent(left), mode: 1000, legacy: "\x1b[M %*", want: "\x1b[<0;5;10M"},
		{name: "release", ev: uv.MouseReleaseEvent(left), mode: 1000, legacy: "\x1b[M#%*", want: "\x1b[<0;5;10m"},
		{name: "wheel", ev: uv.MouseWheelEvent(up), mode: 1000, legacy: "\x1b[M`%*", want: "\x1b[<64;5;10M"},
		{name: "modifiers", ev: uv.MouseClickEvent(ctrl), mode: 1000, legacy: "\x1b[M>!!", want: "\x1b[<30;1;1M"},
		{name: "normal has no motion", ev: uv.MouseMotionEvent(left), mode: 1000},
		{name: "drag", ev: uv.MouseMotionEvent(left), mode: 1002, legacy: "\x1b[M@%*", want: "\x1b[<32;5;10M"},
		{name: "button has no free motion", ev: uv.MouseMotionEvent(none), mode: 1002},
		{name: "free motion", ev: uv.MouseMotionEvent(none), mode: 1003, legacy: "\x1b[MC%*", want: "\x1b[<35;5;10M"},
		{name: "far press", ev: uv.MouseClickEvent(far), mode: 1000, legacy: "", want: "\x1b[<0;301;10M"},
		{name: "far release", ev: uv.MouseReleaseEvent(far), mode: 1000, legacy: "\x1b[M#\xff*", want: "\x1b[<0;301;10m"},
		{
			name: "left of the pane", ev: uv.MouseMotionEvent(uv.Mouse{X: -3, Y: 9, Button: uv.MouseLeft}), mode: 1002,
			legacy: "\x1b[M@!*", want: "\x1b[<32;1;10M",
		},
		{
			name: "back button", ev: uv.MouseClickEvent(uv.Mouse{Button: uv.MouseBackward}), mode: 1000,
			legacy: "\x1b[M\xa0!!", want: "\x1b[<128;1;1M",
		},
		{name: "unknown button", ev: uv.MouseClickEvent(uv.Mouse{Button: 77}), mode: 1003},
	} {
		if got := string(input.Encode(c.ev, vt.Modes{Mouse: c.mode})); got != c.legacy {
			t.Errorf("%s, legacy: got %q, want %q", c.name, got, c.legacy)
		}
		if got := string(input.Encode(c.ev, vt.Modes{Mouse: c.mode, MouseSGR: true})); got != c.want {
			t.Errorf("%s, SGR: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestMouseComesBack(t *testing.T) {
	for _, m := range []vt.Modes{{Mouse: 1003}, {Mouse: 1003, MouseSGR: true}} {
		for _, button := range []uv.MouseButton{
			uv.MouseLeft, uv.MouseMiddle, uv.MouseRight, uv.MouseBackward, uv.MouseForward, uv.MouseButton10, uv.MouseButton11,
		} {
			for mod := range uv.KeyMod(8) {
				e := uv.Mouse{X: 20, Y: 100, Button: button, Mod: mod}
				for _, ev := range []uv.Event{uv.MouseClickEvent(e), uv.MouseMotionEvent(e)} {
					if got := decode(t, string(input.Encode(ev, m))); got != ev {
						t.Errorf("%+v: %#v came back as %#v", m, ev, got)
					}
				}
			}
		}
	}
}

func TestWheelBecomesArrows(t *testing.T) {
	up := uv.MouseWheelEvent(uv.Mouse{Button: uv.MouseWheelUp})
	down := uv.MouseWheelEvent(uv.Mouse{Button: uv.MouseWheelDown})
	side := uv.MouseWheelEvent(uv.Mouse{Button: uv.MouseWheelLeft})
	alt := vt.Modes{AltScreen: true, AltScroll: true}
	app := alt
	app.AppCursor = true
	tracked := alt
	tracked.Mouse, tracked.MouseSGR = 1000, true
	for _, c := range []struct {
		ev   uv.Event
		m    vt.Modes
		want string
	}{
		{up, alt, strings.Repeat("\x1b[A", 3)},
		{down, alt, strings.Repeat("\x1b[B", 3)},
		{down, app, strings.Repeat("\x1bOB", 3)},
		{side, alt, ""},
		{uv.MouseClickEvent(uv.Mouse{Button: uv.MouseWheelUp}), alt, ""},
		{up, vt.Modes{AltScreen: true}, ""},
		{up, vt.Modes{AltScroll: true}, ""},
		{up, tracked, "\x1b[<64;1;1M"},
	} {
		if got := string(input.Encode(c.ev, c.m)); got != c.want {
			t.Errorf("%#v under %+v: got %q, want %q", c.ev, c.m, got, c.want)
		}
	}
}
