package pump_test

import (
	"bytes"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"reprise/ui/pump"
)

// Nothing but a paste's marks and strings given up is lost, nothing is reordered,
// no event is too large, and where the input is cut does not show in the bytes.
func FuzzPump(f *testing.F) {
	f.Add([]byte(stream), 3)
	f.Add([]byte("\x1b[200~\r\r\n\x1b[201\x1b[201~a"), 1)
	f.Add(bytes.Repeat([]byte("word \xe4"), 80), 100)
	f.Fuzz(func(t *testing.T, in []byte, cut int) {
		if len(in) > 4096 {
			t.Skip("long enough for a sequence to be given up")
		}
		collect := func(chunks ...[]byte) []byte {
			var raw []byte
			p := pump.New(func(e pump.Event) {
				if e.Paste && bytes.Contains(e.Raw, []byte("\x1b[201~")) {
					t.Fatalf("the end mark is inside: %q", e.Raw)
				}
				if (e.Ev == nil) != e.Paste || (e.Start || e.End) && !e.Paste {
					t.Fatalf("an event that is both or neither: %+v", e)
				}
				if _, many := e.Ev.(uv.MultiEvent); many {
					t.Fatalf("several events in one: %+v", e)
				}
				if e.Start {
					raw = append(raw, "\x1b[200~"...)
				}
				raw = append(raw, e.Raw...)
				if e.End {
					raw = append(raw, "\x1b[201~"...)
				}
			})
			for _, c := range chunks {
				p.Feed(c)
			}
			p.Close()
			if p.Wait() != 0 {
				t.Fatal("waits after the end")
			}
			return raw
		}
		whole := collect(in)
		want := in
		if !bytes.Equal(whole, want) && !bytes.Equal(whole, append(bytes.Clone(in), "\x1b[201~"...)) {
			t.Fatalf("in  %q\nout %q", in, whole)
		}
		if len(in) > 0 {
			cut = min(max(cut, 0), len(in))
			if parts := collect(in[:cut], in[cut:]); !bytes.Equal(parts, whole) {
				t.Fatalf("cut at %d: %q, whole %q", cut, parts, whole)
			}
		}
	})
}

func BenchmarkTyping(b *testing.B) {
	data := bytes.Repeat([]byte("ls\r"), 1000)
	p := pump.New(func(pump.Event) {})
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		for _, c := range data {
			p.Feed([]byte{c})
		}
	}
}
