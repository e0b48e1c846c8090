#!/bin/sh
# figures.sh - how much there is of each kind of test, for doc/TESTING
#
# "make figures" runs it, and puts what it prints after the line "Figures" of
# doc/TESTING. Cases are counted in the results of the last "make check".

cd "$srcdir" || exit 1

# lines PATTERN...: thousands of lines of all files that match
lines()
{
	echo $((($(find "$@" -type f -exec cat {} + | wc -l) + 500) / 1000))
}

count()
{
	find "$@" -type f | wc -l
}

row()
{
	printf '    %-52s %8d\n' "$1" "$2"
}

row 'thousands of lines of the library' "$(lines lib -name '*.[ch]')"
row 'thousands of lines of the program' "$(lines tools -name '*.[ch]')"
row 'thousands of lines of tests' "$(lines tests '(' -name '*.[ch]' -o \
    -name '*.sh' -o -name '*.js' -o -name '*.py' ')')"
row 'Check programs' "$(count tests -name 'test_*.c')"
row 'scripts of commands' "$(count tests/cli -name '*.sh')"
row 'scripts of laws' "$(count tests/laws -name '*.sh')"
row 'scripts that check the tree' "$(count tests/checks -name '*.sh')"
row 'samples in tests/data' "$(count tests/data -name '*.trace' -o \
    -name '*.key' -o -name '*.data')"
row 'targets of the fuzzer' "$(grep -c '^	{ "[a-z0-9-]*", run_' \
    tests/fuzz/targets.c)"
row 'seeds of their own' "$(count tests/fuzz/seeds -not -name README)"
row 'programs that tests compile or record' "$(count tests/helpers/programs)"
row 'cases of programs that misuse the library' \
    "$(cat tests/misuse/*.c* | grep -c '^	CASE(')"
row 'platforms in tests/platforms.sh' \
    "$(sed -n '/<<.ROWS/,/^ROWS/p' tests/platforms.sh | grep -c '|')"
if [ -d "$builddir/tests/unit" ]; then
	row 'cases in the last "make check"' "$(find "$builddir"/tests/unit \
	    "$builddir"/tests/laws "$builddir"/tests/cli \
	    "$builddir"/tests/checks -name '*.trs' -exec cat {} + |
	    grep -c '^:test-result: PASS')"
fi
