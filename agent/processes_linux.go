package agent

import (
	"os"
	"path/filepath"
	"strconv"
)

// maxOpenFiles bounds what is read of one process.
const maxOpenFiles = 4096

// openFiles reads proc(5) fd. A process of another user shows none.
func openFiles(pid int) []string {
	dir := filepath.Join("/proc", strconv.Itoa(pid), "fd")
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(maxOpenFiles) // what was read before an error still counts
	paths := make([]string, 0, len(names))
	for _, n := range names {
		if p, err := os.Readlink(filepath.Join(dir, n)); err == nil && filepath.IsAbs(p) {
			paths = append(paths, p)
		}
	}
	return paths
}
