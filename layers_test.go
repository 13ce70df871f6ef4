package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rooms says which rooms of this module a room may import; a room that is
// missing here may not exist. docs/ARCHITECTURE.md draws the same arrows.
var rooms = map[string][]string{
	".":        {"cli"},
	"cli":      {"agent", "db", "panes", "server", "ui"},
	"ui":       {"agent", "panes"},
	"db":       {"agent", "panes"},
	"agent":    {"panes"},
	"panes":    {},
	"server":   {},
	"bench":    {"agent", "db", "panes", "ui"},
	"testdata": {"agent", "db", "panes"},
}

// homes says in which rooms an outside package may be used, and for two of them
// in how many files.
var homes = []struct {
	path  string // import path, or its beginning if it ends in /
	rooms []string
	files int // 0: any number
	why   string
}{
	{"database/sql", []string{"db"}, 0, "all SQL stands in db"},
	{"modernc.org/sqlite", []string{"db"}, 0, "all SQL stands in db"},
	{"charm.land/bubbletea/", []string{"ui", "server", "cli", "."}, 0, "Bubble Tea is the client's"},
	{"github.com/hinshun/vt10x", []string{"panes"}, 1, "vt10x hides behind one seam"},
	{"os/exec", []string{"panes", "server", "cli"}, 0, "processes start in panes"},
}

// source is one Go file of the tree.
type source struct {
	path    string // slash-separated, relative to the module's root
	test    bool
	imports []string
}

func (s source) room() string {
	first, _, deeper := strings.Cut(s.path, "/")
	if !deeper {
		return "."
	}
	return first
}

// breaches lists what the files' imports do against rooms and homes.
func breaches(files []source) []string {
	var out []string
	used := map[string][]string{}
	for _, f := range files {
		room := f.room()
		allowed, known := rooms[room]
		if !known {
			out = append(out, fmt.Sprintf("%s: there is no room %s", f.path, room))
			continue
		}
		if f.test {
			continue // tests may join rooms: the store's tests drive the coordinator
		}
		for _, imp := range f.imports {
			if inner, ok := strings.CutPrefix(imp, "reprise/"); ok {
				to, _, _ := strings.Cut(inner, "/")
				if to != room && !slices.Contains(allowed, to) {
					out = append(out, fmt.Sprintf("%s: %s may not import %s", f.path, room, to))
				}
			}
			for _, h := range homes {
				if imp != h.path && (!strings.HasSuffix(h.path, "/") || !strings.HasPrefix(imp, h.path)) {
					continue
				}
				if !slices.Contains(h.rooms, room) && room != "testdata" {
					out = append(out, fmt.Sprintf("%s: imports %s: %s", f.path, imp, h.why))
				}
				used[h.path] = append(used[h.path], f.path)
			}
		}
	}
	for _, h := range homes {
		if h.files > 0 && len(used[h.path]) > h.files {
			out = append(out, fmt.Sprintf("%s is imported by %v: %s", h.path, used[h.path], h.why))
		}
	}
	return out
}

// tree parses every Go file of the module; visit sees each one's syntax.
func tree(t *testing.T, visit func(path string, fset *token.FileSet, f *ast.File)) []source {
	t.Helper()
	var files []source
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != "." && strings.HasPrefix(name, ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		s := source{path: filepath.ToSlash(path), test: strings.HasSuffix(path, "_test.go")}
		for _, imp := range f.Imports {
			s.imports = append(s.imports, strings.Trim(imp.Path.Value, `"`))
		}
		files = append(files, s)
		if visit != nil {
			visit(s.path, fset, f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestLayers(t *testing.T) {
	for _, b := range breaches(tree(t, nil)) {
		t.Error(b)
	}
}

// A test of layers is worth something only if it sees a wrong arrow.
func TestLayersSeePlanted(t *testing.T) {
	for _, c := range []source{
		{path: "db/x.go", imports: []string{"reprise/ui"}},
		{path: "panes/vt/x.go", imports: []string{"reprise/agent"}},
		{path: "agent/kinds/x.go", imports: []string{"reprise/db"}},
		{path: "ui/x.go", imports: []string{"database/sql"}},
		{path: "agent/x.go", imports: []string{"charm.land/bubbletea/v2"}},
		{path: "agent/x.go", imports: []string{"os/exec"}},
		{path: "util/x.go"},
	} {
		if got := breaches([]source{c}); len(got) != 1 {
			t.Errorf("%s importing %v: %d breaches seen, want 1", c.path, c.imports, len(got))
		}
	}
	two := []source{
		{path: "panes/vt/a.go", imports: []string{"github.com/hinshun/vt10x"}},
		{path: "panes/vt/b.go", imports: []string{"github.com/hinshun/vt10x"}},
	}
	if got := breaches(two); len(got) != 1 {
		t.Errorf("vt10x in two files: %d breaches seen, want 1", len(got))
	}
}

// Budgets that no linter at hand counts: lines of a file, fields of a struct.
// Functions and interfaces are held by .golangci.yml.
const (
	maxLines  = 500
	maxFields = 25
)

func TestBudgets(t *testing.T) {
	tree(t, func(path string, fset *token.FileSet, f *ast.File) {
		test := strings.HasSuffix(path, "_test.go")
		if n := fset.File(f.FileStart).LineCount(); n > maxLines && !test {
			t.Errorf("%s has %d lines, budget %d", path, n, maxLines)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.StructType)
			if !ok || test {
				return true
			}
			fields := 0
			for _, fl := range s.Fields.List {
				fields += max(1, len(fl.Names))
			}
			if fields > maxFields {
				t.Errorf("%s: a struct with %d fields, budget %d", fset.Position(s.Pos()), fields, maxFields)
			}
			return true
		})
	})
}

// Package variables are made at each start of the binary, and as gate and hook it
// starts for every pane and every turn of an agent: expressions are compiled when
// they are first used.
func TestNothingIsCompiledAtTheStart(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "testdata") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			vars, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			ast.Inspect(vars, func(n ast.Node) bool {
				if _, later := n.(*ast.FuncLit); later {
					return false
				}
				if x, ok := n.(*ast.SelectorExpr); ok && x.Sel.Name == "MustCompile" {
					t.Errorf("%s compiles an expression in a package variable: wrap it in sync.OnceValue", path)
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
