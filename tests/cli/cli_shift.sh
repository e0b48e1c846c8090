#!/bin/sh
# cli_shift.sh - times moved and stretched

. "$srcdir/tests/helpers/claim.sh"

# trace START TIME1 TIME2: each is a string of octal escapes
trace()
{
	printf '*version\n2\nclock=wall\nelapsed-time-usec=5\n'
	printf '*threads\n1\tmain\n*methods\n0x4\tA\tm\t()V\n*end\n'
	printf 'SLOW\002\000\040\000'
	printf "$1"
	printf '\000\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
	printf '\001\000\004\000\000\000'
	printf "$2"
	printf '\001\000\005\000\000\000'
	printf "$3"
}

start='\001\002\003\004\005\006\007\000'
trace "$start" '\012\000\000\000' '\050\000\000\000' >x.trace

# shifts LABEL TIME1 TIME2 OPTION...: to these two times
shifts()
{
	trace "$start" "$2" "$3" >expected
	label=$1
	shift 3
	claim "$label" prints expected dmtrace shift -q "$@" x.trace
	claim "$label: from a pipe" prints expected \
	    sh -c 'cat x.trace | dmtrace shift -q "$@" -' sh "$@"
}

shifts '--by 5us' '\017\000\000\000' '\055\000\000\000' --by 5us
shifts '--by=-10us' '\000\000\000\000' '\036\000\000\000' --by=-10us
shifts '--by 1ms' '\362\003\000\000' '\020\004\000\000' --by 1ms
shifts '--by 71min' '\012\161\352\375' '\050\161\352\375' --by 71min
shifts '--scale 2' '\024\000\000\000' '\120\000\000\000' --scale 2
shifts '--scale 0.25' '\002\000\000\000' '\012\000\000\000' --scale 0.25
shifts '--scale .5' '\005\000\000\000' '\024\000\000\000' --scale .5
shifts '--scale 1.0' '\012\000\000\000' '\050\000\000\000' --scale 1.0
shifts '--to-zero' '\000\000\000\000' '\036\000\000\000' --to-zero
shifts 'all of them' '\001\000\000\000' '\133\000\000\000' \
    --by=1us --scale=3 --to-zero

# starts LABEL TEXT BYTES: of the header
starts()
{
	trace "$3" '\012\000\000\000' '\050\000\000\000' >expected
	claim "$1" prints expected dmtrace shift -q --start="$2" x.trace
}

starts 'a number' 258 '\002\001\000\000\000\000\000\000'
starts 'the largest one' 18446744073709551615 \
    '\377\377\377\377\377\377\377\377'
starts 'the first moment' 1970-01-01T00:00:00Z \
    '\000\000\000\000\000\000\000\000'
starts 'a fraction of a second' 1970-01-01T00:00:01.25Z \
    '\320\022\023\000\000\000\000\000'

# dated TEXT SECONDS: what date -u makes of it, too
dated()
{
	dmtrace shift -q --start="$1" -o dated.trace x.trace &&
	    dmtrace info -f jsonl dated.trace >dated &&
	    has "\"raw\":\"${2}000000\"," dated &&
	    [ "$(date -u -d "$1" +%s)" = "$2" ]
}

while read -r date seconds; do
	claim "$date is $seconds s" dated "$date" "$seconds"
done <<ROWS
1970-12-31T23:59:59Z 31535999
1972-02-29T12:00:00Z 68212800
1999-12-31T23:59:59Z 946684799
2000-02-29T00:00:00Z 951782400
2000-03-01T00:00:00Z 951868800
2026-11-21T14:30:15Z 1795271415
2100-02-28T23:59:59Z 4107542399
2100-03-01T00:00:00Z 4107542400
9999-12-31T23:59:59Z 253402300799
ROWS

for bad in '' x -1 1x 18446744073709551616 2026-02-29T00:00:00Z \
    2026-13-01T00:00:00Z 2026-00-01T00:00:00Z 2026-01-00T00:00:00Z \
    2100-02-29T00:00:00Z 1969-12-31T23:59:59Z 2026-01-01T24:00:00Z \
    2026-01-01T00:60:00Z 2026-01-01T00:00:60Z 2026-01-01T00:00:00 \
    2026-01-01T00:00:00.Z 2026-01-01T00:00:00.1234567Z \
    2026-01-01T00:00:00+01:00 2026-01-01 2026-1-1T0:0:0Z; do
	claim "--start=$bad is refused" says \
	    'such as 2026-01-31T23:59:59.000001Z' \
	    dmtrace shift --start="$bad" -o o.trace x.trace
done
dmtrace generate -q --events 2000 --duration=90min -o long.trace
claim "a trace of more than 71 minutes can start at another time" \
    exits 0 dmtrace shift -q --start=7 -o again.trace long.trace
claim "its events are the same" \
    exits 0 dmtrace checksum -b --compare long.trace again.trace
claim "the start is not" sh -c '
    dmtrace info again.trace | grep "^start  *0.000007 s after boot"'
rm -f long.trace again.trace
dmtrace convert -q -d v5 -o ns.trace "$srcdir/tests/data/good-v3-dual.trace"
claim "nanoseconds hold a date" sh -c 'dmtrace shift \
    --start=2026-01-31T12:00:00.5Z ns.trace | dmtrace info - |
    grep "^start  *2026-01-31T12:00:00.500000Z"'
claim "but no start of more than 2^64 of them" says \
    'stored in nanoseconds: 18446744073709552 us do not fit' \
    dmtrace shift --start=18446744073709552 -o o.trace ns.trace
