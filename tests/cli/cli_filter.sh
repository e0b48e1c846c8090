#!/bin/sh
# cli_filter.sh - some of a trace's events, and what is none of it

. "$srcdir/tests/helpers/claim.sh"

# A trace of two threads, in version 2 with wall times.
key()
{
	printf '*version\n2\nclock=wall\n*threads\n%b\n*methods\n%b*end\n' \
	    "$1" "$2"
}

# record THREAD METHOD+ACTION MICROSECONDS, each as octal
record()
{
	printf "\\$1"'\000'"\\$2"'\000\000\000'"\\$3"'\000\000\000'
}

a='0x4\tp/A\trun\t()V\n'
b='0x8\tp/A\tgo\t(I)V\n'
c='0xc\tq/B\trun\t()V\n'
{
	key '1\tmain\n2\tworker' "$a$b$c"
	header
	record 001 004 012	# main enters A.run at 10 us
	record 002 014 014	# worker enters B.run at 12
	record 001 010 024	# main enters A.go at 20
	record 001 011 036	# main leaves A.go at 30
	record 002 015 041	# worker leaves B.run at 33
	record 001 005 062	# main leaves A.run at 50
} >in.trace

# leaves FILE OPTION...: the filter exits 0, silent, and makes that file
leaves()
{
	made=$1
	shift
	rm -f out.trace
	exits 0 dmtrace filter "$@" -o out.trace in.trace 2>error &&
	    [ ! -s error ] && cmp "$made" out.trace
}

# says STATUS TEXT COMMAND...: that status, one line on standard error, and no
# output
says()
{
	status_wanted=$1
	text=$2
	shift 2
	rm -f out.trace
	exits "$status_wanted" "$@" 2>error && one_line "$text" error &&
	    [ ! -e out.trace ]
}

# refuses STATUS TEXT OPTION...: and nothing is left of an output
refuses()
{
	wanted=$1
	words=$2
	shift 2
	says "$wanted" "$words" dmtrace filter "$@" -o out.trace in.trace &&
	    ! ls .dmtrace* 2>/dev/null
}

claim "without a condition the output is a copy" leaves in.trace
claim "--raw alone is no condition" leaves in.trace --raw
{
	key '1\tmain' "$a$b"
	header
	record 001 004 012
	record 001 010 024
	record 001 011 036
	record 001 005 062
} >main.trace
for thread in 1 main 'm*' '?ain'; do
	claim "-t $thread selects a thread" leaves main.trace -t "$thread"
done
claim "--thread=main selects by name" leaves main.trace --thread=main
claim "--invert selects the other threads" leaves main.trace -t 2 --invert
claim "--under selects a method and its callees" \
    leaves main.trace --under=p.A.run
claim "--hide leaves out a method" leaves main.trace --hide q.B.run
claim "-t takes a list of numbers" leaves in.trace -t 1,2
claim "-t takes a list of names and numbers" leaves in.trace -t main,2
claim "-t can be given twice" leaves in.trace -t 1 -t worker
claim "-m takes a glob" leaves in.trace -m '*'
claim "-m can be given twice" leaves in.trace -m 'p.A.*' -m /B/
{
	key '1\tmain' "$b"
	header
	record 001 010 024
	record 001 011 036
} >go.trace
for method in p.A.go p/A.go '*.go' 'p?A.go(I)V' 'p.A.go(I)' \
    '*.go(*)' '/\.go\(/' '/^p.A.go$/' '/go\(I\)$/'; do
	claim "-m takes $method" leaves go.trace -m "$method"
