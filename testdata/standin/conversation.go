package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// start is one line of STANDIN_LOG; package lab reads it.
type start struct {
	PID     int               `json:"pid"`
	Argv    []string          `json:"argv"`
	Session string            `json:"session"`
	Resumed bool              `json:"resumed"`
	Nested  bool              `json:"nested"`
	Double  bool              `json:"double"` // another standin has this session
	Time    time.Time         `json:"time"`
	Dir     string            `json:"dir"`
	Env     map[string]string `json:"env"`
}

// logStart appends one line, in one write, so that lines of several never mix.
// It holds a lock on the session until the process ends: that is how a doubled
// session shows.
func logStart(session string, o options) {
	path := os.Getenv("STANDIN_LOG")
	if path == "" {
		return
	}
	s := start{
		PID: os.Getpid(), Argv: os.Args, Session: session, Resumed: o.resume != "", Nested: o.nested,
		Time: time.Now(), Env: map[string]string{}, Double: !lock(path + "." + filepath.Base(session) + ".lock"),
	}
	s.Dir, _ = os.Getwd()
	for _, e := range os.Environ() {
		name, value, _ := strings.Cut(e, "=")
		if strings.HasPrefix(name, "REPRISE") || strings.HasPrefix(name, "STANDIN") || name == "TERM" {
			s.Env[name] = value
		}
	}
	line, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	if err != nil {
		fmt.Println("standin: launch log:", err)
		os.Exit(2)
	}
	_ = f.Close()
}

// lock takes a lock for the rest of the process's life; false: it is taken.
func lock(path string) bool {
	fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CREAT|syscall.O_CLOEXEC, 0o600)
	return err == nil && syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// file is where the conversation is kept; it appears with the first message.
func (s *standin) file() string {
	return filepath.Join(s.home, "conversations", filepath.Base(s.current())+".jsonl")
}

// append adds to the conversation, in one write.
func (s *standin) append(data []byte) {
	err := os.MkdirAll(filepath.Dir(s.file()), 0o700)
	if err == nil && len(data) > 0 {
		var f *os.File
		if f, err = os.OpenFile(s.file(), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600); err == nil {
			_, err = f.Write(data)
			_ = f.Close()
		}
	}
	if err != nil {
		say("standin: conversation: %v", err)
	}
}

// message is one turn: the person's message is kept, then answered.
func (s *standin) message(text string) {
	if !s.started {
		s.start("startup")
	}
	s.hook("prompt", map[string]any{"prompt": text})
	line, _ := json.Marshal(map[string]string{"text": text})
	s.append(append(line, '\n'))
	s.do.wait("slow-answer")
	word, n := s.recall()
	switch {
	case text == "codeword?" && word == "":
		say("there is no codeword (%d messages)", n)
	case text == "codeword?":
		say("the codeword is %s (%d messages)", word, n)
	case strings.HasPrefix(text, "codeword "):
		say("noted (%d messages)", n)
	default:
		say("you said %s (%d messages)", text, n)
	}
	s.hook("stop", nil)
}

// recall reads the codeword told last and the number of messages from disk.
func (s *standin) recall() (word string, n int) {
	data, _ := os.ReadFile(s.file())
	for in := bufio.NewScanner(bytes.NewReader(data)); in.Scan(); n++ {
		var m struct{ Text string }
		if json.Unmarshal(in.Bytes(), &m) != nil {
			continue
		}
		if w, ok := strings.CutPrefix(m.Text, "codeword "); ok {
			word = w
		}
	}
	return word, n
}
