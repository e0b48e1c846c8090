#!/bin/sh
# cli_validate_for.sh - what other readers make of traces, as measured

. "$srcdir/tests/helpers/claim.sh"

data=$srcdir/tests/data

# The table of the page, as "rule c c c c c c".
in_page()
{
	sed -n '/^\.It Sy rule/,/^\.El/p' "$srcdir/doc/dmtrace-validate.1" |
	    sed -n '1d; s/ Ta / /g; s/ \\\&$//; s/^\.It Li //p'
}

in_program()
{
	dmtrace validate --rules --for=all -f tsv | sed 1d | cut -f 1-8 |
	    sed -e 's/	reads/	-/g' -e 's/dump-only/d/g' \
	    -e 's/misreads/m/g' -e 's/refuses/r/g' -e 's/crashes/c/g' \
	    -e 's/	yes$//' -e 's/	no$/	*/' | tr '\t' ' '
}

in_page >page
claim "the manual page has a table of quirks" test -s page
claim "the table is that of the program" prints page in_program
printf '%s\n' 'pair: key and data are two files' '    perfetto: refuses' >row
claim "--rules lists the readers that mind a rule" sh -c '
    dmtrace validate --rules --for=perfetto | grep -A 1 "^pair:" | cmp - row'
claim "--rules leaves out rules that no reader minds" sh -c '
    dmtrace validate --rules --for=perfetto >rules &&
    ! grep -q "^stream:" rules && grep -q "(not measured)" rules'

cp "$data/good-clock-missing.trace" missing.trace
cp "$data/good-v2-wall.trace" wall.trace
claim "all read a conservative trace" \
    exits 0 dmtrace validate --for=all wall.trace
claim "one of several readers refuses a trace" answers 1 \
    'missing.trace: studio: refuses: clock-missing: no clock line' \
    dmtrace validate --for=studio,firefox missing.trace
claim "other readers read the same trace" \
    exits 0 dmtrace validate --for=firefox --for=perfetto missing.trace
claim "-q reports only readers that do not read" sh -c \
    '[ "$(dmtrace validate -q --for=all missing.trace | wc -l)" -eq 1 ]'
claim "an unknown reader is trouble, with the list of readers" answers 2 \
    'no reader "chrome"; the readers are all, dmtracedump, ' \
    dmtrace validate --for=chrome x.trace
claim "an unknown reader is trouble, with a suggestion" \
    answers 2 'no reader "studi" (did you mean' \
    dmtrace validate --for=studi wall.trace
for option in -a --disable=call-open --severity=call-open=error \
    --fail-on=note --strict; do
	claim "no findings are asked for: $option" \
	    answers 2 'for prints no findings' \
	    dmtrace validate --for=all $option "$data/good-v3-dual.trace"
done
claim "an empty name of a reader is trouble" exits 2 \
    dmtrace validate --for=all, wall.trace
claim "a file that is not a trace is refused by all" exits 1 \
    dmtrace validate --for=all "$data/bad-text.trace"
printf 'SLOW\363\0\377\377%24s' '' >beyond.trace
claim "a stream without records is refused by all" answers 1 \
    'beyond.trace: perfetto: refuses: stream-truncated' \
    dmtrace validate --for=all beyond.trace
claim "a missing file is trouble" exits 2 \
    dmtrace validate --for=all no-such.trace
printf 'file,reader,verdict,finding,message\r\nwall.trace,studio,reads,,\r\n' \
    >expected
claim "verdicts are printed as rows" prints expected \
    dmtrace validate -f csv --for=studio wall.trace
claim "a pair is refused by Perfetto" answers 1 \
    'good-pair-v3.key: perfetto: refuses: pair: ' \
    dmtrace validate --for=all "$data/good-pair-v3.key"
claim "a pair is read by Traceview" exits 0 \
    dmtrace validate --for=traceview "$data/good-pair-v3.key"

claim "records of 9 bytes in version 2 are not read by all" exits 1 \
    dmtrace validate --for=all "$data/bad-size-9.trace"
claim "every reader has a verdict on records of 9 bytes" \
    sh -c 'dmtrace validate -q --for=all "$1" |
    grep -c ": records*-[a-z-]*: " | grep -x 6' sh "$data/bad-size-9.trace"

