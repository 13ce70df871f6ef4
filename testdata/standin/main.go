// Standin is an agent for tests: it keeps conversations on disk, takes
// --session-id and --resume, calls hooks as a custom kind does, and dies in every
// way that agents die.
//
//	standin [--session-id ID | --resume ID | --fork ID] [--model NAME] [--do LIST] [MESSAGE]
//
// Environment: STANDIN_HOME, the folder of its conversations; STANDIN_LOG, a file
// that gets one line of JSON for every start; STANDIN_DO, habits (see habits.go),
// to which those in the file STANDIN_HOME/do are added; REPRISE_HOOK, the shell
// command for hooks.
//
// Typed lines are messages, or commands (see commands.go).
package main

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/term"
)

// standin is the running agent.
type standin struct {
	home  string
	do    habits
	model string

	mu      sync.Mutex // the signal handler reads the session
	session string
	started bool // the start hook was called
}

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	s := &standin{home: os.Getenv("STANDIN_HOME")}
	if s.home == "" {
		s.home = filepath.Join(os.TempDir(), "standin")
	}
	o, err := readOptions(args)
	if err != nil {
		fmt.Println("standin:", err)
		return 2
	}
	s.do = readHabits(o.do, s.home, o.resume != "")
	s.model = o.model
	s.session = o.resume
	if s.session == "" {
		s.session = o.session
	}
	if s.session == "" || s.do.has("own-id") {
		s.session = newID()
	}
	logStart(s.session, o)
	if s.do.has("die") {
		fmt.Println("standin: cannot start")
		return 3
	}
	if status := s.open(o); status != 0 {
		return status
	}
	s.trap()
	s.do.wait("slow-start")
	fmt.Printf("\x1b]0;standin %s\a", short(s.session))
	fmt.Printf("standin, session %s\r\n", s.session)
	if !s.do.has("start-late") {
		s.start(map[bool]string{true: "resume", false: "startup"}[o.resume != ""])
	}
	if s.do.has("die-after-start") {
		fmt.Println("standin: lost its way")
		return 3
	}
	if o.print {
		return 0
	}
	if o.message != "" {
		fmt.Printf("> %s\r\n", o.message)
		s.message(o.message)
	}
	return s.converse()
}

// open refuses what claude refuses: to go on with what is not there, and to begin
// what is.
func (s *standin) open(o options) int {
	_, err := os.Stat(s.file())
	switch {
	case o.resume != "" && err != nil:
		fmt.Printf("No conversation found with session ID: %s\r\n", o.resume)
		return 1
	case o.resume == "" && err == nil:
		fmt.Printf("Session ID %s is already in use\r\n", s.session)
		return 1
	}
	if o.fork != "" { // a copy of another conversation
		from := standin{home: s.home, session: o.fork}
		said, err := os.ReadFile(from.file())
		if err != nil {
			fmt.Printf("No conversation found with session ID: %s\r\n", o.fork)
			return 1
		}
		s.append(said)
	}
	if s.do.has("other-id") {
		s.session = newID()
	}
	return 0
}

// trap sets what SIGHUP does.
func (s *standin) trap() {
	if s.do.has("ignore-hup") {
		signal.Ignore(syscall.SIGHUP)
		return
	}
	status := -1
	for habit, n := range map[string]int{"hup-0": 0, "hup-1": 1, "hup-goodbye": 129} {
		if s.do.has(habit) {
			status = n
		}
	}
	if status < 0 {
		return
	}
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	go func() {
		<-hup
		if s.do.has("hup-goodbye") {
			s.hook("goodbye", map[string]any{"reason": "other"})
		}
		os.Exit(status)
	}()
}

// converse reads lines until the conversation ends, and returns the status.
func (s *standin) converse() int {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for fmt.Print("> "); in.Scan(); fmt.Print("> ") {
		line := strings.TrimSpace(in.Text())
		if line == "" {
			continue
		}
		if strings.HasPrefix(line, "/") {
			if status, ends := s.command(line); ends {
				return status
			}
			continue
		}
		s.message(line)
	}
	if s.do.has("ignore-hup") {
		// The terminal is gone and it does not mind, as gemini.
		time.Sleep(time.Hour)
	}
	if in.Err() != nil {
		return 1
	}
	if st, err := os.Stdin.Stat(); err == nil && st.Mode()&os.ModeCharDevice != 0 && !term.IsTerminal(int(os.Stdin.Fd())) {
		// No person ended the input: the terminal was hung up, which reads as an end,
		// too. SIGHUP is on its way, unless it came before we could take it.
		time.Sleep(time.Second)
		return 129
	}
	return s.goodbye()
}

// start tells that a session begins.
func (s *standin) start(source string) {
	s.started = true
	s.hook("start", map[string]any{"source": source})
}

// goodbye ends the session as a person wants it.
func (s *standin) goodbye() int {
	s.hook("goodbye", map[string]any{"reason": "exit", "certain": !s.do.has("uncertain")})
	return 0
}

func (s *standin) current() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session
}

func (s *standin) change(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session = id
}

// newID is a random UUID, version 4.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func short(id string) string { return id[max(0, len(id)-8):] }
