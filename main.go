// Reprise is a terminal multiplexer for people who run AI coding agents: when an
// agent's terminal dies, its pane brings the conversation back by itself, once.
package main

import (
	"os"

	"reprise/cli"
	_ "reprise/cli/early/now" // before nearly all else
)

func main() {
	os.Exit(cli.Main(os.Args[1:]))
}
