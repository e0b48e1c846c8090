#!/bin/sh
# cli_record_whole.sh - the library itself, compiled with hooks, and recorded
#
# Who counts beside us is gcov, in the same run of the same program.

. "$srcdir/tests/helpers/claim.sh"
only_more "a whole library is recorded"

shim=$builddir/lib/.libs/libdmtrace-instrument.so
if [ ! -f "$shim" ] || [ "$SANITIZED" = yes ] || ! have gcov ||
    ! $CC --version | grep -q 'Free Software'; then
	skip "a whole library is recorded" "it takes gcc, gcov and the shim"
	finish
fi


# Two at a time.
compiled()
{
	find "$srcdir/lib/base" "$srcdir/lib/format" "$srcdir/lib/key" \
	    "$srcdir/lib/eventlog" "$srcdir/lib/data" "$srcdir/lib/text" \
	    "$srcdir/lib/trace" "$srcdir/lib/events" \
    "$srcdir/tests/helpers/programs/whole.c" -name '*.c' |
	    xargs -P 2 -n 8 $CC -c -O0 -w -Dalways_inline=unused \
	    -finstrument-functions --coverage -D_XOPEN_SOURCE=700 \
	    '-DPACKAGE_VERSION="0"' -I "$srcdir/lib" \
	    -I "$srcdir/lib/include" && $CC --coverage -o whole *.o
}

# "CALLS NAME" of each function that was called. Names that several files have
# are one row here and there.
by_gcov()
{
	gcov -b -t *.gcda 2>/dev/null | awk '
	$1 == "function" && $4 > 0 { n[$2] += $4 }
	END { for (i in n) print n[i], i }' | sort
}

by_dump()
{
	dmtrace dump -q -f tsv whole.trace | awk -F '\t' '
	$2 == "enter" { n[$8]++ }
	END { for (i in n) print n[i], i }' | sort
}

# In dmtracedump's own list: "CALLS" of a method are all its enters.
by_dmtracedump()
{
	dmtracedump -o whole.trace | sed 1,/^Trace/d |
	    awk '$2 == "ent" { sub(/.*\./, "", $NF); n++ } END { print n }'
}

claim "the library compiles with hooks" compiled
dmtrace generate -q --events 2000 -o in.trace
claim "the instrumented library copies a trace and is recorded" \
    dmtrace record -o whole.trace -- \
    ./whole in.trace out.trace
claim "the copy of the trace is right" cmp in.trace out.trace
by_gcov >want
by_dump >got
claim "gcov knows more than 200 functions" test "$(wc -l <want)" -gt 200
claim "each function was called as often as gcov counts" test -z \
    "$(comm -23 want got | tee missing)"
claim "the trace has no finding" sh -c \
    'dmtrace info -f jsonl whole.trace | grep -F "\"findings\":[]"'
if have dmtracedump; then
	claim "dmtracedump finds the same calls" test "$(by_dmtracedump)" = \
	    "$(awk '{ n += $1 } END { print n }' got)"
else
	skip "dmtracedump finds the same calls" "it is not installed"
fi
finish
