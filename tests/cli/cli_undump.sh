#!/bin/sh
# cli_undump.sh - dump --text and undump: texts, their bytes and their errors
#
# That undump reverses dump is in laws/test_text_laws.c; here are the texts.

. "$srcdir/tests/helpers/claim.sh"

# Each case is a file of three parts, separated by lines of "--": the claim,
# the text, and the bytes as a format of printf, whose line ends do not count.
cut_case()
{
	awk '
	FNR == 1 { part = 0 }
	/^--$/ { part++; next }
	{ print >("part" part) }' "$1"
	tr -d '\n' <part2 >format
	printf "$(cat format)" >bytes
}

# split_cases: the cases on standard input, separated by lines of "====", to
# the files case01, case02 ...
split_cases()
{
	rm -f case??
	awk 'BEGIN { n = 1 } /^====$/ { n++; next }
	{ print >sprintf("case%02d", n) }'
}

# writes OPTION...: undump of the text has the bytes
writes()
{
	prints bytes dmtrace undump "$@" part1
}

# dumps: the bytes are dumped as the text, which gives them back
dumps()
{
	{ echo 'dmtrace text 1'; cat part1; } >expected
	dmtrace dump -q --text bytes >dumped || [ $? -eq 1 ]
	cmp expected dumped || { diff expected dumped; return 1; }
	prints bytes dmtrace undump dumped
}

# means EXPECTED TEXT: the events of a text, whose lines are separated by "|"
means()
{
	printf '%s\n' "$2" | tr '|' '\n' >text.dmt
	dmtrace undump -d v2 text.dmt | dmtrace dump -q -f tsv - |
	    awk -F'\t' 'NR == 1 {
		for (i = 1; i <= NF; i++)
			at[$i] = i
		sign["enter"] = ">"
		sign["exit"] = "<"
		sign["unroll"] = "!"
		next
	    }
	    { printf " %s%s%s%s", $at["wall_ns"] / 1000, \
		sign[$at["action"]], $at["class"], $at["thread"] }' >got
	[ " $1" = "$(cat got)" ] || { cat got; return 1; }
}

# refuses MESSAGE TEXT: exit status 2, the message, and no output file
refuses()
{
	printf "$2" >text.dmt
	rm -f out.trace
	says "$1" dmtrace undump text.dmt -o out.trace && [ ! -e out.trace ]
}

split_cases <<'CASES'
events alone are a trace
--
10 1 a/B.run()V
10ms 1 a/B.run()V
--
*version\n1\nclock=wall\n*threads\n1\tmain\n*methods\n0x4\ta/B\trun\t()V\n
*end\nSLOW\1\0\40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
\1\4\0\0\0\12\0\0\0\1\5\0\0\0\20\47\0\0
====
a text may name its dialect, and have comments and blank lines
--
dmtrace text 1
# A thing.

dialect v1
clock=wall
0us 1 A
--
*version\n1\nclock=wall\n*threads\n1\tmain\n*methods\n0x4\tA\tm\t()\n
*end\nSLOW\1\0\40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
\1\4\0\0\0\0\0\0\0
====
threads, methods, options and the start can be given
--
start 5us
vm=art
thread 3 a b
method 0x40 a/B.run(I)V B.java:7
0.001ms 3 !B.run
--
*version\n1\nclock=wall\nvm=art\n*threads\n3\ta b\n*methods\n
0x40\ta/B\trun\t(I)V\tB.java\t7\n
*end\nSLOW\1\0\40\0\5\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
\3\102\0\0\0\1\0\0\0
====
a listed method without a dot is a class, too
--
clock=wall
method 0x10 A
method 0x20 B A.java:7
0 1 A
--
*version\n1\nclock=wall\n*threads\n1\tmain\n*methods\n
0x10\tA\tm\t()\n0x20\tB\tm\t()\tA.java\t7\n
*end\nSLOW\1\0\40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
\1\20\0\0\0\0\0\0\0
====
no events are a trace, too
--
# Nothing.
--
*version\n1\nclock=wall\n*threads\n*methods\n
*end\nSLOW\1\0\40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
CASES
for file in case??; do
	cut_case "$file"
	claim "$(cat part0)" writes -d v1
