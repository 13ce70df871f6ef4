#!/bin/sh
# Measures reprise beside tmux in one run and prints the table with the ratios to
# tmux. On a machine that others use, too, trust the ratios, and let it run longer.
#
#   bench/muxbench.sh FOLDER-OF-MUXBENCH [OPTION OF muxbench run]...
#
# For example: bench/muxbench.sh ../muxbench -m start,latency -runs 3
set -eu
harness=${1:?folder with the source of muxbench}
shift
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
. "$here/bench/ordinary.sh"
# As releases are built (.goreleaser.yaml), but with the paths, for the sake of the build cache.
(cd "$here" && CGO_ENABLED=0 $ordinary go build -ldflags "-s -w" -o "$work/bin/reprise" .)
(cd "$harness" && $ordinary go build -o "$work/muxbench" .)
PATH="$work/bin:$PATH"
"$work/muxbench" run -t tmux,reprise -targets "$here/bench/muxbench.json" -limits=false -o "$work/result.json" "$@"
