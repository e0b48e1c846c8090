#!/bin/sh
# check_examples.sh - the examples do what they say

. "$srcdir/tests/claim.sh"

cat >events <<'ROWS'
1000000 ns: enter 0x4
1250000 ns: exit 0x4
ROWS

trace()
{
	printf '*version\n3\nclock=dual\n*threads\n1\tmain\n*methods\n'
	printf '0x4\ta/First\trun\t()V\tFirst.java\t12\n*end\n'
	printf 'SLOW\3\0 \0\0\0\0\0\0\0\0\0\16'
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	printf '\1\0\4\0\0\0\0\0\0\0\350\3\0\0'
	printf '\1\0\5\0\0\0\310\0\0\0\342\4\0\0'
}
trace >expected

claim "first prints the events it wrote" \
    prints events "$builddir/doc/examples/first"
claim "first writes a trace of two records" cmp expected first.trace
finish
