#!/bin/sh
# cli_import.sh - traces of what other programs write

. "$srcdir/tests/helpers/claim.sh"

# imports FORMAT TEXT [OPTION...]: makes out.trace, with what "wanted" has
imports()
{
	format=$1
	printf '%s' "$2" >text
	shift 2
	rm -f out.trace
	dmtrace import -q --from-format "$format" -o out.trace "$@" text ||
	    return 1
	prints wanted calls out.trace
}

# calls TRACE: thread, action, time in us, method
calls()
{
	dmtrace dump -f tsv "$1" | awk -F '\t' '
	NR == 1 {
		for (i = 1; i <= NF; i++)
			column[$i] = i
		next
	}
	{
		method = $column["class"]
		method = method == "native" ? "" : method "."
		print $column["thread"], $column["action"],
		    $column["wall_ns"] / 1000, method $column["name"]
	}'
}

# refuses PLACE FORMAT TEXT
refuses()
{
	printf '%s' "$3" >text
	says "$1" dmtrace import -q --from-format "$2" -o none.trace text &&
	    [ ! -e none.trace ]
}

# counts TEXT JSON: that is on standard error
counts()
{
	printf '%s' "$2" >text
	dmtrace import -o out.trace text 2>said && has "$1" said
}

cat >wanted <<'ROWS'
7 enter 10 a.B.c
7 enter 12 d
7 exit 20 d
7 exit 30 a.B.c
ROWS
both='{"ph":"B","name":"a.B.c","ts":10,"pid":1,"tid":7},
{"ph":"B","name":"d","ts":12,"pid":1,"tid":7},
{"ph":"E","ts":20,"pid":1,"tid":7},{"ph":"E","ts":30,"pid":1,"tid":7}'
claim "chrome: B and E are imported" imports chrome "[$both]"
claim "chrome: an object with traceEvents" imports chrome \
    "{\"a\":[{\"b\":[1,{}]}],\"traceEvents\":[$both],\"c\":null}"
claim "chrome: X is imported in any order" imports chrome '[
{"ph":"X","name":"d","ts":12,"dur":8,"pid":1,"tid":7},
{"name":"a.B.c","dur":20,"ts":10,"tid":7,"pid":1,"ph":"X","cat":"x"}]'
claim "chrome: X between B and E is imported" imports chrome '[
{"ph":"B","name":"a.B.c","ts":10,"pid":1,"tid":7},
{"ph":"E","name":"a.B.c","ts":30,"pid":1,"tid":7},
{"ph":"X","name":"d","ts":12,"dur":8,"pid":1,"tid":7}]'
claim "chrome: an array without its end" imports chrome "[$both,"
claim "chrome: which is noted" counts \
    'warning: the text ends within its events' "[$both,"
# stops_at FORMAT AT MESSAGE BYTES: the events before that place are imported,
# with exit status 1
stops_at()
{
	printf '%s' "$4" >text
	exits 1 dmtrace import -q --from-format "$1" -o out.trace text \
	    2>said || return 1
	has "text: byte $2: $3" said && prints wanted calls out.trace
}
# cut_at FORMAT AT BYTES
cut_at()
{
	stops_at "$1" "$2" "the file ends within an event, packet, record or" \
	    "$3"
}
claim "chrome: an event without its end is left out" cut_at chrome 169 \
    "[$both,{\"na"
claim "chrome: so is one that ends within an escape" cut_at chrome 169 \
    "[$both,{\"name\":\"\\ud8"
claim "chrome: and so is a list in an object, which more must follow" cut_at \
    chrome 184 "{\"traceEvents\":[$both,"

# followed FORMAT AT BYTES
followed()
{
	stops_at "$1" "$2" "what begins here cannot follow the events; what" \
	    "$3"
}
for rest in '[{"ph":"X"}]' '{"ph":"X"}' '{' '"a' 'garbage' ']' ',' 1; do
	claim "chrome: $rest does not follow a list" followed chrome 169 \
	    "[$both]$rest"
done
claim "chrome: nor does it follow an object" followed chrome 186 \
    "{\"traceEvents\":[$both]}
{\"traceEvents\":[]}"
claim "chrome: damage after the list is an error, too" followed chrome 186 \
    "{\"traceEvents\":[$both], garbage}"
claim "chrome: and so is a value of it" followed chrome 189 \
    "{\"traceEvents\":[$both],\"x\":+1}"
claim "chrome: blanks may follow" imports chrome "[$both]

	"
claim "chrome: a second traceEvents is read" imports chrome \
    "{\"traceEvents\":[],\"x\":[1],\"traceEvents\":[$both]}"
for row in '184 ' '185 ,' '189 ,"x":' '193 ,"x":[1,2' '199 ,"traceEvents":' \
    '200 ,"traceEvents":[' '200 ,"traceEvents":[{"ph"'; do
	claim "chrome: an object is cut: ${row#* }" cut_at chrome ${row%% *} \
	    "{\"traceEvents\":[$both]${row#* }"
done
claim "chrome: a byte order mark is skipped" imports chrome \
    "$(printf '\357\273\277')[$both]"
claim "chrome: an E of an outer call ends both" counts \
    'note: calls end with the call around them: 1' \
    "[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1},{\"ph\":\"B\",\"name\":\"b\",
    \"ts\":2},{\"ph\":\"E\",\"name\":\"a\",\"ts\":3}]"
claim "chrome: an X that ends after its caller is shortened" counts \
    'around them are cut at its end: 1' \
    '[{"ph":"X","name":"a","ts":1,"dur":5},{"ph":"X","name":"b","ts":2,
    "dur":9}]'
