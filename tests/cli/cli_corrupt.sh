#!/bin/sh
# cli_corrupt.sh - damaged traces, and what corrupt says about them
#
# What each kind may cause is in laws/test_corrupt_laws.c.

. "$srcdir/tests/helpers/claim.sh"

printf 'clock=wall\n0 1 A.a\n5 1  B.b\n9 1  B.b\n12 2 A.a\n20 1 A.a\n' >text
dmtrace undump -d v1 text -o a.trace
dmtrace undump -d v4 text -o v4.trace
dmtrace undump -d f2 text -o f2.trace

# does FILE KIND SEED RANGES: a row of the report, and no byte is changed
# outside of the ranges
does()
{
	dmtrace corrupt -f tsv --kind "$2" --seed "$3" -o o.trace "$1" >did ||
	    return 1
	[ "$2 $4" = "$(sed 1d did | tr '\t\n' '  ' | sed 's/ $//')" ] ||
	    { cat did; return 1; }
	set -- "$1" $4
	head -c "$2" "$1" >wanted
	head -c "$4" o.trace | cmp - wanted || return 1
	tail -c "+$(($2 + $3 + 1))" "$1" >wanted
	tail -c "+$(($4 + $5 + 1))" o.trace | cmp - wanted
}

# is OFFSET LENGTH FORMAT: these bytes of the output
is()
{
	printf "$3" >wanted
	tail -c "+$(($1 + 1))" o.trace | head -c "$2" | cmp - wanted
}

# The key of a.trace has 85 bytes, and its five records begin at 117.
while IFS='|' read -r what file kind seed ranges at len bytes; do
	claim "$what" does "$file" "$kind" "$seed" "$ranges"
	claim "$what: the bytes" is "$at" "$len" "$bytes"
done <<'ROWS'
an exit is dropped|a.trace|no-exit|1|153 9 153 0|144|18|\2\4\0\0\0\14\0\0\0
records are swapped|a.trace|swapped|1|144 18 144 18|144|10|\1\5\0\0\0\24\0\0\0\2
a time goes back|a.trace|time-step|1|158 4 158 4|153|9|\1\5\0\0\0\5\0\0\0
"*end" is dropped|a.trace|no-end|1|80 5 80 0|76|8|\t()\nSLOW
blanks for TABs|a.trace|blanks|1|69 11 69 11|69|11|0x8 B b ()\n
a method has the id of another|a.trace|same-id|1|69 3 69 3|69|4|0x4\t
the data offset is another|a.trace|offset|1|91 2 91 2|89|5|\1\0K\234\0
the file ends early|a.trace|truncated|1|133 29 133 0|126|99|\1\10\0\0\0\5\0
a byte is flipped|a.trace|bits|3|147 1 147 1|144|4|\2\4\0:
bytes are zeros|a.trace|zeros|3|147 1 147 1|144|5|\2\4\0\0\0
bytes are 0xEE|a.trace|fill|1|133 29 133 29|131|4|\5\0\356\356
bytes are lost|a.trace|lost|1|133 29 133 0|126|99|\1\10\0\0\0\5\0
bytes come twice|a.trace|doubled|3|147 1 147 2|144|6|\2\4\0\0\0\0
LF becomes CR LF|a.trace|crlf|1|0 162 0 172|0|13|*version\r\n1\r\n
ROWS

for kind in packet block swapped same-id; do
	claim "$kind in trace format V2" exits 0 dmtrace corrupt --kind $kind \
	    -o o.trace v4.trace
done
for kind in packet swapped same-id no-exit time-step; do
	claim "$kind in a stream" exits 0 dmtrace corrupt --kind $kind \
	    -o o.trace f2.trace
done
dmtrace generate -q --events 40 -o key.trace
for kind in count overflow record-size utf8 lossy; do
	claim "$kind" exits 0 dmtrace corrupt --kind $kind -o o.trace key.trace
done

printf 'caf\351 \303\251\nx' >latin1
claim "utf8 makes a character of each byte" sh -c '
	dmtrace corrupt -q --kind utf8 -o out latin1
	printf "caf\303\251 \303\203\302\251\nx" | cmp - out'
claim "lossy replaces what is no character" sh -c '
	dmtrace corrupt -q --kind lossy -o out latin1
	printf "caf\357\277\275 \303\251\nx" | cmp - out'

claim "the same seed, the same bytes" sh -c '
	dmtrace corrupt -q --count 9 key.trace >1 &&
	    dmtrace corrupt -q --count 9 - <key.trace | cmp - 1'
