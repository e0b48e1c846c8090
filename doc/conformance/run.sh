#!/bin/sh
# run.sh - runs a reader over the cases of this folder, and reports
#
# run.sh COMMAND [ARGUMENT...]: the command gets the name of a trace as its
# last argument. It exits 0 and prints the events as NAME.tsv has them, or exits
# with another status if it refuses the trace. Columns are found by their names
# in the first line; those that the command leaves out are not compared.

[ $# -gt 0 ] || { sed -n '4,7s/^# //p' "$0"; exit 2; }
here=$(dirname "$0")
got=$(mktemp) || exit 2
trap 'rm -f "$got"' EXIT; trap 'exit 2' HUP INT TERM
# same WANTED GOT: they have the same events
same()
{
	awk -F '\t' '
	FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i }
	{ lines[file]++ }
	file == 1 { for (i = 1; i <= NF; i++) want[FNR, i] = $i; next }
	FNR == 1 { for (c in at) { split(c, p, SUBSEP)
	    if (p[1] == 1 && (2, p[2]) in at) to[at[c]] = at[2, p[2]] } }
	{ for (i in to) { all++; bad += want[FNR, i] "" != $to[i] "" } }
	END { exit bad > 0 || all == 0 || lines[1] != lines[2] }' "$1" "$2"
}

sed -n 's/^{"name":"\([^"]*\)".*"verdict":"\([^"]*\)".*/\1 \2/p' \
    "$here/index.json" | { count=0; failed=0; while read -r name verdict; do
	status=0
	"$@" "$here/$name.trace" >"$got" 2>/dev/null </dev/null || status=$?
	if [ "$status" -gt 128 ] && [ "$status" -le 192 ]; then did=crashes
	elif [ "$status" -ne 0 ]; then did=refuses
	elif [ -f "$here/$name.tsv" ] && same "$here/$name.tsv" "$got"
	then did=reads; else did=misreads; fi
	case $verdict:$did in
	*read:reads|may:reads|may:refuses|*refuse:refuses) ok=ok ;;
	*) ok='not ok'; failed=$((failed + 1)) ;;
	esac
	count=$((count + 1))
	echo "$ok - $name: $verdict: $did"
done; echo "$count cases, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]; }
