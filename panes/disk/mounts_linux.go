package disk

import (
	"os"
	"strconv"
	"strings"
)

// mounts reads the fifth field of proc(5) mountinfo, which asks no disk.
func mounts() (all []string) {
	b, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) > 4 {
			all = append(all, unescaped(f[4]))
		}
	}
	return all
}

// unescaped is a path whose blanks and backslashes are three octal digits.
func unescaped(s string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(s, `\`)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		if n, err := strconv.ParseUint(rest[:min(3, len(rest))], 8, 8); err == nil && len(rest) >= 3 {
			out.WriteByte(byte(n))
			rest = rest[3:]
		} else {
			out.WriteByte('\\')
		}
		s = rest
	}
}
