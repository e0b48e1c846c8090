#!/bin/sh
# cli_convert.sh - traces in other dialects

. "$srcdir/tests/claim.sh"

data=$srcdir/tests/data

# rows FILE: its events, without where they are
rows()
{
	dmtrace dump -q -f tsv "$1" | cut -f 1-7
}

# same_events DIALECT FILE: and back again
same_events()
{
	dmtrace convert -q -d "$1" -o there "$2" &&
	    dmtrace checksum -b "$2" | cut -c 1-32 >before &&
	    dmtrace checksum -b there | cut -c 1-32 | cmp before -
}

# losses FILE OPTION...: what convert prints of them
losses()
{
	dmtrace convert -f tsv -o there "$@" | awk -F '\t' '
	NR > 1 && $2 > 0 { print $1, $2 }' | tr '\n' ' '
}

# loses TEXT FILE OPTION...
loses()
{
	expected=$1
	shift
	[ "$(losses "$@")" = "$expected" ]
}

key()
{
	printf '*version\n%s\nclock=%s\nvm=art\n*threads\n1\tmain\n' "$1" "$2"
	printf '*methods\n0x10\tA\tm\t()V\tA.java\n*end\n'
}
zeros='\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
start='\304\221\236\054\232\000\000\000'
{
	key 3 dual
	printf "SLOW\\003\\000\\040\\000$start\\016\\000$zeros"
	printf '\001\000\020\000\000\000\001\000\000\000\002\000\000\000'
	printf '\001\000\021\000\000\000\003\000\000\000\005\000\000\000'
} >v3.trace
{
	printf "SLOW\\363\\000\\040\\000$start\\016\\000$zeros"
	printf '\000\000\001\024\0000x10\tA\tm\t()V\tA.java\n'
	printf '\000\000\002\001\000\004\000main'
	printf '\001\000\020\000\000\000\001\000\000\000\002\000\000\000'
	printf '\001\000\021\000\000\000\003\000\000\000\005\000\000\000'
	printf '\000\000\003\073\000\000\000*version\n3\nclock=dual\nvm=art\n'
	printf '*threads\n1\tmain\n*methods\n*end\n'
} >f3.trace
{
	key 2 wall
	printf "SLOW\\002\\000\\040\\000$start\\000\\000$zeros"
	printf '\001\000\020\000\000\000\002\000\000\000'
	printf '\001\000\021\000\000\000\005\000\000\000'
} >v2.trace
{
	printf "SLOW\\362\\000\\040\\000$start\\012\\000$zeros"
	printf '\000\000\001\024\0000x10\tA\tm\t()V\tA.java\n'
	printf '\000\000\002\001\000\004\000main'
	printf '\001\000\020\000\000\000\002\000\000\000'
	printf '\001\000\021\000\000\000\005\000\000\000'
	printf '\000\000\003\073\000\000\000*version\n2\nclock=wall\nvm=art\n'
	printf '*threads\n1\tmain\n*methods\n*end\n'
} >f2.trace

# makes EXPECTED OPTION... FILE
makes()
{
	expected=$1
	shift
	dmtrace convert -q "$@" >out && cmp "$expected" out
}

claim "a stream becomes version 3" makes v3.trace f3.trace
claim "version 3 becomes a stream" makes f3.trace --dialect=f3 v3.trace
claim "version 3 becomes version 2" makes v2.trace -d v2 v3.trace
claim "and a stream of one clock" makes f2.trace -d f2 v3.trace
claim "a stream of one clock becomes version 2" makes v2.trace -d v2 f2.trace
for dialect in v2 v3 f2 f3; do
	claim "$dialect is copied" \
	    makes $dialect.trace -d $dialect $dialect.trace
done
claim "the other clock is kept if it is asked for" sh -c '
    dmtrace convert -q -d v1 --clock=cpu f3.trace | dmtrace dump -f tsv - |
    cut -f 1-7 >one && grep -q cpu one'
claim "a wall time is lost" loses 'wall-dropped 2 ' -d v2 --clock=cpu v3.trace
claim "a CPU time is lost" loses 'cpu-dropped 2 ' -d f2 v3.trace
claim "a CPU time is invented" loses 'cpu-invented 2 ' v2.trace
claim "nothing is lost of the rest" loses '' f3.trace
all='cpu-invented 4 padding-dropped 4 thread-name-dropped 1 '
claim "the names of a thread but the last, bytes, a method's id" \
    loses "${all}method-renumbered 1 " "$data/good-stream-odd.trace"
claim "which are other methods then" sh -c '
    [ "$(dmtrace dump -q -f tsv there | cut -f 6- | sort -u | wc -l)" -gt 2 ]'
claim "thread 0 gets another number in a stream" \
    loses 'thread-renumbered 1 ' -d f2 "$data/good-thread-0.trace"
claim "with its name" sh -c 'dmtrace dump there | grep -q " 1 nobody  enter"'
claim "a loss is reported" \
    replies 0 "2 events lost their CPU time (cpu-dropped)" \
    dmtrace convert -d v2 -o there v3.trace
claim "--strict refuses it" says "2 events lost their CPU time" \
    dmtrace convert --strict -d v2 -o strict v3.trace
claim "and writes nothing" [ ! -e strict ]
claim "--strict of nothing lost is well" \
    exits 0 dmtrace convert --strict -d f3 -o strict v3.trace
claim "version 3 has two clocks" says "two clocks" \
    dmtrace convert -d f3 --clock=wall -o there v3.trace
claim "a stream is no pair" says "ART streaming has no key" \
    dmtrace convert -d f3 -o there.key v3.trace
claim "a stream becomes a pair" sh -c '
    dmtrace convert -o pair.key f3.trace && cat pair.key pair.data |
    cmp - v3.trace'
claim "of a pipe" sh -c 'cat f3.trace | dmtrace convert - | cmp - v3.trace'
claim "the table needs a file" says "name a file with -o" \
    dmtrace convert -f json v3.trace
claim "JSON has every loss" sh -c '
    dmtrace convert -f json -o there -d v2 v3.trace >table &&
    [ "$(wc -l <table)" -eq 8 ] &&
    grep -q "{\"loss\":\"cpu-dropped\",\"count\":2}" table'

if [ -n "$DMTRACE_CORPUS" ] && [ -d "$DMTRACE_CORPUS" ]; then
	real=$DMTRACE_CORPUS/perflib-streaming.trace
	claim "a real stream has the same events as version 3" \
	    same_events v3 "$real"
	claim "44,339 of them" [ "$(rows there | sed 1d | wc -l)" -eq 44339 ]
	claim "and again as a stream" sh -c '
	    dmtrace convert -q -d f3 -o back there &&
	    dmtrace checksum -b back | cut -c 1-32 | cmp before -'
	if have dmtracedump; then
		claim "dmtracedump lists as many" sh -c '
		    [ "$(dmtracedump -o there | grep -c " ent\| xit")" \
		    -eq 44339 ]'
	else
		skip "dmtracedump lists as many" "no dmtracedump here"
	fi
else
	skip "a real stream is converted" "no DMTRACE_CORPUS"
fi
finish
