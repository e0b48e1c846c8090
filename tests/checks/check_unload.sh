#!/bin/sh
# check_unload.sh - libdmtrace can be loaded late, and let go of

. "$srcdir/tests/helpers/claim.sh"

library=$builddir/lib/.libs/libdmtrace.so
flags='-std=c11 -D_XOPEN_SOURCE=700 -pthread'
[ "$SANITIZED" != yes ] || flags="$flags -fsanitize=address,undefined"

if [ ! -f "$library" ]; then
	skip "the library can be unloaded" "not shared"
	finish
fi
claim "a program that loads the library at run time is built" \
    $CC $flags -o unload \
    "$srcdir/tests/helpers/programs/unload.c" -ldl
claim "a thread that has recorded can end after dlclose" \
    ./unload "$library"
claim "the call that it recorded is in the trace" sh -c \
    'dmtrace dump -f tsv unload.trace | grep -c "	a	" | grep -qx 2'
rm -f unload.trace
claim "a library that is recording can be unloaded" \
    ./unload "$library" recording
claim "the call that was recorded until then is in the trace" sh -c \
    'dmtrace dump -f tsv unload.trace | grep -c "	a	" | grep -qx 2'
finish
