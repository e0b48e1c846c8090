#!/bin/sh
# cli_renamed.sh - threads whose names change between their events

. "$srcdir/tests/helpers/claim.sh"

# thread NUMBER NAME, record THREAD METHOD TIME: of a stream with two clocks;
# all numbers are single bytes in octal
thread() { printf "\\0\\0\\2\\$1\\0\\3\\0$2"; }
record() { printf "\\$1\\0\\$2\\0\\0\\0\\$3\\0\\0\\0\\$3\\0\\0\\0"; }
summary()
{
	text="*version\n3\nclock=dual\nelapsed-time-usec=50\n"
	text="${text}num-method-calls=6\nvm=art\npid=1\n"
	text="$text*threads\n1\tnew\n2\tbee\n*methods\n*end\n"
	printf "\\0\\0\\3\\$(printf "$text" | wc -c | xargs printf %o)\\0\\0\\0"
	printf "$text"
}
begin()
{
	printf 'SLOW\363\0\40\0\0\100\20\44\1\0\0\0\16\0'
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	printf '\0\0\1\23\0000x4\tA\tf\t()V\tA.java\n'
}

# "old" until 20 us, then "new"; the third record is out of order
{
	begin
	thread 1 old
	record 1 4 12
	record 1 5 24
	thread 2 bee
	record 2 4 17
	thread 1 new
	record 1 4 36
	record 2 5 43
	record 1 5 50
	summary
} >f3.trace

# names FILE: each thread packet, and the thread of each record, of a stream
names()
{
	od -An -v -tu1 "$1" | tr -s ' ' '\n' | sed '/^$/d' | awk '
	{ byte[count++] = $1 }
	function number(at, len) {
		value = 0
		while (len-- > 0)
			value = value * 256 + byte[at + len]
		return value
	}
	END {
		size = number(4, 2) % 240 == 3 ? number(16, 2) : 10
		for (at = number(6, 2); at < count; at += step) {
			step = size
			if (number(at, 2) > 0) {
				printf "%s ", number(at, 2)
			} else if (byte[at + 2] == 1) {
				step = 5 + number(at + 3, 2)
			} else if (byte[at + 2] == 2) {
				step = 7 + number(at + 5, 2)
				printf "%s=", number(at + 3, 2)
				for (i = at + 7; i < at + step; i++)
					printf "%c", byte[i]
				printf " "
			} else {
				break
			}
		}
		print ""
	}'
}

# has_names NAMES FILE
has_names()
{
	names "$2" >names
	[ "$(cat names)" = "$1 " ] || { cat names; return 1; }
}

# keeps FILE COMMAND...: its output has the same names at the same events
keeps()
{
	file=$1
	shift
	names "$file" >before
	exits 0 dmtrace "$@" -q -o kept "$file" && names kept | cmp before -
}

