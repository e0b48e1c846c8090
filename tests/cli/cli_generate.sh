#!/bin/sh
# cli_generate.sh - made-up traces, and what others read in them

. "$srcdir/tests/helpers/claim.sh"

# records FILE: how many "info" counts
records()
{
	dmtrace info -f tsv "$1" | awk -F '\t' '
	    NR == 1 { while ($(++i) != "events") { } }
	    NR == 2 { print $i }'
}

# no_findings FILE
no_findings()
{
	dmtrace info -f jsonl "$1" | grep -F '"findings":[]'
}

claim "generate writes a trace" silent dmtrace generate -o a.trace
claim "the trace has 100,000 records" test "$(records a.trace)" -eq 100000
claim "the trace has 4 threads" test "$(dmtrace dump -f tsv a.trace | sed 1d |
    cut -f 1 | sort -u | tr '\n' ' ')" = '1 2 3 4 '
claim "the trace has no finding" no_findings a.trace

claim "generate runs again" exits 0 dmtrace generate -o b.trace
claim "the second trace has the same bytes" cmp a.trace b.trace
claim "generate takes another seed" \
    exits 0 dmtrace generate --seed 2 -o b.trace
claim "another seed gives other bytes" exits 1 cmp -s a.trace b.trace
claim "the trace goes to standard output" prints a.trace dmtrace generate
claim "the trace goes to a pipe" \
    prints a.trace sh -c 'dmtrace generate -o - | cat'
claim "the output may be a pair" exits 0 dmtrace generate -o p.key
claim "the pair is the same trace" \
    sh -c 'cat p.key p.data | cmp - a.trace'
claim "it ends quietly if the reader closes the pipe" test -z \
    "$(sh -c 'dmtrace generate | :' 2>&1)"
claim "--sync changes no byte" sh -c \
    'dmtrace generate --sync -o s.trace && cmp s.trace a.trace'

claim "an odd number of records is rounded down, with a message" \
    notes '10 events are written, not 11' \
    dmtrace generate --events 11 -o odd.trace
claim "the trace has 10 records then" test "$(records odd.trace)" -eq 10
claim "-q hides the message" \
    silent dmtrace generate -q --events 11 -o odd.trace
claim "--events=0 writes a trace" \
    silent dmtrace generate --events 0 -o none.trace
claim "the trace has no record then" test "$(records none.trace)" -eq 0
claim "fewer records than threads are accepted" \
    exits 0 dmtrace generate --threads 50 --events 4 -o few.trace
claim "the trace has 4 records then" test "$(records few.trace)" -eq 4

# Each way: VERSION CLOCK RECORD_SIZE
for way in '1 wall 9' '1 thread-cpu 9' '1 global 9' '2 wall 10' \
    '2 thread-cpu 10' '2 global 10' '3 wall 10' '3 thread-cpu 10' \
    '3 global 10' '3 dual 14'; do
	set -- $way
	claim "version $1 with clock $2 is generated" exits 0 dmtrace generate \
	    --dialect="v$1" --clock "$2" --events 20000 --threads 9 \
	    --methods 40 --max-depth 12 -o way.trace
	claim "version $1 with clock $2 has the clock in the key" \
	    grep -aqx "clock=$2" way.trace
	claim "version $1 with clock $2 has no finding" no_findings way.trace
	claim "version $1 with clock $2 has records of $3 bytes" \
	    sh -c 'dmtrace info -f jsonl way.trace |
	    grep -F "\"record_size\":'"$3"',"'
	claim "version $1 with clock $2 ends every call" \
	    sh -c 'dmtrace dump -f tsv way.trace | awk -F "\t" "
	    NR > 1 { open[\$1] += \$2 == \"enter\" ? 1 : -1
	        if (\$6 < 1 || \$6 > 12) exit 1 }
	    END { for (i in open) if (open[i] != 0) exit 1 }"'
done
claim "the default clock of version 3 is dual" grep -aqx clock=dual a.trace
dmtrace generate --dialect=v2 --events 2 -o v2.trace
claim "the default clock of version 1 is wall" grep -aqx clock=wall v2.trace

