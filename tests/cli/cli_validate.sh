#!/bin/sh
# cli_validate.sh - every rule, and what the options make of it

. "$srcdir/tests/helpers/claim.sh"

data=$srcdir/tests/data

names()
{
	dmtrace validate -f tsv "$@" 2>/dev/null | sed 1d | cut -f 2 | grep .
}

every_rule_is_broken()
{
	dmtrace validate --rules -f tsv | sed 1d | grep -v entries |
	    cut -f 1 | sort >rules
	head -c 105 "$data/good-stream-f2.trace" >apart.trace
	tail -c 52 "$data/good-stream-f2.trace" >apart.trace.sec
	{
		printf '*version\n2\nclock=wall\n*threads\n*methods\n*end\n'
		printf 'SLOW\2\0\020\0\0\0\0\0\0\0\0\0' | base64
	} >base64.trace
	names apart.trace base64.trace "$data"/*.trace "$data"/*.key |
	    sort -u >broken
	[ -s rules ] && comm -3 rules broken >other && cat other &&
	    [ ! -s other ]
}

claim "a sample breaks every rule" every_rule_is_broken
printf '%s: valid, 4 events\n' "$data/good-v2-wall.trace" >expected
claim "a good sample breaks no rule" prints expected \
    dmtrace validate -a "$data/good-v2-wall.trace"

# By its name a good sample has no error; a bad one has, or has no whole key.
for sample in "$data"/good-*.trace; do
	claim "$(basename "$sample") is valid" \
	    exits 0 dmtrace validate -q "$sample"
done
for sample in "$data"/bad-*.trace; do
	status=1
	case $(basename "$sample") in
	bad-data-only.*|bad-data-version*|bad-empty.*|bad-text.*) status=2 ;;
	bad-no-end.*|bad-key-cut.*|bad-star.*|bad-stream-cut.*) status=2 ;;
	esac
	claim "$(basename "$sample") is not valid" \
	    exits $status dmtrace validate -q "$sample"
done

cp "$data/good-method-unlisted.trace" unlisted.trace
cp "$data/bad-time-back.trace" back.trace
cp "$data/good-deep-513.trace" deep.trace
claim "a warning does not fail" exits 0 dmtrace validate unlisted.trace
claim "a warning fails with --strict" \
    exits 1 dmtrace validate --strict unlisted.trace
claim "a warning fails with --fail-on=warning" \
    exits 1 dmtrace validate --fail-on=warning unlisted.trace
claim "--fail-on=note and --strict together fail on notes" \
    exits 1 dmtrace validate --strict --fail-on=note deep.trace
claim "a note does not fail with --strict" \
    exits 0 dmtrace validate --strict deep.trace
claim "--disable leaves a rule out" answers 0 'back.trace: valid' \
    dmtrace validate --disable=time-back back.trace
claim "--severity makes an error a warning" answers 0 'warning: time-back: ' \
    dmtrace validate --severity=time-back=warning back.trace
claim "--severity makes a note an error" answers 1 'error: call-deep: ' \
    dmtrace validate --severity=call-deep=error deep.trace
claim "an unknown rule is trouble, with a suggestion" \
    answers 2 'no rule "time-bak" (did you mean --time-back' sh -c '
    dmtrace validate --disable=time-bak back.trace 2>&1 |
    sed "s/mean \"*/mean --/"; exit 2'
long=$(printf '%064d' 0)
claim "a long unknown name is printed shortened" \
    answers 2 "no rule \"${long#0}\"" \
    dmtrace validate --disable="$long" back.trace
claim "an unknown severity is trouble" answers 2 'NAME=note, warning or error' \
    dmtrace validate --severity=time-back=fatal back.trace
claim "a missing severity is trouble" answers 2 'NAME=note, warning or error' \
    dmtrace validate --severity=time-back back.trace
claim "a missing operand is trouble" exits 2 dmtrace validate
claim "--rules takes no file" exits 2 dmtrace validate --rules back.trace

claim "findings of one name are one line with a count" answers 0 \
    'the trace: app.Main.main (0x12345678) in thread 1 (the first of 513)' \
    dmtrace validate deep.trace
claim "-a prints every finding" sh -c \
    '[ "$(dmtrace validate -a deep.trace | grep -c call-open)" -eq 513 ]'
claim "-a with rows has a row for every finding" sh -c \
    '[ "$(dmtrace validate -a -f tsv deep.trace | wc -l)" -eq 516 ]'
main='app.Main.main (0x12345678)'
{
	printf 'file,finding,severity,count,line,byte,message,result,events\r\n'
	printf 'deep.trace,call-deep,note,1,,5431,%s,,\r\n' \
	    '"calls nest deeper than 512: thread 1, 513"'
	printf 'deep.trace,call-open,note,513,,,%s,,\r\n' \
	    "call without an exit in the trace: $main in thread 1"
	printf 'deep.trace,,,,,,,valid,513\r\n'
} >expected
dmtrace validate -f csv deep.trace | sort >got
sort expected >wanted
claim "rows have counts and the first place" cmp wanted got
if have jq; then
	claim "JSON has the counts and the file" \
	    sh -c "dmtrace validate -f jsonl deep.trace |
	    jq -e -s '(map(.count) | add) == 514 and .[0].file ==
	    \"deep.trace\"'"
	claim "--rules prints JSON with severities" \
	    sh -c "dmtrace validate --rules -f jsonl |
	    jq -e -s 'length > 60 and all(.[]; .severity != null)'"
else
	skip "JSON has the counts and the file" "no jq here"
	skip "--rules prints JSON with severities" "no jq here"
fi
claim "of several files the worst decides the exit status" \
    exits 2 dmtrace validate -q deep.trace back.trace none.trace
claim "the other files are reported after one is missing" \
    answers 2 'back.trace: not valid, ' dmtrace validate deep.trace back.trace \
    none.trace
# whole FORM RESULT...: the report has them, and takes the place of an old one
whole()
{
	form=$1
	shift
	echo stale >report
	exits 2 dmtrace validate -f "$form" -o report back.trace none.trace \
	    deep.trace 2>error || return 1
	for row in "$@"; do
		has "$row" report || return 1
	done
	! grep -q stale report
}
why='cannot open none.trace: No such file or directory'
claim "a report has all operands: text" whole text \
    'back.trace: not valid, 5' "none.trace: unreadable: $why" \
    'deep.trace: valid, 513'
claim "a report has all operands: tsv" whole tsv \
    "$(printf 'back.trace\t\t\t\t\t\t\tinvalid\t5')" \
    "$(printf 'none.trace\t\t\t\t\t\t%s\tunreadable\t' "$why")" \
    "$(printf 'deep.trace\t\t\t\t\t\t\tvalid\t513')"
claim "a report has all operands: csv" whole csv \
    'back.trace,,,,,,,invalid,5' "none.trace,,,,,,$why,unreadable," \
    'deep.trace,,,,,,,valid,513'
claim "a report has all operands: json" whole json \
    '"message":null,"result":"invalid","events":5}' \
    "\"message\":\"$why\",\"result\":\"unreadable\",\"events\":null}" \
    '"message":null,"result":"valid","events":513}'
claim "an unreadable trace has the place in its row" sh -c "
    dmtrace validate -f csv '$data/bad-data-only.trace' 2>error | tail -n 1 |
    grep -q '^[^,]*,,,,,[0-9]*,..*,unreadable,'"
claim "a report for readers has all operands" sh -c "
    dmtrace validate --for=all -f csv -o report none.trace deep.trace 2>error
    [ \$? -eq 2 ] && grep -q '^none.trace,,unreadable,,$why' report &&
    grep -q '^deep.trace,dmtracedump,reads,' report"
claim "a report for readers in text has a missing file" sh -c "
    dmtrace validate --for=all -o made none.trace 2>error;
    grep -qx 'none.trace: unreadable: $why' made"
for form in text csv junit tap; do
	cp back.trace kept.trace
	claim "no report replaces a trace, $form" sh -c "
	    ! dmtrace validate -f $form -o kept.trace deep.trace kept.trace \
	    2>error && cmp kept.trace back.trace"
done
dmtrace split -q -o half deep.trace
cp half.key kept.key
claim "no report replaces half of a pair" sh -c '
    ! dmtrace validate -o half.key half 2>error && cmp half.key kept.key'
claim "standard input is validated" \
    sh -c 'dmtrace validate - <deep.trace | tail -n 1 |
    grep -q "valid, 513 events"'
claim "rows name standard input as the operand does" sh -c '
    dmtrace validate -f tsv - <deep.trace | tail -n 1 | grep -q "^-	"'
claim "-o writes the report" sh -c 'dmtrace validate -o report deep.trace &&
    grep -q "deep.trace: valid" report'
claim "-o with the name of the trace is refused" \
    exits 2 dmtrace validate -o deep.trace deep.trace
if have script && script -qec : /dev/null </dev/null >seen 2>&1; then
	# on_terminal ENVIRONMENT: severities and verdict, with colours
	on_terminal()
	{
		env TERM=xterm "$1" script -qec \
		    "dmtrace validate back.trace" /dev/null </dev/null |
		    grep -v ' note:' |
		    tr -d '\r' | sed 's/[^ ]*: //; s/byte [0-9]*: //; s/: .*//;
		    s/,.*//' | LC_ALL=C sort -u
	}
	printf '%berror%b\n%bnot valid%b\n' '\033[31m' '\033[0m' \
	    '\033[31m' '\033[0m' | LC_ALL=C sort >wanted
	claim "on a terminal errors are red" \
	    prints wanted on_terminal NO_COLOR=
	printf 'error\nnot valid\n' >wanted
	claim "with NO_COLOR errors are not red" \
	    prints wanted on_terminal NO_COLOR=1
	claim "errors are not red in a test report" \
	    sh -c '! TERM=xterm script -qec \
	    "dmtrace validate -f tap back.trace" /dev/null </dev/null |
	    grep "\["'
else
	skip "on a terminal errors are red" "no script here"
fi
claim "a closed pipe is no failure" sh -c \
    'dmtrace validate -a deep.trace | head -n 1 >/dev/null'
cp "$data/good-v2-wall.trace" wall.trace
{
	printf 'ok 1 - wall.trace\nnot ok 2 - back.trace\n'
	printf '# back.trace: byte 219: error: time-back: '
	printf 'time goes back within a thread: thread 1\n'
	cat <<'TAP'
# back.trace: not valid, 5 events, 1 error, 2 notes
not ok 3 - none.trace
# none.trace: unreadable: cannot open none.trace: No such file or directory
1..3
TAP
} >expected
claim "TAP has a test for each file, also for one that is not there" \
    sh -c 'dmtrace validate -q -f tap wall.trace back.trace none.trace \
    2>/dev/null | cmp expected -'
if have prove; then
	dmtrace validate -f tap wall.trace deep.trace >passed.tap
	dmtrace validate -f tap wall.trace back.trace >failed.tap
	claim "prove accepts a TAP report" sh -c 'prove -e cat passed.tap'
	claim "prove notices a failure in a TAP report" \
	    exits 1 prove -e cat failed.tap
else
	skip "prove accepts a TAP report" "no prove here"
	skip "prove notices a failure in a TAP report" "no prove here"
fi
cp wall.trace 'a<b&"c.trace'
claim "a JUnit report is complete when a file is missing" exits 2 \
    dmtrace validate -f junit -o report.xml wall.trace back.trace \
    none.trace 'a<b&"c.trace'
claim "a JUnit report has the sums" \
    grep -q 'tests="4" failures="1" errors="1"' report.xml
claim "a trace that is valid without a note has no output in JUnit" sh -c '
    ! grep -F "<system-out></system-out>" report.xml'
claim "a failure in JUnit is a test case" has '<testcase classname='\
'"dmtrace.validate" name="back.trace" time="0">' report.xml
claim "a failure in JUnit has its own message" \
    has '<failure message="back.trace: not valid, 5'\
' events, 1 error, 2 notes" type="invalid">' report.xml
claim "an error in JUnit has its own message" \
    has "<error message=\"none.trace: unreadable: $why\"\
 type=\"unreadable\">" report.xml
claim "a suite in JUnit has a time" has 'errors="1" time="0">' report.xml
claim "a refusal by a reader is a failure in JUnit" sh -c '
    cp "$1/bad-gap-9.trace" gap.trace
    dmtrace validate -f junit --for=dmtracedump gap.trace |
    grep -qF "<failure message=\"gap.trace: dmtracedump: refuses: version-"
    ' sh "$data"
if have xmllint; then
	claim "a JUnit report fits the schema" xmllint --noout \
	    --schema "$srcdir/tests/helpers/junit.xsd" report.xml
	claim "a JUnit report has the names of files" sh -c "xmllint --xpath \
	    'string(//testcase[4]/@name)' report.xml |
	    grep -qxF 'a<b&\"c.trace'"
else
	skip "a JUnit report fits the schema" "no xmllint here"
	skip "a JUnit report has the names of files" "no xmllint here"
fi
claim "verdicts are tests in TAP" sh -c \
    'dmtrace validate -f tap --for=all wall.trace |
    grep -qx "ok 1 - wall.trace"'
claim "--rules has no TAP form" exits 2 dmtrace validate --rules -f tap

# cpu_ahead RECORDS: of the events on standard input, those at which validate
# says that a thread has more CPU time than wall time, the first being 1
cpu_ahead()
{
	write_trace dual.trace 3 dual
	dmtrace validate -a -f tsv dual.trace >rows
	found=$(awk -F '\t' -v size="$(wc -c <dual.trace)" \
	    -v count="$(echo "$events" | wc -l)" '$2 == "cpu-ahead" {
		printf "%s%d", blank, count + 1 - (size - $6) / 14
		blank = " "
	}' rows)
	[ "$found" = "$1" ] || { echo "at $found"; cat rows; return 1; }
}

# A CPU clock that ticks slowly may be 20 ms ahead of the wall clock, as both
# went on since the thread's first event; a thread is reported once.
claim "CPU time may be 20 ms ahead of wall time" cpu_ahead '' <<'EOF'
1 4 7000 1000
1 8 27000 1000
1 9 28000 2000
1 5 29000 3000
EOF
claim "CPU time may not be 20.001 ms ahead of wall time" cpu_ahead 3 <<'EOF'
1 4 7000 1000
1 8 27000 1000
1 9 28001 2000
1 5 39000 3000
EOF
# The wall time is 2^63 ns less some milliseconds.
dmtrace undump -o late.trace - <<'EOF'
dmtrace text 1
header f5 stage=e start=0us
thread 1 main
method 0x4 A.m()V A.java
block
0us/0us 1 A.m
9223372036850000us/9us 1 A.m
summary
key 5
clock=dual
*end
end
EOF
claim "CPU time is not ahead of a wall time of 292 years" sh -c \
    'dmtrace validate -a late.trace >found && ! grep cpu-ahead found'
claim "CPU time ahead is found with other findings" cpu_ahead 2 <<'EOF'
1 4 7000 1000
1 9 27001 1000
EOF
claim "a thread's clocks may begin anywhere" cpu_ahead '' <<'EOF'
1 4 900000 1000
1 8 910000 11000
1 9 1000 20000
EOF
claim "each thread has its own clocks" cpu_ahead '4 6' <<'EOF'
1 4 1000 50000
2 4 50000 60000
1 8 21000 50000
1 9 31001 60000
2 8 80000 70000
2 9 90001 80000
EOF
claim "CPU time that wrapped may be 20 ms ahead" cpu_ahead '' <<'EOF'
1 4 4294967000 4294900000
1 8 704 4294901000
1 9 20704 4294901000
EOF
claim "CPU time that wrapped may not be 20.001 ms ahead" cpu_ahead 3 <<'EOF'
1 4 4294967000 4294900000
1 8 704 4294901000
1 9 20705 4294901000
EOF
claim "CPU time ahead is found after wall time wrapped" cpu_ahead 4 <<'EOF'
1 4 4294900000 4294967000
1 8 4294901000 704
1 12 4294921000 704
1 13 4294921001 704
EOF

for version in 1 2 3; do
	dmtrace generate -q --seed=$version -d v$version --events=3000 \
	    -o made.trace
	claim "what generate makes is valid: version $version" \
	    exits 0 dmtrace validate --fail-on=warning made.trace
done

# Their bytes of 80 and more are characters, as in a copy as text.
printf '%s\n' 'Größe.prüfe;Öl.fülle 1' 'Größe.prüfe;Öl.läßt;Übung.führe 1' \
    'Äpfel.ähnlich;Größe.größer 1' >names
for dialect in f2 f3; do
	dmtrace import -q --unit=us -d $dialect -o made.trace names
	claim "a stream with names in UTF-8 is valid: $dialect" \
	    exits 0 dmtrace validate made.trace
done

# No real trace has an error, but for two: one whose data was put through a
# decoder of text, so that its record size is wrong, and one whose data is text.
if [ -n "$DMTRACE_CORPUS" ] && [ -d "$DMTRACE_CORPUS" ]; then
	for trace in "$DMTRACE_CORPUS"/*.trace; do
		case $trace in
		*special_char.trace|*-header.trace) status=1 ;;
		*) status=0 ;;
		esac
		claim "$(basename "$trace") exits $status" \
		    exits $status dmtrace validate -q "$trace"
	done
else
	skip "no real trace has an error" "DMTRACE_CORPUS is not set"
fi
finish
