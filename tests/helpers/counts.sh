#!/bin/sh
# counts.sh - the closing lines of "make check", from the .trs files named
#
# A case that failed and a test that broke count as failed, and so does a
# test that left no result at all. The seconds are of CPU, all tests together.

for trs; do
	if [ -f "$trs" ]; then
		cat "$trs"
	else
		echo ":test-result: ERROR no $trs"
	fi
done | LC_ALL=C awk '
$1 == ":test-result:" { count[$2]++ }
$1 == ":seconds:" { seconds += $2 }
END {
	printf "%.0f s of CPU\n", seconds
	printf "%d passed, %d failed, %d skipped\n", count["PASS"],
	    count["FAIL"] + count["ERROR"], count["SKIP"]
}'
