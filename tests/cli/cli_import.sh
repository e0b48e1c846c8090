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
claim "chrome: an event without its end is left out" imports chrome \
    "[$both,{\"na"
claim "chrome: a text within its events is read up to there" counts \
    'warning: the text ends within its events' "[$both,{\"ts\":1"
claim "chrome: so is one that ends within an escape" imports chrome \
    "[$both,{\"name\":\"\\ud8"
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
    'other kinds are left out: 1' '[{"ph":"i","ts":1}]'
claim "chrome: values of counters are counted" counts \
    'note: values of counters are left out: 1' '[{"ph":"C","ts":1}]'
claim "chrome: asynchronous events are counted" counts \
    'note: asynchronous events are left out: 3' \
    '[{"ph":"b","ts":1},{"ph":"n","ts":1},{"ph":"e","ts":2}]'
claim "chrome: times below a microsecond are counted" counts \
    'note: times are rounded down to microseconds: 1' \
    '[{"ph":"X","name":"a","ts":1.5,"dur":2.5}]'
claim "chrome: arguments are counted" counts 'lost their arguments: 1' \
    '[{"ph":"X","name":"a","ts":1,"dur":1,"args":{"x":[]}}]'
claim "chrome: a tab in a name is written as \\t" counts \
    'note: names were changed' \
    '[{"ph":"X","name":"a\tb","ts":1,"dur":1}]'
claim "chrome: half of a surrogate pair is written as ?" counts \
    'note: names were changed' \
    '[{"ph":"X","name":"a\ud800b","ts":1,"dur":1}]'
claim "chrome: so it is in the trace" grep -q 'a?b' out.trace
claim "chrome: CPU times that go back are counted" counts \
    'note: CPU times that went back are those of the event before: 1' \
    '[{"ph":"B","name":"a","ts":1,"tts":9},{"ph":"E","ts":2,"tts":5}]'
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
claim "chrome: a time that is not a number is refused" \
    refuses 'byte 25: a time that is not' \
    chrome '[{"ph":"B","name":1,"ts":"x"}]'
claim "chrome: an event without a time is refused" \
    refuses 'an event without "ts"' chrome \
    '[{"ph":"B","name":"a"}]'
claim "chrome: a time that does not fit records is refused" \
    refuses 'more than 71 minutes' chrome \
    '[{"ph":"X","name":"a","ts":1,"dur":5000000000}]'
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
b 4' --unit us
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
9 exit 2 a
10 exit 3 a
ROWS
claim "collapsed: --per-thread takes the first frame as the thread" \
    imports collapsed \
    'main (9);a 2000
io (10);a 3000
' --per-thread
claim "collapsed: more than 1,048,576 frames are refused" says \
    'deep: line 1: more than 1048576 frames' sh -c "
    yes 'a;' | head -n 1048577 | tr -d '\\n' | sed 's/;\$/ 1/' >deep &&
    dmtrace import -q -o none.trace deep"
claim "chrome: so are calls that nest so deep" says \
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
b c'
claim "collapsed: a line without frames is refused" \
    refuses 'text: line 1: not a path' collapsed '12'

printf '%s' "[$both]" >both.json
claim "every prefix ends in a status" every_prefix both.json \
    dmtrace import -q -o cut.trace
claim "an output that is the input is refused" says 'both the input' \
    dmtrace import --from-format chrome -o both.json both.json
claim "a format that is not recognized can be named" says \
    'the format is not recognized: name it with --from-format' \
    sh -c 'echo hello >hello && dmtrace import hello'
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
static int twice(int n) { return 2 * n; }
static int thrice(int n) { return twice(n) + n; }
int main(void) { return thrice(2) - 6; }
ROWS
	gcc -O0 -pg -o program program.c && uftrace record ./program \
	    >/dev/null 2>&1 && uftrace dump --chrome >uftrace.json 2>/dev/null
	if [ -s uftrace.json ]; then
		dmtrace import -q -o uftrace.trace uftrace.json
		printf 'enter %s\n' main thrice twice >wanted
		calls uftrace.trace | awk '$2 == "enter" && $4 !~ /^_/ {
			print $2, $4
		}' >entered
		claim "uftrace's calls are imported" cmp wanted entered
	else
		skip "uftrace's calls are imported" "uftrace cannot record"
	fi
else
	skip "uftrace's calls are imported" "no uftrace here"
fi
finish