# lists VERSION CLOCK: dmtracedump lists the records that dump does
lists()
{
	dmtrace generate --dialect="v$1" --clock "$2" --threads 7 \
	    --events 30000 -o l.trace
	dmtracedump -o l.trace | sed 1,/^Trace/d |
	    awk '{ print $1, $2, $3 }' >theirs
	dmtrace dump -f tsv l.trace | sed 1d | awk -F '\t' -v clock="$2" '
	    BEGIN { word["enter"] = "ent"; word["exit"] = "xit"
		word["unroll"] = "unr" }
	    { print $1, word[$2], ($4 == "" ? $5 : $4) / 1000 }' >ours
	cmp theirs ours
}

for way in '1 wall' '1 thread-cpu' '2 wall' '2 thread-cpu' '3 dual'; do
	set -- $way
	if have dmtracedump; then
		claim "dmtracedump lists version $1 with clock $2" lists $way
		claim "dmtracedump makes a profile of version $1 with $2" \
		    exits 0 dmtracedump l.trace
	else
		skip "dmtracedump reads version $1 with clock $2" \
		    'dmtracedump is not installed'
	fi
done

# The same bytes on every machine: of version 3, and of a stream of trace format
# V2 with odd names. The check sum and size of each.
while read -r shape sum size odd_sum odd_size; do
	claim "shape $shape has these bytes" test \
	    "$(dmtrace generate --shape="$shape" | cksum)" = "$sum $size"
	claim "shape $shape with odd names has these bytes" test \
	    "$(dmtrace generate -d f5 --events 20000 --shape="$shape" \
	    --odd-names | cksum)" = "$odd_sum $odd_size"
done <<'ROWS'
calls 3560159442 1421584 2394304403 145316
recursion 918863187 1421584 4269825309 131473
pingpong 216412642 1421551 239592813 463124
exceptions 2445536445 1421584 2989058848 145463
sampling 3802506792 1421585 862901267 217034
deep 1626084274 1421551 2814232562 146500
wide 2722899967 2478983 2914653803 1447452
app 1978618503 1443051 3353830890 180850
ROWS

# holds DIALECT SHAPE: two hours, whose times are valid, and a text
holds()
{
	dmtrace generate -q -d "$1" --events 40000 --shape="$2" --odd-names \
	    --duration 2h -o held.trace &&
	    dmtrace validate -q held.trace &&
	    dmtrace info held.trace | grep -q '^duration *1[012][0-9] min,' &&
	    dmtrace dump --text held.trace | dmtrace undump - |
	    cmp - held.trace
}

# Each dialect, and each shape twice; all with each other are more.
number=0
for dialect in v1 v2 v3 f2 f3 v4 v5 f4 f5; do
	for shape in calls recursion pingpong exceptions sampling deep wide \
	    app; do
		number=$((number + 1))
		more || [ $((number % 9 % 4)) -eq 1 ] || continue
		claim "$dialect holds two hours of shape $shape" \
		    holds "$dialect" "$shape"
	done
done
claim "a gap that 32-bit times do not show is refused" says \
    'thread 1 has no event for 2^31 us (35 min): records of version 3' \
    dmtrace generate --threads 1 --events 2 --duration 3h -o no.trace
claim "times of 64 bits have the gap" exits 0 \
    dmtrace generate -q -d v5 --threads 1 --events 2 --duration 3h -o gap.trace
claim "65,535 threads each have events" sh -c '
	dmtrace generate --shape=pingpong --threads 65535 --events 600000 |
	    dmtrace info - | grep -q "^threads  *65,535 listed, 65,535 with"'
claim "calls are 20,000 deep" sh -c '
	dmtrace generate --shape=deep --events 50000 --threads 1 |
	    dmtrace dump -f tsv - | cut -f 6 | grep -qx 20000'
claim "a sample has all its events at one time" sh -c '
	[ "$(dmtrace generate --shape=sampling | dmtrace dump -f tsv - |
	    cut -f 5 | sort -u | wc -l)" -lt 10000 ]'
claim "the threads of pingpong alternate" sh -c '
	dmtrace generate --shape=pingpong --events 1000 |
	    dmtrace dump -f tsv - | sed 1d | head -n 900 |
	    awk "\$1 == last { exit 1 } { last = \$1 }"'