done

# What indentation and signs mean: events as time, action, class and thread.
while IFS='#' read -r label expected text; do
	claim "$label" means "$expected" "$text"
done <<'ROWS'
deeper enters, the same exits#0>A1 1>B1 2<B1 3<A1#0 1 A|1 1  B|2 1  B|3 1 A
a name below itself is a recursion#0>A1 1>A1 2<A1#0 1 A|1 1  A|2 1  A
an exit ends what is deeper#0>A1 1>B1 2<B1 2<A1#0 1 A|1 1  B|2 1 A
all of it#0>A1 1>B1 2>C1 3<C1 3<B1 3<A1#0 1 A|1 1  B|2 1   C|3 1 A
another method ends the call there#0>A1 1>B1 2<B1 2>D1#0 1 A|1 1  B|2 1  D
left of the first line#0>A1 1<A1 2<B1 3<C1#0 1   A|1 1   A|2 1  B|3 1 C
threads have their own depths#0>A1 1>A2 2>B1 3<A2#0 1 A|1 2 A|2 1  B|3 2 A
signs#0>A1 1>A1 2!A1 3<B1 4<A1#0 1 >A|1 1 >A|2 1 !A|3 1 <B|4 1 < A
a line without a time takes 2 us#2>A1 4>B1 6<B1 8<A1#A| B| B|A
units#1>A1 2>A1 3>A1 4>A1#1000ns 1 >A|2us 1 >A|0.003ms 1 >A|0.000004s 1 >A
minutes#60000000>A1#1min 1 A
ROWS

cat >names.dmt <<'TEXT'
0 1 a/B.run(I)V
1 1  B.run
2 1  B.run(I)V
3 1  a/B.run
4 1 a/B.run (I)V
TEXT
claim "a method has one row, however it is named" sh -c '
	dmtrace undump names.dmt >names.trace
	[ "$(dmtrace dump --text names.trace | grep -c "^method")" -eq 1 ]'
for dialect in v1 v2 v3 v4 v5 f2 f3 f4 f5; do
	claim "a text by hand is a valid trace of dialect $dialect" sh -c "
	    printf '0 1 A.a\n1ms 1  B.b\n2ms 1 A.a\n' |
	    dmtrace undump -d $dialect | dmtrace validate -q -"
done

