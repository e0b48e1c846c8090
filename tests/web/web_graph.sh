#!/bin/sh
# web_graph.sh - pictures of call graphs in a browser
#
# "make check-web" runs it.

. "$srcdir/tests/web/web_cases.sh"

needs_browser "pictures of call graphs"
have dot || {
	skip "pictures of call graphs" "no dot here"
	finish
}
dmtrace generate -q --events 600 --methods 6 -o app.trace
claim "a picture is written" \
    silent dmtrace graph -q -o app.svg app.trace
web_cases web_graph.js app.svg
finish
