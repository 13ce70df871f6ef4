package cli

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Bounds of the demo agent's conversation: lines, and bytes of one.
const (
	maxDemoLines = 50
	maxDemoLine  = 500
)

// runTutorAgent is the tutor's demo agent: it keeps what it is told in a file, and can
// be killed by a word.
func runTutorAgent(args []string) int {
	f := flag.NewFlagSet("tutor-agent", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	dir := f.String("dir", "", "")
	begin := f.String("new", "", "")
	resume := f.String(resumeFlag[2:], "", "")
	if err := f.Parse(args); err != nil {
		return 2
	}
	die := func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }
	if err := demo(os.Stdin, os.Stdout, *dir, *begin, *resume, die); err != nil {
		fmt.Fprintf(os.Stderr, "demo: %v\n", err)
		return 1
	}
	return 0
}

// demo talks until it is told to end. One of the two sessions is given; die ends the
// process as a crash does.
func demo(in io.Reader, out io.Writer, dir, begin, resume string, die func()) error {
	session := begin + resume
	if session == "" || filepath.Base(session) != session || !filepath.IsAbs(dir) {
		return errors.New("it is started by reprise tutor")
	}
	path := filepath.Join(dir, "conversation-"+session)
	if resume != "" {
		said, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("read the conversation: %w", err)
		}
		fmt.Fprintln(out, "Demo agent, back again. You said:")
		for line := range strings.Lines(string(said)) {
			fmt.Fprint(out, "  ", line)
		}
	} else {
		fmt.Fprintln(out, "Demo agent. Type a few words and enter,\nthen die and enter.")
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write the conversation: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, maxDemoLine), maxDemoLine)
	for n := 0; ; n++ {
		fmt.Fprint(out, "> ")
		if !lines.Scan() || n == maxDemoLines {
			return nil
		}
		words := strings.TrimSpace(lines.Text())
		switch words {
		case "":
			continue
		case "die":
			die()
			return nil
		}
		if _, err := fmt.Fprintln(f, words); err != nil {
			return fmt.Errorf("write the conversation: %w", err)
		}
		fmt.Fprintln(out, "I keep that in mind.")
	}
}
