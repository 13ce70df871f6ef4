package agent

import (
	"fmt"
	"time"

	"reprise/panes"
)

// Witnessed is what one source says that an agent does.
type Witnessed struct {
	By Source
	Evidence
	// Decides: the status follows it. Why says, if not, why that does not.
	Decides bool
	Why     string
}

// Explain says what the agent of a pane does, and what each source says of it: those
// that say nothing are left out.
func (c *Coordinator) Explain(p panes.PaneID) (s Status, all []Witnessed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s = c.placeOf(p).view.Status
	l := c.agentIn(p)
	if l == nil {
		return s, nil
	}
	now := c.cfg.Now()
	s = StatusOf(l.evidence, now)
	for by := ByHook; by < numSources; by++ {
		if e := l.evidence[by]; e.Doing != "" {
			w := Witnessed{By: by, Evidence: e, Decides: by == s.By}
			if !w.Decides {
				w.Why = l.evidence.idleBecause(by, s.By, now)
			}
			all = append(all, w)
		}
	}
	return s, all
}

// idleBecause says why a source does not decide, where another does.
func (all *Evidences) idleBecause(by, decides Source, now time.Time) string {
	switch {
	case by == ByHook:
		return "older than what the " + decides.String() + " says"
	case decides == ByHook && by == ByScreen && all.told() == 0 && all.looksOver():
		return fmt.Sprintf("it no longer looks like work; decides in %.1f s if it stays so", all.overAt().Sub(now).Seconds())
	case decides == ByHook && by == all.told() && all.outdated(by):
		rest := all[by].Since.Add(tellTime).Sub(now)
		return fmt.Sprintf("newer than the hook; decides in %.1f s if it stays so", rest.Seconds())
	case decides == ByHook && by == all.told() && !all[by].Since.After(all[ByHook].Last):
		return "older than what the hook says"
	case decides == ByHook && by == all.told():
		return "goes together with what the hook says"
	}
	return "the " + decides.String() + " comes first"
}
