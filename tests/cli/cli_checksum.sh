#!/bin/sh
# cli_checksum.sh - sums of events, and by another program

. "$srcdir/tests/helpers/claim.sh"

# trace VERSION CLOCK OPTIONS: a call of main, and an exit of a thread and a
# method that are not listed
trace()
{
	printf '*version\n%s\nclock=%s\n%b' "$1" "$2" "$3"
	printf '*threads\n1\tmain\n*methods\n0x4\tA.B\tm\t()V\n*end\n'
	case $2 in
	dual)
		printf 'SLOW\003\000\040\000\001\002\003\004\005\006\007\000'
		printf '\016\000\000\000\000\000\000\000'
		printf '\000\000\000\000\000\000\000\000'
		printf '\001\000\004\000\000\000'
		printf '\005\000\000\000\007\001\000\000'
		printf '\011\000\201\000\000\000'
		printf '\006\000\000\000\010\001\000\000'
		;;
	*)
		printf 'SLOW\002\000\040\000\001\002\003\004\005\006\007\000'
		printf '\000\000\000\000\000\000\000\000'
		printf '\000\000\000\000\000\000\000\000'
		printf '\001\000\004\000\000\000\007\001\000\000'
		printf '\011\000\201\000\000\000\010\001\000\000'
		;;
	esac
}

trace 2 wall '' >wall.trace
trace 2 thread-cpu '' >cpu.trace
trace 3 dual '' >dual.trace

# The formula of the page, in the numbers of 64 bits that the shell has.
mix()
{
	x=$1
	x=$((x ^ ((x >> 32) & 0xffffffff)))
	x=$((x * ((0x9fb21c65 << 32) | 0x1e98df25)))
	x=$((x ^ ((x >> 29) & 0x7ffffffff)))
	x=$((x * ((0xbf58476d << 32) | 0x1ce4e5b9)))
	x=$((x ^ ((x >> 32) & 0xffffffff)))
}

# hash START STEP BYTE...: to x
hash()
{
	h=$1
	step=$2
	shift 2
	for byte; do
		h=$(((h ^ byte) * step))
	done
	mix "$h"
}

# half SM ST P A C W CPU WALL ACTION METHOD-BYTES THREAD-BYTES: to x
half()
{
	hash $(($1)) $(($3)) ${10}
	method=$x
	hash $(($2)) $(($3)) ${11}
	mix $((method + x + $9 * $4 + $7 * $5 + $8 * $6))
}

# event CPU WALL ACTION METHOD-BYTES THREAD-BYTES: to high and low
event()
{
	half 0x6a09e667f3bcc909 $(u 0xbb67ae85 0x84caa73b) \
	    $(u 0x9e3779b9 0x7f4a7c15) $(u 0xf1357aea 0x2e62a9c5) \
	    $(u 0xda942042 0xe4dd58b5) $(u 0x94d049bb 0x133111eb) "$@"
	high=$x
	half $(u 0xcbf29ce4 0x84222325) $(u 0x84222325 0xcbf29ce5) \
	    0x100000001b3 $(u 0xd1b54a32 0xd192ed03) \
	    $(u 0x8cb92ba7 0x2f3d8dd7) $(u 0xaef17502 0x108ef2d9) "$@"
	low=$x
}

# u HIGH LOW: a number of 64 bits out of halves, which the shell can read
u()
{
	echo $((($1 << 32) | $2))
}

# "A/B", LF, "m", LF, "()V"; three LF and 0x80; "main"; LF and 9
listed_method='65 47 66 10 109 10 40 41 86'
other_method='10 10 10 128 0 0 0 0 0 0 0'
listed_thread='109 97 105 110'
other_thread='10 9 0 0 0'

# differs TEXT OPERAND...: exit status 1, and a line of the report has it
differs()
{
	text=$1
	shift
	exits 1 dmtrace checksum --compare "$@" >report && has "$text" report
}

# line CPU WALL ACTION METHOD THREAD RECORDS NAME
line()
{
	event "$1" "$2" "$3" "$4" "$5"
	printf '%016x%016x %10d  %s\n' "$high" "$low" 1 "$6"
}

# less A B: as numbers without a sign
less()
{
	[ $(($1 ^ (1 << 63))) -lt $(($2 ^ (1 << 63))) ]
}

