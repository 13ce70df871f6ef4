package gate

import (
	"errors"
	"path"
	"syscall"
)

// Why a program cannot be run.
var (
	// ErrNotInPath: no directory of PATH has it.
	ErrNotInPath = errors.New("not in PATH")
	// ErrNoFile: it was named by a path and there is nothing.
	ErrNoFile = errors.New("no such file")
	// ErrNotExecutable: what has the name is a directory or may not be executed.
	ErrNotExecutable = errors.New("not executable")
)

// unfit is an ErrNotExecutable with its reason.
type unfit struct{ why string }

func (u unfit) Error() string        { return ErrNotExecutable.Error() + ": " + u.why }
func (u unfit) Is(target error) bool { return target == ErrNotExecutable }

// Find finds a program as exec does, in the given PATH; a name with a slash is taken as it
// is, relative to dir. The result is an absolute path if dir is one. executable says whether
// a file can be run, as Executable does; named: it is the only one in question. Errors:
// ErrNotInPath, ErrNoFile, ErrNotExecutable.
func Find(program, dir, search string, executable func(file string, named bool) error) (string, error) {
	if program == "" || has(program, 0) {
		return "", ErrNoFile
	}
	if has(program, '/') {
		file := within(dir, program)
		return file, executable(file, true)
	}
	// As execvp(3): a name that was found but cannot be executed is told only if
	// no later directory has a better one.
	why := ErrNotInPath
	for more := search != ""; more; {
		var place string
		place, search, more = cut(search, ':')
		file := path.Join(within(dir, place), program)
		err := executable(file, false)
		if err == nil {
			return file, nil
		}
		if errors.Is(err, ErrNotExecutable) {
			why = err
		}
	}
	return "", why
}

// within resolves a path as a process whose working directory is dir would; an
// empty entry of PATH is that directory.
func within(dir, file string) string {
	if path.IsAbs(file) || dir == "" && file != "" {
		return file
	}
	// Not cleaned away: "./x" must not become a bare name.
	return path.Join(dir, ".", file)
}

// Executable reports why a file cannot be run: ErrNoFile, ErrNotExecutable.
func Executable(file string) error {
	const mayExecute = 1 // X_OK of access(2)
	var st syscall.Stat_t
	err := syscall.Stat(file, &st)
	for err == syscall.EINTR { // a file system may say so
		err = syscall.Stat(file, &st)
	}
	switch {
	case err == syscall.ENOENT, err == syscall.ENOTDIR:
		return ErrNoFile
	case err != nil:
		return unfit{err.Error()}
	case st.Mode&syscall.S_IFMT == syscall.S_IFDIR:
		return unfit{"it is a directory"}
	case syscall.Access(file, mayExecute) != nil:
		return unfit{"no permission"}
	}
	return nil
}

func has(s string, b byte) bool {
	_, _, found := cut(s, b)
	return found
}

// cut is strings.Cut: that package comes with too much.
func cut(s string, sep byte) (before, after string, found bool) {
	for i := range len(s) {
		if s[i] == sep {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}