printf '0 enter 1 a\n0 enter 2 b\n0 exit 6 b\n0 exit 6 a\n' |
    sed 's/^0/1/' >wanted
claim "chrome: a shortened X ends with its caller" prints wanted calls out.trace
claim "chrome: an E without a B is left out" counts \
    'note: ends of calls that are not open are left out: 1' \
    '[{"ph":"E","ts":1}]'
claim "chrome: a B without an E stays open" counts \
    'note: calls without an end stay open: 1' '[{"ph":"B","name":"a","ts":1}]'
claim "chrome: events of other kinds are counted" counts \
    'note: instant events are left out: 1' '[{"ph":"i","ts":1}]'
claim "chrome: values of counters are counted" counts \
    'note: values of counters are left out: 1' '[{"ph":"C","ts":1}]'
claim "chrome: asynchronous events are counted" counts \
    'note: asynchronous events are left out: 3' \
    '[{"ph":"b","ts":1},{"ph":"n","ts":1},{"ph":"e","ts":2}]'
claim "chrome: so are samples beside the events" counts \
    'note: samples are left out: 3' '{"traceEvents":[{"ph":"P","ts":1}],
    "samples":[{"cpu":0,"ts":1,"sf":[1]},{}],"stackFrames":{"1":{}}}'
claim "chrome: times below a microsecond are counted" counts \
    'note: times are rounded down to microseconds: 1' \
    '[{"ph":"X","name":"a","ts":1.5,"dur":2.5}]'
claim "chrome: arguments are counted" counts 'lost their arguments: 1' \
    '[{"ph":"X","name":"a","ts":1,"dur":1,"args":{"x":[]}}]'
claim "chrome: a tab in a name is written as \\t" counts \
    'note: names were changed' \
    '[{"ph":"X","name":"a\tb","ts":1,"dur":1}]'
claim "chrome: a NUL in the name of a thread ends nothing" counts \
    'note: names were changed' \
    '[{"ph":"M","name":"thread_name","pid":1,"tid":5,
    "args":{"name":"ma\u0000in"}},
    {"ph":"X","name":"a","ts":1,"dur":1,"pid":1,"tid":5}]'
claim "chrome: it is written as others are" grep -aq 'ma.x00in' out.trace
claim "chrome: a long one is cut, which is counted" counts \
    'note: names were changed' \
    "[{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":5,
    \"args\":{\"name\":\"$(printf '%0300d' 7)\"}},
    {\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":5}]"
claim "chrome: half of a surrogate pair is written as ?" counts \
    'note: names were changed' \
    '[{"ph":"X","name":"a\ud800b","ts":1,"dur":1}]'
claim "chrome: so it is in the trace" grep -q 'a?b' out.trace
claim "chrome: CPU times that go back are counted" counts \
    'note: CPU times that went back are those of the event before: 1' \
    '[{"ph":"B","name":"a","ts":1,"tts":9},{"ph":"E","ts":2,"tts":5}]'
claim "chrome: a tid of 64 bits is one, as a text is" counts \
    'note: calls end with the call around them: 1' \
    '[{"ph":"B","name":"a","ts":1,"pid":1,"tid":18446744073709551615},
    {"ph":"B","name":"b","ts":2,"pid":1,"tid":"18446744073709551615"},
    {"ph":"B","name":"c","ts":2,"pid":1,"tid":18446744073709551614},
    {"ph":"E","name":"a","ts":3,"pid":1,"tid":18446744073709551615}]'
claim "chrome: threads of two processes have two numbers" counts \
    'note: threads were renumbered: 1' \
    '[{"ph":"M","name":"thread_name","pid":1,"tid":5,"args":{"name":"main"}},
    {"ph":"M","name":"process_name","pid":1,"args":{"name":"app"}},
    {"ph":"X","name":"a","ts":1,"dur":1,"pid":1,"tid":5},
    {"ph":"X","name":"a","ts":1,"dur":1,"pid":2,"tid":5}]'
claim "chrome: names of processes come before those of threads" \
    grep -q 'app: main' out.trace
printf '7 enter 0 a\n7 exit 5 a\n' >wanted
claim "chrome: times since boot are counted from the first" imports chrome \
    '[{"ph":"X","name":"a","ts":1322079161000000,"dur":5,"tid":7}]'
claim "chrome: so are times below 0" imports chrome \
    '[{"ph":"X","name":"a","ts":-3,"dur":5,"tid":7}]'
claim "chrome: CPU times make version 3" sh -c '
    printf "%s" "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,
    \"tts\":3,\"tdur\":1}]" >text &&
    dmtrace import --from-format chrome -o out.trace text &&
    dmtrace dump -f tsv out.trace | grep -q "	4000	"'
