package ui

import (
	"fmt"
	"os"

	"reprise/ui/frame"
)

// machine fills what the status bar says of the machine, if it has such parts: at
// the start, with other settings, and on the clock's minute.
func (m *Model) machine() {
	s := &m.status
	s.host, s.load = "", ""
	if m.cfg.Bar.Has(frame.PartHost) {
		if name, err := os.Hostname(); err == nil {
			s.host = clean(name)
		}
	}
	if m.cfg.Bar.Has(frame.PartLoad) {
		if load, ok := loadAverage(); ok {
			s.load = fmt.Sprintf("%.2f", load)
		}
	}
}
