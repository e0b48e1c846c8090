#!/bin/sh
# cli_view.sh - the page that shows traces: what is in it, and its figures
# (cli_view_thinned.sh: those of large traces)
#
# "make check-web" looks at it in a browser (tests/web/web_view.sh).

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/stacks.sh"

dmtrace generate -q --events 4000 --methods 40 --threads 3 -o app.trace
claim "view writes a page" silent dmtrace view -q -o app.html app.trace
dmtrace view -q app.trace >standard.html
claim "standard output gets the same page" cmp app.html standard.html
claim "a missing operand is trouble" says "no file is named" dmtrace view
claim "--compare is about two traces" \
    says "--compare needs two traces" dmtrace view --compare app.trace
claim "--open with standard output is refused" says "--open needs a file" \
    dmtrace view --open -o - app.trace
claim "an output that is an input is refused" \
    exits 2 dmtrace view -q -o app.trace app.trace
claim "a trace that cannot be read leaves no page" \
    exits 2 dmtrace view -q -o none.html none.trace
claim "no page exists after a failure" test ! -e none.html
claim "a selection without events fails" \
    exits 1 dmtrace view -q --from=1h app.trace
claim "the page forbids the network" has "default-src 'none'" app.html
claim "the page loads nothing" sh -c \
    '! grep -E "(src|href)=|https?:|@import|url\(" app.html'

LC_ALL=C sed 's/data-file-overflow=false/data-file-overflow=true/' app.trace \
    >full.trace
claim "view reads a trace whose buffer was full" \
    dmtrace view -q -o full.html full.trace
claim "the page says that a buffer was full" has '"bounds":true' full.html
claim "the page does not say so of other traces" has '"bounds":false' app.html

last=18446744073709551614ns
printf '%s\n' 'dmtrace text 1' 'header f4 stage=f hz=1' 'method 0x4 a.B.c()V' \
    block '0ns 1 >0x4' "$last 1 <0x4" "$last 1 >0x4" "$last 1 <0x4" >last.text
dmtrace undump -o last.trace last.text
claim "calls at the highest time end" \
    sh -c 'ulimit -t 5; dmtrace view -q -o last.html last.trace'

# --open: by a program of that name, which gets the page.
mkdir bin pages
printf '#!/bin/sh\ncp "$1" opened.html\nexit "$(cat status)"\n' >bin/xdg-open
chmod +x bin/xdg-open
echo 0 >status
claim "--open opens the page" env PATH="$PWD/bin:$PATH" \
    dmtrace view -q --open -o app.html app.trace
claim "--open passes the page" cmp app.html opened.html
claim "--open without -o opens a page" env PATH="$PWD/bin:$PATH" \
    TMPDIR="$PWD/pages" dmtrace view -q --open app.trace
claim "--open without -o passes the same page" cmp app.html opened.html
claim "a page without a name stays in TMPDIR" \
    sh -c 'cmp app.html pages/dmtrace-*/page.html'
claim "--open of a missing trace fails" env PATH="$PWD/bin:$PATH" \
    TMPDIR="$PWD/bin" sh -c '! dmtrace view -q --open none.trace'
claim "after a failure no folder stays in TMPDIR" \
    sh -c '[ "$(ls bin)" = xdg-open ]'
claim "a folder that cannot be made is reported" \
    says "no/folder: No such file" env TMPDIR=no/folder \
    dmtrace view -q --open app.trace
echo 1 >status
claim "a failure to open the page is reported" says "xdg-open failed" \
    env PATH="$PWD/bin:$PATH" dmtrace view -q --open -o app.html app.trace
mkdir empty
claim "a missing program to open the page is reported" \
    says "there is no program xdg-open" \
    env PATH="$PWD/empty" "$(command -v dmtrace)" view -q --open \
    -o app.html app.trace

# figures [SELECTION...]: what the table has: see view_figures.js
figures()
{
	dmtrace report -q -f tsv --callers --callees "$@" "$trace" |
	    awk -F '\t' '
	BEGIN { CONVFMT = "%.0f" }
	NR == 1 {
		for (i = 1; i <= NF; i++)
			at[$i] = i
		next
	}
	{
		dot = $at["class"] != "" && $at["name"] != "" ? "." : ""
		gsub("/", ".", $at["class"])
		name = $at["class"] dot $at["name"] "\t" $at["signature"]
		times = $at["inclusive_wall_ns"] "\t" $at["inclusive_cpu_ns"]
	}
	$1 == "top" {
		has_wall = $at["inclusive_wall_ns"] != ""
		has_cpu = $at["exclusive_cpu_ns"] != ""
	}
	$1 == "top" || $1 == "method" {
		label[$at["index"]] = name
		print "method\t" name "\t" $at["calls"] "\t" \
		    $at["recursive_calls"] "\t" times "\t" \
		    $at["exclusive_wall_ns"] "\t" $at["exclusive_cpu_ns"]
	}
	$1 ~ /^calle[re]/ {
		kind = substr($1, 1, 6)
		key = kind "\t" label[$at["of"]] "\t" name
		calls[key] += $at["calls"]
		if ($1 == kind) {
			wall[key] += $at["inclusive_wall_ns"]
			cpu[key] += $at["inclusive_cpu_ns"]
			lacks[key] += $at["inclusive_cpu_ns"] == ""
		}
	}
	END {
		for (key in calls)
			print key "\t" calls[key] \
			    "\t" (has_wall ? wall[key] + 0 : "") \
			    "\t" (has_cpu && !lacks[key] ? cpu[key] + 0 : "")
	}' | sed 's/\t\t*$//' | LC_ALL=C sort
}

