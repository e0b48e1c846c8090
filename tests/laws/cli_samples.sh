#!/bin/sh
# cli_samples.sh - what the commands make of tests/data is what expect.tsv says

. "$srcdir/tests/helpers/claim.sh"

data=$srcdir/tests/data

# columns NAME...: these of the table on stdin, "-" for an empty cell
columns()
{
	LC_ALL=C awk -F '\t' -v names="$*" '
	NR == 1 {
		count = split(names, name, " ")
		for (i = 1; i <= NF; i++)
			place[$i] = i
		next
	}
	{
		for (i = 1; i <= count; i++) {
			cell = $place[name[i]]
			printf "%s%s", cell == "" ? "-" : cell,
			    i < count ? "\t" : "\n"
		}
	}'
}

# What info says of a file, as the columns of expect.tsv from container on.
facts='container version record_size clock events enter exit unroll reserved
    threads methods'
facts_of_json()
{
	jq -r "[(.file | split(\"/\") | last),
	    $(echo $facts | sed 's/[a-z_]*/.&/g; s/ /, /g'),
	    (.findings // [] | map(.finding) | sort | join(\",\"))] |
	    map(if . == null or . == \"\" then \"-\" else tostring end) |
	    join(\"\\t\")"
}

# equal_rows WANTED GOT: the samples that have one row in both, and the same
equal_rows()
{
	LC_ALL=C awk -F '\t' '
	NR == FNR { row[$1] = row[$1] $0; next }
	$0 == row[$1] { printf " %s", $1 }' "$1" "$2"
}

# same SAMPLE LIST WANTED GOT: it is in that list of equal_rows
same()
{
	case "$2 " in
	*" $1 "*) ;;
	*) grep "^$1	" "$3" "$4"; return 1 ;;
	esac
}

# dump_agrees SAMPLE RECORDS ENTER EXIT UNROLL RESERVED: what is in dumped does
dump_agrees()
{
	LC_ALL=C awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
	{ count[$place["action"]]++ }
	END {
		print NR - 1, count["enter"] + 0, count["exit"] + 0,
		    count["unroll"] + 0, count["reserved"] + 0
	}' <dumped >got
	shift
	read -r line <got && [ "$line" = "$*" ] || { cat got; return 1; }
}

# Every name that begins a line of README, with the halves of a pair.
reported()
{
	sed -n 's/^\([a-z]*-[a-z0-9-]*\)\.\([a-z,]*\)$/\1 \2/p' \
	    "$data/README" | while read -r base suffixes; do
		for suffix in $(echo "$suffixes" | tr , ' '); do
			echo "$base.$suffix"
		done
	done | sort
}

# Every sample of expect.tsv, with the other half of a pair.
expected()
{
	columns sample <"$data/expect.tsv" | while read -r name; do
		case $name in
		*.trace) echo "$name" ;;
		*) echo "${name%.*}.key"; echo "${name%.*}.data" ;;
		esac
	done | sort
}

same_lists()
{
	(cd "$data" && ls | grep -- -) >there
	reported | cmp there - && expected | cmp there -
}

# A finding that no sample has is one that nobody has seen; those that only
# joining makes, and those of calls and of a validation, are in their tests.
every_finding()
{
	{
		columns findings <"$data/expect.tsv" | tr , '\n'
		grep -o '"[a-z0-9-]*"' "$srcdir/tests/unit/test_join.c" |
		    tr -d '"'
		grep -oh '"[a-z0-9-]* [a-z]* [0-9]' \
		    "$srcdir/tests/unit/test_validate.c" | tr -d '"' |
		    cut -d ' ' -f 1
		grep -o '[a-z-]*@[0-9]' "$srcdir/tests/unit/test_stream.c" |
		    cut -d @ -f 1
	} | sort -u >seen
	# the others are judged by test_rules.c, test_eventlog.c, test_tags.c or
	# cli_validate.sh
	tr '\n\t' '  ' <"$srcdir/lib/format/finding.c" |
	    grep -o '\] = { "[a-z0-9-]*", *[A-Z]*, [NWE][A-Z]*,' |
	    cut -d '"' -f 2 | grep -v '^log-\|^tags-' | sort >named
	[ -s named ] && comm -23 named seen >unseen && cat unseen &&
	    [ ! -s unseen ]
}

# In TSV the facts are the same; findings are for people there.
columns sample $facts <"$data/expect.tsv" >facts
columns sample $facts findings <"$data/expect.tsv" >facts_findings
samples=$(columns sample <"$data/expect.tsv" | sed "s,^,$data/,")
dmtrace info -q -f tsv $samples 2>error | columns file $facts |
    sed 's,^[^	]*/,,' >tsv
! have jq || dmtrace info -q -f jsonl $samples 2>error | facts_of_json >json

same_facts=$(equal_rows facts tsv)
! have jq || same_findings=$(equal_rows facts_findings json)

claim "every finding has a sample" every_finding
claim "README and expect.tsv list every sample, and no others" same_lists
columns sample info dump split join events enter exit unroll reserved \
    <"$data/expect.tsv" >rows
while read -r sample info dump split join counts; do
	claim "info $sample exits $info" \
	    exits "$info" dmtrace info "$data/$sample"
	claim "dump $sample exits $dump" \
	    exits "$dump" dmtrace dump -f tsv -o dumped "$data/$sample"
	if [ "$info" -ne 2 ]; then
		claim "info $sample has the facts" \
		    same "$sample" "$same_facts" facts tsv
		if have jq; then
			claim "info $sample has the findings" \
			    same "$sample" "$same_findings" \
			    facts_findings json
		else
			skip "info $sample has the findings" "no jq here"
		fi
	fi
	[ "$dump" -eq 2 ] ||
	    claim "dump $sample has the records" \
		dump_agrees "$sample" $counts
	cp "$data/${sample%.*}".* .
	claim "split $sample exits $split" \
	    exits "$split" dmtrace split -o half.key "$sample"
	[ "$join" = - ] || claim "join ${sample%.*} exits $join" \
	    exits "$join" dmtrace join "${sample%.*}"
done <rows
finish
