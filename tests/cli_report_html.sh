#!/bin/sh
# cli_report_html.sh - the page of a report, as a real browser shows it

. "$srcdir/tests/claim.sh"

dmtrace generate -q --records 4000 --methods 40 --threads 2 -o app.trace
claim "a page" dmtrace report -f html -o app.html app.trace
dmtrace report -f html app.trace >standard.html
claim "the same goes to standard output" cmp app.html standard.html
claim "it takes --per-thread, --calls, --top, --threshold and --clock" \
    dmtrace report -f html --per-thread --calls --top=9 --threshold=1 \
    --clock=cpu --by=class -o small.html app.trace
claim "and has ten rows of each table" sh -c \
    '[ "$(grep -c "<tr id=\"t1m" small.html)" -le 10 ]'
claim "its title is the trace's name" has '<title>app.trace</title>' app.html
dmtrace report -f html --per-thread -o threads.html app.trace app.trace
claim "of several traces, the first one's" \
    has '<title>app.trace and 1 more</title>' threads.html
claim "and the selection" dmtrace report -f html -t main -o main.html app.trace
claim "a selection of nothing" exits 1 \
    dmtrace report -f html --from=1h app.trace
for option in --tree --bottom-up --merge-runs --by=thread; do
	claim "$option has no page" exits 2 \
	    dmtrace report -f html "$option" -o no.html app.trace
done
claim "nothing is left of it" test ! -e no.html

# figures: "number calls inclusive" of each method, of the page and of tsv
page_figures()
{
	sed -n 's/^<tr id="t0m[1-9].*<\/div>\(.*\)<\/tr>/\1/p' "$1" |
	    sed 's/<td>/ /g' | awk '{ print $1, $5, $6 }' | sort
}

tsv_figures()
{
	dmtrace report -f tsv "$1" | awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["kind"] == "method" {
		printf "%d %d %d\n", $at["inclusive_wall_ns"] / 1000,
		    $at["calls"] + $at["recursive_calls"],
		    $at["recursive_calls"]
	}' | sort
}

same_figures()
{
	page_figures app.html >page
	tsv_figures app.trace >table
	[ "$(wc -l <page)" -eq 40 ] && cmp page table ||
	    { diff page table; return 1; }
}

claim "its figures are those of the table" same_figures

# Hostile names, one of 20,000 bytes.
{
	printf '*version\n2\nclock=wall\n*threads\n1\t<i>main</i>\n*methods\n'
	printf '0x4\tA\t</script><img src=x onerror=alert(1)>\t()V\n'
	printf '0x8\tA\t"\\u0041&lt;\033\377$(touch pwned)\t()V\n'
	printf '0xc\tA\t%020000d\t()V\n*end\n' 7
	printf 'SLOW\002\000\040\000\001\002\003\004\005\006\007\000'
	printf '\000\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
	for record in 004-000 010-001 014-002 015-003 011-004 005-005; do
		printf "\\001\\000\\${record%-*}\\000\\000\\000"
		printf "\\${record#*-}\\000\\000\\000"
	done
} >bad.trace
claim "hostile names" dmtrace report -f html --per-thread -o bad.html bad.trace

if ! have chromium; then
	skip "a browser sorts and unfolds it" "no chromium here"
	finish
fi

# browse PAGE WHAT...: the document after its script ran
browse()
{
	page=$1
	shift
	HOME=$PWD timeout 60 chromium --headless --no-sandbox --disable-gpu \
	    --disable-dev-shm-usage --user-data-dir="$PWD/browser" \
	    --virtual-time-budget=5000 "$@" "file://$PWD/$page" 2>browser.log
}

# calls: the column of calls, in the order of the document
calls()
{
	tr '\n' ' ' <"$1" | sed 's/<tr id="t0m/\n&/g' |
	    sed -n 's/^<tr id="t0m[0-9]*"[^>]*>//p' |
	    sed 's/<tr class="detail.*//' |
	    sed 's/.*<\/div><\/td>//' | sed 's/<\/*t[dr]>/ /g' |
	    awk '{ print $5 }'
}

falls()
{
	calls "$1" >column
	[ "$(wc -l <column)" -eq 41 ] && sort -c -n -r column
}

