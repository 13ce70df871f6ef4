package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// others is how the agents are told of the fake model that are run only where they
// are asked for.
var others = map[string]func(r *Real, base string) error{
	"gemini": func(r *Real, base string) error {
		r.Env = append(r.Env, "GEMINI_API_KEY=fake-key", "GOOGLE_GEMINI_BASE_URL="+base)
		return errors.Join(
			r.write(".gemini/trustedFolders.json", map[string]any{r.Dir: "TRUST_FOLDER"}),
			r.write(".gemini/settings.json", map[string]any{
				"security": map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}},
				"general":  map[string]any{"disableAutoUpdate": true, "disableUpdateNag": true, "enableAutoUpdate": false},
				"privacy":  map[string]any{"usageStatisticsEnabled": false},
			}))
	},
	"qwen": func(r *Real, base string) error {
		r.Env = append(r.Env, "OPENAI_API_KEY=fake-key", "OPENAI_BASE_URL="+base+"/v1", "OPENAI_MODEL=fake-model")
		return r.write(".qwen/settings.json", map[string]any{
			"security": map[string]any{"auth": map[string]any{"selectedType": "openai"}},
			"general":  map[string]any{"disableAutoUpdate": true, "enableAutoUpdate": false},
			"privacy":  map[string]any{"usageStatisticsEnabled": false},
		})
	},
	"copilot": func(r *Real, base string) error {
		r.Env = append(r.Env, "COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL="+base+"/v1", "COPILOT_PROVIDER_API_KEY=none",
			"COPILOT_MODEL=fake-model", "COPILOT_AUTO_UPDATE=false")
		return r.write(".copilot/config.json", map[string]any{
			"trustedFolders": []string{r.Dir}, "banner": "never", "firstLaunchAt": "2026-01-01T00:00:00Z",
		})
	},
	"opencode": func(r *Real, base string) error {
		config, err := json.Marshal(map[string]any{
			"autoupdate": false, "share": "disabled", "model": "fake/fake-model", "small_model": "fake/fake-model",
			"provider": map[string]any{"fake": map[string]any{
				"npm": "@ai-sdk/openai-compatible", "name": "Fake",
				"options": map[string]any{"baseURL": base + "/v1", "apiKey": "none"},
				"models":  map[string]any{"fake-model": map[string]any{"name": "Fake"}},
			}},
		})
		r.Env = append(r.Env, "OPENCODE_CONFIG_CONTENT="+string(config), "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1")
		// It waits for npm where there is a plugin: without a network not to be tried again.
		return errors.Join(err, os.WriteFile(filepath.Join(r.Home, ".npmrc"), []byte("fetch-retries=0\nfetch-timeout=1000\nregistry=http://127.0.0.1:9\n"), 0o600))
	},
	"kimi": func(r *Real, base string) error {
		r.Env = append(r.Env, "KIMI_MODEL_NAME=fake-model", "KIMI_MODEL_API_KEY=none", "KIMI_MODEL_PROVIDER_TYPE=openai", "KIMI_MODEL_BASE_URL="+base+"/v1",
			"KIMI_DISABLE_TELEMETRY=1", "KIMI_CODE_NO_AUTO_UPDATE=1")
		sum := sha256.Sum256([]byte(r.Dir))
		return r.write(".kimi-code/workspace-trust/wd_proj_"+hex.EncodeToString(sum[:6]), map[string]any{"root": r.Dir, "trustedAt": 1796042007380})
	},
	"grok": func(r *Real, base string) error {
		r.Env = append(r.Env, "FAKE_KEY=none", "GROK_DISABLE_AUTOUPDATER=1", "GROK_TELEMETRY_ENABLED=0", "GROK_PROMPT_SUGGESTIONS=0", "GROK_TITLE_REFRESH=0")
		c := "[permission]\nask = [\"Bash(touch *)\"]\n[models]\ndefault = \"fake\"\n[model.fake]\nmodel = \"fake-model\"\nname = \"Fake\"\nenv_key = \"FAKE_KEY\"\ncontext_window = 200000\n" +
			fmt.Sprintf("base_url = \"%s/v1\"\n", base)
		dir := filepath.Join(r.Home, ".grok")
		return errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "config.toml"), []byte(c), 0o600))
	},
	"mastracode": func(r *Real, base string) error {
		r.Env = append(r.Env, "OPENAI_API_KEY="+fakeKey, "OPENAI_BASE_URL="+base+"/v1", "MASTRACODE_MODEL_ID=openai/fake-model",
			"MASTRACODE_DISABLE_UPDATE_CHECK=1", "MASTRACODE_DISABLE_CAFFEINATE=1", "MASTRA_TELEMETRY_DISABLED=1")
		return r.write(".local/share/mastracode/settings.json", map[string]any{
			"onboarding":  map[string]any{"skippedAt": "2026-11-30T12:53:22.008Z", "version": 1, "quietModePreferenceSelected": true},
			"preferences": map[string]any{"yolo": false, "theme": "dark", "quietMode": true},
		})
	},
	"pi": func(r *Real, base string) error {
		r.Env = append(r.Env, "PI_OFFLINE=1")
		return errors.Join(
			r.write(".pi/agent/models.json", map[string]any{"providers": map[string]any{"fake": map[string]any{
				"baseUrl": base + "/v1", "api": "openai-completions", "apiKey": "none",
				"models": []any{map[string]any{"id": "fake-model"}},
			}}}),
			r.write(".pi/agent/settings.json", map[string]any{"defaultProvider": "fake", "defaultModel": "fake-model"}))
	},
}