# rejoins FILE WAY: so does what it is split to, joined again
rejoins()
{
	rm -rf pieces
	mkdir pieces
	dmtrace split -q --by "$2" -o pieces/ "$1" &&
	    dmtrace merge -q --rejoin -o joined pieces/*
}

claim "the stream is as it should be" \
    has_names '1=old 1 1 2=bee 2 1=new 1 2 1' f3.trace
claim "it has both names of the thread" \
    sh -c 'dmtrace filter -q -t old -o o f3.trace && dmtrace filter -q -t new \
    -o n f3.trace && cmp o n && dmtrace info o | grep "events *4"'
claim "a filtered thread keeps its names" \
    sh -c 'dmtrace filter -q -t 1 -o kept f3.trace'
claim "they are at the same events" has_names '1=old 1 1 1=new 1 1' kept
dmtrace filter -q --to 25us -o kept f3.trace
claim "a window has the name of its time" has_names '1=old 1 1 2=bee 2 2' kept
claim "sort puts names in order with the events" exits 0 \
    dmtrace sort -q -o sorted f3.trace
claim "each event has the name that it had" \
    has_names '1=old 1 2=bee 2 1 1=new 1 2 1' sorted
claim "shift keeps names" keeps f3.trace shift --by 1ms
claim "repair keeps names" keeps f3.trace repair
claim "convert to another stream keeps names" keeps f3.trace convert -d f2
for way in events=3 thread time=20us size=1000; do
	claim "pieces keep names, split by $way" rejoins f3.trace $way
	wanted='1=old 1 1 2=bee 2 1=new 1 2 1'
	[ $way != thread ] || wanted='1=old 1 2=bee 2 1 1=new 1 2 1'
	claim "so has the trace that is joined again" has_names "$wanted" joined
done
# Four names, of which the summary has the second, which is also the last.
{
	begin
	at=0
	for name in old new six ten new; do
		thread 1 $name
		record 1 4 $((at += 1))
		record 1 5 $at
	done
	summary
} >four.trace
for way in events=1 time=2us; do
	claim "pieces have the order of many names, split by $way" \
	    rejoins four.trace $way
	claim "so has the trace that is joined from these" has_names \
	    '1=old 1 1 1=new 1 1 1=six 1 1 1=ten 1 1 1=new 1 1' joined
done
claim "a piece of one thread has its names" sh -c '
    rm -rf pieces && mkdir pieces &&
    dmtrace split -q --by thread -o pieces/ f3.trace &&
    cp pieces/*new* piece'
claim "the names of the whole trace come first" \
    has_names '1=new 2=bee 1=old 1 1 1=new 1 1' piece

# A thread has each name at its events, also while the trace is written.
dmtrace tail -q f3.trace | awk 'NR > 1 { print $3 "=" $4 }' >tailed
claim "tail prints the name of the time" sh -c '
    printf "%s\n" 1=old 1=old 2=bee 1=new 2=bee 1=new | cmp - tailed'

# A merge keeps the last name only, and says so.
dmtrace generate -q -d f3 --events=6 --threads=1 -o other.trace
dmtrace sort -q -o sorted f3.trace
for dialect in f3 v3; do
	claim "a merge to $dialect counts the names that it leaves out" \
	    sh -c "dmtrace merge --align=zero -d $dialect -o merged \
	    sorted other.trace 2>&1 | grep 'merge: 1 earlier names of threads'"
done
claim "nothing is left out without such names" sh -c '
    dmtrace merge --align=zero -o merged other.trace other.trace 2>&1 |
    grep "earlier names"; [ $? -eq 1 ]'

# Trace format V2, whose names are seen in a stream.
# back FILE: a stream of it
back() { dmtrace convert -q -d f3 -o stream "$1"; }
for stage in c e f; do
	claim "stage $stage of trace format V2 keeps names" \
	    dmtrace convert -q -d v5 --stage $stage -o v5 f3.trace
	back v5
	claim "a stream of it has them, too" \
	    has_names '1=old 1 1 2=bee 2 1=new 1 2 1' stream
	dmtrace shift -q --by 1ms -o shifted v5
	back shifted
	claim "shift keeps them in stage $stage" \
	    has_names '1=old 1 1 2=bee 2 1=new 1 2 1' stream
	for way in events=3 time=20us; do
		claim "pieces keep them, split by $way" rejoins v5 $way
		back joined
		claim "so has stage $stage that is joined again" \
		    has_names '1=old 1 1 2=bee 2 1=new 1 2 1' stream
	done
done

# A thread that gets an earlier name again.
{
	begin
	for name in old:1:2 new:3:4 old:5:6; do
		times=${name#*:}
		thread 1 ${name%%:*}
		record 1 4 ${times%:*}
		record 1 5 ${times#*:}
	done
	summary
} >again.trace
claim "a name that comes back is one row" sh -c \
    '[ "$(dmtrace info again.trace | grep -c "^  *1  ")" -eq 1 ]'
claim "it comes back in the output, too" keeps again.trace convert -d f2
finish
