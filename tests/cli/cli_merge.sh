#!/bin/sh
# cli_merge.sh - several traces to one, as users and other programs see it

. "$srcdir/tests/helpers/claim.sh"

# notes TEXT COMMAND...: exit status 0, and a line on standard error
notes()
{
	text=$1
	shift
	exits 0 "$@" 2>error && has "$text" error
}

# thread and microseconds of each record, in the file's order
events()
{
	dmtrace dump -q -f tsv "$1" | awk -F '\t' '
	NR > 1 { printf "%s%s:%d", blank, $1, $5 / 1000; blank = " " }
	END { print "" }'
}

# merges EVENTS OPTION...: a.trace and b.trace
merges()
{
	wanted=$1
	shift
	rm -f o.trace
	exits 0 dmtrace merge -q -o o.trace "$@" a.trace b.trace &&
	    [ "$(events o.trace)" = "$wanted" ] || { events o.trace; false; }
}

echo 1 4 20 | write_trace a.trace 2 wall
echo 1 4 10 | write_trace b.trace 2 wall
cp a.trace c.trace

claim "events are in the order of time" merges '2:10 1:20'
claim "--threads=keep keeps ids that are free" merges '2:10 1:20' --threads keep
claim "--threads=renumber numbers all threads" \
    merges '2:10 1:20' --threads=renumber
claim "--threads=union makes one thread of two" \
    merges '1:10 1:20' --threads union
echo 0 4 20 | write_trace a.trace 2 wall
claim "a stream has no thread 0, and thread 1 stays" \
    merges '1:10 2:20' -d f2
cp c.trace a.trace
echo 1 4 20 | write_trace cpu.trace 2 thread-cpu
echo 1 4 10 | write_trace sooner.trace 2 thread-cpu
union_of()
{
	dmtrace merge -q --threads=union -o united.trace "$@" &&
	    dmtrace validate -q united.trace
}
claim "the CPU time of a united thread continues" \
    union_of sooner.trace cpu.trace
# goes_back MESSAGE INPUT...: their thread cannot be one
goes_back()
{
	message=$1
	shift
	rm -f united.trace
	says "thread 1 of several inputs: its $message" \
	    dmtrace merge -q --threads=union -o united.trace "$@" &&
	    no_output united
}
printf '1 4 10 10\n1 5 1000 1000\n' | write_trace dual.trace 3 dual
printf '1 4 5 2000\n1 5 50 2100\n' | write_trace later.trace 3 dual
printf '1 4 1000 2000\n1 5 1001 2100\n' | write_trace on.trace 3 dual
printf '2 4 100\n1 4 50\n1 5 60\n2 5 110\n' | write_trace late.trace 2 wall
printf '1 4 70\n1 5 80\n' | write_trace wall.trace 2 wall
printf '1 4 9 9\n1 5 7 10\n' | write_trace back.trace 3 dual
claim "CPU times of a united thread may not go back" \
    goes_back 'CPU times go back from 20 us to 10 us;' cpu.trace sooner.trace
claim "CPU times next to wall times may not go back" goes_back \
    'CPU times go back from 1000 us to 5 us;' dual.trace later.trace
claim "times of a united thread may continue" union_of dual.trace on.trace
claim "wall times of unsorted inputs may not go back" goes_back \
    'wall times go back from 80 us to 50 us, as' late.trace wall.trace
dmtrace sort -q -o sorted.trace late.trace
claim "sort puts the unsorted inputs in order" union_of sorted.trace wall.trace
claim "times may not go back if inputs are concatenated" goes_back \
    'wall times go back from 80 us to 50 us;' --align=none wall.trace late.trace
echo 1 4 3000000000 | write_trace far.trace 2 wall
claim "times may not go back by more than half of 2^32 us" goes_back \
    'wall times go back from 3000000000 us to 70 us' \
    --align=none far.trace wall.trace
claim "times that go back in an input are accepted" exits 1 dmtrace merge -q \
    --threads=union -o united.trace back.trace on.trace
claim "--align=start aligns by the headers" merges '2:10 1:20' --align start
claim "--align=zero makes all inputs begin at once" \
    merges '2:10 1:20' --align=zero
