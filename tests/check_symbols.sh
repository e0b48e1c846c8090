#!/bin/sh
# check_symbols.sh - libdmtrace exports what its headers declare, no more

. "$srcdir/tests/claim.sh"

library=$builddir/lib/.libs/libdmtrace.so

# What the public headers declare with DMTRACE_API, one a line.
declared()
{
	cat "$srcdir"/lib/include/dmtrace/*.h | grep -v '^#' | tr '\n\t' '  ' |
	    sed 's,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/,,g' | tr ';' '\n' |
	    sed -n 's/.*DMTRACE_API //p' | tr -s ' ' | sort
}

# The same from the pages: ".Ft TYPE", then ".Fn NAME ARGUMENT..." or ".Fo
# NAME", ".Fa ARGUMENT..." and ".Fc"; arguments of several words are quoted.
# A variable is ".Vt extern TYPE NAME ;".
described()
{
	for page in "$srcdir"/doc/dmtrace_*.3 "$srcdir"/doc/libdmtrace.3 \
	    "$srcdir"/doc/libdmtrace-eventlog.3; do
		sed '/^\.Sh DESCRIPTION/q' "$page"
	done | sed -n -e 's/" "/, /g' -e 's/"//g' \
	    -e 's/^\.Ft //p' -e 's/^\.Fn \([^ ]*\) \(.*\)/ \1(\2)%/p' \
	    -e 's/^\.Fo \(.*\)/ \1(/p' -e 's/^\.Fa \(.*\)/\1, /p' \
	    -e 's/^\.Fc/)%/p' -e 's/^\.Vt extern \(.*\) ;/\1%/p' |
	    tr -d '\n' | tr '%' '\n' | sed 's/, )$/)/' | tr -s ' ' | sort
}

# The lines of structs and enums, as the headers and as the pages have them.
members()
{
	for header in status event key trace select recorder ops profile \
	    verify export; do
		sed -n '/^\(struct\|enum\)[^;]*{$/,/^}/p' \
		    "$srcdir/lib/include/dmtrace/$header.h"
	done | tr -s '\t ' ' ' | sort -u
}

shown()
{
	sed 's/\\e/\\/g' "$srcdir"/doc/dmtrace_*.3 "$srcdir/doc/libdmtrace.3" |
	    tr -s '\t ' ' ' | sort -u
}

all_shown()
{
	members >members
	shown | comm -13 - members >lacking
	cat lacking
	[ -s members ] && [ ! -s lacking ]
}

names()
{
	sed -e 's/(.*//' -e 's/.*[ *]//' "$1" | sort
}

exported()
{
	${NM-nm} -D -P --defined-only "$library" |
	    awk '$2 != "A" { print $1 }' | sort
}

sort "$srcdir/lib/libdmtrace.sym" >listed
declared >prototypes
names prototypes >declared
claim "the symbol list is sorted and says nothing twice" \
    prints listed sort -u "$srcdir/lib/libdmtrace.sym"
claim "the symbol list names what the headers declare" cmp listed declared
claim "the pages have every prototype" \
    prints prototypes described
claim "the pages have every member and constant" all_shown
misused()
{
	grep -o 'dmtrace_[a-z_]*' "$srcdir/tests/test_misuse.c" | sort -u |
	    comm -23 listed - >unused
	cat unused
	[ ! -s unused ]
}

claim "test_misuse.c calls every function" misused
if [ -f "$library" ]; then
	exported >exported
	claim "the library exports what the symbol list names" \
	    prints listed cat exported
else
	skip "the library exports what the symbol list names" "not shared"
fi
finish
