package server_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"reprise/server"
)

func head(k byte, n uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{k}, n)
}

func TestFrames(t *testing.T) {
	whole := server.AppendFrame(server.AppendFrame(nil, 'I', []byte("keys")), 'B', nil)
	for _, c := range []struct {
		name   string
		bytes  []byte
		frames int
		err    error // nil: not a frame
	}{
		{"nothing", nil, 0, io.EOF},
		{"two", whole, 2, io.EOF},
		{"half a head", whole[:3], 0, io.ErrUnexpectedEOF},
		{"a head", whole[:5], 0, io.ErrUnexpectedEOF},
		{"half a payload", whole[:7], 0, io.ErrUnexpectedEOF},
		{"half of the second", whole[:len(whole)-1], 1, io.ErrUnexpectedEOF},
		{"unknown", head('?', 0), 0, nil},
		{"empty input", head('I', 0), 0, nil},
		{"large input", head('I', server.MaxPiece+1), 0, nil},
		{"huge", head('Q', 1<<32-1), 0, nil},
		{"a bye with words", head('B', 1), 0, nil},
		{"a short size", head('R', 3), 0, nil},
		{"HTTP", []byte("GET / HTTP/1.1\r\n\r\n"), 0, nil},
	} {
		for _, r := range []io.Reader{bytes.NewReader(c.bytes), iotest.OneByteReader(bytes.NewReader(c.bytes))} {
			got, err := server.Frames(r)
			if len(got) != c.frames {
				t.Errorf("%s: %d frames, want %d", c.name, len(got), c.frames)
			}
			if c.err != nil && !errors.Is(err, c.err) || c.err == nil && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)) {
				t.Errorf("%s: %v, want %v", c.name, err, c.err)
			}
		}
	}
}

// A claimed length costs nothing.
func TestLengthIsOnlyAClaim(t *testing.T) {
	b := append(head('Q', server.MaxPayload), "short"...)
	if held := server.Held(bytes.NewReader(b)); held > 2*server.MaxPiece {
		t.Errorf("%d bytes are held for %d that came", held, len(b))
	}
	full := append(head('Q', server.MaxPayload), make([]byte, server.MaxPayload)...)
	if got, err := server.Frames(bytes.NewReader(full)); len(got) != 1 || len(got[0].Payload) != server.MaxPayload {
		t.Errorf("%d frames, %v", len(got), err)
	}
}

func TestRestOfFrame(t *testing.T) {
	b := server.AppendFrame(server.AppendFrame(nil, 'O', []byte("abc")), 'O', []byte("defgh"))
	want := []int{0, 7, 6, 5, 4, 3, 2, 1, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}
	for done, rest := range want {
		if got := server.RestOfFrame(b, done); got != rest {
			t.Errorf("after %d bytes %d are left of a frame, want %d", done, got, rest)
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"a\x1b[31mb":        "a[31mb",
		"two\nlines\tand\r": "two\nlines\tand",
		"\xff\xfe":          "�",
		"c1 \u009b31m":      "c1 31m",
		"wide 漢字 and Grüße": "wide 漢字 and Grüße",
	} {
		if got := server.Printable([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestFence(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps [][2]string
		open  bool
	}{
		{"nothing asked", [][2]string{{"text", "keys"}}, false},
		{"asked", [][2]string{{"x\x1b[cy", ""}}, true},
		{"asked with a number", [][2]string{{"\x1b[0c", ""}}, true},
		{"answered", [][2]string{{"\x1b[c", "\x1b[?62;4c"}}, false},
		{"answered between keys", [][2]string{{"\x1b[c", "ab\x1b[?1;2cde"}}, false},
		{"answered in pieces", [][2]string{{"\x1b[c", "\x1b"}, {"", "[?6"}, {"", "2;22c"}}, false},
		{"another answer", [][2]string{{"\x1b[c", "\x1b[?2026;2$y\x1b]11;rgb:0/0/0\x1b\\"}}, true},
		{"an answer behind a broken one", [][2]string{{"\x1b[c", "\x1b[?6\x1b[?62c"}}, false},
		{"DA2 is not DA1", [][2]string{{"\x1b[c", "\x1b[>1;10;0c"}}, true},
		{"two asked, one answered", [][2]string{{"\x1b[c\x1b[c", "\x1b[?62c"}}, true},
		{"endless", [][2]string{{"\x1b[c", "\x1b[?" + strings.Repeat("1;", 1000) + "c"}}, true},
		{"a late one", [][2]string{{"", "\x1b[?62c"}, {"\x1b[c", ""}, {"", "\x1b[?62c"}}, false},
	} {
		if got := server.Fence(c.steps...); got != c.open {
			t.Errorf("%s: open %v, want %v", c.name, got, c.open)
		}
	}
}

func FuzzFrames(f *testing.F) {
	f.Add(server.AppendFrame(nil, 'H', []byte(`{"Protocol":1,"Size":{"Cols":80,"Rows":24}}`)))
	f.Add(server.AppendFrame(server.AppendFrame(nil, 'I', []byte("keys")), 'X', []byte("\x00\x01bye")))
	f.Add(server.AppendFrame(nil, 'Q', []byte("\x04echohello")))
	f.Add(server.AppendFrame(nil, 'R', []byte("\xff\xff\x00\x00")))
	f.Add(head('Q', 1<<24))
	f.Fuzz(func(t *testing.T, b []byte) {
		frames, err := server.Frames(bytes.NewReader(b))
		if err == nil {
			t.Fatal("no end")
		}
		var again []byte
		for _, fr := range frames {
			server.Interpret(fr)
			again = server.AppendFrame(again, fr.Kind, fr.Payload)
		}
		if !bytes.HasPrefix(b, again) {
			t.Fatalf("%q became %q", b, again)
		}
		if errors.Is(err, io.EOF) && len(again) != len(b) {
			t.Fatalf("%d of %d bytes were frames, and no error", len(again), len(b))
		}
		slow, _ := server.Frames(iotest.OneByteReader(bytes.NewReader(b)))
		if len(slow) != len(frames) {
			t.Fatalf("%d frames byte by byte, %d at once", len(slow), len(frames))
		}
	})
}
