package paint_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"reprise/panes/vt"
	"reprise/ui/paint"
)

// tmuxTexts are texts on whose width tmux and our table agree.
var tmuxTexts = []string{
	"a", "b", "c", "x", "y", "z", " ", " ", " ", "│", "─", "█", "é", "Ж", "…", "✓", "●", "好", "漢", "か", "한", "😀", "🚀", "e\u0301",
}

type tmux struct {
	t      *testing.T
	socket string
}

func (m tmux) try(args ...string) (string, error) {
	// A cleanup's own context has ended.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(m.t.Context()), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-S", m.socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX=", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (m tmux) run(args ...string) string {
	m.t.Helper()
	out, err := m.try(args...)
	if err != nil {
		m.t.Fatalf("tmux %v: %v: %s", args, err, out)
	}
	return out
}

// wait polls until the pane's text holds s.
func (m tmux) wait(s string) {
	m.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if strings.Contains(m.run("capture-pane", "-p"), s) {
			return
		}
	}
	m.t.Fatalf("%q did not appear:\n%s", s, m.run("capture-pane", "-p"))
}

// Our emulator is not the judge of this one: tmux shows the frames, and what it
// says it shows, with colours and attributes, is the frame.
func TestFramesInTmux(t *testing.T) {
	if testing.Short() {
		t.Skip("starts tmux")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux here")
	}
	dir, err := os.MkdirTemp("", "paint") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	m := tmux{t, filepath.Join(dir, "s")}
	const w, h = 40, 10
	fifo := filepath.Join(dir, "bytes")
	if out, err := exec.CommandContext(t.Context(), "mkfifo", fifo).CombinedOutput(); err != nil {
		t.Fatalf("mkfifo: %v: %s", err, out)
	}
	m.run("new-session", "-d", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h+1), "stty raw -echo; printf ready; exec cat "+fifo)
	t.Cleanup(func() { _, _ = m.try("kill-server") }) // it may have ended with its program
	m.run("set", "-g", "status", "off")
	m.run("resize-window", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h+1))
	m.wait("ready")
	pipe, err := os.OpenFile(fifo, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()

	r := rand.New(rand.NewPCG(7, 7))
	// The last row says which frame is shown; it is written last.
	g := paint.NewGrid(w, h+1)
	p := &paint.Painter{Profile: colorprofile.TrueColor, Sync: true, Underlines: true}
	for frame := range 60 {
		for k := r.IntN(80); k >= 0; k-- {
			x, y := r.IntN(w), r.IntN(h)
			st := paint.Style{FG: randomColor(r), BG: randomColor(r)}
			if r.IntN(3) == 0 {
				// Without overline: tmux before 3.4 captures it as "5:3".
				st.Attr = vt.Attr(r.IntN(256)) &^ vt.Overline
			}
			if r.IntN(6) == 0 {
				st.Attr = st.Attr.WithUnderline(r.IntN(6))
			}
			g.Text(x, y, w-x, tmuxTexts[r.IntN(len(tmuxTexts))], st)
		}
		if r.IntN(3) == 0 {
			g.Fill(r.IntN(w), r.IntN(h), w, 1, vt.Blank)
		}
		mark := fmt.Sprintf("frame-%d.", frame)
		g.Fill(0, h, w, 1, vt.Blank)
		g.Text(0, h, w, mark, paint.Style{})
		cur := vt.Cursor{X: r.IntN(w), Y: r.IntN(h), Visible: true}
		if _, err := pipe.Write(p.Frame(g, cur)); err != nil {
			t.Fatal(err)
		}
		m.wait(mark)
		if d := firstDifference(w, frameCells(g), captured(t, m.run("capture-pane", "-peN"), w, h+1)); d != "" {
			t.Fatalf("frame %d: %s", frame, d)
		}
		if got, want := strings.TrimSpace(m.run("display-message", "-p", "#{cursor_x},#{cursor_y}")), fmt.Sprintf("%d,%d", cur.X, cur.Y); got != want {
			t.Fatalf("frame %d: cursor at %s, want %s", frame, got, want)
		}
	}
}

// captured reads what capture-pane printed: rows of text with SGR.
func captured(t *testing.T, out string, w, h int) []shown {
	t.Helper()
	e := vt.New(vt.Options{Cols: w + 2, Rows: h, Reply: func([]byte) {}})
	rows := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	for y, row := range rows {
		_, _ = fmt.Fprintf(e, "\x1b[%dH%s", y+1, row)
	}
	var s vt.Screen
	e.Snapshot(&s)
	all := screenCells(&s)
	var cells []shown
	for y := range h {
		cells = append(cells, all[y*(w+2):y*(w+2)+w]...)
	}
	return cells
}
