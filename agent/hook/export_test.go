package hook

import "io"

// Scan is what the command reads of a payload.
func Scan(r io.Reader) Fields {
	s := newScanner(r)
	_ = s.run()
	return s.fields()
}
