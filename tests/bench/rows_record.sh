# rows_record.sh - what a recorded event costs, beside the clock it reads
#
# The time of each is wall time but where "CPU" says else. The row "off" reads
# as nanoseconds: its baseline is an empty loop of as many rounds.

load="$builddir/tests/bench/record_load"
each=${BENCH_EVENTS-10000000}
runs_before=$runs
runs=${BENCH_RUNS-9}

# record_row NAME GOAL BASELINE COMMAND: the arguments of record_load
record_row()
{
	row "$1" "$2" "exec $load $3" "exec $load $4"
}

printf '%s\n' "events: $each"
record_row 'record, one thread' 1.30 "ticks 1 $each" "record 1 $each"
record_row 'record to /dev/null' 1.30 "ticks 1 $each" "null 1 $each"
record_row 'record, system clock' 1.35 "clock 1 $each" "system 1 $each"
record_row 'record, thread CPU' 1.25 "cpu-clock 1 $((each / 10))" \
    "cpu 1 $((each / 10))"
record_row 'record by key' 1.30 "ticks 1 $each" "key 1 $each"
record_row 'scope, beside enter and exit' 1.05 "pair 1 $each" "scope 1 $each"
record_row 'scope, off' 0.20 "clock 1 $each" "scope-off 1 $((each * 2))"
record_row 'record and join' - "record 1 $each" "joined 1 $each"
record_row 'record to a stream' 1.05 "record 1 $each" "stream 1 $each"
record_row 'record to the ring' - "ticks 1 $each" "ring 1 $each"
BENCH_TIME=cpu
export BENCH_TIME
record_row 'CPU, two threads' 1.05 "record 1 $((each * 2))" "record 2 $each"
record_row 'CPU, 50 threads' 1.10 "record 1 $((each * 10))" \
    "record 50 $((each / 5))"
unset BENCH_TIME
record_row 'off, 10^9 times' +0.3 "empty 1 1000000000" "off 1 1000000000"
# Once each: the last column, memory, is as in the rows of 10^7 events.
runs=1
record_row 'flush 10^7, 10^9 to /dev/null' - "null 1 $each" \
    "null 1 $((each * 100))"
record_row 'ring of 10^7, 10^9 events' - "ring 1 $each" \
    "ring 1 $((each * 100))"
BENCH_TIME=cpu
record_row 'CPU, 50 x 10^7 to /dev/null' 1.10 "null 1 $((each * 50))" \
    "null 50 $each"
unset BENCH_TIME
runs=$runs_before
