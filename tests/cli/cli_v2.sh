#!/bin/sh
# cli_v2.sh - commands read trace format V2, and write it

. "$srcdir/tests/helpers/claim.sh"

dmtrace generate -q --events=3000 --threads=4 -o all.trace
dmtrace generate -q --events=2000 --threads=3 --seed=2 -o more.trace
for form in 5c 5e 5f; do
	dmtrace convert -q -d v${form%?} --stage=${form#?} -o $form.trace \
	    all.trace
	dmtrace convert -q -d v${form%?} --stage=${form#?} -o $form-2.trace \
	    more.trace
done

# same FILE FILE: they have the same events
same()
{
	[ "$(dmtrace checksum -b "$@" | cut -c 1-32 | uniq | wc -l)" -eq 1 ]
}

# agrees FORM COMMAND...: makes the same of version 3 and of the form, which
# the output is in, too
agrees()
{
	form=$1
	shift
	dmtrace "$@" -q -o expected all.trace &&
	    dmtrace "$@" -q -o written "$form.trace" &&
	    same expected written &&
	    [ "$(head -c 6 written | od -An -tx1)" = \
	    "$(head -c 6 "$form.trace" | od -An -tx1)" ]
}

# says_version VERSION FILE...: merge does, of the output
says_version()
{
	version=$1
	shift
	dmtrace merge -o mixed "$@" 2>said &&
	    grep -q "several versions: the output has version $version," said
}

for form in 5c 5e 5f; do
	claim "$form: filter without a condition copies" sh -c "
	    dmtrace filter $form.trace | cmp $form.trace -"
	claim "$form: filter -t works as on version 3" agrees $form filter -t 2
	claim "$form: sort copies what is in order" sh -c "
	    dmtrace sort $form.trace | cmp $form.trace -"
	claim "$form: shift works as on version 3" agrees $form shift --by=5ms
done
claim "a mixed merge reports the version of its output" \
    says_version 5 all.trace 5e-2.trace
claim "a mixed merge writes trace format V2 only if needed" \
    says_version 3 all.trace 5c-2.trace
printf '\002\222\020\000\000\004\000\000\015\000\000\000\320\017' >dump
printf '\200\240\200\070\240\037\050\301\076\240\037' >>dump
printf '\001\000\020\000\007\000\000\000\000\004\000A\tm\n' >>dump
printf '\001\050\020\000\007\000\000\000\000\004\000B\tn\n' >>dump
for command in 'dump' 'report' 'info' 'validate' 'checksum' 'graph' \
    'export -f collapsed' 'filter -o x' 'sort -o x' 'shift --by=1us -o x' \
    'convert -d v4 -o x' 'convert -o x'; do
	claim "$command reads a dump without a header" exits 0 \
	    dmtrace $command dump
done
claim "a dump without a header is not copied as version 4" sh -c '
    dmtrace convert -q -d v4 -o x dump && head -c 4 x | grep SLOW &&
    dmtrace checksum -b x dump | cut -c 1-32 | uniq | [ $(wc -l) -eq 1 ]'
printf '\000\222\020\000\000\060\000main' >cut
claim "a dump whose first packet is truncated has one error" \
    sh -c 'dmtrace validate cut | grep "not valid, 0 events, 1 error$"'
# Threads of pieces of one trace: the second goes on where the first ends.
printf '4242 4 10 100\n4242 8 20 200\n' | write_trace one.trace 3 dual
printf '4242 9 30 300\n4242 5 40 400\n' | write_trace two.trace 3 dual
for file in one two; do
	for stage in c e; do
		dmtrace convert -q -d v5 --stage=$stage -o $file-$stage.trace \
		    $file.trace
	done
done
# united FILE...: one thread of four events, in order; the file is valid
united()
{
	dmtrace merge -q --threads=union -o x "$@" &&
	    dmtrace validate -q x && head -c 5 x | tail -c 1 | od -An -tx1 |
	    grep -q 05 && [ "$(dmtrace dump -f tsv x | sed 1d |
	    cut -f 1,5 | tr '\t\n' ' .')" = \
	    '4242 100000.4242 200000.4242 300000.4242 400000.' ]
}
claim "merge unites threads" united one-e.trace two-e.trace
claim "merge unites threads of several stages and versions" \
    united one.trace two-e.trace
dmtrace shift -q --scale=0.004 -o one-ns.trace one-e.trace
dmtrace shift -q --scale=0.002 -o two-ns.trace two-e.trace
claim "merge orders times within a microsecond" sh -c '
    dmtrace merge -q --align=zero -o x one-ns.trace two-ns.trace &&
    [ "$(dmtrace dump -f tsv x | sed 1d | cut -f 3,5 | tr "\t\n" " .")" = \
    "0x4 400.0x8 600.0x8 800.0x4 800." ]'
claim "merge --dialect reports nanoseconds that are lost" sh -c '
    dmtrace merge -d v3 --align=zero -o x one.trace one-ns.trace two-ns.trace \
    2>notes && grep -q "warning: 4 events lost the nanoseconds" notes'
claim "merge keeps thread ids of more than 16 bits" sh -c '
	dmtrace sort -q -o sorted.trace "$1"
	dmtrace merge -q --threads=union -o x sorted.trace sorted.trace &&
	    [ $(dmtrace dump -f tsv x | grep -c "^70001") -eq 4 ]
' sh "$srcdir/tests/data/good-packets-ticks.trace"
claim "merge refuses times that go back in a united thread" \
    says 'its wall times go back from 400000 ns to 100000 ns' \
    dmtrace merge -q --threads=union --align=none -o y two-e.trace one-e.trace
claim "a refused merge leaves no file" test ! -e y
claim "V2 is not written as a pair" says "V2 has no key" \
    dmtrace filter -o x.key 5e.trace
finish