claim "chrome: CPU times below 0 are counted from the least of all" sh -c '
    printf "%s" "[
    {\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"tts\":5,\"tdur\":1},
    {\"ph\":\"X\",\"name\":\"a\",\"ts\":4,\"dur\":2,\"tid\":2,
    \"tts\":-3,\"tdur\":1}]" >text &&
    dmtrace import -q --from-format chrome -o out.trace text &&
    dmtrace dump -f tsv out.trace | cut -f 4 | tr "\n" " " >said &&
    grep -qx "cpu_ns 8000 9000 0 1000 " said'
claim "chrome: a time that is not a number is refused" \
    refuses 'byte 25: a time that is not' \
    chrome '[{"ph":"B","name":1,"ts":"x"}]'
claim "chrome: an event without a time is refused" \
    refuses 'an event without "ts"' chrome \
    '[{"ph":"B","name":"a"}]'
claim "chrome: a time that does not fit records is refused" \
    refuses 'more than 71 minutes' chrome \
    '[{"ph":"X","name":"a","ts":1,"dur":5000000000}]'
claim "chrome: so are times that are this far apart" \
    refuses 'more than 71 minutes apart: only trace format V2' chrome \
    '[{"ph":"X","name":"a","ts":-2.2e15,"dur":2.2e15},
    {"ph":"X","name":"b","ts":2.2e15,"dur":2.2e15}]'
claim "chrome: text that is not JSON is refused" refuses 'byte 0' chrome 'hello'
claim "chrome: an object without events is refused" refuses 'no "traceEvents"' \
    chrome '{}'

cat >wanted <<'ROWS'
1 enter 0 a
1 exit 2 a
1 enter 2 b
1 enter 2 c.d
1 exit 5 c.d
1 exit 9 b
ROWS
claim "collapsed: lines become consecutive periods" imports collapsed \
    'a 2000
b;c.d 3000
b 4000
'
claim "collapsed: --unit is the unit of the numbers" imports collapsed 'a 2
b;c.d 3.0
b 4
' --unit us
cat >wanted <<'ROWS'
1 enter 0 a
1 exit 2 a
1 enter 5 a
1 exit 5 a
ROWS
claim "collapsed: time outside of calls precedes a last call" imports \
    collapsed '(toplevel) 3000
a 2000
'
cat >wanted <<'ROWS'
9 enter 0 a
10 enter 0 a
1 enter 0 a
9 exit 2 a
10 exit 3 a
1 exit 4 a
ROWS
claim "collapsed: --per-thread takes the first frame as the thread" \
    imports collapsed \
    'main (9);a 2000
io (10);a 3000
io (10th);a 4000
' --per-thread
cat >wanted <<'ROWS'
9 enter 0 a
10 enter 0 a
9 exit 2 a
10 exit 3 a
ROWS
claim "collapsed: threads of one name are several" imports collapsed \
    'io (9);a 2000
io (10);a 3000
' --per-thread
cat >wanted <<'ROWS'
1 enter 0 a
2 enter 0 a
1 exit 2 a
2 exit 3 a
ROWS
long=$(printf '%0200d' 0)
claim "collapsed: so are those with long names that differ at the end" \
    imports collapsed "${long}a;a 2000
${long}b;a 3000
" --per-thread
claim "collapsed: more than 1,048,576 frames are refused" says \
    'deep: line 1: more than 1048576 frames' sh -c "
    { yes 'a;' | head -n 1048577 | tr -d '\\n' | sed 's/;\$/ 1/'
    echo; } >deep &&
    dmtrace import -q -o none.trace deep"
! more || claim "chrome: so are calls that nest so deep" says \
    'deep.json: more than 1048576 nested calls' sh -c "
    { echo '[' && yes '{\"ph\":\"B\",\"name\":\"a\",\"ts\":1},' |
	head -n 1048577; } >deep.json &&
    dmtrace import -q -o none.trace deep.json"

# keeps_names: names are the same after import and export, and again
keeps_names()
{
	sed 's/$/ 1000/' names >paths &&
	    for i in 1 2; do
		dmtrace import -q -o names.trace paths &&
		    dmtrace export -q -f collapsed names.trace >paths || return
	    done
	prints names sed 's/ [0-9]*$//' paths &&
	    dmtrace import -q -o names.trace paths &&
	    for i in 1 2; do
		dmtrace export -q -f chrome -o names.json names.trace &&
		    dmtrace import -q -o names.trace names.json ||
		    return
	    done
	dmtrace export -q -f collapsed names.trace >paths &&
	    prints names sed 's/ [0-9]*$//' paths
}

cat >names <<'ROWS'
a::b..c::d
a.b.C.run
main
std::sort
std::sort<a.b>
::f
a.b::
::a.b
f.constprop.0
core::ops::call_once::{{vtable.shim}}
native.f
a.b C::d
C:\\temp
\\\\server
a\x3bb
[libc.so.6]
operator()
com/example/A.b
ROWS
claim "names are the same after import and export" keeps_names
claim "collapsed: a line without a number is refused" \
    refuses 'text: line 2: the last word' \
    collapsed 'a 1
b c
'
claim "collapsed: a line without frames is refused" \
    refuses 'text: line 1: not a path' collapsed '12
'

printf '%s' "[$both]" >both.json
claim "every prefix ends in a status" every_prefix both.json \
    dmtrace import -q -o cut.trace
claim "an output that is the input is refused" says 'both the input' \
    dmtrace import --from-format chrome -o both.json both.json
claim "a format that is not recognized can be named" says \
    'the format is not recognized: name it with --from-format' \
    sh -c 'echo hello >hello && dmtrace import hello'
printf '[]' >list
for packer in gzip zstd xz bzip2 lz4; do
	if have "$packer"; then
		"$packer" -c <list >packed
		claim "what $packer packed is named on standard input" says \
		    "\"$packer -dc\" unpacks it" sh -c '
		    dmtrace import - <packed'
		claim "so it is if the format is named" says \
		    "\"$packer -dc\" unpacks it" sh -c '
		    dmtrace import --from-format tsv - <packed'
	else
		skip "what $packer packed is named" "no $packer here"
	fi
done
claim "--unit is for collapsed and lines" says \
    '--unit needs --from-format=collapsed or --lines' \
    dmtrace import --from-format chrome --unit us both.json
claim "--per-thread is for collapsed" says 'needs --from-format=collapsed' \
    dmtrace import --from-format chrome --per-thread both.json
claim "lines need a pattern" says 'lines need a pattern: --lines=ERE' \
    dmtrace import --from-format lines both.json
claim "a pattern needs fields" says '--lines needs the names of its groups' \
    dmtrace import --lines='(.*)' both.json
claim "fields need a pattern" says '--fields, --enter and --exit need --lines' \
    dmtrace import --fields=time both.json

# sorted_calls TRACE: what export writes of each thread
sorted_calls()
{
	dmtrace export -q -f chrome "$1" | grep -v process_name |
	    sed 's/,$//' | sort
}

# totals FILE: the sum of each path
totals()
{
	awk '{
		value = $NF
		sub(/ [^ ]*$/, "")
		sum[$0] += value
	}
	END {
		for (path in sum)
			if (sum[path] > 0)
				printf "%s %d\n", path, sum[path]
	}' "$1" | sort
}

