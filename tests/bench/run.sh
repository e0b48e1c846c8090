#!/bin/sh
# run.sh - what "make bench" runs: one table, each figure beside its baseline
#
# A ratio is the time of a command of dmtrace divided by that of its baseline.
# The two run in turns, with their files in the page cache; outputs are new
# files, fresh*. "goal" is the ratio to reach. Nothing fails if it is missed.
#
# BENCH_ROWS=NAME runs only the rows of rows_NAME.sh. These files use the
# functions below, make their own inputs and remove them.

runs=${BENCH_RUNS-5}
records=${BENCH_RECORDS-50000000}

trap 'rm -f trace* fresh*' EXIT

# row NAME GOAL BASELINE COMMAND
row()
{
	"$builddir/tests/bench/bench_pair" "$1" "$2" "$runs" "$3" "$4" ||
	    exit 1
}

# generate VERSION RECORDS OUTPUT: 50 threads, 5,000 methods
generate()
{
	echo "exec dmtrace generate -q --seed 1 --threads 50" \
	    "--methods 5000 --dialect=v$1 --events $2 -o $3"
}

# make VERSION RECORDS OUTPUT
make()
{
	sh -c "$(generate "$@")" || exit 1
}

printf '%-30s %6s %7s %13s %8s %8s %6s\n' \
    "$records records" goal ratio 'min-max ' 'base s' 'ours s' MB
for rows in "$srcdir"/tests/bench/rows_${BENCH_ROWS-*}.sh; do
	. "$rows"
done