done
claim "--depth takes a number" leaves go.trace --depth 2
claim "--depth takes an open range" leaves go.trace --depth=2..
claim "--depth takes a range" leaves go.trace --depth=2..9
claim "--invert reverses --depth" leaves go.trace --depth=..1 --invert
claim "both conditions must hold" leaves go.trace -t main -m '*.go' --depth 2..3
claim "--raw selects a window by each record's time" \
    leaves go.trace --from 20us --to 33us --raw
{
	key '1\tmain\n2\tworker' "$a$c"
	header
	record 001 004 012
	record 002 014 014
	record 002 015 041
	record 001 005 062
} >long.trace
claim "--min-time selects calls by duration" leaves long.trace --min-time 21us
claim "--min-time takes a fraction" leaves long.trace --min-time 0.021ms
claim "--invert with --raw selects outside of the window" \
    leaves long.trace --from 20us --to 31us --raw --invert
{
	printf '*version\n2\nclock=wall\ndmtrace-opened=2\n'
	printf 'dmtrace-closed=1\n*threads\n1\tmain\n2\tworker\n'
	printf '*methods\n%b*end\n' "$a$b$c"
	header
	record 001 004 022
	record 002 014 022
	record 001 010 024
	record 001 011 036
	record 002 015 041
	record 001 005 043
} >window.trace
claim "--from and --to select a window" \
    leaves window.trace --from 18us --to 35us
claim "the input may be a pipe" sh -c 'cat in.trace |
    dmtrace filter --from 18us --to 35us - | cmp window.trace -'
claim "the output may be a pipe" \
    sh -c 'dmtrace filter --depth=2 in.trace | cmp go.trace -'
claim "the output goes to standard output without -o" \
    sh -c 'dmtrace filter - <in.trace | cmp in.trace -'
{
	key '1\tmain\n2\tworker' "$a$b$c"
	header
	record 001 010 024
	record 001 011 036
} >tables.trace
claim "--keep-tables keeps all rows" leaves tables.trace -m '*.go' --keep-tables

dmtrace split -o pair in.trace
claim "the input may be a pair" \
    sh -c 'dmtrace filter -t 1 pair | cmp main.trace -'
claim "the output may be a pair" \
    exits 0 dmtrace filter -t 1 -o half.key in.trace
claim "the two files of the pair are the trace" \
    sh -c 'cat half.key half.data | cmp main.trace -'
claim "without a condition a pair is copied" \
    exits 0 dmtrace filter -o copy.data pair.key
claim "the copied key is the same" cmp pair.key copy.key
claim "the copied data is the same" cmp pair.data copy.data

# Nothing is selected: one line, and output only if asked for.
times='the trace has times from 10 us to 50 us; --allow-empty writes'
while read -r option condition; do
	claim "nothing is selected by $option" \
	    refuses 1 "in.trace: nothing is selected:\
${condition:+ $condition} the window is from 0 s to the end; $times" "$option"
done <<-'ROWS'
--invert
--depth=3 --depth is 3;
--min-time=1s --min-time is 1 s;
ROWS
claim "nothing is selected of a thread without records" \
    refuses 1 "in.trace: nothing is\
 selected: -t is main; -m is q.B.run; the window is" -t main -m q.B.run
claim "nothing is selected after the end of the trace" \
    refuses 1 "in.trace: nothing is selected:\
 the window is from 1.2 s to the end; $times" --from=1.2s
claim "nothing is selected before the start of the trace" \
    refuses 1 "in.trace: nothing is selected:\
 the window is from 0 s to 10 us; $times" --to=10us
claim "nothing is selected in a window of a few nanoseconds" \
    refuses 1 "nothing is\
 selected: the window is from 1.001 us to 2.5 us; $times" \
    --from=1001ns --to=2.5us
claim "-q does not hide that nothing is selected" \
    refuses 1 'nothing is selected: ' -q --depth 3
claim "a pattern that matches nothing is reported" \
    refuses 1 'in.trace: nothing is'\
' selected: no method matches "*.stop"; the window is' -m '*.stop'
claim "a regular expression that matches nothing is reported" \
    refuses 1 'no method matches "/x$/"; the window is' --under '/x$/'
claim "a glob of threads that matches nothing is reported" \
    refuses 1 'no thread matches "x*"; the window is' -t 'x*'
claim "an empty selection is reported with --keep-tables" \
    refuses 1 "$times" -t 'x*' --keep-tables
claim "an empty selection of a pipe is reported" \
    says 1 "standard input: nothing is selected: no thread\
 matches \"x*\"; the window is from 0 s to the end; $times" \
    sh -c 'cat in.trace | dmtrace filter --keep-tables -t "x*" -o out.trace -'
