#!/bin/sh
# web_speedscope.sh - exports as speedscope adds them up, in a browser
#
# "make check-web" runs it, with the modules of "./bootstrap packages-ci". The
# program opens a file that its address names, and shows a table of totals.

. "$srcdir/tests/helpers/claim.sh"

release=$builddir/web/node_modules/speedscope/dist/release/index.html

number='\([0-9.]*\)[^ ]* ([^)]*)'	# and its share

# shown FILE: lines of total, self, name of the table, sorted
#
# The browser's virtual time may be over before a busy machine has drawn the
# table: then it is tried again.
shown()
{
	printf 'speedscope.loadFileFromBase64("%s", "%s")' "$1" \
	    "$(base64 <"$1" | tr -d '\n')" >load.js
	load=$PWD/load.js
	for budget in 10000 20000 40000; do
		HOME=$PWD timeout 120 chromium --headless --no-sandbox \
		    --disable-gpu --allow-file-access-from-files \
		    --user-data-dir="$PWD/profile" \
		    --virtual-time-budget=$budget --dump-dom \
		    "file://$release#view=sandwich&localProfilePath=$load" \
		    2>errors | sed -e 's/<tr/\
<tr/g' | sed -n -e 's/<[^>]*>/ /g' -e 's/,//g' \
		    -e "s/^ *$number *$number */\1 \2 /p" |
		    sed 's/ *$//' | sort >rows
		[ ! -s rows ] || break
	done
	cat rows
}

[ -f "$release" ] || {
	skip "speedscope reads exports" "no modules: ./bootstrap packages-ci"
	finish
}
have chromium || {
	skip "speedscope reads exports" "no chromium here"
	finish
}

write_odd_trace odd.trace
dmtrace report -q -f tsv odd.trace | awk -F '\t' '$1 == "method" {
	printf "%.2f %.2f %s.%s\n", $14 / 1000, $16 / 1000, $7, $8 }' |
    sort >wanted
claim "report has the figures counted by hand" prints wanted printf '%s\n' \
    '30.00 30.00 A.n' '50.00 20.00 A.m' '90.00 40.00 A.o'

# reads FORMAT NAME: a file of that name has these totals
reads()
{
	dmtrace export -q -f "$1" -o "$2" odd.trace &&
	    shown "$2" | sed -e '/(toplevel)/d' -e 's/()V$//' >table &&
	    diff wanted table
}
claim "speedscope reads its own format" reads speedscope a.json
claim "speedscope reads the format of pprof" reads pprof c.pb.gz
awk '{ print $1 * 1000, $2 * 1000, $3 }' wanted | sort >units &&
    mv units wanted
claim "speedscope reads the format of Callgrind" reads callgrind callgrind.out.1
claim "speedscope reads collapsed stacks" reads collapsed d.txt

# It does not keep the order of Chrome's events of one time: a trace without
# them.
printf '%s\n' '1 4 0 10' '1 8 5 30' '1 9 20 60' '1 5 25 110' |
    write_trace odd.trace 3 dual
printf '%s\n' '100.00 70.00 A.m' '30.00 30.00 A.n' >wanted
claim "speedscope reads the format of Chrome" reads chrome b.json
finish
