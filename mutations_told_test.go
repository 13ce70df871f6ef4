package main

// toldMutations are the rules of what a person says of agents, and to them.
var toldMutations = []mutation{
	{
		name: "pin: a session that another has", pkg: "./db", run: "TestPinIsExclusive",
		edits: []edit{{"db/pins.go", " + pinnable + ` AND ` + vacant(\":session\")", " + pinnable"}},
	},
	{
		name: "pin: a session that another has, by a pin that is taken back", pkg: "./db", run: "TestPinIsExclusive",
		edits: []edit{{"db/pins.go", " + pinnable + ` AND ` + vacant(\"b.before_pin\")", " + pinnable"}},
	},
	{
		name: "pin: a session that is being resumed", pkg: "./db", run: "TestPinIsExclusive",
		edits: []edit{{"db/pins.go", "(o.end_reason IS NULL OR o.end_reason = 'resuming')", "o.end_reason IS NULL"}},
	},
	{
		name: "pin: of what a person ended, or was resumed", pkg: "./db", run: "TestPinOfWhatHasEnded",
		edits: []edit{{"db/pins.go", "WHERE b.terminal_id = :t AND ` + pinnable + ` AND ` + vacant(\":session\")", "WHERE b.terminal_id = :t AND ` + vacant(\":session\")"}},
	},
	{
		name: "pin: a hook that was fired before", pkg: "./db", run: "TestPinAndHooks",
		edits: []edit{{"db/pins.go", "session_id = :session, session_at = :at, pinned_at", "session_id = :session, pinned_at"}},
	},
	{
		name: "pin: a hook that tells of no start", pkg: "./agent", run: "TestJudge",
		edits: []edit{{judge, "b.LastEvent == \"\" && !b.Pinned", "b.LastEvent == \"\""}},
	},
	{
		name: "pin: what waited for its resume", pkg: "./agent", run: "TestPinInTheQueue",
		edits: []edit{{"agent/pin.go", "		defer lift()\n", "		_ = lift\n"}},
	},
	{
		name: "words that name a session are a place", pkg: "./agent/kinds", run: "TestKeptWordsNameNoSession",
		edits: []edit{{"agent/kinds/words.go", "		all = max(all, n)\n", "		all = max(all, 0)\n"}},
	},
	{
		name: "prompt: another conversation", pkg: "./agent", run: "TestPromptsAreDroppedWithTheirConversation",
		edits: []edit{{"agent/promptqueue.go", "	return c.same(w.identity(), id)\n", "	return w.Kind == l.kind\n"}},
	},
	{
		name: "prompt: the same session of another home", pkg: "./agent", run: "TestPromptsKnowTheHome",
		edits: []edit{{"agent/promptqueue.go", "	return c.same(w.identity(), id)\n", "	return w.Kind == l.kind && w.Session == id.Session\n"}},
	},
	{
		name: "prompt: what may come back is over", pkg: "./agent", run: "TestPromptsWaitForOneThatDiedAlone",
		edits: []edit{{"agent/promptqueue.go", "f.over = f.over && !h.Kept", "f.over = true"}},
	},
	{
		name: "prompt: not given where its session lives", pkg: "./agent", run: "TestPromptsGoWhereTheirSessionIsOpened",
		edits: []edit{{"agent/promptqueue.go", "case f.pane != p && to != nil && !to.closed &&", "case false &&"}},
	},
	{
		name: "prompt: given where its session died", pkg: "./agent", run: "TestPromptsStayUntilTheirSessionIsBack",
		edits: []edit{{"agent/promptqueue.go", "return fate{resuming: true}", "return fate{pane: h.Terminal.Pane}"}},
	},
	{
		name: "prompt: given to a pane that is full", pkg: "./agent", run: "TestPromptsOfAPaneAreBounded",
		edits: []edit{{"agent/promptqueue.go", " && len(to.talk.prompts)+len(away[to]) < MaxWaiting:", ":"}},
	},
	{
		name: "prompt: sent to one that has just died", pkg: "./agent", run: "TestPromptsAreNotSentToTheDead",
		edits: []edit{{"agent/prompt.go", "	case ended(t): // it is", "	case false && ended(t): // it is"}},
	},
	{
		name: "prompt: dropped with its dismissed twin", pkg: "./agent", run: "TestPromptsOfADismissedTwin",
		edits: []edit{{"agent/act.go", "c.forgo(id, rec.Pane, !twin)", "c.forgo(id, rec.Pane, twin || true)"}},
	},
	{
		name: "prompt: kept though its last twin was dismissed", pkg: "./agent", run: "TestPromptsOfADismissedTwin",
		edits: []edit{{"agent/act.go", "h.Kept && !h.Dismissed && h", "h.Kept && h"}},
	},
	{
		name: "prompt: kept though it was dismissed", pkg: "./agent", run: "TestPromptsAreDroppedByAPerson",
		edits: []edit{{"agent/promptqueue.go", "if w.Session != \"\" && c.same(w.identity(), id) {", "if false && c.same(w.identity(), id) {"}},
	},
	{
		name: "prompt: dropped with a dead duplicate", pkg: "./agent", run: "TestPromptsOutliveADismissedDuplicate",
		edits: []edit{{"agent/act.go", "err == nil && !slices.ContainsFunc(all, Holder.has)", "err == nil && (true || !slices.ContainsFunc(all, Holder.has))"}},
	},
	{
		name: "prompt: taken by another in its shell", pkg: "./agent", run: "TestAPromptIsTakenByItsOwnAgent",
		edits: []edit{{"agent/prompt.go", "o != nil && o != l && o.typed", "false && o.typed"}},
	},
	{
		name: "prompt: enter again into a question", pkg: "./agent", run: "TestASwallowedEnterIsPressedOnceMore",
		edits: []edit{{"agent/prompt.go", "|| !c.takes(pl, l) || !t.LastKey()", "|| !t.LastKey()"}},
	},
	{
		name: "prompt: an agent that has ended", pkg: "./agent", run: "TestPromptsAreDroppedWithTheirConversation",
		edits: []edit{{"agent/promptqueue.go", "		case f.over:\n", "		case false:\n"}},
	},
	{
		name: "prompt: a draft", pkg: "./agent", run: "TestNoPromptIsTypedIntoADraft",
		edits: []edit{{"agent/prompt.go", "case t.Drafted(rests):", "case rests != nil && false:"}},
	},
	{
		name: "prompt: escapes that end a turn", pkg: "./agent", run: "TestADraftIsDroppedByEscapes",
		edits: []edit{{"agent/prompt.go", "		rests = &s.Since // zero", "		rests = &time.Time{} // zero"}},
	},
	{
		name: "prompt: a line end in a paste", pkg: "./panes", run: "TestDraft",
		edits: []edit{{"panes/draft.go", "	case d.open:\n", "	case false:\n"}},
	},
	{
		name: "prompt: the last hook", pkg: "./agent", run: "TestAPromptKnowsTheLastHook",
		edits: []edit{{"agent/prompt.go", "	c.listen(ctx, r.Pane)\n", ""}},
	},
	{
		name: "prompt: the word of a title", pkg: "./agent", run: "TestNoPromptIsTypedOnTheWordOfATitle",
		edits: []edit{{"agent/prompt.go", "l.evidence[ByTitle].Doing == Quiet // it may", "l.evidence[ByTitle].Doing == Quiet && l.evidence[ByHook].Doing == \"\" // it may"}},
	},
	{
		name: "prompt: sent, though its agent says that it rests", pkg: "./agent", run: "TestAPromptThatAnAgentRestsThroughIsLost",
		edits: []edit{{"agent/prompt.go", " && l.evidence.told() == 0 {", " {"}},
	},
	{
		name: "typed: nothing resumes beside a living shell", pkg: "./db", run: "TestTypedAgentEndsAlone",
		edits: []edit{{"db/typed.go", "SET dismissed_at = :at WHERE", "SET dismissed_at = :at * NULL WHERE"}},
	},
	{
		name: "typed: the pane goes back to the last that runs", pkg: "./agent", run: "TestTwoTypedInOneShell",
		edits: []edit{{"db/typed.go", "o.status = 'active' AND o.id <> t.id\n", "0\n"}},
	},
	{
		name: "typed: what dies with the server comes back", pkg: "./agent", run: "TestEndsOfTypedAgents",
		edits: []edit{{"agent/typed.go", "if !over && !sure && now.Before(due) {", "if !over && !sure && now.Before(due) && false {"}},
	},
	{
		name: "typed: taken in twice", pkg: "./agent", run: "TestTakenInAtOnce",
		edits: []edit{{"agent/typed.go", "	if known || err != nil {\n", "	if known && err != nil {\n"}},
	},
	{
		name: "typed: an answer that was lost", pkg: "./agent", run: "TestTypedAsksAgain",
		edits: []edit{{"agent/typed.go", "	if err := c.askedTwice(ctx, r.Process); err != nil {\n		return TypedCommand{}, err\n	}\n", ""}},
	},
}
