package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"reprise/ui"
	"reprise/ui/theme"
)

// schema is a JSON schema (draft-07, which editors of TOML read) of config.toml, made
// from the table of settings.
func schema() map[string]any {
	root := object()
	root["$schema"] = "http://json-schema.org/draft-07/schema#"
	root["title"] = "config.toml of Reprise"
	for _, s := range settings() {
		add(root, s.key, described(s.json(), s.doc, s.get))
	}
	actions := map[string]any{"enum": append([]string{""}, ui.ActionNames()...)}
	add(root, bindsKey, map[string]any{
		"type": "object", "additionalProperties": actions,
		"description": `a key and its action: "prefix v" is v after the prefix, "alt+x" needs none, "" takes away what a key does`,
	})
	one := object()
	for _, s := range agentSettings() {
		add(one, s.key, s.json())
	}
	one["required"] = []string{"command"}
	add(root, "agents", map[string]any{
		"type": "object", "additionalProperties": false, "patternProperties": map[string]any{agentName().String(): one},
		"description": "agents of your own",
	})
	return root
}

// object is a table that has the keys that are added to it, and no others.
func object() map[string]any {
	return map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{}}
}

// add puts what a dotted key takes into a table, and the tables on the way there.
func add(table map[string]any, key string, takes map[string]any) {
	properties := table["properties"].(map[string]any)
	first, rest, deeper := strings.Cut(key, ".")
	if !deeper {
		properties[first] = takes
		return
	}
	inner, ok := properties[first].(map[string]any)
	if !ok {
		inner = object()
		properties[first] = inner
	}
	add(inner, rest, takes)
}

// described is a copy of a schema with what the setting is for, and its default.
func described(takes map[string]any, doc string, get func(*config) any) map[string]any {
	c := defaultConfig()
	out := map[string]any{"description": doc, "default": get(&c)}
	for k, v := range takes {
		out[k] = v
	}
	return out
}

func printSchema(cmd *cobra.Command, _ []string) error {
	return printJSON(cmd.OutOrStdout(), schema())
}

// listThemes lists what ui.theme can name: each theme's least contrast of what is read
// on its own background.
func listThemes(cmd *cobra.Command, _ []string) error {
	p, err := findPaths()
	if err != nil {
		return err
	}
	own := themeFiles{folder: themesOf(p.config)}
	t := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	list := func(th theme.Theme, where string) {
		ground := "light"
		if th.Dark() {
			ground = "dark"
		}
		fmt.Fprintf(t, "%s\t%s\tcontrast %.1f\t%s\n", th.Name, ground, leastContrast(th), where)
	}
	for _, name := range theme.Names() {
		th, _ := theme.ByName(name)
		list(th, "built in")
	}
	for _, th := range own.all() {
		list(th, "themes/"+th.Name+".toml")
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, w := range own.wrong {
		fmt.Fprintln(cmd.ErrOrStderr(), w)
	}
	return nil
}

// leastContrast is that of a theme's worst colour of text, on its own background.
func leastContrast(t theme.Theme) float64 {
	least := 21.0
	for tok := theme.Text; tok < theme.Rule; tok++ {
		least = min(least, theme.Contrast(t.Tokens[tok].RGB, t.Background))
	}
	return least
}
