package pump_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"reprise/ui/pump"
)

func show(e pump.Event) string {
	if e.Paste {
		return fmt.Sprintf("paste(%q start=%v end=%v)", e.Raw, e.Start, e.End)
	}
	return fmt.Sprintf("%q=%T%v", e.Raw, e.Ev, e.Ev)
}

// feed is the events of the chunks, with the time running out at the end.
func feed(chunks ...string) []string {
	var out []string
	p := pump.New(func(e pump.Event) { out = append(out, show(e)) })
	for _, c := range chunks {
		p.Feed([]byte(c))
	}
	p.Timeout()
	return out
}

const stream = "a\x1bbé\x1b[A\x1b[1;5A\x1bOP\x1bO5A你\x1bü\x1b[27;2;13~\x1b[<35;10;5M\x1b]11;rgb:1/2/3\x1b\\\x1b]10;?\x07" +
	"\x1b[?2026;2$y\x1bP>|kitty\x1b\\\x1b_Gi=1;OK\x1b\\\x1b\x1b[A\x1b[M !!zz\x03\x1b[97;5u\x1b[[A\x1b[2$\x1b[I\x1b[O\x1b[200~x\r\ny\x1b[201~\x1b^\x1bXq" +
	"\x1b]q\x1bPx\x1bOq\x1b[5;7R\xff\xc3(\xe4\xbd\x1b[\x07\x1b]11;rgb\x1b[B\x1b]9;\x18k\ufffd\x1b"

// Wherever the stream is cut, the events are the same. The paste is one piece in
// all of them because nothing but its start and its end is held back.
func TestCutsMakeNoDifference(t *testing.T) {
	want := feed(stream)
	joined := func(evs []string) string {
		s := strings.Join(evs, "\n")
		for _, cut := range []string{
			`paste("x" start=false end=false)` + "\n" + `paste("\r\ny" start=false end=true)`,
			`paste("x" start=false end=false)` + "\n" + `paste("\r\n" start=false end=false)` + "\n" + `paste("y" start=false end=true)`,
			`paste("x" start=false end=false)` + "\n" + `paste("\r\n" start=false end=false)` + "\n" + `paste("y" start=false end=false)` + "\n" + `paste("" start=false end=true)`,
			`paste("x" start=false end=false)` + "\n" + `paste("\r\ny" start=false end=false)` + "\n" + `paste("" start=false end=true)`,
			`paste("x\r\n" start=false end=false)` + "\n" + `paste("y" start=false end=true)`,
			`paste("x\r\n" start=false end=false)` + "\n" + `paste("y" start=false end=false)` + "\n" + `paste("" start=false end=true)`,
			`paste("x\r\ny" start=false end=false)` + "\n" + `paste("" start=false end=true)`,
		} {
			s = strings.ReplaceAll(s, cut, `paste("x\r\ny" start=false end=true)`)
		}
		return s
	}
	check := func(chunks ...string) {
		t.Helper()
		if got := joined(feed(chunks...)); got != joined(want) {
			t.Errorf("%q:\n%s\nwant\n%s", chunks, got, joined(want))
		}
	}
	for i := 1; i < len(stream); i++ {
		check(stream[:i], stream[i:])
	}
	check(strings.Split(stream, "")...)
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		var chunks []string
		for s := stream; s != ""; {
			n := 1 + r.IntN(min(6, len(s)))
			chunks = append(chunks, s[:n])
			s = s[n:]
		}
		check(chunks...)
	}
}