claim "one of two patterns that matches nothing exits with 1" sh -c '
    ! dmtrace filter -o one.out -m "*.run" -m "*.stop" in.trace 2>error &&
    grep -qx "dmtrace filter: in.trace: no method matches \"\*.stop\"" error &&
    dmtrace filter -m "*.run" in.trace | cmp one.out -'
{ key '1\tmain\n2\tworker' "$a$b$c" && header; } >hollow.trace
claim "nothing can be selected of a trace without records" says 1 \
    'hollow.trace: nothing is selected: the trace has no events' \
    dmtrace filter -t 1 -o out.trace hollow.trace
claim "--allow-empty writes an empty selection" sh -c '
    dmtrace filter --depth 3 --allow-empty -o empty.out in.trace 2>error &&
    grep -q "nothing is selected: .* from 10 us to 50 us$" error'
claim "the result of --allow-empty is a valid trace" \
    exits 0 dmtrace dump -f jsonl -o dumped empty.out
claim "the result of --allow-empty has no record" test ! -s dumped
long=$srcdir/tests/data/good-long-running.trace
claim "a dump without a header is not written as an empty file" \
    says 2 'that has no packet, or only that of a thread without a name, or' \
    dmtrace filter -q --from 1000s --to 1001s --allow-empty -o long.out "$long"
claim "nor is one left" test ! -e long.out
# The packets of two threads, of which the second one is cut.
printf '\0\140\140\320\0\0\0\0\020\147\024\0\012\0(' >cut.long
claim "nor is a file that no packet shows to be one" \
    answers 2 'that has no packet, or only that of a thread without a name' \
    dmtrace shift -q --by 5us -o long.out cut.long
claim "nor is that left" test ! -e long.out
printf '%s\n' 'dmtrace text 1' 'header long' \
    'method 0x7001000 app.Main.main()V Main.java' \
    'method 0x1100000000001000 app.Work.step(I)J Work.java' \
    block '10us 1 >0x7001000' '20us 1 >0x1100000000001000' >high.text
dmtrace undump -o high.trace high.text
claim "nor is a file that begins with another method id than those of ART" \
    answers 2 'or begins with one that ART would not write, is no trace' \
    dmtrace filter -q -m 'app.Work*' -o long.out high.trace
claim "that is not left either" test ! -e long.out
claim "but what it was converted to can be empty" sh -c '
	dmtrace convert -q -d v3 -o long.v3 "$1" &&
	    dmtrace filter -q --from 1000s --to 1001s --allow-empty \
	    -o long.out long.v3 && dmtrace validate -q long.out' sh "$long"
printf '%s\n' 'dmtrace text 1' 'header v4' 'thread 1 main' \
    'method 0x4 a.B.c()V' block '10us 1 >0x4' '20us 1 <0x4' summary 'key 4' \
    clock=wall 'thread 16777217 big' '*methods' '*end' end >big.text
dmtrace undump -o big.trace big.text
claim "a thread beyond those of format V2 is among all, and has no events" \
    sh -c 'dmtrace filter -q -t "*" -o out.trace big.trace &&
    dmtrace dump -q -f tsv out.trace | cut -f 1-3 | sed 1d >rows &&
    printf "%s\n" "1	enter	0x4" "1	exit	0x4" | cmp - rows'
claim "--allow-empty with -q prints no message" silent \
    dmtrace filter -q -m '*.stop' --allow-empty -o empty.out in.trace
claim "the result of --allow-empty with -q is a valid trace" \
    exits 0 dmtrace dump empty.out

# What is unknown, with the nearest names.
claim "an unknown thread name exits with 2" \
    refuses 2 'no such thread: "mian" (did you mean main?)' -t mian
claim "an unknown thread number exits with 2" \
    refuses 2 'no such thread: "7" (did you mean 2 or 1?)' -t 7
claim "an unknown number with a known one exits with 2" \
    refuses 2 'no such thread: "7" (did you mean 2 or 1?)' -t 1,7
claim "an unknown number with a known name exits with 2" \
    refuses 2 'no such thread: "7" (did you mean 2 or 1?)' -t main,7
claim "an unknown number with another condition exits with 2" \
    refuses 2 'no such thread: "7" (did you mean 2 or 1?)' -t 1,7 --depth 1
