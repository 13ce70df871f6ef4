package cli

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"reprise/agent"
	"reprise/agent/kinds"
	"reprise/panes"
)

const (
	maxVersion = 4 << 10 // bytes of what is read of it
	// versionTime is for an agent to say its version: some start slowly.
	versionTime = 5 * time.Second
	// versionsAtOnce is how many are asked side by side.
	versionsAtOnce = 2
)

// runQuietly runs a program without a terminal.
func runQuietly(ctx context.Context, argv []string) (string, error) {
	out, err := panes.Run(ctx, argv, "", nil, maxVersion)
	return string(out), err
}

func lookAtAgents(ctx context.Context, p patient, r *findings) {
	reading, _ := readConfig(p.paths.config)
	registry, _ := kinds.New(reading.c.Agents) // what is wrong with them the config's part says
	own := map[string]bool{}
	for _, c := range reading.c.Agents {
		own[c.Name] = true
	}
	all := registry.All()
	found := make([]finding, len(all))
	turns := make(chan struct{}, versionsAtOnce)
	var wg sync.WaitGroup
	for i, k := range all {
		wg.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			found[i] = p.agent(ctx, k, own[k.Facts().Name])
		})
	}
	wg.Wait()
	var missing []string
	for _, f := range found {
		if f.State == noted {
			missing = append(missing, f.Name)
			continue
		}
		r.add(f.State, f.Name, f.What, f.Do)
	}
	switch len(missing) {
	case 0:
	case len(found):
		r.add(noted, "agents", "none of those that are known is in PATH", "install one, or describe yours in config.toml: docs/custom-agents.md")
	default:
		r.add(noted, "others", "not in PATH: "+someOf(missing), "")
	}
}

// someOf names the first few.
func someOf(names []string) string {
	const few = 4
	if len(names) <= few+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// agent looks at one kind. A program that the person described is not run: nobody
// knows what --version means to it.
func (p patient) agent(ctx context.Context, k agent.Kind, own bool) finding {
	f := k.Facts()
	path, err := panes.LookPath(f.Program, p.dir, lookEnv(p.env, "PATH"))
	if err != nil {
		return finding{Name: f.Label, State: noted, What: f.Program + " is not in PATH"}
	}
	what := []string{p.tilde(path)}
	if own {
		what = append(what, "not asked for its version")
	} else {
		var said string
		ctx, cancel := context.WithTimeout(ctx, versionTime)
		defer cancel()
		said, err = p.run(ctx, []string{path, "--version"})
		if v := versionIn(said); v != "" {
			what = []string{v + " at " + p.tilde(path)}
		}
	}
	got := finding{Name: f.Label, State: sound}
	switch {
	case f.NoResume != "":
		what = append(what, "cannot be resumed: "+f.NoResume)
	case err != nil:
	default:
		what = append(what, "can be resumed")
	}
	what = append(what, hooked(k, p.dir))
	got.What = strings.Join(what, ", ")
	if err != nil {
		why := err.Error()
		if errors.Is(err, context.DeadlineExceeded) {
			why = "it did not answer within " + versionTime.String()
		}
		got.State, got.What, got.Do = wrong, p.tilde(path)+" --version fails: "+why, "run it by hand, and install it again if need be"
	}
	return got
}

// versionIn is the first line of what a program says of its version, cut to what
// matters.
func versionIn(said string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	line = oneLine(line)
	if runes := []rune(line); len(runes) > 40 {
		line = string(runes[:39]) + "…"
	}
	return line
}

// hooked says whether a kind makes its program call us: whether its command line
// differs when there is something to be called, and by more than the variable that
// leaves it to the person's own hooks.
func hooked(k agent.Kind, dir string) string {
	in := agent.LaunchInput{Dir: dir}
	if k.Facts().PresetsID {
		in.Session = "00000000-0000-4000-8000-000000000000"
	}
	without, err := k.Launch(in)
	in.Hook = agent.HookCommand{Program: "/reprise", State: "/state", Nonce: "nonce"}
	with, err2 := k.Launch(in)
	if err != nil || err2 != nil || reflect.DeepEqual(without, with) {
		return "has no hooks: its state is guessed"
	}
	with.Env = slices.DeleteFunc(with.Env, func(e string) bool { return strings.HasPrefix(e, kinds.HookVariable+"=") })
	if len(with.Env) == len(without.Env) {
		with.Env = without.Env
	}
	if reflect.DeepEqual(without, with) {
		return "its state is guessed unless hooks of yours run $" + kinds.HookVariable
	}
	return "calls our hooks"
}
