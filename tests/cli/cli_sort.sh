#!/bin/sh
# cli_sort.sh - events in the order of their times

. "$srcdir/tests/helpers/claim.sh"

# octal NUMBER: four bytes of it, the low one first
octal()
{
	printf '\\%03o\\%03o\\%03o\\%03o' $(($1 & 255)) $(($1 >> 8 & 255)) \
	    $(($1 >> 16 & 255)) $(($1 >> 24 & 255))
}

front()
{
	printf '*version\n2\nclock=%s\n*threads\n1\tmain\n2\ttwo\n' "$1"
	printf '*methods\n0x4\tA\tm\t()V\n*end\n'
	printf 'SLOW\002\000\040\000\001\002\003\004\005\006\007\000'
	printf '\000\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
}

# records: of lines "thread action time"
records()
{
	while read -r thread action time; do
		printf "\\00$thread\\000\\00$((4 + action))\\000\\000\\000"
		printf "$(octal "$time")"
	done
}

{ front wall; records; } >blocks.trace <<ROWS
1 0 10
1 1 70000
2 0 5
2 0 20
2 1 20
2 1 70000
ROWS
{ front wall; records; } >sorted.trace <<ROWS
2 0 5
1 0 10
2 0 20
2 1 20
1 1 70000
2 1 70000
ROWS

claim "blocks of threads are sorted" silent dmtrace sort -o o.trace blocks.trace
claim "all times are in order, equal times as before" cmp sorted.trace o.trace
claim "a sorted trace is accepted" silent dmtrace sort -o o.trace sorted.trace
claim "a sorted trace is copied" cmp sorted.trace o.trace
claim "the output may be a pipe" prints sorted.trace dmtrace sort blocks.trace
claim "the input may be a pipe" prints sorted.trace \
    sh -c 'cat blocks.trace | dmtrace sort -'
{ printf 12345; cat blocks.trace; } >prefixed
claim "a file is read from its current offset" prints sorted.trace \
    sh -c '{ dd bs=1 count=5 >skipped 2>&1; dmtrace sort -; } <prefixed'
claim "the output may be a pair" silent dmtrace sort -o half.key blocks.trace
claim "the two files of the pair are the trace" \
    sh -c 'cat half.key half.data | cmp sorted.trace -'
claim "the input may be a pair" prints sorted.trace dmtrace sort half
claim "--sync changes no byte" silent \
    dmtrace sort --sync -o o.trace blocks.trace
claim "--sync writes the trace" cmp sorted.trace o.trace
claim "it ends quietly if the reader closes the pipe" test -z \
    "$(sh -c 'dmtrace sort blocks.trace | :' 2>&1)"
rm -f o.trace half.*

for clock in thread-cpu global odd; do
	{ front $clock; records <<ROWS
1 0 10
2 0 5
ROWS
	} >$clock.trace
	{ front $clock; records <<ROWS
2 0 5
1 0 10
ROWS
	} >$clock.sorted
	claim "clock=$clock is refused" says \
	    'cannot be compared' dmtrace sort -q -o o.trace $clock.trace
	claim "clock=$clock: the reason is reported" has '--any-clock' error
	claim "clock=$clock: no file is written" no_output
	claim "clock=$clock: --any-clock sorts it" \
	    prints $clock.sorted dmtrace sort -q --any-clock $clock.trace
done
claim "messages name standard input" says \
    'sort: standard input: times of different threads' sh -c '
    cat odd.trace | dmtrace sort -o o.trace -'

# bytes: of lines of numbers
bytes()
{
	printf "$(awk '{ for (i = 1; i <= NF; i++) printf "\\%03o", $i }')"
}

# made VERSION CLOCK SEED: made.trace has a block of each thread after the
# other, made.sorted the same records as another program sorts them
made()
{
	case $1,$2 in
	1,*) size=9 time=6 ;;
	3,dual) size=14 time=11 ;;
	*) size=10 time=7 ;;
	esac
	dmtrace generate -q --dialect="v$1" --clock "$2" --seed "$3" \
	    --events 1000 --threads 7 -o one.key || return
	sed 's/^vm=dalvik$/vm=others/' one.key >made.front
	head -c 32 one.data >>made.front
	tail -c +33 one.data | od -An -v -tu1 -w$size |
	    LC_ALL=C sort -s -n -k 1,1 >lines
	awk -v at=$time '{
		us = 0
		for (i = 3; i >= 0; i--)
			us = us * 256 + $(at + i)
		printf "%.0f %s\n", us, $0
	}' lines |
	    LC_ALL=C sort -s -n -k 1,1 | cut -d " " -f 2- >sorted
	{ cat made.front; bytes <lines; } >made.trace
	{ cat made.front; bytes <sorted; } >made.sorted
}

# sorts_made VERSION CLOCK SEED
sorts_made()
{
	made "$@" && ! cmp -s made.trace made.sorted &&
	    prints made.sorted dmtrace sort made.trace &&
	    prints made.sorted dmtrace sort --memory 10M - <made.trace &&
	    prints made.sorted dmtrace sort made.sorted &&
	    dmtrace checksum --brief --compare made.trace made.sorted
}