# returns TRACE: what is exported is imported as it was
returns()
{
	dmtrace export -q -f chrome -o calls.json "$1" &&
	    dmtrace import -q -o again.trace calls.json &&
	    sorted_calls "$1" >before &&
	    sorted_calls again.trace | cmp - before &&
	    dmtrace export -q -f collapsed --per-thread -o paths "$1" &&
	    dmtrace import -q --per-thread -o again.trace paths &&
	    totals paths >before &&
	    dmtrace export -q -f collapsed --per-thread again.trace >after &&
	    totals after | cmp - before
}

for seed in 1 2 3 4; do
	dmtrace generate -q --seed $seed --events 600 -o made.trace
	claim "generated trace $seed is the same after export and import" \
	    returns made.trace
done
if [ -n "${DMTRACE_CORPUS-}" ]; then
	for trace in setapp-is_set perflib-exception launcher-app \
	    perflib-basic; do
		claim "$trace is the same after export and import" \
		    returns "$DMTRACE_CORPUS/$trace.trace"
	done
fi

if have uftrace && have gcc; then
	cat >program.c <<'ROWS'
#include <pthread.h>
static int twice(int n) { return 2 * n; }
static int thrice(int n) { return twice(n) + n; }
static void *work(void *n) { return thrice(3) == 9 ? n : (void *)0; }
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, work, 0);
	pthread_join(thread, 0);
	return thrice(2) - 6;
}
ROWS
	gcc -O0 -pg -pthread -o program program.c && uftrace record \
	    ./program >/dev/null 2>&1 &&
	    uftrace dump --chrome >uftrace.json 2>/dev/null
fi
if [ -s uftrace.json ]; then
	dmtrace import -q -o uftrace.trace uftrace.json
	printf '%s\n' main thrice thrice twice twice work >wanted
	calls uftrace.trace | awk '$2 == "enter" && $4 !~ /^_|^pthread|:/ {
		print $4
	}' | sort >entered
	claim "uftrace's calls are imported" cmp wanted entered
	calls uftrace.trace | awk '$4 !~ /:/ { print $2, $3, $4 }' |
	    sort >wanted
	uftrace replay -f +time >replay.txt 2>/dev/null
	dmtrace import -q -o replay.trace replay.txt
	calls replay.trace | awk '{ print $2, $3, $4 }' | sort >entered
	claim "those of uftrace replay with times are the same" \
	    cmp wanted entered
	uftrace replay >replay.txt 2>/dev/null
	dmtrace import -q -d v5 -o replay.trace replay.txt
	awk '/ } .. main ../ {
		printf "%.3f\n", $2 == "ms" ? $1 * 1000 : $1
	}' replay.txt >wanted
	calls replay.trace | awk '$4 == "main" {
		printf $2 == "enter" ? "" : "%.3f\n", $3 - begin
		begin = $3
	}' >entered
	claim "without times, the duration of main is that of replay" sh -c '
	    paste wanted entered | awk "
	    { off = \$1 > \$2 ? \$1 - \$2 : \$2 - \$1 }
	    END { exit !(NR == 1 && off <= \$1 / 100) }"'
else
	skip "uftrace's calls are imported" "no uftrace, or it cannot record"
fi

# dumps_back TRACE FORM [OPTION...]: events that are dumped and imported are the
# same
dumps_back()
{
	dmtrace dump -q -f "$2" "$1" >events || return
	form=$2
	shift 2
	dmtrace import -q -o again.trace "$@" events &&
	    prints events dmtrace dump -q -f "$form" again.trace &&
	    dmtrace validate -q again.trace
}

for seed in 1 2; do
	dmtrace generate -q --seed $seed --events 600 -o made.trace
	for form in tsv csv jsonl; do
		claim "$form: events of generated trace $seed come back" \
		    dumps_back made.trace $form
	done
done
dmtrace convert -q -d v5 -o packets.trace made.trace
claim "tsv: so do nanoseconds, in trace format V2" \
    dumps_back packets.trace tsv -d v5
for sample in columns-1 columns-3 id-zero thread-0 unwind clock-missing; do
	file=$srcdir/tests/data/good-$sample.trace
	[ -e "$file" ] || continue
	claim "csv: events of good-$sample come back" dumps_back "$file" csv
done
if [ -n "${DMTRACE_CORPUS-}" ]; then
	for trace in setapp-is_set perflib-exception launcher-app \
	    jag-dmtrace; do
		claim "jsonl: events of $trace come back" \
		    dumps_back "$DMTRACE_CORPUS/$trace.trace" jsonl
	done
fi

# imports_as SAID WANTED TEXT [OPTION...]: the calls, and a note
imports_as()
{
	said=$1
	printf '%s' "$2" >wanted
	printf '%s' "$3" >text
	shift 3
	dmtrace import -o out.trace "$@" text 2>said &&
	    { [ -z "$said" ] || has "$said" said; } &&
	    prints wanted calls out.trace
}

