package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// variable is the environment variable that overrides a setting: resume.mode is
// REPRISE_RESUME_MODE.
func (s setting) variable() string {
	return "REPRISE_" + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
}

// overlaid is a config in which environment variables override the file, and what is
// wrong with them. Themes of the person's own are looked for in the folder themes.
func (c config) overlaid(env []string, themes string) (_ config, wrong []string) {
	names := c.Theme
	for _, s := range settings() {
		name := s.variable()
		value := lookEnv(env, name)
		if value == "" {
			continue
		}
		if err := s.set(&c, s.read(value)); err != nil {
			wrong = append(wrong, fmt.Sprintf("%s %v. It is not in force.", name, err))
		}
	}
	if c.Theme == names {
		return c, wrong
	}
	f := themeFiles{folder: themes}
	for _, missed := range f.choose(&c) {
		wrong = append(wrong, variableOf("ui.theme")+": "+strings.TrimPrefix(missed, "ui.theme: "))
	}
	return c, append(wrong, f.wrong...)
}

// read is a variable's value as config.toml would have it: a number, a table or list, else a
// text.
func (s setting) read(value string) any {
	if s.most != 0 {
		if n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64); err == nil {
			return n
		}
	}
	if on, err := strconv.ParseBool(value); s.flag && err == nil {
		return on
	}
	if strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") {
		var table struct{ V any }
		if toml.Unmarshal([]byte("V = "+value), &table) == nil {
			return table.V
		}
	}
	return value
}

// overrides are the variables of an environment that override settings. Programs in
// panes do not get them.
func overrides(env []string) (all []string) {
	for _, s := range settings() {
		if value := lookEnv(env, s.variable()); value != "" {
			all = append(all, s.variable()+"="+value)
		}
	}
	return all
}

func variableOf(key string) string { return setting{key: key}.variable() }

// source says where a setting's value comes from.
func (r *reading) source(s setting, env []string) string {
	if value := lookEnv(env, s.variable()); value != "" {
		var c config
		if s.set(&c, s.read(value)) == nil {
			return s.variable()
		}
	}
	if line := r.from[s.key]; line != 0 {
		return fmt.Sprintf("config.toml line %d", line)
	}
	return "default"
}
