#!/bin/sh
# cli_validate_for.sh - what other readers make of traces, as measured

. "$srcdir/tests/claim.sh"

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
claim "the page has a table" test -s page
claim "it is that of the program" prints page in_program

cp "$data/good-clock-missing.trace" missing.trace
cp "$data/good-v2-wall.trace" wall.trace
claim "all read a conservative trace" \
    exits 0 dmtrace validate --for=all wall.trace
claim "one of several does not" answers 1 \
    'missing.trace: studio refuses: clock-missing: no clock is named' \
    dmtrace validate --for=studio,firefox missing.trace
claim "the others do" \
    exits 0 dmtrace validate --for=firefox --for=perfetto missing.trace
claim "-q tells those that do not" sh -c \
    '[ "$(dmtrace validate -q --for=all missing.trace | wc -l)" -eq 1 ]'
claim "an unknown one is trouble" answers 2 'no reader "studi" (did you mean' \
    dmtrace validate --for=studi wall.trace
claim "nor is there one without a name" exits 2 \
    dmtrace validate --for=all, wall.trace
claim "what is no trace is refused by all" exits 1 \
    dmtrace validate --for=all "$data/bad-text.trace"
claim "a missing file is trouble" exits 2 \
    dmtrace validate --for=all no-such.trace
printf 'file,reader,verdict,rule,words\r\nwall.trace,studio,reads,,\r\n' \
    >expected
claim "in rows" prints expected \
    dmtrace validate -f csv --for=studio wall.trace
claim "a pair is for Traceview alone" answers 1 \
    'good-pair-v3.key: perfetto refuses: pair: ' \
    dmtrace validate --for=all "$data/good-pair-v3.key"
claim "which reads it" exits 0 \
    dmtrace validate --for=traceview "$data/good-pair-v3.key"

claim "what has records of 9 bytes is read by none" exits 1 \
    dmtrace validate --for=all "$data/bad-size-9.trace"
claim "each of them is named" sh -c 'dmtrace validate -q --for=all "$1" |
    grep -c ": record-size-tiny: " | grep -x 6' sh "$data/bad-size-9.trace"

# What was measured with files of one property each.
measured()
{
	sed 1d "$DMTRACE_DEFECTS/verdicts.tsv" | cut -f 1-3 | sort
}

verdicts()
{
	(cd "$DMTRACE_DEFECTS" &&
	    dmtrace validate -f tsv --for=all ./*.trace) | sed 1d |
	    cut -f 1-3 | sed 's,^\./,,' | sort
}

if [ -n "$DMTRACE_DEFECTS" ] && [ -d "$DMTRACE_DEFECTS" ]; then
	measured >wanted
	verdicts >got
	claim "there are measured verdicts" test -s wanted
	claim "the rules say what was measured" sh -c \
	    'comm -23 wanted got >other; cat other; [ ! -s other ]'
else
	skip "the rules say what was measured" "DMTRACE_DEFECTS is not set"
fi

finish
