#!/bin/sh
# cli_validate.sh - every rule, and what the options make of it

. "$srcdir/tests/claim.sh"

data=$srcdir/tests/data

names()
{
	dmtrace validate -f tsv "$@" 2>/dev/null | sed 1d | cut -f 2
}

every_rule_is_broken()
{
	dmtrace validate --rules -f tsv | sed 1d | cut -f 1 | sort >rules
	for sample in "$data"/*.trace "$data"/*.key; do
		names "$sample"
	done | sort -u >broken
	[ -s rules ] && comm -3 rules broken >other && cat other &&
	    [ ! -s other ]
}

claim "a sample breaks every rule" every_rule_is_broken
printf '%s: valid, 4 records\n' "$data/good-v2-wall.trace" >expected
claim "another breaks none" prints expected \
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
	bad-no-end.*|bad-key-cut.*|bad-star.*) status=2 ;;
	esac
	claim "$(basename "$sample") is not" \
	    exits $status dmtrace validate -q "$sample"
done

cp "$data/good-method-unlisted.trace" unlisted.trace
cp "$data/bad-time-back.trace" back.trace
cp "$data/good-deep-513.trace" deep.trace
claim "a warning does not fail" exits 0 dmtrace validate unlisted.trace
claim "--strict does" exits 1 dmtrace validate --strict unlisted.trace
claim "--fail-on=warning does" \
    exits 1 dmtrace validate --fail-on=warning unlisted.trace
claim "--fail-on=note and --strict together fail on notes" \
    exits 1 dmtrace validate --strict --fail-on=note deep.trace
claim "a note does not fail with --strict" \
    exits 0 dmtrace validate --strict deep.trace
claim "--disable leaves a rule out" answers 0 'back.trace: valid' \
    dmtrace validate --disable=time-back back.trace
claim "--severity lowers" answers 0 'warning: time-back: ' \
    dmtrace validate --severity=time-back=warning back.trace
claim "--severity raises" answers 1 'error: call-deep: ' \
    dmtrace validate --severity=call-deep=error deep.trace
claim "a rule that is not there is trouble, with the nearest" \
    answers 2 'no rule "time-bak" (did you mean --time-back' sh -c '
    dmtrace validate --disable=time-bak back.trace 2>&1 |
    sed "s/mean \"*/mean --/"; exit 2'
claim "so is a severity" answers 2 'NAME=note, warning or error' \
    dmtrace validate --severity=time-back=fatal back.trace
claim "so is none" answers 2 'NAME=note, warning or error' \
    dmtrace validate --severity=time-back back.trace
claim "so is no file" exits 2 dmtrace validate
claim "--rules takes none" exits 2 dmtrace validate --rules back.trace

claim "three of a name are told" answers 0 'call-open: 510 more' \
    dmtrace validate deep.trace
claim "all with -a" sh -c \
    '[ "$(dmtrace validate -a deep.trace | grep -c call-open)" -eq 513 ]'
claim "and in rows" sh -c \
    '[ "$(dmtrace validate -a -f tsv deep.trace | wc -l)" -eq 515 ]'
{
	printf 'file,name,severity,count,line,byte,words\r\n'
	printf 'deep.trace,call-deep,note,1,,5431,%s\r\n' \
	    '"calls nest deeper than 512: thread 1, 513"'
	printf 'deep.trace,call-open,note,513,,,%s\r\n' \
	    'call that has no end in the trace: 0x12345678 in thread 1'
} >expected
dmtrace validate -f csv deep.trace | sort >got
sort expected >wanted
claim "rows have counts and the first place" cmp wanted got
if have jq; then
	claim "JSON is" sh -c "dmtrace validate -f json deep.trace |
	    jq -e -s '(map(.count) | add) == 514 and .[0].file ==
	    \"deep.trace\"'"
	claim "the rules are, too" sh -c "dmtrace validate --rules -f json |
	    jq -e -s 'length > 60 and all(.[]; .severity != null)'"
else
	skip "JSON is" "no jq here"
	skip "the rules are, too" "no jq here"
fi
claim "several files: the worst counts" \
    exits 2 dmtrace validate -q deep.trace back.trace none.trace
claim "and the others are told" \
    answers 2 'back.trace: not valid, ' dmtrace validate deep.trace back.trace \
    none.trace
claim "standard input" sh -c 'dmtrace validate - <deep.trace | tail -n 1 |
    grep -q "valid, 513 records"'
claim "-o writes the report" sh -c 'dmtrace validate -o report deep.trace &&
    grep -q "deep.trace: valid" report'
claim "which is not the trace" \
    exits 2 dmtrace validate -o deep.trace deep.trace
claim "a closed pipe is no failure" sh -c \
    'dmtrace validate -a deep.trace | head -n 1 >/dev/null'
cp "$data/good-v2-wall.trace" wall.trace
{
	printf 'ok 1 - wall.trace\nnot ok 2 - back.trace\n'
	printf '# back.trace: byte 219: error: time-back: '
	printf 'time goes back within a thread: thread 1\n'
	cat <<'TAP'
# back.trace: not valid, 5 records, 1 error, 2 notes
not ok 3 - none.trace
# cannot open none.trace: No such file or directory
1..3
TAP
} >expected
claim "TAP has a test for each file, also for one that is not there" \
    sh -c 'dmtrace validate -q -f tap wall.trace back.trace none.trace \
    2>/dev/null | cmp expected -'
if have prove; then
	dmtrace validate -f tap wall.trace deep.trace >passed.tap
	dmtrace validate -f tap wall.trace back.trace >failed.tap
	claim "prove takes it" sh -c 'prove -e cat passed.tap'
	claim "and a failure" exits 1 prove -e cat failed.tap
else
	skip "prove takes it" "no prove here"
	skip "and a failure" "no prove here"
fi
cp wall.trace 'a<b&"c.trace'
claim "a report of JUnit is whole, whatever is not" exits 2 \
    dmtrace validate -f junit -o report.xml wall.trace back.trace \
    none.trace 'a<b&"c.trace'
claim "it has the sums" \
    grep -q 'tests="4" failures="1" errors="1"' report.xml
if have xmllint; then
	claim "and fits the schema" xmllint --noout \
	    --schema "$srcdir/tests/junit.xsd" report.xml
	claim "with names as they are" sh -c "xmllint --xpath \
	    'string(//testcase[4]/@name)' report.xml |
	    grep -qxF 'a<b&\"c.trace'"
else
	skip "and fits the schema" "no xmllint here"
	skip "with names as they are" "no xmllint here"
fi
claim "verdicts are tests, too" sh -c \
    'dmtrace validate -f tap --for=all wall.trace |
    grep -qx "ok 1 - wall.trace"'
claim "rules are none" exits 2 dmtrace validate --rules -f tap

for version in 1 2 3; do
	dmtrace generate -q --seed=$version -V $version --records=3000 \
	    -o made.trace
	claim "what generate makes is valid: version $version" \
	    exits 0 dmtrace validate --fail-on=warning made.trace
done

# No real trace has an error, but for two: one whose data was put through a
# decoder of text, so that its record size is wrong, and one whose data is text.
if [ -n "$DMTRACE_CORPUS" ] && [ -d "$DMTRACE_CORPUS" ]; then
	for trace in "$DMTRACE_CORPUS"/*.trace; do
		case $trace in
		*special_char.trace|*-header.trace) status=1 ;;
		*-streaming.trace) continue ;;
		*) status=0 ;;
		esac
		claim "$(basename "$trace") exits $status" \
		    exits $status dmtrace validate -q "$trace"
	done
else
	skip "no real trace has an error" "DMTRACE_CORPUS is not set"
fi
finish
