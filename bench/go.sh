#!/bin/sh
# Runs the Go benchmarks of emulator, painter, input, store, server and scale, and prints
# one table: the best of the rounds, because a shared machine only ever adds to a time.
#
#   bench/go.sh [ROUNDS [PATTERN]]
#
# For example: bench/go.sh 3            everything, about ten minutes
#              bench/go.sh 5 'Claim|Record|Restore|Scale'
set -eu
rounds=${1:-3}
pattern=${2:-.}
cd "$(dirname "$0")/.."
out=$(mktemp)
trap 'rm -f "$out"' EXIT
packages=$(grep -rl --include='*_test.go' '^func Benchmark' . | xargs -n 1 dirname | sort -u)
for package in $packages; do
	# The pruning of 100,000 terminals is no loop of a second.
	go test -run '^$' -bench "$pattern" -benchmem -benchtime 200ms -count "$rounds" -timeout 30m "$package" >>"$out"
done
awk '
	/^pkg: / { package = $2; sub(/^reprise\//, "", package) }
	/^Benchmark/ {
		name = $1; sub(/-[0-9]+$/, "", name); sub(/^Benchmark/, "", name)
		name = package " " name
		if (!(name in time)) { order[++count] = name; time[name] = 1e18 }
		if ($3 + 0 >= time[name]) next
		time[name] = $3 + 0; extra[name] = ""; allocs[name] = ""
		for (i = 5; i < NF; i += 2) {
			if ($(i+1) == "allocs/op") allocs[name] = $i
			else if ($(i+1) != "B/op") extra[name] = extra[name] " " $i " " $(i+1)
		}
	}
	/^(FAIL|--- FAIL|panic)/ { print; bad = 1 }
	END {
		printf "%-52s %14s %9s  %s\n", "benchmark", "us/op", "allocs/op", "more"
		for (i = 1; i <= count; i++) {
			n = order[i]
			printf "%-52s %14.2f %9s %s\n", n, time[n] / 1000, allocs[n], extra[n]
		}
		exit bad
	}
' "$out"
