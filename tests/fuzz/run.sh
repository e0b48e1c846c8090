#!/bin/sh
# run.sh - what "make fuzz" runs: each target for a while, from its seeds
#
# FUZZ_TIME=SECONDS (60) is how long each target runs, FUZZ_TARGETS="NAME..."
# which targets run, and FUZZ_JOBS=N how many at the same time. A target has a
# folder, NAME/, with its log; corpus, the inputs that reach more code than
# others, with which the next run begins; and crash-* and so on, each an input
# that makes it fail, until a run in which it does not. A target that fails does
# not stop the others.

fuzz=$builddir/tests/fuzz/fuzz

# one NAME: runs a target, in its folder; its row of the table is in row
one()
{
	seeds=$srcdir/tests/fuzz/seeds/$1
	[ -d "$seeds" ] || seeds=$srcdir/tests/data
	mkdir -p "$1/corpus" && cd "$1" || exit 1
	rm -rf row smaller failed.log
	for file in crash-* leak-* oom-* timeout-*; do
		[ ! -e "$file" ] ||
		    ! FUZZ_TARGET=$1 "$fuzz" -timeout=10 "$file" >log 2>&1 ||
		    rm "$file"
	done
	FUZZ_TARGET=$1 "$fuzz" -max_total_time="${FUZZ_TIME-60}" \
	    -max_len="${FUZZ_LENGTH-4096}" -timeout=10 -print_final_stats=1 \
	    corpus "$seeds" >log 2>&1 || cp log failed.log

	# of inputs that reach the same code, the smallest is kept
	mkdir smaller && FUZZ_TARGET=$1 "$fuzz" -merge=1 -timeout=10 \
	    smaller corpus "$seeds" >merge.log 2>&1 &&
	    rm -rf corpus && mv smaller corpus || cp merge.log failed.log
	crashes=$(find . -name 'crash-*' -o -name 'leak-*' -o -name 'oom-*' \
	    -o -name 'timeout-*' | wc -l)
	LC_ALL=C awk -v name="$1" -v kept="$(ls corpus | wc -l)" \
	    -v crashes="$crashes" '
	/^#[0-9]+.* cov: / {
		runs = substr($1, 2) + 0
		cov = $0
		sub(/.* cov: /, "", cov)
		if (first == "" && $2 == "INITED")
			first = cov + 0
		if (cov + 0 > edges) {
			edges = cov + 0
			last = runs
		}
	}
	/^stat::number_of_executed_units:/ { runs = $2 }
	/^stat::average_exec_per_sec:/ { rate = $2 }
	END {
		printf "%-12s %10d %8d %6d %6d %5.0f %% %7d %7d\n", name,
		    runs, rate, edges, edges - first,
		    (runs ? 100 * last / runs : 0), kept, crashes
	}' log >row
}

if [ "$1" = one ]; then
	one "$2"
	exit
fi
targets=${FUZZ_TARGETS-$(FUZZ_TARGET=list "$fuzz")}
[ -n "$targets" ] || exit 1
printf '%s\n' $targets |
    xargs -P "${FUZZ_JOBS-1}" -I NAME sh "$0" one NAME
echo 'target             runs    per s  edges    new  last   corpus crashes'
for name in $targets; do
	cat "$name/row" || exit 1
done
echo 'last: when the last new edge was found, of all runs'
for name in $targets; do
	for file in "$name"/failed.log "$name"/crash-* "$name"/leak-* \
	    "$name"/oom-* "$name"/timeout-*; do
		[ ! -e "$file" ] || { echo "failed: $PWD/$file"; failed=yes; }
	done
done
[ "$failed" != yes ]
