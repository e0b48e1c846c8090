#!/bin/sh
# cli_tail.sh - a stream is printed while it is written

. "$srcdir/tests/claim.sh"

# bytes FORMAT...: as of printf
bytes()
{
	printf "$@"
}

# header VERSION SIZE, in octal
header()
{
	bytes "SLOW\\$1\\000\\040\\000\\304\\221\\236\\054\\232\\000\\000\\000"
	bytes "\\$2\\000\\000\\000\\000\\000\\000\\000"
	bytes '\000\000\000\000\000\000\000\000'
}

# record THREAD WORD CPU WALL, in octal
record()
{
	bytes "\\$1\\000\\$2\\000\\000\\000\\$3\\000\\000\\000"
	bytes "\\$4\\000\\000\\000"
}

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
cat >want <<'ROWS'
thread	action	method	cpu_ns	wall_ns	depth	class	name	signature
1	enter	0x4	0	1000	1	A	m	()V
1	enter	0x8	1000	2000	2	B	n	(I)V
1	exit	0x8	2000	3000	2	B	n	(I)V
1	enter	0x8	3000	4000	2	C	o	()V
1	exit	0x8	4000	5000	2	C	o	()V
1	exit	0x4	5000	6000	1	A	m	()V
ROWS
size=$(wc -c <a.trace)

# tailed WANTED COMMAND...: prints that, as TSV, and exits 0
tailed()
{
	wanted=$1
	shift
	exits 0 "$@" >out && cmp "$wanted" out
}

# prints LINES FILE: waits, not for ever, until it has so many
prints()
{
	looks=0
	until [ "$(wc -l <"$2")" -ge "$1" ]; do
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
claim "from a pipe, too" \
    tailed want sh -c 'cat a.trace | dmtrace tail --timeout=5s -f tsv -'
claim "as dump prints it, in JSON" sh -c '
    dmtrace tail --timeout=5s -f json a.trace | head -n 1 |
    grep -q "^{\"thread\":1,\"action\":\"enter\",\"method\":\"0x4\""'
claim "in text, a line for each event" sh -c '
    [ "$(dmtrace tail --timeout=5s a.trace | grep -c "1 main ")" -eq 6 ]'

# In pieces: each prefix prints the records that are whole in it.
pieces()
{
	: >grown.trace
	at=0
	dmtrace tail -f tsv grown.trace >out 2>error &
	tail=$!
	for piece in "$@"; do
		dd if=a.trace bs=1 skip="$at" count="$piece" >>grown.trace \
		    2>/dev/null
		at=$((at + piece))
		sleep 0.03
	done
	dd if=a.trace bs=1 skip="$at" >>grown.trace 2>/dev/null
	followed 0 && cmp want out
}
claim "a file that grows is followed" pieces 10 22 3 2 30 13 14 9 20
claim "by single bytes" pieces 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1

header 363 016 >part.trace
bytes "$a$main" >>part.trace
record 001 004 000 001 >>part.trace
bytes '\001\000\004' >>part.trace
dmtrace tail -f tsv part.trace >out 2>error &
tail=$!
claim "what is there is printed before the rest comes" prints 2 out
rm part.trace
claim "a removed file is the end" followed 1
claim "which is reported" has 'part.trace: the file was removed before its' \
    error

cp a.trace cut.trace
dd if=a.trace of=cut.trace bs=1 count=$((size - 5)) 2>/dev/null
dmtrace tail -f tsv cut.trace >out 2>error &
tail=$!
claim "all but the summary is printed" prints 7 out
header 363 016 >cut.trace
claim "a file that became shorter is trouble" followed 2
claim "which is reported as such" has 'truncated to' error

header 363 016 >idle.trace
claim "--timeout ends the wait" sh -c '
    dmtrace tail --timeout=100ms idle.trace 2>error; [ $? -eq 1 ] &&
    grep -q -e "--timeout expired before the summary" error'
bytes 'SLOW\363' >short.trace
claim "also of a header that is not whole" \
    exits 1 dmtrace tail --timeout=100ms short.trace
dmtrace tail -f tsv idle.trace >out 2>error &
tail=$!
prints 1 out
kill -TERM "$tail"
claim "a signal ends it" followed 143
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
claim "padded records of one clock are found" sh -c '
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
claim "a few bytes are enough at a summary" sh -c '
    dmtrace tail --timeout=5s -f tsv few.trace | cut -f 5 | tr "\n" " " |
    grep -qx "wall_ns 1000 2000 "'
{
	header 363 016
	bytes '\000\000\007\000'
} >odd.trace
claim "an unknown packet is trouble" \
    says 'byte 32: neither a record nor a packet' \
    dmtrace tail --timeout=5s odd.trace

# Each row: a FILE that is no stream, and what is said of it
bytes '*version\n3\n*threads\n*methods\n*end\n' >joined.trace
header 364 000 >v2.trace
while read -r file text; do
	claim "$file is refused" says "$text" dmtrace tail --timeout=1s "$file"
done <<'ROWS'
joined.trace only these can be followed
v2.trace only these can be followed
missing.trace No such file
ROWS
claim "one file is followed" says 'only one file' dmtrace tail a.trace a.trace
finish
