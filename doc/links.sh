#!/bin/sh
# links.sh - the functions of pages of section 3: links.sh PAGE...
#
# Prints a line for each: its name, and the page that it gets a link to.

for page; do
	sed -n -e '/^\.Sh DESCRIPTION/q' \
	    -e 's/^\.F[no] \([a-z][a-z_0-9]*\).*/\1/p' "$page" | sort -u |
	    sed "s,\$, $(basename "$page"),"
done