claim "--align=none concatenates" merges '1:20 2:10' --align none
claim "--offset shifts an input" merges '1:20 2:30' --offset b.trace=20us
claim "--offset may be negative" \
    merges '1:5 2:10' --offset=a.trace=-0.015ms
claim "each input can have an offset" merges '1:1020 2:2010' \
    --offset a.trace=1000us --offset b.trace=2ms
claim "of two offsets for an input, the last one counts" merges '2:10 1:25' \
    --offset a.trace=1000us --offset b.trace=0 --offset a.trace=5us
claim "-d chooses the version" merges '2:10 1:20' -d v3
claim "the version is in the header" sh -c \
    'dmtrace info o.trace | grep -q "^version *3; records of 10"'
claim "--prefix adds the name of the input" sh -c '
	mkdir -p sub && cp b.trace sub/b.trace
	dmtrace merge -q --prefix -o o.trace a.trace ./sub/b.trace &&
	    dmtrace info o.trace >listed &&
	    grep -q " a:main$" listed && grep -q " b:main$" listed'
# names TEXT OPTION...: those of the threads of a.trace and sub/b.trace
names()
{
	wanted=$1
	shift
	dmtrace merge -q -o o.trace "$@" a.trace ./sub/b.trace &&
	    sed '1,/^\*threads/d; /^\*/,$d' o.trace | cut -f 2 |
	    tr '\n' ' ' >listed && [ "$(cat listed)" = "$wanted " ] ||
	    { cat listed; return 1; }
}
claim "names that inputs share get a prefix without --prefix" \
    names 'a:main b:main'
claim "the second input of one name adds its number" sh -c '
	cp b.trace sub/a.trace
	dmtrace merge -q -o o.trace a.trace sub/a.trace sub/b.trace &&
	    sed "1,/^.threads/d; /^.methods/,\$d" o.trace | cut -f 2 |
	    tr "\n" " " >listed; rm sub/a.trace
	[ "$(cat listed)" = "a:main a#2:main b:main " ] ||
	    { cat listed; false; }'
claim "united threads get no prefix" names main --threads=union
claim "the number of prefixed names is reported" \
    notes '2 threads have names that other' \
    dmtrace merge -o o.trace a.trace b.trace
said_first()
{
	{ cat a.trace; printf x; } >x.trace
	exits 1 dmtrace merge -o o.trace x.trace b.trace 2>error &&
	    sed '2,$d' error | grep -q 'events are in the order of their' &&
	    grep -q '^dmtrace merge: x.trace: byte' error ||
	    { cat error; return 1; }
}
claim "the treatment of start times is reported first" said_first
claim "the alignment by start times is reported" notes 'from the start times' \
    dmtrace merge -o o.trace a.trace b.trace
claim "the alignment at zero is reported" notes 'all inputs began together' \
    dmtrace merge --align zero -o o.trace a.trace b.trace
claim "the concatenation is reported" notes 'inputs were' \
    dmtrace merge --align none -o o.trace a.trace b.trace
claim "-q hides these reports" \
    silent dmtrace merge -q -o o.trace a.trace b.trace
cp o.trace twice.trace
claim "the same merge gives the same bytes" sh -c '
	dmtrace merge -q -o o.trace a.trace b.trace && cmp o.trace twice.trace'
claim "input and output may be pipes" prints twice.trace \
    sh -c 'cat a.trace | dmtrace merge -q - b.trace |
    LC_ALL=C sed s/stdin:main/a:main/'
claim "a base name is an input" prints twice.trace dmtrace merge -q a b
claim "a pair is an input" prints twice.trace \
    sh -c 'dmtrace split -q b.trace && dmtrace merge -q a.trace b.key'
claim "the output may be a pair" sh -c '
	dmtrace merge -q -o pair.key a.trace b.trace &&
	    cat pair.key pair.data | cmp - twice.trace'
claim "--sync changes no byte" prints twice.trace sh -c '
	dmtrace merge -q --sync -o o.trace a.trace b.trace && cat o.trace'
rm o.trace b.key b.data

# write_times FILE THREAD MICROSECONDS...: an enter at each
write_times()
{
	thread=$2
	file=$1
	shift 2
	for time; do
		echo "$thread 4 $time"
	done | write_trace "$file" 2 wall
}

