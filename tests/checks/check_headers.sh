#!/bin/sh
# check_headers.sh - every public header stands alone, in C11 and in C++

. "$srcdir/tests/helpers/claim.sh"

include=$srcdir/lib/include
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'

# compiles HEADER COMPILER...: a file that includes nothing else
compiles()
{
	echo "#include <$1>" >"one.$extension"
	shift
	"$@" $warnings -I"$include" -fsyntax-only "one.$extension"
}

# each LANGUAGE COMPILER...: one claim per public header
each()
{
	language=$1
	shift
	for header in $headers; do
		claim "$header stands alone in $language" \
		    compiles "$header" "$@"
	done
}

headers=$(cd "$include" && find . -name '*.h' | sed 's,^\./,,' | sort)
extension=c
each C11 $CC -std=c11
extension=cpp
cxx=$(command -v c++ || command -v clang++)
if [ -n "$cxx" ]; then
	each C++ "$cxx" -std=c++11
else
	skip "every header stands alone in C++" "no C++ compiler here"
fi

in_umbrella()
{
	grep -qx "#include <$1>" "$include/dmtrace.h"
}

not()
{
	! "$@"
}

for header in $headers; do
	case $header in
	dmtrace/check.h)
		claim "dmtrace.h leaves $header out, which needs Check" \
		    not in_umbrella "$header" ;;
	dmtrace/*)
		claim "dmtrace.h includes $header" in_umbrella "$header" ;;
	esac
done
finish
