package past

import (
	"encoding/json"
	"path/filepath"
)

const (
	projectsMax     = 1 << 20 // of crush's list of projects, in bytes
	projectsListed  = 1000    // of them that are looked at, the last used first
	crushDatabase   = "crush.db"
	crushDataFolder = ".crush" // where a project's database is, if it is not told otherwise
)

// CrushProjects are the databases of the projects that crush's projects.json lists, the
// last used first, each with the directory of its project; "" where several share it. Its
// form is that of crush's source; nothing was seen.
func CrushProjects(path string) (databases []Place) {
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
	known := map[string]int{} // where in databases one is
	for _, p := range list.Projects[:min(len(list.Projects), projectsListed)] {
		folder := p.DataDir
		if folder == "" {
			folder = crushDataFolder
		}
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(p.Path, folder)
		}
		if !filepath.IsAbs(folder) {
			continue
		}
		one := Place{Path: filepath.Join(folder, crushDatabase)}
		if filepath.IsAbs(p.Path) {
			one.Dir = p.Path
		}
		if i, ok := known[one.Path]; !ok {
			known[one.Path] = len(databases)
			databases = append(databases, one)
		} else if databases[i].Dir != one.Dir {
			databases[i].Dir = ""
		}
	}
	return databases
}