# expect FILE CPU1 WALL1 CPU2 WALL2: its report
expect()
{
	line "$2" "$3" 0 "$listed_method" "$listed_thread" main
	high1=$high low1=$low
	line "$4" "$5" 1 "$other_method" "$other_thread" \
	    'thread 9, not listed'
	sum=$((low + low1))
	carry=0
	! less "$sum" "$low" || carry=1
	printf '%016x%016x %10d  = %s\n' $((high + high1 + carry)) "$sum" 2 \
	    "$1"
}

expect wall.trace -1 263 -1 264 >wall.expected
expect cpu.trace 263 -1 264 -1 >cpu.expected
expect dual.trace 5 263 6 264 >dual.expected
for kind in wall cpu dual; do
	claim "checksums are those of the formula in the page: $kind" \
	    prints $kind.expected \
	    dmtrace checksum -q $kind.trace
done
sed 's/ wall.trace/ dual.trace/' wall.expected >expected
claim "--clock=wall leaves CPU times out of the formula" prints expected \
    dmtrace checksum -q --clock=wall dual.trace
expect dual.trace 5 -1 6 -1 >expected
claim "--clock=cpu leaves wall times out of the formula" \
    prints expected \
    dmtrace checksum -q --clock=cpu dual.trace
expect dual.trace -1 -1 -1 -1 >expected
claim "--clock=none leaves all times out of the formula" prints expected \
    dmtrace checksum -q --clock=none dual.trace

trace 2 wall 'dmtrace-opened=1\n' >opened.trace
trace 2 wall 'dmtrace-closed=1\n' >closed.trace
{
	sed -n 2p wall.expected
	sed -n '2s,  thread.*,  = opened.trace (without 1 added),p' \
	    wall.expected
} >expected
claim "records added at the start are not counted" prints expected \
    dmtrace checksum -q opened.trace
{
	sed -n 1p wall.expected
	sed -n '1s/  main/  = closed.trace (without 1 added)/p' wall.expected
} >expected
claim "records added at the end are not counted" \
    prints expected dmtrace checksum -q closed.trace
claim "added records of a trace in a pipe are not counted" \
    sh -c 'dmtrace checksum -q - <closed.trace |
    sed "s/= -/= closed.trace/" | cmp expected -'
sed 's/= wall.trace/= all (without 2 added)/' wall.expected >expected
claim "--sum adds the parts up" prints expected \
    dmtrace checksum -q --sum opened.trace closed.trace
trace 2 wall 'dmtrace-opened=x\n' >odd.trace
claim "an option dmtrace-opened that is not a number is an error" says \
    'odd.trace: option dmtrace-opened: x is not a number of events' \
    dmtrace checksum odd.trace

total=$(sed -n '3s/ .*//p' wall.expected)
main=$(sed -n '1s/ .*//p' wall.expected)
other=$(sed -n '2s/ .*//p' wall.expected)
threads="[{\"thread_name\":\"main\",\"thread\":null,\"threads\":1"
threads="$threads,\"checksum\":\"$main\",\"events\":1}"
threads="$threads,{\"thread_name\":null,\"thread\":9,\"threads\":1"
threads="$threads,\"checksum\":\"$other\",\"events\":1}]"
{
	printf '{"file":"wall.trace","checksum":"%s","events":2' "$total"
	printf ',"added":0,"per_thread":%s,"error":null}\n' "$threads"
} >expected
claim "JSON has the sums" prints expected dmtrace checksum -f jsonl wall.trace
{
	printf 'file\tchecksum\tevents\tadded\tper_thread\terror\n'
	printf 'wall.trace\t%s\t2\t0\t%s\t\n' "$total" "$threads"
} >expected
claim "TSV has the sums" prints expected dmtrace checksum -f tsv wall.trace
{
	printf 'file,checksum,events,added,per_thread,error\r\n'
	printf 'wall.trace,%s,2,0,"%s",\r\n' "$total" \
	    "$(echo "$threads" | sed 's/"/""/g')"
} >expected
claim "CSV has the sums" prints expected dmtrace checksum -f csv wall.trace
printf '%s  wall.trace\n' "$total" >expected
claim "--brief prints only the total" \
    prints expected dmtrace checksum -b wall.trace
claim "-o writes to a file" exits 0 dmtrace checksum -b -o report wall.trace
claim "the file has the report" cmp expected report

cp wall.trace same.trace
printf '%s  wall.trace\n%s  same.trace\n' "$total" "$total" >expected
claim "--compare exits with 0 if the sums are equal" prints expected \
    dmtrace checksum -b --compare wall.trace same.trace
claim "--compare exits with 1 if the sums differ" \
    differs 'cpu.trace differs from wall.trace' \
    -b wall.trace same.trace cpu.trace
