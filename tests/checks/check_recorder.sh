#!/bin/sh
# check_recorder.sh - dmtracedump shows the calls that a program has recorded
#
# The program writes down itself what it does: see programs/random.c.

. "$srcdir/tests/helpers/claim.sh"

runs=200
flags='-std=c11 -O1 -D_XOPEN_SOURCE=700 -pthread'
[ "$SANITIZED" != yes ] || flags="$flags -fsanitize=address,undefined"

if ! have dmtracedump; then
	skip "dmtracedump shows what was recorded" "it is not installed"
	finish
fi

# calls FILE: "THREAD ACTION NAME" of each event, thread by thread
calls()
{
	dmtracedump -o "$1" | LC_ALL=C awk '
	/^Trace / { begun = 1; next }
	!begun && NF == 2 { name[$1] = $2; next }
	begun { sub(/^[.]+/, "", $4); print name[$1], $2, $4 }' |
	    LC_ALL=C sort -s -k 1,1
}

# shown FIRST LAST: so many runs
shown()
{
	./random "$1" "$2" || return 1
	run=$1
	while [ "$run" -le "$2" ]; do
		calls "$run.trace" >got
		cmp "$run.want" got || return 1
		rm "$run.trace" "$run.want"
		run=$((run + 1))
	done
}

claim "a program that records at random is built" $CC $flags -o random \
    -I "$srcdir/lib/include" -I "$srcdir/lib" \
    "$srcdir/tests/helpers/programs/random.c" \
    "$builddir/lib/.libs/libcore.a"
first=1
while [ "$first" -le "$runs" ]; do
	claim "dmtracedump shows its calls, runs $first to $((first + 19))" \
	    shown "$first" "$((first + 19))"
	first=$((first + 20))
done
finish
