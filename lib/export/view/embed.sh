#!/bin/sh
# embed.sh - the files of a page as lines of C: embed.sh FILE.css FILE.js...
#
# Scripts become one script in the order given: what they import from each
# other is there, so these lines go, and so does the word export.

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

style=$1
shift
echo '/* view_text.c - made by embed.sh of the files in lib/export/view/ */'
echo
echo '#include "export/view_page.h"'
sed -e '/^[ 	]*\/\*.*\*\/$/d' "$style" | lines dmt_view_style
cat "$@" | sed -e '/^import [^;]*$/,/;$/d' -e '/^import /d' -e 's/^export //' \
    -e '/^[ 	]*\/\//d' -e 's/^[ 	]*//' -e '/^$/d' | lines dmt_view_script
