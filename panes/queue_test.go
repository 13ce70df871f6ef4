package panes_test

import (
	"bytes"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"

	"reprise/panes"
)

// What was pasted waits where it is: it is neither copied nor in the way of keys, and
// what comes behind it stays behind it.
func TestALongPasteWaits(t *testing.T) {
	const pieceSize, pieces = 32 << 10, 3200 // 100 MiB
	synctest.Test(t, func(t *testing.T) {
		_, term, s := play(t)
		piece := bytes.Repeat([]byte("x"), pieceSize)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range pieces {
			if err := term.Paste(piece); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		if made := after.TotalAlloc - before.TotalAlloc; made > pieces*pieceSize/20 {
			t.Errorf("to keep %d MiB that are there already, %d MiB were made", pieces*pieceSize>>20, made>>20)
		}
		if err := term.Send([]byte("key")); err != nil {
			t.Errorf("a key behind it: %v", err)
		}
		if err := term.Paste(make([]byte, panes.MaxPaste-pieces*pieceSize+1)); !errors.Is(err, panes.ErrInputFull) {
			t.Errorf("more than may wait: %v", err)
		}
		total, last := 0, []byte(nil)
		for total < pieces*pieceSize+len("key") {
			b := <-s.in
			total += len(b)
			last = append(last[:0], b...)
		}
		if total != pieces*pieceSize+3 || !bytes.HasSuffix(last, []byte("key")) {
			t.Errorf("the program was sent %d bytes, the last of them %q", total, last)
		}
		if err := term.Paste(make([]byte, panes.MaxPaste)); err != nil {
			t.Errorf("after it read: %v", err)
		}
		s.die <- panes.Exit{}
		close(s.out)
		<-term.Done()
	})
}

// A paste that comes in bits costs little more than its bytes.
func TestSmallPiecesAreJoined(t *testing.T) {
	const bits = 1 << 20
	synctest.Test(t, func(t *testing.T) {
		_, term, s := play(t)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for range bits {
			if err := term.Paste([]byte{'x'}); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 2*bits {
			t.Errorf("%d bytes are held for %d", held, bits)
		}
		s.die <- panes.Exit{}
		close(s.out)
		<-term.Done()
	})
}

// What its program will never read holds up no upgrade.
func TestThePasteOfADeadProgramIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, term, s := play(t)
		if err := term.Paste(make([]byte, 2<<20)); err != nil {
			t.Fatal(err)
		}
		s.die <- panes.Exit{}
		close(s.out)
		<-term.Done()
		synctest.Wait()
		if _, err := term.Handover(); errors.Is(err, panes.ErrPasteWaits) {
			t.Error(err)
		}
	})
}

// An upgrade carries on what waits of a paste, in its place; a long one it waits for.
func TestAPasteIsHandedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, term, s := play(t)
		if err := term.Paste(make([]byte, 2<<20)); err != nil {
			t.Fatal(err)
		}
		if _, err := term.Handover(); !errors.Is(err, panes.ErrPasteWaits) {
			t.Errorf("2 MiB of a paste wait: %v", err)
		}
		for read := 0; read <= 1<<20; {
			read += len(<-s.in)
		}
		if _, err := term.Handover(); errors.Is(err, panes.ErrPasteWaits) {
			t.Errorf("when half of it was read: %v", err)
		}
		s.die <- panes.Exit{}
		close(s.out)
		<-term.Done()
	})
}
