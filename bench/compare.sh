#!/bin/sh
# Compares the painter's benchmarks with those of the study it must not fall
# behind (at most 1.5 times its time). Both run alternately and the best of the
# rounds counts, because a shared machine only ever adds to a time.
#
#   bench/compare.sh PATH-OF-THE-STUDY [ROUNDS]
set -eu
study=${1:?path of the study with BenchmarkFrame}
rounds=${2:-12}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/bench/ordinary.sh"
(cd "$here" && $ordinary go test -c -o "$work/ours.test" ./ui/paint)
(cd "$study" && $ordinary go test -c -o "$work/study.test" .)
for _ in $(seq "$rounds"); do
	for who in study ours; do
		"$work/$who.test" -test.run '^$' -test.bench '^BenchmarkFrame$' -test.benchtime 30ms >>"$work/$who.out"
	done
done
awk '
	/^BenchmarkFrame\// {
		name = $1; sub(/-[0-9]+$/, "", name); sub(/^BenchmarkFrame\//, "", name)
		who = FILENAME ~ /study/ ? "study" : "ours"
		if (!(name in seen)) { seen[name] = 1; order[++count] = name }
		if (!((who, name) in times) || $3 + 0 < times[who, name]) times[who, name] = $3 + 0
		for (i = 4; i <= NF; i++) {
			if ($i == "KB/frame") size[who, name] = $(i-1)
			if ($i == "allocs/op") allocs[who, name] = $(i-1)
		}
	}
	END {
		printf "%-16s %12s %12s %7s %14s %7s\n", "frame", "study ns", "ours ns", "ratio", "KB study/ours", "allocs"
		for (i = 1; i <= count; i++) {
			n = order[i]; o = times["ours", n]
			if (!(("study", n) in times)) {
				printf "%-16s %12s %12d %7s %14s %7s\n", n, "-", o, "-", "-/" size["ours", n], allocs["ours", n]
				continue
			}
			s = times["study", n]; r = o / s
			printf "%-16s %12d %12d %7.2f %14s %7s\n", n, s, o, r, size["study", n] "/" size["ours", n], allocs["ours", n]
			if (r > 1.5 || allocs["ours", n] > 0) bad = 1
		}
		exit bad
	}
' "$work/study.out" "$work/ours.out"
