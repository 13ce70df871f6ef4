package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"reprise/agent"
	"reprise/agent/past"
	"reprise/panes"
	"reprise/panes/disk"
	"reprise/server"
	"reprise/ui"
)

// maxDirs is how many directories of late a client is told.
const maxDirs = 50

// seat is the place of one client in the workspaces: in the one that it shows and, on
// its way from one to another, in both. It is a ui.Sessions.
type seat struct {
	proc *process
	conn *server.Conn

	mu    sync.Mutex
	peer  ui.Peer // guarded by mu, once the client is shown something
	stays []stay  // guarded by mu: the newest last
	moves int     // guarded by mu
	gone  bool    // guarded by mu: the client left
}

// stay is one workspace that counts the client among its own.
type stay struct {
	house *house
	id    panes.ClientID
}

// take opens what a visit names and lets the client sit there.
func (s *seat) take(ctx context.Context, v visit) (ui.Session, error) {
	h, err := s.proc.open(ctx, v)
	if err != nil {
		return ui.Session{}, err
	}
	one := stay{h, v.client}
	focus, err := h.furnish(ctx, v)
	if err != nil {
		s.end(one)
		return ui.Session{}, err
	}
	hello := s.conn.Hello()
	if !hello.ReadOnly {
		h.coord.SetEnviron(hello.Env)
	}
	if focus == "" {
		focus, _ = h.pane("")
	}
	s.mu.Lock()
	gone := s.gone
	if !gone {
		s.stays = append(s.stays, one)
		h.roster.add(v.client, guest{Peer: s.peer, order: s.conn.ID(), detach: s.conn.Detach})
	}
	s.mu.Unlock()
	if gone {
		s.end(one)
		s.proc.settle() // it may be empty by now
		return ui.Session{}, errors.New("this client is leaving")
	}
	return ui.Session{
		Workspace: h, Host: h.host, Resumer: h.coord, Launcher: h.coord, Peers: &h.roster,
		Client: v.client, Focus: focus, Focused: h.focused, Save: h.saveLayout,
	}, nil
}

// end lets a workspace forget the client.
func (s *seat) end(one stay) {
	h := one.house
	h.roster.remove(one.id)
	h.host.Forget(one.id)
	h.touch()
	s.proc.left(h)
}

// leave ends all stays: the client is gone.
func (s *seat) leave() {
	s.mu.Lock()
	stays := s.stays
	s.stays, s.gone = nil, true
	s.mu.Unlock()
	for _, one := range stays {
		s.end(one)
	}
}

// house is the workspace that the client came to last.
func (s *seat) house() *house {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stays[len(s.stays)-1].house
}

// resize notes the client's size.
func (s *seat) resize(size panes.Size) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.peer.Size = size
	for _, one := range s.stays {
		one.house.roster.resize(one.id, size)
	}
}

// List tells the open workspaces by name.
func (s *seat) List() []ui.Session {
	var all []ui.Session
	for _, h := range s.proc.all() {
		all = append(all, ui.Session{Workspace: h, Host: h.host, Resumer: h.coord})
	}
	slices.SortFunc(all, func(a, b ui.Session) int { return strings.Compare(a.Workspace.Name(), b.Workspace.Name()) })
	return all
}

// Enter lets the client sit in another workspace, too.
func (s *seat) Enter(ctx context.Context, to *panes.Host) (ui.Session, error) {
	all := s.proc.all()
	at := slices.IndexFunc(all, func(h *house) bool { return h.host == to })
	if at < 0 {
		return ui.Session{}, errors.New("that session is closed")
	}
	h, hello := all[at], s.conn.Hello()
	s.mu.Lock()
	s.moves++
	v := visit{
		name: h.Name(), saved: true, dir: h.dir, env: hello.Env, client: panes.ClientID(fmt.Sprintf("client-%d.%d", s.conn.ID(), s.moves)),
		area: panes.Size{Cols: s.peer.Size.Cols, Rows: max(s.peer.Size.Rows-1, 1)},
	}
	s.mu.Unlock()
	if hello.ReadOnly {
		v.area = panes.Size{}
	}
	return s.take(ctx, v)
}

// Left ends the client's stay under that name.
func (s *seat) Left(id panes.ClientID) {
	s.mu.Lock()
	var over []stay
	s.stays = slices.DeleteFunc(s.stays, func(one stay) bool {
		if one.id != id {
			return false
		}
		over = append(over, one)
		return true
	})
	s.mu.Unlock()
	for _, one := range over {
		s.end(one)
	}
	s.proc.settle() // nobody may look at it any more
}

// Starts tells which agents are installed, and the directories of late.
func (s *seat) Starts(ctx context.Context) (found ui.Starts) {
	h := s.house()
	path := lookEnv(h.host.Environ(), "PATH")
	for _, k := range h.kinds.All() {
		f := k.Facts()
		if _, err := panes.LookPath(f.Program, h.dir, path); err == nil {
			found.Agents = append(found.Agents, f)
		}
	}
	dirs, err := h.db.Dirs(ctx, maxDirs)
	if err != nil {
		s.proc.log.Warn("look for directories of late", "err", err)
	}
	for _, dir := range dirs {
		if disk.IsDir(dir, disk.Glance) {
			found.Dirs = append(found.Dirs, dir)
		}
	}
	if found.Past, err = s.Past(ctx, maxFound); err != nil {
		s.proc.log.Warn("look for past sessions", "err", err)
	}
	found.Past = found.Past[:min(len(found.Past), maxFound)]
	return found
}

// maxFound is how many past sessions the palette is told.
const maxFound = 300

var _ ui.Past = (*seat)(nil)

// Past lists the past sessions of this machine.
func (s *seat) Past(ctx context.Context, limit int) ([]past.Row, error) {
	rows, _, err := s.house().pastRows(ctx, cmp.Or(limit, maxPast))
	return rows, err
}

// Changes tells whether Past may list something else than before.
func (s *seat) Changes(ctx context.Context) (int64, error) { return s.proc.book.changes(ctx) }

// Refresh reads what is new in the agents' stores.
func (s *seat) Refresh(ctx context.Context) error {
	h := s.house()
	where, err := s.proc.book.look(ctx, h.db, h.kinds, h.env)
	if err != nil {
		return err
	}
	_, err = s.proc.book.refresh(ctx, where)
	return err
}

// Saying tells in which past sessions a word is.
func (s *seat) Saying(ctx context.Context, word string) map[agent.Identity]bool {
	return s.proc.book.saying(ctx, word)
}

// OpenPast leads to a past session.
func (s *seat) OpenPast(ctx context.Context, r past.Row, how ui.PastHow, newPane func(context.Context) (panes.PaneID, error)) (*panes.Host, panes.PaneID, error) {
	at, err := s.proc.openPast(ctx, s.house(), r, how, newPane)
	if err != nil {
		return nil, "", err
	}
	return at.house.host, at.pane, nil
}

// Subscribe wakes the client when something of the workspaces may have changed.
func (s *seat) Subscribe() (wake <-chan struct{}, cancel func()) { return s.proc.news.Subscribe() }

// tell rings for all clients when the state of an agent changes, or a pane or tab, or
// what one is called: others list them, too.
func (h *house) tell(ctx context.Context) {
	agents, a := h.coord.Subscribe()
	defer a()
	layout, b := h.host.SubscribeNews()
	defer b()
	for {
		select {
		case <-ctx.Done():
			return
		case <-agents:
		case <-layout:
		}
		h.proc.news.Wake()
	}
}