func TestTokens(t *testing.T) {
	k := func(code rune, mod uv.KeyMod) uv.Event { return uv.KeyPressEvent{Code: code, Mod: mod} }
	typed := func(s string) uv.Event { return uv.KeyPressEvent{Code: []rune(s)[0], Text: s} }
	for _, c := range []struct {
		in   string
		want []uv.Event
	}{
		{"ab", []uv.Event{typed("a"), typed("b")}},
		{"\x1bb", []uv.Event{k('b', uv.ModAlt)}},
		{"\x1b", []uv.Event{k(uv.KeyEscape, 0)}},
		{"\x1b\x1b", []uv.Event{k(uv.KeyEscape, uv.ModAlt)}},
		{"\x1b\x1b\x1b", []uv.Event{k(uv.KeyEscape, 0), k(uv.KeyEscape, uv.ModAlt)}},
		{"\x1b[", []uv.Event{k('[', uv.ModAlt)}},
		{"\x1b]", []uv.Event{k(']', uv.ModAlt)}},
		{"\x1bO", []uv.Event{k('o', uv.ModAlt|uv.ModShift)}},
		{"\x1b]q", []uv.Event{k(']', uv.ModAlt), typed("q")}},
		{"\x1b^a", []uv.Event{k('^', uv.ModAlt), typed("a")}},
		{"\x1b[2$", []uv.Event{k(uv.KeyInsert, uv.ModShift)}},
		{"\x1b[[C", []uv.Event{k(uv.KeyF3, 0)}},
		{"\x1b[?2026;2$y", []uv.Event{uv.ModeReportEvent{Mode: ansi.DECMode(2026), Value: 2}}},
		{"\x1b[1;5R", []uv.Event{k(uv.KeyF3, uv.ModCtrl)}},
		{"\x1b[7;5R", []uv.Event{uv.CursorPositionEvent{X: 4, Y: 6}}},
		{"\x1b[48;50;200;1000;2000t", []uv.Event{uv.WindowSizeEvent{Width: 200, Height: 50}, uv.PixelSizeEvent{Width: 2000, Height: 1000}}},
		{"\x1b[1;9A", []uv.Event{k(uv.KeyUp, uv.ModSuper)}},
		{"\x1b[3;33~", []uv.Event{k(uv.KeyDelete, uv.ModMeta)}},
		{"\x1b[107;9u", []uv.Event{k('k', uv.ModSuper)}},
		{"\x1b[27;9;107~", []uv.Event{k('k', uv.ModMeta)}},
		{"\x1b[1;0A", []uv.Event{k(uv.KeyUp, 0)}},
		{"\x1b]11;rgb:1/2", []uv.Event{uv.UnknownEvent("\x1b]11;rgb:1/2")}},
		{"\x1b[1;", []uv.Event{uv.UnknownEvent("\x1b[1;")}},
		{"\xc3", []uv.Event{uv.UnknownEvent("\xc3")}},
		{"\xc3a", []uv.Event{uv.UnknownEvent("\xc3"), typed("a")}},
		{"\xed\xa0\x80a", []uv.Event{uv.UnknownEvent("\xed\xa0\x80"), typed("a")}},
		{"\x80a", []uv.Event{uv.UnknownEvent("\x80"), typed("a")}},
		{"\ufffd", []uv.Event{typed("\ufffd")}},
		{"\u0085", []uv.Event{uv.UnknownEvent("\u0085")}},
		{"\x1b[M !\x22", []uv.Event{uv.MouseClickEvent{X: 0, Y: 1, Button: uv.MouseLeft}}},
		{"\x1b[M#\x80\xff", []uv.Event{uv.MouseReleaseEvent{X: 95, Y: 222}}},
	} {
		var got []uv.Event
		var raw []byte
		p := pump.New(func(e pump.Event) { got, raw = append(got, e.Ev), append(raw, e.Raw...) })
		p.Feed([]byte(c.in))
		p.Timeout()
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: got %#v, want %#v", c.in, got, c.want)
		}
		if string(raw) != c.in {
			t.Errorf("%q: the raw bytes are %q", c.in, raw)
		}
		if d := p.Wait(); d != 0 {
			t.Errorf("%q: still waits %v", c.in, d)
		}
	}
}

func TestPasteIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	whole := make([]byte, 1<<20)
	alphabet := "\x1b[201~\r\nab\x00\xff"
	for i := range whole {
		whole[i] = alphabet[r.IntN(len(alphabet))]
	}
	whole = bytes.ReplaceAll(whole, []byte("\x1b[201~"), []byte("x"))
	for _, size := range []int{1, 7, 4096, 1 << 20} {
		body := whole
		if size < 4096 { // enough to see every cut
			body = whole[:64<<10]
		}
		in := append(append([]byte("p\x1b[200~"), body...), "\x1b[201~q"...)
		var got []byte
		var events, starts, ends int
		var first, last pump.Event
		p := pump.New(func(e pump.Event) {
			events++
			if first.Raw == nil {
				first = e
			}
			last = e
			if !e.Paste {
				return
			}
			if len(e.Raw) > pump.MaxPiece || bytes.Contains(e.Raw, []byte("\x1b[201~")) {
				t.Fatalf("a piece of %d bytes, or with the end mark", len(e.Raw))
			}
			if e.Start {
				starts++
			}
			if e.End {
				ends++
			} else if bytes.HasSuffix(e.Raw, []byte("\r")) && bytes.HasPrefix(body[len(got)+len(e.Raw):], []byte("\n")) {
				t.Fatalf("a piece ends between CR and LF")
			}
			got = append(got, e.Raw...)
		})
		for rest := in; len(rest) > 0; {
			n := min(size, len(rest))
			p.Feed(rest[:n])
			rest = rest[n:]
		}
		if !bytes.Equal(got, body) {
			t.Fatalf("reads of %d: the paste differs", size)
		}
		if starts != 1 || ends != 1 || string(first.Raw) != "p" || string(last.Raw) != "q" {
			t.Errorf("reads of %d: %d starts, %d ends, first %q, last %q", size, starts, ends, first.Raw, last.Raw)
		}
		if limit := len(in)/min(size, 32<<10) + 80; events > limit {
			t.Errorf("reads of %d: %d events, more than %d", size, events, limit)
		}
	}
}

// One read may hold more than a piece; where it is cut, characters and line ends
// stay whole.
func TestPiecesOfOneRead(t *testing.T) {
	head := strings.Repeat("x", pump.MaxPiece-1)
	for _, c := range []struct{ in, first, second string }{
		{"\x1b[200~" + head + "\r\n\x1b[201~", head, "\r\n"},
		{"\x1b[200~" + head + "xy\x1b[201~", head + "x", "y"},
		{strings.Repeat("k", 16) + head + "好k", head, "好k"},
	} {
		var got []string
		p := pump.New(func(e pump.Event) {
			if len(e.Raw) > 1 || e.End {
				got = append(got, string(e.Raw))
			}
		})
		p.Feed([]byte(c.in))
		if !reflect.DeepEqual(got, []string{c.first, c.second}) {
			lengths := make([]int, len(got))
			for i := range got {
				lengths[i] = len(got[i])
			}
			t.Errorf("want pieces of %d and %d bytes, got %v", len(c.first), len(c.second), lengths)
		}
	}
}

// A megabyte pasted into a terminal without bracketed paste is not a million
// events; its bytes and its text stay whole, and a prefix key before it meets a
// key.
func TestUnmarkedPasteIsFewEvents(t *testing.T) {
	text := strings.Repeat("一 line of text\tand é more\r", 40000)
	in := "\x02" + text
	var raw, said strings.Builder
	events := 0
	p := pump.New(func(e pump.Event) {
		events++
		raw.Write(e.Raw)
		if k, ok := e.Ev.(uv.KeyPressEvent); ok && events > 1 {
			switch {
			case k.Text != "":
				said.WriteString(k.Text)
			case k.Code == uv.KeyEnter:
				said.WriteByte('\r')
			case k.Code == uv.KeyTab:
				said.WriteByte('\t')
			}
		}
		if events == 2 && string(e.Raw) != "一" {
			t.Errorf("the prefix key is followed by %q", e.Raw)
		}
		if len(e.Raw) > pump.MaxPiece {
			t.Errorf("an event of %d bytes", len(e.Raw))
		}
	})
	for rest := []byte(in); len(rest) > 0; {
		n := min(4096, len(rest))
		p.Feed(rest[:n])
		rest = rest[n:]
	}
	if raw.String() != in || said.String() != text {
		t.Error("bytes or text differ")
	}
	if limit := len(in) / 4096 * 24; events > limit {
		t.Errorf("%d events, more than %d", events, limit)
	}
}