# trace OPTIONS THREADS METHODS START RECORDS: of version 2, to made.trace
trace()
{
	{
		printf '*version\n2\n%b*threads\n%b*methods\n%b*end\n' \
		    "$1" "$2" "$3"
		printf "SLOW\\002\\000\\040\\000$4"
		printf '\000\000\000\000\000\000\000\000'
		printf '\000\000\000\000\000\000\000\000'
		printf "$5"
	} >made.trace
}

# judged READER VERDICT RULE: of made.trace
judged()
{
	dmtrace validate -f tsv --for="$1" made.trace | sed 1d |
	    cut -f 3,4 | tr '\t' ' ' >judged
	echo "$2${3:+ $3}" >wanted
	sed -i 's/ $//' judged
	cmp wanted judged || { cat judged; return 1; }
}

w='clock=wall\n'
t='1\tmain\n'
m='0x4\tA\tm\t()V\tA.java\t1\n'
zero='\000\000\000\000\000\000\000\000'
call='\001\000\004\000\000\000\001\000\000\000'
trace "$w" "$t" "$m" "$zero" "$call\007${call#????}"
claim "Firefox refuses a thread that is not listed" \
    judged firefox refuses thread-unlisted
claim "Studio reads a thread that is not listed" judged studio reads
trace "$w" "$t" "0x80000000\tA\tm\t()V\tA.java\t1\n$m" "$zero" "$call"
claim "Firefox reads a high id without events" judged firefox reads
trace "$w" "$t" "0xfffffff0\tA\tm\t()V\tA.java\t1\n$m" "$zero" \
    '\001\000\360\377\377\377\001\000\000\000'
claim "Firefox misreads a high id with an event" \
    judged firefox misreads method-id-high
trace "$w" "$t" "$m" '\166\261\015\367\306\113\007\167' "$call"
claim "Perfetto misreads a start time far too late" \
    judged perfetto misreads start-high
trace "$w" "$t" "$m" '\366\123\343\245\233\304\040\000' "$call"
claim "Perfetto reads the latest start time in nanoseconds" \
    judged perfetto reads
trace "$w" "$t" "$m" '\367\123\343\245\233\304\040\000' "$call"
claim "Perfetto misreads a start time 1 us later" \
    judged perfetto misreads start-high
trace "$w" "1\tmain\n2\tmain\n" "$m" "$zero" "$call"
claim "perflib of 2016 misreads a name that two threads have" \
    judged perflib2016 misreads thread-name-shared
claim "Studio reads a name that two threads have" judged studio reads
claim "a name that two threads have is fixed" \
    exits 0 dmtrace validate --fix --for=perflib2016 -q \
    -o fixed.trace made.trace
claim "the fixed name has the number of the thread" has 'main-2' fixed.trace
trace "$w" "1\tmain\n1\tother\n" "$m" "$zero" "$call"
claim "Perfetto misreads two names of one thread" \
    judged perfetto misreads thread-other-name
trace "$w" "1\tmain\n1\tmain\n" "$m" "$zero" "$call"
claim "Perfetto reads a thread that is listed twice" judged perfetto reads
claim "perflib of 2016 reads a thread that is listed twice" \
    judged perflib2016 reads
trace "$w" "$t" "$m$m" "$zero" "$call"
claim "dmtracedump reads a method that is listed twice" judged dmtracedump reads
trace "$w" "$t" '0x4\tA\tm\t()V \n' "$zero" "$call"
claim "Perfetto misreads a line that it trims" \
    judged perfetto misreads method-names-other
claim "a line that Perfetto trims is fixed" \
    exits 0 dmtrace validate --fix --for=perfetto -q \
    -o fixed.trace made.trace
trace "$w" "$t" "$m" "$zero" ''
sed -i 's/\t1$//' made.trace
claim "dmtracedump ignores columns of a method without events" \
    judged dmtracedump reads
trace "$w" "${t}abc\tx\n" "$m" "$zero" "$call"
claim "Java readers leave out a thread without a number" \
    judged studio reads
claim "Firefox misreads a thread without a number" \
    judged firefox misreads thread-id-bad
for id in '-1' '99999999999'; do
	trace "$w" "$t$id\tx\n" "$m" "$zero" "$call"
	claim "Firefox reads the thread number $id" judged firefox reads
