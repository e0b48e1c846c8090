#!/bin/sh
# cli_view.sh - the page that shows traces: what is in it, and its figures
#
# "make check-web" looks at it in a browser (tests/web/web_view.sh).

. "$srcdir/tests/helpers/claim.sh"

dmtrace generate -q --events 4000 --methods 40 --threads 3 -o app.trace
claim "view writes a page" silent dmtrace view -q -o app.html app.trace
dmtrace view -q app.trace >standard.html
claim "standard output gets the same page" cmp app.html standard.html
claim "a missing operand is trouble" says "no file is named" dmtrace view
claim "--compare is about two traces" \
    says "--compare needs two traces" dmtrace view --compare app.trace
claim "--open with standard output is refused" says "--open needs a file" \
    dmtrace view --open -o - app.trace
claim "an output that is an input is refused" \
    exits 2 dmtrace view -q -o app.trace app.trace
claim "a trace that cannot be read leaves no page" \
    exits 2 dmtrace view -q -o none.html none.trace
claim "no page exists after a failure" test ! -e none.html
claim "a selection without events fails" \
    exits 1 dmtrace view -q --from=1h app.trace
claim "the page forbids the network" has "default-src 'none'" app.html
claim "the page loads nothing" sh -c \
    '! grep -E "(src|href)=|https?:|@import|url\(" app.html'

LC_ALL=C sed 's/data-file-overflow=false/data-file-overflow=true/' app.trace \
    >full.trace
claim "view reads a trace whose buffer was full" \
    dmtrace view -q -o full.html full.trace
claim "the page says that a buffer was full" has '"bounds":true' full.html
claim "the page does not say so of other traces" has '"bounds":false' app.html

# --open: by a program of that name, which gets the page.
mkdir bin pages
printf '#!/bin/sh\ncp "$1" opened.html\nexit "$(cat status)"\n' >bin/xdg-open
chmod +x bin/xdg-open
echo 0 >status
claim "--open opens the page" env PATH="$PWD/bin:$PATH" \
    dmtrace view -q --open -o app.html app.trace
claim "--open passes the page" cmp app.html opened.html
claim "--open without -o opens a page" env PATH="$PWD/bin:$PATH" \
    TMPDIR="$PWD/pages" dmtrace view -q --open app.trace
claim "--open without -o passes the same page" cmp app.html opened.html
claim "a page without a name stays in TMPDIR" \
    sh -c 'cmp app.html pages/dmtrace-*/page.html'
claim "--open of a missing trace fails" env PATH="$PWD/bin:$PATH" \
    TMPDIR="$PWD/bin" sh -c '! dmtrace view -q --open none.trace'
claim "after a failure no folder stays in TMPDIR" \
    sh -c '[ "$(ls bin)" = xdg-open ]'
claim "a folder that cannot be made is reported" \
    says "no/folder: No such file" env TMPDIR=no/folder \
    dmtrace view -q --open app.trace
echo 1 >status
claim "a failure to open the page is reported" says "xdg-open failed" \
    env PATH="$PWD/bin:$PATH" dmtrace view -q --open -o app.html app.trace
mkdir empty
claim "a missing program to open the page is reported" \
    says "there is no program xdg-open" \
    env PATH="$PWD/empty" "$(command -v dmtrace)" view -q --open \
    -o app.html app.trace

# figures [SELECTION...]: what the table has: see view_figures.js
figures()
{
	dmtrace report -q -f tsv --callers --callees "$@" "$trace" |
	    awk -F '\t' '
	BEGIN { CONVFMT = "%.0f" }
	NR == 1 {
		for (i = 1; i <= NF; i++)
			at[$i] = i
		next
	}
	{
		dot = $at["class"] != "" && $at["name"] != "" ? "." : ""
		gsub("/", ".", $at["class"])
		name = $at["class"] dot $at["name"] "\t" $at["signature"]
		times = $at["inclusive_wall_ns"] "\t" $at["inclusive_cpu_ns"]
	}
	$1 == "top" {
		has_wall = $at["inclusive_wall_ns"] != ""
		has_cpu = $at["exclusive_cpu_ns"] != ""
	}
	$1 == "top" || $1 == "method" {
		label[$at["index"]] = name
		print "method\t" name "\t" $at["calls"] "\t" \
		    $at["recursive_calls"] "\t" times "\t" \
		    $at["exclusive_wall_ns"] "\t" $at["exclusive_cpu_ns"]
	}
	$1 ~ /^calle[re]/ {
		kind = substr($1, 1, 6)
		key = kind "\t" label[$at["of"]] "\t" name
		calls[key] += $at["calls"]
		if ($1 == kind) {
			wall[key] += $at["inclusive_wall_ns"]
			cpu[key] += $at["inclusive_cpu_ns"]
			lacks[key] += $at["inclusive_cpu_ns"] == ""
		}
	}
	END {
		for (key in calls)
			print key "\t" calls[key] \
			    "\t" (has_wall ? wall[key] + 0 : "") \
			    "\t" (has_cpu && !lacks[key] ? cpu[key] + 0 : "")
	}' | sed 's/\t\t*$//' | LC_ALL=C sort
}

