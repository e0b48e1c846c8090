#!/bin/sh
# cli_stream.sh - commands read ART streams, and write them

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/streams.sh"

# Methods 0 and 4 are A.m and B.n, threads 1 and 2 main and work.
method_a='\000\000\001\021\0000\tA\tm\t()V\tA.java\n'
method_b='\000\000\001\024\0000x4\tB\tn\t(I)V\tB.java\n'
main='\000\000\002\001\000\004\000main'
work='\000\000\002\002\000\004\000work'
summary='\000\000\003\102\000\000\000*version\n3\nclock=dual\nvm=art\n'
summary=$summary'*threads\n1\tmain\n2\twork\n*methods\n*end\n'

{
	header 363 016
	bytes "$method_a$main"
	record 001 000 000 001
	bytes "$method_b"
	record 001 004 001 002
	bytes "$work"
	record 002 000 000 003
	record 001 005 002 004
	record 002 001 001 005
	record 001 001 003 006
	bytes "$summary"
} >a.trace
# what is left of it: packets stand before the first record that needs them
{
	header 363 016
	bytes "$method_a$work"
	record 002 000 000 003
	record 002 001 001 005
	bytes '\000\000\003\073\000\000\000*version\n3\nclock=dual\nvm=art\n'
	bytes '*threads\n2\twork\n*methods\n*end\n'
} >work.trace
{
	header 363 016
	bytes "$method_b$main"
	record 001 004 001 002
	record 001 005 002 004
	bytes '\000\000\003\073\000\000\000*version\n3\nclock=dual\nvm=art\n'
	bytes '*threads\n1\tmain\n*methods\n*end\n'
} >b.trace

# becomes EXPECTED COMMAND...: on standard output
becomes()
{
	expected=$1
	shift
	dmtrace "$@" >out && cmp "$expected" out
}

claim "a stream is valid" exits 0 dmtrace validate a.trace
claim "filter copies a stream" becomes a.trace filter a.trace
claim "filter copies a stream from a pipe" \
    sh -c 'cat a.trace | dmtrace filter - | cmp a.trace -'
claim "filter -t writes a stream" becomes work.trace filter -t work a.trace
claim "filter -m writes a stream" becomes b.trace filter -m 'B.*' a.trace
claim "sort writes a stream" becomes a.trace sort a.trace
claim "shift writes a stream" sh -c 'dmtrace shift --by=5us -o late a.trace &&
    dmtrace shift --by=-5us -o early late && cmp a.trace early &&
    ! cmp -s a.trace late'
claim "dump prints names that come later" \
    sh -c 'dmtrace dump a.trace | grep -q "B.n"'
claim "merge joins streams to a trace with a key" sh -c '
    dmtrace merge -q -o merged a.trace b.trace && dmtrace info -f jsonl merged |
    grep -q "\"container\":\"joined\",\"version\":3,.*\"events\":8,"'
# An id has two meanings, of which the later event in time has the first one.
redefined='\000\000\001\021\0000\tC\to\t()V\tC.java\n'
{
	header 363 016
	bytes "$method_a$main"
	record 001 000 000 011
	bytes "$redefined$work"
	record 002 000 000 003
	record 002 001 001 004
	bytes "$summary"
} >turned.trace
{
	header 363 016
	bytes "$redefined$work"
	record 002 000 000 003
	record 002 001 001 004
	bytes "$method_a$main"
	record 001 000 000 011
	bytes "$summary"
} >sorted.trace
claim "sort keeps the meaning of redefined ids" becomes sorted.trace sort \
    -q turned.trace
claim "merge gives the two meanings of an id two ids" sh -c '
    dmtrace merge -q -o merged turned.trace a.trace &&
    dmtrace dump -q merged | grep -c "C.o" | grep -x 2 &&
    dmtrace dump -q merged | grep -c "A.m" | grep -x 5'
# A call of the first method has a call of the second one inside.
{
	header 363 016
	bytes "$method_a$main"
	record 001 000 000 001
	bytes "$redefined"
	record 001 000 001 002
	record 001 001 002 003
	bytes "$method_a"
	record 001 001 003 004
	bytes "$summary"
} >nested.trace
claim "an id that gets back its earlier meaning is that method again" \
    exits 0 dmtrace validate -q nested.trace