# agrees THREAD CLOCK [FROM TO, in us]: page and table of $trace do
agrees()
{
	node "$srcdir/tests/web/view_figures.js" page.html 0 "$1" "$2" \
	    ${3:+"${3}000" "${4}000"} |
	    sed -e 's/\t\t*$//' | LC_ALL=C sort >page
	[ "$1" = - ] && set -- "" "$@" || set -- "-t$1" "$@"
	figures ${1:+"$1"} ${4:+"--from=${4}us" "--to=${5}us"} >table
	[ -s table ] && cmp table page || { diff table page; return 1; }
}

if ! have node; then
	skip "figures on the page are those of report" "no node here"
	finish
fi

# figures_of NAME TRACE CLOCK [FROM-TO...]: claims for the whole, and for the
# first window of it, or for all if there are to be more cases
figures_of()
{
	trace=$2
	dmtrace view -q -o page.html "$2"
	claim "$1: figures on the page are those of report" agrees - "$3"
	shift
	while [ $# -gt 2 ]; do
		claim "$1: the same from ${3%-*} us to ${3#*-} us" \
		    agrees - "$2" "${3%-*}" "${3#*-}"
		more || break
		set -- "$1" "$2" $(shift 3; echo "$@")
	done
}

figures_of "a made-up trace" app.trace wall 0-3000 2000-5555 3333-3334
claim "figures of one thread are those of report" agrees 2 wall
claim "figures of a thread in a window are those of report" \
    agrees 3 wall 1000 9000
# Some classes have dots, others slashes.
LC_ALL=C sed '/^0x[0-9a-f]*[048]	/s#/#.#g' app.trace >dots.trace
trace=dots.trace
dmtrace view -q -o page.html dots.trace
claim "figures through transforms are the sums of paths of report" \
    same_stacks - wall 3

# A.n and A.o were open before it, A.m takes A.n along, A.o is open at the end;
# A.m calls itself, and time goes back.
write_trace odd.trace 3 dual <<ROWS
1 9 0 100
1 4 10 110
1 4 12 115
1 5 17 125
1 8 20 130
1 5 40 160
1 13 45 170
1 12 50 180
1 8 48 170
1 8 60 200
ROWS
figures_of "calls without an enter or an exit" odd.trace wall \
    0-140 112-175 150-190 165-300
# Exits of A.o, which is not open, and an event of the reserved action (A.n)
# begin and end what the windows have of a thread.
cat >rows <<ROWS
1 4 1 100
1 13 3 110
1 8 4 120
1 9 7 140
1 13 9 150
1 11 12 155
1 5 15 160
1 13 17 170
1 4 18 180
1 5 19 190
2 4 1 100
2 13 9 400
ROWS
write_trace stray.trace 3 dual <rows
figures_of "exits of calls that are not open" stray.trace wall \
    0-500 105-175 108-130 145-158 150-160 165-175 170-200 185-300 300-500
# Numbers of JavaScript are exact up to 2^53, in nanoseconds 104 days.
dmtrace convert -q -d v5 --stage=e -o ns.trace stray.trace
dmtrace shift -q --by=1700000000s -o late.trace ns.trace
figures_of "late times of 64 bits" late.trace wall
cut -d ' ' -f 1-3 rows | write_trace stray.trace 2 thread-cpu
figures_of "such exits with CPU times" stray.trace cpu 0-20 2-8 5-11 8-14 10-18
dmtrace generate -q --events 2000 -d v1 --methods 9 --threads 2 \
    --clock=cpu -o cpu.trace
figures_of "CPU times" cpu.trace cpu 100-2000

[ -z "${DMTRACE_CORPUS-}" ] || for trace in "$DMTRACE_CORPUS"/*.trace; do
	case $trace in
	*-header.trace) continue ;;
	*api10.trace | */jag* | */launcher* | */firefox*) ;;
	*) more || continue ;;
	esac
	case $trace in
	*api10.trace) figures_of "${trace##*/}" "$trace" cpu ;;
	*) figures_of "${trace##*/}" "$trace" wall 233-250 300000-2000000 ;;
	esac
done
finish
