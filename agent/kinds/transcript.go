package kinds

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"reprise/agent"
	"reprise/panes/disk"
)

// find looks below root for a file that holds a conversation, whose path matches
// parts, one pattern for each name (path.Match). root must be readable for an
// answer; a folder below it that is not there yet has no conversation, one that
// cannot be read leaves the question open, and so does a disk that does not answer. With
// HasTranscript comes the path.
func find(root string, holds func(path string) (bool, error), parts ...string) (path string, t agent.Transcript) {
	type answer struct {
		path string
		t    agent.Transcript
	}
	if _, err := disk.In(root, disk.Read, func(func()) (any, error) { return nil, readable(root) }); err != nil {
		return "", agent.CannotTell
	}
	// Asked for is the folder that is the same for all: any on the way to it may be a link.
	same := slices.IndexFunc(parts, agent.IsPattern)
	if same < 0 {
		same = len(parts) - 1
	}
	folder := filepath.Join(root, filepath.Join(parts[:same]...))
	a, err := disk.In(folder, disk.Read, func(alive func()) (a answer, _ error) {
		a.path, a.t = findHere(alive, folder, holds, parts[same:])
		return a, nil
	})
	if err == nil {
		return a.path, a.t
	}
	none, inRoot := disk.In(root, disk.Read, func(func()) (bool, error) { return missing(folder, err), nil })
	if inRoot == nil && none {
		return "", agent.NoTranscript
	}
	return "", agent.CannotTell
}

func findHere(alive func(), root string, holds func(path string) (bool, error), parts []string) (path string, t agent.Transcript) {
	paths, unsure := []string{root}, false
	for _, part := range parts {
		var next []string
		for _, dir := range paths {
			alive()
			matches, err := match(dir, part)
			next = append(next, matches...)
			unsure = unsure || err != nil
		}
		paths = next
	}
	for _, p := range paths {
		alive()
		found, err := holds(p)
		if found {
			return p, agent.HasTranscript
		}
		unsure = unsure || err != nil
	}
	if unsure {
		return "", agent.CannotTell
	}
	return "", agent.NoTranscript
}

// match lists what in dir has a name that matches; a plain name is not looked up.
func match(dir, pattern string) ([]string, error) {
	if !agent.IsPattern(pattern) {
		return []string{filepath.Join(dir, pattern)}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		if missing(dir, err) {
			err = nil
		}
		return nil, err
	}
	var out []string
	for _, e := range entries {
		ok, err := filepath.Match(pattern, e.Name())
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}

// readable reports why a folder cannot be listed.
func readable(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err = f.ReadDir(1); errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// isFile reports whether path is a file with something in it.
func isFile(path string) (bool, error) {
	st, err := os.Stat(path)
	if err != nil {
		if missing(path, err) {
			err = nil
		}
		return false, err
	}
	return st.Mode().IsRegular() && st.Size() > 0, nil
}

// lineMax bounds how much of a file is looked at at once, in bytes.
const lineMax = 64 << 10

// hasLine reports whether a file has a line with any of the given words, which have no
// line end.
func hasLine(path string, words ...string) (bool, error) {
	f, err := open(path)
	if f == nil {
		return false, err
	}
	defer f.Close()
	longest := 0
	for _, w := range words {
		longest = max(longest, len(w))
	}
	buf, kept := make([]byte, lineMax+longest), 0
	for {
		n, err := f.Read(buf[kept:])
		seen := buf[:kept+n]
		if slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(seen, []byte(w)) }) {
			return true, nil
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		kept = copy(buf, seen[max(0, len(seen)-longest):]) // one may go on in what follows
	}
}

// errLongLine says that what was looked for may stand where nobody looked.
var errLongLine = errors.New("a line is too long to be looked at")

// anyLine reports whether a file has a line of which holds is true; it is shown the
// first 64 KiB of each. Where none is, and one is longer than that, it cannot tell: that
// is an error.
func anyLine(path string, holds func(line []byte) bool) (bool, error) {
	f, err := open(path)
	if f == nil {
		return false, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, lineMax)
	var long error
	for {
		line, err := in.ReadSlice('\n')
		if holds(line) {
			return true, nil
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			long = errLongLine
			_, err = in.ReadSlice('\n')
		}
		if errors.Is(err, io.EOF) {
			return false, long
		}
		if err != nil {
			return false, err
		}
	}
}

// open opens a file with something in it; nil: there is none, or an error.
func open(path string) (*os.File, error) {
	if ok, err := isFile(path); !ok {
		return nil, err
	}
	return os.Open(path)
}

// missing reports whether an error about a path says for sure that there is no such
// file. It does not where a link on the way leads to nothing: a disk may be gone.
func missing(path string, err error) bool {
	for absent(err) {
		if _, err = os.Lstat(path); err == nil { // as far as there is something
			_, err = os.Stat(path)
			return err == nil
		}
		path = filepath.Dir(path)
	}
	return false
}

// absent reports whether an error only says that there is no such file.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
