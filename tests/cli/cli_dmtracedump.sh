#!/bin/sh
# cli_dmtracedump.sh - dump and dmtracedump -o list the same events

. "$srcdir/tests/helpers/claim.sh"

# Both forms become lines of: thread, action, microseconds modulo 2^32 of the
# first time, class.name signature ("?" if it is not listed).

ours()
{
	dmtrace dump -q -f tsv "$1" 2>/dev/null | LC_ALL=C awk -F '\t' '
	BEGIN {
		word["enter"] = "ent"
		word["exit"] = "xit"
		word["unroll"] = "unr"
		word["reserved"] = "???"
		plain["\\"] = "\\"
		plain["t"] = "\t"
		plain["n"] = "\n"
		plain["r"] = "\r"
	}
	function digit(text, at)
	{
		return index("0123456789abcdef", substr(text, at, 1)) - 1
	}
	function unescape(text,    out, at, next_byte, code)
	{
		while ((at = index(text, "\\")) > 0) {
			out = out substr(text, 1, at - 1)
			next_byte = substr(text, at + 1, 1)
			if (next_byte == "x") {
				code = digit(text, at + 2) * 16
				code += digit(text, at + 3)
				out = out sprintf("%c", code)
				text = substr(text, at + 4)
			} else {
				out = out plain[next_byte]
				text = substr(text, at + 2)
			}
		}
		return out text
	}
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		ns = $at["cpu_ns"] != "" ? $at["cpu_ns"] : $at["wall_ns"]
		name = $at["class"]
		if (name != "" && $at["name"] != "")
			name = name "."
		name = name $at["name"]
		if ($at["signature"] != "")
			name = name " " $at["signature"]
		printf "%d %s %.0f %s\n", $at["thread"],
		    word[$at["action"]], ns / 1000 % 4294967296,
		    name == "" ? "?" : unescape(name)
	}'
}

# The indentation is dots, and the file of a 5-column line is glued on.
theirs()
{
	dmtracedump -o "$1" 2>/dev/null | LC_ALL=C awk '
	/^Trace \(threadID action usecs/ { listed = 1; next }
	listed {
		name = $0
		sub(/^ *[0-9]+ [^ ]+ +[0-9]+ \.*/, "", name)
		sub(/[\t\r].*/, "", name)
		if (name ~ /^\?\?\?/)
			name = "?"
		print $1, $2, $3, name
	}'
}

same()
{
	ours "$1" >ours
	theirs "$1" >theirs
	cmp ours theirs || { diff ours theirs | head -n 20; return 1; }
}

last=60
large=100000
if [ "$DMTRACE_MORE" = yes ]; then
	last=200
	large=1000000
fi

# generated NUMBER OPTION...: and that there is something to compare
generated()
{
	rm -f made.trace
	number=$1
	shift
	dmtrace generate -q --seed "$number" \
	    --events $((500 + number * 12)) \
	    --threads $((1 + number % 9)) \
	    --methods $((1 + number * 7 % 300)) \
	    --max-depth $((1 + number * 3 % 50)) "$@" -o made.trace &&
	    same made.trace && [ -s ours ]
}

large_joined()
{
	dmtrace generate -q --events $large -o large.key &&
	    dmtrace join -q large && same large.trace &&
	    [ "$(wc -l <ours)" -eq $large ]
	result=$?
	rm -f large.* ours theirs
	return "$result"
}

if ! have dmtracedump; then
	skip "dmtracedump lists the same events" "no dmtracedump here"
	finish
fi
awk -F '\t' '
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["dmtracedump"] == "same" { print $1 }' \
    "$srcdir/tests/data/expect.tsv" >samples
while read -r sample; do
	claim "$sample is the same to dmtracedump" \
	    same "$srcdir/tests/data/$sample"
done <samples
number=0
while [ "$number" -lt "$last" ]; do
	for kind in '1 thread-cpu' '1 wall' '1 global' '2 thread-cpu' \
	    '2 wall' '2 global' '3 thread-cpu' '3 wall' '3 dual' '3 dual'; do
		number=$((number + 1))
		claim "trace $number, $kind, is the same to dmtracedump" \
		    generated "$number" --dialect="v${kind% *}" \
		    --clock "${kind#* }"
	done
done
claim "$large records, joined, are the same to dmtracedump" large_joined
finish
