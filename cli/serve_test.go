package cli

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
)

// A fault in what is done aside is logged, what waits for its end goes on, and so does the
// process.
func TestAFaultAside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p := &process{log: slog.New(slog.NewTextHandler(&log, nil))}
		p.ahead.store = make(chan openedStore, 1)
		p.aside("open it", func() {
			defer close(p.ahead.store)
			panic("no room")
		})
		if d, err := p.ahead.takeStore(nil); d != nil || err != nil {
			t.Errorf("taken: %v, %v", d, err)
		}
		synctest.Wait()
		if !strings.Contains(log.String(), "open it") || !strings.Contains(log.String(), "no room") {
			t.Errorf("logged: %q", log.String())
		}
	})
}

// A fault where a client's sizes are followed ends nothing else.
func TestAFaultOfSizesIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		s := &seat{proc: &process{log: slog.New(slog.NewTextHandler(&log, nil))}} // no connection: a fault
		s.sizes(t.Context())
		synctest.Wait()
		if !strings.Contains(log.String(), "follow a client's size") {
			t.Errorf("logged: %q", log.String())
		}
	})
}
