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

dmtrace dump $window ends.trace | tail -n 1 >last
claim "so does its text" lines last \
    '   35.000000               2 worker  exit      p.A.run()V'
dmtrace dump --dmtracedump $window ends.trace | tail -n 3 | cut -c 1-16 >last
claim "as dmtracedump prints it, it is the last one that is known" lines last \
    ' 1 xit  34855000' ' 2 xit      5000' ' 2 xit      5000'
dmtrace report --traceview $window ends.trace >whole
dmtrace filter -q $window -o cut.trace ends.trace
claim "so it is in Traceview's tables" sh -c \
    'dmtrace report --traceview cut.trace | cmp - whole'

# figures CLOCK: of the boxes of a graph of the window, and of its legend
figures()
{
	dmtrace graph --clock="$1" $window ends.trace >dot &&
	    sed -n -e 's/.*label="\(p[^"]*\)".*/\1/p' \
	    -e 's/.*percentages are of \([^,]*\),.*/all: \1/p' dot
}
figures cpu >cpu-figures
claim "a graph says what is known of it" \
    has 'at least 33.0 s\nself ' cpu-figures
claim "also of the total" has 'all: at least 33.0 s' cpu-figures
claim "and what that means" has 'no event after the window' dot
figures wall >wall-figures
claim "wall time is whole" sh -c '! grep "at least" dot'

# The worker's calls have 4 ms of CPU time and more, which is not known.
cat >rules <<'END'
inclusive(p.A.run) <= 50s cpu
inclusive(p.A.run) >= 33s cpu
exclusive(p.A.spin) <= 1s cpu
exclusive(p.A.spin) <= 50s wall
exclusive(p.A.run) <= 34s cpu
END
claim "expect does not say that unknown CPU times are short enough" exits 1 \
    dmtrace expect $window rules ends.trace
mv output found
claim "it prints what is known of them" has "expected inclusive(p.A.run) <= \
50s cpu, found at least 33.002 s in 2 calls" found
claim "and judges the others" has 'does not meet 2 of 5 expectations' found

claim "blocks of two clocks" dmtrace convert -d v5 -o ends.v5 ends.trace
mv times wanted
claim "are filtered, too" agree ends.v5
claim "to the same events" cmp wanted times

# What of a report ends with the worker: A.spin, A.run around it, and all of
# both threads. The exclusive time of A.run is known.
dmtrace report -f csv $window ends.trace >report.csv
claim "a report has no inclusive CPU time of calls that are open then" has \
    ",run,()V,0x4,2,0,,66000000000,33002000000,34000000000," report.csv
claim "and no exclusive one of the innermost" has \
    ",spin,()V,0x8,1,0,,32000000000,,32000000000," report.csv
claim "nor of the total" has ",(toplevel),,,0,0,,66000000000,0,0," report.csv
dmtrace report -f csv --by=thread $window ends.trace >report.csv
claim "nor of the thread" has "thread,2,worker,,,,,,,,2,,,33000000000,," \
    report.csv
claim "others are known" has \
    "thread,1,main,,,,,,,,1,,33000000000,33000000000," report.csv
dmtrace report --clock=cpu $window ends.trace >report.text
tail -n 2 report.text >last
claim "text leaves it empty" lines last \
    '    33.0 s                                 2            p.A.run' \
    '                                           1            p.A.spin'
claim "the total is unknown" has "2 threads unknown (wall time 66.0 s)" \
    report.text
dmtrace report -f csv --clock=cpu --durations --callers --tree --bottom-up \
    $window ends.trace >report.csv
claim "single calls" has "66000000000,33002000000,34000000000,false,,,,,,,,," \
    report.csv
claim "callers" has "caller,,,2,3,,p/A,run,()V,0x4,1,,,32000000000,,," \
    report.csv
claim "and trees are empty, too" has \
    "node,,,3,2,2,p/A,spin,()V,0x8,1,,,32000000000,,32000000000," report.csv
claim "also from below" has "up,,,6,5,3,,(toplevel),,,1,,,,,32000000000," \
    report.csv
dmtrace report -f csv --clock=cpu --merge-runs $window spin.trace ends.trace \
    >report.csv
claim "so are runs that are merged" has \
    "p/A,run,()V,2,1,1,2,,,,33000000000,33001000000,33002000000," report.csv

dmtrace diff -f csv $window spin.trace ends.trace >diff.csv
claim "diff leaves it empty" has \
    "method,p/A,run,()V,1,1,inclusive_cpu_ns,,,,,,,,," diff.csv
claim "and compares the others" has \
    "method,p/A,run,()V,1,1,exclusive_cpu_ns,33000000000,33002000000,2000000" \
    diff.csv
claim "no rule on it can be judged" exits 2 dmtrace diff $window \
    --fail-if='inclusive(p.A.run) > 1s' --clock=cpu spin.trace ends.trace

# Exports of calls leave it empty where their format can.
dmtrace export -f chrome $window ends.trace >chrome
grep '"ph":"E"' chrome | grep -o '"tts":[0-9]*' >tts
claim "Chrome's format has the thread's time at the other exit only" \
    lines tts '"tts":34855000'
dmtrace export -f firefox $window ends.trace >firefox
dmtrace export -f sqlite $window ends.trace >sql
claim "Firefox gets null" has '"threadCPUDelta":[0,2000,null,null]' firefox
claim "SQL has NULL" has \
    "(3,2,2,2,2,3000000000,32000000000,32000000000,5000000,NULL,NULL)" sql
claim "exclusive time of its caller is known" has \
    "(2,NULL,2,1,1,2000000000,33000000000,1000000000,3000000,NULL,2000000)" sql

if ! have node; then
	skip "the page of view" "no node here"
	finish
fi

# page PAGE [FROM TO]: the figures that its script has of methods
page()
{
	file=$1
	shift
	node "$srcdir/tests/web/view_figures.js" "$file" 0 - wall "$@" |
	    tr '\t' , | sed -n -e 's/^method.*)V,/run /p' \
	    -e 's/^method,(toplevel),,/top /p' >figures
}

dmtrace view -q -o cut.html $window ends.trace
dmtrace view -q -o whole.html ends.trace
dmtrace report -q -f html -o report.html $window ends.trace
for file in cut whole report; do
	set -- page $file.html
	[ $file = whole ] && set -- "$@" 2000000000 35000000000
	claim "the $file page counts" "$@"
	claim "what the $file page shows is that of the report" lines figures \
	    "top 0,0,66000000000,,0,0" \
	    "run 2,0,66000000000,,34000000000,33002000000" \
	    "run 1,0,32000000000,,32000000000,"
done

# cuts OPTION...: a selection of ends.trace can be written
cuts()
{
	dmtrace filter -q "$@" -o some.trace ends.trace &&
	    edge_times dmtrace export -f jsonl some.trace
}
claim "calls may also be selected by their time" \
    cuts $window --min-time 2s
claim "they are left at the edge" lines times \
    '1 enter 1855000000 2000000000' '2 enter 3000000 2000000000' \
    '1 exit 34855000000 35000000000' '2 exit 5000000 35000000000'
claim "a thread may end before the window" cuts --from 10s --min-time 2s
claim "its calls that are selected by their time are entered" lines times \
    '1 enter 9855000000 10000000000' '2 enter 5000000 10000000000' \
    '1 exit 40008000000 40153000000'
finish