done
for id in '+7' '7\v'; do
	trace "$w" "$t$id\tx\n" "$m" "$zero" "$call\007${call#????}"
	claim "Firefox misreads the thread number \"$id\"" \
	    judged firefox misreads thread-id-bad
done
trace "$w" "$t\0017\tx\n" "$m" "$zero" "$call"
claim "dmtracedump misreads a number after a control byte" \
    judged dmtracedump misreads thread-id-bad
trace "$w" "1\tx\n1\tother\n1\tx\n" "$m" "$zero" "$call"
claim "Perfetto reads a thread whose first and last name agree" \
    judged perfetto reads
trace "$w" "1\tmain\n1\tmain \n" "$m" "$zero" "$call"
claim "Perfetto misreads a second name with a blank" \
    judged perfetto misreads thread-other-name
trace "$w" "${t}2\tx\n2\ty\n" "$m" "$zero" "$call"
claim "Perfetto ignores names of a thread without events" \
    judged perfetto reads
trace "$w" "1\t\tmain\n" "$m" "$zero" "$call"
claim "Perfetto drops a TAB before a name" \
    judged perfetto misreads thread-name-tab
trace "$w" "$t" "$m${m%???}2\n" "$zero" "$call"
claim "dmtracedump does not show line numbers" judged dmtracedump reads
trace "$w" "$t" "0x4\tA\tm\t()I\tA.java\t1\n$m" "$zero" "$call"
claim "dmtracedump shows signatures" judged dmtracedump misreads method-repeated

# Where records begin or end elsewhere. moved OFFSET TAIL: records, at 32
moved()
{
	trace "$w" "$t" "$m" "$zero" "$call$call$call$2"
	LC_ALL=C sed "s/SLOW\x02\x00\x20/SLOW\x02\x00\x$1/" made.trace >new &&
	    mv new made.trace
}
moved 28 ''
claim "Perfetto finds whole records at 32" \
    judged perfetto misreads offset-not-32
moved 2a 'abcde'
claim "Perfetto refuses part of a record at 32" \
    judged perfetto refuses offset-uneven
moved 0c ''
claim "Firefox finds a thread of the header that is not listed" \
    judged firefox refuses records-refused
moved 20 ''
claim "Perfetto reads records that begin at 32" judged perfetto reads
trace 'clock=dual\n' "$t" "$m" "$zero" "$call"
claim "Studio refuses short records with the clock dual" \
    judged studio refuses records-refused
claim "Firefox refuses short records with the clock dual" \
    judged firefox refuses records-refused
trace 'clock=dual\n' "$t" "$m" "$zero" "$call$call$call$call$call$call$call"
claim "Studio misreads short records that fill long ones" \
    judged studio misreads records-elsewhere
claim "dmtracedump reads short records with the clock dual" \
    judged dmtracedump reads
trace "${w}clock=dual\n" "$t" "$m" "$zero" "$call"
claim "Firefox takes the last clock line" \
    judged firefox refuses records-refused
trace "clock=dual\n$w" "$t" "$m" "$zero" "$call"
claim "Firefox ignores the first clock line" judged firefox reads
trace "${w}clock=Wall\n" "$t" "$m" "$zero" "$call"
claim "Studio knows no clock \"Wall\"" judged studio refuses clock-unknown
trace "$w" "$t" "$m" "$zero" "$call"
sed -i 's/^\*threads/&x/' made.trace
claim "dmtracedump takes *threadsx for *threads" \
    judged dmtracedump misreads key-section-missing
sed -i 's/^\*threads.*/*threads\n1\tmain\n*foo/' made.trace
claim "dmtracedump refuses an unknown section" \
    judged dmtracedump refuses key-section-unknown
trace "$w" "$t" "$m" "$zero" "$call"
sed -i '1s/.*/&\n&/' made.trace
claim "Studio takes the number after a second *version" judged studio reads
claim "dmtracedump refuses a second *version" \
    judged dmtracedump refuses key-section-repeated
trace "$w" "$t" '0x4\tA\tm\t()V\t\0303\0244\t1\n' "$zero" "$call"
claim "Traceview does not show names of files" judged traceview reads
trace "$w" "$t" '0x4\tA\tm\0303\0244\t()V\t\t1\n' "$zero" "$call"
claim "Traceview misreads names of methods that are not ASCII" \
    judged traceview misreads key-not-ascii