split_cases <<'CASES'
a dump leaves out what is usual
--
key 1
clock=wall
thread 1 main
method 0x4 a/B.run()V B.java:7
method 0x8 a/C.x(I)V
header v1 start=0us
10us 1 B.run
16us 1  C.x
17us 1  C.x
--
*version\n1\nclock=wall\n*threads\n1\tmain\n*methods\n
0x4\ta/B\trun\t()V\tB.java\t7\n0x8\ta/C\tx\t(I)V\n
*end\nSLOW\1\0\40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
\1\4\0\0\0\12\0\0\0\1\10\0\0\0\20\0\0\0\1\11\0\0\0\21\0\0\0
====
two times are separated by a slash
--
key 3
header v3 start=0us
5us/3us 2 0x4
--
*version\n3\n*threads\n*methods\n
*end\nSLOW\3\0\40\0\0\0\0\0\0\0\0\0\16\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
\2\0\4\0\0\0\3\0\0\0\5\0\0\0
====
a name that two methods have is longer
--
key 1
method 0x4 a/B.run()V
method 0x8 b/B.run()V
method 0xc a/C.x()V
method 0x10 a/C.x(I)V
header v1 start=0us offset=16
0us 1 a/B.run
1us 1  C.x(I)V
2us 1   0x14
--
*version\n1\n*threads\n*methods\n0x4\ta/B\trun\t()V\n0x8\tb/B\trun\t()V\n
0xc\ta/C\tx\t()V\n0x10\ta/C\tx\t(I)V\n*end\n
SLOW\1\0\20\0\0\0\0\0\0\0\0\0
\1\4\0\0\0\0\0\0\0\1\20\0\0\0\1\0\0\0\1\24\0\0\0\2\0\0\0
====
signs stand where indentation does not say it
--
header v1 start=0us offset=16
0us 1 <0x4
1us 1 0x4
2us 1 !0x4
3us 1 ?0x4
--
SLOW\1\0\20\0\0\0\0\0\0\0\0\0\1\5\0\0\0\0\0\0\0\1\4\0\0\0\1\0\0\0
\1\6\0\0\0\2\0\0\0\1\7\0\0\0\3\0\0\0
====
a method that is named as the innermost call is has its id
--
key 1
method 0x4 -
method 0x8 -.-()V
header v1 start=0us offset=16
0us 1 0x4
1us 1  -.-
2us 1 <0x4
--
*version\n1\n*threads\n*methods\n0x4\t-\n0x8\t-\t-\t()V\n*end\n
SLOW\1\0\20\0\0\0\0\0\0\0\0\0
\1\4\0\0\0\0\0\0\0\1\10\0\0\0\1\0\0\0\1\5\0\0\0\2\0\0\0
====
fields that disagree are named
--
header v3 start=1us offset=34 size=16
--
SLOW\3\0\42\0\1\0\0\0\0\0\0\0\20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
====
other bytes of a header follow it
--
header v1 start=1us offset=18
= 534c4f5701001200010000000000000007ff
--
SLOW\1\0\22\0\1\0\0\0\0\0\0\0\7\377
====
bytes in the padding of a record follow it
--
header v3 start=1us offset=18 size=16
2us/1us 1 0x4
= 010004000000010000000200000000ff
--
SLOW\3\0\22\0\1\0\0\0\0\0\0\0\20\0\1\0\4\0\0\0\1\0\0\0\2\0\0\0\0\377
====
a truncated record is bytes
--
header v1 start=1us offset=16
5us 1 <0x4
bytes 0105000000
--
SLOW\1\0\20\0\1\0\0\0\0\0\0\0\1\5\0\0\0\5\0\0\0\1\5\0\0\0
====
lines of the key that are unusual are in quotes
--
key 3
option "x y= "
bytes "\n"
thread "1 a"
thread 2 ""
method 0x4 "A\tb"
*end
--
*version\n3\nx y= \n\n*threads\n1 a\n2\t\n*methods\n0x4\tA\tb\n*end\n
====
headings that nothing implies are printed
--
key 3
*methods
*threads
thread 1 a
* "*other"
bytes "x\n"
--
*version\n3\n*methods\n*threads\n1\ta\n*other\nx\n
====
CR LF is kept
--
*version "*version\r"
key "3\r"
*end "*end\r"
--
*version\r\n3\r\n*end\r\n
====
a key may end early
--
key 3
*threads
bytes "1\ta"
--
*version\n3\n*threads\n1\ta
====
bytes between key and header are kept
--
key 3
*end
bytes "\n"
header v3 start=0us offset=18
--
*version\n3\n*end\n\nSLOW\3\0\22\0\0\0\0\0\0\0\0\0\16\0
====
text that is not a trace is quoted
--
bytes "x\ty\n"
bytes "\"\\z"
--
x\ty\n"\\z
====
other bytes are hexadecimal
--
bytes 000a80
--
\0\12\200
====
an empty file has a text
--
bytes ""
--
%s
====
packets of a stream are statements
--
header f2 start=0us
thread 7 a b
method 0x4 a/B.run()V B.java
5us 7 B.run
thread 7 ""
summary
key 2
*threads
*methods
*end
end
--
SLOW\362\0\40\0\0\0\0\0\0\0\0\0\12\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
\0\0\2\7\0\3\0a b\0\0\1\27\0000x4\ta/B\trun\t()V\tB.java\n
\7\0\4\0\0\0\5\0\0\0\0\0\2\7\0\0\0
\0\0\3\42\0\0\0*version\n2\n*threads\n*methods\n*end\n
====
an unknown packet is bytes, and the stream goes on
--
header f2 start=0us
bytes 00000901020304050607
5us 7 0x4
--
SLOW\362\0\40\0\0\0\0\0\0\0\0\0\12\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
\0\0\11\1\2\3\4\5\6\7\7\0\4\0\0\0\5\0\0\0
====
records may be longer than the header says
--
header f2 start=0us records=14
thread 7 a
5us 7 <0x4
9us 7 <0x4
= 07000500000009000000eeeeeeee
--
SLOW\362\0\40\0\0\0\0\0\0\0\0\0\12\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
\0\0\2\7\0\1\0a\7\0\5\0\0\0\5\0\0\0\0\0\0\0
\7\0\5\0\0\0\11\0\0\0\356\356\356\356
====
records of a preview have wide ids
--
key 3
method 0x7fa1b2c3d0 a/B.x()V
header v3 start=0us offset=18 size=18 ids=8
5us/4us 7 B.x
--
*version\n3\n*threads\n*methods\n0x7fa1b2c3d0\ta/B\tx\t()V\n*end\n
SLOW\3\0\22\0\0\0\0\0\0\0\0\0\22\0
\7\0\320\303\262\241\177\0\0\0\4\0\0\0\5\0\0\0
====
a dump of long-running methods has no header
--
header long
thread 7 ab
method 0x4000 a/B.x()V
block
5us 7 B.x
6us 7 B.x
finish 9us 1ns
--
\0\7\0\0\0\2\0ab\1\0\100\0\0\0\0\0\0\12\0a/B\tx\t()V\n
\2\7\0\0\0\2\0\0\10\0\0\0\220\316\0\200\200\1\321\17
\3\50\43\0\0\0\0\0\0\1\0\0\0\0\0\0\0
====
blocks of trace format V2 have events
--
header v5 stage=c start=9us
thread 7 a
method 0x7fff00 a/B.run()V B.java
block
5000us/3000us 7 B.run
6000us/3000us 7 B.run
--
SLOW\5\0\11\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0sc
\0\7\0\0\0\1\0a
\1\0\377\177\0\0\0\0\0\23\0a/B\trun\t()V\tB.java\n
\2\7\0\0\0\2\0\0\14\0\0\0\200\376\377\3\210\47\270\27\1\350\7\0
CASES
for file in case??; do
	cut_case "$file"
	claim "$(cat part0)" dumps
