#!/bin/sh
# slowest.sh - which tests and cases take longest: slowest.sh LOG...
#
# The logs are those of "make check CASE_TIMES=yes", see claim.sh and driver.sh.

echo 'The 20 slowest tests, in seconds of CPU:'
for log; do
	sed -n "s,^:seconds: \(.*\),\1 ${log%.log},p" "${log%.log}.trs"
done | LC_ALL=C sort -rn | head -n 20

echo 'The 20 slowest cases:'
for log; do
	sed -n "s,^# \([0-9.]*\) s: ,\1 ${log%.log}: ,p" "$log"
done | LC_ALL=C sort -rn | head -n 20
