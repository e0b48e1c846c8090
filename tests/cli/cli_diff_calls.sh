#!/bin/sh
# cli_diff_calls.sh - trees of calls, side by side

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/record.sh"

# made THREADS METHODS RECORDS...: lines of "id name", methods A.name, and
# "thread word time" each
made()
{
	printf '*version\n2\nclock=wall\n*threads\n'
	printf '%s\t%s\n' $1
	printf '*methods\n'
	printf '%s\tA\t%s\t()V\n' $2
	printf '*end\nSLOW\2\0\40\0\0\0\0\0\0\0\0\0'
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	shift 2
	for record in "$@"; do
		record $record
	done
}
threads='1 main 2 other'
methods='0x4 a 0x8 b 0xc c 0x10 d'

# main: a(b(c) d); other: b
made "$threads" "$methods" '1 4 0' '1 8 10' '1 12 20' '2 8 25' '1 13 30' \
    '1 9 40' '1 16 50' '1 17 60' '2 9 65' '1 5 70' >one.trace
# The same, with other ids, numbers, times and turns.
made '7 other 9 main' '0x8 a 0x4 b 0x10 c 0xc d' '7 4 5' '7 5 6' '9 8 7' \
    '9 4 8' '9 16 9' '9 17 9' '9 5 12' '9 12 13' '9 13 14' '9 9 99' \
    >same.trace
# main: a(b(d) d d); other is gone; more: b
made '1 main 3 more' "$methods" '1 4 0' '1 8 10' '1 16 20' '1 17 30' \
    '1 9 40' '1 16 50' '1 17 60' '1 16 61' '1 17 62' '1 5 70' '3 8 80' \
    '3 9 81' >other.trace

silence()
{
	dmtrace diff --trees "$@" >silence 2>&1 && [ ! -s silence ]
}
differs()
{
	dmtrace diff --trees "$@"
	[ $? -eq 1 ]
}
claim "a trace does not differ from itself" silence one.trace one.trace
claim "ids, times and the order of threads make no difference" \
    silence one.trace same.trace

cat >text <<'ROWS'
--- one.trace
+++ other.trace
@@ thread main: call 1 of 4, call 1 of 5 @@
  A.a()V
    A.b()V
-     A.c()V
+     A.d()V
    A.d()V
+   A.d()V
only in one.trace: thread other, 1 call
only in other.trace: thread more, 1 call
ROWS
claim "calls are printed as by diff" prints text differs one.trace other.trace
cat >narrow <<'ROWS'
@@ thread main: call 3 of 4, call 3 of 5 @@
  A.a()V
    A.b()V
-     A.c()V
ROWS
narrow()
{
	differs --context=0 --top=1 one.trace other.trace | sed -n 3,6p
}
claim "without context only callers are printed" prints narrow narrow
cat >cells <<ROWS
kind,thread_name,base_thread,new_thread,depth,class,name,signature,\
base_call,new_call
caller,main,1,1,1,A,a,()V,,
same,main,1,1,2,A,b,()V,2,2
base,main,1,1,3,A,c,()V,3,
new,main,1,1,3,A,d,()V,,3
same,main,1,1,2,A,d,()V,4,4
new,main,1,1,2,A,d,()V,,5
only-base,other,2,,,,,,1,
only-new,more,,3,,,,,,1
ROWS
csv()
{
	differs --context=1 -f csv one.trace other.trace | tr -d '\r'
}
claim "CSV has a line for each call" prints cells csv
tsv()
{
	differs --context=1 -f tsv one.trace other.trace | tr '\t' ,
}
claim "TSV has the same lines" prints cells tsv
unfold >object <<'ROWS'
{"kind":"base","thread_name":"main","base_thread":1,"new_thread":1,"depth":3\
,"class":"A","name":"c","signature":"()V","base_call":3,"new_call":null}
ROWS
json()
{
	differs -f jsonl one.trace other.trace | grep '"base",'
}
claim "JSON has the same names as keys" prints object json

claim "a pattern that matches nothing exits with 2" \
    exits 2 dmtrace diff --trees -t "nosuch*" one.trace one.trace
claim "--method leaves methods out" \
    silence -m A.a -m A.b -t main one.trace other.trace
claim "--depth leaves depths out" \
    silence --depth=1 -t main one.trace other.trace
