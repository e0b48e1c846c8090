#!/bin/sh
# check_hooks.sh - the example with hooks records itself

. "$srcdir/tests/helpers/claim.sh"

# Of each function as many calls as sorting takes, three times the same.
cat >calls <<'ROWS'
10656 compare
1545 sort
1 main
3 fill
3 work
5331 swap
771 partition
ROWS
sort calls >wanted
echo '1 to 1018' >sorted

claim "hooks prints what it has sorted" prints sorted \
    env DMTRACE_OUTPUT=hooks.trace "$builddir/doc/examples/hooks"
dmtrace dump -q -f tsv hooks.trace >events
awk -F '\t' '
$2 == "enter" { n[$8]++ }
END { for (name in n) print n[name], name }' events | sort >recorded
claim "hooks records its own calls" cmp wanted recorded
claim "the calls are of four threads" \
    test "$(sed 1d events | cut -f 1 | sort -u | wc -l)" -eq 4

# "THREAD ACTION CLASS.NAME" of each event, by us and by dmtracedump
awk -F '\t' 'NR > 1 { print $1, $2, $7 "." $8 }' events >ours
theirs()
{
	dmtracedump -o hooks.trace | awk '
	BEGIN {
		action["ent"] = "enter"
		action["xit"] = "exit"
		action["unr"] = "unroll"
	}
	$2 in action {
		sub(/^[.]+/, "", $4)
		print $1, action[$2], $4
	}'
}
if have dmtracedump; then
	claim "dmtracedump sees the same calls" prints ours theirs
else
	skip "dmtracedump sees the same calls" "it is not installed"
fi
finish