claim "an app draws 60 frames a second" sh -c '
	n=$(dmtrace generate --shape=app | dmtrace dump -f tsv - |
	    awk "\$2 == \"enter\"" | grep -c onFrame)
	[ "$n" -gt 110 ] && [ "$n" -le 120 ]'
claim "app takes 8 frames or more" says \
    'max-depth 7: shape app takes 8 or more' \
    dmtrace generate --shape=app --max-depth 7 -o no.trace
claim "an unknown shape is refused" \
    exits 2 dmtrace generate --shape round -o no.trace

claim "times of many records stay below 2^32 us" sh -c '
	dmtrace generate --dialect=v1 --events 2000000000 |
	    head -c 100000 | grep -a "^elapsed-time-usec=4294967295\$"'

# Address sanitizers need more than the memory there is.
if [ "$SANITIZED" = yes ]; then
	skip "memory does not grow with the records" 'sanitizers take more'
else
	claim "memory does not grow with the records" sh -c '
		ulimit -v 32768
		dmtrace generate --events 3000000 >/dev/null'
	claim "nor do they in an app" sh -c '
		ulimit -v 32768
		dmtrace generate --shape=app --events 3000000 >/dev/null'
fi

# A reader that takes its time, for more than a pipe holds.
dmtrace generate --progress --events 1000000 2>progress |
    { head -c 100000 >/dev/null; sleep 2; cat >/dev/null; }
rate='[0-9]+\.[0-9] million events/s'
claim "--progress prints the rate and the time left" grep -Eq \
    "^dmtrace generate: [0-9]+ %, $rate, [0-9]+ s left\$" progress
dmtrace generate -q --events 300000 -o whole.trace
{ head -c 2000000 whole.trace; sleep 2; tail -c +2000001 whole.trace; } |
    dmtrace checksum --progress - 2>progress >/dev/null
claim "--progress of unknown size prints the rate only" grep -Eq \
    '^dmtrace checksum: [0-9]+ MB, [0-9]+\.[0-9] MB/s$' progress

# On a terminal one line is drawn over and over, and erased at the end.
if have script && script -qec : /dev/null </dev/null >seen 2>&1; then
	script -qec '{ head -c 2000000 whole.trace; sleep 2
	    tail -c +2000001 whole.trace; } | dmtrace checksum - >sum' \
	    /dev/null </dev/null >seen
	erase_line=$(printf '\r\033\\[K')
	claim "on a terminal progress is printed without --progress" \
	    grep -qE "${erase_line}dmtrace checksum: [0-9]+ MB" seen
	printf '\r\033[K' >erase
	claim "progress is erased at the end" \
	    sh -c 'tail -c 4 seen | cmp - erase'
else
	skip "progress on a terminal" 'script makes no terminal here'
fi
rm whole.trace

claim "two clocks are refused for version 1" says \
    'dialect v1: records of version 1 have one clock' \
    dmtrace generate --dialect=v1 --clock dual -o no.trace
claim "256 threads are refused for version 1" says \
    'threads 256: version 1 takes 1 to 255' \
    dmtrace generate --dialect=v1 --threads 256 -o no.trace
claim "65,536 threads are refused for version 3" says \
    'threads 65536: version 3 takes 1 to 65535' \
    dmtrace generate --threads 65536 -o no.trace
claim "--threads=0 is refused" exits 2 dmtrace generate --threads 0 -o no.trace
claim "--methods=0 is refused" exits 2 dmtrace generate --methods 0 -o no.trace
claim "--max-depth=0 is refused" \
    exits 2 dmtrace generate --max-depth 0 -o no.trace
claim "an unknown dialect is refused" \
    exits 2 dmtrace generate --dialect=v6 -o no.trace
claim "an unknown clock is refused" \
    exits 2 dmtrace generate --clock sun -o no.trace
claim "refused options leave no file" test ! -e no.trace
claim "a missing folder is reported" says 'cannot create no/x.trace' \
    dmtrace generate -o no/x.trace
claim "operands are refused" says 'no file is read' \
    dmtrace generate x.trace
if [ -c /dev/full ]; then
	claim "a full disk exits with 2" \
	    says 'standard output: cannot write: No space left on device' \
	    sh -c 'dmtrace generate >/dev/full'
fi
finish
