package ui

import "golang.org/x/sys/unix"

// loadAverage is how many processes ran or waited for a processor, on average of
// the last minute (sysinfo(2)); false: it is not known.
func loadAverage() (float64, bool) {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0, false
	}
	const scale = 1 << 16 // SI_LOAD_SHIFT
	return float64(info.Loads[0]) / scale, true
}
