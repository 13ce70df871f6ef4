package cli

import (
	"cmp"
	"slices"
	"sync"

	"reprise/panes"
	"reprise/ui"
)

// roster says who is attached to a workspace. It is a ui.Peers.
type roster struct {
	panes.Watch // wakes when List may have changed
	mu          sync.Mutex
	all         map[panes.ClientID]*guest // guarded by mu
}

// guest is one attached client.
type guest struct {
	ui.Peer
	order  uint64 // of attachment
	detach func(cause error)
}

func (r *roster) add(id panes.ClientID, g guest) {
	r.change(func() {
		if r.all == nil {
			r.all = map[panes.ClientID]*guest{}
		}
		r.all[id] = &g
	})
}

func (r *roster) remove(id panes.ClientID) {
	r.change(func() { delete(r.all, id) })
}

func (r *roster) resize(id panes.ClientID, s panes.Size) {
	r.change(func() {
		if g := r.all[id]; g != nil {
			g.Size = s
		}
	})
}

func (r *roster) change(do func()) {
	r.mu.Lock()
	do()
	r.mu.Unlock()
	r.Wake()
}

// List tells who is attached, in the order of their coming.
func (r *roster) List(self panes.ClientID) []ui.Peer {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []guest
	for id, g := range r.all {
		c := *g
		c.Self = id == self
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b guest) int { return cmp.Compare(a.order, b.order) })
	peers := make([]ui.Peer, len(all))
	for i, g := range all {
		peers[i] = g.Peer
	}
	return peers
}

// Detach lets the clients of that name go.
func (r *roster) Detach(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range r.all {
		if g.Name == name {
			g.detach(errDetached)
		}
	}
}

// detachAll lets all clients go, with a word, and counts them.
func (r *roster) detachAll(cause error) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range r.all {
		g.detach(cause)
	}
	return len(r.all)
}
