#!/bin/sh
# cli_tail.sh - a trace is printed while it is written

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/streams.sh"

data=$srcdir/tests/data

# single THREAD WORD TIME [PADDING], of one clock
single()
{
	bytes "\\$1\\000\\$2\\000\\000\\000\\$3\\000\\000\\000"
	[ $# -lt 4 ] || bytes '\252\273\314\335'
}

# Methods 4 and 8 are A.m and B.n; 8 becomes C.o. Thread 1 is main.
a='\000\000\001\023\0000x4\tA\tm\t()V\tA.java\n'
b='\000\000\001\024\0000x8\tB\tn\t(I)V\tB.java\n'
c='\000\000\001\023\0000x8\tC\to\t()V\tC.java\n'
main='\000\000\002\001\000\004\000main'
renamed='\000\000\002\001\000\003\000new'
summary='\000\000\003\073\000\000\000*version\n3\nclock=dual\nvm=art\n'
summary=$summary'*threads\n1\tmain\n*methods\n*end\n'

whole()
{
	header 363 016
	bytes "$a$main"
	record 001 004 000 001
	bytes "$b"
	record 001 010 001 002
	record 001 011 002 003
	bytes "$c"
	record 001 010 003 004
	record 001 011 004 005
	record 001 005 005 006
	bytes "$summary"
}
whole >a.trace
cat >want <<ROWS
thread	action	id	cpu_ns	wall_ns	depth	class	name	\
signature	thread_name
1	enter	0x4	0	1000	1	A	m	()V	main
1	enter	0x8	1000	2000	2	B	n	(I)V	main
1	exit	0x8	2000	3000	2	B	n	(I)V	main
1	enter	0x8	3000	4000	2	C	o	()V	main
1	exit	0x8	4000	5000	2	C	o	()V	main
1	exit	0x4	5000	6000	1	A	m	()V	main
ROWS
size=$(wc -c <a.trace)

# tailed WANTED COMMAND...: prints that, as TSV, and exits 0
tailed()
{
	wanted=$1
	shift
	exits 0 "$@" >out && cmp "$wanted" out
}

# prints LINES FILE: waits, not for ever, until it is there and has so many
prints()
{
	looks=0
	until [ -e "$2" ] && [ "$(wc -l <"$2")" -ge "$1" ]; do
		looks=$((looks + 1))
		[ "$looks" -lt 500 ] || return 1
		sleep 0.02
	done
}

# followed STATUS: how the tail in the background ends; it must, in time
followed()
{
	( sleep 20; kill "$tail" ) 2>/dev/null &
	guard=$!
	exits "$1" wait "$tail"
	result=$?
	kill "$guard" 2>/dev/null
	return "$result"
}

claim "a whole stream is printed to its summary" \
    tailed want dmtrace tail --timeout=5s -f tsv a.trace
claim "a base name leads to it" tailed want dmtrace tail --timeout=5s -f tsv a
claim "a stream from a pipe is printed to its summary" \
    tailed want sh -c 'cat a.trace | dmtrace tail --timeout=5s -f tsv -'
dmtrace generate -q --events=6000 --threads=3 -o whole.trace
dmtrace convert -q -d f3 -o long.trace whole.trace
dmtrace dump -q -f tsv long.trace >long.tsv
claim "a pipe is printed as it grows, without a temporary file" sh -c '
	{
		head -c 90000 long.trace
		looks=0
		until [ "$(wc -l <out3)" -gt 4000 ] || [ $looks -eq 500 ]; do
			looks=$((looks + 1))
			sleep 0.02
		done
		[ $looks -lt 500 ] || exit
		tail -c +90001 long.trace
	} | TMPDIR=missing dmtrace tail -f tsv - >out3 && cmp long.tsv out3'
claim "an empty pipe does not go on" \
    says 'standard input: the header is not complete yet' \
    timeout 20 dmtrace tail - </dev/null
head -c 90000 long.trace >part.trace
mkfifo shown
claim "it ends when nobody reads it, even if that is no signal" sh -c '
	(trap "" PIPE; timeout 20 dmtrace tail part.trace >shown
	echo $? >status) &
	head -n 1 <shown && wait && [ "$(cat status)" -eq 0 ]'
claim "JSON has the form of dump" sh -c '
    dmtrace tail --timeout=5s -f jsonl a.trace | head -n 1 |
    grep -q "^{\"thread\":1,\"action\":\"enter\",\"id\":\"0x4\""'
claim "text has a line for each event" sh -c '
    [ "$(dmtrace tail --timeout=5s a.trace | grep -c "1 main ")" -eq 6 ]'
claim "headings of text are above their columns" sh -c '
    dmtrace tail --timeout=5s a.trace | awk "
	NR == 1 { at = index(\$0, \"action\") }
	NR == 2 { exit index(\$0, \"enter\") != at }"'

# pieces FILE WANTED SIZE...: in pieces, of which each prefix prints the records
# that are whole in it
pieces()
{
	whole=$1
	wanted=$2
	shift 2
	: >grown.trace
	at=0
	rm -f out
	dmtrace tail -f tsv grown.trace >out 2>error &
	tail=$!
	for piece in "$@"; do
		dd if="$whole" bs=1 skip="$at" count="$piece" >>grown.trace \
		    2>/dev/null
		at=$((at + piece))
		sleep 0.03
	done
	dd if="$whole" bs=1 skip="$at" >>grown.trace 2>/dev/null
	followed 0 && cmp "$wanted" out
}
claim "a file that grows is followed" \
    pieces a.trace want 10 22 3 2 30 13 14 9 20
claim "a file that grows by single bytes is followed" \
    pieces a.trace want 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1

header 363 016 >part.trace
bytes "$a$main" >>part.trace
record 001 004 000 001 >>part.trace
bytes '\001\000\004' >>part.trace
rm -f out
dmtrace tail -f tsv part.trace >out 2>error &
tail=$!
claim "complete records are printed before the rest is written" prints 2 out
rm part.trace
claim "a removed file ends tail" followed 1
claim "a removed file is reported" \
    has 'part.trace: the file was removed before its' \
    error

cp a.trace cut.trace
dd if=a.trace of=cut.trace bs=1 count=$((size - 5)) 2>/dev/null
rm -f out
dmtrace tail -f tsv cut.trace >out 2>error &
tail=$!
claim "a file without its summary is printed" prints 7 out
header 363 016 >cut.trace
claim "a truncated file is trouble" followed 2
claim "a truncated file is reported" has 'truncated to' error

cp a.trace cut.trace
dd if=a.trace of=cut.trace bs=1 count=$((size - 5)) 2>/dev/null
rm -f out
dmtrace tail -f tsv - <cut.trace >out 2>error &
tail=$!
claim "a file as standard input is followed" prints 7 out
header 363 016 >cut.trace
claim "one that is truncated is trouble, too" followed 2

{ echo line; whole; } >part.trace
dd if=/dev/null of=part.trace bs=1 seek=$((size - 5)) 2>/dev/null
rm -f out
(read -r line; exec dmtrace tail -f tsv -) <part.trace >out 2>error &
tail=$!
claim "a file is followed from where it is read" prints 6 out
rm part.trace
claim "one that is removed ends tail, too" followed 1

{ echo line; whole; } >part.trace
dd if=/dev/null of=part.trace bs=1 seek=$((size - 5)) 2>/dev/null
rm -f out
(read -r line; exec dmtrace tail -f tsv -) <part.trace >out 2>error &
tail=$!
prints 6 out
dd if=/dev/null of=part.trace bs=1 seek=$((size - 7)) 2>/dev/null
claim "one that is shorter by two bytes is trouble, too" followed 2

header 363 016 >idle.trace
claim "--timeout ends the wait" sh -c '
    dmtrace tail --timeout=100ms idle.trace 2>error; [ $? -eq 1 ] &&
    grep -q -e "--timeout expired before the summary" error'
dd if=a.trace bs=1 count=33 >slow.trace 2>/dev/null
rm -f out
dmtrace tail -f tsv --timeout=500ms slow.trace >out 2>error &
tail=$!
for at in 33 34 35 36 37 38 39; do
	sleep 0.1
	dd if=a.trace bs=1 skip=$at count=1 >>slow.trace 2>/dev/null
done
dd if=a.trace bs=1 skip=40 >>slow.trace 2>/dev/null
claim "but not while bytes of a packet are written" followed 0
claim "and its events are printed" cmp want out
bytes 'SLOW\363' >short.trace
claim "--timeout ends the wait for a header" \
    exits 1 dmtrace tail --timeout=100ms short.trace
claim "and for that of standard input" sh -c '
    dmtrace tail --timeout=100ms - <short.trace 2>error; [ $? -eq 1 ] &&
    grep -q -e "--timeout expired" error'
claim "a header that a pipe does not complete is trouble" sh -c '
    cat short.trace | dmtrace tail --timeout=100ms - 2>error; [ $? -eq 2 ] &&
    grep -q "the header is not complete yet" error'
rm -f out
dmtrace tail -f tsv idle.trace >out 2>error &
tail=$!
prints 1 out
kill -TERM "$tail"
claim "a signal ends tail" followed 143
claim "an input that ends before its summary is reported" sh -c '
    dd if=a.trace bs=1 count=100 2>/dev/null | dmtrace tail - 2>&1 |
    grep -q "standard input: the input has ended before its summary"'

# Android 6 to 13: records of 14 bytes, where the header says 10.
{
	header 362 012
	bytes "$a$main"
	for time in 001 002 003 004 005 006 007 010 011 012; do
		single 001 004 "$time" padded
	done
} >wide.trace
claim "padded records of one clock are recognized" sh -c '
    dmtrace tail -f tsv --timeout=100ms wide.trace 2>/dev/null |
    cut -f 1,3,5 | sed 1d | sort -u | wc -l | grep -qx " *10"'
{
	header 362 012
	bytes "$main$a"
	single 001 004 001
	bytes "$renamed"
	single 001 005 002
	bytes '\000\000\003\055\000\000\000*version\n2\nclock=wall\n'
	bytes '*threads\n*methods\n*end\n'
} >few.trace
claim "a short stream with a summary is decoded" sh -c '
    dmtrace tail --timeout=5s -f tsv few.trace | cut -f 5 | tr "\n" " " |
    grep -qx "wall_ns 1000 2000 "'
{
	header 363 016
	bytes '\000\000\007\000'
} >odd.trace
claim "an unknown packet is trouble" \
    says 'byte 32: neither a record nor a packet' \
    dmtrace tail --timeout=5s odd.trace

# Trace format V2: each stage
for sample in "$data"/good-packets-*.trace; do
	name=${sample##*/}
	dmtrace dump -f tsv "$sample" >"$name.tsv"
	claim "$name is printed as dump does" \
	    tailed "$name.tsv" dmtrace tail --timeout=5s -f tsv "$sample"
	claim "$name from a pipe is printed as dump does" tailed "$name.tsv" \
	    sh -c "cat $sample | dmtrace tail --timeout=5s -f tsv -"
done
# The first block begins at byte 154, and has 25 bytes before its payload in
# stage B, 12 in others.
for stage in b split e f ticks; do
	claim "a file of stage $stage is followed" \
	    pieces "$data/good-packets-$stage.trace" \
	    "good-packets-$stage.trace.tsv" 20 40 94 5 9 3 8 15 2 30
done
# From a pipe that has no more for now.
claim "a complete block is printed before more is written" sh -c '
	{
		head -c 192 "$1"
		looks=0
		until grep -q "^1.exit" out2 || [ $looks -eq 500 ]; do
			looks=$((looks + 1))
			sleep 0.02
		done
		[ $looks -lt 500 ] || exit
		tail -c +193 "$1"
	} | dmtrace tail -f tsv - >out2 && cmp good-packets-e.trace.tsv out2
' sh "$data/good-packets-e.trace"
# A block whose numbers have more than 64 bits: reported once.
{
	head -c 166 "$data/good-packets-e.trace"
	bytes '\377\377\377\377\377\377\377\377\377\377\377\377'
	tail -c +179 "$data/good-packets-e.trace"
} >undecodable.trace
claim "a block that cannot be decoded is reported once" sh -c '
	dmtrace tail --timeout=5s undecodable.trace 2>error
	[ $? -eq 2 ] && [ $(wc -l <error) -eq 1 ]'
# A method that no packet has announced, of one that has another.
{
	head -c 69 "$data/good-packets-5.trace"
	bytes '\002\001\000\000\000\001\000\000\006\000\000\000'
	bytes '\200\240\200\050\005\002'
} >unsure.trace
rm -f out
dmtrace tail -f tsv unsure.trace >out 2>error &
tail=$!
waits_for test -s out
sleep 0.1
claim "a block of an uncertain stage is not printed yet" \
    sh -c '[ $(wc -l <out) -eq 1 ]'
tail -c +70 "$data/good-packets-5.trace" >>unsure.trace
claim "the summary ends the wait for a stage" followed 0
claim "a block whose stage became known is printed" \
    sh -c '[ $(wc -l <out) -eq 4 ]'
{
	head -c 69 "$data/good-packets-5.trace"
	bytes '\002\001\000\000\000\002\000\000\011\000\000\000'
	bytes '\200\240\200\070\005\002\001\004\377'
} >damaged.trace
claim "a block that cannot be decoded is trouble" sh -c '
	dmtrace tail -f tsv damaged.trace >out 2>error
	[ $? -eq 2 ] && [ $(wc -l <out) -eq 2 ] &&
	    grep "byte 69: neither a record nor a packet begins here" error'
{
	head -c 69 "$data/good-packets-5.trace"
	bytes '\007'
} >type.trace
claim "a packet of an unknown type is trouble" \
    says 'byte 69: not a packet of trace format V2: type 7' \
    dmtrace tail --timeout=5s type.trace

# Each row: a FILE that is no stream, and what is said of it
bytes '*version\n3\n*threads\n*methods\n*end\n' >joined.trace
cp "$data/good-long-running.trace" long.trace
while read -r file text; do
	claim "$file is refused" says "$text" dmtrace tail --timeout=1s "$file"
done <<'ROWS'
joined.trace can be read while they are written
long.trace can be read while they are written
missing.trace No such file
ROWS
claim "a second file is refused" \
    says 'only one file' dmtrace tail a.trace a.trace
finish