done

claim "a method that is a signature alone is named by that" sh -c '
	printf "header f2\n%s\n5us 1 >0x10\n" "method 0x10 \"\t\t()V\t\"" |
	    dmtrace undump | dmtrace dump --text - | tee other.dmt |
	    grep -qx "5us 1 ()V" && dmtrace undump -o other other.dmt'

printf 'SLOWxyz' >other
claim "what is not a trace exits 1, and is complete" sh -c '
	dmtrace dump --text other -o other.dmt 2>said; [ $? -eq 1 ] &&
	    dmtrace undump other.dmt | cmp - other'
claim "which is said" has "other: not a trace" said
claim "a missing file is trouble" exits 2 dmtrace dump --text missing
claim "--text has no selection" exits 2 dmtrace dump --text -t 1 other
claim "--text has no other form" exits 2 dmtrace dump --text -f tsv other
claim "--text has no calls" exits 2 dmtrace dump --text --calls other
claim "a text on standard input" sh -c 'printf "bytes 41\n" |
	dmtrace undump | grep -qx A'
printf 'bytes 41\n' >text.dmt
claim "a text cannot be its own output" exits 2 dmtrace undump text.dmt \
    -o text.dmt
claim "and is left alone" grep -qx 'bytes 41' text.dmt

# Errors: the message, and the text.
while IFS='|' read -r message text; do
	claim "refused: $message" refuses "$message" "$text"