claim "nor has a dump of long-running methods a start time" says \
    'no header, and so no start time' dmtrace shift --start=5 -o o.trace \
    "$srcdir/tests/data/good-long-running.trace"
claim "no file is written without it" no_output
for bad in '' 0 0.0 -1 . 1.2.3 1e3 x 1234567890.1 0.0000000001 +1; do
	claim "--scale=$bad is refused" says 'a number above 0' \
	    dmtrace shift --scale="$bad" -o o.trace x.trace
done
for bad in '' x 1.5 500ns 5q; do
	claim "--by=$bad is refused" says 'whole microseconds' \
	    dmtrace shift --by="$bad" -o o.trace x.trace
done

claim "a time below 0 is an error" says \
    'the event has time 10 us; shifted, it is below 0 or above 4294967295 us' \
    dmtrace shift --by=-11us -o o.trace x.trace
claim "no file is written then" no_output
claim "a time that does not fit is an error" \
    says 'byte 116: the event has time 10 us; shifted, it is' \
    dmtrace shift --by=71.5min --scale=2000000 -o o.trace x.trace
claim "no file is written for it" no_output
claim "the highest time that fits is written" silent \
    dmtrace shift --by=1s -o o.trace x.trace
claim "shifting back gives the same trace" prints x.trace \
    dmtrace shift --by=-1s o.trace
claim "the output may be a pair" \
    silent dmtrace shift --by 1us -o half.key x.trace
claim "the input may be a pair" prints x.trace dmtrace shift --by=-1us half
rm -f o.trace half.*
claim "a shift without options is a usage error" \
    says 'no shift is named: use --by, --scale, --start or --to-zero' \
    dmtrace shift x.trace
claim "a time without a unit is a usage error" \
    says '"5" is not a number of whole microseconds' \
    dmtrace shift --by 5 x.trace
claim "a missing operand is a usage error" \
    says 'no trace is named' dmtrace shift --by 1us
claim "two operands are a usage error" \
    says 'more than one trace' dmtrace shift --by 1us a b
claim "a missing file exits with 2" \
    says 'cannot open no' dmtrace shift --by 1us no
claim "an output that is the input is refused" says \
    'x.trace is both the input and the output' \
    dmtrace shift --by 1us -o x.trace x.trace
claim "it ends quietly if the reader closes the pipe" test -z \
    "$(sh -c 'dmtrace shift --by 1us x.trace | :' 2>&1)"

# The times of dump, moved by another program.
moved()
{
	dmtrace generate -q --dialect="v$1" --clock "$2" --seed "$3" \
	    --events 2000 -o made.trace &&
	    dmtrace shift --by=12345us --scale=7 -o o.trace made.trace &&
	    dmtrace dump -q -f tsv made.trace | awk -F '\t' '
	    function moved(ns)
	    {
		return ns == "" ? "" : sprintf("%.0f", ns * 7 + 12345000)
	    }
	    NR > 1 { print $1, $2, $3, moved($4), moved($5) }' >expected &&
	    dmtrace dump -q -f tsv o.trace | awk -F '\t' '
	    NR > 1 { print $1, $2, $3, $4, $5 }' | cmp expected -
}

seed=0
while [ "$seed" -lt 20 ]; do
	for kind in '1 wall' '1 thread-cpu' '2 wall' '3 wall' '3 dual'; do
		seed=$((seed + 1))
		claim "trace $seed, $kind, is shifted as by awk" \
		    moved ${kind% *} ${kind#* } "$seed"
	done
done
rm -f o.trace

if have dmtracedump; then
	dmtrace generate -q --events 1000 -d v2 -o made.trace
	dmtrace shift --by 1s -o o.trace made.trace
	for file in made o; do
		dmtracedump -o $file.trace 2>/dev/null |
		    awk '/^ *[0-9]+ (ent|xit|unr)/ { print $1, $2, $3 }' \
		    >$file.events
	done
	claim "dmtracedump reads times a second later" sh -c '
	awk "{ print \$1, \$2, \$3 + 1000000 }" made.events | cmp - o.events &&
	    [ "$(wc -l <o.events)" -eq 1000 ]'
else
	skip "dmtracedump reads times a second later" "no dmtracedump here"
fi
rm -f o.trace

# full OPERAND...: the disk is
full()
{
	(trap '' XFSZ && ulimit -f 40 && exits 2 dmtrace shift -q --by 1us "$@")
}

dmtrace generate -q --events 60000 --dialect=v2 -o whole.trace
dmtrace shift -q --by 1us -o late.trace whole.trace
claim "a full disk leaves nothing" full -o o.trace whole.trace
claim "a full disk leaves no file and no temporary" no_output
claim "a full disk leaves nothing for a pipe" \
    full --to-zero -o o.trace - <whole.trace
claim "a full disk leaves no file and no temporary for a pipe" no_output

# killed: at some moment, a hundred times
killed()
{
	try=0
	while [ "$try" -lt 100 ]; do
		try=$((try + 1))
		dmtrace shift -q --by 1us -o o.trace whole.trace &
		[ $((try % 4)) -eq 0 ] || sleep 0.00$((try % 4))
		kill -9 $! 2>/dev/null
		wait $! 2>/dev/null
		[ ! -e o.trace ] || cmp late.trace o.trace || return
		rm -f o.trace .dmtrace*
	done
}

claim "killed, it leaves a complete file or none" killed
finish