claim "convert keeps both meanings" sh -c '
    dmtrace convert -q -d v3 -o there nested.trace &&
    dmtrace diff -q --trees nested.trace there &&
    [ "$(dmtrace info -f jsonl there | grep -o "\"methods\":[^,]*" |
    head -n 1)" = "\"methods\":2" ]'
claim "merge keeps both meanings" sh -c '
    dmtrace merge -q -o merged nested.trace a.trace &&
    dmtrace validate -q merged && dmtrace dump -q merged | grep -c "C.o" |
    grep -x 2'
claim "diff of a stream and itself finds no difference" \
    exits 0 dmtrace diff a.trace a.trace
claim "split refuses a stream" says "ART streaming, which has no key" \
    dmtrace split a.trace
claim "split --by takes a stream" \
    exits 0 dmtrace split --by thread -o piece- a.trace
claim "a stream cannot be written as a pair" says "ART streaming has no key" \
    dmtrace filter -o x.key a.trace
claim "repair does not write a stream as a pair" \
    says "ART streaming has no key" \
    dmtrace repair -o x.key a.trace
claim "no file is written then" [ ! -e x ] && [ ! -e x.key ]

# named THREAD METHOD: a trace with names of these lengths, one call
named()
{
	printf '*version\n2\nclock=wall\n*threads\n1\t'
	printf "%0$1d\\n*methods\\n0x4\\tA\\t%0$2d\\t()V\\n*end\\n" 0 0
	printf 'SLOW\002\000\040\000\001\002\003\004\005\006\007\000'
	printf '\000\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
	printf '\001\000\004\000\000\000\001\000\000\000'
	printf '\001\000\005\000\000\000\002\000\000\000'
}
# "0x4 A m ()V" and its LF are 11 bytes without the name.
named 65535 65524 >longest.trace
named 65536 1 >thread.trace
named 1 65530 >method.trace
claim "texts of packets have up to 65,535 bytes" sh -c '
    dmtrace convert -q -d f2 -o long longest.trace &&
    dmtrace convert -q -d v2 -o back long && cmp back longest.trace'
for row in thread method; do
	for dialect in f2 v5; do
		claim "$row longer than 65,535 bytes is refused: $dialect" \
		    says 'is longer than 65,535 bytes' \
		    dmtrace convert -q -d $dialect -o x $row.trace
	done
	claim "the refusal leaves no file" [ ! -e x ]
done
# In this one id 0x10 is A.m, and from the third event on B.n.
redefined=$srcdir/tests/data/good-stream-odd.trace
meanings()
{
	dmtrace dump -q -f tsv "$redefined" | cut -f 7,8 | sed 1d | uniq -c |
	    tr -s ' \t' ' '
	dmtrace dump -q --calls "$redefined" | sed -n 's/.* \([AB]\..*\)/\1/p'
	dmtrace report -q "$redefined" |
	    sed -n 's/.* \([0-9]*\)  \([AB]\..*\)/\1 \2/p'
}
cat >wanted <<'ROWS'
 2 A m
 2 B n
A.m;
B.n;
1 A.m
1 B.n
ROWS
claim "an id means what it meant at the time of the event" \
    prints wanted meanings
# selected OPTION...: the methods of the events that these keep
selected()
{
	dmtrace filter -q "$@" "$redefined" | dmtrace dump -q -f tsv - |
	    cut -f 7,8 | sed 1d | uniq -c | tr -s ' \t' ' '
}
echo ' 2 A m' >first
echo ' 2 B n' >second
claim "-m matches the first meaning of an id" prints first selected -m A.m
claim "-m matches the second meaning of an id" prints second selected -m B.n
claim "--hide leaves the other meaning" prints first selected --hide B.n
claim "--under distinguishes the meanings" prints second selected --under B.n
claim "a window keeps the meanings of cut calls" \
    prints second selected -m 'B.*' --from=0 --to=1h
around()
{
	dmtrace graph -q --around "$1" "$redefined" |
	    sed -n 's/^node[1-9].*label="\([AB]\.[mn]\).*/\1/p'
}
echo B.n >wanted
claim "graph --around matches the second meaning" prints wanted around B.n
claim "a name that no meaning has exits with 2" says 'no such method' \
    dmtrace filter -o x -m C.o "$redefined"
finish
