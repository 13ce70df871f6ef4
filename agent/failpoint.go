//go:build !failpoint

package agent

// failpoint marks a place between two atomic steps. It does nothing unless the
// program was built with the tag failpoint: see failpoint_on.go.
func failpoint(string) error { return nil }