claim "an unknown method exits with 2" \
    refuses 2 'no such method: "p.A.rum" (did you mean p.A.run' -m p.A.rum
claim "a method without its package is suggested in full" \
    refuses 2 'no such method: "A.go" (did you mean p.A.go?)' --hide A.go
claim "a method without its class is suggested in full" \
    refuses 2 'no such method: "run" (did you mean p.A.run or q.B.run?)' -m run
claim "for a part of a name, a glob is suggested" \
    refuses 2 "no such method: \"B\" (did you mean '*B*', which matches" -m B
claim "an id in records that no row lists is selected" sh -c '
    sed "s/^0x8/0x80/" in.trace >unlisted.trace &&
    dmtrace filter -m 0x8 unlisted.trace | dmtrace dump -f jsonl - |
    grep -c . | grep -qx 2'
dmtrace filter -m 0x8 -o 0x8.trace unlisted.trace
dmtrace filter -m "p.*" -m "q.*" -o listed.trace unlisted.trace
for pattern in '0x?' '0x*' '/^0x/'; do
	claim "and by $pattern, silently" sh -c '
	    dmtrace filter -m "$1" unlisted.trace 2>&1 | cmp 0x8.trace -' - \
	    "$pattern"
	claim "and those under $pattern" sh -c '
	    dmtrace filter --under "$1" unlisted.trace 2>&1 |
	    cmp 0x8.trace -' - "$pattern"
	claim "and is left out by it" sh -c '
	    dmtrace filter --hide "$1" unlisted.trace 2>&1 |
	    cmp listed.trace -' - "$pattern"
	claim "and by its negation" sh -c '
	    dmtrace filter -m "!$1" unlisted.trace 2>&1 |
	    cmp listed.trace -' - "$pattern"
done
claim "ids that no event has are reported" sh -c '
    ! dmtrace filter -m "0x9*" -m "*.run" -o out.trace unlisted.trace \
	2>error &&
    grep -qx "dmtrace filter: unlisted.trace: no method matches \"0x9\*\"" \
	error'
for option in -m --under --hide; do
	claim "$option: an id in no record exits with 2" refuses 2 \
	    'no such method: "0x40" (did you mean 0xc, 0x8 or 0x4?)' \
	    "$option" 0x40
done
claim "an unknown name with --allow-empty exits with 2" \
    refuses 2 'no such thread: "mian" (did' --allow-empty -t mian
claim "for a name unlike all others, nothing is suggested" \
    refuses 2 'no such method: "x.y.zero"' \
    --under x.y.zero
claim "an invalid regular expression exits with 2" \
    refuses 2 '-m: "/(/": not a regular expression: ' -m '/(/'
claim "a regular expression without its end exits with 2" \
    refuses 2 '--under: "/x": a regular expression is written between' \
    --under /x
claim "the reason follows a pattern of 10,001 characters, too" \
    refuses 2 'a regular expression of more than 10000 characters' \
    -m "/$(head -c 10001 /dev/zero | tr '\0' a)/"
claim "a suggestion is a pattern" sh -c '
    printf "dmtrace text 1\nclock=wall\nthread 2 !odd\n0 2 >A.a()V\n" >odd.dmt
    dmtrace filter -t "!odd" -o left.trace odd.dmt 2>&1 |
    grep -q "did you mean ?odd?"'
claim "an empty name exits with 2" refuses 2 '-t: "": an empty name' -t ''
for depth in 0 3..2 x .. 1...3 -1 4294967296; do
	claim "--depth $depth exits with 2" \
	    refuses 2 "--depth: \"$depth\" is not A..B" --depth="$depth"
done
claim "an empty window exits with 2" \
    refuses 2 '--to (2 ms) is not after --from (2 ms)' \
    --from 2ms --to 2ms
claim "--invert of a window needs --raw" \
    refuses 2 '--invert with --from or --to needs --raw' --invert --to 5us
claim "an invalid time exits with 2" refuses 2 '--from: "soon"' --from soon
for option in --from --to --min-time; do
	claim "$option needs a unit" refuses 2 \
	    "$option: \"1.2\" is not a time: a number with a unit (ns, us," \
	    $option 1.2
done
claim "a missing operand is a usage error" \
    says 2 'no file is named' dmtrace filter -o out.trace