trace "$w" "$t" '0x4\tA\t\t1\n' "$zero" "$call"
claim "Firefox shows a line number for a signature, without a file, too" \
    judged firefox misreads method-file-line
trace "$w" "$t" "$m*foo\n\t\t\n" "$zero" "$call"
claim "Traceview takes TABs in an unknown section for a method" \
    judged traceview refuses key-line-refused
trace "$w" "$t" "$m" "$zero" ''
sed -i 's/^2$/1/; s/SLOW\x02/SLOW\x01/' made.trace
claim "Perfetto reads version 1 without records" \
    judged perfetto reads
for line in '' ' ' '\t' 'x'; do
	trace "$w" "$t" "$m$line\n" "$zero" "$call"
	claim "Traceview refuses the method line \"$line\"" sh -c \
	    'dmtrace validate -q --for=traceview made.trace | grep -q refuses'
done
for key in ' 2' '02'; do
	trace "$w" "$t" "$m" "$zero" "$call"
	sed -i "2s/.*/$key/" made.trace
	claim "Perfetto reads the version \"$key\"" judged perfetto reads
	claim "Firefox refuses the version \"$key\"" \
	    judged firefox refuses key-version-malformed
done
printf 'SLOW\004\000\000\000\000\000\000\000\000\000\000\000' >made.trace
printf '\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' \
    >>made.trace
claim "Perfetto refuses a V2 trace of only a header" \
    judged perfetto refuses packets-none
printf '\000' >>made.trace
claim "Perfetto reads a V2 trace of a header and a byte" judged perfetto reads

# Stage F with events later than 9.22 s, of one thread; bytes of the header and
# of the thread's packet are replaced.
dmtrace generate -q --threads=1 --events=4 -o short.trace
dmtrace shift -q --by=10s -o long.trace short.trace

# stage_f FILE OFFSET BYTES
stage_f()
{
	dmtrace convert -q -d v5 --stage=f -o made.trace "$1"
	printf "$3" | dd of=made.trace bs=1 seek="$2" conv=notrunc 2>dd
}
rate='\000\312\232\073'
stage_f long.trace 22 ''
claim "Perfetto reads late times without a counter" judged perfetto reads
stage_f short.trace 22 "$rate"
claim "Perfetto reads early ones of a counter" judged perfetto reads
stage_f long.trace 22 "$rate"
claim "Perfetto multiplies late ones by its rate" \
    judged perfetto misreads packets-ticks
stage_f short.trace 33 '\077'
claim "Perfetto refuses a thread without a packet" \
    judged perfetto refuses packets-unlisted

# What was measured with files of one property each. Where a newer folder
# contradicts an older one it has the last word; a bare number that was taken
# for hexadecimal is decimal here, as it is to all readers but Perfetto. Later
# measurements: Firefox shows the first name of a thread number, Perfetto
# refuses an empty method line (an earlier build crashed).
contradicted='crlf.trace dmtracedump
meth_1col.trace firefox
meth_blank.trace perfetto
meth_big.trace firefox
meth_empty_class.trace firefox
meth_space.trace firefox
stream_f3.trace firefox
thr_badutf8.trace dmtracedump
thr_dup.trace firefox
thr_dup.trace perfetto
thr_none.trace firefox
tid_40000.trace firefox
unk_thread.trace firefox
v3d_unk_thread.trace firefox
m178-thread_dupid.trace firefox
18-thread-listed-twice-other-name.trace firefox
m101-method_id.trace dmtracedump
m101-method_id.trace traceview
m101-method_id.trace perflib2016
m101-method_id.trace studio
m101-method_id.trace firefox
m101-method_id.trace perfetto'

if [ -n "$DMTRACE_DEFECTS" ]; then
	echo "$contradicted" | sed 's/$/:/' >excused
	for folder in $(folders "$DMTRACE_DEFECTS"); do
		"$srcdir/tests/verdicts.sh" "$folder" >judged
		grep -v -F -f excused judged >left
		claim "$(basename "$folder"): verdicts are what was measured" \
		    sh -c 'cat left; [ "$(wc -l <left)" -eq 1 ] &&
		    grep -q "(9[89]\|(100" left'
	done
else
	skip "the rules say what was measured" "DMTRACE_DEFECTS is not set"
fi

finish