piped()
{
	cat one.trace | silence same.trace -
}
claim "a pipe without differences is read once" piped
from_file()
{
	differs one.trace - <other.trace | sed 's/^+++ -/+++ other.trace/
	s/in -:/in other.trace:/'
}
claim "standard input that is a file is read again" prints text from_file
from_pipe()
{
	cat other.trace | dmtrace diff --trees one.trace - >piped 2>error
	[ $? -eq 1 ] && has 'needs a file' error &&
	    has 'thread main differs: 4 calls, 5' piped
}
claim "for a pipe, only threads that differ are reported" from_pipe

# m(n(o 100 times, then m or n)): what is the same is left out long before.
nested()
{
	{
		printf '%s\n' '1 4 0' '1 8 1'
		yes '1 12 2
1 13 3' | head -n 200
		printf '%s\n' "1 $1 4" "1 $(($1 + 1)) 5" '1 9 6' '1 5 7'
	} | write_trace "$2" 2 wall
}
nested 4 m.trace
nested 8 n.trace
unfold >cells <<'ROWS'
kind,thread_name,base_thread,new_thread,depth,class,name,signature,base_call,\
new_call
caller,main,1,1,1,A,m,()V,,
caller,main,1,1,2,A,n,()V,,
same,main,1,1,3,A,o,()V,102,102
base,main,1,1,3,A,m,()V,103,
new,main,1,1,3,A,n,()V,,103
ROWS
far_callers()
{
	differs --context=1 -f tsv m.trace n.trace | tr '\t' ,
}
claim "callers are printed, even if they were called long before" \
    prints cells far_callers
{ cat m.trace; printf cut; } >cut_short.trace
said_once()
{
	dmtrace diff --trees cut_short.trace n.trace 2>error >/dev/null
	[ "$(grep -c 'is truncated' error)" -eq 1 ] || { cat error; return 1; }
}
claim "a finding is reported once, though traces are read several times" \
    said_once

# What is gone between two times is reported, however many calls are before.
long()
{
	dmtrace generate -q --threads 2 --events 200000 -o long.trace &&
	    dmtrace filter -q --raw --invert --from=800ms --to=802ms \
	    -o cut.trace long.trace
}
# calls FILE THREAD: "class.name" of each enter, in order
calls()
{
	dmtrace dump -q -f tsv "$1" | awk -F '\t' -v thread="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["thread"] == thread && $at["action"] == "enter" {
		print $at["class"] "." $at["name"] $at["signature"]
	}'
}
# The first line that is different, counted by cmp and sed.
first_line()
{
	calls long.trace 1 >long.calls
	calls cut.trace 1 >cut.calls
	line=$(cmp long.calls cut.calls | sed 's/.*line //')
	differs --context=0 --top=1 -t 1 -f tsv long.trace cut.trace \
	    >reported.tsv || return 1
	awk -F '\t' '$1 == "base" { print $9 }
	$1 == "new" { print $10 }' reported.tsv >reported
	[ "$(cat reported)" -eq "$line" ] || {
		echo "$line"
		cat reported
		return 1
	}
}
claim "a long trace is generated" long
claim "a long trace does not differ from itself" silence long.trace \
    long.trace
claim "the only missing call of a long trace is found" first_line

claim "every prefix ends in a status" \
    every_prefix other.trace dmtrace diff --trees one.trace
claim "a missing trace exits with 2" \
    exits 2 dmtrace diff --trees one.trace missing.trace
if [ "$SANITIZED" != yes ]; then
	bounded()
	{
		(ulimit -v 60000 && dmtrace diff --trees long.trace \
		    long.trace)
	}
	claim "equal traces need little memory" bounded
fi
cat >cases <<'TAP'
not ok 1 - thread main
not ok 2 - thread other
not ok 3 - thread more
1..3
TAP
tap()
{
	dmtrace diff --trees -f tap one.trace "$1" | grep -v '^#'
}
claim "-f tap has a test for each thread" prints cases tap other.trace
cat >cases <<'TAP'
ok 1 - thread main
ok 2 - thread other
1..2
TAP
claim "threads with the same calls pass" prints cases tap same.trace
claim "a test that fails has the calls that differ" sh -c '
    dmtrace diff --trees -f tap one.trace other.trace |
    grep -q "^# - *A.c()"'
claim "-f junit counts the threads" sh -c '
    dmtrace diff --trees -f junit one.trace other.trace >made
    grep -q "tests=\"3\" failures=\"3\" errors=\"0\"" made &&
    grep -q "message=\"@@ thread main: call " made'
claim "the exit status is that of text" exits 1 dmtrace diff --trees -f tap \
    -o made one.trace other.trace

finish
