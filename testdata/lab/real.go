package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
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
}

// fakeKey stands for a key; no model asks for it.
const fakeKey = "sk-ant-fake-000000000000000000000000001"

// real is how each agent is told of the fake model, and its first questions are
// answered.
var real = map[string]func(r *Real, base string) error{
	"claude": func(r *Real, base string) error {
		r.Env = append(r.Env, "ANTHROPIC_BASE_URL="+base, "ANTHROPIC_API_KEY="+fakeKey,
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1")
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

// cache is where agents and the fake model were installed: the folder LAB, or
// agentlab in the person's cache.
func cache() string {
	if dir := os.Getenv("LAB"); dir != "" {
		return dir
	}
	dir, _ := os.UserCacheDir()
	return filepath.Join(dir, "agentlab")
}

// NewReal prepares a real agent, or skips the test where it is not installed.
func NewReal(tb testing.TB, name string) *Real {
	tb.Helper()
	bin := filepath.Join(cache(), "bin")
	r := &Real{Name: name, Program: filepath.Join(bin, name)}
	for _, p := range []string{r.Program, filepath.Join(bin, "fakemodel")} {
		if _, err := os.Stat(p); err != nil {
			tb.Skipf("%s is not installed: %v", name, err)
		}
	}
	// Not under the temporary folder: agents treat homes there with suspicion.
	root, err := os.MkdirTemp(cache(), "test-")
	if err != nil {
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
		"PATH=" + bin + ":/usr/local/bin:/usr/bin:/bin", "HOME=" + r.Home, "SHELL=/bin/sh", "LANG=C.UTF-8",
		"TERM=xterm-256color", "XDG_RUNTIME_DIR=" + r.Home,
	}
	if err := real[name](r, model(tb, bin)); err != nil {
		tb.Fatal(err)
	}
	return r
}

// removeAll removes a home in which a dying agent may still write.
func removeAll(tb testing.TB, root string) {
	var err error
	for range 20 {
		if err = os.RemoveAll(root); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	tb.Errorf("remove the agent's home: %v", err)
}

// model starts a fake model for the length of a test, and returns its URL.
func model(tb testing.TB, bin string) string {
	tb.Helper()
	addr := filepath.Join(tb.TempDir(), "url")
	c := exec.Command(filepath.Join(bin, "fakemodel"), "-addr", "127.0.0.1:0", "-addr-file", addr)
	if err := c.Start(); err != nil {
		tb.Fatal(err)
	}
	stop := sync.OnceFunc(func() { _ = c.Process.Kill(); _ = c.Wait() })
	tb.Cleanup(stop)
	for range 200 {
		if url, err := os.ReadFile(addr); err == nil && len(url) > 0 {
			return strings.TrimSpace(string(url))
		}
		time.Sleep(50 * time.Millisecond)
	}
	tb.Fatal("the fake model does not start")
	return ""
}
