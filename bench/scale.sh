#!/bin/sh
# Measures a server with more and more panes, 250 of them in a session (256 are its most):
# its memory, threads, processor time while nothing happens, and what one more pane takes.
# Needs tmux, in which the clients run, and Linux (/proc).
#
#   bench/scale.sh [PANES]...        1 10 100 250 500 without any
set -eu
[ $# -gt 0 ] || set -- 1 10 100 250 500
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
export REPRISE_HOME="$work/r" PATH="$work:$PATH" TERM=xterm-256color
unset REPRISE_PANE TMUX
in_tmux() { tmux -L "scale-$$" -f /dev/null "$@"; }
trap 'reprise kill-server >/dev/null 2>&1 || :; in_tmux kill-server 2>/dev/null || :; rm -rf "$work"' EXIT
. "$here/bench/ordinary.sh"
(cd "$here" && CGO_ENABLED=0 $ordinary go build -ldflags "-s -w" -o "$work/reprise" .)

# session NAME: a client in a terminal, with a first pane.
session() {
	in_tmux new-session -d -x 160 -y 48 "reprise new -s $1 sleep 99999"
	until reprise ls --json 2>/dev/null | grep -q "\"$1\""; do sleep 0.1; done
}
# more NAME FROM TO: adds panes, four in a tab.
more() {
	i=$2
	[ "$i" = 1 ] && tab=1.1
	while [ "$i" -lt "$3" ]; do
		if [ $((i % 4)) = 0 ]; then
			tab=$(reprise tab -s "$1" sleep 99999)
		else
			right=--right=false
			[ $((i % 4)) = 2 ] || right=--right=true
			reprise split "$right" -s "$1" -p "$tab" sleep 99999 >/dev/null
		fi
		i=$((i + 1))
	done
}
server() {
	for stat in /proc/[0-9]*/environ; do
		dir=${stat%/environ}
		if grep -qsz "^REPRISE_HOME=$REPRISE_HOME\$" "$stat" && tr '\0' ' ' <"$dir/cmdline" | grep -q 'reprise serve'; then
			echo "${dir#/proc/}"
			return
		fi
	done
}
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; } # hundredths of a second
now() { date +%s%N; }

printf '%6s %9s %8s %10s %14s\n' panes 'PSS, MB' threads 'idle, %' 'one more, ms'
session one
have=1
for want; do
	first=$((want < 250 ? want : 250))
	[ "$have" -ge "$first" ] || more one "$have" "$first"
	if [ "$want" -gt 250 ]; then
		session two
		more two 1 "$((want - 250))"
	fi
	have=$first
	pid=$(server)
	sleep 3 # what starting left to do
	began=$(ticks "$pid")
	sleep 5
	idle=$(($(ticks "$pid") - began))
	pss=$(awk '/^Pss:/ { print $2 }' "/proc/$pid/smaps_rollup")
	threads=$(ls "/proc/$pid/task" | wc -l)
	t=$(now)
	pane=$(reprise tab -s one sleep 99999)
	took=$((($(now) - t) / 1000000))
	reprise close -s one -p "$pane" >/dev/null
	awk -v n="$want" -v p="$pss" -v t="$threads" -v i="$idle" -v m="$took" 'BEGIN { printf "%6d %9.1f %8d %10.2f %14d\n", n, p / 1024, t, i / 5, m }'
done
