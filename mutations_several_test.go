package main

import "slices"

// mutations is the whole table.
var mutations = slices.Concat(ruleMutations, severalMutations, toldMutations)

// Files that hold the rules of several workspaces in one process, and of its
// upgrade in place.
const (
	limits   = "agent/limit.go"
	handover = "agent/handover.go"
	adopt    = "agent/adopt.go"
	dbAdopt  = "db/adopt.go"
	dbLock   = "db/lock.go"

	sameStore = "db/samestore.go"
)

// severalMutations are the rules that hold where one process has many workspaces and
// clients, and goes on as another image of itself.
var severalMutations = []mutation{
	{
		name: "status: what is told otherwise must stand against a hook", pkg: "./agent", run: "TestStatusOf",
		edits: []edit{{"agent/status.go", " && !now.Before(all[told].Since.Add(tellTime))", ""}},
	},
	{
		name: "claim: a session of one store", pkg: "./db", run: "TestSessionOfAStore",
		edits: []edit{{moves, "o.session_id = b.session_id AND ` + inOneStore + `\n", "o.session_id = b.session_id AND o.kind = b.kind AND o.home = b.home\n"}},
	},
	{
		name: "open: a session of one store", pkg: "./db", run: "TestSessionOfAStore",
		edits: []edit{{sameStore, "EXISTS (SELECT 1 FROM (SELECT :kind AS kind, :home AS home) o WHERE ` + inOneStore + `)`", "b.kind = :kind AND b.home = :home`"}},
	},
	{
		name: "twins in one store [P12]", pkg: "./db", run: "TestSessionOfAStore",
		edits: []edit{{moves, "FROM ended o WHERE `+inOneStore+`)", "FROM ended o WHERE o.kind = b.kind AND o.home = b.home)"}},
	},
	{
		name: "pin: a session of one store", pkg: "./db", run: "TestSessionOfAStore",
		edits: []edit{{"db/pins.go", "` AND ` + inOneStore + `\n", "` AND o.kind = b.kind AND o.home = b.home\n"}},
	},
	{
		name: "stores: those of the config of now", pkg: "./db", run: "TestStoresFollowTheConfig",
		edits: []edit{{instances, "		if err := d.noteStores(ctx, tx); err != nil {\n			return err\n		}\n", ""}},
	},
	{
		name: "stores: after an upgrade", pkg: "./db", run: "TestStoresFollowTheConfig",
		edits: []edit{{dbAdopt, "	if err := d.noteStores(ctx, tx); err != nil {\n		return err\n	}\n", ""}},
	},
	{
		name: "pre-flight: a process of another kind of the store", pkg: "./agent", run: "TestHeldByAProcessOfAnotherKind",
		edits: []edit{{preflight, "			if store != \"\" && name", "			if false && name"}},
	},
	{
		name: "pre-flight: a session that its agent has left", pkg: "./agent", run: "TestOpenWhatItsAgentHasLeft",
		edits: []edit{{preflight, "names(p, id) && !a.hasLeft(p, u.facts, all))", "names(p, id))"}},
	},
	{
		name: "pre-flight: a session that a nested agent has", pkg: "./agent", run: "TestOpenWhatItsAgentHasLeft",
		edits: []edit{{preflight, "return agents <= f.OwnProcesses", "return true"}},
	},
	{
		name: "pre-flight: a session of which no hook told", pkg: "./db", run: "TestTold",
		edits: []edit{{"db/launches.go", " AND b.session_at IS NOT NULL AND b.pinned_at IS NULL", " AND b.pinned_at IS NULL"}},
	},
	{
		name: "pre-flight: a session that a hook not taken in may tell of", pkg: "./db", run: "TestTold",
		edits: []edit{{"db/launches.go", "		AND NOT EXISTS (SELECT 1 FROM hook_events h WHERE h.nonce = t.nonce)`", "		`"}},
	},
	{
		name: "prompts: for a session of another kind of the store", pkg: "./agent", run: "TestPromptsOfASessionThatComesBack",
		edits: []edit{{"agent/shelf.go", "	return store != \"\" && store ==", "	return false && store =="}},
	},
	{
		name: "open: another handle that is closed meanwhile", pkg: "./db", run: "TestAHandleThatIsBeingOpenedKeepsItsLock",
		edits: []edit{{"db/db.go", "	defer keepGround(path)() // until it is ours\n", ""}},
	},
	{
		name: "judge: an agent that rests was sent a message", pkg: "./agent", run: "TestJudge",
		edits: []edit{{"agent/judge.go", "Prompted: e.What == HookPrompt || e.What == HookStop}", "Prompted: e.What == HookPrompt || e.What == HookStop || e.What == HookRest}"}},
	},
	{
		name: "status: a title without a spinner ends no question", pkg: "./agent", run: "TestStatusOf",
		edits: []edit{{"agent/status.go", "hook.Doing != Working && told.Doing == Quiet", "false"}},
	},
	{
		name: "parallel", pkg: "./agent", run: "TestScopeAll|TestFortyPanesStartSlowly",
		edits: []edit{{limits, "if l.busy < l.most {", "if true {"}},
	},
	{
		name: "parallel: workspaces share it", pkg: "./agent", run: "TestLimitIsShared",
		edits: []edit{{"agent/coordinator.go", "	if cfg.Limit == nil {\n", "	if true {\n"}},
	},
	{
		name: "an upgrade waits for a session that is just opened", pkg: "./agent", run: "TestUpgradeWaitsForAnOpening",
		edits: []edit{{handover, "	if c.opens > 0 {", "	if false {"}},
	},
	{
		name: "what waits for its turn survives an upgrade", pkg: "./agent", run: "TestResumeAllOverAnUpgrade",
		edits: []edit{{adopt, "		if here(r.Pane) {\n			c.enqueue(r)\n		}\n", "		_ = r\n		_ = here\n"}},
	},
	{
		name: "parallel: a slot is kept until a sign of life", pkg: "./agent", run: "TestFortyPanesStartSlowly",
		edits: []edit{{queue, "	a.awaitSign()\n", ""}},
	},
	{
		name: "parallel: a slot is kept for ever", pkg: "./agent", run: "TestFortyPanesStartSlowly|TestResultBeforeTheSign",
		edits: []edit{{queue, "	defer c.limit.give()\n", ""}},
	},
	{
		name: "parallel: a free slot wakes the others", pkg: "./agent", run: "TestLimitAndStop",
		edits: []edit{{limits, "next == nil || next.serve()", "next == nil || next != nil"}},
	},
	{
		name: "focused first across workspaces", pkg: "./agent", run: "TestLimitKnowsTheFocus",
		edits: []edit{{limits, "int(a.urgency - b.urgency)", "0"}},
	},
	{
		name: "focused first: before the first look", pkg: "./agent", run: "TestBeforeTheFirstLook",
		edits: []edit{{queue, "	if !c.beat.looked {\n", "	if false {\n"}},
	},
	{
		name: "focused first: until it is asked for", pkg: "./agent", run: "TestFocusedIsAwaited",
		edits: []edit{{queue, "		if pl != nil && pl.view.State == PaneDue && c.flights", "		if pl == nil && c.flights"}},
	},
	// The upgrade in place.
	{
		name: "upgrade: a claim under way is given back", pkg: "./agent", run: "TestClaimAcrossAnUpgrade",
		edits: []edit{{adopt, "		c.giveBack(ClaimRef{Terminal: t.ID, Owner: b.Owner, Token: b.Token, At: c.cfg.Now()}, \"the process was upgraded meanwhile\")\n", ""}},
	},
	{
		name: "upgrade: the terminals are taken over", pkg: "./agent", run: "TestWhatHappensDuringAnUpgrade",
		edits: []edit{{adopt, "		l.recall(told[t.ID])\n		c.keep(l)\n		c.watch(term)\n", ""}},
	},
	{
		name: "upgrade: what did not come along is ended", pkg: "./agent", run: "TestTerminalsThatDoNotComeAlong",
		edits: []edit{{adopt, "		c.bury(o)\n", ""}},
	},
	{
		name: "upgrade: unsure goodbyes settle", pkg: "./agent", run: "TestGoodbyeSettlesAfterAnUpgrade",
		edits: []edit{{adopt, "l.ended, l.exited, l.settleAt = true, t.Ended, t.Ended.Add(c.cfg.Policy.SettleIdle)", "l.ended, l.exited = true, t.Ended"}, {adopt, "l.settleAt = told.SettleAt", "_ = told"}},
	},
	{
		name: "upgrade: a person's end is carried out [P8]", pkg: "./agent", run: "TestStampedAcrossAnUpgrade",
		edits: []edit{{adopt, "		if l.disposed { // [P8]\n			c.carryOut(l)\n		}\n", ""}},
	},
	{
		name: "upgrade: no resume begins", pkg: "./agent", run: "TestAdoptionIsTriedAgain",
		edits: []edit{{queue, "if c.stopping || c.held != nil {", "if c.stopping {"}},
	},
	{
		name: "upgrade: no launch begins", pkg: "./agent", run: "TestHandoverQuiesces",
		edits: []edit{{handover, "for c.held != nil && !c.stopping {", "for false {"}},
	},
	{
		name: "upgrade: it waits for what is under way", pkg: "./agent", run: "TestHandoverQuiesces",
		edits: []edit{{handover, "for !c.idle() {", "for false {"}},
	},
	{
		name: "upgrade: attempts count on", pkg: "./agent", run: "TestProbationAfterAnUpgrade",
		edits: []edit{{adopt, "		l.probation, l.attempts, l.firstDeath = b.Predecessor != \"\", b.Attempts, b.FirstDeath\n", ""}},
	},
	{
		name: "upgrade: the lock is not let go", pkg: "./db", run: "TestAdoptInPlace",
		edits: []edit{{dbLock, "	f := os.NewFile(uintptr(fd), path)\n", "	_ = unix.Close(fd)\n	f, err := os.Open(path)\n	if err != nil {\n		return nil, err\n	}\n"}},
	},
	{
		name: "upgrade: only the same process", pkg: "./db", run: "TestAdoptRefuses",
		edits: []edit{{dbAdopt, "i.process.PID != self.PID || self.Start != 0 && i.process.Start != 0 && i.process != self", "false && i.process != self"}},
	},
	{
		name: "upgrade: only the lock file itself", pkg: "./db", run: "TestAdoptRefuses",
		edits: []edit{{dbLock, "if held.Dev != named.Dev || held.Ino != named.Ino {", "if false {"}},
	},
	{
		name: "upgrade: former builds are kept", pkg: "./db", run: "TestAdoptAcrossExec",
		edits: []edit{{"db/builds.go", "JOIN instances i ON i.id = b.instance WHERE i.swept = 0", "JOIN instances i ON i.id = b.instance WHERE 0"}},
	},

	{
		name: "disk: what is known not to answer is asked once more", pkg: "./panes/disk", run: "TestASilentDiskIsAskedOnce",
		edits: []edit{{"panes/disk/disk.go", "		if at.path != \"/\" && below(next, at.path) && (next != at.path || !at.inside) {\n			return false\n", "		if at.path != \"/\" && below(next, at.path) && (next != at.path || !at.inside) {\n			break\n"}},
	},
	{
		name: "disk: a folder is silent because something in it is", pkg: "./panes/disk", run: "TestALookThatHangsIsRememberedByItsPath",
		edits: []edit{{"panes/disk/disk.go", " && (next != at.path || !at.inside) {", " {"}},
	},
	{
		name: "disk: the whole machine is silent because its root is", pkg: "./panes/disk", run: "TestTheRootIsNeverSilent",
		edits: []edit{{"panes/disk/disk.go", "if at.path != \"/\" && below(", "if below("}},
	},

	// What is not looked through again.
	{
		name: "open: a database that is not as it was left", pkg: "./db", run: "TestADatabaseIsLookedThroughSeldom|TestDamagedDatabaseIsSetAside",
		edits: []edit{{"db/checked.go", "if !closed || is != was || now", "if !closed || now"}},
	},
	{
		name: "open: a change in the same instant", pkg: "./db", run: "TestDamageAtOnceAfterItWasClosed",
		edits: []edit{{"db/checked.go", "time.Unix(0, c.time).Add(-time.Second)", "time.Unix(0, c.time)"}},
	},
	{
		name: "open: damage that was met", pkg: "./db", run: "TestADoubtedDatabaseIsLookedThrough",
		edits: []edit{{"db/checked.go", "	if !g.doubted.Swap(true) {", "	if false {"}, {"db/db.go", "		if !d.ground.doubted.Load() {", "		{"}},
	},
	{
		name: "open: damage that another one met", pkg: "./db", run: "TestADoubtedDatabaseIsLookedThrough",
		edits: []edit{{"db/checked.go", "err == nil && st.Size() == 0 {", "err == nil && st.Size() < 0 {"}},
	},

	// What is forgotten.
	{
		name: "prune: a candidate", pkg: "./db", run: "TestPruneForgetsWhatIsOver",
		edits: []edit{{"db/prune.go", "(b.session_id IS NULL OR b.first_failed = 1)", "(1)"}},
	},
	{
		name: "prune: another life in one store", pkg: "./db", run: "TestPruneForgetsWhatIsOver",
		edits: []edit{{"db/prune.go", "o.session_id = b.session_id AND ` + inOneStore + `\n", "o.session_id = b.session_id AND o.kind = b.kind AND o.home = b.home\n"}},
	},
	{
		name: "prune: another life in another store", pkg: "./db", run: "TestPruneForgetsWhatIsOver",
		edits: []edit{{"db/prune.go", "o.session_id = b.session_id AND ` + inOneStore + `\n", "o.session_id = b.session_id\n"}},
	},
	{
		name: "prune: an unsure goodbye", pkg: "./db", run: "TestPruneForgetsWhatIsOver",
		edits: []edit{{"db/prune.go", "isDetached + ` AND b.unsure = 0)", "isDetached + `)"}},
	},
	{
		name: "prune: what a living process owns", pkg: "./db", run: "TestPruneForgetsWhatIsOver",
		edits: []edit{
			{"db/prune.go", "WHERE i.id = t.instance AND i.swept = 1)", "WHERE i.id = t.instance)"},
			{"db/prune.go", "AND t.instance IN (SELECT id FROM instances WHERE swept = 1)", ""},
		},
	},
	{
		name: "prune: what a saved layout has", pkg: "./db", run: "TestPruneForgetsWhatIsOver|TestPruneOfChains",
		edits: []edit{{"db/prune.go", "return saved[l.pane] || ", "return saved[\"\"] || "}},
	},
	{
		name: "prune: the middle of a chain", pkg: "./db", run: "TestPruneOfChains",
		edits: []edit{{"db/prune.go", " || l.former != \"\" && !gone[l.former]", ""}},
	},
	{
		name: "move: the layout before the last pane went", pkg: "./db", run: "TestMovePaneIsOneStep",
		edits: []edit{{"db/movepane.go", "layout_prev = iif(?3 IS NULL, NULL, layout_prev)", "layout_prev = layout_prev"}},
	},
	{
		name: "remove: a workspace that holds sessions", pkg: "./db", run: "TestRemoveWorkspace",
		edits: []edit{{"db/rename.go", "holds.Sessions > 0 && !force", "false"}},
	},
	{
		name: "remove: a workspace that is open elsewhere", pkg: "./db", run: "TestRemoveWorkspace|TestRenameWorkspace",
		edits: []edit{{"db/rename.go", "case ws.Live && ws.Owner != inst:", "case false:"}},
	},

	// A disk that is full.
	{
		name: "trouble: failed resumes are taken up again", pkg: "./agent", run: "TestNothingCanBeSaved",
		edits: []edit{{"agent/trouble.go", "	c.beat.trouble = \"\"\n	c.subs.Wake()\n	c.askAgain()\n", "	c.beat.trouble = \"\"\n	c.subs.Wake()\n"}},
	},
	{
		name: "trouble: it is found to be over", pkg: "./agent", run: "TestNothingCanBeSaved|TestSavedByOthers",
		edits: []edit{{loop, "		c.probe(ctx, now)\n", ""}},
	},
}
