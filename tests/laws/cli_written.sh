#!/bin/sh
# cli_written.sh - what makes a trace writes every dialect

. "$srcdir/tests/helpers/claim.sh"

dmtrace generate -q --events=60 --threads=3 -o one.trace
dmtrace generate -q --events=80 --threads=3 --seed=2 -o two.trace
cat >calls.json <<'JSON'
[{"name":"a","ph":"B","ts":1,"pid":1,"tid":7},
{"name":"b","ph":"B","ts":3,"pid":1,"tid":70},
{"name":"b","ph":"E","ts":4,"pid":1,"tid":70},
{"name":"a","ph":"E","ts":9,"pid":1,"tid":7}]
JSON
cat >makers <<'MAKERS'
generate	dmtrace generate -q --events=300
merge	dmtrace merge -q one.trace two.trace
import	dmtrace import -q calls.json
MAKERS

# events DIALECT TRACE: its events, as in that dialect
events()
{
	dmtrace convert -q -d "$1" "$2" | dmtrace dump -f tsv -
}

# written LIKE DIALECT COMMAND...: the same events as in the other dialect
written()
{
	like=$1 dialect=$2
	shift 2
	"$@" -d "$dialect" -o made.trace && "$@" -d "$like" -o like.trace &&
	    dmtrace info -q made.trace &&
	    dmtrace validate -q made.trace &&
	    events "$like" made.trace >made &&
	    events "$like" like.trace >like && [ -s made ] && cmp made like
}

# Wall times of version 1 start anew in every thread, so a generated trace has
# others.
while read -r like dialect; do
	while IFS='	' read -r maker command; do
		[ "$maker $dialect" != 'generate v1' ] || continue
		claim "$maker -d $dialect" written "$like" "$dialect" $command
	done <makers
done <<'DIALECTS'
v2 v1
v2 f2
v3 f3
v2 v4
v3 v5
v2 f4
v3 f5
DIALECTS

claim "generate -d v1 is valid" sh -c \
    'dmtrace generate -q -d v1 | dmtrace validate -q -'
claim "an input with one clock is not merged to two" \
    says 'one.wall: has only wall times, and the dialect has two clocks' \
    sh -c 'dmtrace convert -q -d v2 -o one.wall one.trace
	dmtrace merge -q -d f3 -o made.trace one.trace one.wall'
{
	printf '*version\n2\nclock=wall\n*threads\n0\tnull\n*methods\n'
	printf '0x10\ta.B\tm\t()V\n*end\nSLOW\2\0\40\0'
	head -c 24 /dev/zero
	printf '\0\0\20\0\0\0\1\0\0\0\0\0\21\0\0\0\2\0\0\0'
} >zero.trace
claim "a thread of number 0 gets another one in a stream" sh -c '
	dmtrace merge -q -d f2 -o made.trace zero.trace &&
	    dmtrace validate -q made.trace &&
	    [ "$(dmtrace dump -f tsv made.trace | grep -c ^1)" -eq 2 ]'
cat >long.json <<'JSON'
[{"name":"a","ph":"X","ts":1.25,"dur":8000000000.5,"tid":70000}]
JSON
printf 'enter\t1250\nexit\t8000000001750\n' >times
claim "an import to nanoseconds keeps them, threads and long times" \
    prints times sh -c 'dmtrace import -q -d v5 -o made.trace \
	long.json && dmtrace dump -f tsv made.trace | grep "^70000" |
	cut -f 2,5'
claim "the same is refused by a dialect without" \
    says 'more than 71 minutes apart' \
    dmtrace import -q -d f3 -o made.trace long.json
claim "merge writes nanoseconds again" sh -c '
	dmtrace generate -q -d v5 -o ns.trace &&
	    dmtrace merge -q -d f5 -o made.trace ns.trace &&
	    dmtrace diff -q ns.trace made.trace'
finish
