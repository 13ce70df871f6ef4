package ui_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"reprise/ui"
)

var update = flag.Bool("update", false, "write docs/keys.md anew")

// docs/keys.md is made from the table of actions.
func TestKeysAreDocumented(t *testing.T) {
	const path = "../docs/keys.md"
	var b strings.Builder
	b.WriteString("# Actions and keys\n\n" +
		"Made from the table of actions (`go test ./ui -run TestKeysAreDocumented -update`). The same is on the screen by `ctrl+b ?`, where words find an action\n" +
		"and `enter` runs it. Keys of your own, another prefix: [config.md](config.md). Keys without a prefix are those of `keys.preset = \"alt\"`.\n\n" +
		"| action | keys | what |\n|---|---|---|\n")
	k := keymap(t, ui.KeySettings{Preset: "alt"})
	names, helps := ui.Actions()
	for i, name := range names {
		var keys []string
		for _, key := range k.KeysOf(name) {
			fence := "`"
			if strings.HasSuffix(key, fence) {
				fence, key = "``", key+" " // as CommonMark wants it
			}
			keys = append(keys, fence+strings.ReplaceAll(key, "|", `\|`)+fence)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, strings.Join(keys, " "), helps[i])
	}
	b.WriteString("\n## Copy mode\n\n" +
		"`keys.copy` in [config.md](config.md) chooses the keys. A number before a key repeats it (with emacs's, its digits with `alt`).\n\n" +
		"| vi | emacs | what |\n|---|---|---|\n")
	sets, helps := ui.CopyActs()
	for i, keys := range sets {
		for j := range keys {
			if keys[j] != "" {
				keys[j] = "`" + strings.ReplaceAll(keys[j], " ", "` `") + "`"
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(keys, " | "), helps[i])
	}
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(b.String(), string(got)); d != "" {
		t.Errorf("docs/keys.md is not what the table of actions says; run this test with -update (-want +got):\n%s", d)
	}
}
