#!/bin/sh
# web_view.sh - the page of "dmtrace view" in a browser, and rules for scripts
#
# "make check-web" runs it, with the modules of "./bootstrap packages-ci".

. "$srcdir/tests/claim.sh"

eslint=$builddir/web/node_modules/.bin/eslint
if [ -x "$eslint" ]; then
	claim "the scripts follow the rules" sh -c \
	    'cd "$1" && "$2" -c tests/eslint.config.js lib/export tests' \
	    sh "$srcdir" "$eslint"
else
	skip "the scripts follow the rules" \
	    "no modules: ./bootstrap packages-ci"
fi
for program in node chromium; do
	have "$program" || {
		skip "the page in a browser" "no $program here"
		finish
	}
done

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
for trace in jag-dmtrace burroak-dmtrace firefox-art-trace-regular; do
	[ -f "${DMTRACE_CORPUS-}/$trace.trace" ] || continue
	cp "$DMTRACE_CORPUS/$trace.trace" .
	page "$trace" "$trace.trace"
done

# Names that a page would take for its own, one of 200,000 bytes.
{
	printf '*version\n2\nclock=wall\n*threads\n1\t<i>main</i>\n*methods\n'
	printf '0x4\tA\t</script><script>pwned=1</script>\t()V\n'
	printf '0x8\tB\t"\\u0041&lt;\033\377\342\200\250'"'"'<!--\t()V\n'
	printf '0xc\tC\t%0200000d\t()V\n' 7
	printf '0x10\t<img src=x onerror=pwned=1>\t`${pwned=1}\t()V\n'
	printf '0x14\t\t\t\n*end\n'
	printf 'SLOW\002\000\040\000\001\002\003\004\005\006\007\000'
	printf '\000\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
	for record in 004-000 010-001 014-002 015-003 020-004 021-005 024-006 \
	    025-007 011-010 005-011; do
		printf "\\001\\000\\${record%-*}\\000\\000\\000"
		printf "\\${record#*-}\\000\\000\\000"
	done
} >hostile.trace
page hostile hostile.trace
dmtrace generate -q --seed 2 --records 500 -o two.trace
page both made.trace two.trace
dmtrace generate -q --records 1000000 --methods 5000 --threads 8 \
    -o million.trace
page million million.trace
claim "a million events are less than 8 MB" sh -c \
    '[ "$(wc -c <million.html)" -lt 8000000 ]'

node "$srcdir/tests/web_view.js" $((cases + 1)) $pages || {
	failures=$((failures + 1))
	cases=$((cases + 1))
}
[ ! -f counts ] || { before=$failures; . ./counts
	failures=$((failures + before)); }
finish
