package agent

// The table of moves (resume.md §3): what a binding is, what is asked of it, and
// what becomes of it. The store writes each move as one conditional UPDATE whose
// guards are these rows; there is no read-then-write. The table is data so that
// tests can hold every cell against the store.

// Asked is what an end asks of a binding: a column of the table.
type Asked int

// Columns.
const (
	AskSure     Asked = iota // a clean quit that is certain
	AskUnsure                // exit status 0 alone
	AskExited                // the terminal died under it, as its owner saw it
	AskTakeBack              // the same, asked by a stopping owner of its own unsure ones, or by the sweep
	AskDisposed              // a person ended it
)

// Standing is what a binding is: a row of the table.
type Standing struct {
	Reason EndReason
	Unsure bool
}

// Effect is a cell.
type Effect int

// Cells.
const (
	Keep    Effect = iota // it is so already
	Set                   // the binding moves
	Refuse                // the binding stays as it is
	Follow                // refused here; the dispose goes on to the live successor
	SetKeep               // the binding moves, ended_at keeps the first time
)

// Moves has a cell for every row and column.
var Moves = map[Standing]map[Asked]Effect{
	{Live, false}:           {AskSure: Set, AskUnsure: Set, AskExited: Set, AskTakeBack: Set, AskDisposed: Set},
	{Detached, true}:        {AskSure: Set, AskUnsure: Keep, AskExited: Refuse, AskTakeBack: SetKeep, AskDisposed: Set},
	{Detached, false}:       {AskSure: Keep, AskUnsure: Refuse, AskExited: Refuse, AskTakeBack: Refuse, AskDisposed: Set},
	{TerminalExited, false}: {AskSure: Refuse, AskUnsure: Refuse, AskExited: Keep, AskTakeBack: Keep, AskDisposed: Set},
	{Resuming, false}:       {AskSure: Refuse, AskUnsure: Refuse, AskExited: Refuse, AskTakeBack: Refuse, AskDisposed: Set},
	{Resumed, false}:        {AskSure: Refuse, AskUnsure: Refuse, AskExited: Refuse, AskTakeBack: Refuse, AskDisposed: Follow},
	{Disposed, false}:       {AskSure: Refuse, AskUnsure: Refuse, AskExited: Refuse, AskTakeBack: Refuse, AskDisposed: Keep},
}