claim "another seed, other bytes" sh -c '
	! dmtrace corrupt -q --count 9 --seed 2 key.trace | cmp -s - 1'
claim "several damages are reported" sh -c '
	dmtrace corrupt --count 4 --kind count,no-exit -f tsv -o o.trace \
	    key.trace | sed 1d | cut -f 1 | sort -u | tr "\n" " " |
	    grep -qx "count no-exit "'
claim "without -o the report is on standard error" notes \
    'a.trace: byte 80: no-end: the key has no "*end": 5 bytes, now 0 at' \
    sh -c 'dmtrace corrupt --kind no-end a.trace | cat >o.trace'
claim "-q prints no report" sh -c '
	[ -z "$(dmtrace corrupt -q -o o.trace a.trace 2>&1)" ]'
cat >wanted <<'ROW'
{"kind":"no-end","byte":80,"length":5,"new_byte":80,"new_length":0}
ROW
claim "a report in JSON" prints wanted \
    dmtrace corrupt --kind no-end -f jsonl -o o.trace a.trace
claim "a text form is damaged as what it means" sh -c '
	{ echo dmtrace text 1; cat text; } >t.dmt
	dmtrace undump t.dmt -o t.trace
	dmtrace corrupt -q t.trace >1 && dmtrace corrupt -q t.dmt | cmp - 1'
claim "and one can be written" sh -c '
	dmtrace corrupt -q --kind no-exit a.trace -o o.dmt &&
	    dmtrace corrupt -q --kind no-exit a.trace >1 &&
	    dmtrace undump o.dmt | cmp - 1'

# --list
claim "--list names each kind" sh -c '
	[ "$(dmtrace corrupt --list -f tsv | wc -l)" -eq 22 ]'
claim "--list has the findings" sh -c '
	[ "$(dmtrace corrupt --list -f tsv | grep ^overflow | cut -f 3,4)" = \
	    "false	overflow,count-differs,call-open" ]'

# causes_listed KIND FILE: seeds cause no finding that --list lacks
causes_listed()
{
	{
		dmtrace corrupt --list -f tsv | grep "^$1	" | cut -f 4 |
		    tr , '\n'
		dmtrace validate -f tsv "$2" | cut -f 2
	} | sort -u >listed
	for seed in 1 2 3 4 5 6 7 8 9; do
		dmtrace corrupt -q --kind "$1" --seed $seed -o o.trace "$2" &&
		    dmtrace validate -f tsv o.trace | cut -f 2
	done | sort -u | comm -23 - listed >other
	[ ! -s other ] || { cat other; return 1; }
}

# A trace that begins within calls, and waits; calls 512 deep.
write_trace within.trace 3 dual <<ROWS
1 8 0 1
1 9 1 60002
1 13 2 60003
1 4 50003 110004
1 5 50030 110040
ROWS
awk 'BEGIN {
	while (++i < 512)
		print 1, 4, i
	for (; i < 600; i++)
		print 1, i % 2 ? 9 : 8, i
}' | write_trace deep.trace 2 wall
for kind in no-exit swapped time-step; do
	for trace in within deep; do
		claim "$kind causes what is listed, $trace" \
		    causes_listed $kind $trace.trace
	done
done
claim "every finding is a rule of validate" sh -c '
	dmtrace validate --rules | sed "s/ .*//" | sort >rules
	dmtrace corrupt --list -f tsv | sed 1d | cut -f 4 | tr , "\n" |
	    grep -vx -e any -e "" | sort -u | comm -23 - rules >other
	cat other; [ ! -s other ]'

# What is refused.
claim "no such kind" says 'no kind of damage "no-exits" (did you mean' \
    dmtrace corrupt --kind no-end,no-exits -o o.trace a.trace
claim "a trace without a place" says \
    'a.trace: it has no place for damage of this kind' \
    dmtrace corrupt --kind block -o o.trace a.trace
: >empty
claim "an empty file" says 'empty: it has no place' \
    dmtrace corrupt -o o.trace empty
claim "a missing file" says "cannot open missing" \
    dmtrace corrupt -o o.trace missing
claim "the output must not be the input" says 'is both the input' \
    dmtrace corrupt -o a.trace a.trace
claim "-f needs -o" exits 2 dmtrace corrupt -f tsv a.trace
claim "--list reads no file" exits 2 dmtrace corrupt --list a.trace
claim "65,537 damages" exits 2 dmtrace corrupt --count 65537 a.trace
if [ -w /dev/full ]; then
	claim "a full disk is noticed" says 'cannot write' \
	    dmtrace corrupt -q a.trace -o /dev/full
fi

finish
