#!/bin/sh
# embed.sh - the files of a page as lines of C
#
#	embed.sh NAME FILE.css... FILE.js...
#
# They are dmt_NAME_style and dmt_NAME_script, declared in NAME_page.h.
#
# Styles become one style, and scripts one script, in the order given: what
# scripts import from each other is there, so these lines go, and so does the
# word export.

# lines NAME: what comes in as an array of strings; ? is escaped because of
# trigraphs
lines()
{
	echo
	echo "const char *const $1[] = {"
	sed -e 's/[\\"?]/\\&/g' -e 's/	/\\t/g' -e 's/.*/	"&",/'
	echo '	NULL'
	echo '};'
}

name=$1
styles=
shift
echo "/* ${name}_text.c - made by embed.sh of $1 and others */"
while [ "${1%.css}" != "$1" ]; do
	styles="$styles $1"
	shift
done
echo
echo "#include \"export/${name}_page.h\""
cat $styles | sed -e '/^[ 	]*\/\*.*\*\/$/d' | lines "dmt_${name}_style"
cat "$@" | sed -e '/^import [^;]*$/,/;$/d' -e '/^import /d' -e 's/^export //' \
    -e '/^[ 	]*\/\//d' -e 's/^[ 	]*//' -e '/^$/d' |
    lines "dmt_${name}_script"
