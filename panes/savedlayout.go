package panes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Limits of a layout on disk, beside those of every layout.
const (
	layoutVersion  = 4
	maxLayoutBytes = 1 << 20
	maxLayoutDepth = 32
	maxIDBytes     = 64
)

// ErrLayout says that a saved layout is not understood.
var ErrLayout = errors.New("saved layout is not understood")

type savedLayout struct {
	Version int                 `json:"version"`
	Tabs    []Tab               `json:"tabs,omitempty"`
	Meta    map[PaneID]PaneMeta `json:"meta,omitempty"`
}

func (s savedLayout) layout() Layout { return Layout{Tabs: s.Tabs, Meta: s.Meta} }

// savedLayout1 is the first version: there were no tabs.
type savedLayout1 struct {
	Version int                 `json:"version"`
	Root    *Node               `json:"root,omitempty"`
	Meta    map[PaneID]PaneMeta `json:"meta,omitempty"`
}

func (s savedLayout1) layout() Layout {
	l := Layout{Meta: s.Meta}
	if s.Root != nil {
		t := Tab{Root: s.Root}
		if all := t.Panes(); len(all) > 0 {
			t.ID = TabID(all[0]) // the same whenever it is read
		}
		l.Tabs = []Tab{t}
	}
	return l
}

// layoutVersions are the forms that are read, each by its version.
var layoutVersions = map[int]func(b []byte) (Layout, error){
	1: decodeLayout[savedLayout1],
	2: decodeLayout[savedLayout],
	3: decodeLayout[savedLayout],
	4: decodeLayout[savedLayout],
}

// Form is the number of the oldest form that has all of a layout: what an older
// program can read, it is to be able to go on with. 2, 3 with stacks or floating
// panes, or 4 with names of panes.
func (l Layout) Form() int {
	for _, m := range l.Meta {
		if m.Name != "" {
			return 4
		}
	}
	if slices.ContainsFunc(l.Tabs, func(t Tab) bool { return t.Stacked() || t.Floating != "" }) {
		return 3
	}
	return 2
}

// EncodeLayout is the layout's form on disk: versioned JSON.
func EncodeLayout(l Layout) ([]byte, error) {
	if err := checkLayout(l); err != nil {
		return nil, fmt.Errorf("encode layout: %w", err)
	}
	b, err := json.Marshal(savedLayout{Version: l.Form(), Tabs: l.Tabs, Meta: l.Meta})
	switch {
	case err != nil:
		return nil, fmt.Errorf("encode layout: %w", err)
	case len(b) > maxLayoutBytes:
		return nil, fmt.Errorf("encode layout: it has %d bytes, %d are allowed", len(b), maxLayoutBytes)
	}
	return b, nil
}

// DecodeLayout reads what EncodeLayout wrote. It refuses everything else
// (ErrLayout): newer versions, unknown fields, trees too large or that no split
// can make. It starts nothing.
func DecodeLayout(b []byte) (Layout, error) {
	if len(b) > maxLayoutBytes {
		return Layout{}, fmt.Errorf("%w: it has %d bytes, %d are allowed", ErrLayout, len(b), maxLayoutBytes)
	}
	if !json.Valid(b) || nesting(b) > 4*maxLayoutDepth {
		return Layout{}, fmt.Errorf("%w: no JSON, or nested too deeply", ErrLayout)
	}
	// The version first: a newer one may have other fields.
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return Layout{}, fmt.Errorf("%w: %w", ErrLayout, err)
	}
	decode, ok := layoutVersions[head.Version]
	if !ok {
		return Layout{}, fmt.Errorf("%w: it has version %d, this program writes %d", ErrLayout, head.Version, layoutVersion)
	}
	l, err := decode(b)
	if err == nil {
		err = checkLayout(l)
	}
	if err == nil && l.Form() > max(head.Version, 2) {
		err = errors.New("it has what its version has not")
	}
	if err != nil {
		return Layout{}, fmt.Errorf("%w: %w", ErrLayout, err)
	}
	return l, nil
}

