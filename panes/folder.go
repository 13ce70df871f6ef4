package panes

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// File is one file of Spec.Files.
type File struct {
	Name string // below the folder; it leads nowhere else
	Data []byte
}

// filesMax bounds what is written for one start, in bytes.
const filesMax = 1 << 20

// strangerAge is after how long a folder goes whose process only another PID
// namespace (a container that has this home) could find: its program has read it.
const strangerAge = 7 * 24 * time.Hour

// FolderFor names a folder below root for the files of one start: by the process
// that writes them and its PID namespace, so that a later one knows whose are left
// over, and the start's nonce. It makes nothing.
func FolderFor(root, nonce string) string {
	self, _ := Identify(os.Getpid()) // without it nothing is swept: the form does not match
	owner := fmt.Sprintf("%d.%d", self.PID, self.Start)
	if space := pidSpace(); space != "" {
		owner += "." + space
	}
	return filepath.Join(root, owner+"-"+nonce)
}

// folderOwner is the process that a folder of FolderFor belongs to, and its PID
// namespace; "": it is not told.
func folderOwner(path string) (id ProcessID, space string, ok bool) {
	owner, nonce, ok := strings.Cut(filepath.Base(path), "-")
	pid, start, dotted := strings.Cut(owner, ".")
	if !ok || !dotted || nonce == "" {
		return id, "", false
	}
	start, space, _ = strings.Cut(start, ".")
	var err, err2 error
	id.PID, err = strconv.Atoi(pid)
	id.Start, err2 = strconv.ParseUint(start, 10, 64)
	return id, space, errors.Join(err, err2) == nil && id.PID > 0
}

// writeFolder writes the files of a start, which only this user can read, and
// removes what dead processes left beside them.
func (s Spec) writeFolder() (err error) {
	if len(s.Files) == 0 {
		return nil
	}
	if _, _, ok := folderOwner(s.Folder); !ok || !filepath.IsAbs(s.Folder) {
		return fmt.Errorf("%q is no folder for files", s.Folder)
	}
	size := 0
	for _, f := range s.Files {
		if size += len(f.Data); size > filesMax || !filepath.IsLocal(f.Name) {
			return fmt.Errorf("the file %q cannot be written for it", f.Name)
		}
	}
	sweepFolders(filepath.Dir(s.Folder))
	defer func() {
		if err != nil {
			_ = os.RemoveAll(s.Folder)
			err = fmt.Errorf("write its files: %w", err)
		}
	}()
	for _, f := range s.Files {
		path := filepath.Join(s.Folder, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// WriteFolder writes files into a folder of FolderFor, as Start does for Spec.Files.
func WriteFolder(folder string, files []File) error {
	return Spec{Folder: folder, Files: files}.writeFolder()
}

// RemoveFolder removes a folder of FolderFor; one that is not there is no error.
func RemoveFolder(folder string) error { return Spec{Folder: folder}.removeFolder() }

// removeFolder removes the files of a start.
func (s Spec) removeFolder() error {
	if _, _, ok := folderOwner(s.Folder); !ok {
		return nil // none, or no folder of ours
	}
	return os.RemoveAll(s.Folder)
}

// sweepFolders removes what dead processes left below root. Their programs have
// read the files long ago.
func sweepFolders(root string) {
	entries, _ := os.ReadDir(root) // not there yet: nothing is left
	for _, e := range entries {
		owner, space, ok := folderOwner(e.Name())
		if !ok {
			continue
		}
		if space != "" && space != pidSpace() { // the pid means nobody here
			if st, err := e.Info(); err == nil && time.Since(st.ModTime()) > strangerAge {
				_ = os.RemoveAll(filepath.Join(root, e.Name()))
			}
			continue
		}
		now, err := Identify(owner.PID)
		if errors.Is(err, ErrNoProcess) || err == nil && now.Start != owner.Start {
			_ = os.RemoveAll(filepath.Join(root, e.Name()))
		}
	}
}
