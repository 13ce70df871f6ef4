package vt

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestDocumented looks whether docs/terminal.md names all that is understood: each
// escape, control sequence, mode, command, setting and report.
func TestDocumented(t *testing.T) {
	b, err := os.ReadFile("../../docs/terminal.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for part := range strings.SplitSeq("\n"+string(b), "\n## ") {
		name, text, _ := strings.Cut(part, "\n")
		sections[name] = text
	}
	has := func(section, what string) {
		t.Helper()
		words := strings.FieldsFunc(sections[section], func(r rune) bool { return strings.ContainsRune(" \n`|,;", r) })
		if !slices.Contains(words, what) {
			t.Errorf("section %q does not name %s", section, what)
		}
	}
	for c, f := range escTable {
		if f != nil {
			has("Controls and escapes", string(rune(c)))
		}
	}
	for c, f := range csiTable {
		if f != nil && c != '`' {
			has("Control sequences", string(rune(c)))
		}
	}
	spaces := regexp.MustCompile(`\s+`)
	flat := spaces.ReplaceAllString(sections["Control sequences"], " ")
	for k := range csiMore {
		name := strings.Trim(fmt.Sprintf("%c %c %c", k[0], k[1], k[2]), "\x00 ")
		name = strings.ReplaceAll(strings.ReplaceAll(name, "\x00 ", ""), "  ", "SP ")
		if k[1] != 0 && k[0] != 0 {
			name = fmt.Sprintf("%c %c %c", k[0], k[1], k[2])
		}
		if !strings.Contains(flat, name) && !strings.Contains(sections["Private modes"], name) {
			t.Errorf("control sequence %q is not named", name)
		}
	}
	for n := range decModes {
		has("Private modes", strconv.Itoa(n))
	}
	for n, m := range ansiModes {
		if m.set != nil {
			has("Control sequences", strconv.Itoa(n))
		}
	}
	for n := range oscTable {
		if n != 9 { // named as 9;4
			has("Strings", strconv.Itoa(n))
		}
	}
	for n := range deviceReports {
		has("Control sequences", strconv.Itoa(n))
	}
	for name := range capabilities {
		if name != "name" && name != "colors" { // other names of TN and Co
			has("Strings", name)
		}
	}
}
