package past

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"reprise/agent"
)

// one is a Database of one session, named by its folder.
type one struct{}

func (one) List(path string, _ func()) ([]Listed, error) {
	return []Listed{{Session: agent.SessionID(strings.TrimPrefix(filepath.Base(filepath.Dir(path)), ".")), Mark: Mark{Time: 1}}}, nil
}

func (one) Read(_ string, ids []agent.SessionID, _ func()) (all []Conversation, err error) {
	for _, id := range ids {
		all = append(all, Conversation{Identity: agent.Identity{Session: id}, Used: time.Unix(1, 0)})
	}
	return all, nil
}

// Homes that lie in a home are homes of their own.
func TestHomesInAHome(t *testing.T) {
	user := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{user}, names...)...) }
	for _, home := range []string{".hermes", ".hermes/profiles/coder", ".hermes/profiles/coder/profiles/none", "other", "other/profiles/writer"} {
		if err := errors.Join(os.MkdirAll(at(home), 0o700), os.WriteFile(at(home, "state.db"), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.WriteFile(at(".hermes/profiles/file"), nil, 0o600), os.Symlink(at("other"), at(".hermes/profiles/linked"))); err != nil {
		t.Fatal(err)
	}
	stores := []Store{AtHome("hermes", one{}, ".hermes", "state.db").With("profiles")}
	for _, homes := range [][]string{{at("other"), at(".hermes/profiles/coder")}, {at("other"), at(".hermes"), at("other")}} {
		m := memory{}
		if _, err := Refresh(context.Background(), m, stores, Sources(stores, user, noEnv, map[string][]string{"hermes": homes}), nil); err != nil {
			t.Fatal(err)
		}
		var got, want []string
		for _, s := range m.sessions() {
			got = append(got, string(s.Session)+" "+s.Home)
		}
		// What lies in a profile is looked at where that was named.
		if slices.Contains(homes, at(".hermes/profiles/coder")) {
			want = append(want, "none "+at(".hermes/profiles/coder/profiles/none"))
		}
		want = append(want, "coder "+at(".hermes/profiles/coder"), "hermes ", "other "+at("other"), "writer "+at("other/profiles/writer"))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("with %q: %q, want %q", homes, got, want)
		}
	}
}
