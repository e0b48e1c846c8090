#!/bin/sh
# cli_flame.sh - flame graphs: what is in the file, and its figures
#
# "make check-web" looks at them in a browser (tests/web/web_flame.sh).

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/hostile_names.sh"

# tree FILE: its lines of frames: depth, name, value, old value
tree()
{
	sed -n '/^<metadata id="tree">/,/^<\/metadata>/p' "$1" |
	    sed -e 's/^<metadata id="tree">//' -e '/^<\/metadata>/d'
}

# names FILE: lines of hue, class, name and signature
names()
{
	sed -n '/^<metadata id="names">/,/^<\/metadata>/p' "$1" |
	    sed -e 's/^<metadata id="names">//' -e '/^<\/metadata>/d'
}

# flame_is WANTED OPTION...: the frames of app.trace are those of that file
flame_is()
{
	wanted=$1
	shift
	dmtrace flame -q "$@" -o made.svg app.trace && tree made.svg >found &&
	    cmp "$wanted" found || { diff "$wanted" found; return 1; }
}

# A.m takes 100 us, of which A.n has 20 in two calls and A.o 30.
write_trace app.trace 3 dual <<ROWS
1 4 0 0
1 8 5 10
1 9 10 22
1 12 15 40
1 13 25 70
1 8 30 80
1 9 32 88
1 5 40 100
ROWS
printf '%s\n' '0 0 0' '1 1 50000' '2 2 30000' '2 3 20000' >wall
printf '%s\n' '0 0 0' '1 1 23000' '2 2 10000' '2 3 7000' >cpu
printf '%s\n' '0 0 0' '1 1 1' '2 2 2' '2 3 1' >calls
printf '%s\n' '0 0 0' '1 1 50000' '1 2 0' '2 1 30000' '1 3 0' '2 1 20000' \
    >reverse
claim "frames have wall time, the widest first" flame_is wall
claim "names are in the order of the frames" test \
    "$(names made.svg | cut -f 3 | tr '\n' ' ')" = "(toplevel) m o n "
claim "--clock=cpu shows CPU time" flame_is cpu --clock=cpu
claim "--weight=calls shows calls" flame_is calls --weight=calls
claim "--icicle has the same frames" flame_is wall --icicle
claim "--icicle is in the subtitle" has 'data-shape="icicle"' made.svg
claim "--icicle draws the first frame at the top" has \
    'y="48" width="1199.5" height="17"/><text x="3.0" y="61">all<' made.svg
claim "--reverse draws callers above the innermost methods" \
    flame_is reverse --reverse
printf '%s\n' '0 0 0' '1 1 30000' >one
claim "a selection restricts the frames" flame_is one -m A.o

# Of the old 200 us A.n has 50 %, and 10 % are below an A.o on A.n.
write_trace old.trace 3 dual <<ROWS
1 4 0 0
1 8 0 0
1 12 0 80
1 13 0 100
1 9 0 100
1 5 0 200
ROWS
printf '%s\n' '0 0 0 0' '1 1 50000 100000' '2 2 30000 0' \
    '2 3 20000 100000' >diff
claim "--diff writes the old values of frames" flame_is diff --diff=old.trace
claim "--diff reports the time of paths that no longer occur" \
    has "10.0 % of it was in paths that no longer occur" made.svg
# class_is CLASS NAME: a frame has the class of the style
class_is()
{
	grep -qF "<g class=\"$1\"><title>A.$2()V" made.svg
}
claim "with --diff a larger share is red" class_is r4 o
claim "with --diff a smaller share is blue" class_is b4 n
claim "with --diff an unchanged share is gray" class_is r0 m
claim "without --diff colours are of packages" sh -c \
    'dmtrace flame -q app.trace >plain.svg &&
    ! grep -E "<g class=.[rb][0-4]" plain.svg'
claim "--diff works with --weight=calls" exits 0 \
    dmtrace flame -q --diff=old.trace --weight=calls -o made.svg app.trace

claim "a trace is required" says "no file is named" dmtrace flame
claim "an unknown --weight is refused" \
    exits 2 dmtrace flame --weight=size app.trace
write_trace wall.trace 2 wall <<ROWS
1 4 0
1 5 9
ROWS
claim "a weight that the trace lacks is reported" says "CPU time" \
    dmtrace flame -q --clock=cpu -o none.svg wall.trace