// decodeLayout reads a saved form strictly. What it makes is not checked yet.
func decodeLayout[S interface{ layout() Layout }](b []byte) (Layout, error) {
	var s S
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return Layout{}, err
	}
	if _, err := d.Token(); err != io.EOF {
		return Layout{}, errors.New("something follows it")
	}
	l := s.layout()
	if len(l.Tabs) == 0 {
		l.Tabs = nil
	}
	if len(l.Meta) == 0 {
		l.Meta = nil
	}
	return l, nil
}

// nesting is the depth of brackets, those in strings too: an upper bound, known
// before anything is built.
func nesting(b []byte) int {
	depth, most := 0, 0
	for _, c := range b {
		switch c {
		case '{', '[':
			depth++
			most = max(most, depth)
		case '}', ']':
			depth--
		}
	}
	return most
}

// checkLayout refuses what methods of Layout cannot make.
func checkLayout(l Layout) error {
	if len(l.Tabs) > MaxTabs {
		return fmt.Errorf("it has more than %d tabs", MaxTabs)
	}
	tabs, seen := map[TabID]bool{}, map[PaneID]bool{}
	for _, t := range l.Tabs {
		switch {
		case !validID(string(t.ID)):
			return fmt.Errorf("tab id %.80q is not valid", t.ID)
		case tabs[t.ID]:
			return fmt.Errorf("tab %s stands in it twice", t.ID)
		case !validName(t.Name, MaxTabName):
			return fmt.Errorf("tab name %.80q is too long, or not printable", t.Name)
		}
		tabs[t.ID] = true
		if err := checkNode(t.Root, nil, seen, 1); err != nil {
			return err
		}
		if t.Floating != "" {
			if err := checkNode(&Node{Pane: t.Floating, Weight: 1}, nil, seen, 1); err != nil {
				return err
			}
		}
	}
	for p, m := range l.Meta {
		if !seen[p] {
			return fmt.Errorf("pane %q is in no tab", p)
		}
		if slices.ContainsFunc(append([]string{m.Dir, m.Kind, m.Title}, m.Argv...), hasNul) {
			return fmt.Errorf("pane %s: a text contains a NUL", p)
		}
		if !validName(m.Name, MaxPaneName) {
			return fmt.Errorf("pane %s: its name %.80q is too long, or not printable", p, m.Name)
		}
	}
	return nil
}

func hasNul(s string) bool { return strings.ContainsRune(s, 0) }

func checkNode(n, parent *Node, seen map[PaneID]bool, depth int) error {
	switch {
	case n == nil:
		return errors.New("an empty node")
	case depth > maxLayoutDepth:
		return fmt.Errorf("splits are nested more than %d deep", maxLayoutDepth)
	case n.Weight < 1 || n.Weight > maxWeight:
		return fmt.Errorf("weight %d is not between 1 and %d", n.Weight, maxWeight)
	case !n.leaf():
		return checkSplit(n, parent, seen, depth)
	case n.Down || n.Stack:
		return errors.New("a split without children")
	case !validID(string(n.Pane)):
		return fmt.Errorf("pane id %.80q is not valid", n.Pane)
	case seen[n.Pane]:
		return fmt.Errorf("pane %s stands in it twice", n.Pane)
	case len(seen) == MaxPanes:
		return fmt.Errorf("it has more than %d panes", MaxPanes)
	}
	seen[n.Pane] = true
	return nil
}

func checkSplit(n, parent *Node, seen map[PaneID]bool, depth int) error {
	switch {
	case n.Pane != "":
		return errors.New("a node that is a pane and a split")
	case len(n.Children) < 2:
		return errors.New("a split of one")
	case parent != nil && parent.Stack:
		return errors.New("a split inside a stack")
	case n.Stack && !n.Down:
		return errors.New("a stack of panes side by side")
	case parent != nil && parent.Down == n.Down && !n.Stack:
		return errors.New("a split inside one in the same direction")
	}
	for _, c := range n.Children {
		if err := checkNode(c, n, seen, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// validID reports whether an id is one that could be ours.
func validID(id string) bool {
	if id == "" || len(id) > maxIDBytes {
		return false
	}
	for _, c := range []byte(id) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return true
}
