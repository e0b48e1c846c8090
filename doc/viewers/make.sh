#!/bin/sh
# make.sh - one trace in each viewer that needs no network
#
# Remakes the pictures and texts of this folder; run it here, with dmtrace in
# PATH. Each viewer that is missing is named, and its file stays. Speedscope is
# that of "./bootstrap packages-ci", whose folder SPEEDSCOPE names.

here=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# needs PROGRAM FILE: whether it is there
needs()
{
	command -v "$1" >/dev/null || { echo "no $1: $2 stays"; return 1; }
}

# shot FILE HEIGHT ADDRESS: a picture of a page
shot()
{
	HOME=$work timeout 120 chromium --headless --no-sandbox --disable-gpu \
	    --hide-scrollbars --allow-file-access-from-files \
	    --user-data-dir="$work/profile" --window-size="1000,$2" \
	    --virtual-time-budget=10000 --screenshot="$here/$1" "$3" \
	    2>errors || cat errors
}

dmtrace generate -q --seed 7 --events 2000 --threads 3 --methods 20 \
    --max-depth 8 -o app.trace || exit 1

if needs chromium 'flame.png, view.png'; then
	dmtrace flame -q -o flame.svg app.trace
	shot flame.png 220 "file://$work/flame.svg"
	dmtrace view -q -o view.html app.trace
	shot view.png 480 "file://$work/view.html"
fi
if [ -f "$SPEEDSCOPE/dist/release/index.html" ] &&
    needs chromium speedscope.png; then
	dmtrace export -q -f speedscope -o app.json app.trace
	printf 'speedscope.loadFileFromBase64("app.json", "%s")' \
	    "$(base64 <app.json | tr -d '\n')" >load.js
	page=$SPEEDSCOPE/dist/release/index.html
	shot speedscope.png 320 "file://$page#localProfilePath=$work/load.js"
else
	echo 'no SPEEDSCOPE: speedscope.png stays'
fi
if needs callgrind_annotate callgrind.txt; then
	dmtrace export -q -f callgrind -o callgrind.out app.trace
	callgrind_annotate --inclusive=yes --show=Wall_ns callgrind.out |
	    sed -n '/file:function/,$p' | head -n 10 >"$here/callgrind.txt"
fi
if needs go 'pprof.txt, pprof.svg'; then
	dmtrace export -q -f pprof -o app.pb.gz app.trace
	go tool pprof -sample_index=wall -top -nodecount=8 app.pb.gz 2>errors |
	    sed -n '/^Showing/,$p' >"$here/pprof.txt"
	needs dot pprof.svg && go tool pprof -sample_index=wall -nodecount=8 \
	    -svg -output "$here/pprof.svg" app.pb.gz 2>errors >printed
fi
if needs sqlite3 sqlite.txt; then
	dmtrace export -q -f sqlite app.trace | sqlite3 app.db
	sqlite3 -header -column app.db 'SELECT m.name, count(*) AS calls,
	    sum(wall_self_ns) / 1000 AS self_us FROM calls AS c
	    JOIN methods AS m ON m.id = c.method GROUP BY m.id
	    ORDER BY self_us DESC LIMIT 8' >"$here/sqlite.txt"
fi
if needs jq jsonl.txt; then
	dmtrace export -q -f jsonl app.trace |
	    jq -r 'select(.depth == 1) | [.thread_name, .action, .name,
	    .wall_ns] | @tsv' | head -n 8 >"$here/jsonl.txt"
fi
dmtrace export -q -f collapsed app.trace | sort -t ' ' -k 2nr |
    head -n 5 >"$here/collapsed.txt"