rises()
{
	calls "$1" >column
	[ "$(wc -l <column)" -eq 41 ] && sort -c -n column
}

claim "a browser opens it, sorted and unfolded as its address says" \
    browse 'app.html#sort=calls&open=3' --dump-dom
cp output dom
claim "the calls fall" falls dom
claim "the head of the column tells so" has \
    'data-sort="calls" aria-sort="descending"' dom
claim "the method is open" has '<tr id="t0m3" class="open">' dom
claim "it was called by some" has '<caption>Called by</caption>' dom
claim "and called others" has '<caption>Calls</caption>' dom

# The callers and callees that the page unfolds, and those of the table: of
# each, calls and time.
unfolded()
{
	grep -o '<tr class="detail">.*' dom | head -n 1 |
	    sed 's/<\/table><\/td><\/tr><tr id=.*//; s/<tr>/\n/g' |
	    sed -n 's/^<td>.*<\/div><\/td>//p' | sed 's/<\/table>.*//' |
	    sed 's/<\/*t[dr]>/ /g' | awk '{ print $NF }' | sort
}

tabled()
{
	dmtrace report -f tsv --callers --callees app.trace | awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["kind"] == "method" { index_of[++methods] = $at["index"] }
	$at["kind"] ~ /calle[re]/ {
		key = $at["of"] substr($at["kind"], 1, 6) $at["index"]
		sum[key] += $at["calls"]
		of[key] = $at["of"]
	}
	END {
		for (key in sum)
			if (of[key] == index_of[3])
				print sum[key]
	}' | sort
}

same_calls()
{
	unfolded >page
	tabled >table
	[ -s page ] && cmp page table || { diff page table; return 1; }
}

claim "as often as the table says" same_calls
claim "a link to a table opens it" \
    browse 'threads.html#table=2&sort=name' --dump-dom
cp output dom
claim "and no other one" sh -c '[ "$(grep -c "<details open" dom)" -eq 1 ]'
claim "it is sorted" sh -c \
    '[ "$(grep -c "data-sort=\"name\".* aria-sort=\"ascending\"" dom)" -eq 1 ]'

# clicked WHAT...: the page after a click on each
clicked()
{
	clicks=
	for what in "$@"; do
		clicks="${clicks}document.querySelector('$what').click();"
	done
	sed "s|^</body>|<script>$clicks</script>&|" app.html >clicked.html
	browse clicked.html --dump-dom
}

head='#t0 th[data-sort=calls] button'
claim "a click on the head of a column" clicked "$head"
cp output dom
claim "sorts by it" falls dom
claim "a second one" clicked "$head" "$head"
cp output dom
claim "turns it round" rises dom
claim "a click on a method" clicked '#t0m3 button'
cp output dom
claim "unfolds it" has '<tr id="t0m3" class="open">' dom
claim "with its callers" has '<caption>Called by</caption>' dom
claim "a second one" clicked '#t0m3 button' '#t0m3 button'
cp output dom
claim "folds it again" sh -c '! grep -q "class=\"detail\"" dom'
claim "a click on a caller" clicked '#t0m3 button' '.detail a'
cp output dom
claim "goes there, and unfolds it too" sh -c \
    '[ "$(grep -o "class=\"detail\"" dom | wc -l)" -eq 2 ]'

claim "hostile names are opened" browse 'bad.html#open=1,2,3' --dump-dom
cp output dom
claim "as three methods and what they call" sh -c \
    '[ "$(grep -o "class=\"detail\"" dom | wc -l)" -eq 3 ]'
claim "none of them is an element" sh -c '! grep -qi "<img\|<i>main" dom'
claim "or ran" test ! -e pwned
claim "a picture of it" browse 'app.html#sort=calls' \
    --window-size=1200,800 --screenshot="$PWD/page.png"
claim "is there" test -s page.png
dmtrace generate -q --records 400000 --methods 5000 --threads 8 -o big.trace
dmtrace report -q -f html -o big.html big.trace
claim "5,000 methods are sorted and one unfolded" \
    browse 'big.html#sort=calls&open=5000' --dump-dom
cp output dom
claim "all of them" sh -c \
    '[ "$(grep -o "<tr id=\"t0m" dom | wc -l)" -eq 5001 ]'
finish
