package ui

import "reprise/ui/frame"

// listPage is how many rows a page key goes.
const listPage = 10

// listMoves is how far a key moves the selection, letterMoves also where nothing is typed.
var (
	listMoves = map[string]int{
		"up": -1, "ctrl+p": -1, "down": 1, "ctrl+n": 1, "pgup": -listPage, "pgdown": listPage, "home": -1 << 20, "end": 1 << 20,
	}
	letterMoves = map[string]int{"k": -1, "j": 1, "g": -1 << 20, "G": 1 << 20}
)

// rows is a list of which one row is selected, as most sheets have it.
type rows struct{ list *frame.List }

// at is the selected row, 0 if there is none.
func (r *rows) at() int {
	if r.list == nil {
		return 0
	}
	return r.list.Selected
}

// set shows other rows, the selection staying in its place.
func (r *rows) set(list [][]string) {
	r.list = &frame.List{Rows: list, Selected: r.at()}
	r.step(0)
}

// step moves the selection by n rows, as far as there are any.
func (r *rows) step(n int) {
	l := *r.list // another list is another pointer
	l.Selected = max(0, min(l.Selected+n, len(l.Rows)-1))
	r.list = &l
}

// listStep is how far a key moves the selection where nothing is typed.
func listStep(name string) (n int, moves bool) {
	if n, moves = letterMoves[name]; !moves {
		n, moves = listMoves[name]
	}
	return n, moves
}

// moved takes a key that moves the selection, where nothing is typed.
func (r *rows) moved(name string) bool {
	n, moves := listStep(name)
	if moves {
		r.step(n)
	}
	return moves
}

// paged takes a key that moves the selection and types nothing.
func (r *rows) paged(name string) bool {
	n, moves := listMoves[name]
	if moves {
		r.step(n)
	}
	return moves
}