func TestStringsAreBounded(t *testing.T) {
	var sizes []int
	p := pump.New(func(e pump.Event) { sizes = append(sizes, len(e.Raw)) })
	p.Feed([]byte("\x1b]52;c;"))
	chunk := bytes.Repeat([]byte("A"), 64<<10)
	for range 64 {
		p.Feed(chunk)
	}
	p.Feed([]byte("\x07x\x1b[" + strings.Repeat("1;", 4000) + "Ay"))
	for _, n := range sizes {
		if n > 20 {
			t.Errorf("an event of %d bytes came out of broken strings", n)
		}
	}
	if !reflect.DeepEqual(sizes, []int{1, 1}) { // x and y
		t.Errorf("what came between: %v", sizes)
	}
	sizes = nil
	p.Feed([]byte("\x1b\\\x1b]52;c;QUJD\x07"))
	if len(sizes) == 0 || sizes[len(sizes)-1] != len("\x1b]52;c;QUJD\x07") {
		t.Errorf("a good string afterwards: %v", sizes)
	}
}

func TestCloseHandsOutTheRest(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b":               `"\x1b"=uv.KeyPressEventesc`,
		"\x1b[200~ab\x1b[20": `paste("" start=true end=false)|paste("ab" start=false end=false)|paste("\x1b[20" start=false end=true)`,
		"":                   "",
	} {
		var got []string
		p := pump.New(func(e pump.Event) { got = append(got, show(e)) })
		p.Feed([]byte(in))
		p.Close()
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: got %s, want %s", in, s, want)
		}
	}
}

type timed struct {
	at time.Duration
	s  string
}

// run drives a pump under a fake clock.
func run(t *testing.T, script func(in chan<- []byte)) []timed {
	var got []timed
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		p := feeder(t, func(e pump.Event) { got = append(got, timed{time.Since(began), show(e)}) })
		in := make(chan []byte)
		done := make(chan struct{})
		go func() {
			for b := range in {
				if _, err := p.Write(b); err != nil {
					t.Error(err)
				}
			}
			p.Close()
			close(done)
		}()
		script(in)
		close(in)
		<-done
	})
	return got
}

func TestHeldAltKeyIsNotWithheld(t *testing.T) {
	got := run(t, func(in chan<- []byte) {
		for range 30 {
			in <- []byte("\x1bb")
			time.Sleep(33 * time.Millisecond)
		}
	})
	if len(got) != 30 {
		t.Fatalf("%d events", len(got))
	}
	for i, e := range got {
		if want := time.Duration(i) * 33 * time.Millisecond; e.at != want {
			t.Errorf("press %d came at %v, not %v", i, e.at, want)
		}
	}
}