seed=0
while [ "$seed" -lt 20 ]; do
	for kind in '1 wall' '2 wall' '3 wall' '3 dual'; do
		seed=$((seed + 1))
		claim "trace $seed, $kind, is sorted as by sort -s" \
		    sorts_made ${kind% *} ${kind#* } "$seed"
	done
done

# settled FILE: sorted twice it is as sorted once, with the same events
settled()
{
	done_with dmtrace sort -q --any-clock -o once "$1" &&
	    done_with dmtrace sort -q --any-clock -o twice once &&
	    cmp once twice &&
	    dmtrace checksum -q --brief --compare "$1" once
}

# done_with COMMAND...: it did its work, whatever it found
done_with()
{
	status=0
	"$@" || status=$?
	[ "$status" -lt 2 ] || { echo "exit status $status"; return 1; }
}

for file in "$srcdir"/tests/data/good-*.trace; do
	claim "${file##*/}: sorted twice is sorted once" settled "$file"
done

if have dmtracedump; then
	made 2 wall 3
	dmtrace sort -q -o once.trace made.trace
	dmtracedump -o once.trace 2>/dev/null |
	    awk '/^ *[0-9]+ (ent|xit|unr)/ { print $3 }' >times
	claim "dmtracedump reads times that rise" sh -c '
	sort -n times | cmp times - && [ "$(wc -l <times)" -eq 1000 ]'
else
	skip "dmtracedump reads times that rise" "no dmtracedump here"
fi

claim "less memory than 10M is refused" says 'sorting takes at least 10 MiB' \
    dmtrace sort --memory=10239K -o o.trace blocks.trace
claim "no file is written then" no_output
claim "a missing operand is a usage error" says 'no trace is named' dmtrace sort
claim "two operands are a usage error" \
    says 'more than one trace' dmtrace sort a b
claim "a missing file exits with 2" \
    says 'cannot open no' dmtrace sort no -o o.trace
claim "an output that is the input is refused" says \
    'blocks.trace is both the input and the output' \
    dmtrace sort -o blocks.trace blocks.trace
claim "an error in the trace is reported" exits 1 dmtrace sort -q -o o.trace \
    "$srcdir/tests/data/bad-partial-v2-5.trace"
rm -f o.trace

# full FILE OPTION...: the disk is, whatever the size
full()
{
	(trap '' XFSZ && ulimit -f 40 && exits 2 dmtrace sort -q "$@")
}

dmtrace generate -q --events 60000 --dialect=v2 -o whole.trace
claim "a full disk leaves nothing" full -o o.trace whole.trace
claim "a full disk leaves no file and no temporary" no_output
claim "a full disk leaves no copy of a pipe" full -o o.trace - <whole.trace
claim "a full disk leaves no file and no temporary for a pipe" no_output

# What is in order is copied by blocks, of which the last may hold a part of a
# record.
copies()
{
	dmtrace generate -q --events 90000 -d v2 -o long.trace
	for size in 262143 262144 262145 524288 524289; do
		head -c $size long.trace >cut.trace
		dmtrace sort -q -o o.trace cut.trace
		cmp cut.trace o.trace || return
	done
	rm -f o.trace
}

claim "a trace in order is copied, whatever its length" copies

# One thread has two names, each before two records.
{
	printf 'SLOW\363\000\040\000\001\002\003\004\005\006\007\000'
	printf '\016\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
	printf '\000\000\001\020\0000x4\tA\tm\t()V\tA.j\n'
	printf '\000\000\002\007\000\003\000old'
	printf '\007\000\004\000\000\000\001\000\000\000\001\000\000\000'
	printf '\007\000\005\000\000\000\002\000\000\000\002\000\000\000'
	printf '\000\000\002\007\000\003\000new'
	printf '\007\000\004\000\000\000\003\000\000\000\003\000\000\000'
	printf '\007\000\005\000\000\000\004\000\000\000\004\000\000\000'
	printf '\000\000\003\055\000\000\000*version\n3\nclock=dual\n'
	printf '*threads\n*methods\n*end\n'
} >stream.trace
copies_stream()
{
	dmtrace sort -q -o o.trace stream.trace && cmp stream.trace o.trace
}
claim "a stream in order is copied, with each name where it begins" \
    copies_stream
rm o.trace

more && kills=400 || kills=30
# killed: at some moment, many times
killed()
{
	try=0
	while [ "$try" -lt "$kills" ]; do
		try=$((try + 1))
		dmtrace sort -q -o o.trace whole.trace &
		[ $((try % 4)) -eq 0 ] || sleep 0.00$((try % 4))
		kill -9 $! 2>/dev/null
		wait $! 2>/dev/null
		[ ! -e o.trace ] || cmp whole.trace o.trace || return
		rm -f o.trace .dmtrace*
	done
}

claim "killed, it leaves a complete file or none" killed
finish
