#!/bin/sh
# cli_report_html.sh - the page of a report, as a real browser shows it

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/hostile_names.sh"

dmtrace generate -q --events 4000 --methods 40 --threads 2 -o app.trace
claim "-f html writes a page" dmtrace report -f html -o app.html app.trace
dmtrace report -f html app.trace >standard.html
claim "the page goes to standard output without -o" cmp app.html standard.html
claim "-f html takes --durations, --top, --threshold and --clock" \
    dmtrace report -f html --per-thread --durations --top=9 --threshold=1 \
    --clock=cpu --by=class -o small.html app.trace
claim "the title is the trace's name" has '<title>app.trace</title>' app.html
dmtrace report -f html --per-thread -o two.html app.trace app.trace
claim "the title of several traces has the first name" \
    has '<title>app.trace and 1 more</title>' two.html
dmtrace report -f html --per-thread -o threads.html app.trace
claim "the title has the selection" \
    dmtrace report -f html -t main -o main.html app.trace
claim "an empty selection is reported" exits 1 \
    dmtrace report -f html --from=1h app.trace
for option in --tree --bottom-up --merge-runs --by=thread; do
	claim "$option is refused for a page" exits 2 \
	    dmtrace report -f html "$option" -o no.html app.trace
done
claim "refused options leave no file" test ! -e no.html

# figures [OPTION...]: of app.trace, as view_figures.js prints them
figures()
{
	dmtrace report -f tsv "$@" app.trace | awk -F '\t' '
	NR == 1 {
		for (i = 1; i <= NF; i++)
			at[$i] = i
	}
	$1 == "top" || $1 == "method" {
		dot = $at["class"] != "" && $at["name"] != "" ? "." : ""
		gsub("/", ".", $at["class"])
		print "method\t" $at["class"] dot $at["name"] "\t" \
		    $at["signature"] "\t" $at["calls"] "\t" \
		    $at["recursive_calls"] "\t" $at["inclusive_wall_ns"] \
		    "\t" $at["inclusive_cpu_ns"] "\t" \
		    $at["exclusive_wall_ns"] "\t" $at["exclusive_cpu_ns"]
	}' | LC_ALL=C sort
}

# same_figures THREAD PAGE [OPTION...]: page and table have the same
same_figures()
{
	node "$srcdir/tests/web/view_figures.js" "$2" 0 "$1" wall |
	    grep ^method | LC_ALL=C sort >page
	shift 2
	figures "$@" >table
	[ -s table ] && cmp page table || { diff page table; return 1; }
}

if have node; then
	claim "the figures of the page are those of the table" \
	    same_figures - app.html
	claim "the figures by class are those of the table" \
	    same_figures - small.html --by=class
	claim "the figures of a thread are those of the table" \
	    same_figures 2 threads.html -t 2
else
	skip "the figures of the page are those of the table" "no node here"
fi

write_hostile bad.trace
claim "a page of hostile names is written" \
    dmtrace report -f html --per-thread -o bad.html bad.trace

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

# rows: numbers of methods and their calls, in the order of the document
rows()
{
	sed -e 's/\xe2\x80\xaf//g' -e 's/<tr/\n&/g' dom | sed -n \
	    's/^<tr data-method="\([0-9]*\)".*"calls">\([0-9]*\)<.*/\1 \2/p' \
	    >rows
	cat rows
}

falls()
{
	rows | awk '{ print $2 }' >column
	[ "$(wc -l <column)" -eq "$1" ] && sort -c -n -r column
}

claim "a browser shows the page, sorted as its address says" \
    browse 'app.html#sort=calls' --dump-dom
cp output dom
claim "calls are sorted in descending order" falls 40
claim "the page has no timeline" has 'aria-label="Timeline" hidden=""' dom
if more; then			# a browser takes long to begin
	dmtrace report -f html --top=9 -o nine.html app.trace
	browse nine.html --dump-dom >dom
	claim "--top leaves nine rows" sh -c \
	    '[ "$(grep -o "data-method=\"[0-9]" dom | wc -l)" -eq 9 ]'
	browse 'app.html#method=3' --dump-dom >dom
	claim "a method can be unfolded" has '>Called by<' dom
fi
claim "hostile names are shown" browse 'bad.html' --dump-dom
cp output dom
claim "the hostile names are six methods" sh -c \
    '[ "$(grep -o "data-method=\"[0-9]" dom | wc -l)" -eq 6 ]'
claim "no hostile name becomes an element" \
    sh -c '! grep -qi "<img\|<i>main" dom'
claim "no hostile name was executed" test ! -e pwned
finish
