//go:build !linux

package early

// Args are not known here before the other packages are initialised.
func Args() []string { return nil }

// Begin leaves the server to who asks for it.
func Begin([]string) {}
