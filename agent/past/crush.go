package past

import (
	"encoding/json"
	"path/filepath"
)

const (
	projectsMax     = 1 << 20 // of crush's list of projects, in bytes
	projectsListed  = 1000    // of them that are looked at, the last used first
	crushDatabase   = "crush.db"
	crushDataFolder = ".crush" // where its project's directory is not told otherwise
)

// CrushProjects are the databases of the projects that crush's projects.json lists, the
// last used first. Its form is that of crush's source; nothing was seen.
func CrushProjects(path string) (databases []string) {
	var list struct {
		Projects []struct {
			Path    string
			DataDir string `json:"data_dir"`
		}
	}
	b, err := ReadSmall(path, projectsMax)
	if err != nil || json.Unmarshal(b, &list) != nil {
		return nil
	}
	for _, p := range list.Projects[:min(len(list.Projects), projectsListed)] {
		folder := p.DataDir
		if folder == "" {
			folder = crushDataFolder
		}
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(p.Path, folder)
		}
		if filepath.IsAbs(folder) {
			databases = append(databases, filepath.Join(folder, crushDatabase))
		}
	}
	return databases
}

// CrushDir is the directory of the project whose database that is; "" where it lies in
// a folder of another name.
func CrushDir(database string) string {
	folder := filepath.Dir(database)
	if filepath.Base(folder) != crushDataFolder {
		return ""
	}
	return filepath.Dir(folder)
}
