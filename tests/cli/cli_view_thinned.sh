#!/bin/sh
# cli_view_thinned.sh - the page that shows large traces, without all of their
# calls, methods and paths: its figures are bounds, within which are those of
# report

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/stacks.sh"

if ! have node; then
	skip "figures on the page contain those of report" "no node here"
	finish
fi

# bounded_by NAME WIDEST [FROM TO]: the figures of page.html, of $trace, contain
# those of report, and bounds are at most so many per cent apart
bounded_by()
{
	name=$1 widest=$2
	shift 2
	claim "$name: figures ${1:+$1-$2 us }contain those of report" \
	    bounds "$@"
	claim "$name: they are at most $widest % apart" \
	    awk -v widest="$widest" '{ exit !($(NF - 2) <= widest) }' found
}

bounds()
{
	dmtrace report -q -f tsv $links ${1:+"--from=${1}us" "--to=${2}us"} \
	    "$trace" >table
	for clock in wall cpu; do
		node "$srcdir/tests/web/view_bounds.js" page.html - $clock \
		    ${1:+"${1}000" "${2}000" wall} <table >found ||
		    { cat found; return 1; }
	done
}

trace=large.trace
links='--callers --callees'
dmtrace generate -q --events 1100000 --methods 9 --threads 2 --max-depth 12 \
    -o large.trace
dmtrace view -q -o page.html large.trace
bounded_by "a page that is thinned" 0
bounded_by "a page that is thinned" 5 500000 1700000
! more || bounded_by "a page that is thinned" 5 1234567 1700000
claim "a page that is thinned: so do those of a short range" \
    bounds 400000 400123
links=
claim "a page that is thinned: so do those of paths" \
    same_stacks - wall 1 500000 1700000
claim "a page that is thinned: so do their CPU times" \
    same_stacks - cpu 2 500000 1700000
claim "a page that is thinned: so does their time off the CPU" \
    same_stacks - wait 3 400000 400123
! more || claim "a page that is thinned: so do those of paths of a thread" \
    same_stacks 1 wall 2 1234567 1700000
# In slices of 2 ms: a long call that makes short ones, which are left out; then
# a call of 50 us, which is left out, too, and crosses the edge of a slice, each
# time at another place; mostly its callee of 40 us crosses that as well.
awk '
function call(name, from, to)
{
	print from, "1 >A." name
	if (name == "two")
		call("inner", from + 5, from + 45)
	print to, "1 <A." name
}
function calls(to)
{
	for (; now < to - 60; now += 61)
		call("short", now, now + 60)
}
BEGIN {
	print "0 1 >A.all"
	for (at = 4000; at < 32768000; at += 4000) {
		from = at - at / 4000 * 19 % 50
		calls(at - 3000)
		print now++, "1 >A.long"
		calls(from - 2)
		print from - 1, "1 <A.long"
		call("two", from, from + 50)
		now = from + 51
	}
	print "32767999 1 <A.all"
}' >text
dmtrace undump -d v3 -o large.trace text
dmtrace view -q -o page.html large.trace
bounded_by "calls that are in two slices" 7 0 64000
! more || bounded_by "calls that are in two slices" 7 0 20000000
# By CPU time, too: the report is of a trace with that alone. The last calls of
# a thread are among those that are left out.
dmtrace generate -q --events 1010000 --methods 9 --threads 4 --max-depth 2 \
    -o shallow.trace
dmtrace view -q -o shallow.html shallow.trace
cp shallow.html page.html
trace=shallow.trace
claim "few paths: figures through transforms are those of report" \
    same_stacks - cpu 1
dmtrace convert -q --clock=cpu -o cpu.trace shallow.trace

# cpu_bounds FROM TO [THREAD]: figures of a range of CPU time contain those of
# report
cpu_bounds()
{
	dmtrace report -q -f tsv "--from=${1}us" "--to=${2}us" ${3:+-t "$3"} \
	    cpu.trace |
	    node "$srcdir/tests/web/view_bounds.js" shallow.html "${3:--}" cpu \
	    "${1}000" "${2}000" >found || { cat found; return 1; }
}
claim "a page that is thinned: figures of CPU time contain those of report" \
    cpu_bounds 100000 900000
claim "a page that is thinned: so do those beyond the end of a thread" \
    cpu_bounds 0 1300000 3
! more ||
    claim "a page that is thinned: so do those of a short range of CPU time" \
	cpu_bounds 600000 600200

# write_many FILE COUNT WORD CPU WALL: a trace of so many events of A.m (4) and
# A.n (8); the rest are JavaScript for the event i of count
write_many()
{
	node -e '
	const [file, number, ...fields] = process.argv.slice(1);
	const key = Buffer.from("*version\n3\nclock=dual\n*threads\n" +
		"1\tmain\n*methods\n0x4\tA\tm\t()V\n0x8\tA\tn\t()V\n*end\n");
	const header = Buffer.alloc(32), count = Number(number);
	header.write("SLOW");
	[3, 32].forEach((one, i) => header.writeUInt16LE(one, 4 + 2 * i));
	header.writeUInt16LE(14, 16);
	const events = Buffer.alloc(14 * count);
	const [word, cpu, wall] = fields.map(code =>
		new Function("i", "count", "return " + code));
	for (let i = 0; i < count; i++) {
		const at = 14 * i;
		events.writeUInt16LE(1, at);
		events.writeUInt32LE(word(i, count), at + 2);
		events.writeUInt32LE(cpu(i), at + 6);
		events.writeUInt32LE(wall(i), at + 10);
	}
	require("fs").writeFileSync(file,
		Buffer.concat([key, header, events]));' "$@"
}

