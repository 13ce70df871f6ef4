package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/adrg/xdg"

	"reprise/db"
	"reprise/server"
)

// paths says where everything of ours lies on disk.
type paths struct {
	state  string // database, instance locks, spool, bin, log
	config string // config.toml
	cache  string // what may be removed at any time
}

// errRelativeHome refuses a state folder that would move with the directory.
var errRelativeHome = errors.New("REPRISE_HOME must be an absolute path: set it to one, or unset it")

// findPaths follows the XDG base directory specification; REPRISE_HOME overrides
// all of it, for tests and portable use.
func findPaths() (paths, error) {
	if home := os.Getenv("REPRISE_HOME"); home != "" {
		if !filepath.IsAbs(home) {
			return paths{}, errRelativeHome
		}
		return paths{
			state:  filepath.Join(home, "state"),
			config: filepath.Join(home, "config", "config.toml"),
			cache:  filepath.Join(home, "cache"),
		}, nil
	}
	return paths{
		state:  filepath.Join(xdg.StateHome, "reprise"),
		config: filepath.Join(xdg.ConfigHome, "reprise", "config.toml"),
		cache:  filepath.Join(xdg.CacheHome, "reprise"),
	}, nil
}

// makeState makes the state folder, readable by its owner alone.
func (p paths) makeState() error {
	if err := os.MkdirAll(p.state, 0o700); err != nil {
		return fmt.Errorf("the state folder cannot be made: %w; set REPRISE_HOME to a folder that can be written", err)
	}
	return nil
}

// used reports whether anything was ever saved here.
func (p paths) used() bool {
	_, err := os.Stat(filepath.Join(p.state, db.File))
	return err == nil
}

func (p paths) logFile() string { return filepath.Join(p.state, "reprise.log") }

// findServer finds the folders, and where their server is found.
func findServer() (p paths, socket string, err error) {
	if p, err = findPaths(); err != nil {
		return p, "", err
	}
	socket, err = p.socket(serverName)
	return p, socket, err
}

// socket is where the server of this state folder is found: in the folder, which
// outlasts a logout. The system bounds a socket's path; one that is too long is
// replaced by a short one that is made of it.
func (p paths) socket(name string) (string, error) {
	path, err := server.SocketPath(filepath.Join(p.state, "run"), name)
	if err == nil {
		return path, nil
	}
	sum := sha256.Sum256([]byte(p.state))
	short := filepath.Join(os.TempDir(), "reprise-"+strconv.Itoa(os.Geteuid()), hex.EncodeToString(sum[:8]))
	path, err = server.SocketPath(short, name)
	if err != nil {
		return "", fmt.Errorf("%w (set REPRISE_HOME to one)", err)
	}
	return path, nil
}

// mark is an empty file in the state folder that remembers one fact.
type mark string

func (p paths) mark(name string) mark { return mark(filepath.Join(p.state, name)) }

func (m mark) exists() bool {
	_, err := os.Stat(string(m))
	return err == nil
}

// set remembers it. If that fails the fact is found out again next time.
func (m mark) set() { _ = os.WriteFile(string(m), nil, 0o600) }