claim "a weight that the old trace lacks is reported, not as one of the new" \
    says "flame: --clock: not all traces have CPU time" \
    dmtrace flame -q --clock=cpu --diff=wall.trace -o none.svg app.trace
claim "an old trace that cannot be read is reported" exits 2 \
    dmtrace flame -q --diff=none.trace -o none.svg app.trace
claim "an output that is the old trace is refused" exits 2 \
    dmtrace flame -q --diff=old.trace -o old.trace app.trace
claim "no output is left by failures" test ! -e none.svg
claim "an empty selection is reported" exits 1 \
    dmtrace flame -q --from=1h -o empty.svg app.trace
claim "a full disk is reported" says "No space left" \
    dmtrace flame -q -o /dev/full app.trace

# is_xml FILE: by a parser
if have xmllint; then
	is_xml() { xmllint --noout "$1"; }
elif have python3; then
	is_xml()
	{
		python3 -c 'import sys, xml.etree.ElementTree as tree
tree.parse(sys.argv[1])' "$1"
	}
else
	is_xml() { return 0; }
fi
write_hostile hostile.trace
dmtrace flame -q -o hostile.svg hostile.trace
for svg in plain made empty hostile; do
	claim "$svg.svg is well-formed XML" is_xml $svg.svg
done
claim "markup in names is escaped" has \
    "&lt;/script&gt;&lt;script&gt;pwned=1&lt;/script&gt;" hostile.svg
claim "]]> and characters that XML forbids are escaped" has \
    ']]&gt;.\xef\xbf\xbf\xef\xbf\xbe]]&gt;&lt;x/&gt;' hostile.svg
claim "invalid UTF-8 and quotes are escaped" \
    has '\xff\xe2\x80\xa8&#39;&lt;!--' \
    hostile.svg
claim "only the end of the script has ]]>" test \
    "$(grep -c ']]>' hostile.svg)" -eq 1
claim "the file loads nothing from the network" sh -c \
    '! sed "s|http://www.w3.org/||" plain.svg |
    grep -E "(src|href)=|https?:|@import|url\("'

# Values of frames add up to the exclusive time of their methods, reversed of
# the outermost ones.
# agrees TRACE COLUMN OPTION...: figures of the graph and of report do
agrees()
{
	trace=$1
	column=$2
	shift 2
	case $* in
	*--reverse*) reversed=1 ;;
	*) reversed=0 ;;
	esac
	dmtrace flame -q "$@" -o made.svg "$trace" || return 1
	{ names made.svg | cut -f 2- | sed -e 's/&lt;/</g' -e 's/&gt;/>/g' \
	    -e 's/&quot;/"/g' -e "s/&#39;/'/g" -e 's/&amp;/\&/g'
	echo; tree made.svg; } | awk -F '\t' -v reversed="$reversed" '
	BEGIN { CONVFMT = "%.0f" }
	NF == 3 { name[count++] = $0 }
	NF == 1 {
		split($0, part, " ")
		if (!reversed || part[1] < 2)
			of = part[2]
		own[of] += part[3]
	}
	END { for (i in own) if (own[i] > 0) print name[i] "\t" own[i] }' |
	    LC_ALL=C sort >graph
	dmtrace report -q -f tsv "$trace" | awk -F '\t' -v column="$column" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at[column] > 0 {
		print $at["class"] "\t" $at["name"] "\t" $at["signature"] \
		    "\t" $at[column]
	}' | LC_ALL=C sort >table
	[ -s table ] && cmp table graph || { diff table graph; return 1; }
}

dmtrace generate -q --events 20000 --methods 60 --threads 4 -o random.trace
claim "wall times are those of report" agrees random.trace exclusive_wall_ns
claim "CPU times are those of report" \
    agrees random.trace exclusive_cpu_ns --clock=cpu
claim "reversed frames have the times of report" \
    agrees random.trace exclusive_wall_ns --reverse
[ -z "${DMTRACE_CORPUS-}" ] || for trace in "$DMTRACE_CORPUS"/*.trace; do
	case $trace in
	*-header.trace | *special_char.trace) ;;
	*api10.trace) claim "${trace##*/}" agrees "$trace" exclusive_cpu_ns ;;
	*) claim "${trace##*/}" agrees "$trace" exclusive_wall_ns ;;
	esac
done
finish
