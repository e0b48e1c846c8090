#!/bin/sh
# check_examples.sh - the examples do what they say

. "$srcdir/tests/helpers/claim.sh"

# built NAME STANDARD COMPILER...: compiles the example, with warnings
built()
{
	name=$1
	standard=$2
	shift 2
	cp -f "$srcdir/doc/examples/$name.c" . &&
	    "$@" "-std=$standard" -Wall -Wextra -Werror \
	    -Wno-missing-field-initializers $sanitize \
	    -I"$srcdir/lib/include" "$name.c" -o "$name" \
	    -L"$builddir/lib/.libs" -ldmtrace
}

sanitize=
[ "$SANITIZED" != yes ] || sanitize=-fsanitize=address,undefined
case $CC in
*clang*) cxx=$(command -v clang++) ;;
*) cxx=$(command -v c++) ;;
esac

# first_programs STANDARD COMPILER...: builds and runs the four of them
first_programs()
{
	standard=$1
	shift
	rm -f ./*.trace
	for program in write read record filter; do
		claim "$program is $standard" built $program "$standard" "$@"
	done
	claim "write writes, in $standard" ./write
	claim "read prints what write wrote, in $standard" prints events ./read
	claim "record records, in $standard" prints fibonacci ./record
	claim "filter keeps three depths, in $standard" ./filter
	claim "the three depths have 7 calls" prints kept calls filter.trace
	claim "select is $standard" built select "$standard" "$@"
	claim "select keeps three depths, in $standard" ./select
	claim "select and filter keep the same calls" \
	    prints kept calls select.trace
}

# At most ten statements, with declarations that have a value.
short_main()
{
	sed '1,/^main(/d' "$srcdir/doc/examples/$1.c" |
	    awk '/;$/ { count++ } END { print count; exit count > 10 }'
}

# shows PAGE PROGRAM: the page has it as it is, whatever its indentation
shows()
{
	unindented()
	{
		sed -e 's/\\e/\\/g' -e 's/^[[:blank:]]*//' "$1"
	}
	program=$(sed '1,2d' "$srcdir/doc/examples/$2.c" | unindented -)
	case $(unindented "$srcdir/$1") in
	*"$program"*) ;;
	*) return 1 ;;
	esac
}

cat >events <<'ROWS'
0.001000 s: thread 1: enter com.example.First.run
0.001250 s: thread 1: exit com.example.First.run
ROWS
cat >shifted <<'ROWS'
0.002000 s: thread 1: enter com.example.First.run
0.002500 s: thread 1: exit com.example.First.run
ROWS
echo 55 >fibonacci
for call in + + + - + - - + + - + - - -; do
	echo $call
done | sed -e 's/+/enter/' -e 's/-/exit/' -e 's/$/ native.fibonacci/' >kept

# calls FILE: each event as its action and class.name; times if asked for
calls()
{
	dmtrace dump -q -f tsv "$1" | awk -F '\t' -v times="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		printf "%s %s.%s", $at["action"], $at["class"], $at["name"]
		print times == "" ? "" : " " $at["wall_ns"] / 1000
	}'
}

# their_calls FILE: the same by dmtracedump
their_calls()
{
	dmtracedump -o "$1" | awk '
	BEGIN {
		action["ent"] = "enter"
		action["xit"] = "exit"
		action["unr"] = "unroll"
	}
	$2 in action {
		sub(/^[.]+/, "", $4)
		print action[$2], $4
	}'
}

# claim_theirs NAME CALLS: they see those of NAME.trace, too
claim_theirs()
{
	if have dmtracedump; then
		claim "dmtracedump sees the calls of $1" \
		    prints "$2" their_calls "$1.trace"
	else
		skip "dmtracedump sees the calls of $1" "it is not installed"
	fi
}

# What shift makes of write.trace, and profile, validate and export of
# record.trace.
claims_of_areas()
{
	claim "shift is C11" built shift c11 $CC
	claim "shift doubles times" ./shift
	claim "read prints the doubled times" prints shifted ./read shift.trace
	for program in profile validate export; do
		claim "$program is C11" built $program c11 $CC
		claim "$program runs" sh -c "./$program >$program.out"
	done
	claim "profile counts calls" \
	    grep -q '^177 calls, .*: fibonacci$' profile.out
	claim "validate finds no error" \
	    has '0 errors in 354 events' validate.out
	claim "export writes a trace of Perfetto" has fibonacci export.pftrace
}

for program in write read record filter; do
	claim "main of $program has at most ten statements" short_main $program
	for page in README doc/libdmtrace.3; do
		claim "$page shows $program" shows $page $program
	done
done
for shown in write.write read.read read.select record.record ops.filter \
    ops.shift profile.profile verify.validate export.export; do
	claim "dmtrace_${shown%.*}(3) shows ${shown#*.}" \
	    shows "doc/dmtrace_${shown%.*}.3" "${shown#*.}"
done
first_programs c11 $CC
first_programs c17 $CC
if [ -n "$cxx" ]; then
	first_programs c++20 "$cxx" -x c++
else
	skip "the first programs are C++20" "no C++ compiler here"
fi

claims_of_areas
# The time of the first event.
first_time()
{
	./read "$1" | sed 's/ s: .*//;q'
}
echo 67.305985 >cpu_time
claim "CPU time is read where there is no wall time" \
    prints cpu_time first_time "$srcdir/tests/data/good-v1-cpu.trace"

toy()
{
	echo "enter Toy.main"
	for n in 5 4 3 2 1 0; do
		echo "enter Toy.factorial"
	done
	for n in 0 1 2 3 4 5; do
		echo "exit Toy.factorial"
	done
	echo "exit Toy.main"
}
toy >toy_calls
echo 120 >result

claim "interpreter computes" \
    prints result "$builddir/doc/examples/interpreter"
claim "interpreter records its functions" \
    prints toy_calls calls interpreter.trace
claim_theirs interpreter toy_calls

cat >rom_calls <<'CALLS'
enter rom.reset 0
enter rom.draw 6
enter rom.wait 112
exit rom.wait 368
exit rom.draw 374
enter rom.wait 380
exit rom.wait 636
exit rom.reset 646
CALLS

claim "emulator runs" "$builddir/doc/examples/emulator"
claim "emulator records by its own clock" \
    prints rom_calls calls emulator.trace times
cut -d ' ' -f 1,2 rom_calls >rom_order
claim_theirs emulator rom_order
claim "emulator names its machine" \
    has "vm=emulator" emulator.trace

# stacks_of FILE: each event's action and name, each once
stacks_of()
{
	calls "$1" | sort -u
}

cat >work_calls <<'CALLS'
enter Work.all
enter Work.less
enter Work.more
exit Work.all
exit Work.less
exit Work.more
CALLS

claim "sampler runs" "$builddir/doc/examples/sampler"
claim "sampler records the functions that work" \
    prints work_calls stacks_of sampler.trace
calls sampler.trace >samples
claim_theirs sampler samples
finish
