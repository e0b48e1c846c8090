#!/bin/sh
# check_amalgamation.sh - two files hold the writer, the reader, the recorder
#
# With COMPILERS=all every compiler that is here builds and runs laws.c with
# them ("make check-amalgamation"), else $CC alone.

. "$srcdir/tests/helpers/claim.sh"

# Silent with these, which users have.
warnings='-Wall -Wextra -Wpedantic -Wshadow -Werror'

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
		claim "the laws hold with $name" runs "$runner" "$@"
	else
		skip "the laws hold with $name" "no $1 here"
	fi
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
claim "make amalgamation writes the two files" \
    sh "$srcdir/lib/amalgamate.sh" "$srcdir" two
claim "the two files compile with -Wconversion" \
    $compiler -std=c11 -Wconversion -Werror \
    -fsyntax-only two/dmtrace.c
with "$compiler" '' $compiler
cxx=$(command -v c++ || command -v clang++)
if [ -n "$cxx" ]; then
	claim "the laws hold in C++20" in_cxx "$cxx"
else
	skip "the laws hold in C++20" "no C++ compiler here"
fi
if [ "${COMPILERS-}" = all ]; then
	with gcc '' gcc
	with clang '' clang
	with 'gcc -m32' '' gcc -m32 \
	    -idirafter "/usr/include/$(gcc -print-multiarch)"
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
