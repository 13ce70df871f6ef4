package kinds

import (
	"path/filepath"
	"strings"

	"reprise/agent"
)

// idForm is what a program's ids look like: "" is any, uuids those of UUIDs, and a text
// with * at its end those that begin so. Programs also take names and search terms in an
// id's place.
type idForm string

const uuids idForm = "uuid"

// uuidLen is the length of a UUID's text.
const uuidLen = 36

// plausible reports whether a form is one of these.
func (f idForm) plausible() bool {
	begin, star := strings.CutSuffix(string(f), "*")
	return f == "" || f == uuids || star && agent.SessionID(begin).Valid()
}

// read is a word as a session's id, "" if it is none.
func (f idForm) read(word string) agent.SessionID {
	if f == uuids {
		return sessionUUID(word)
	}
	id := agent.SessionID(word)
	if !strings.HasPrefix(word, strings.TrimSuffix(string(f), "*")) || !id.Valid() {
		return ""
	}
	return id
}

// in is the id in a file's name, which pattern has a place for; "" if the name is none
// of the pattern, or may be read in several ways.
func (f idForm) in(name, pattern string) agent.SessionID {
	before, after, _ := strings.Cut(pattern, sessionMark)
	name, ok := strings.CutSuffix(name, after)
	if !ok {
		return ""
	}
	first, end := len(before), len(before) // where the id may begin
	switch star := strings.IndexByte(before, '*') >= 0; {
	case star && f == uuids:
		first, end = len(name)-uuidLen, len(name)-uuidLen
	case star:
		first, end = 0, len(name)
	}
	if first < 0 || end > len(name) {
		return ""
	}
	var found agent.SessionID
	for at := first; at <= end; at++ {
		id := f.read(name[at:])
		if id == "" {
			continue
		}
		if ok, err := filepath.Match(before, name[:at]); err != nil || !ok {
			continue
		}
		if found != "" {
			return ""
		}
		found = id
	}
	return found
}

// sessionUUID is word as a session id, "" unless it has the form of a UUID.
func sessionUUID(word string) agent.SessionID {
	if len(word) != uuidLen {
		return ""
	}
	for i, c := range []byte(strings.ToLower(word)) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (c == '-') || !dash && !strings.ContainsRune("0123456789abcdef", rune(c)) {
			return ""
		}
	}
	return agent.SessionID(word)
}
