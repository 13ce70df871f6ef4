package alert

import (
	"cmp"
	"slices"

	"reprise/panes"
)

// names are how kinds are written down for another version of this program, in which
// they may have other numbers.
var names = [NumKinds]string{"bell", "message", "done", "waiting", "exit", "failure", "activity", "silence"}

// MarshalText is the kind's name.
func (k Kind) MarshalText() ([]byte, error) {
	if k >= NumKinds {
		return nil, nil
	}
	return []byte(names[k]), nil
}

// UnmarshalText reads a kind's name; one that this version does not know is NumKinds.
func (k *Kind) UnmarshalText(b []byte) error {
	*k = NumKinds
	if i := slices.Index(names[:], string(b)); i >= 0 {
		*k = Kind(i)
	}
	return nil
}

// list are the kinds of a set.
func (s Kinds) list() (all []Kind) {
	for k := range NumKinds {
		if s.Has(k) {
			all = append(all, k)
		}
	}
	return all
}

// Carried is what a Log leaves to the next image of the process, as JSON. What the
// clients have in sight they tell it anew, and limits begin again.
type Carried struct {
	Last     uint64                  `json:"last"`
	Alerts   []Alert                 `json:"alerts,omitempty"`
	Unseen   map[panes.PaneID][]Kind `json:"unseen,omitempty"`
	Monitors map[panes.PaneID][]Kind `json:"monitors,omitempty"`
}

// Carry describes the log and changes nothing.
func (l *Log) Carry() Carried {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Carried{Last: l.last, Alerts: slices.Clone(l.all), Unseen: lists(l.unseen), Monitors: lists(l.monitors)}
}

func lists(of map[panes.PaneID]Kinds) map[panes.PaneID][]Kind {
	all := make(map[panes.PaneID][]Kind, len(of))
	for p, s := range of {
		all[p] = s.list()
	}
	return all
}

// Adopt makes what another Log left that of l, into which nothing was put yet: the
// last Keep alerts of kinds that are known, numbered as they were.
func (l *Log) Adopt(c Carried) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := slices.DeleteFunc(slices.Clone(c.Alerts), func(a Alert) bool {
		return a.Kind >= NumKinds || a.N == 0 || a.N > c.Last
	})
	slices.SortStableFunc(known, func(a, b Alert) int { return cmp.Compare(a.N, b.N) })
	l.all = known[max(0, len(known)-Keep):]
	l.last = c.Last
	l.unseen, l.monitors = sets(c.Unseen), sets(c.Monitors)
	l.changed()
}

func sets(of map[panes.PaneID][]Kind) map[panes.PaneID]Kinds {
	all := map[panes.PaneID]Kinds{}
	for p, list := range of {
		for _, k := range list {
			if k < NumKinds {
				all[p] |= k.Set()
			}
		}
	}
	return all
}