claim "two operands are a usage error" says 2 'more than one file' \
    dmtrace filter -o out.trace in.trace in.trace
claim "a file that is not a trace exits with 2" says 2 'cannot open no.trace' \
    dmtrace filter -o out.trace no.trace
cp in.trace same.trace
claim "an output that is the input is refused" \
    says 2 'same.trace is both the input and the output' \
    dmtrace filter -t 1 -o same.trace same.trace
claim "the input is unchanged" cmp in.trace same.trace
claim "a key without data exits with 2" says 2 'nothing follows the key' sh -c \
    'sed "/^\*end/q" in.trace | dmtrace filter -o out.trace -'

{
	key '1\tmain' "$a"
	header
	record 003 004 012
} >unlisted.trace
claim "an id that only a record has is selected" \
    sh -c 'dmtrace filter -t 3 --keep-tables unlisted.trace |
    cmp unlisted.trace -'

# A full disk leaves nothing; ulimit counts blocks of 512 bytes.
dmtrace generate --events 20000 -o big.trace
full()
{
	(ulimit -f 64 && exits 2 dmtrace filter "$@" -o full.trace big.trace) \
	    2>error && has 'cannot write full.trace' error &&
	    [ ! -e full.trace ] && ! ls .dmtrace* 2>/dev/null
}
claim "a full disk is reported for a copy" full
claim "a full disk is reported for a thread" full -t 1
claim "a full disk is reported for a window" full --from 1ms
claim "a full disk is reported for a depth" full --depth 1..20

# The same again, and what a real program reads of it.
again()
{
	dmtrace filter "$@" -o one big.trace &&
	    dmtrace filter "$@" -o two big.trace && cmp one two
}
claim "filtering the result again changes nothing" \
    again -t 1,2 --from 1ms --to 50ms --min-time 5us

