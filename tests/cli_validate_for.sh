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

# says STATUS TEXT COMMAND...: its exit status, and a text in what it prints
says()
{
	expected=$1
	text=$2
	shift 2
	exits "$expected" "$@" >said 2>&1 && has "$text" said
}

cp "$data/good-clock-missing.trace" missing.trace
cp "$data/good-v2-wall.trace" wall.trace
claim "all read a conservative trace" \
    exits 0 dmtrace validate --for=all wall.trace
claim "one of several does not" says 1 \
    'missing.trace: studio refuses: clock-missing: no clock is named' \
    dmtrace validate --for=studio,firefox missing.trace
claim "the others do" \
    exits 0 dmtrace validate --for=firefox --for=perfetto missing.trace
claim "-q tells those that do not" sh -c \
    '[ "$(dmtrace validate -q --for=all missing.trace | wc -l)" -eq 1 ]'
claim "an unknown one is trouble" says 2 'no reader "studi" (did you mean' \
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
claim "a pair is for Traceview alone" says 1 \
    'good-pair-v3.key: perfetto refuses: pair: ' \
    dmtrace validate --for=all "$data/good-pair-v3.key"
claim "which reads it" exits 0 \
    dmtrace validate --for=traceview "$data/good-pair-v3.key"

# What was measured with files of one property each. One line does not agree
# with what is known of real traces, whose ids of 2^31 and more Firefox does
# not find in the table.
measured()
{
	sed 1d "$DMTRACE_DEFECTS/verdicts.tsv" | cut -f 1-3 |
	    grep -v '^meth_big.trace	firefox	' | sort
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

# What the real dmtracedump does: "lists" (and sums up), "dump-only",
# "refuses" or "crashes".
real()
{
	dmtracedump -o "$1" 2>/dev/null | LC_ALL=C awk '
	/^Trace \(threadID action usecs/ { listed = 1; next }
	listed { n++ }
	END { exit n == 0 }' || { echo refuses; return; }
	dmtracedump "$1" >/dev/null 2>&1
	case $? in
	0) echo lists ;;
	1) echo dump-only ;;
	*) echo crashes ;;
	esac
}

# Where both list and misread, the report may fail for the calls too; reading
# beyond an array does not crash everywhere.
agrees()
{
	said=$(dmtrace validate -f tsv --for=dmtracedump "$1" 2>/dev/null |
	    sed 1d | cut -f 3,4)
	did=$(real "$1" 2>/dev/null)
	case "${said%%	*} $did" in
	"reads lists"|"misreads lists"|"dump-only dump-only") ;;
	"misreads dump-only"|"refuses refuses"|"crashes "*) ;;
	*) echo "$1: $said, and it $did"; return 1 ;;
	esac
}

# byte FILE AT OCTAL: changes one
byte()
{
	printf "\\$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# damage KIND SEED FILE: to stdout
damage()
{
	size=$(($(wc -c <"$3")))
	case $1 in
	0) cat "$3" ;;
	1) head -c $((size - 1 - $2 * 7 % 200)) "$3" ;;
	2) head -c $((size - 400 + $2)) "$3"
	    tail -c $((300 - $2 % 9)) "$3" ;;
	3) cat "$3" >flipped
	    byte flipped $((size - 1 - $2 * 13 % 500)) $((100 + $2 % 60))
	    cat flipped ;;
	4) case $(($2 % 5)) in
	    0) sed '1,/^\*methods/s/\t/ /' "$3" ;;
	    1) sed '/^\*methods/,/^\*end/s/\t/  /g' "$3" ;;
	    2) sed '1,/^\*end/s/$/\r/' "$3" ;;
	    3) sed '0,/^\*threads/s//*thread/' "$3" ;;
	    4) sed '0,/^\*end/s//*ends/' "$3" ;;
	    esac ;;
	esac
}

# Of each kind a hundred.
all_agree()
{
	seed=0
	failed=0
	while [ $seed -lt 100 ]; do
		seed=$((seed + 1))
		dmtrace generate -q --seed=$seed --records=60 --threads=3 \
		    --methods=9 -V $((seed % 3 + 1)) -o made.trace
		damage "$1" $seed made.trace >damaged.trace
		agrees damaged.trace || { echo "seed $seed"; failed=1; }
	done
	[ $failed -eq 0 ]
}

if have dmtracedump; then
	for kind in 0 1 2 3 4; do
		claim "the real dmtracedump agrees, damage $kind" \
		    all_agree $kind
	done
else
	skip "the real dmtracedump agrees" "no dmtracedump here"
fi
finish
