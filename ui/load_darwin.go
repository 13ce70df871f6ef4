package ui

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// loadAverage is how many processes ran or waited for a processor, on average of
// the last minute (struct loadavg of sys/resource.h: three fixed point numbers and
// their scale); false: it is not known.
func loadAverage() (float64, bool) {
	b, err := unix.SysctlRaw("vm.loadavg")
	if err != nil || len(b) < 24 {
		return 0, false
	}
	scale := binary.LittleEndian.Uint64(b[16:])
	if scale == 0 {
		return 0, false
	}
	return float64(binary.LittleEndian.Uint32(b)) / float64(scale), true
}