# merged EVENTS FILE...: what becomes of these inputs in this order
merged()
{
	wanted=$1
	shift
	exits 0 dmtrace merge -q -o m.trace "$@" &&
	    [ "$(events m.trace)" = "$wanted" ] || { events m.trace; false; }
}

# Of one microsecond, the first input's events come first: of times near each
# other and far apart, and of an event that stands after a later one.
write_times x 3 5 5 9
write_times y 1 5 9 9
write_times z 2 5 9
claim "equal times are in the order of the inputs" \
    merged '3:5 3:5 1:5 2:5 3:9 1:9 1:9 2:9' x y z
claim "equal times are in this order whatever the threads are" \
    merged '2:5 1:5 3:5 3:5 2:9 1:9 1:9 3:9' z y x
write_times x 3 5 70000 90000000
write_times y 1 5 70000 90000000
write_times z 2 70000 90000000
claim "equal times that are far apart in the inputs are merged" \
    merged '3:5 1:5 3:70000 1:70000 2:70000 3:90000000 1:90000000 2:90000000' \
    x y z
claim "the same in the other order of inputs" \
    merged '1:5 3:5 2:70000 1:70000 3:70000 2:90000000 1:90000000 3:90000000' \
    z y x
printf '%s\n' '3 4 9' '2 4 5' '3 4 9' | write_trace x 2 wall
write_times y 1 9
claim "a late event keeps its place in its input" merged '3:9 2:5 3:9 1:9' x y
claim "a late event keeps its place after an earlier input" \
    merged '1:9 3:9 2:5 3:9' y x

# write_many FILE THREAD: 32,768 events of one moment between two others
write_many()
{
	write_times "$1" "$2" 6 7 8
	size=$(wc -c <"$1")
	head -c $((size - 10)) "$1" | tail -c 10 >same
	for doubled in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		cat same same >twice
		mv twice same
	done
	{ head -c $((size - 20)) "$1"; cat same; tail -c 10 "$1"; } >many
	mv many "$1"
}

# moment THREAD THREAD FILE FILE: the merge of two such files, and its order
moment()
{
	printf '%s 6\n%s 6\n' "$1" "$2" >wanted
	yes "$1 7" | head -n 32768 >>wanted
	yes "$2 7" | head -n 32768 >>wanted
	printf '%s 8\n%s 8\n' "$1" "$2" >>wanted
	dmtrace merge -q "$3" "$4" | dmtrace dump -q -f tsv - |
	    awk -F '\t' 'NR > 1 { print $1, $5 / 1000 }' | cmp wanted -
}

write_many x 3
write_many y 1
claim "more events of one time than memory holds are merged" moment 3 1 x y
claim "the same in the other order of inputs" moment 1 3 y x

# Every version and clock, with every other one that has its clock.
kinds='1:wall 2:wall 3:wall 3:dual 1:thread-cpu 2:thread-cpu 3:thread-cpu'
for kind in $kinds; do
	dmtrace generate -q --seed 3 --events 400 --threads 3 --methods 9 \
	    -d "v${kind%:*}" --clock "${kind#*:}" -o "${kind%:*}${kind#*:}.t"
done

# counts KIND KIND: the merged records are those of both, thread by thread
counts()
{
	dmtrace merge -q --threads renumber -o m.t "$1.t" "$2.t" &&
	    dmtrace dump -q -f tsv m.t | cut -f 1 | sort -n | uniq -c >m.list
	{
		dmtrace dump -q -f tsv "$1.t"
		dmtrace dump -q -f tsv "$2.t" | awk -F '\t' '
		NR > 1 { printf "%d\n", $1 + 3 }'
	} | cut -f 1 | sort -n | uniq -c | cmp - m.list
}

for one in $kinds; do
	for other in $kinds; do
		a=${one%:*}${one#*:}
		b=${other%:*}${other#*:}
		case $a$b in
		*wall*thread-cpu* | *thread-cpu*wall*)
			claim "$a and $b have no clock in common" \
			    says 'no clock is in all traces' \
			    dmtrace merge -o o.trace "$a.t" "$b.t" ;;
		*)
			claim "$a and $b are merged" counts "$a" "$b" ;;
		esac
	done
