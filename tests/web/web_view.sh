#!/bin/sh
# web_view.sh - the page of "dmtrace view" in a browser, and rules for scripts
#
# "make check-web" runs it, with the modules of "./bootstrap packages-ci".

. "$srcdir/tests/web/web_cases.sh"

eslint=$builddir/web/node_modules/.bin/eslint
if [ -x "$eslint" ]; then
	claim "the scripts follow the rules" sh -c \
	    'cd "$1" && "$2" -c tests/web/eslint.config.js lib/export tests' \
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

dmtrace generate -q --events 6000 --methods 60 --threads 4 -o made.trace
page made made.trace
trace=firefox-art-trace-regular	# of 40 threads
[ ! -f "${DMTRACE_CORPUS-}/$trace.trace" ] || {
	cp "$DMTRACE_CORPUS/$trace.trace" .
	page "$trace" "$trace.trace"
}
write_trace sed.trace 3 dual 1322079161000000 <<ROWS
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
    -e '/^0x[48]/s/	A/	com\/x\/A/' sed.trace >known.trace
printf '42 am_start (User|1|5),(Name|3)\n' >tags
cat >known.json <<'ENTRIES'
{"tag":42,"thread":2,"time_ns":1322079161000250000,"value":[7,"com.x"]}
{"tag":43,"thread":9,"time_ns":1322079161000700000,"value":"</script><b>"}
{"tag":43,"thread":9,"time_ns":1322079161002000000,"value":"too late"}
ENTRIES
dmtrace eventlog --encode -o known.log known.json
page known --eventlog known.log --tags tags known.trace
dmtrace generate -q --events 6000 --methods 100 --threads 4 -o hundred.trace
page address known.trace hundred.trace
page faults known.trace
page deep known.trace
page tree known.trace
page select known.trace
cp known.trace take.trace
page take take.trace
page contrast known.trace
LC_ALL=C sed "/^0x/s#/#.#g" known.trace >dots.trace
page dots --compare known.trace dots.trace
write_trace earlier.trace 3 dual 1322079161000000 <<ROWS
1 12 0 0
1 13 100 100
1 8 100 100
1 9 200 200
ROWS
# m is open where the events of thread 2 end.
write_trace partial.trace 3 dual 1322079161000000 <<ROWS
1 12 0 0
2 4 0 0
2 8 0 100
2 9 50 200
1 13 300 300
1 8 300 300
1 9 400 400
1 12 400 900
1 13 500 1000
ROWS
page partial --compare earlier.trace partial.trace
for name in few:1234 pairs:13567; do
	echo "${name#*:}" | sed 's/./&\n/g' | awk '$1 {
		printf "%d 4 0 0\n%d 5 %d00 %d00\n", $1, $1, $1, $1
	}' | write_trace all.trace 3 dual 1322079161000000
	LC_ALL=C sed '/^1	/!s/	main$/	worker/' all.trace \
	    >"${name%:*}.trace"
done
page pairs --compare few.trace pairs.trace
for name in nowall:cpu nocpu:wall; do
	dmtrace convert -q --clock="${name#*:}" -o one.trace known.trace
	page "${name%:*}" --compare one.trace known.trace
done
dmtrace view -q -t worker --min-time=150us -o chosen.html known.trace
sed 's/"name":"known.trace"/"name":"chosen.trace"/' chosen.html >renamed.html
mv renamed.html chosen.html
# CPU time passes while wall time does not, half as much as the wall time.
awk 'BEGIN {
	print "2 4 0 0"
	for (i = 1; i <= 4000; i++)
		printf "2 8 %d %d\n2 9 %d %d\n", i * 10 - 10, i * 20,
		    i * 10, i * 20
	print "2 5 40000 80020"
}' | write_trace steps.trace 3 dual 1322079161000000
page steps steps.trace
write_trace pool.trace 3 dual 1322079161000000 <<ROWS
1 12 0 0
2 4 0 0
3 4 0 0
4 4 0 0
1 13 100 100
2 8 0 200
3 8 0 200
4 8 0 200
2 9 100 300
3 9 100 300
4 9 100 300
2 5 100 1000
3 5 100 1000
4 5 100 1000
ROWS
LC_ALL=C sed -e 's/^2	main/2	pool-1-thread-1/' \
    -e 's/^3	main/3	pool-1-thread-2/' \
    -e 's/^4	main/4	pool-1-thread-3/' \
    -e '/^0x[48]/s/	A/	org\/y\/A/' pool.trace >groups.trace