func TestEscapeTimer(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name   string
		script func(in chan<- []byte)
		want   []timed
	}{
		{"esc, later a", func(in chan<- []byte) {
			in <- []byte("\x1b")
			time.Sleep(40 * ms)
			in <- []byte("a")
		}, []timed{{25 * ms, `"\x1b"=uv.KeyPressEventesc`}, {40 * ms, `"a"=uv.KeyPressEventa`}}},
		{"esc, soon a", func(in chan<- []byte) {
			in <- []byte("\x1b")
			time.Sleep(20 * ms)
			in <- []byte("a")
		}, []timed{{20 * ms, `"\x1ba"=uv.KeyPressEventalt+a`}}},
		{"alt+[", func(in chan<- []byte) {
			in <- []byte("\x1b[")
			time.Sleep(40 * ms)
		}, []timed{{25 * ms, `"\x1b["=uv.KeyPressEventalt+[`}}},
		{"each byte starts the timer anew", func(in chan<- []byte) {
			for _, b := range []string{"\x1b", "[", "1", ";", "5", "A"} {
				in <- []byte(b)
				time.Sleep(20 * ms)
			}
		}, []timed{{100 * ms, `"\x1b[1;5A"=uv.KeyPressEventctrl+up`}}},
		{"a reply over a slow line is not typed", func(in chan<- []byte) {
			in <- []byte("\x1b[?6")
			time.Sleep(700 * ms)
			in <- []byte("2c")
		}, []timed{{700 * ms, `"\x1b[?62c"=uv.PrimaryDeviceAttributesEvent[62]`}}},
		{"a sequence that never ends", func(in chan<- []byte) {
			in <- []byte("\x1b[1;")
			time.Sleep(1500 * ms)
		}, []timed{{1000 * ms, `"\x1b[1;"=uv.UnknownEvent"\x1b[1;"`}}},
		{"a paste may pause", func(in chan<- []byte) {
			in <- []byte("\x1b[200~a\x1b[20")
			time.Sleep(time.Hour)
			in <- []byte("1~")
		}, []timed{
			{0, `paste("" start=true end=false)`},
			{0, `paste("a" start=false end=false)`},
			{time.Hour, `paste("" start=false end=true)`},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := run(t, c.script); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// feeder makes one that meets no fault.
func feeder(t *testing.T, emit func(pump.Event)) *pump.Feeder {
	return pump.NewFeeder(emit, func(r any, _ []byte) { t.Error(r) })
}

func TestAFeederEndsWithWhatIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		p := feeder(t, func(e pump.Event) { got = append(got, show(e)) })
		if n, err := p.Write([]byte("ab\x1b")); n != 3 || err != nil {
			t.Fatal(n, err)
		}
		p.Close()
		p.Close()
		if _, err := p.Write([]byte("c")); !errors.Is(err, pump.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
		time.Sleep(time.Minute)
		if want := []string{`"a"=uv.KeyPressEventa`, `"b"=uv.KeyPressEventb`, `"\x1b"=uv.KeyPressEventesc`}; !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// A fault ends the input it is met in, not the process: who writes may be the server.
func TestAFaultEndsAFeeder(t *testing.T) {
	for _, typed := range []string{"a", "\x1b"} {
		synctest.Test(t, func(t *testing.T) {
			var faults []any
			p := pump.NewFeeder(func(pump.Event) { panic("a fault") }, func(r any, _ []byte) { faults = append(faults, r) })
			if _, err := p.Write([]byte(typed)); (err != nil) != (typed == "a") {
				t.Errorf("%q: %v", typed, err)
			}
			time.Sleep(time.Second) // the escape key is one by now
			synctest.Wait()
			if len(faults) != 1 || faults[0] != "a fault" {
				t.Errorf("%q: faults %v", typed, faults)
			}
			if _, err := p.Write([]byte("b")); !errors.Is(err, pump.ErrClosed) {
				t.Errorf("%q: after a fault: %v", typed, err)
			}
			p.Close()
		})
	}
}

// A timer that went off while more was being written hands nothing out.
func TestALateTimerHandsNothingOut(t *testing.T) {
	got := run(t, func(in chan<- []byte) {
		in <- []byte("\x1b")
		time.Sleep(pump.EscapeTime - 1)
		in <- []byte("[")
		time.Sleep(2 * time.Nanosecond)
		in <- []byte("A")
	})
	if want := []timed{{pump.EscapeTime + 1, `"\x1b[A"=uv.KeyPressEventup`}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The escape key is handed out however busy the processors are: a timer that goes off at
// the very moment for which it was set is not early.
func TestALoneEscapeIsNotLost(t *testing.T) {
	const all = 400
	quit, got := make(chan struct{}), make(chan struct{}, all)
	defer close(quit)
	for range 4 {
		go func() {
			for {
				select {
				case <-quit:
					return
				default:
					runtime.Gosched()
				}
			}
		}()
	}
	late := time.After(time.Minute)
	for range all {
		p := feeder(t, func(pump.Event) { got <- struct{}{} })
		defer p.Close()
		go func() { _, _ = p.Write([]byte("\x1b")) }()
	}
	for n := range all {
		select {
		case <-got:
		case <-late:
			t.Fatalf("%d of %d escape keys were handed out", n, all)
		}
	}
}
