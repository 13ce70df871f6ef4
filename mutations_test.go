package main

// Files that hold the rules.
const (
	moves     = "db/moves.go"
	claims    = "db/claims.go"
	lives     = "db/lives.go"
	ground    = "db/ground.go"
	verdicts  = "db/verdict.go"
	hooks     = "db/apply.go"
	pointers  = "db/pointers.go"
	instances = "db/instances.go"
	marks     = "db/marks.go"
	judge     = "agent/judge.go"
	policy    = "agent/policy.go"
	resume    = "agent/resume.go"
	preflight = "agent/preflight.go"
	limbos    = "agent/limbo.go"
	sweep     = "agent/sweep.go"
	ends      = "agent/end.go"
	launch    = "agent/launch.go"
	life      = "agent/life.go"
	loop      = "agent/loop.go"
	queue     = "agent/queue.go"
	view      = "agent/view.go"
	gate      = "panes/gate/gate.go"
	identity  = "panes/identity.go"
)

// ruleMutations are the rules of resume.md. Rules that break nothing when they are dropped alone,
// because another holds what they hold (the model of the protocol shows the same),
// are dropped together with that other, or are held to their statement only:
//
//   - P3 with P4, in the judge and in the store's statements. Each of the four is
//     caught alone as well, where it is written.
//   - the nonce in the statement that reopens a row with the nonce by which the row
//     was looked up, in the same transaction.
//   - seen gone in pre-flight with P10, which looks again after the claim.
//   - the uniqueness clause is dropped for the tests of the statement only: in the
//     panes pre-flight, P10 and the look for strangers hold what it holds.
//   - P8 after the gate with P8 of the loop, which reads the same stamp.
var ruleMutations = []mutation{
	// The claim.
	{
		name: "claim: end_reason guard", pkg: "./db", run: "TestPredicate",
		edits: []edit{{moves, "const candidate = `(b.ended_at IS NOT NULL AND ` + isExited + `\n", "const candidate = `(b.ended_at IS NOT NULL\n"}},
	},
	{
		name: "claim: the whole predicate", pkg: "./db", run: "TestPredicate|TestOneOfASession",
		edits: []edit{{claims, "WHERE b.terminal_id = :t AND `+candidate,", "WHERE b.terminal_id = :t`,"}},
	},
	{
		name: "claim: uniqueness clause", pkg: "./db", run: "TestOneOfASession",
		edits: []edit{{moves, "\n	AND NOT EXISTS (SELECT 1 FROM bindings o WHERE o.session_id = b.session_id AND ` + inOneStore + `\n		AND o.terminal_id <> b.terminal_id AND (o.end_reason IS NULL OR o.end_reason = 'resuming')))`", ")`"}},
	},
	{
		name: "claim: uniqueness among the claimed", pkg: "./db", run: "TestOneOfASession",
		edits: []edit{{moves, "(o.end_reason IS NULL OR o.end_reason = 'resuming')", "o.end_reason IS NULL"}},
	},
	{
		name: "claim: uniqueness among the living", pkg: "./db", run: "TestOneOfASession",
		edits: []edit{{moves, "(o.end_reason IS NULL OR o.end_reason = 'resuming')", "o.end_reason = 'resuming'"}},
	},
	{
		name: "claim: a dispose request", pkg: "./db", run: "TestPredicate",
		edits: []edit{{moves, "d.dispose_requested_at IS NOT NULL)", "d.dispose_requested_at IS NOT NULL AND 0)"}},
	},
	{
		name: "confirm: end_reason guard", pkg: "./db", run: "TestConfirmRefuses",
		edits: []edit{{claims, "WHERE b.terminal_id = :t AND `+isResuming+` AND b.token = :token`,\n			sql.Named(\"t\", c.Claim", "WHERE b.terminal_id = :t AND b.token = :token`,\n			sql.Named(\"t\", c.Claim"}},
	},
	{
		name: "confirm: token", pkg: "./db", run: "TestConfirmRefuses",
		edits: []edit{{claims, "b.token = :token`,\n			sql.Named(\"t\", c.Claim", ":token = :token`,\n			sql.Named(\"t\", c.Claim"}},
	},
	{
		name: "confirm: an error taken for a commit", pkg: "./agent", run: "TestStoreFaultsInAResume",
		edits: []edit{{resume, "	if err == nil {\n		return ok, nil\n	}\n	switch out,", "	if err != nil {\n		ok = true\n	}\n	if ok || err == nil {\n		return ok, nil\n	}\n	switch out,"}},
	},
	{
		name: "unclaim: end_reason guard", pkg: "./db", run: "TestUnclaim",
		edits: []edit{{claims, "WHERE b.terminal_id = :t AND `+isResuming+` AND b.token = :token`,\n			sql.Named(\"t\", c.Terminal)", "WHERE b.terminal_id = :t AND b.token = :token`,\n			sql.Named(\"t\", c.Terminal)"}},
	},
	{
		name: "unclaim: token", pkg: "./db", run: "TestUnclaim",
		edits: []edit{{claims, "b.token = :token`,\n			sql.Named(\"t\", c.Terminal)", ":token = :token`,\n			sql.Named(\"t\", c.Terminal)"}},
	},
	{
		name: "unclaim on failure", pkg: "./agent", run: "TestLaunchFails|TestLookAgainWithTheClaimHeld",
		edits: []edit{{resume, "		a.c.giveBack(a.claim, err.Error())\n		return err\n	}\n	if !ok {\n		return fmt.Errorf(\"%w: a person", "		return err\n	}\n	if !ok {\n		return fmt.Errorf(\"%w: a person"}},
	},
	{
		name: "unclaim after a claim of unknown outcome", pkg: "./agent", run: "TestStoreFaultsInAResume",
		edits: []edit{{resume, "		a.c.giveBack(a.claim, err.Error())\n		return err\n	}\n	if !ok {\n		return fmt.Errorf(\"%w: another", "		return err\n	}\n	if !ok {\n		return fmt.Errorf(\"%w: another"}},
	},
	{
		name: "unclaim tried again", pkg: "./agent", run: "TestStoreFaultsInAResume",
		edits: []edit{{limbos, "		c.limbo = append(c.limbo, limbo{claim: ref, why: why})\n", ""}},
	},

	// Gate and order.
	{
		name: "gate: the shim runs the agent without waiting", pkg: "./panes", run: "TestGateClosed|TestGateOwnerKilled",
		edits: []edit{{gate, "	if pipe(FD).readFull(open[:]) != nil {\n", "	if pipe(FD).readFull(open[:0]) != nil {\n"}},
	},
	{
		name: "gate: a terminal that is hung up", pkg: "./panes", run: "TestGateOnAHungUpTerminal",
		edits: []edit{{gate, "	if hungUp(0) {\n", "	if false {\n"}},
	},
	{
		name: "gate: opened before the claim is confirmed", pkg: "./agent", run: "TestPaneClosedDuringAResume|TestStoreFaultsInAResume",
		edits: []edit{{resume, "	a.term, a.next.Process = t, t.Process()\n", "	a.term, a.next.Process = t, t.Process()\n	_ = t.OpenGate()\n"}},
	},
	{
		name: "gate: opened before a first launch is recorded", pkg: "./agent", run: "TestLaunchThatCannotBeRecorded",
		edits: []edit{{launch, "	t.Process = term.Process()\n", "	t.Process = term.Process()\n	_ = term.OpenGate()\n"}},
	},
	{
		name: "dispose: kill before the stamp", pkg: "./agent", run: "TestStampBeforeSignal",
		edits: []edit{{ends, "	if err := failpoint(\"dispose.stamp\"); err != nil {\n", `	c.mu.Lock()
	first := c.lives[t]
	c.mu.Unlock()
	if first != nil {
		_ = c.cfg.Processes.End(ctx, first.process, first.nonce, c.cfg.Policy.TermGrace)
	}
	if err := failpoint("dispose.stamp"); err != nil {
`}},
	},
	{
		name: "dispose: no stamp", pkg: "./db", run: "TestDisposeFollowsSuccessors",
		edits: []edit{{lives, "coalesce(dispose_requested_at, ?) WHERE", "coalesce(dispose_requested_at, ? * NULL) WHERE"}},
	},

	// The sweep.
	{
		name: "sweep: none", pkg: "./agent", run: "TestServerKilled",
		edits: []edit{{sweep, "	due := !c.beat.sweeping && ", "	due := false && "}},
	},
	{
		name: "sweep: only at start [P1]", pkg: "./agent", run: "TestSweepWhileRunning",
		edits: []edit{{sweep, "now.Sub(c.beat.sweep) >= c.cfg.Policy.SweepEvery", "c.beat.sweep.IsZero()"}},
	},
	{
		name: "sweep: liveness by the lock, in the store", pkg: "./db", run: "TestDeadByLock",
		edits: []edit{{instances, "	case !ok:\n		return false, nil, nil\n", "	case !ok:\n		return true, nil, nil\n"}},
	},
	{
		name: "sweep: liveness by the lock, in the panes", pkg: "./agent", run: "TestSweepWhileRunning",
		edits: []edit{{instances, "	case !ok:\n		return false, nil, nil\n", "	case !ok:\n		return true, nil, nil\n"}},
	},
	{
		name: "sweep: a missing lock file taken for death", pkg: "./db", run: "TestMissingLockFileIsNoDeath",
		edits: []edit{{instances, "return i.swept || known && !d.opt.Alive(i.process), nil, nil", "return i.swept || known || true, nil, nil"}},
	},
	{
		name: "sweep: the dead owner's hooks", pkg: "./agent", run: "TestEnds/certain_goodbye,_then_the_server_is_killed",
		edits: []edit{{sweep, "	if _, err := c.cfg.Store.ApplyHooks(ctx, id); err != nil {", "	if err := ctx.Err(); err != nil {"}},
	},
	{
		name: "sweep: claims", pkg: "./agent", run: "TestSweepGivesClaimsBack",
		edits: []edit{{lives, "	if err != nil || back {\n		return back, err\n	}\n", "	_ = back\n"}, {lives, "WHERE b.terminal_id = ? AND `+isResuming+` AND b.owner = ?`", "WHERE b.terminal_id = ? AND `+isResuming+` AND b.owner = ? AND 0`"}},
	},
	{
		name: "sweep: claims of the living", pkg: "./db", run: "TestSweepLeavesOthersAlone",
		edits: []edit{{lives, "`+isResuming+` AND b.owner = ?`", "`+isResuming+` AND ? <> ''`"}},
	},
	{
		name: "sweep: terminals of the living", pkg: "./db", run: "TestSweepLeavesOthersAlone",
		edits: []edit{{lives, "(:owner = '' OR instance = :owner)", "(:owner = '' OR :owner <> '')"}},
	},
	{
		name: "sweep: bindings of the living", pkg: "./db", run: "TestSweepLeavesOthersAlone",
		edits: []edit{{lives, "Scan(&own); err != nil || !own {", "Scan(&own); err != nil {"}},
	},

	// Hooks.
	{
		name: "nonce, in the judge", pkg: "./agent", run: "TestJudge",
		edits: []edit{{judge, `case e.Nonce == "" || e.Nonce != t.Nonce:`, `case e.Nonce == "":`}},
	},
	{
		name: "nonce, in the look-up", pkg: "./db", run: "TestHooksOfOthers",
		edits: []edit{{hooks, "WHERE t.nonce = ? AND t.nonce <> ''`", "WHERE ? <> '' AND t.nonce <> ''`"}},
	},
	{
		name: "nonce, everywhere", pkg: "./agent", run: "TestSessionMoves",
		edits: []edit{
			{judge, `case e.Nonce == "" || e.Nonce != t.Nonce:`, `case e.Nonce == "":`},
			{hooks, "WHERE t.nonce = ? AND t.nonce <> ''`", "WHERE ? <> '' AND t.nonce <> ''`"},
			{verdicts, "AND a.nonce = :nonce AND", "AND :nonce = :nonce AND"},
		},
	},
	{
		name: "nonce, in the store", pkg: "./db", run: "TestRevival",
		edits: []edit{
			{hooks, "WHERE t.nonce = ? AND t.nonce <> ''`", "WHERE ? <> '' AND t.nonce <> ''`"},
			{verdicts, "AND a.nonce = :nonce AND", "AND :nonce = :nonce AND"},
		},
	},
	{
		name: "depth", pkg: "./agent", run: "TestJudge|TestSessionMoves",
		edits: []edit{{judge, "case e.Depth > own:", "case e.Depth > own+100:"}},
	},
	{
		name: "depth: counted", pkg: "./agent/hook", run: "TestDepth",
		edits: []edit{{"agent/hook/depth.go", "			depth++\n", "			depth = 1\n"}},
	},
	{
		name: "depth: a broken chain", pkg: "./agent", run: "TestJudge|TestSessionMoves",
		edits: []edit{{judge, `case e.Depth == DepthBroken && (e.Session == "" || e.Session != b.Session):`, "case e.Depth < DepthBroken:"}},
	},
	{
		name: "revival: terminal active [P3], in the judge", pkg: "./agent", run: "TestJudge",
		edits: []edit{{judge, "case t.Status != TerminalActive: // [P3]", `case t.Status == "":`}},
	},
	{
		name: "revival: a start or another session [P3], in the judge", pkg: "./agent", run: "TestJudge",
		edits: []edit{{judge, "case e.What != HookStart && !other: // [P3]", `case e.What == "" && !other:`}},
	},
	{
		name: "revival: terminal active [P3], in the store", pkg: "./db", run: "TestRevival",
		edits: []edit{{verdicts, "a.status = 'active'", "a.status <> ''"}},
	},
	{
		name: "revival: end_reason guard [P3], in the store", pkg: "./db", run: "TestRevival",
		edits: []edit{{verdicts, "b.end_reason IN ('detached', 'terminal-exited')", "b.end_reason IS NOT NULL"}},
	},
	{
		name: "revival: fired after the end [P4], in the judge", pkg: "./agent", run: "TestJudge",
		edits: []edit{{judge, "case !e.FiredAt.After(b.Ended): // [P4]", "case e.FiredAt.IsZero():"}},
	},
	{
		name: "revival: fired after the end [P4], in the store", pkg: "./db", run: "TestRevival",
		edits: []edit{{verdicts, "AND b.ended_at < :fired", "AND :fired = :fired"}},
	},
	{
		name: "revival: P3 and P4, everywhere", pkg: "./agent", run: "TestStragglersWhileAnotherAgentRuns",
		edits: []edit{
			{judge, "case t.Status != TerminalActive: // [P3]", `case t.Status == "":`},
			{judge, "case e.What != HookStart && !other: // [P3]", `case e.What == "" && !other:`},
			{judge, "case !e.FiredAt.After(b.Ended): // [P4]", "case e.FiredAt.IsZero():"},
			{verdicts, "a.status = 'active'", "a.status <> ''"},
			{verdicts, "AND b.ended_at < :fired", "AND :fired = :fired"},
		},
	},

	// Ends.
	{
		name: "a goodbye that is not certain moves nothing [P5]", pkg: "./agent", run: "TestJudge|TestEnds/gasp",
		edits: []edit{{judge, "case !e.Certain: // [P5]", `case e.What == "":`}},
	},
	{
		name: "any goodbye of claude's taken for certain", pkg: "./agent/kinds", run: "TestClaude",
		edits: []edit{{"agent/kinds/program.go", `f.Certain = e.sure != "" && f.What == agent.HookGoodbye && f.Reason == e.sure`, "f.Certain = f.What == agent.HookGoodbye"}},
	},
	{
		name: "terminal-exited refuses a goodbye [P6]", pkg: "./db", run: "TestTableOfMoves",
		edits: []edit{{moves, "isUnsure, // [P6] a terminal-exited row refuses", "isUnsure + ` OR ` + isExited,"}},
	},
	{
		name: "detached refuses a death [P6]", pkg: "./db", run: "TestTableOfMoves|TestGoodbyeByHook",
		edits: []edit{{moves, "from: isLive, // [P6] a detached row refuses", "from: isLive + ` OR ` + isDetached,"}},
	},
	{
		name: "a stopping server's unsure goodbyes [P7]", pkg: "./agent", run: "TestStopTakesUnsureGoodbyesBack",
		edits: []edit{{loop, "	_, err := c.cfg.Store.Unsettle(ctx, c.cfg.Instance, c.cfg.Now()) // [P7]\n", "	var err error\n"}},
	},
	{
		name: "a dead server's unsure goodbyes [P7]", pkg: "./db", run: "TestTableOfMoves|TestOrphansAndSweep",
		edits: []edit{{moves, "from: isLive + ` OR ` + isUnsure, // [P7]", "from: isLive,"}},
	},
	{
		name: "a dead server's unsure goodbyes are left [P7]", pkg: "./db", run: "TestOrphansAndSweep",
		edits: []edit{{instances, "\n		OR ` + isUnsure + `))\n", "))\n"}},
	},
	{
		name: "what ends while we stop is no goodbye [P7]", pkg: "./agent", run: "TestClassify|TestEnds/exit_0,_seen",
		edits: []edit{{policy, "case d.Stopping: // what", "case d.Stopping && d.Exit == nil: // what"}},
	},
	{
		name: "dispose: the owner looks after opening a gate [P8]", pkg: "./agent", run: "TestStampedAtTheGate/noted_at_once",
		edits: []edit{
			{launch, "	if disposed { // [P8]\n		c.carryOut(l)\n	}\n", "	_ = disposed\n"},
			{view, "	if doomed != nil { // [P8]\n		c.carryOut(doomed)\n	}\n", "	_ = doomed\n"},
		},
	},
	{
		name: "dispose: the owner looks when it can note an open gate [P8]", pkg: "./agent", run: "TestStampedAtTheGate/noted_later",
		edits: []edit{
			{life, "	if disposed { // [P8]\n		c.carryOut(l)\n	}\n", "	_ = disposed\n"},
			{view, "	if doomed != nil { // [P8]\n		c.carryOut(doomed)\n	}\n", "	_ = doomed\n"},
		},
	},
	{
		name: "dispose: stamped by another process [P8]", pkg: "./agent", run: "TestStampedByAnotherProcess",
		edits: []edit{{view, "	if doomed != nil { // [P8]\n		c.carryOut(doomed)\n	}\n", "	_ = doomed\n"}},
	},
	{
		name: "dispose: the sweep ends what has exited [P8]", pkg: "./agent", run: "TestStampedWithALeftover",
		edits: []edit{{sweep, "t.Status == TerminalActive || !t.DisposeRequested.IsZero() // [P8]", "t.Status == TerminalActive"}},
	},
	{
		name: "dispose: what a dead server had stamped is left [P8]", pkg: "./db", run: "TestDisposeAfterTheSweep",
		edits: []edit{{instances, "\n		OR (t.dispose_requested_at IS NOT NULL AND t.status <> 'disposed')", ""}},
	},
	{
		name: "dispose: of what a swept server left [P8]", pkg: "./db", run: "TestDisposeAfterTheSweep",
		edits: []edit{{lives, "`UPDATE instances SET swept = 0 WHERE swept = 1\n", "`UPDATE instances SET swept = 0 WHERE swept = 2\n"}},
	},
	{
		name: "dispose: what a dead pane left behind [P8]", pkg: "./agent", run: "TestClosingADeadPaneEndsWhatItLeft",
		edits: []edit{{ends, "			c.finish(d)\n", ""}},
	},
	{
		name: "dispose: of the successor", pkg: "./db", run: "TestDisposeFollowsSuccessors",
		edits: []edit{{lives, "chain (id) AS (SELECT :t UNION ` + successor + `)\n	SELECT t.id FROM chain JOIN terminals t ON t.id = chain.id LEFT JOIN bindings b ON b.terminal_id = t.id\n	WHERE b.end_reason IS NOT 'resumed'`", "chain (id) AS (SELECT :t)\n	SELECT t.id FROM chain JOIN terminals t ON t.id = chain.id`"}},
	},
	{
		name: "twins of what a person ended [P12]", pkg: "./db", run: "TestTwinsGetTheSameEnd",
		edits: []edit{{moves, "twins: isLive + ` OR ` + isResuming, // [P12]", `twins: "", //`}},
	},
	{
		name: "twins of what said goodbye [P12]", pkg: "./db", run: "TestTwinsGetTheSameEnd",
		edits: []edit{{moves, "twins: isLive + ` OR ` + isUnsure, // [P12]", `twins: "",`}},
	},
	{
		name: "a dead duplicate ends only itself [P12]", pkg: "./db", run: "TestTwinsGetTheSameEnd",
		edits: []edit{{moves, "twins: isLive + ` OR ` + isResuming, // [P12]", "twins: isLive + ` OR ` + isResuming + ` OR ` + isExited, // [P12]"}},
	},

	// The resume.
	{
		name: "repoint: compare and swap [P2]", pkg: "./db", run: "TestRepointFollowsAnyChain",
		edits: []edit{{pointers, "WHERE id = :p AND terminal_id IN (SELECT id FROM before)`", "WHERE id = :p`"}},
	},
	{
		name: "repoint: from any of the chain [P2]", pkg: "./db", run: "TestRepointFollowsAnyChain",
		edits: []edit{{pointers, "FROM before JOIN bindings b ON b.successor = before.id\n			WHERE b.end_reason", "FROM bindings b WHERE b.successor = :to\n			AND b.end_reason"}},
	},
	{
		name: "pre-flight: ends what is left [P9]", pkg: "./agent", run: "TestLeftoversOfFormerLives",
		edits: []edit{{preflight, "range s.left { // [P9]", "range s.left[:0] {"}},
	},
	{
		name: "pre-flight: of every former life [P9]", pkg: "./agent", run: "TestLeftoversOfFormerLives",
		edits: []edit{{preflight, "	for _, t := range s.left { // [P9]\n", "	for _, t := range s.left {\n		if t.ID != a.req.Terminal {\n			continue\n		}\n"}},
	},
	{
		name: "look again with the claim held [P10]", pkg: "./agent", run: "TestLookAgainWithTheClaimHeld",
		edits: []edit{{resume, "a.lookAgain(); err != nil { // [P10]", `a.at("lookagain"); err != nil {`}},
	},
	{
		name: "sweep: seen gone", pkg: "./agent", run: "TestSweepOfAnUndyingAgent",
		edits: []edit{{sweep, "t.Nonce, c.cfg.Policy.TermGrace); err != nil {", "t.Nonce, c.cfg.Policy.TermGrace); ctx.Err() != nil {"}},
	},
	{
		name: "pre-flight: processes listed after the holders", pkg: "./agent", run: "TestOvertakenInPreflight",
		edits: []edit{{preflight, "	s.alien = a.alien(all,", "	all, _ = a.c.cfg.Processes.List()\n	s.alien = a.alien(all,"}},
	},
	{
		name: "seen gone and P10", pkg: "./agent", run: "TestLeftoverThatWillNotDie",
		edits: []edit{
			{sweep, "t.Nonce, c.cfg.Policy.TermGrace); err != nil {", "t.Nonce, c.cfg.Policy.TermGrace); ctx.Err() != nil {"},
			{preflight, "t.Nonce, a.c.cfg.Policy.TermGrace); err != nil {", "t.Nonce, a.c.cfg.Policy.TermGrace); a.ctx.Err() != nil {"},
			{resume, "a.lookAgain(); err != nil { // [P10]", `a.at("lookagain"); err != nil {`},
		},
	},
	{
		name: "a stopping server marks only what it saw gone [P10]", pkg: "./agent", run: "TestStopMarksOnlyWhatIsGone",
		edits: []edit{{life, "ended && known[t.ID()]", "(ended || c.ctx.Err() != nil) && known[t.ID()]"}},
	},
	{
		name: "a closed gate is no goodbye [P11], in the policy", pkg: "./agent", run: "TestClassify",
		edits: []edit{{policy, "case !d.GateOpen: // [P11]", "case !d.GateOpen && d.Exit == nil:"}},
	},
	{
		name: "a closed gate is no goodbye [P11], in the store", pkg: "./db", run: "TestClosedGateIsNoGoodbye",
		edits: []edit{{lives, "			e.Asked = agent.TerminalExited // [P11]\n", ""}},
	},
	{
		name: "the shim that ran nothing exits non-zero [P11]", pkg: "./panes", run: "TestShimDoesNotTakeItsLeave",
		edits: []edit{{gate, "Closed    = 125", "Closed    = 0"}},
	},
	{
		name: "a commit of unknown outcome is read back [P11]", pkg: "./agent", run: "TestStoreFaultsInAResume",
		edits: []edit{{resume, "	case out == ClaimConfirmed:\n		return true, nil\n", "	case out == ClaimConfirmed:\n		return false, err\n"}},
	},
	{
		name: "alive: start time [P13]", pkg: "./panes", run: "TestReusedPID$",
		edits: []edit{{identity, "return p.ID == id && !p.dead", "return p.ID.PID == id.PID && p.ID.Boot == id.Boot && !p.dead"}},
	},
	{
		name: "alive: boot id [P13]", pkg: "./panes", run: "TestReusedPID$",
		edits: []edit{{identity, "return p.ID == id && !p.dead", "return p.ID.PID == id.PID && p.ID.Start == id.Start && !p.dead"}},
	},
	{
		name: "signals: start time [P13]", pkg: "./panes", run: "TestReusedPIDIsNotSignalled",
		edits: []edit{{identity, "return err == nil && p.ID == id\n", "return err == nil && p.ID.PID == id.PID && p.ID.Boot == id.Boot\n"}},
	},
	{
		name: "signals: boot id [P13]", pkg: "./panes", run: "TestReusedPIDIsNotSignalled",
		edits: []edit{{identity, "return err == nil && p.ID == id\n", "return err == nil && p.ID.PID == id.PID && p.ID.Start == id.Start\n"}},
	},
	{
		name: "kin: boot id [P13]", pkg: "./panes", run: "TestReusedPID$",
		edits: []edit{{identity, "id.PID <= 1 || id.Boot != BootID()", "id.PID <= 1"}},
	},

	// Policy.
	{
		name: "callers coalesce", pkg: "./agent", run: "TestCallersCoalesce",
		edits: []edit{{queue, "if f := c.flights[r.Terminal]; f != nil {", "if f := c.flights[r.Terminal]; f != nil && r.Pane == \"\" {"}},
	},
	{
		name: "focused first", pkg: "./agent", run: "TestFortyPanes",
		edits: []edit{{queue, "		rank[l.Focused] = 0\n", "		_ = l\n"}},
	},
	{
		name: "first launch failed, in the policy", pkg: "./agent", run: "TestClassify|TestFirstLaunchFails",
		edits: []edit{{policy, "e.FirstFailed = d.First && !d.Turn && !proven", "e.FirstFailed = false"}},
	},
	{
		name: "first launch failed, in the predicate", pkg: "./db", run: "TestPredicate|TestFirstFailedIsNoCandidate",
		edits: []edit{{moves, "\n	AND b.first_failed = 0", ""}},
	},
	{
		name: "never prompted: the transcript is asked", pkg: "./agent", run: "TestNeverPrompted",
		edits: []edit{{resume, "	if !b.Prompted {\n", "	if !b.Prompted && b.Session == \"\" {\n"}},
	},
	{
		name: "never prompted: a store that cannot tell", pkg: "./agent", run: "TestNeverPrompted",
		edits: []edit{{resume, "		case CannotTell: //", "		case CannotTell:\n			a.fresh = true //"}},
	},
	{
		name: "prompted: resumed whatever the store says", pkg: "./agent", run: "TestPromptedIsResumed",
		edits: []edit{{resume, "	if !b.Prompted {\n", "	if !b.Prompted || b.Session != \"\" {\n"}},
	},
	{
		name: "probation: attempts are counted", pkg: "./agent", run: "TestClassify|TestEarlyDeathsWaitAndPause",
		edits: []edit{{policy, "attempts, first = d.Attempts+1, d.FirstDeath", "attempts, first = d.Attempts, d.FirstDeath"}},
	},
	{
		name: "probation: attempts are inherited", pkg: "./agent", run: "TestAttemptsAreInheritedInProbation|TestEarlyDeathsWaitAndPause",
		edits: []edit{{resume, "Started: now, Attempts: b.Attempts, FirstDeath: b.FirstDeath,", "Started: now,"}},
	},
	{
		name: "probation: a pause", pkg: "./agent", run: "TestDue|TestEarlyDeathsWaitAndPause",
		edits: []edit{{policy, "case b.Attempts >= p.PauseDeaths:", "case b.Attempts > 1000:"}},
	},
	{
		name: "disk: what the log lies on is waited for", pkg: "./db", run: "TestWritesWaitForWhatTheLogLiesOn|TestTheGroundIsSettledOnce",
		edits: []edit{{ground, "	return unsaved(d.ground.settle())\n", "	return nil\n"}},
	},
	{
		name: "disk: an agent's launch is waited for", pkg: "./db", run: "TestWhichWritesWaitForTheDisk",
		edits: []edit{{lives, "if b == nil && d.none(", "if d.none("}},
	},
	{
		name: "disk: a shell in the pane of an agent is waited for", pkg: "./db", run: "TestWhichWritesWaitForTheDisk",
		edits: []edit{{lives, "JOIN bindings b ON b.terminal_id = p.terminal_id WHERE p.id = ?)`, t.Pane)", "JOIN bindings b ON b.terminal_id = p.terminal_id WHERE p.id = ?)`, t.ID)"}},
	},
	{
		name: "disk: an old log is written with care", pkg: "./db", run: "TestCareForTheLog",
		edits: []edit{{"db/db.go", "errors.Is(err, fs.ErrNotExist) || err == nil && st.Size() == 0", "true || err == nil && errors.Is(err, fs.ErrNotExist) || st.Size() == 0"}},
	},
	{
		name: "dismissal: durable", pkg: "./db", run: "TestDismiss",
		edits: []edit{{marks, "`UPDATE bindings AS b SET dismissed_at = ? WHERE", "`UPDATE bindings AS b SET dismissed_at = ? * NULL WHERE"}},
	},
	{
		name: "dismissal: holds after a restart", pkg: "./agent", run: "TestDismissal",
		edits: []edit{{"agent/act.go", "	if err := c.cfg.Store.Dismiss(ctx, rec.Binding.Terminal, c.cfg.Now()); err != nil {", "	if err := ctx.Err(); err != nil {"}},
	},
	{
		name: "a candidate that is not due waits", pkg: "./agent", run: "TestModesAndAgeAsk",
		edits: []edit{{resume, "!a.req.ByPerson && state != PaneDue", "!a.req.ByPerson && state == PaneNormal"}},
	},
}
