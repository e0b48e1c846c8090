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

# calls FILE: each event as its action and class.name; times if they are told
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
claim "sampler sees who works" prints work_calls stacks_of sampler.trace
calls sampler.trace >samples
claim_theirs sampler samples
finish