# One call with very many short ones, all of which are left out; they take all
# of the CPU time.
write_many huge.trace 1200002 \
    'i === 0 ? 4 : i === count - 1 ? 5 : 9 - i % 2' 'i - i % 2' '3 * i'
dmtrace view -q -o shallow.html huge.trace
dmtrace convert -q --clock=cpu -o cpu.trace huge.trace
claim "a huge call: figures of CPU time contain those of report" \
    cpu_bounds 200000 700000
claim "a huge call: they are at most 5 % apart" \
    awk '{ exit !($(NF - 2) <= 5) }' found
# With a step over all open calls for each slice it would take minutes.
write_many deep.trace 2000000 'i < count / 2 ? 4 : 5' i '2 * i'
claim "a very deep recursion takes little time" \
    sh -c 'ulimit -t 20; dmtrace view -q -o deep.html deep.trace'
claim "a very deep recursion takes less than 256 MB" sh -c \
    '[ "$SANITIZED" = yes ] || ulimit -v 262144
    dmtrace view -q -o deep.html deep.trace'
# Figures are close, down to a hundredth of the trace.
shares()
{
	dmtrace generate -q --events 10000000 -o close.trace
	dmtrace view -q -o close.html close.trace
	node "$srcdir/tests/web/view_shares.js" close.html close.trace 6 |
	    tee found | awk -v third=0 -v tenth=0.1 -v hundredth=6 '
	$2 ~ /^1\/3$/ { if ($(NF - 2) > third) bad++; seen++ }
	$2 ~ /^1\/10$/ { if ($(NF - 2) > tenth) bad++; seen++ }
	$2 ~ /^1\/100$/ { if ($(NF - 2) > hundredth) bad++; seen++ }
	/ is not / { bad++ }
	END { exit seen != 12 || bad > 0 }' || { cat found; return 1; }
}
! more || claim "a page that is thinned: figures of ranges are close" shares
claim "the page counts the calls that are left out" sh -c \
    'grep -o "\"summed\":[1-9][0-9]*,\"limit\":[1-9]" page.html'
# Of very many methods, those of least time are one.
trace=large.trace
dmtrace generate -q --events 200000 --methods 60000 -o large.trace
dmtrace view -q -o page.html large.trace
claim "names of very many methods have 3.5 MB" sh -c \
    'grep -q "(.* other methods)" page.html &&
    [ "$(wc -c <page.html)" -lt 5500000 ]'
bounded_by "a page of very many methods" 0
! more || bounded_by "a page of very many methods" 0 100000 400000
# Of very many paths, those of little time are in (other) of their caller.
# same_tree THREAD: of page.html and of $trace
same_tree()
{
	[ "$1" = - ] && only= || only=-t$1
	dmtrace report -q -f tsv --tree $only "$trace" |
	    node "$srcdir/tests/web/view_tree.js" page.html "$1" >found ||
	    { cat found; return 1; }
}

# paths_of NAME [CLOCK]: both of thread 1 and of all threads of $trace
paths_of()
{
	dmtrace view -q -o page.html "$trace"
	claim "$1: short paths are folded" \
	    sh -c 'grep -q "\"folded\":[1-9]" page.html'
	claim "$1: paths of a thread have the figures of report" same_tree 1
	more || return 0
	claim "$1: so have bounds of some methods in other trees" \
	    same_stacks 1 "${2-wall}" 1
	claim "$1: those of all threads contain them" same_tree -
	for seed in 2 3 4; do
		claim "$1: so do those in other trees, seed $seed" \
		    same_stacks - "${2-wall}" "$seed"
	done
}

trace=paths.trace
dmtrace generate -q --events 1100000 --methods 4000 --threads 2 -o paths.trace
paths_of "many paths"
if more; then
	dmtrace generate -q --shape=app --events 3000000 --threads 98 \
	    --duration 60s -o paths.trace
	paths_of "many paths of an app"
	dmtrace generate -q --events 3000000 --methods 300 -d v1 --clock=cpu \
	    -o paths.trace
	paths_of "many paths with CPU times" cpu
fi
if more; then
	dmtrace generate -q --events 1100000 --methods 4000 --threads 9 \
	    -o large.trace
	dmtrace view -q -o page.html large.trace
	bounded_by "a page of many paths" 0
	bounded_by "a page of many paths" 10 100000 400000
	claim "a page of many paths has less than 8 MB" sh -c \
	    '[ "$(wc -c <page.html)" -lt 8000000 ]'
fi
finish