claim "tsv: columns in any order, threads with names" imports_as '' \
    '1 enter 1 A.f
1 exit 3 A.f
' 'name	wall_ns	class	action	thread	note
f	1000	A	enter	io	x
f	3000	A	exit	io	y
'
claim "tsv: escapes are undone" imports_as 'names were changed' \
    '1 enter 0 f\\tg
' 'name	time_ns	action	thread
f\tg	0	enter	1
'
claim "csv: cells in quotes, with line ends" imports_as 'names were changed' \
    '1 enter 0 f,"\\ng
' 'name,time_ns,action,thread
"f,""
g",0.0,enter,1
'
claim "tsv: times that go back, and ends that do not match" imports_as \
    'times that went back in their thread are those of the event before: 1' \
    '1 enter 9 f
1 enter 9 g
1 exit 9 g
1 exit 9 f
' 'name	time_ns	action	thread
f	9000	enter	1
g	8000	enter	1
h	9000	exit	1
f	9000	exit	1
'
claim "tsv: they are counted, too" has 'not open are left out: 1' said
claim "tsv: ids that do not fit, or are taken, are counted" imports_as \
    'note: methods have another id: 2' '1 enter 1 A.f
1 enter 2 A.g
1 enter 3 A.h
' 'id	thread	action	time_ns	class	name
0x700000000	1	enter	1000	A	f
0x8	1	enter	2000	A	g
0x8	1	enter	3000	A	h
'
claim "tsv: one clock of the CPU is one" sh -c '
    printf "thread\taction\tcpu_ns\tname\n1\tenter\t5000\tf\n" >text &&
    dmtrace import -o cpu.trace text &&
    dmtrace info cpu.trace | grep -q "^clock *thread-cpu"'
claim "tsv: a row without a name and an id is refused" \
    refuses 'line 2: an event without id and name' tsv \
    'name	time_ns	action	thread
	0	enter	1
'

# cuts_line LINE SAID TEXT [OPTION...]: the last line lacks its newline
cuts_line()
{
	printf '%s' "$2" >wanted
	printf '%s' "$3" >text
	line=$1
	shift 3
	exits 1 dmtrace import -q -o out.trace "$@" text 2>said || return 1
	has "text: line $line: the file ends within this line" said &&
	    prints wanted calls out.trace
}
claim "tsv: a last line without a newline may be cut" cuts_line 3 \
    '1 enter 9 f
' 'name	time_ns	action	thread
f	9000	enter	1
f	9999	exit	1'
claim "csv: and so may a cell" cuts_line 4 \
    '1 enter 9 f
' 'name,time_ns,action,thread
f,9000,enter,1

"f
g,9999,exit,1
'
claim "collapsed: and a number" cuts_line 2 '1 enter 0 a
1 exit 2 a
' 'a 2000
a;b 30'
claim "ftrace: and a call" cuts_line 3 '1 enter 0 f
' '# tracer: function_graph
 0)               |  f() {
 0)   2.5 us      |  }'
claim "lines: and a line" cuts_line 2 '1 enter 1 f
' '1 > f
2 < f' --lines='(.) (.) (.)' --fields=time,action,method --unit=us
printf '1 enter 5 f\n' >wanted
event='{"thread":1,"action":"enter","time_ns":5000,"name":"f"}'
claim "jsonl: an object that is cut is left out" cut_at jsonl 56 \
    "$event
{\"thread\":1,\"act"
claim "jsonl: a whole one needs no newline" imports jsonl "$event"
claim "a line alone may be cut, and then nothing is left" \
    refuses 'text: line 1: the file ends within its first line' collapsed 'a 1'

claim "lines: times with units and colons, another thread" imports_as '' \
    '1 enter 1000000 f
2 enter 1500000 a.B.g
2 exit 2000000 a.B.g
1 exit 60000000 f
' 'x
00:00:01 io > f
1500ms main > a.B.g
2s main <
1:00.0 io < f
' --lines='^([0-9:.a-z]+) ([a-z]+) ([<>])( ([^ ]*))?$' \
    --fields=time,thread,action,signature,method
claim "lines: a duration is a call, before an exit" imports_as '' \
    '1 enter 10 g
1 exit 15 g
1 enter 20 f
1 exit 25 f
' '15 end 5 g
20 call 5 f
' --lines='([0-9]+) ([a-z]+) ([0-9]+) (.)' --unit us \
    --fields=time,action,duration,method
claim "lines: --enter and --exit name the actions" imports_as \
    'note: lines with another action are left out: 1' '1 enter 5000000 f
1 exit 6000000 f
' '5 in f
6 out f
7 enter f
' --lines='(.) ([a-z]+) (.)' --fields=time,action,method --enter=in,go \
    --exit=out
claim "lines: what --enter names is no exit, though one by default" \
    imports_as '' '1 enter 5000000 f
1 exit 6000000 f
' '5 E f
6 end f
' --lines='(.) ([A-Za-z]+) (.)' --fields=time,action,method --enter=E
claim "lines: a pattern that is none is refused" says 'the pattern of lines' \
    dmtrace import --lines='(' --fields=time,action,method text
deep='((((a{1,100}){1,100}){1,100}){1,100})'
claim "lines: so is one that is long, written out" says \
    'gets more than 1000 characters longer when its repetitions' \
    dmtrace import --lines="$deep" --fields=time,action,method text
claim "lines: a group without a field is refused" says '3 groups, for 2' \
    dmtrace import --lines='(.)(.)(.)' --fields=time,method text
claim "lines: an unknown field is refused" says 'no such field: when' \
    dmtrace import --lines='(.)(.)(.)' --fields=when,action,method text
claim "lines: a pattern that no line matches is refused" says \
    'text: no line matches the pattern of --lines' dmtrace import \
    --lines='^ (.)(.)(.)$' --fields=time,action,method -o none.trace text
printf '1 go f\n' >text
claim "lines: and so are lines without a call" says \
    'text: no line that matches has a call' dmtrace import \
    --lines='(.) ([a-z]+) (.)' --fields=time,action,method -o none.trace text
claim "and leave no output" no_output none

claim "ftrace: durations make times" imports_as 'wall time as CPU' \
    '1 enter 0 sys_open
1 enter 0 __might_sleep
1 exit 1.382 __might_sleep
1 exit 10.5 sys_open
44 enter 10.5 f
44 exit 11 f
' '# tracer: function_graph
#
# CPU  DURATION                  FUNCTION CALLS
# |     |   |                     |   |   |   |
 0)               |  sys_open() {
 0)   1.382 us    |    __might_sleep();
 0) + 10.500 us   |  }
 ------------------------------------------
 0)    bash-1     =>   kworker-44
 ------------------------------------------

 0)   0.500 us    |  f();
