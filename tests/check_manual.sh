#!/bin/sh
# check_manual.sh - every page is clean under mandoc's lint

. "$srcdir/tests/claim.sh"

# Whether another page is installed here says nothing of this one.
lints()
{
	mandoc -T lint "$1" | grep -v 'referenced manual not found' >messages
	cat messages
	[ ! -s messages ]
}

# Every "Xr" to a page of dmtrace finds it.
refers()
{
	for other in $(sed -n 's/^\.Xr \([^ ]*dmtrace[^ ]*\) \([0-9]\).*/\1.\2/p' \
	    "$1"); do
		[ -f "$srcdir/doc/$other" ] || echo "no doc/$other"
	done >missing
	cat missing
	[ ! -s missing ]
}

for page in "$srcdir"/doc/*.[1-9]; do
	name=$(basename "$page")
	claim "$name refers to pages that exist" refers "$page"
	if have mandoc; then
		claim "$name is clean" lints "$page"
	else
		skip "$name is clean" "no mandoc here"
	fi
done
finish
