#!/bin/sh
# run.sh - what "make bench" runs: one table, each figure beside its baseline
#
# The scripts rows_*.sh beside this one are its rows; each makes what it needs
# and calls row. They run one after the other in one folder.

runs=${BENCH_RUNS-5}
records=${BENCH_RECORDS-50000000}
rows=$srcdir/tests/bench

# elapsed COMMAND: sets ms to its wall time; its files out* are new each time
elapsed()
{
	rm -f out*
	begin=$(date +%s%N)
	sh -c "$1" || { echo "failed: $1" >&2; exit 1; }
	end=$(date +%s%N)
	ms=$(((end - begin) / 1000000))
}

# Prints the middle one of the numbers on stdin.
median()
{
	sort -n | awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] }'
}

# row NAME BOUND BASELINE COMMAND: the median ratio of COMMAND to BASELINE,
# which run in turns; BOUND is the ratio that is wanted
row()
{
	: >pairs
	elapsed "$3"
	elapsed "$4"
	i=0
	while [ "$i" -lt "$runs" ]; do
		elapsed "$3"
		baseline=$ms
		elapsed "$4"
		echo "$baseline $ms" >>pairs
		i=$((i + 1))
	done
	rm -f out*
	printf '%-34s %9s %9s %8.2f %8s\n' "$1" \
	    "$(cut -d ' ' -f 1 pairs | median)" \
	    "$(cut -d ' ' -f 2 pairs | median)" \
	    "$(awk '{ print $2 / ($1 ? $1 : 1) }' pairs | median)" "$2"
}

printf '%-34s %9s %9s %8s %8s\n' what 'base ms' 'ours ms' ratio wanted
for script in "$rows"/rows_*.sh; do
	[ ! -f "$script" ] || . "$script"
done