' -d v5
claim "ftrace: operator() has brackets, other names that end so have not" \
    imports_as 'calls lost their arguments: 1' '1 enter 0 set_operator
1 enter 0 A::operator()
1 exit 1 A::operator()
1 exit 2 set_operator
' ' 0)               |  set_operator() {
 0)   1.000 us    |    A::operator()(int);
 0)   2.000 us    |  }
'
claim "ftrace: times, tasks, arguments, modules, lost events" imports_as \
    'events or samples were lost before, as the file says: 12' \
    '77 enter 5 sys_open
77 enter 6 [ext4].f
77 exit 6 [ext4].f
77 exit 9 sys_open
' '#     TIME        CPU  TASK/PID         DURATION                  FUNCTION
 0.000005 |   0)  Binder:1_2-77  |               |  sys_open(1, 2) {
 0.000006 |   0)  Binder:1_2-77  |   0.382 us    |    f [ext4]();
CPU:1 [LOST 12 EVENTS]
 0.000009 |   0)  Binder:1_2-77  |   4.100 us    |  } /* sys_open */
'
claim "ftrace: an absurd duration is refused, and no name of a task" \
    refuses 'line 1: a duration that is too long: 99999999999999999999' ftrace \
    ' 0) 99999999999999999999 us |  f();
'
for word in 1e300 -5 nan '+ 1e3' '1 000'; do
	claim "ftrace: $word is no duration, and no name of a task" refuses \
	    "line 2: a duration that is not a number: ${word%% *}" ftrace \
	    " 0)  1 us  |  f();
 0)  $word us |  f();
"
	claim "ftrace: $word is none of uftrace either" refuses \
	    "line 1: a duration that is not a number: ${word%% *}" ftrace \
	    "  $word us [ 33] | f();
"
done
claim "ftrace: so is an absurd time" refuses 'line 1: a time that is too long' \
    ftrace '99999999999.5 |   0)  a-1  |   2 us  |  f();
'
for first in '   2.5 us [ 33] | } /* f */' ' [ 33] | /* linux:sched-out */' \
    '   0.500 us [ 33] | a();'; do
	printf '%s\n' "$first" '   2.0 us [ 33] | f();' >bare
	claim "ftrace: without the header, from $first" sh -c '
	    dmtrace import -q -o bare.trace bare &&
	    dmtrace dump -f tsv bare.trace | grep -q "^33.exit.*native.f"'
done
claim "ftrace: the name of the task is that of the thread" sh -c '
    dmtrace info out.trace | grep -q "Binder:1_2$"'

# perfetto_calls TRACE: they come back from packets
perfetto_calls()
{
	dmtrace export -q -f perfetto -o calls.pb "$1" &&
	    dmtrace import -q -o again.trace calls.pb &&
	    dmtrace export -q -f chrome "$1" | plain_calls >before &&
	    dmtrace export -q -f chrome again.trace | plain_calls |
	    cmp - before
}

# plain_calls: without the name of the file
plain_calls()
{
	sed -e '/process_name/d' -e 's/,$//' | sort
}

for seed in 1 2; do
	dmtrace generate -q --seed $seed --events 600 -o made.trace
	claim "perfetto: calls of generated trace $seed come back" \
	    perfetto_calls made.trace
done
if [ -n "${DMTRACE_CORPUS-}" ]; then
	for trace in setapp-is_set launcher-app perflib-basic; do
		claim "perfetto: calls of $trace come back" \
		    perfetto_calls "$DMTRACE_CORPUS/$trace.trace"
	done
fi
claim "every prefix of packets ends in a status" every_prefix calls.pb \
    dmtrace import -q -o cut.out

# files_return FORM: methods of one name in two files, one inside the other,
# one with a signature, and one without a file come back
files_return()
{
	dmtrace export -q -f "$1" -o files.out files.trace &&
	    dmtrace import -o again.trace files.out 2>said &&
	    prints files.tsv without_ids again.trace && [ ! -s said ]
}
# without_ids TRACE: its events; ids are in the order of the input
without_ids()
{
	dmtrace dump -f tsv "$1" | cut -f 1,2,5-
}
cat >files.tsv <<'ROWS'
thread	thread_name	action	wall_ns	class	name	signature
1	main	enter	0	[[vdso]]	clock_gettime	()V
1	main	enter	1000	[libc.so]	clock_gettime	()V
1	main	exit	2000	[libc.so]	clock_gettime	()V
1	main	enter	2000	native	clock_gettime	()V
1	main	exit	3000	native	clock_gettime	()V
1	main	enter	3000	[a\\b.so]	f.constprop.0	(int)
1	main	exit	4000	[a\\b.so]	f.constprop.0	(int)
1	main	exit	9000	[[vdso]]	clock_gettime	()V
ROWS
dmtrace import -q -o files.trace files.tsv
without_ids files.trace >files.tsv
claim "there are four methods" sh -c '
    [ "$(cut -f 5- files.tsv | sed 1d | sort -u | wc -l)" -eq 4 ]'
