#!/bin/sh
# Compares the painter's benchmarks with those of the study it must not fall
# behind (at most 1.5 times its time). Both run alternately, because a shared
# machine's speed changes by the minute.
#
#   bench/compare.sh PATH-OF-THE-STUDY [ROUNDS]
set -eu
study=${1:?path of the study with BenchmarkFrame}
rounds=${2:-5}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here" && go test -c -o "$work/ours.test" ./ui/paint)
(cd "$study" && go test -c -o "$work/study.test" .)
for _ in $(seq "$rounds"); do
	for who in study ours; do
		"$work/$who.test" -test.run '^$' -test.bench '^BenchmarkFrame$' -test.benchtime 200ms >>"$work/$who.out"
	done
done
awk '
	function median(list,   n, a, i, j, t) {
		n = split(list, a, " ")
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && a[j-1] + 0 > a[j] + 0; j--) { t = a[j]; a[j] = a[j-1]; a[j-1] = t }
		return a[int((n + 1) / 2)]
	}
	/^BenchmarkFrame\// {
		name = $1; sub(/-[0-9]+$/, "", name); sub(/^BenchmarkFrame\//, "", name)
		who = FILENAME ~ /study/ ? "study" : "ours"
		if (!(name in seen)) { seen[name] = 1; order[++count] = name }
		times[who, name] = times[who, name] " " $3
		for (i = 4; i <= NF; i++) {
			if ($i == "KB/frame") size[who, name] = $(i-1)
			if ($i == "allocs/op") allocs[who, name] = $(i-1)
		}
	}
	END {
		printf "%-16s %12s %12s %7s %14s %7s\n", "frame", "study ns", "ours ns", "ratio", "KB study/ours", "allocs"
		for (i = 1; i <= count; i++) {
			n = order[i]; o = median(times["ours", n])
			if (!(("study", n) in times)) {
				printf "%-16s %12s %12d %7s %14s %7s\n", n, "-", o, "-", "-/" size["ours", n], allocs["ours", n]
				continue
			}
			s = median(times["study", n]); r = o / s
			printf "%-16s %12d %12d %7.2f %14s %7s\n", n, s, o, r, size["study", n] "/" size["ours", n], allocs["ours", n]
			if (r > 1.5 || allocs["ours", n] > 0) bad = 1
		}
		exit bad
	}
' "$work/study.out" "$work/ours.out"
