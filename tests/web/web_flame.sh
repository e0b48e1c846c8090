#!/bin/sh
# web_flame.sh - flame graphs in a browser
#
# "make check-web" runs it.

. "$srcdir/tests/web/web_cases.sh"

needs_browser "flame graphs"
dmtrace generate -q --events 6000 --methods 60 --threads 4 -o app.trace
dmtrace filter -q --to=10ms -o old.trace app.trace
dmtrace generate -q --events 400000 --methods 900 --threads 4 -o large.trace
# 150 calls, each in the one before.
awk 'BEGIN {
	for (i = 0; i < 150; i++)
		print 1, 4, i, i
	for (; i < 300; i++)
		print 1, 5, i, i
}' | write_trace deep.trace 3 dual
dmtrace flame -q -o deep.svg deep.trace
dmtrace flame -q --icicle -o icicle.svg deep.trace
write_hostile hostile.trace
claim "a flame graph is written" silent dmtrace flame -q -o app.svg app.trace
claim "a flame graph of hostile names is written" \
    silent dmtrace flame -q -o hostile.svg hostile.trace
claim "a flame graph of two traces is written" \
    silent dmtrace flame -q --diff=old.trace -o diff.svg app.trace
claim "a large flame graph is written" \
    silent dmtrace flame -q -o large.svg large.trace
web_cases web_flame.js app.svg hostile.svg diff.svg large.svg \
    deep.svg icicle.svg \
    ${DMTRACE_PICTURES:+"$DMTRACE_PICTURES"}
finish