for form in chrome perfetto; do
	claim "$form: files of functions come back" files_return $form
done

# What older writers have: phases as in JSON, B, X, b and E.
{
printf '\012\025P\001h\001\342\003\016\010\001"\012\010\001\020\007*\004ma'
printf 'in\012\045@\220NP\001h\002b\022\022\011\010\001\022\005a.B.c\022'
printf '\005\010\002\022\001dZ\010X\0012\004\010\001\020B\012\023@\340]P'
printf '\001h\002Z\012X\0012\006\010\002\020X\030\010\012\017@\310eP\001h'
printf '\002Z\006X\0012\002\020b\012\020@\260\352\001P\001h\002Z\006X\0012'
printf '\002\020E'
} >legacy.pb
cat >legacy.calls <<'ROWS'
7 enter 10 a.B.c
7 enter 12 d
7 exit 20 d
7 exit 30 a.B.c
ROWS
legacy_calls()
{
	dmtrace import -o legacy.trace legacy.pb 2>said &&
	    has 'asynchronous events are left out: 1' said &&
	    calls legacy.trace
}
claim "perfetto: legacy events are read" prints legacy.calls legacy_calls

# Before: times of events are sums of those before, here 1000 us with 500 us of
# CPU time, then 2 and 2, 300 and 256, 700 and 100, and 1000 and 50.
{
printf '\012\024\342\002\015\010\144\020\145*\001w0\350\0078\364\003P'
printf '\005h\001\012\016Z\012\010\002\020\002H\001\272\001\001aP\005\012'
printf '\020Z\014\010\254\002\020\200\002H\001\272\001\001bP\005\012\013'
printf 'Z\007\010\274\005\020\144H\002P\005\012\013Z\007\010\350\007\020'
printf '\062H\002P\005'
} >sums.pb
cat >sums.tsv <<'ROWS'
101	enter	502000	1002000	a
101	enter	758000	1302000	b
101	exit	858000	2002000	b
101	exit	908000	3002000	a
ROWS
sums()
{
	dmtrace import -q -o sums.trace sums.pb &&
	    dmtrace dump -f tsv sums.trace | sed 1d | cut -f 1,2,4,5,8
}
claim "perfetto: relative times add up" prints sums.tsv sums

# Events without a track are in that of the whole trace.
{
	printf '\012\015@\350\007Z\006H\001\272\001\001aP\005\012\011@'
	printf '\240\037Z\002H\002P\005'
} >trackless.pb
printf '%s\n' '1 enter 1 a' '1 exit 4 a' >trackless.calls
trackless()
{
	dmtrace import -o trackless.trace trackless.pb 2>said &&
	    ! grep 'does not define' said && calls trackless.trace
}
claim "perfetto: events may have no track" prints trackless.calls trackless

# Values of counters beside a begin, 1, and an end: 1, 2 packed ones, and 1 and
# 2 of double.
{
	printf '\012\022@\350\007Z\013H\001\272\001\001a\370\001\007\140'
	printf '\005P\005\012\056@\240\037Z\047H\002\140\310\001b\003\310'
	printf '\001\003\361\002\000\000\000\000\000\000\000\000\362\002'
	printf '\020\000\000\000\000\000\000\000\000\000\000\000\000\000'
	printf '\000\000\000P\005'
} >beside.pb
dmtrace import -o beside.trace beside.pb 2>said
claim "perfetto: values of counters beside slices are counted" \
    has 'values of counters are left out: 7' said

# Packets of ftrace, of uid 0, of fields 300 and 86; instants; in a known
# sequence, a packet after lost ones. Then a begin at 2^64 - 1 ns.
printf '\012\004\012\000\030\000\012\002\012\000\012\003\342\022\000' >kinds.pb
printf '\012\010@\001P\001Z\002H\003\012\010@\001P\001Z\002H\003' >>kinds.pb
printf '\012\003\262\005\000\012\007P\001\320\002\001Z\000' >>kinds.pb
dmtrace import -o kinds.trace kinds.pb 2>kinds.said
for note in 'packets of ftrace_events are left out: 2' \
    'packets of unknown kinds are left out: 1' \
    'packets of android_system_property are left out: 1' \
    'instant events are left out: 2' 'as the file says: 1'; do
	claim "perfetto: $note" has "$note" kinds.said
done
{
	cat kinds.pb
	printf '\012\023@\377\377\377\377\377\377\377\377\377\001P\001Z\004'
	printf 'H\001X\001'
} >late.pb
claim "perfetto: a time of 2^64 - 1 is refused" says \
    'late.pb: byte 49: a time of 73 years' dmtrace import -o none.trace late.pb

# slices TRACE: how many calls begin, in each thread, and with which names
slices()
{
	dmtrace export -q -f chrome "$1" | grep '"ph":"B"' >begins
	wc -l <begins | sed 's/^ *\([0-9]*\)$/\1 begin/'
	sed 's/.*"pid":1,"tid":\([0-9]*\).*/\1/' begins | sort | uniq -c |
	    awk '{ print $1, "in a track" }' | sort -k1,1nr
	sed 's/^{"name":"\(.*\)"\(,"args"\|,"cat"\).*/\1/' begins |
	    grep -x '[A-Za-z0-9_:.]*' | LC_ALL=C sort | uniq -c |
	    awk '{ print $1, $2 }' | LC_ALL=C sort -k1,1nr -k2 | head -n 20
}

