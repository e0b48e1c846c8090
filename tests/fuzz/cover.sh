#!/bin/sh
# cover.sh - which share of the library's lines each target of the fuzzer runs
#
# "make fuzz-coverage" calls it in a build for gcov. A target is run on its
# seeds and on what "make fuzz" has kept in the folder $FUZZ_CORPUS. Prints the
# lines of lib/ that each target runs, and then, for all targets together, the
# share of each folder, of what reads in lib/trace, and of each file that reads
# bytes.

replay=tests/fuzz/replay

# run NAME: a target on its inputs
run()
{
	seeds=$srcdir/tests/fuzz/seeds/$1
	[ -d "$seeds" ] || seeds=$srcdir/tests/data
	mkdir -p fuzz.dir
	find "$seeds" "$FUZZ_CORPUS/$1/corpus" -type f 2>/dev/null |
	    (cd fuzz.dir && xargs "$OLDPWD/$replay" "$1") || {
		echo "cover: $1 failed"
		failed=yes
	}
}

shares()
{
	sh "$srcdir/tests/coverage.sh" | grep ' lib/'
}

forget()
{
	find . -name '*.gcda' -exec rm {} +
}

for name in $("$replay"); do
	forget
	run "$name"
	shares | awk -v name="$name" '
	{ ran += $3 }
	END { printf "%-12s runs %5d lines of lib/\n", name, ran }'
done
forget
for name in $("$replay"); do
	run "$name"
done
shares >fuzz.dir/shares
echo
echo 'All targets together:'
awk '{
	split($6, part, "/")
	ran[part[2]] += $3
	lines[part[2]] += $5
}
END {
	for (name in lines)
		printf "%5.1f %% of lib/%s\n", 100 * ran[name] / lines[name],
		    name
}' fuzz.dir/shares | sort -n
readers='lib/trace/.*(read|container|packets|follow|definitions|gather'
readers="$readers|records_source|text_form)"
grep -E "$readers" fuzz.dir/shares | awk '
{ ran += $3; lines += $5 }
END { printf "%5.1f %% of what reads in lib/trace\n", 100 * ran / lines }'
echo
echo 'Files that read bytes:'
grep -E "lib/(key|data)/|$readers" fuzz.dir/shares
rm -rf fuzz.dir
[ "$failed" != yes ]
