#!/bin/sh
# check_unload.sh - libdmtrace can be loaded late, and let go of

. "$srcdir/tests/claim.sh"

library=$builddir/lib/.libs/libdmtrace.so
flags='-std=c11 -D_XOPEN_SOURCE=700 -pthread'
[ "$SANITIZED" != yes ] || flags="$flags -fsanitize=address,undefined"

if [ ! -f "$library" ]; then
	skip "libdmtrace can be let go of" "not shared"
	finish
fi
claim "a program is built without it" $CC $flags -o unload \
    "$srcdir/tests/programs/unload.c" -ldl
claim "a thread that has recorded ends after it was let go of" \
    ./unload "$library"
claim "its call is there" sh -c \
    'dmtrace dump -f tsv unload.trace | grep -c "	a	" | grep -qx 2'
finish
