package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Real is a real agent program in a home of its own, which talks to a fake model
// on loopback: it remembers «codeword NAME-NN» from the history that it is sent.
type Real struct {
	Name    string
	Program string
	Home    string   // the person's home folder
	Dir     string   // where it works
	Env     []string // all of its environment

	mu      sync.Mutex
	answers map[string][]string // what the model answered, by the message
}

// Answers are what the model answered to messages in which the given text is; an empty
// one where it was told to hang.
func (r *Real) Answers(to string) (all []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for last, said := range r.answers {
		if strings.Contains(last, to) {
			all = append(all, said...)
		}
	}
	return all
}

func (r *Real) heard(last, said string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers[last] = append(r.answers[last], said)
}

// fakeKey stands for a key; no model asks for it.
const fakeKey = "sk-ant-fake-000000000000000000000000001"

// real is how each agent is told of the fake model, and its first questions are
// answered.
var real = map[string]func(r *Real, base string) error{
	"claude": func(r *Real, base string) error {
		r.Env = append(r.Env, "ANTHROPIC_BASE_URL="+base, "ANTHROPIC_API_KEY="+fakeKey,
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
			// It gives its last hooks 1.5 s, which a busy machine takes to start one.
			"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS=60000")
		c, err := json.Marshal(map[string]any{
			"hasCompletedOnboarding": true, "theme": "dark",
			"customApiKeyResponses": map[string]any{"approved": []string{fakeKey[len(fakeKey)-20:]}, "rejected": []string{}},
			"projects":              map[string]any{r.Dir: map[string]any{"hasTrustDialogAccepted": true}},
		})
		return errors.Join(err, os.WriteFile(filepath.Join(r.Home, ".claude.json"), c, 0o600))
	},
	"codex": func(r *Real, base string) error {
		r.Env = append(r.Env, "FAKE_KEY=none")
		c := fmt.Sprintf("model = \"fake-model\"\nmodel_provider = \"fake\"\n[model_providers.fake]\nname = \"fake\"\n"+
			"base_url = \"%s/v1\"\nenv_key = \"FAKE_KEY\"\nwire_api = \"responses\"\n[projects.%q]\ntrust_level = \"trusted\"\n", base, r.Dir)
		dir := filepath.Join(r.Home, ".codex")
		return errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "config.toml"), []byte(c), 0o600))
	},
}

// write puts a file of JSON into the person's home.
func (r *Real) write(path string, v any) error {
	path = filepath.Join(r.Home, path)
	data, err := json.Marshal(v)
	return errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600))
}

// installed finds a real agent: in the folder REPRISE_TEST_AGENTS, or, claude and
// codex, among those that were installed for experiments in the person's cache. The
// others take long, and are only run where they are asked for.
func installed(name string) (string, error) {
	dirs := []string{os.Getenv("REPRISE_TEST_AGENTS")}
	if cache, err := os.UserCacheDir(); err == nil && real[name] != nil {
		dirs = append(dirs, filepath.Join(cache, "agentlab", "bin"))
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, name)
		if st, err := os.Stat(path); dir != "" && err == nil && st.Mode()&0o111 != 0 {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not installed in REPRISE_TEST_AGENTS", name)
}

// NewReal prepares a real agent, or skips the test where it is not installed.
func NewReal(tb testing.TB, name string) *Real {
	tb.Helper()
	program, err := installed(name)
	if err != nil {
		tb.Skip(err)
	}
	r := &Real{Name: name, Program: program, answers: map[string][]string{}}
	// Not under the temporary folder: agents treat homes there with suspicion.
	cache, err := os.UserCacheDir()
	if err != nil {
		tb.Fatal(err)
	}
	root := filepath.Join(cache, "reprise-test")
	if err := os.MkdirAll(root, 0o700); err != nil {
		tb.Fatal(err)
	}
	if root, err = os.MkdirTemp(root, name+"-"); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { removeAll(tb, root) })
	r.Home, r.Dir = filepath.Join(root, "home"), filepath.Join(root, "proj")
	for _, d := range []string{r.Home, r.Dir} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	r.Env = []string{
		"PATH=" + filepath.Dir(program) + ":/usr/local/bin:/usr/bin:/bin", "HOME=" + r.Home, "SHELL=/bin/sh", "LANG=C.UTF-8",
		"TERM=xterm-256color", "XDG_RUNTIME_DIR=" + r.Home,
	}
	setUp := real[name]
	if setUp == nil {
		setUp = others[name]
	}
	if err := setUp(r, model(tb, r.heard)); err != nil {
		tb.Fatal(err)
	}
	return r
}

// removeAll removes a home in which a dying agent may still write.
func removeAll(tb testing.TB, root string) {
	var err error
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if err = os.RemoveAll(root); err == nil {
			return
		}
	}
	tb.Errorf("remove the agent's home: %v", err)
}
