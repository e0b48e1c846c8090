#!/bin/sh
# cli_generate.sh - made-up traces, and what others read in them

. "$srcdir/tests/helpers/claim.sh"

# records FILE: how many "info" counts
records()
{
	dmtrace info -f tsv "$1" | awk -F '\t' '
	    NR == 1 { while ($(++i) != "records") { } }
	    NR == 2 { print $i }'
}

# no_findings FILE
no_findings()
{
	dmtrace info -f json "$1" | grep -F '"findings":[]'
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
    notes '10 records are written, not 11' \
    dmtrace generate --records 11 -o odd.trace
claim "the trace has 10 records then" test "$(records odd.trace)" -eq 10
claim "-q hides the message" \
    silent dmtrace generate -q --records 11 -o odd.trace
claim "--records=0 writes a trace" \
    silent dmtrace generate --records 0 -o none.trace
claim "the trace has no record then" test "$(records none.trace)" -eq 0
claim "fewer records than threads are accepted" \
    exits 0 dmtrace generate --threads 50 --records 4 -o few.trace
claim "the trace has 4 records then" test "$(records few.trace)" -eq 4

# Each way: VERSION CLOCK RECORD_SIZE
for way in '1 wall 9' '1 thread-cpu 9' '1 global 9' '2 wall 10' \
    '2 thread-cpu 10' '2 global 10' '3 wall 10' '3 thread-cpu 10' \
    '3 global 10' '3 dual 14'; do
	set -- $way
	claim "version $1 with clock $2 is generated" exits 0 dmtrace generate \
	    --dialect="v$1" --clock "$2" --records 20000 --threads 9 \
	    --methods 40 --max-depth 12 -o way.trace
	claim "version $1 with clock $2 has the clock in the key" \
	    grep -aqx "clock=$2" way.trace
	claim "version $1 with clock $2 has no finding" no_findings way.trace
	claim "version $1 with clock $2 has records of $3 bytes" \
	    sh -c 'dmtrace info -f json way.trace |
	    grep -F "\"record_size\":'"$3"',"'
	claim "version $1 with clock $2 ends every call" \
	    sh -c 'dmtrace dump -f tsv way.trace | awk -F "\t" "
	    NR > 1 { open[\$1] += \$2 == \"enter\" ? 1 : -1
	        if (\$6 < 1 || \$6 > 12) exit 1 }
	    END { for (i in open) if (open[i] != 0) exit 1 }"'
done
claim "the default clock of version 3 is dual" grep -aqx clock=dual a.trace
dmtrace generate --dialect=v2 --records 2 -o v2.trace
claim "the default clock of version 1 is wall" grep -aqx clock=wall v2.trace

# lists VERSION CLOCK: dmtracedump lists the records that dump does
lists()
{
	dmtrace generate --dialect="v$1" --clock "$2" --threads 7 \
	    --records 30000 -o l.trace
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

claim "times of many records stay below 2^32 us" sh -c '
	dmtrace generate --dialect=v1 --records 2000000000 |
	    head -c 100000 | grep -a "^elapsed-time-usec=4294967295\$"'

# Address sanitizers need more than the memory there is.
if [ "$SANITIZED" = yes ]; then
	skip "memory does not grow with the records" 'sanitizers take more'
else
	claim "memory does not grow with the records" sh -c '
		ulimit -v 32768
		dmtrace generate --records 3000000 >/dev/null'
fi

# A reader that takes its time, for more than a pipe holds.
dmtrace generate --progress --records 1000000 2>progress |
    { head -c 100000 >/dev/null; sleep 2; cat >/dev/null; }
rate='[0-9]+\.[0-9] million records/s'
claim "--progress prints the rate and the time left" grep -Eq \
    "^dmtrace generate: [0-9]+ %, $rate, [0-9]+ s left\$" progress
dmtrace generate -q --records 300000 -o whole.trace
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
