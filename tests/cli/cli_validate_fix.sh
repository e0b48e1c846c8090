#!/bin/sh
# cli_validate_fix.sh - traces made so that other readers take them

. "$srcdir/tests/helpers/claim.sh"

data=$srcdir/tests/data

# key OPTIONS THREADS METHODS; VERSION is that of the line below "*version"
key()
{
	printf '*version\n%s\n%b*threads\n%b*methods\n%b*end\n' \
	    "$VERSION" "$1" "$2" "$3"
}

# header VERSION [SIZE]: of 32 bytes, with start time 0
header()
{
	printf "SLOW\\00$1\\000\\040\\000"
	printf '\000\000\000\000\000\000\000\000'
	printf "\\0${2-00}\\000"
	printf '\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
}

# fixes READERS FILE: to fixed.trace, and the change report to report
fixes()
{
	rm -f fixed.trace
	exits 0 dmtrace validate --fix --for="$1" -o fixed.trace -f tsv "$2" \
	    >report && sed 1d report | cut -f 1-3 >reported
}

# becomes READERS FILE: that is what the file expected has
becomes()
{
	fixes "$1" "$2" && cmp expected fixed.trace
}

notes()
{
	printf "$1" | cmp - reported || { cat reported; return 1; }
}

a='0x4\tA\tm\t()V\n'

# Version 1: thread 200, enter and exit of 4 at 1 and 2 us.
VERSION=1
{
	key 'clock=wall\n' '200\tmain\n' "$a"
	header 1
	printf '\310\004\000\000\000\001\000\000\000'
	printf '\310\005\000\000\000\002\000\000\000'
} >v1.trace
VERSION=2
{
	key 'clock=wall\n' '200\tmain\n' "$a"
	header 2
	printf '\310\000\004\000\000\000\001\000\000\000'
	printf '\310\000\005\000\000\000\002\000\000\000'
} >expected
claim "records of version 1 become version 2" becomes all v1.trace
claim "the change of version 1 is reported" notes 'record-layout\tfixed\t1\n'
claim "records of version 1 are fixed for dmtracedump" \
    fixes dmtracedump v1.trace
claim "for dmtracedump records of version 1 are copied" cmp v1.trace fixed.trace
claim "a copy has no change report" notes ''

# Thread CPU times, to which Perfetto wants wall times.
{
	key 'clock=thread-cpu\nnum-method-calls=2\n' '1\tmain\n' "$a"
	header 2
	printf '\001\000\004\000\000\000\001\000\000\000'
	printf '\001\000\005\000\000\000\002\000\000\000'
} >cpu.trace
VERSION=3
{
	key 'clock=dual\nnum-method-calls=2\n' '1\tmain\n' "$a" |
	    sed '/^num/a\
dmtrace-repaired=clock-thread-cpu:1'
	header 3 16
	printf '\001\000\004\000\000\000\001\000\000\000\001\000\000\000'
	printf '\001\000\005\000\000\000\002\000\000\000\002\000\000\000'
} >expected
claim "CPU times become wall times as well" becomes perfetto,firefox cpu.trace
claim "the added wall times are reported" \
    notes 'clock-thread-cpu\tadded\t1\nrecord-layout\tfixed\t1\n'

# Thread 65535, a method of 2^31 and more, names, times from 2^31 on.
VERSION=2
{
	key 'clock=wall\nodd=\nhello\n' '65535\tM\303\244in\t\377\n2\t\n' \
	    '0x80000004\t\tm\t\tA.java\n0x8\tB\tn\t(I)V\tB.java\n'
	header 2
	printf '\377\377\004\000\000\200\001\000\000\200'
	printf '\377\377\005\000\000\200\002\000\000\200'
} >odd.trace
claim "everything that any reader minds is fixed" fixes all odd.trace
claim "all readers read the fixed trace" \
    exits 0 dmtrace validate -q --for=all fixed.trace
claim "the change report lists every change" notes 'key-not-utf8\tfixed\t1
key-not-ascii\tfixed\t1
option-malformed\tdropped\t2
thread-name-tab\tfixed\t1
thread-name-empty\tadded\t1
method-id-high\tfixed\t1
method-name-empty\tadded\t1
method-signature\tadded\t1
method-columns-5\tfixed\t2
time-high\tfixed\t1
thread-high\tfixed\t1
'
dmtrace dump -f tsv fixed.trace | sed 1d >dumped
claim "events stay the same, with times from 0 on" sh -c '
    cut -f 2-5 dumped >cells && cat cells &&
    [ "$(wc -l <dumped)" -eq 2 ] && grep -c "0x4" dumped | grep -qx 2'
