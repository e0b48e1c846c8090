#!/bin/sh
# check_races.sh - the tests of the recorder find no data race
#
# What they run is built anew for ThreadSanitizer, which no other sanitizer
# goes with.

. "$srcdir/tests/helpers/claim.sh"
only_more "the recorder has no race"

# The time tests read a clock of their own; a child of a fork may not start
# threads under ThreadSanitizer, nor is a killed one looked at.
tests='test_recorder_keys test_recorder_memory test_recorder_threads'

printf 'int main(void) { return 0; }\n' >empty.c

can_build()
{
	[ "$SANITIZED" != yes ] &&
	    $CC -fsanitize=thread -o empty empty.c 2>/dev/null && ./empty &&
	    pkg-config --exists check
}

# The library as the recorder and the reader need it; files of two floors may
# have the same name.
build_library()
{
	for floor in base format key eventlog data text trace events record; do
		mkdir "$floor" && cd "$floor" || return 1
		printf '%s\n' "$srcdir/lib/$floor"/*.c |
		    xargs -P 2 -n 8 $CC $flags -c || return 1
		cd ..
	done
}

build_test()
{
	$CC $flags -c "$srcdir/tests/unit/$1.c" &&
	    $CC -fsanitize=thread -o "$1" "$1.o" */*.o \
		$(pkg-config --libs check) -lpthread
}

has_no_race()
{
	mkdir "$1.files" && cd "$1.files" || return 1
	TSAN_OPTIONS=halt_on_error=1:die_after_fork=0:exitcode=66 \
	    CK_VERBOSITY=normal "../$1"
	status=$?
	cd .. && return "$status"
}

flags="-std=c11 -O0 -g -fsanitize=thread -Wno-tsan -D_XOPEN_SOURCE=700"
flags="$flags -DRUNS=20 -DPACKAGE_VERSION=\"0\""
flags="$flags -I$srcdir/lib/include -I$srcdir/lib"
flags="$flags -I$srcdir/tests $(pkg-config --cflags check 2>/dev/null)"

if ! can_build; then
	skip "the recorder has no race" "no ThreadSanitizer here"
	finish
fi
claim "the library is built for ThreadSanitizer" build_library
for test in $tests; do
	claim "$test is built" build_test "$test"
	claim "$test finds no race" has_no_race "$test"
done
finish
