#!/bin/sh
# cli_window.sh - CPU time at the edges of a window, as all commands have it

. "$srcdir/tests/helpers/claim.sh"

# byte NUMBER
byte()
{
	printf "\\$(printf %o "$1")"
}

# le32 NUMBER: four bytes, the lowest first
le32()
{
	byte $(($1 & 255))
	byte $(($1 >> 8 & 255))
	byte $(($1 >> 16 & 255))
	byte $(($1 >> 24 & 255))
}

# record THREAD METHOD+ACTION CPU WALL: both times in milliseconds
record()
{
	byte "$1"
	byte 0
	le32 "$2"
	le32 $(($3 * 1000))
	le32 $(($4 * 1000))
}

# trace: a version 3 trace with both clocks; its records are standard input
trace()
{
	printf '*version\n3\nclock=dual\n*threads\n1\tmain\n2\tworker\n'
	printf '*methods\n0x4\tp/A\trun\t()V\n0x8\tp/A\tspin\t()V\n*end\n'
	printf 'SLOW\003\000\040\000\001\002\003\004\005\006\007\000'
	printf '\016\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
	cat
}

# A thread that spins for 40 s without an event.
{
	record 1 4 8 153	# enters A.run
	record 1 5 40008 40153	# leaves it
} | trace >spin.trace

# The same, and a thread whose last event is an enter before the window ends.
{
	record 1 4 8 153	# main enters A.run
	record 2 4 1 1000	# worker enters A.run
	record 2 8 5 3000	# worker enters A.spin
	record 1 5 40008 40153	# main leaves A.run
} | trace >ends.trace

window="--from 2s --to 35s"

# lines FILE TEXT...: the file has exactly these lines
lines()
{
	file=$1
	shift
	printf '%s\n' "$@" | cmp - "$file" || { cat "$file"; return 1; }
}

# edge_times COMMAND...: thread, action, CPU and wall time of its events
edge_times()
{
	"$@" >json 2>error && sed -e 's/.*"thread":\([0-9]*\).*"action":/\1 /' \
	    -e 's/,.*"cpu_ns":\([^,]*\),"wall_ns":\([0-9]*\).*/ \1 \2/' \
	    -e 's/"//g' json >times
}

# agree: the events of a window are the same in dump, export and filter
agree()
{
	edge_times dmtrace export -f jsonl $window "$1" && cp times exported &&
	    dmtrace filter $window -o cut.trace "$1" 2>note &&
	    edge_times dmtrace export -f jsonl cut.trace
}

claim "a thread that spins has CPU time at the edges" agree spin.trace
claim "it is that of the events around them" lines times \
    '1 enter 1855000000 2000000000' '1 exit 34855000000 35000000000'
claim "exports have it too" cmp times exported
claim "filter has no note of it" [ ! -s note ]

claim "a thread may end before the edge" agree ends.trace
claim "an export leaves its CPU time empty there" lines exported \
    '1 enter 1855000000 2000000000' '2 enter 3000000 2000000000' \
    '2 enter 5000000 3000000000' '1 exit 34855000000 35000000000' \
    '2 exit null 35000000000' '2 exit null 35000000000'
claim "records have the last one that is known" lines times \
    '1 enter 1855000000 2000000000' '2 enter 3000000 2000000000' \
    '2 enter 5000000 3000000000' '1 exit 34855000000 35000000000' \
    '2 exit 5000000 35000000000' '2 exit 5000000 35000000000'
claim "filter has a note of it" has "last known CPU time, as their thread \
has no event after the edge: 2" note
claim "unless it is quiet" dmtrace filter -q $window -o cut.trace ends.trace
claim "then it prints nothing" [ ! -s output ]
dmtrace dump -f csv $window ends.trace >dumped
claim "dump leaves it empty" has "2,exit,0x4,,35000000000" dumped

claim "blocks of two clocks" dmtrace convert -d v5 -o ends.v5 ends.trace
mv times wanted
claim "are filtered, too" agree ends.v5
claim "to the same events" cmp wanted times

finish