claim "names are escaped for all readers" \
    sh -c 'LC_ALL=C grep -qF "M\\u00e4in \\xff" fixed.trace'
claim "a name of UTF-8 and other bytes is fixed for Studio" \
    fixes studio odd.trace
claim "for Studio only bytes that are not UTF-8 are escaped" \
    sh -c 'LC_ALL=C grep -qF "$(printf "M\303\244in \\\\xff")" \
    fixed.trace'
claim "a name of UTF-8 and other bytes is fixed for Traceview" \
    fixes traceview odd.trace
claim "for Traceview bytes that are not UTF-8 are escaped, too" \
    sh -c 'LC_ALL=C grep -qF "M\\u00e4in \\xff" fixed.trace'

cp "$data/good-deep-513.trace" deep.trace
claim "calls deeper than Perfetto shows are dropped" fixes perfetto deep.trace
claim "dropped calls are reported" notes 'call-deep\tdropped\t1\n'
cp "$data/bad-partial-v2-5.trace" cut.trace
claim "without --for errors are fixed" exits 0 \
    dmtrace validate --fix -q -o fixed.trace cut.trace
claim "a trace fixed without --for is valid" \
    exits 0 dmtrace validate -q fixed.trace
cp "$data/good-exit-first.trace" first.trace
claim "calls cut by the edges of a trace are kept" exits 0 \
    dmtrace validate --fix --for=all -q -o fixed.trace first.trace
claim "with --fail-on=note such calls are fixed" \
    exits 0 dmtrace validate --fix \
    --fail-on=note -q -o fixed.trace first.trace
claim "no note is left with --fail-on=note" exits 0 \
    dmtrace validate -q --fail-on=note fixed.trace

# The exit status is 1 where there is no fix, 2 where it could not be tried.
rm -f none.trace
cp "$data/good-v3-dual.trace" dual.trace
claim "a finding without a fix fails" exits 1 sh -c '
    dmtrace validate --fix --strict -o none.trace dual.trace 2>said'
claim "a finding without a fix is reported by its rule" \
    has 'there is no fix for cpu-ahead: ' said
claim "a quirk without a fix fails" exits 1 sh -c '
    dmtrace validate --fix --for=all -o none.key dual.trace 2>said'
claim "a quirk without a fix is reported with its reader" \
    has 'there is no fix: dmtracedump refuses: pair: ' said
claim "a pair is written for Traceview" exits 0 \
    dmtrace validate --fix --for=traceview -q -o two.key cut.trace
claim "Traceview reads the fixed pair" \
    exits 0 dmtrace validate -q --for=traceview two.key
claim "a pair is joined for all readers" exits 0 \
    dmtrace validate --fix --for=all -q -o fixed.trace two.data
dmtrace dump --text v1.trace -o v1.dmt
claim "a trace in text form becomes what it means" sh -c '
    dmtrace validate --fix -q -o fixed.trace v1.dmt &&
    cmp v1.trace fixed.trace &&
    dmtrace validate --fix -q -o fixed.trace - <v1.dmt &&
    cmp v1.trace fixed.trace'
claim "ART streaming is fixed for all readers" exits 0 dmtrace validate \
    --fix --for=all -q -o fixed.trace "$data/good-stream-f3.trace"
claim "all readers read the fixed stream" \
    exits 0 dmtrace validate -q --for=all fixed.trace
claim "ART streaming is fixed for Traceview" \
    fixes traceview "$data/good-stream-f3.trace"
claim "that a stream became records is reported" \
    notes 'record-layout\tfixed\t1\n'
claim "ART streaming is fixed for Studio" exits 0 dmtrace validate --fix \
    --for=studio -q -o fixed.trace "$data/good-stream-f3.trace"
claim "a file that is not a trace is trouble" says "empty" dmtrace validate \
    --fix -o none.trace "$data/bad-empty.trace"
claim "the input as the output is trouble" \
    says "both the input and the output" \
    dmtrace validate --fix -o cut.trace cut.trace
claim "half of the input as the output is trouble" \
    says "both the input and the output" \
    dmtrace validate --fix -o two.data two
claim "after a failure there is no output" test ! -e none.trace -a ! -e none.key
claim "after a failure there is no temporary file" \
    sh -c '! ls .dmtrace* 2>/dev/null'
