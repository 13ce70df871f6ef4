package disk

import "golang.org/x/sys/unix"

// mounts lists them as the kernel has them, without asking any disk.
func mounts() (all []string) {
	n, err := unix.Getfsstat(nil, unix.MNT_NOWAIT)
	if err != nil {
		return nil
	}
	found := make([]unix.Statfs_t, n)
	if n, err = unix.Getfsstat(found, unix.MNT_NOWAIT); err != nil {
		return nil
	}
	for i := range found[:min(n, len(found))] {
		all = append(all, unix.ByteSliceToString(found[i].Mntonname[:]))
	}
	return all
}
