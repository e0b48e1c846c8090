#!/bin/sh
# check_symbols.sh - libdmtrace exports what its headers declare, no more

. "$srcdir/tests/claim.sh"

library=$builddir/lib/.libs/libdmtrace.so

# The functions that the public headers declare with DMTRACE_API.
declared()
{
	cat "$srcdir"/lib/include/dmtrace/*.h | grep -v '^#' | tr '\n\t' '  ' |
	    sed 's,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/,,g' | tr ';' '\n' |
	    sed -n 's/.*DMTRACE_API[^(]*\<\(dmtrace_[a-z0-9_]*\)(.*/\1/p' |
	    sort
}

exported()
{
	${NM-nm} -D -P --defined-only "$library" |
	    awk '$2 != "A" { print $1 }' | sort
}

sort "$srcdir/lib/libdmtrace.sym" >listed
declared >declared
claim "the symbol list is sorted and says nothing twice" \
    prints listed sort -u "$srcdir/lib/libdmtrace.sym"
claim "the symbol list names what the headers declare" cmp listed declared
if [ -f "$library" ]; then
	exported >exported
	claim "the library exports what the symbol list names" \
	    prints listed cat exported
else
	skip "the library exports what the symbol list names" "not shared"
fi
finish
