#!/bin/sh
# cli_findings.sh - a finding that comes often is one line, with a count

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/record.sh"

# Unknown options, ids above 2^31, and exits of calls from before of a method
# that is not listed: each of them 30 times.
{
	printf '*version\n2\nclock=wall\n'
	for i in 1 2 3; do
		for j in 0 1 2 3 4 5 6 7 8 9; do
			printf 'unknown-%s%s=1\n' $i $j
		done
	done
	printf '*threads\n1\tmain\n*methods\n'
	for i in 8 9 a; do
		for j in 0 1 2 3 4 5 6 7 8 9; do
			printf '0x%s00000%s0\tp.A\tm%s%s\t()V\n' $i $j $i $j
		done
	done
	printf '0x4\tp.A\tlisted\t()V\n*end\nSLOW\2\0\40\0\1\2\3\4\5\6\7\0'
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	record 1 5 9
	for i in 1 2 3; do
		for j in 0 1 2 3 4 5 6 7 8 9; do
			record 1 17 $i$j
		done
	done
} >often.trace

# once OPERAND...: dmtrace exits 0 or 1, and of no finding there are two lines
once()
{
	rm -f out.* out
	dmtrace "$@" >printed 2>error
	status=$?
	[ $status -lt 2 ] || { cat error; return 1; }
	for words in 'method id is 2^31 or more' 'option that no virtual' \
	    'exit while no call is open' 'method that is not listed'; do
		for file in printed error; do
			[ "$(grep -c "$words" $file)" -lt 2 ] ||
			    { grep "$words" $file; return 1; }
		done
	done
}

for command in 'sort -o out.trace' 'shift --by 1us -o out.trace' checksum \
    'merge -o out.trace' 'repair -o out.trace' 'repair --dry-run' validate \
    'validate -f tap' 'validate --fix --for dmtracedump -o out.trace' info \
    dump 'dump --dmtracedump' report 'report --dmtracedump' \
    'report --traceview' 'report -f html' graph 'filter -t 1 -o out.trace' \
    'split -o out' 'split --by events=7 -o out' 'split --by thread -o out' \
    'report --tree' 'convert -d f3 -o out.trace' 'export -f chrome' \
    'export -f collapsed' 'export -f sqlite'; do
	claim "$command reports findings" once $command often.trace
done
cp often.trace other.trace
claim "diff reports findings" once diff often.trace other.trace
dmtrace split -q -o half often.trace
claim "join reports findings" once join half -o out.trace
printf 'never x\n' >never.spec
claim "expect reports findings" once expect never.spec often.trace

counted='often.trace: line 4: option that no virtual machine writes'
for command in sort 'shift --by 1us' merge checksum; do
	dmtrace $command often.trace 2>error >out.trace
	claim "$command counts findings of one name" has "$counted" error
	claim "$command counts all findings" sh -c '
	    [ "$(grep -c "(the first of 30)$" error)" -eq "$(wc -l <error)" ]'
	claim "$command reports nothing with -q" silent dmtrace $command -q \
	    -o out.trace often.trace
done
dmtrace convert -d v3 -o out.trace often.trace 2>error >printed
claim "convert counts findings of one name" has "$counted" error
dmtrace validate often.trace >printed
claim "validate counts findings of one name" \
    has 'often.trace: line 4: note: option-unknown: '\
'option that no virtual machine writes: "unknown-10=1" (the first of 30)' \
    printed
claim "validate prints one line for each name" \
    sh -c '[ -z "$(cut -d: -f 1,4 printed | sort | uniq -d | grep note)" ]'
claim "each of several traces has its own count" sh -c '
    dmtrace merge -o out.trace often.trace other.trace 2>error
    grep -c "^dmtrace merge: often.trace: line 4: .*(the first of 30)$" error |
    grep -qx 1 &&
    grep -c "^dmtrace merge: other.trace: line 4: .*(the first of 30)$" error |
    grep -qx 1'

# Three events without a value.
for i in 1 2 3; do
	printf '\004\000\034\000\350\003\000\000\351\003\000\000\271\123'
	printf '\315\116\025\315\133\007\002\000\000\000\020\047\000\000'
	printf '\011\000\000\000'
done >often.log
claim "eventlog reports findings" \
    answers 1 '(the first of 3)' dmtrace eventlog often.log
claim "eventlog prints one line for each name" \
    sh -c 'dmtrace eventlog often.log 2>&1 >printed | grep -c . | grep -qx 1'

finish
