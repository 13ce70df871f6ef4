package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Mutations break the product on purpose, one rule at a time (resume.md §6, case
// 22): for each, some test must fail. A test that no mutation can make fail proves
// nothing; a rule that can go without a test noticing will go. The table is in
// mutations_test.go; the tree itself is never touched.

const mutationsCommand = "REPRISE_MUTATIONS=1 go test -run '^TestMutations$' -v -timeout 30m ."

// mutantsAtOnce is how many mutants are built and run at a time: each alone keeps
// about one core busy.
const mutantsAtOnce = 2

// edit replaces the one occurrence of old in a file.
type edit struct{ file, old, new string }

// mutation is one rule taken away, and who must notice.
type mutation struct {
	name  string
	edits []edit
	// pkg and run name the tests that must catch it, as narrow as sensible.
	pkg, run string
}

// apply makes the files that the mutation changes, by their path in the tree.
func (m mutation) apply() (map[string]string, error) {
	changed := map[string]string{}
	for _, e := range m.edits {
		text, ok := changed[e.file]
		if !ok {
			b, err := os.ReadFile(e.file)
			if err != nil {
				return nil, err
			}
			text = string(b)
		}
		if n := strings.Count(text, e.old); n != 1 {
			return nil, fmt.Errorf("%s holds what is to be replaced %d times, want once:\n%s", e.file, n, e.old)
		}
		if e.old == e.new {
			return nil, fmt.Errorf("%s: the edit changes nothing:\n%s", e.file, e.old)
		}
		changed[e.file] = strings.Replace(text, e.old, e.new, 1)
	}
	return changed, nil
}

// overlay writes the changed files into dir and returns the file that tells the go
// command of them.
func overlay(dir string, changed map[string]string) (string, error) {
	replace := map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(changed)) {
		tree, err := filepath.Abs(name)
		if err != nil {
			return "", err
		}
		replace[tree] = filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(name)))
		if err := os.WriteFile(replace[tree], []byte(changed[name]), 0o600); err != nil {
			return "", err
		}
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, b, 0o600)
}

// testEvent is one line of go test -json.
type testEvent struct{ Action, Test, Output string }

// verdict is how a run of the tests ended.
type verdict struct {
	passed bool
	caught string // the test that failed, as deep as it is named
	output string
}

// runTests runs tests over the tree with some files replaced; list "": over the
// tree as it is. An error says that they could not be built or did not end in a
// test's verdict.
func runTests(ctx context.Context, list, pkg, run string) (verdict, error) {
	// vet would complain of what a mutation leaves unused or unreachable, which is
	// no test's failure; without debug information linking takes half the time.
	args := []string{"test", "-json", "-vet=off", "-ldflags=-s -w", "-count=1", "-short", "-failfast", "-timeout=4m", "-run=" + run}
	if list != "" {
		args = append(args, "-overlay="+list)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, pkg)...)
	cmd.Env = append(os.Environ(), "REPRISE_MUTATIONS=")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return verdict{}, err
	}
	v := verdict{passed: err == nil}
	said := map[string]*strings.Builder{} // by test; "" is the package
	ran, built, hung := false, true, ""
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e testEvent
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue
		}
		if said[e.Test] == nil {
			said[e.Test] = &strings.Builder{}
		}
		said[e.Test].WriteString(e.Output)
		ran = ran || e.Action == "run"
		built = built && e.Action != "build-fail"
		if strings.HasPrefix(e.Output, "panic: test timed out after ") { // without the rule it waits for ever
			hung = cmp.Or(e.Test, "a test that hangs")
		}
		if e.Action == "fail" && e.Test != "" && v.caught == "" {
			v.caught = e.Test // a subtest fails before its parent
		}
	}
	v.caught = cmp.Or(v.caught, hung)
	for _, test := range slices.Compact([]string{v.caught, ""}) {
		if said[test] != nil {
			v.output += said[test].String()
		}
	}
	if exit != nil {
		v.output += string(exit.Stderr)
	}
	switch {
	case !built:
		return v, errors.New("it does not build")
	case !ran:
		return v, fmt.Errorf("no test of %s matches %s", pkg, run)
	case !v.passed && v.caught == "":
		return v, errors.New("the tests broke off without one of them failing")
	}
	return v, lines.Err()
}

// Always: an edit that no longer fits is noticed when the code is changed, not when
// somebody runs the mutations.
func TestMutationsFit(t *testing.T) {
	names := map[string]bool{}
	for _, m := range mutations {
		if names[m.name] {
			t.Errorf("%s: there are two of this name", m.name)
		}
		names[m.name] = true
		if _, err := m.apply(); err != nil {
			t.Errorf("mutation %q does not fit the code any more; mend its row in mutations_test.go: %v", m.name, err)
		}
	}
}

func TestMutations(t *testing.T) {
	budget, limited := mutationsBudget(t)
	begin := time.Now() // the tests without a mutation are of the budget, too
	// A test that fails without a mutation catches nothing.
	byPackage := map[string][]string{}
	for _, m := range mutations {
		byPackage[m.pkg] = append(byPackage[m.pkg], m.run)
	}
	slots := make(chan struct{}, mutantsAtOnce)
	var all sync.WaitGroup
	for pkg, runs := range byPackage {
		slices.Sort(runs)
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			v, err := runTests(t.Context(), "", pkg, strings.Join(slices.Compact(runs), "|"))
			if err != nil || !v.passed {
				t.Errorf("without any mutation, %s: %v, failed: %s\n%s", pkg, err, v.caught, v.output)
			}
		})
	}
	all.Wait()
	if t.Failed() {
		return
	}
	rows := mutations
	if limited { // others each day
		first := time.Now().YearDay() * 37 % len(mutations)
		rows = slices.Concat(mutations[first:], mutations[:first])
	}
	var caught atomic.Int32
	t.Run("each", func(t *testing.T) {
		for _, m := range rows {
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				slots <- struct{}{}
				defer func() { <-slots }()
				if limited && time.Since(begin) > budget {
					t.Skipf("not begun within %v", budget)
				}
				m.mustBeCaught(t)
				caught.Add(1)
			})
		}
	})
	t.Logf("%d of %d mutations caught in %.0f s", caught.Load(), len(mutations), time.Since(begin).Seconds())
}

// mutationsBudget is how long new mutations are begun, if REPRISE_MUTATIONS is such
// a time; any other word in it lets all of them be tried.
func mutationsBudget(t *testing.T) (budget time.Duration, limited bool) {
	word := os.Getenv("REPRISE_MUTATIONS")
	if word == "" {
		t.Skip("takes minutes; run it with: " + mutationsCommand)
	}
	budget, err := time.ParseDuration(word)
	return budget, err == nil
}

func (m mutation) mustBeCaught(t *testing.T) {
	begin := time.Now()
	changed, err := m.apply()
	if err != nil {
		t.Fatal(err)
	}
	list, err := overlay(t.TempDir(), changed)
	if err != nil {
		t.Fatal(err)
	}
	v, err := runTests(t.Context(), list, m.pkg, m.run)
	switch {
	case err != nil:
		t.Fatalf("%v:\n%s", err, v.output)
	case v.passed:
		t.Fatalf("it survived: no test of %s that matches %s notices", m.pkg, m.run)
	}
	t.Logf("caught by %s in %.1f s", v.caught, time.Since(begin).Seconds())
}
