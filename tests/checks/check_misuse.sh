#!/bin/sh
# check_misuse.sh - programs that misuse the library end as its manual says
#
# They are those of tests/misuse: each case is a process in an empty folder,
# with a time limit. Where the library has sanitizers, and with DMTRACE_MORE,
# the programs have them, too, so that nothing leaks; those that only write are
# compiled once more then, with all of the library in them, as one header.

. "$srcdir/tests/helpers/claim.sh"

misuse=$srcdir/tests/misuse
include=$srcdir/lib/include
case $CC in
*clang*) cxx=$(command -v clang++) ;;
*) cxx=$(command -v c++) ;;
esac

# can_sanitize COMPILER...
can_sanitize()
{
	echo 'int main(void) { return 0; }' >empty.c
	"$@" -fsanitize=address,undefined -o empty empty.c 2>/dev/null &&
	    ./empty
}

thorough()
{
	[ "$SANITIZED" = yes ] || more
}

sanitize=
! thorough || ! can_sanitize $CC || sanitize='-fsanitize=address,undefined
    -fno-sanitize-recover=undefined'

# runs PROGRAM CASE
runs()
{
	rm -rf folder && mkdir folder && cd folder || return 1
	timeout -s KILL 120 "../$1" "$2"
	status=$?
	cd .. && return "$status"
}

# claims_of PROGRAM COMPILER...: built with these, each of its cases
claims_of()
{
	name=$1
	shift
	claim "$name compiles" "$@" -g $sanitize -o "$name" -pthread
	for case in $("./$name"); do
		claim "$name: $case" runs "$name" "$case"
	done
}

# recorded TRACE NAME...: it has these calls, one after the other
recorded()
{
	dmtrace dump -q -f tsv "$1" | cut -f 2,8 | sed 1d | tr '\t' ' ' >got
	shift
	for call; do
		printf 'enter %s\nexit %s\n' "$call" "$call"
	done | diff - got
}

for source in "$misuse"/*.c; do
	name=$(basename "$source" .c)
	claims_of "$name" $CC -std=c11 -D_XOPEN_SOURCE=700 -I"$include" \
	    "$source" -L"$builddir/lib/.libs" -ldmtrace -lm
done
if [ -n "$cxx" ]; then
	for source in "$misuse"/*.cc; do
		name=$(basename "$source" .cc)
		claims_of "$name" "$cxx" -std=c++11 -I"$include" "$source" \
		    -L"$builddir/lib/.libs" -ldmtrace
		[ "$name" != early ] || claim \
		    "early: what ran before and after main is in the trace" \
		    recorded folder/early.trace constructor main at_exit \
		    destructor
	done
else
	skip "scopes of C++ are left in every way" "no C++ compiler here"
fi

thorough || finish
claim "make amalgamation writes the header" \
    sh "$srcdir/lib/amalgamate.sh" "$srcdir" .
printf '%s\n' '#define DMTRACE_IMPLEMENTATION' '#include "dmtrace_write.h"' \
    >dmtrace.c
claim "the header compiles with the sanitizers" \
    $CC -std=c11 -g $sanitize -I. -c dmtrace.c
for name in writer key recorder; do
	claims_of "one-header-$name" $CC -std=c11 -D_XOPEN_SOURCE=700 -I. \
	    -DMISUSE_ONE_HEADER "$misuse/$name.c" dmtrace.o
done
finish
