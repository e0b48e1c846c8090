#!/bin/sh
# web_parquet.sh - exports to Parquet, in engines that read it
#
# "make check-web" runs it, with the modules of "./bootstrap packages-ci". With
# DMTRACE_MORE it takes all real traces, and more generated ones.

. "$srcdir/tests/web/web_cases.sh"

modules=$builddir/web/node_modules
[ -d "$modules/@duckdb/node-api" ] && have node || {
	skip "DuckDB reads Parquet" "no modules: ./bootstrap packages-ci"
	finish
}

# take FILE NAME: the exports and the report of a trace
take()
{
	mkdir -p files profiles
	dmtrace report -q -f json "$1" >"files/$2.json"
	for rows in calls profile events; do
		dmtrace export -q -f parquet --rows=$rows \
		    -o "files/$2.$rows.parquet" "$1"
		[ $? -le 1 ] || return 1	# 1: an error was found in it
	done
	mv "files/$2.calls.parquet" "files/$2.parquet"
	names="$names files/$2"
}

names=
number=1
write_odd_trace odd.trace
dmtrace generate -q -d v1 --events 3000 -o cpu.trace
dmtrace generate -q -d v2 --events 3000 -o wall.trace
dmtrace generate -q -d v5 --events 3000 -o v5.trace
dmtrace generate -q -d f2 --odd-names --events 3000 -o names.trace
dmtrace generate -q --shape=app --events 20000 -o app.trace
dmtrace filter -q --from=100ms --to=200ms -o window.trace app.trace
write_hostile hostile.trace
set -- odd.trace cpu.trace wall.trace v5.trace names.trace app.trace \
    window.trace
for file in "$srcdir"/tests/data/good-*.trace ${DMTRACE_CORPUS:+
    "$DMTRACE_CORPUS"/*.trace}; do
	[ -n "${DMTRACE_MORE-}" ] || [ $# -lt 19 ] || break
	dmtrace report -q "$file" >said 2>&1 || [ $? -eq 1 ] || continue
	set -- "$@" "$file"
done
for file; do
	claim "${file##*/} is exported" take "$file" \
	    "$(basename "$file" .trace)-$number"
	number=$((number + 1))
done
dmtrace generate -q --threads 1 --events 900000 -o groups.trace
claim "a trace of several row groups is exported" take groups.trace groups-99
web_cases web_parquet.js "$modules" $names

# The folder of dmtrace-fleet(7): 1,000 traces, or 200.
fleet=$srcdir/doc/fleet
mkdir fleet && cd fleet || exit 1
claim "traces of ten builds are exported" \
    sh "$fleet/make.sh" $([ -n "${DMTRACE_MORE-}" ] && echo 100 || echo 20)

# query NAME: what it prints, without the names of columns
query()
{
	NODE_PATH=$modules node "$fleet/query.js" "$fleet/$1.sql" >"$1.tsv" &&
	    sed 1d "$1.tsv"
}
for name in slower percentiles slowest flame; do
	query $name >$name
done
claim "the method that became slower is found, and no other" sh -c '
    [ "$(cut -f 1 slower)" = app/Json.parse ] &&
    awk -F "\t" "{ exit !(\$4 - \$5 < 8 && \$4 + \$5 > 8) }" slower'
claim "percentiles have a row for each build" sh -c \
    '[ "$(wc -l <percentiles)" -eq 10 ]'
claim "the command of the slowest call selects it" sh -c '
    command=$(head -n 1 slowest | cut -f 5)
    eval "${command%%view*}report -q -f tsv ${command##*--open}" |
    grep -q "Gc	pause"'
claim "the paths of a build become a flame graph" sh -c '
    dmtrace import -q -o b07.trace flame &&
    dmtrace flame -q -o b07.svg b07.trace && grep -q Json.parse b07.svg'
finish
