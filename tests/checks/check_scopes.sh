#!/bin/sh
# check_scopes.sh - DMTRACE_SCOPE in C++ ends a call however it is left

. "$srcdir/tests/helpers/claim.sh"

case $CC in
*clang*) cxx=$(command -v clang++) ;;
*) cxx=$(command -v c++) ;;
esac
if [ -z "$cxx" ]; then
	skip "scopes end in C++" "no C++ compiler here"
	finish
fi
sanitize=
[ "$SANITIZED" != yes ] || sanitize=-fsanitize=address,undefined

built()
{
	"$cxx" "-std=$1" -Wall -Wextra -Werror $sanitize \
	    -I"$srcdir/lib/include" "$srcdir/tests/helpers/programs/scopes.cc" \
	    -o scopes -L"$builddir/lib/.libs" -ldmtrace
}

# events FILE: each one's action and name
events()
{
	dmtrace dump -q -f tsv "$1" | awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ print $at["action"], $at["name"] }'
}

# Scopes of one block end in the opposite order.
for event in +early -early +early +late -late -early \
    +one +two -two -one \
    +catches +throws +throws -throws -throws +handler -handler -catches \
    +turn -turn +turn +method -method -turn \
    +outer +inner +lambda -lambda -inner -outer; do
	echo "$event"
done | sed -e 's/^+/enter /' -e 's/^-/exit /' >expected

for standard in c++11 c++20; do
	rm -f scopes.trace
	claim "a program with scopes is $standard" built "$standard"
	claim "the program with scopes records" ./scopes scopes.trace
	claim "each scope ends where its block is left, in $standard" \
	    prints expected events scopes.trace
	claim "the trace is valid" dmtrace validate -q scopes.trace
done
finish
