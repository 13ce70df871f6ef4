package kinds

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Nothing of a built-in kind is out of a description's reach: each is the same when it
// is made of its own.
func TestBuiltInKindsCanBeDescribed(t *testing.T) {
	for _, want := range builtin() {
		name := want.facts.Name
		c, ok := Describe(name)
		if !ok {
			t.Fatalf("%s cannot be described", name)
		}
		got, err := newCustom(c)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if (got.store.holds == nil) != (want.store.holds == nil) {
			t.Errorf("%s: its conversations are asked another way", name)
		}
		if got.hooks.machine() != want.hooks.machine() {
			t.Errorf("%s: the machine's settings are %q, not %q", name, got.hooks.machine(), want.hooks.machine())
		}
		for _, home := range []string{"", "/h"} {
			if g, w := got.Keeps(home), want.Keeps(home); g != w {
				t.Errorf("%s keeps its conversations in %q, not in %q", name, g, w)
			}
		}
		got.store.holds, want.store.holds = nil, nil
		want.hooks.linux, want.hooks.darwin = got.hooks.linux, got.hooks.darwin
		slices.SortFunc(want.events, func(a, b event) int { return strings.Compare(a.name, b.name) })
		if d := cmp.Diff(want, got, cmp.AllowUnexported(program{}, option{}, event{}, signs{}, title{}, look{}, store{}, hooking{}), cmpopts.IgnoreFields(program{}, "about", "shelf", "keeps"), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s (-built in +described):\n%s", name, d)
		}
	}
	if _, ok := Describe("nobody"); ok {
		t.Error("an unknown kind was described")
	}
}
