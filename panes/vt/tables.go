package vt

import (
	"slices"
	"unicode/utf8"
)

const (
	// collectAt is how many clusters or links a table may have before those that are
	// no longer used are collected.
	collectAt = 1 << 16
	maxLinks  = 1<<16 - 1
	// maxLink and maxLinkBytes bound a link's target and all of them together.
	maxLink      = 2083
	maxLinkBytes = 4 << 20
	// linkPause is how many links are refused before a full table is looked
	// through again.
	linkPause   = 4096
	maxClusters = int(ClusterEnd - ClusterBase + 1)
)

// tables are the numbers of an emulator's styles, clusters and links.
type tables struct {
	styles    styleTable
	clusters  table[string]
	links     table[string]
	linkBytes int // of all targets
	linkPause int // how many links are refused without a look
	epoch     uint64
}

// table gives small numbers to values, from 0 on. Numbers that sweep frees are
// given out again, so a number in use never changes its meaning.
type table[V comparable] struct {
	list  []V
	ids   map[V]uint32
	free  []uint32
	limit int // how many may be in use before a collection is due
	// pinned forbids collections, while numbers are held that nothing marks.
	pinned bool
}

func newTable[V comparable](zero ...V) table[V] {
	t := table[V]{ids: make(map[V]uint32), limit: collectAt}
	for _, v := range zero {
		t.add(v)
	}
	return t
}

func (t *table[V]) used() int { return len(t.list) - len(t.free) }

func (t *table[V]) full() bool { return !t.pinned && t.used() >= t.limit }

func (t *table[V]) add(v V) uint32 {
	var id uint32
	if n := len(t.free); n > 0 {
		id = t.free[n-1]
		t.free = t.free[:n-1]
		t.list[id] = v
	} else {
		id = uint32(len(t.list))
		t.list = append(t.list, v)
	}
	t.ids[v] = id
	return id
}

// sweep frees every number that live does not hold, keeping the first keep. The
// list becomes a new one: screens that share the old one keep their meaning. The
// limit becomes twice what is in use, so that collections stay rare.
func (t *table[V]) sweep(live bits, keep int) {
	t.list = slices.Clone(t.list)
	t.free = t.free[:0]
	var zero V
	for i := keep; i < len(t.list); i++ {
		if live.has(uint32(i)) {
			continue
		}
		v := t.list[i]
		if id, ok := t.ids[v]; ok && id == uint32(i) {
			delete(t.ids, v)
		}
		t.list[i] = zero
		t.free = append(t.free, uint32(i))
	}
	t.limit = max(collectAt, 2*t.used())
}

// bits is a set of small numbers.
type bits []uint64

func newBits(n int) bits { return make(bits, (n+63)/64) }

func (b bits) has(i uint32) bool { return int(i/64) < len(b) && b[i/64]>>(i%64)&1 != 0 }

func (b bits) set(i uint32) {
	if int(i/64) < len(b) {
		b[i/64] |= 1 << (i % 64)
	}
}

// clusterRune is the rune that stands for a cluster in a cell: itself if it is
// one code point outside the planes that the table uses.
func (e *Emulator) clusterRune(c []byte) rune {
	if r, n := utf8.DecodeRune(c); n == len(c) && !isReserved(r) {
		return r
	}
	if id, ok := e.clusters.ids[string(c)]; ok {
		return ClusterBase + rune(id)
	}
	if e.clusters.full() {
		e.collect()
	}
	if e.clusters.used() >= maxClusters {
		return utf8.RuneError
	}
	return ClusterBase + rune(e.clusters.add(string(c)))
}

// clusterText appends what a grid's rune stands for; nothing for a filler.
func (e *Emulator) clusterText(b []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf:
		return append(b, byte(r))
	case isCluster(r):
		return append(b, e.clusters.list[r-ClusterBase]...)
	case r == filler:
		return b
	case r == gapRune:
		return append(b, ' ')
	}
	return utf8.AppendRune(b, r)
}

// linkID is the number of a link's target, 0 for none or when there is no room.
func (e *Emulator) linkID(target []byte) uint16 {
	if len(target) == 0 || len(target) > maxLink {
		return 0
	}
	if id, ok := e.links.ids[string(target)]; ok {
		return uint16(id)
	}
	if e.links.used() > maxLinks || e.linkBytes+len(target) > maxLinkBytes {
		if e.linkPause > 0 {
			e.linkPause--
			return 0
		}
		e.collect()
		if e.links.used() > maxLinks*3/4 || e.linkBytes+len(target) > maxLinkBytes*3/4 {
			e.linkPause = linkPause // most are in use: do not look again at every one
			return 0
		}
	}
	e.linkBytes += len(target)
	return uint16(e.links.add(string(target)))
}

// collect frees the styles, clusters and links that neither a screen nor the
// history nor the pen uses.
func (e *Emulator) collect() {
	e.collectStyles()
	clusters, links := newBits(len(e.clusters.list)), newBits(len(e.links.list))
	for _, p := range []*page{e.main, e.alt} {
		if p == nil {
			continue
		}
		for y := range p.rows {
			for _, g := range p.text(y) {
				if isCluster(g.r) {
					clusters.set(uint32(g.r - ClusterBase))
				}
			}
		}
		links.set(uint32(p.saved.style.link))
	}
	links.set(uint32(e.pen.style.link))
	for _, s := range e.pens {
		links.set(uint32(s.link))
	}
	for _, s := range e.styles.list {
		links.set(uint32(s.link)) // no link: a number that is free
	}
	e.history.markLinks(links)
	e.clusters.sweep(clusters, 0)
	e.links.sweep(links, 1)
	e.linkBytes = 0
	for _, l := range e.links.list {
		e.linkBytes += len(l)
	}
	e.epoch++
}

func isCluster(r rune) bool { return r >= ClusterBase && r <= ClusterEnd }

// isReserved reports whether a grid uses r for something of its own, so that text
// must not hold it.
func isReserved(r rune) bool { return isCluster(r) || r == filler || r == gapRune }
