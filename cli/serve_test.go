package cli

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
)

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