done
claim "inputs without a common clock leave no output" no_output
claim "the loss of CPU times is counted" \
    notes '400 events lost their thread CPU time' \
    dmtrace merge -o m.t 3dual.t 2wall.t
claim "the loss of wall times is counted" \
    notes '400 events lost their wall time' \
    dmtrace merge -o m.t 3dual.t 2thread-cpu.t
claim "the loss of a clock is a warning" \
    notes 'warning: 400 events lost their wall time' \
    dmtrace merge -o m.t 3dual.t 2thread-cpu.t
if have script && script -qec : /dev/null </dev/null >seen 2>&1; then
	yellow=$(printf '\033[1;33mdmtrace merge: \033[0mwarning: 400 events')
	claim "the warning is yellow on a terminal" \
	    sh -c 'NO_COLOR= TERM=xterm \
	    script -qec "dmtrace merge -o m.t 3dual.t 2wall.t" /dev/null \
	    </dev/null | grep -qF "$1"' sh "$yellow"
fi
claim "--strict refuses to lose CPU times" \
    says '3dual.t: its wall times would be lost: input 2 has none' \
    dmtrace merge --strict -o o.trace 3dual.t 2thread-cpu.t
claim "--strict refuses to lose wall times" \
    says '3dual.t: its thread CPU times would be lost: input 1 has none' \
    dmtrace merge --strict -o o.trace 2wall.t 3dual.t
claim "--strict refuses a version with one clock" \
    says '3dual.t: its thread CPU times would be lost: version 2 has one' \
    dmtrace merge --strict -d v2 -o o.trace 3dual.t
claim "--strict writes nothing then" no_output
claim "--strict accepts inputs that lose nothing" \
    exits 0 dmtrace merge -q --strict -o m.t 3dual.t 3dual.t
claim "CPU times are not compared" \
    notes 'wall times cannot be compared' \
    dmtrace merge -o m.t 2thread-cpu.t 2thread-cpu.t

