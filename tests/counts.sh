#!/bin/sh
# counts.sh - the closing line of "make check", from the .trs files named
#
# A case that failed and a test that broke count as failed, and so does a
# test that left no result at all.

for trs; do
	if [ -f "$trs" ]; then
		cat "$trs"
	else
		echo ":test-result: ERROR no $trs"
	fi
done | LC_ALL=C awk '
$1 == ":test-result:" { count[$2]++ }
END {
	printf "%d passed, %d failed, %d skipped\n", count["PASS"],
	    count["FAIL"] + count["ERROR"], count["SKIP"]
}'
