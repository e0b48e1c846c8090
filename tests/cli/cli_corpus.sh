#!/bin/sh
# cli_corpus.sh - info and dump agree with what is known of real traces
#
# manifest.csv in DMTRACE_CORPUS has a row per trace, made by another decoder.

. "$srcdir/tests/helpers/claim.sh"

# Of the cells of the manifest that are not empty, "name value" each.
known()
{
	LC_ALL=C awk -F , -v file="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
	$1 == file {
		for (i = 1; i <= 23; i++)
			if ($i != "")
				print name[i], $i
	}' "$DMTRACE_CORPUS/manifest.csv"
}

# What info says, under the manifest's names.
info_shows()
{
	dmtrace info -q -f jsonl "$1" 2>/dev/null | jq -r '
	"version_data \(.version | if . then . % 240 else . end)",
	"version_key \(.version_key)",
	"data_offset \(.data_offset)", "vm \(.vm)",
	"record_size \(.record_size)",
	"clock \(.clock)", "overflow \(.overflow)", "threads \(.threads)",
	"threads_used \(.per_thread | length)", "methods \(.methods)",
	"records \(.events)", "enter \(.enter)", "exit \(.exit)",
	"unroll \(.unroll)"'
}

# What the lines of dump come to, under the manifest's names.
dump_shows()
{
	dmtrace dump -q -f tsv "$1" 2>/dev/null | LC_ALL=C awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
	$place["depth"] > depth { depth = $place["depth"] }
	!seen[$place["id"]]++ { methods++ }
	{ count[$place["action"]]++ }
	END {
		print "records", NR ? NR - 1 : 0
		print "enter", count["enter"] + 0
		print "exit", count["exit"] + 0
		print "unroll", count["unroll"] + 0
		print "methods_used", methods + 0
		print "max_depth", depth + 0
	}'
}

# agrees FILE SHOWS: nothing is reported that the manifest has otherwise
agrees()
{
	known "$1" >known
	"$2" "$DMTRACE_CORPUS/$1" >reported
	[ -s reported ] && awk '
	NR == FNR { value[$1] = $2; next }
	$1 in value && value[$1] != $2 {
		print $1 ": " $2 ", the manifest has " value[$1]
		bad = 1
	}
	END { exit bad }' known reported
}

if [ -z "${DMTRACE_CORPUS-}" ]; then
	skip "the corpus is what its manifest says" "DMTRACE_CORPUS is not set"
	finish
fi
sed -n 's/^\([^,]*\.trace\),.*/\1/p' "$DMTRACE_CORPUS/manifest.csv" >files
while read -r file; do
	known "$file" >known
	if have jq; then
		claim "info $file agrees with the manifest" \
		    agrees "$file" info_shows
	else
		skip "info $file agrees with the manifest" "no jq here"
	fi
	claim "dump $file agrees with the manifest" agrees "$file" dump_shows
done <files
finish
