#!/bin/sh
# check_amalgamation.sh - two files with writer, reader, recorder, and a header
#
# With COMPILERS=all every compiler that is here builds and runs laws.c with
# them ("make check-amalgamation"), or with DMTRACE_MORE $CC alone; else the
# header is all that is compiled.

. "$srcdir/tests/helpers/claim.sh"

# Silent with these, which users have.
warnings='-Wall -Wextra -Wpedantic -Wshadow -Werror'

# whole: the two files are compiled, too
whole()
{
	more || [ "${COMPILERS-}" = all ]
}

# In a folder with nothing else; -O0 as all the time goes to the compiler.
runs()
{
	runner=$1
	shift
	rm -rf alone && mkdir alone && cp -f two/* laws.c alone &&
	    (cd alone && "$@" -std=c11 $warnings -O0 -c dmtrace.c &&
	    "$@" -std=c11 -D_XOPEN_SOURCE=700 -O0 -I. -c laws.c &&
	    "$@" -o laws laws.o dmtrace.o -pthread && $runner ./laws)
}

in_cxx()
{
	(cd alone && "$1" -std=c++20 -I. -x c++ -c laws.c -o laws.o &&
	    "$1" -o laws laws.o dmtrace.o -pthread && ./laws)
}

# with NAME RUNNER COMPILER...: claims it, if there is that compiler
with()
{
	name=$1
	runner=$2
	shift 2
	if have "$1" && { [ -z "$runner" ] || have "$runner"; }; then
		! whole || claim "the laws hold with $name" runs "$runner" "$@"
		claim "the header works with $name" header_runs "$runner" "$@"
		claim "with $name its names begin with dmtrace_ or dmt_" \
		    own_names "$@"
	else
		skip "the laws hold with $name" "no $1 here"
		skip "the header works with $name" "no $1 here"
	fi
}

# header_runs RUNNER COMPILER...: with the header a program of two files writes,
# and such a one, and one of one file, record themselves
header_runs()
{
	runner=$1
	shift
	rm -rf header && mkdir header && cp two/dmtrace_write.h header &&
	    sed 's/<dmtrace.h>/"dmtrace_write.h"/' \
		"$srcdir/doc/examples/write.c" >header/write.c &&
	    sed 's/<dmtrace.h>/"dmtrace_write.h"/' \
		"$srcdir/doc/examples/record.c" >header/record.c && (
	cd header || exit
	{
		echo '#define DMTRACE_IMPLEMENTATION'
		echo '#include "dmtrace_write.h"'
	} >dmtrace.c
	{
		echo '#define DMTRACE_STATIC'
		cat dmtrace.c record.c
	} >one.c
	set -- "$@" $warnings -O0
	"$@" -std=c11 -c dmtrace.c &&
	    "$@" -std=c11 -c write.c && "$@" -std=c11 -c record.c &&
	    "$@" -o write write.o dmtrace.o -pthread &&
	    "$@" -o record record.o dmtrace.o -pthread &&
	    "$@" -std=c11 -c one.c && "$@" -o one one.o -pthread &&
	    $runner ./write && dmtrace validate -q write.trace &&
	    dmtrace dump write.trace | grep -F First.run &&
	    $runner ./record && [ -s record.trace ] &&
	    rm record.trace && $runner ./one && [ -s record.trace ])
}

header_in_cxx()
{
	sed 's/<dmtrace.h>/"dmtrace_write.h"/' \
	    "$srcdir/doc/examples/record.c" >header/record.cc &&
	    (cd header && rm -f record.trace &&
	    "$1" -std=c++11 $warnings -o cxx record.cc dmtrace.o -pthread &&
	    ./cxx && [ -s record.trace ])
}

# The form that users are promised.
header_is_small()
{
	[ "$(wc -l <two/dmtrace_write.h)" -le 12000 ]
}

# own_names COMPILER...: what the compiled files define for others begins so;
# but for the thunks that gcc adds in 32 bits, one of each name in a program
own_names()
{
	nm=$("$@" -print-prog-name=nm)
	found=$(ls header/dmtrace.o alone/dmtrace.o 2>/dev/null)
	"$nm" -g $found | awk 'NF == 3 && $3 !~ /^dmt(race)?_/ &&
	    $3 !~ /^__x86\.get_pc_thunk\.([abcd]x|[sd]i|bp)$/ {
		print; bad = 1
	}
	END { exit bad || NR == 0 }' &&
	    "$nm" -g header/one.o >one && grep ' [TD] main$' one &&
	    ! grep ' [A-TV-Z] dmt' one
}

# In 32 bits, files of 2 GiB and more are opened, as by the library.
has_large_files()
{
	"$@" -idirafter "/usr/include/$(gcc -print-multiarch)" -std=c11 -O0 \
	    -c -o large.o "$large" &&
	    nm large.o | grep ' U ftruncate64$' &&
	    ! nm large.o | grep -E ' U (open|lseek|fstat|ftruncate)$'
}

# refuses WHAT OPTION... : the implementation does not compile, and says why
refuses()
{
	what=$1
	shift
	! $compiler "$@" -fsyntax-only refused.c 2>refused &&
	    grep "$what" refused
}

with_cmake()
{
	cp -r "$srcdir/doc/examples/cmake" project && chmod -R u+w project &&
	    cp two/* "$srcdir/doc/examples/record.c" project &&
	    cmake -S project -B project/build &&
	    cmake --build project/build && project/build/record
}

with_meson()
{
	cp -r "$srcdir/doc/examples/meson" wrapped && chmod -R u+w wrapped &&
	    cp "$srcdir/doc/examples/record.c" wrapped &&
	    cp two/* wrapped/subprojects/dmtrace &&
	    meson setup wrapped/build wrapped &&
	    meson compile -C wrapped/build && wrapped/build/record
}

# $CC without its options: it may be two words, "ccache gcc".
compiler=
for word in $CC; do
	case $word in
	-*) break ;;
	*) compiler="$compiler $word" ;;
	esac
done
compiler=${compiler# }

cp "$srcdir/tests/helpers/programs/laws.c" .
claim "make amalgamation writes the files" \
    sh "$srcdir/lib/amalgamate.sh" "$srcdir" two
! whole || claim "the two files compile with -Wconversion" \
    $compiler -std=c11 -Wconversion -Werror \
    -fsyntax-only two/dmtrace.c
with "$compiler" '' $compiler
claim "the header has at most 12,000 lines" header_is_small
printf '%s\n' '#define DMTRACE_IMPLEMENTATION' \
    '#include "two/dmtrace_write.h"' >refused.c
claim "the header refuses to be implemented in C99" \
    refuses 'compile this file as C11' -std=c99
printf '%s\n' '#include <stdio.h>' '#define DMTRACE_IMPLEMENTATION' \
    '#include "two/dmtrace_write.h"' >refused.c
claim "the header refuses to come after other headers" \
    refuses 'before other headers' -std=c11
cxx=$(command -v c++ || command -v clang++)
if [ -n "$cxx" ]; then
	! whole || claim "the laws hold in C++20" in_cxx "$cxx"
	claim "the header works in C++11" header_in_cxx "$cxx"
else
	skip "the laws hold in C++20" "no C++ compiler here"
	skip "the header works in C++11" "no C++ compiler here"
fi
if [ "${COMPILERS-}" = all ]; then
	with gcc '' gcc
	with clang '' clang
	# many kernels run no programs of 32 bits
	with 'gcc -m32' qemu-i386 gcc -m32 \
	    -idirafter "/usr/include/$(gcc -print-multiarch)"
	if have qemu-i386; then
		printf '%s\n' '#define DMTRACE_IMPLEMENTATION' \
		    '#include "two/dmtrace_write.h"' >header.c
		for large in two/dmtrace.c header.c; do
			claim "$large writes large files in 32 bits" \
			    has_large_files gcc -m32
		done
	fi
	with musl '' musl-gcc -static
	with 'a big-endian machine' qemu-ppc64 powerpc64-linux-gnu-gcc -static
	if have cmake; then
		claim "a CMake project uses the two files" with_cmake
	else
		skip "a CMake project uses the two files" "no cmake here"
	fi
	if have meson; then
		claim "a Meson wrap uses the two files" with_meson
	else
		skip "a Meson wrap uses the two files" "no meson here"
	fi
fi
finish