done <<'ROWS'
column 1: found "1x" where a time in ns, us, ms, s, min or h is|1x 1 A
line 2: column 2: the line ends where the number of a thread is|0 1 A\n1
line 1: column 3: found "x" where the number of a thread is|1 x A
line 1: column 8: found "v2" where a signature in brackets|dialet v2
line 1: column 1: event 0 of the batch (thread 65536,|0 65536 A
line 1: column 4: the line ends where a blank is expected|1 1
column 6: the line ends where the name of a method is|1 1 \t
column 6: the line ends where the name of a method is|1 1 >
line 1: column 5: found "a/B." where the name of a method is|1 1 a/B.
column 14: found "x" where the end of the line is|1 1 A.b (I)V x
line 1: column 9: found "v9" where v1 to v5, or f2 to f5 is|dialect v9
column 1: found "99999999999999999999" where a smaller|99999999999999999999 1 A
column 1: found "0.0001ns" where a time in ns, us, ms, s,|0.0001ns 1 A
column 5: found "x" where a time is expected|1us/x 1 A
line 1: column 4: found "s" where a blank is expected|1uss 1 A
line 2: column 1: found "nonsense" where a statement is|key 3\nnonsense\n
column 5: found "A" where a method that was defined|key 3\nheader v3\n0 1 A\n
line 2: column 1: "header" must come before an event|key 3\n0 1 0x4\n
line 2: column 1: "block" must come before events|header v5\n0 1 0x4\n
line 2: column 1: there is a header already|header v3\nheader v3\n
column 12: found "x=1" where start=, offset=, size=,|\nheader v3  x=1\n
column 8: found "xy" where a byte of two hexadecimal digits|bytes  xy
line 1: column 8: the line ends where a closing quote is expected|bytes "
column 8: found "\\q"" where \t, \n, \r, \\, \" or \xNN|bytes "\\q"
line 1: column 1: there are no bytes to replace|= 41
column 8: found ""1" where the number of a thread is|thread "1 main"
column 8: found ""5\\t3"" where the number of a thread is|thread "5\\t3"
line 1: column 1: TAB, CR, LF or NUL in the name of|thread 5 "a\\x00b"
column 23: found "7x" where the number of a line|method 0x4 A.b A.java:7x
line 2: column 1: thread 5 is listed already|thread 5 a\nthread 5 b
line 2: column 1: thread 5 is listed already|0 5 A\nthread 5 b
line 2: a block has no events|header v5\nblock\nblock\n
a block has events of one thread|header v5\nblock\n0 1 0x4\n0 2 0x4\n
line 3: the text ends where "end" of the|header f3\nsummary\nkey 3\n
line 3: thread number too large|header v1\n0 1 0x4\n0 256 0x4\n
column 1: this must come before threads, methods and|0 1 A\nkey 3\n
a name that only one method has|0 1 a/B.x\n0 1  b/B.x\n\n0 1 B.x\n
ROWS

# Every command reads a text, and writes one if its output is named so.
same_as_trace()
{
	dmtrace "$@" x.trace >wanted 2>wanted_errors || :
	dmtrace "$@" x.dmt >got 2>got_errors || :
	sed 's/x\.dmt/x.trace/g' got | cmp - wanted &&
	    sed 's/x\.dmt/x.trace/g' got_errors | cmp - wanted_errors
}
piped_as_trace()
{
	dmtrace "$@" - <x.trace >wanted && dmtrace "$@" - <x.dmt | cmp - wanted
}
writes_text()
{
	dmtrace "$@" -q -o made.trace x.trace &&
	    dmtrace "$@" -q -o made.dmt x.dmt &&
	    head -n 1 made.dmt | grep -qx 'dmtrace text 1' &&
	    dmtrace undump made.dmt | cmp - made.trace
}
for dialect in v2 v3 f3 v5; do
	dmtrace generate --events 300 -d $dialect -o x.trace
	claim "generate -o of a text, $dialect" sh -c "dmtrace generate \
	    --events 300 -d $dialect -o x.dmt && dmtrace undump x.dmt |
	    cmp - x.trace"
	for command in info validate report checksum dump 'export -f chrome' \
	    'filter -t 1' 'sort' 'shift --by 1ms' 'convert -d v2' merge \
	    'graph' 'flame' 'repair -q -o -'; do
		claim "$command reads a text, $dialect" same_as_trace $command
	done
	claim "dump reads a text from a pipe, $dialect" piped_as_trace dump
	for command in filter sort repair merge 'convert -d v2'; do
		claim "$command writes a text, $dialect" writes_text $command
	done
done
claim "diff of a text and a trace" dmtrace diff x.dmt x.trace
claim "merge of a text and a trace" dmtrace merge -q x.dmt x.trace -o m.trace
claim "expect judges a text" sh -c "
	printf 'dmtrace text 1\n0 1 A.a\n1ms 1 A.a\n' >a.dmt
	printf 'calls(A.a) 1\n' >spec; dmtrace expect spec a.dmt || :
	dmtrace report -f tsv a.dmt | grep -q A"
printf 'dmtrace text 1\n0 1 A.a\n1ms one A.a\n' >wrong.dmt
claim "an error of a text is that of the command" says \
    'wrong.dmt: line 3: column 5: found "one" where' dmtrace report wrong.dmt
printf 'dmtrace text 2\n' >other.dmt
claim "another version of the form is named" says \
    "another version of its text form; version 1 is read" \
    dmtrace dump other.dmt
claim "and for undump" says 'where "dmtrace text 1" is expected' \
    dmtrace undump other.dmt
printf 'dmtrace text 11\n' >eleven
claim "version 11 is another one, and dumped as bytes" \
    exits 1 dmtrace dump --text -o eleven.dmt eleven
claim "which are written again" prints eleven dmtrace undump eleven.dmt
printf ' # a comment\nAbi2=arm\n0 1 A\n' >by-hand.dmt
dmtrace undump -o by-hand.trace by-hand.dmt
claim "a comment may be indented, and an option have any letters" \
    sh -c 'grep -aqx Abi2=arm by-hand.trace &&
    [ "$(dmtrace dump -q -f tsv by-hand.trace | wc -l)" -eq 2 ]'
dmtrace convert -q -d f3 -o f3.trace x.trace
dmtrace dump --text -o f3.dmt f3.trace
dmtrace tail f3.trace >wanted
claim "tail reads the text of a stream" prints wanted dmtrace tail f3.dmt
claim "and from a pipe" prints wanted sh -c 'cat f3.dmt | dmtrace tail -'
claim "pieces can be texts" sh -c '
	dmtrace split --by events=100 -o piece-%.dmt x.trace &&
	    dmtrace split --by events=100 -o piece-%.trace x.trace &&
	    for n in 0001 0002 0003; do
		dmtrace dump --text piece-$n.trace | cmp - piece-$n.dmt || exit
	    done'
claim "which are joined" sh -c '
	dmtrace merge -q --rejoin -o whole.trace piece-*.dmt &&
	    dmtrace checksum -f tsv whole.trace | cut -f 2- >1 &&
	    dmtrace checksum -f tsv x.trace | cut -f 2- | cmp - 1'
claim "a recorder writes no text" says \
    'a trace is not written as text while it is recorded' \
    dmtrace record -o x.dmt -- true
claim "a text is dumped as what it means" sh -c "
	dmtrace dump --text x.dmt | cmp - x.dmt"
claim "an output that cannot be a text leaves no file" sh -c '
	! dmtrace filter -q other -o none.dmt 2>errors && [ ! -e none.dmt ]'

# Outputs that cannot be written.
if [ -w /dev/full ]; then
	claim "undump notices a full disk" says 'cannot write' \
	    dmtrace undump x.dmt -o /dev/full
	claim "dump --text notices a full disk" says 'cannot write' \
	    dmtrace dump --text x.trace -o /dev/full
fi
rm -f none.dmt
claim "a text needs a temporary" says 'cannot make a temporary' \
    env TMPDIR=missing dmtrace report x.dmt
claim "so does an output as text" says 'cannot make a temporary' \
    env TMPDIR=missing dmtrace filter x.trace -o none.dmt
claim "which is not left behind" [ ! -e none.dmt ]

corpus=${DMTRACE_CORPUS:-}/dalvik-filters
if [ -d "$corpus/inputs" ]; then
	for input in "$corpus"/inputs/*; do
		name=${input##*/}
		claim "create_test_dmtrace: $name" sh -c '
		    { echo clock=thread-cpu; cat "$1"; } |
			dmtrace undump -d v2 | dmtrace dump -q -f tsv - |
			cut -f 1-4,6-9 >got
		    dmtrace dump -q -f tsv "$2" | cut -f 1-4,6-9 >wanted
		    cmp wanted got' sh "$input" "$corpus/${name}Trace.trace"
	done
else
	skip "create_test_dmtrace" "no corpus"
fi

finish