claim "--compare names the threads that differ" \
    differs '  main: 1 event, not the same' \
    wall.trace cpu.trace
claim "--compare names a thread that is missing" \
    differs '  main: 0 and 1 events' \
    wall.trace opened.trace
claim "--compare names a thread that is new" differs '  main: 1 and 0 events' \
    opened.trace wall.trace
dmtrace generate -q --threads=14 --events=900 -o wide.trace
dmtrace shift -q --by=1ms -o later.trace wide.trace
few_differ()
{
	dmtrace checksum --compare "$@" wide.trace later.trace | sed 1,3d >said
	[ "$(wc -l <said)" -eq "$lines" ] &&
	    sed '/more/d; s/.* and //; s/ .*//' said | sort -nrc
}
lines=11 claim "--compare names the ten threads with most events" few_differ
claim "and counts the others" has '  4 more threads (--threads)' said
lines=4 claim "--compare has --top" few_differ --top=3
lines=14 claim "--compare has --threads" few_differ --threads
claim "--compare in JSON reports by the exit status only" exits 1 \
    dmtrace checksum -f jsonl --compare wall.trace cpu.trace

claim "a missing file does not hide the others" says 'cannot open no' \
    sh -c 'dmtrace checksum -b wall.trace no same.trace >printed'
{
	head -n 1 expected
	echo 'unreadable  no: cannot open no: No such file or directory'
	tail -n +2 expected
} >rows
grep -v ^unreadable rows >others
claim "a missing file has a message only" cmp others printed
claim "-o writes the rows to a file" \
    exits 2 dmtrace checksum -b -o file \
    wall.trace no same.trace
claim "the file of -o has all rows" cmp rows file
why='cannot open no: No such file or directory'
while read -r form row; do
	claim "the row of an unreadable trace in $form has the reason" sh -c '
		dmtrace checksum -f "$1" no | tail -n 1 | tr "\t\r" "; " |
		    grep -qF "$2"' sh "$form" "$row"
done <<ROWS
jsonl {"file":"no","checksum":null,"events":null,"added":null,"per_thread":null
jsonl "error":"$why"}
tsv no;;;;;$why
csv no,,,,,$why
ROWS
claim "--sum of an unreadable trace has no sum" says 'cannot open no' \
    sh -c 'dmtrace checksum --sum -b wall.trace no same.trace >printed'
claim "--sum of an unreadable trace prints only the error" \
    sh -c 'grep ^unreadable printed | cmp - printed'
claim "no operand is a usage error" says 'no trace is named' dmtrace checksum
claim "--compare with a single operand is a usage error" \
    says 'needs two traces' \
    dmtrace checksum --compare wall.trace
claim "--sum and --compare together are a usage error" \
    says '--sum cannot be used with --compare' \
    dmtrace checksum --sum --compare wall.trace cpu.trace
claim "the input is not replaced" says \
    'wall.trace is both the input and the output' \
    dmtrace checksum -o wall.trace wall.trace
claim "an error in a trace is reported" exits 1 dmtrace checksum -q \
    "$srcdir/tests/data/bad-partial-v2-1.trace"
claim "it ends quietly if the reader closes the pipe" test -z \
    "$(sh -c 'dmtrace checksum wall.trace | :' 2>&1)"

# kept VERSION SEED: whatever the container
kept()
{
	dmtrace generate -q -d "v$1" --seed "$2" --events 4000 -o one.trace &&
	    dmtrace split -q -o two.key one.trace &&
	    dmtrace checksum -b one.trace >sum &&
	    dmtrace checksum -b two | sed 's/two/one.trace/' | cmp sum - &&
	    dmtrace checksum -b - <one.trace | sed 's/  -/  one.trace/' |
	    cmp sum -
}

seed=0
while [ "$seed" -lt 30 ]; do
	for version in 1 2 3; do
		seed=$((seed + 1))
		claim "trace $seed, version $version, has one sum" \
		    kept "$version" "$seed"
	done
done
dmtrace generate -q --events=400 -o sel.trace
dmtrace filter -q -t main -o main.trace sel.trace
selected()
{
	dmtrace checksum -b -t main sel.trace | cut -d " " -f 1 >a &&
	    dmtrace checksum -b main.trace | cut -d " " -f 1 | cmp - a
}
claim "a selection has the sum of what filter keeps" selected
claim "a thread that is not there exits with 2" \
    exits 2 dmtrace checksum -t nosuch sel.trace
claim "a pattern that matches nothing exits with 1" \
    exits 1 dmtrace checksum -t 'nosuch*' sel.trace
finish