# agrees THREAD CLOCK [FROM TO, in us]: page and table of $trace do
agrees()
{
	node "$srcdir/tests/web/view_figures.js" page.html 0 "$1" "$2" \
	    ${3:+"${3}000" "${4}000"} |
	    sed -e 's/\t\t*$//' | LC_ALL=C sort >page
	[ "$1" = - ] && set -- "" "$@" || set -- "-t$1" "$@"
	figures ${1:+"$1"} ${4:+"--from=${4}us" "--to=${5}us"} >table
	[ -s table ] && cmp table page || { diff table page; return 1; }
}

if ! have node; then
	skip "figures on the page are those of report" "no node here"
	finish
fi

# figures_of NAME TRACE CLOCK [FROM-TO...]: claims for the whole, and for the
# first window of it, or for all if there are to be more cases
figures_of()
{
	trace=$2
	dmtrace view -q -o page.html "$2"
	claim "$1: figures on the page are those of report" agrees - "$3"
	shift
	while [ $# -gt 2 ]; do
		claim "$1: the same from ${3%-*} us to ${3#*-} us" \
		    agrees - "$2" "${3%-*}" "${3#*-}"
		more || break
		set -- "$1" "$2" $(shift 3; echo "$@")
	done
}

# same_stacks THREAD CLOCK SEED [FROM TO]: trees of calls of page.html and of
# $trace, in a range of wall time: all from the top down, and some methods from
# the bottom up, their callers and callees, and through transforms
same_stacks()
{
	[ "$1" = - ] && only= || only=-t$1
	dmtrace report -q -f tsv --tree $only ${4:+"--from=${4}us" \
	    "--to=${5}us"} "$trace" |
	    node "$srcdir/tests/web/view_stacks.js" page.html "$1" "$2" "$3" \
	    ${4:+"${4}000" "${5}000" wall} >found || { cat found; return 1; }
}

figures_of "a made-up trace" app.trace wall 0-3000 2000-5555 3333-3334
claim "figures of one thread are those of report" agrees 2 wall
claim "figures of a thread in a window are those of report" \
    agrees 3 wall 1000 9000
# Some classes have dots, others slashes.
LC_ALL=C sed '/^0x[0-9a-f]*[048]	/s#/#.#g' app.trace >dots.trace
trace=dots.trace
dmtrace view -q -o page.html dots.trace
claim "figures through transforms are the sums of paths of report" \
    same_stacks - wall 3

# A.n and A.o were open before it, A.m takes A.n along, A.o is open at the end;
# A.m calls itself, and time goes back.
write_trace odd.trace 3 dual <<ROWS
1 9 0 100
1 4 10 110
1 4 12 115
1 5 17 125
1 8 20 130
1 5 40 160
1 13 45 170
1 12 50 180
1 8 48 170
1 8 60 200
ROWS
figures_of "calls without an enter or an exit" odd.trace wall \
    0-140 112-175 150-190 165-300
# Exits of A.o, which is not open, and an event of the reserved action (A.n)
# begin and end what the windows have of a thread.
cat >rows <<ROWS
1 4 1 100
1 13 3 110
1 8 4 120
1 9 7 140
1 13 9 150
1 11 12 155
1 5 15 160
1 13 17 170
1 4 18 180
1 5 19 190
2 4 1 100
2 13 9 400
ROWS
write_trace stray.trace 3 dual <rows
figures_of "exits of calls that are not open" stray.trace wall \
    0-500 105-175 108-130 145-158 150-160 165-175 170-200 185-300 300-500
# Numbers of JavaScript are exact up to 2^53, in nanoseconds 104 days.
dmtrace convert -q -d v5 --stage=e -o ns.trace stray.trace
dmtrace shift -q --by=1700000000s -o late.trace ns.trace
figures_of "late times of 64 bits" late.trace wall
cut -d ' ' -f 1-3 rows | write_trace stray.trace 2 thread-cpu
figures_of "such exits with CPU times" stray.trace cpu 0-20 2-8 5-11 8-14 10-18
dmtrace generate -q --events 2000 -d v1 --methods 9 --threads 2 \
    --clock=cpu -o cpu.trace
figures_of "CPU times" cpu.trace cpu 100-2000

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
[ -z "${DMTRACE_CORPUS-}" ] || for trace in "$DMTRACE_CORPUS"/*.trace; do
	case $trace in
	*-header.trace) continue ;;
	*api10.trace | */jag* | */launcher* | */firefox*) ;;
	*) more || continue ;;
	esac
	case $trace in
	*api10.trace) figures_of "${trace##*/}" "$trace" cpu ;;
	*) figures_of "${trace##*/}" "$trace" wall 233-250 300000-2000000 ;;
	esac
done
finish