page groups groups.trace
# m calls n, which calls m again, which calls o.
write_trace loop.trace 3 dual 1322079161000000 <<ROWS
2 4 0 0
2 8 100 100
2 4 200 200
2 12 300 300
2 13 400 400
2 5 500 500
2 9 700 700
2 5 1000 1000
ROWS
page loop loop.trace
# n is called by a call of m from before the trace.
write_trace entered.trace 3 dual 1322079161000000 <<ROWS
2 8 100 100
2 9 200 200
2 5 500 500
ROWS
page entered entered.trace
# m goes on after the last event of its thread.
write_trace ends.trace 3 dual 1322079161000000 <<ROWS
1 12 0 100
2 4 0 0
2 8 50 100
2 9 100 300
1 13 500 1000
ROWS
page unknown --to=800us ends.trace
page cut --to=800us ends.trace
dmtrace generate -q --events 2000 --methods 30 --threads 3 -d v5 \
    -o nanos.trace
page nanos nanos.trace
# Calls were open before the trace, and others are after it.
write_trace open.trace 3 dual 1322079161000000 <<ROWS
1 8 0 100
1 9 100 150
1 13 500 1000
1 8 600 1100
2 9 10 10
2 5 20 20
2 4 30 30
2 8 50 100
2 9 100 300
2 12 110 310
ROWS
page open open.trace
cp "$srcdir/tests/data/good-no-records.trace" empty.trace
page empty empty.trace
dmtrace convert -q --clock=wall -o wall.trace known.trace
page wall wall.trace
write_trace ahead.trace 3 dual <<ROWS
1 4 0 0
1 5 150 100
ROWS
page ahead ahead.trace
write_hostile hostile.trace
page hostile hostile.trace
dmtrace generate -q --seed 2 --events 500 -o two.trace
page both made.trace two.trace
dmtrace filter -q --to=10ms -o part.trace made.trace
page compare --compare made.trace part.trace
mkdir other
cp two.trace other/made.trace
page same made.trace other/made.trace
dmtrace report -q -f html --durations -o report.html made.trace
pages="$pages report.html"
dmtrace generate -q --events 1200000 --methods 9 --threads 2 --max-depth 12 \
    -o thinned.trace
page thinned thinned.trace
dmtrace filter -q --to=5500ms -o before.trace thinned.trace
page bounds --compare before.trace thinned.trace
dmtrace generate -q --events 3000000 --methods 5000 --threads 8 -o paths.trace
page paths paths.trace
dmtrace generate -q --events 300000 --methods 300000 -o many.trace
page many many.trace
dmtrace generate -q --shape=recursion --max-depth 1500 --threads 1 \
    --methods 10 --events 20000 -o stack.trace
page stack stack.trace
dmtrace generate -q --shape=deep --events 4000000 -o deepest.trace
page deepest deepest.trace
claim "a page of many paths is less than 16 MB" sh -c \
    '[ "$(wc -c <paths.html)" -lt 16000000 ]'
dmtrace generate -q --events 1000000 --methods 5000 --threads 8 \
    -o million.trace
page million million.trace
claim "a million events are less than 8 MB" sh -c \
    '[ "$(wc -c <million.html)" -lt 8000000 ]'

web_cases web_view.js $pages
finish