# listed FILE: thread, action and microseconds that dmtracedump has; those of
# the same time are in no order, and a dash for a frame may be glued on
listed()
{
	dmtracedump -o "$1" 2>/dev/null | awk '
	/^Trace \(threadID action usecs/ { listed = 1; next }
	listed { print $1, $2, $3 + 0 }'
}

# agrees AWK OPTION...: dmtracedump lists those of big.trace that awk selects
agrees()
{
	condition=$1
	shift
	dmtrace filter "$@" -o part.trace big.trace &&
	    listed part.trace | LC_ALL=C sort >got && [ -s got ] &&
	    listed big.trace | awk "$condition" | LC_ALL=C sort | cmp - got
}
dmtrace filter -q -t 1 -d v5 -o packets.trace in.trace
claim "another dialect is written to a descriptor by its name" sh -c '
	dmtrace filter -q -t 1 -d v5 -o /dev/fd/1 in.trace |
	    cmp packets.trace -'
if have dmtracedump; then
	claim "dmtracedump reads a selected thread" agrees '$1 == 3' -t 3
	claim "dmtracedump reads two selected threads" \
	    agrees '$1 != 3' -t 3 --invert
	dmtrace generate --events 20000 -d v2 -o big.trace
	claim "dmtracedump reads a raw window" \
	    agrees '$3 >= 20000 && $3 < 70000' --from 20ms --to 70ms --raw
	claim "dmtracedump reads a thread in a window" \
	    agrees '$3 >= 20000 && $3 < 70000 && $1 == 2' \
	    --from 20ms --to 70ms --raw -t 2
	dmtrace filter --from 20ms --to 70ms -o part.trace big.trace
	claim "dmtracedump reads the calls that a window cuts" sh -c '
	    dmtracedump part.trace >profile 2>/dev/null && [ -s profile ]'
else
	skip "dmtracedump reads the results" "no dmtracedump here"
fi
# thousand FILE: what is in it, 1,024 times
thousand()
{
	cat "$1" >many
	for power in 1 2 3 4 5 6 7 8 9 10; do
		cat many many >more
		mv more many
	done
	cat many
}

# counted NUMBER: a trace of two threads that reports it
counted()
{
	printf '*version\n2\nnum-method-calls=%s\nclock=wall\n' "$1"
	printf '*threads\n1\tmain\n2\tworker\n*methods\n%b*end\n' "$a"
	header
}

# guesses FILE OPTION...: the filter of guessed.trace makes that file
guesses()
{
	file=$1
	shift
	dmtrace filter -q --keep-tables "$@" -o out.trace guessed.trace &&
	    cmp "$file" out.trace
}

# The number of records that are kept is guessed by some of them: here the
# guess of the first thread has a digit too many.
record 001 004 012 >first
record 002 004 012 >second
thousand first >firsts
thousand second >seconds
for power in 1 2 3 4 5 6 7; do
	cat seconds seconds >more
	mv more seconds
done
{ counted 132096; cat firsts seconds; } >guessed.trace
{ counted 1024; cat firsts; } >wanted
claim "a guess that was wrong" guesses wanted -t 1
{ counted 131072; cat seconds; } >wanted
claim "a guess that was right" guesses wanted -t 2
claim "a guess of a pair" sh -c '
    dmtrace filter -q -t 1 --keep-tables -o pair.key guessed.trace &&
    dmtrace join -q -o joined pair.key pair.data &&
    dmtrace filter -q -t 1 --keep-tables guessed.trace | cmp - joined'
dmtrace generate -q --events 150000 --threads 15 -o near.trace
claim "a guess that may be wrong" sh -c '
    dmtrace filter -q -t 1 --keep-tables near.trace >piped &&
    dmtrace filter -q -t 1 --keep-tables -o o.trace near.trace &&
    cmp piped o.trace'
claim "all of it, whatever its length" sh -c '
    for size in 262143 262144 262145 524288 524289; do
	head -c $size near.trace >cut.trace
	dmtrace filter -q -o o.trace cut.trace
	cmp cut.trace o.trace || exit
    done'
# A "!" leaves out what matches.
dmtrace generate -q --shape=app -o app.trace
rows()
{
	dmtrace dump -q -f tsv "$@" app.trace | sed 1d
}
# apart COLUMN VALUE OPTION...: those rows are left out, and no others
apart()
{
	column=$1
	value=$2
	shift 2
	rows "$@" | cut -f 1-5,7- >some
	rows | awk -F '\t' -v column="$column" -v value="$value" '
	    index($column, value) != 1' | cut -f 1-5,7- | cmp - some &&
	    [ -s some ]
}
claim "-t !name leaves a thread out" apart 10 main -t '!main'
claim "-t !id leaves a thread out" apart 1 1 -t '!1'
claim "-t !list leaves several out" sh -c '
    [ "$(dmtrace dump -f tsv -t "!main,2" app.trace | sed 1d | cut -f 1 |
    sort -u | tr "\n" " ")" = "3 4 5 6 7 8 " ]'
claim "-t name -t !name selects between them" sh -c '
    [ "$(dmtrace dump -f tsv -t "*-*" -t "!HttpClient-1" app.trace | sed 1d |
    cut -f 10 | sort -u | tr "\n" " ")" = \
    "Loader-1 Thread-1 pool-1-thread-1 " ]'
claim "-m !glob leaves methods out" apart 7 org/quillfen/ -m '!org.quillfen.*'
claim "-m glob -m !glob selects between them" sh -c '
    dmtrace dump -f tsv -m "org.*" -m "!org.quillfen.loop.*" app.trace |
    sed 1d | cut -f 7 | sort -u >classes && grep -q "^org/quillfen/" classes &&
    ! grep -v "^org/" classes && ! grep "quillfen/loop" classes'
claim "--hide !glob hides the others" sh -c '
    dmtrace dump -f tsv --hide "!org.*" app.trace | sed 1d | cut -f 7 |
    sort -u >classes && [ -s classes ] && ! grep -v "^org/" classes'
claim "a name after ! that is not there is an error" \
    exits 2 dmtrace dump -t '!nosuch' app.trace
head -c "$(($(wc -c <app.trace) - 3))" app.trace >cut.trace
for option in '-t main' '--min-time 1us' '--from 0'; do
	claim "a truncated trace is an error: $option" answers 1 \
	    'cut.trace: byte' dmtrace filter $option -o left.trace cut.trace
	claim "the output is written" test -s left.trace
	rm -f left.trace
done
finish