for options in '' '-o x.trace -f tap' '-o - -f jsonl' '-o x.trace --rules' \
    '-o x.trace --disable=overflow' '-o x.trace two.key'; do
	claim "options that exclude each other are refused:$options" \
	    exits 2 dmtrace validate --fix $options cut.trace
done
claim "a trace is fixed from a pipe to a pipe" sh -c 'cat cut.trace |
    dmtrace validate --fix --for=all -o - - 2>said | cat >piped.trace &&
    dmtrace validate -q --for=all piped.trace'
claim "the change report of a pipe is on standard error" \
    has "truncated last record" said
claim "a full disk is trouble" sh -c '
    [ ! -w /dev/full ] || { dmtrace validate --fix --for=all -o /dev/full \
    cut.trace 2>said; [ $? -eq 2 ]; }'
if have jq; then
	claim "a change report in JSON has every change" \
	    sh -c 'dmtrace validate --fix --for=all \
	    -o fixed.trace -f jsonl odd.trace |
	    jq -e -s "map(.count) | add == 13"'
else
	skip "a change report in JSON has every change" "no jq here"
fi

# Whatever can be repaired can be fixed: for all of them at once.
all_fixed()
{
	rm -rf made refused
	mkdir made
	for trace; do
		name=$(basename "$trace")
		# no thread, and dmtracedump wants one
		[ "$name" != bad-stream-cut.trace ] || continue
		dmtrace validate --fix --for=all -q -o "made/${name%.*}.trace" \
		    "$trace" 2>>refused
		case $? in
		0) ;;
		2) echo "$name" >>unreadable ;;
		*) tail -n 1 refused; return 1 ;;
		esac
	done
	dmtrace validate -q --for=all made/*.trace &&
	    dmtrace validate -q made/*.trace
}

# dmtracedump has no exit status to tell by.
dmtracedump_takes()
{
	for trace in made/*.trace; do
		dmtracedump -o "$trace" >listed 2>minded &&
		    dmtracedump "$trace" >reported 2>>minded &&
		    [ ! -s minded ] || { echo "$trace"; cat minded; return 1; }
	done
}

# what FILES are called, and which of them cannot be read at all
fix_all()
{
	what=$1
	shift
	: >unreadable
	claim "$what: all can be fixed" all_fixed "$@"
	grep -v -e '^unsupported-' -e 'bad-empty' -e 'bad-text' \
	    -e '^empty' -e '^f[23]_' -e 'stream' -e '^m030-' unreadable >others
	claim "$what: only files that are not traces fail" test ! -s others
	if have dmtracedump; then
		claim "$what: dmtracedump takes them" dmtracedump_takes
	else
		skip "$what: dmtracedump takes them" "no dmtracedump here"
	fi
}

fix_all samples "$data"/*.trace
if [ -n "$DMTRACE_DEFECTS" ]; then
	fix_all defects $(defects)
else
	skip "defects: all can be fixed" "DMTRACE_DEFECTS is not set"
fi
# By its path it cannot be read twice.
claim "a pipe that has a name is read once" sh -c \
    'cat "$1" | dmtrace validate --fix --for=all -o named.trace /dev/stdin &&
    dmtrace validate -q --for=all named.trace' \
    sh "$srcdir/tests/data/good-crlf.trace"

# A stream that gives an id to another method between its events.
redefined=$data/good-stream-odd.trace
dmtrace dump -q -f tsv "$redefined" | cut -f 2,7,8 >meant
for readers in all perfetto dmtracedump; do
	claim "redefined ids are fixed for $readers" fixes $readers "$redefined"
	dmtrace dump -q -f tsv fixed.trace | cut -f 2,7,8 >kept
	claim "events keep their methods for $readers" cmp meant kept
	claim "the report has it for $readers" grep -q \
	    'stream-method-redefined' reported
done


# A stream whose summary is another file is not one file.
head -c 97 "$data/good-stream-f2.trace" >apart.trace
tail -c 52 "$data/good-stream-f2.trace" |
    sed s/clock=wall/clock=thread-cpu/ >apart.trace.sec
claim "a summary that is another file is part of the output" \
    dmtrace validate --fix -o fixed.trace apart.trace
mv output report
claim "which is said" has 'stream-summary-apart: the summary in a' report
claim "its clock is that of the stream" grep -a clock=thread-cpu fixed.trace
finish
