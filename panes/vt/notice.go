package vt

import "bytes"

// maxNotice bounds what is kept of a notification that comes in pieces, in bytes
// for each of title and body: more is not shown anyway.
const maxNotice = 4 << 10

// notice is a notification of kitty's whose last piece has not come.
type notice struct{ id, title, body []byte }

func (e *Emulator) notify(title, body []byte) {
	if e.opts.Notify != nil {
		e.opts.Notify(printable(title, maxTitle), printable(body, maxTitle))
	}
}

// kittyNotice is OSC 99 (sw.kovidgoyal.net/kitty/desktop-notifications): pieces of
// a title or a body, which belong together if they have one id. Only one at a time
// is put together. What asks for anything else (icons, buttons, answers) is dropped.
func (e *Emulator) kittyNotice(s []byte) {
	meta, text, ok := bytes.Cut(s, []byte(";"))
	if !ok {
		return
	}
	var id []byte
	more, body := false, false
	for part := range bytes.SplitSeq(meta, []byte(":")) {
		key, value, _ := bytes.Cut(part, []byte("="))
		switch string(key) {
		case "i":
			id = value[:min(len(value), maxWord)]
		case "d":
			more = string(value) == "0"
		case "e":
			if string(value) == "1" {
				if text, ok = decode64(text); !ok {
					return
				}
			}
		case "p":
			body = string(value) == "body"
			if !body && string(value) != "title" {
				return
			}
		}
	}
	n := &e.notice
	if !bytes.Equal(n.id, id) {
		*n = notice{id: bytes.Clone(id)}
	}
	to := &n.title
	if body {
		to = &n.body
	}
	*to = append(*to, text[:min(len(text), maxNotice-len(*to))]...)
	if more {
		return
	}
	if len(n.body) == 0 { // a title by itself is the message
		n.title, n.body = nil, n.title
	}
	if len(n.body) > 0 {
		e.notify(n.title, n.body)
	}
	*n = notice{}
}

// urxvtNotice is OSC 777.
func (e *Emulator) urxvtNotice(s []byte) {
	rest, ok := bytes.CutPrefix(s, []byte("notify;"))
	if !ok {
		return
	}
	title, body, _ := bytes.Cut(rest, []byte(";"))
	e.notify(title, body)
}