# The real program lists the events of both, in the order of time. With -d v2
# all has 2-byte thread ids, so that threads 1 to 3 become 4 to 6.
listed()
{
	dmtracedump -o "$1" 2>/dev/null | LC_ALL=C awk -v add="$2" '
	/^Trace \(threadID action usecs/ { go = 1; next }
	go { $1 += add; gsub(/\.+/, " "); print $3, $1, $2, $4, $5 }'
}

as_dmtracedump_has_it()
{
	dmtrace merge -q --threads renumber -d "v$1" -o m.t 2wall.t other.t &&
	    listed m.t 0 >merged
	{ listed 2wall.t 0; listed other.t 3; } | sort -s -n -k 1,1 >both
	[ "$(wc -l <both)" -eq 1000 ] && cmp both merged
}

dmtrace generate -q --seed 4 --events 600 --threads 3 --methods 9 \
    -d v2 -o other.t
if have dmtracedump; then
	for version in 1 2 3; do
		claim "dmtracedump lists version $version as both inputs" \
		    as_dmtracedump_has_it "$version"
	done
else
	skip "dmtracedump lists both inputs" "no dmtracedump here"
fi

claim "a missing operand is a usage error" \
    says 'no file is named' dmtrace merge -o o.trace
claim "a missing file exits with 2" says 'cannot open no.trace' \
    dmtrace merge -o o.trace a.trace no.trace
claim "an offset of an unknown input suggests a similar one" \
    says 'a.trac is not an input (did you mean a.trace' \
    dmtrace merge --offset a.trac=1s -o o.trace a.trace b.trace
claim "of five similar inputs, three are suggested" \
    says 'abcd is not an input (did you mean abcx, abcy or abxy?)' \
    dmtrace merge --offset abcd=1s abxy abxz abcx abyy abcy
claim "an invalid offset is a usage error" says '"a.trace" is not FILE=TIME' \
    dmtrace merge --offset a.trace -o o.trace a.trace b.trace
claim "an offset below a microsecond is refused" says 'whole microseconds' \
    dmtrace merge --offset a.trace=1ns -o o.trace a.trace b.trace
claim "a time below zero is refused" says 'a.trace: byte' \
    dmtrace merge --offset a.trace=-1s -o o.trace a.trace b.trace
claim "a time of more than 71 minutes is refused" says '(71 minutes)' \
    dmtrace merge --offset a.trace=2h -o o.trace a.trace b.trace
claim "standard input is refused as two inputs" says 'one trace, not 2' \
    sh -c 'dmtrace merge -o o.trace - - <a.trace'
claim "an output that is an input is refused" \
    says 'a.trace is both the input and the output' \
    dmtrace merge -o a.trace a.trace b.trace
claim "an output that is an input by its base name is refused" \
    says 'a.trace is both the input and the output' \
    dmtrace merge -o a.trace a b
claim "the input is unchanged" cmp a.trace c.trace
dmtrace generate -q --threads 40000 --events 2 -d v2 -o many.trace
cp many.trace more.trace
claim "too many threads for a thread number of 16 bits are an error" \
    says 'more than 65535 threads, which only version 4 or 5 can number' \
    dmtrace merge -o o.trace many.trace more.trace
claim "version 4 has numbers for them" \
    dmtrace merge -q -d v4 -o all.trace many.trace more.trace
rm -f all.trace many.trace more.trace
claim "an unknown value of --threads is a usage error" \
    exits 2 dmtrace merge --threads x a
claim "no failure leaves a file" no_output
{ cat a.trace; printf 'cut'; } >cut.trace
claim "a truncated record is an error, and the rest is merged" \
    exits 1 dmtrace merge -q -o o.trace cut.trace b.trace
claim "the output has the rest" \
    sh -c "[ \"$(events twice.trace)\" = '2:10 1:20' ]"
rm o.trace

# What stops a merge leaves no half of it.
for seed in 1 2; do
	dmtrace generate -q --seed "$seed" --events 60000 -d v2 \
	    -o "big$seed.trace"
done
claim "it ends quietly if the reader closes the pipe" test -z \
    "$(sh -c 'dmtrace merge -q big1.trace big2.trace | head -c 10 >cut' 2>&1)"
claim "the limit on file sizes is reported" exits 2 \
    sh -c 'ulimit -f 100; exec dmtrace merge -q -o o.trace big?.trace'
claim "no partial file is left" no_output
dmtrace merge -q -o whole.trace big1.trace big2.trace

# streams_counted: between the records of streams there are packets
streams_counted()
{
	dmtrace generate -q --seed 5 --events 300 --threads 3 -o s.trace &&
	    dmtrace convert -q -d f2 -o s2.trace s.trace &&
	    dmtrace merge -q -o o.trace s2.trace s2.trace s.trace &&
	    sed '/^\*threads/q' o.trace | grep -qx num-method-calls=900
}

claim "num-method-calls is the number of records, of streams too" \
    streams_counted

# killed N: at some moment; then the output is whole or is not there
killed()
{
	rm -f o.trace .dmtrace*
	dmtrace merge -q -o o.trace big1.trace big2.trace &
	child=$!
	i=0
	while [ "$i" -lt "$1" ]; do
		i=$((i + 1))
	done
	kill -9 "$child" 2>/dev/null
	wait "$child" 2>/dev/null
	[ ! -e o.trace ] || cmp o.trace whole.trace
}

many_killed()
{
	n=0
	while [ "$n" -lt "$1" ]; do
		killed $((n * 37 % 200 * 30)) || return 1
		n=$((n + 1))
	done
}

printf 'dmtrace text 1\ndmtrace-padding=...\n0 1 A.m\n1 1 A.m\n' >padded.dmt
dmtrace merge -q -o padded.trace padded.dmt padded.dmt
claim "the line that reserved room for the key of a recorder is dropped" sh -c '
    dmtrace dump --text padded.trace >text && ! grep dmtrace-padding text'

more && kills=400 || kills=20
claim "killed $kills times, it leaves no partial file" many_killed $kills

if [ "$SANITIZED" = yes ]; then
	skip "memory does not grow with the records" 'sanitizers take more'
else
	claim "memory does not grow with the records" sh -c '
		dmtrace generate -q --events 2000000 -d v2 -o l.trace
		ulimit -v 40000
		dmtrace merge -q l.trace l.trace l.trace l.trace >/dev/null'
fi
finish
