#!/bin/sh
# cli_diff_old.sh - what dmtracedump -d prints, byte for byte

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/dmtracedump.sh"

# as_dmtracedump BASE NEW
as_dmtracedump()
{
	dmtracedump -d "$1" "$2" >theirs 2>/dev/null
	dmtrace diff -q --dmtracedump "$1" "$2" >ours 2>/dev/null
	[ $? -ne 2 ] && prints theirs cat ours
}

# both_ways A B
both_ways()
{
	as_dmtracedump "$1" "$2" && as_dmtracedump "$2" "$1"
}

# generated NUMBER VERSION CLOCK
generated()
{
	rm -f a.trace b.trace
	dmtrace generate -q --seed "$1" --events $((300 + $1 * 4)) \
	    --threads $((1 + $1 % 9)) --methods $((1 + $1 * 7 % 300)) \
	    --max-depth $((1 + $1 * 3 % 50)) --dialect="v$2" \
	    --clock "$3" -o a.trace &&
	    dmtrace generate -q --seed $(($1 + $1 % 2)) \
	    --events $((350 + $1 * 4)) --threads $((1 + $1 % 7)) \
	    --methods $((1 + $1 * 8 % 300)) --max-depth $((1 + $1 % 40)) \
	    --dialect="v$2" --clock "$3" -o b.trace &&
	    both_ways a.trace b.trace && [ "$(wc -l <ours)" -gt 3 ]
}

# What is different is said in dmtrace-diff(1), as of reports.

# sample FILE: against the one before it
before=
sample()
{
	name=$(basename "$1" .trace)
	name=${name#good-}
	if is_in "$name" "$refused $wrong"; then
		return
	fi
	if [ -n "$before" ]; then
		claim "$name and $before are compared as there" \
		    both_ways "$before" "$1"
	fi
	before=$1
}

still_differs()
{
	! as_dmtracedump "$srcdir/tests/data/good-version-1.trace" \
	    "$srcdir/tests/data/good-$1.trace" >/dev/null 2>&1
}

# Rows of the same names; a class without a name; names to be escaped.
odd()
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n*methods\n'
	printf '0x4\tA\tm\t()V\n0x8\tA\tm\t()V\n0xc\tNameless\n'
	printf '0x10\tB&C\t<init>\t()V\n%b*end\n' "$1"
	printf 'SLOW\2\0\40\0\0\0\0\0\0\0\0\0'
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	shift
	for word in "$@"; do
		printf "\\1\\0\\$(printf %o "${word%:*}")\\0\\0\\0"
		printf "\\$(printf %o "${word#*:}")\\0\\0\\0"
	done
}

have dmtracedump || { skip "differences are those of dmtracedump" \
    "no dmtracedump here"; finish; }
for file in "$srcdir"/tests/data/good-*.trace; do
	sample "$file"
done
for name in $wrong; do
	claim "$name differs from dmtracedump" still_differs "$name"
done
number=0
more && last=100 || last=20
while [ "$number" -lt "$last" ]; do
	for kind in '1 thread-cpu' '1 wall' '2 thread-cpu' '2 global' \
	    '3 wall'; do
		number=$((number + 1))
		claim "pair $number, $kind, is compared as there" \
		    generated "$number" $kind
	done
done
before=
for file in "${DMTRACE_CORPUS:-/nowhere}"/*.trace \
    "${DMTRACE_CORPUS:-/nowhere}"/*/*.trace; do
	case $file in
	*perflib-header* | *perflib-streaming* | *special_char* | *'*'*)
		continue ;;
	esac
	sample "$file"
done

odd '' 4:0 8:10 9:30 5:40 12:50 13:55 16:60 17:90 >odd1.trace
odd '0x14\tA\tm\t()V\n0x18\tD\tn\t()V\n' 20:0 8:5 9:9 21:40 12:50 13:56 \
    16:60 24:65 25:70 17:99 >odd2.trace
claim "equal and missing names are matched as by dmtracedump" \
    both_ways odd1.trace odd2.trace
claim "traces that differ exit with 1" \
    exits 1 dmtrace diff --dmtracedump odd1.trace \
    odd2.trace
claim "traces that do not differ exit with 0" \
    exits 0 dmtrace diff --dmtracedump odd1.trace \
    odd1.trace
claim "a missing trace exits with 2" exits 2 dmtrace diff --dmtracedump \
    odd1.trace missing.trace
finish
