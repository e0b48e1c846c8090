# rows_convert.sh - other dialects: to batches, and from one to another
#
# Packets of V2 are made from a trace that is ordered as ART leaves it: each
# thread has a buffer of its own, which becomes one block when it is full.

# read_dialect GOAL DIALECT [STAGE]: into batches, beside version 3
read_dialect()
{
	goal=$1
	shift
	dmtrace convert -q -d "$1" ${2:+--stage=$2} -o trace.other \
	    trace.trace || exit 1
	row "read $* (base: version 3)" "$goal" \
	    "exec '$builddir/tests/bench/bench_batch' trace.trace >/dev/null" \
	    "exec '$builddir/tests/bench/bench_batch' trace.other >/dev/null"
	rm trace.other
}

make 3 "$records" trace.trace
read_dialect 1.5 f3
"$builddir/tests/bench/bench_blocks" trace.trace trace2 65535 || exit 1
mv trace2 trace.trace
read_dialect 1.5 v5 c
read_dialect 1.5 v5 e
read_dialect 2.5 v5 f
rm trace.trace
make 1 "$records" trace.trace
dmtrace convert -q -d v3 -o trace.other trace.trace || exit 1
row 'convert version 1 to 3' 2.8 'exec cat trace.other >fresh' \
    'exec dmtrace convert -q -d v3 -o fresh trace.trace'
rm trace.trace trace.other