# What Perfetto's SDK writes, in a program that has it.
if more && have chromium && have python3; then
	HOME=$PWD timeout 120 chromium --headless --no-sandbox --disable-gpu \
	    --user-data-dir="$PWD/profile" --trace-startup='*' \
	    --trace-startup-duration=3 --trace-startup-format=proto \
	    --trace-startup-file="$PWD/slices.pb" --dump-dom \
	    'data:text/html,<p>page' >chromium.log 2>&1
	rm -rf profile
fi
if [ -s slices.pb ]; then
	python3 -B "$srcdir/tests/helpers/count_slices.py" slices.pb >wanted
	claim "perfetto: what the SDK writes is read" \
	    dmtrace import -q -o slices.trace slices.pb
	claim "perfetto: slices, their tracks and names agree with Python" \
	    prints wanted slices slices.trace
	claim "perfetto: there are some thousands" \
	    sh -c '[ "$(sed -n "s/ begin//p" wanted)" -ge 1000 ]'
	rm -f slices.* begins
else
	skip "perfetto: what the SDK writes is read" \
	    "no chromium here, or make check-more runs it"
fi

# cuts AT FILE: what precedes the packet or record at AT is imported
cuts()
{
	exits 1 dmtrace import -q -o cut.trace "$2" 2>said &&
	    has "$2: byte $1: the file ends within an event, packet, record" \
	    said &&
	    dmtrace info cut.trace
}
printf '\n\002\010\001\n\004\010\001\120' >cut.pb
claim "perfetto: a packet that is cut is an error" cuts 4 cut.pb
printf 'SIMPLEPERF\001\000\002\000\000\000\012\000\005\000\000\000\012' \
    >cut.sp
claim "simpleperf: a record that is cut is an error" cuts 18 cut.sp
head -c 18 cut.sp >end.sp
{
	printf 'SIMPLEPERF\001\000\016\000\000\000\012\014\010d\020\005'
	printf '\032\006\010\001\020\001\030\000\002\000\000\000\062\000'
	printf '\002\000\000\000\072\000\000\000\000\000'
} >switch.sp
dmtrace import -o switch.trace switch.sp 2>switch.said
# followed_samples: after the end of switch.sp, which has 50 bytes, is a second
followed_samples()
{
	cat switch.sp switch.sp >two.sp
	exits 1 dmtrace import -q -o two.trace two.sp 2>said || return 1
	has "two.sp: byte $(wc -c <switch.sp | tr -d ' '): what begins here" \
	    said && cmp switch.trace two.trace
}
claim "simpleperf: what follows the end is an error" followed_samples
claim "simpleperf: records of context switches are counted" has \
    'note: records of context switches are left out: 1' switch.said
claim "simpleperf: and those of unknown kinds" has \
    'note: records of unknown kinds are left out: 1' switch.said
claim "simpleperf: and so is a missing end" cuts 18 end.sp

# by_time TRACE: threads, samples as import said, and methods by exclusive time
by_time()
{
	dmtrace report -q -f tsv --by thread "$1" | grep -c '^thread' |
	    sed 's/$/ threads/'
	sed -n 's/.*made of \([0-9,]*\) samples.*/\1 samples/p' said | tr -d ,
	dmtrace report -q -f tsv --top all "$1" | LC_ALL=C awk -F '\t' '
	NR == 1 {
		for (i = 1; i <= NF; i++)
			column[$i] = i
		next
	}
	$column["kind"] == "method" {
		name = $column["name"]
		if ($column["class"] !~ /^(native|\[.*\])$/)
			name = $column["class"] "." name
		printf "%d %s\n", $column["exclusive_wall_ns"] / 1000, name
	}' | LC_ALL=C sort -k1,1nr -k2 | head -n 10
}

samples=${DMTRACE_IMPORTS-${DMTRACE_CORPUS:+$DMTRACE_CORPUS/../imports}}
samples=$samples/firefox-simpleperf-cpu-clock.trace
if [ -e "$samples" ]; then
	cp "$samples" samples.trace
	for command in report tail join undump eventlog; do
		claim "$command names import for samples" says \
		    '"dmtrace import" makes a trace of it' \
		    dmtrace $command samples.trace
	done
	claim "dump --text names it, too" answers 1 '"dmtrace import" makes' \
	    dmtrace dump --text -o samples.dmt samples.trace
	rm samples.dmt
	dmtrace import -o made.trace samples.trace 2>said
	claim "simpleperf: samples make calls, of a period" has \
	    'calls are made of 1,234 samples, about one every 250 us' said
	claim "simpleperf: the key has the period" \
	    grep -aq '^dmtrace-sampled=250000$' made.trace
	claim "simpleperf: the trace is valid" dmtrace validate -q made.trace
	claim "simpleperf: a pipe is read as a file is" sh -c '
	    dmtrace import -q -o piped.trace - <samples.trace &&
	    cmp piped.trace made.trace'
	claim "report says that counts are estimates" sh -c '
	    dmtrace report made.trace 2>noted >report &&
	    grep -q "one about every 250000 ns: counts of calls" noted'
	if have python3; then
		python3 -B "$srcdir/tests/helpers/count_samples.py" \
		    samples.trace >wanted
		claim "simpleperf: threads, samples, times agree with Python" \
		    prints wanted by_time made.trace
	else
		skip "simpleperf: times agree with Python" "no python3 here"
	fi
else
	skip "samples of simpleperf are imported" "no real file here"
fi
finish
