#!/bin/sh
# web_view.sh - the page of "dmtrace view" in a browser, and rules for scripts
#
# "make check-web" runs it, with the modules of "./bootstrap packages-ci".

. "$srcdir/tests/web_cases.sh"

eslint=$builddir/web/node_modules/.bin/eslint
if [ -x "$eslint" ]; then
	claim "the scripts follow the rules" sh -c \
	    'cd "$1" && "$2" -c tests/eslint.config.js lib/export tests' \
	    sh "$srcdir" "$eslint"
else
	skip "the scripts follow the rules" \
	    "no modules: ./bootstrap packages-ci"
fi
needs_browser "the page in a browser"

pages=
# page NAME FILE...: one of traces
page()
{
	name=$1
	shift
	dmtrace view -q -o "$name.html" "$@"
	pages="$pages $name.html"
}

dmtrace generate -q --records 6000 --methods 60 --threads 4 -o made.trace
page made made.trace
trace=firefox-art-trace-regular	# of 40 threads
[ ! -f "${DMTRACE_CORPUS-}/$trace.trace" ] || {
	cp "$DMTRACE_CORPUS/$trace.trace" .
	page "$trace" "$trace.trace"
}
write_trace known.trace 3 dual <<ROWS
1 12 0 0
2 4 0 0
1 13 50 100
2 8 50 100
2 9 150 400
2 8 200 500
2 12 250 600
2 13 300 700
2 9 400 900
2 5 500 1000
ROWS
LC_ALL=C sed -e 's/^2	main/2	worker/' -e '/^0xc/s/	A/	org\/y\/C/' \
    -e '/^0x[48]/s/	A/	com\/x\/A/' known.trace >sed.trace
mv sed.trace known.trace
page known known.trace
write_hostile hostile.trace
page hostile hostile.trace
dmtrace generate -q --seed 2 --records 500 -o two.trace
page both made.trace two.trace
sed 's/"summed":0,"limit":0/"summed":7,"limit":5000/' both.html >summed.html
pages="$pages summed.html"
dmtrace generate -q --records 1000000 --methods 5000 --threads 8 \
    -o million.trace
page million million.trace
claim "a million events are less than 8 MB" sh -c \
    '[ "$(wc -c <million.html)" -lt 8000000 ]'

web_cases web_view.js $pages
finish
