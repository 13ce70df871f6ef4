package input

import (
	"bytes"
	"strconv"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/panes/vt"
)

// Mouse tracking modes (ctlseqs, "Mouse Tracking").
const (
	trackPress  = 9    // presses of three buttons, no modifiers
	trackNormal = 1000 // presses and releases
	trackButton = 1002 // and motion while a button is held
	trackAny    = 1003 // and all motion
)

const (
	mouseMotion = 32
	noButton    = 3 // also what a release is called in the legacy form
	// legacyLimit is the largest coordinate, from 1, that 32 + n fits a byte.
	legacyLimit = 223
	// wheelLines is how many lines one step of the wheel is in a program that
	// knows arrows only.
	wheelLines = 3
)

var buttonCodes = map[uv.MouseButton]int{
	uv.MouseLeft: 0, uv.MouseMiddle: 1, uv.MouseRight: 2, uv.MouseNone: noButton,
	uv.MouseWheelUp: 64, uv.MouseWheelDown: 65, uv.MouseWheelLeft: 66, uv.MouseWheelRight: 67,
	uv.MouseBackward: 128, uv.MouseForward: 129, uv.MouseButton10: 130, uv.MouseButton11: 131,
}

func mouse(ev uv.MouseEvent, m vt.Modes) []byte {
	e := ev.Mouse()
	code, ok := buttonCodes[e.Button]
	if !ok {
		return nil
	}
	if m.Mouse == 0 {
		return wheelArrows(ev, m)
	}
	release := false
	switch ev.(type) {
	case uv.MouseWheelEvent:
		if m.Mouse == trackPress {
			return nil
		}
	case uv.MouseReleaseEvent:
		release = true
		if m.Mouse == trackPress {
			return nil
		}
	case uv.MouseMotionEvent:
		if m.Mouse < trackButton || m.Mouse == trackButton && code == noButton {
			return nil
		}
		code |= mouseMotion
	default:
		if m.Mouse == trackPress && code > 2 {
			return nil
		}
	}
	if m.Mouse != trackPress {
		code |= mouseModifiers(e.Mod)
	}
	// A pane's neighbour may have the pointer while a button is held.
	x, y := max(e.X, 0)+1, max(e.Y, 0)+1
	if m.MouseSGR {
		return sgrMouse(code, x, y, release)
	}
	return legacyMouse(code, x, y, release)
}

func mouseModifiers(mod uv.KeyMod) int {
	code := 0
	if mod&uv.ModShift != 0 {
		code |= 4
	}
	if mod&(uv.ModAlt|uv.ModMeta) != 0 {
		code |= 8
	}
	if mod&uv.ModCtrl != 0 {
		code |= 16
	}
	return code
}

func sgrMouse(code, x, y int, release bool) []byte {
	b := append(make([]byte, 0, 20), "\x1b[<"...)
	b = strconv.AppendInt(b, int64(code), 10)
	b = strconv.AppendInt(append(b, ';'), int64(x), 10)
	b = strconv.AppendInt(append(b, ';'), int64(y), 10)
	if release {
		return append(b, 'm')
	}
	return append(b, 'M')
}

func legacyMouse(code, x, y int, release bool) []byte {
	if release {
		// Where it is too far out to say, a release is told at the edge: a program
		// must not believe that the button is still held.
		x, y = min(x, legacyLimit), min(y, legacyLimit)
		code |= noButton
	}
	if x > legacyLimit || y > legacyLimit {
		return nil
	}
	return []byte{0x1b, '[', 'M', byte(32 + code), byte(32 + x), byte(32 + y)}
}

// wheelArrows is mode 1007: without mouse tracking, the wheel moves through a
// program on the alternate screen by its arrow keys.
func wheelArrows(ev uv.MouseEvent, m vt.Modes) []byte {
	if _, wheel := ev.(uv.MouseWheelEvent); !wheel || !m.AltScreen || !m.AltScroll {
		return nil
	}
	arrow := uv.Key{Code: uv.KeyUp}
	switch ev.Mouse().Button {
	case uv.MouseWheelUp:
	case uv.MouseWheelDown:
		arrow.Code = uv.KeyDown
	default:
		return nil
	}
	return bytes.Repeat(key(arrow, false, m), wheelLines)
}
