#!/bin/sh
# check_columns.sh - one dictionary of columns for all commands
#
# dmtrace.1 says what a column's name means in all commands; a name that is not
# there is in the page of its command. All forms of a table have the same
# names, and -f json is one document, whatever could be read.

. "$srcdir/tests/helpers/claim.sh"

# Traces with a call that has no exit, with a finding, and a pair of threads
# with one name; a file that cannot be read, and one of which a half can.
dmtrace generate -q --events=400 --threads=3 --methods=9 -o a.trace
dmtrace generate -q --events=300 --threads=3 --methods=9 --seed=2 -o b.trace
dmtrace corrupt -q --kind=no-exit -o hurt.trace a.trace
printf '1 4 0\n1 5 9\n' | write_trace old.trace 2 wall 1322079161000000
echo 'this is not a trace' >text
dmtrace generate -q --events=20000 -o long.trace
gzip <long.trace >long.gz
head -c 20000 long.gz >half.gz
echo 1 answer >tags
head -c 16 a.trace >key
dmtrace corrupt -q --kind=truncated -o torn.trace a.trace
printf '%s\n' 'calls(*) < 3' 'never nothing.of.this' >spec
printf '\017\0\034\0\1\0\0\0\2\0\0\0\1\0\0\0\1\0\0\0\2\0\0\0\1\0\0\0' >log
printf '\004tag\0a message\0' >>log

# The methods and threads of the traces.
for trace in a b old long; do
	dmtrace dump -q -f tsv $trace.trace | cut -f 8 >>methods
	dmtrace info -q -f json $trace.trace |
	    grep -o '"thread_name":"[^"]*"' | cut -d '"' -f 4 >>threads
done

# The names of the dictionary: ".It Li thread , thread_name".
sed -n '/^\.Ss Columns/,/^\.Ss Output/s/^\.It Li //p' "$srcdir/doc/dmtrace.1" |
    tr -d ' ' | tr ',' '\n' >dictionary

# Every command that prints a table, with options that change its columns.
cat >tables <<'TABLES'
info a.trace hurt.trace text
dump a.trace
dump --calls a.trace
dump --calls --from=1ms --to=2ms a.trace
dump --eventlog=log --tags=tags old.trace
validate hurt.trace text
validate --rules
validate --for=perfetto torn.trace
validate --fix -o fixed.trace torn.trace
diff a.trace b.trace
diff --trees a.trace b.trace
diff --base a.trace a.trace a.trace --new b.trace b.trace b.trace
checksum a.trace text
checksum --compare a.trace b.trace
expect spec a.trace text
corrupt -o bad.trace a.trace
corrupt --list
convert -d v1 -o first.trace a.trace
repair --dry-run hurt.trace
repair -o whole.trace hurt.trace
rename --anonymize=key --table=names.tsv -o hidden.trace a.trace
report a.trace text
report --durations --callers --callees a.trace
report --tree --bottom-up --per-thread a.trace
report --by=thread a.trace
report --by=class a.trace
report --by=package a.trace
report --by=name a.trace
report --slowest a.trace text
report --merge-runs a.trace b.trace text
export --list
eventlog log
TABLES

# values_fit: the cells of the table of TABs in the file "tsv"
values_fit()
{
	awk -F '\t' '
	BEGIN {
		numbers = "^(thread|trace|calls|recursive_calls|events|" \
		    "count|line|byte)$"
	}
	FILENAME != "tsv" { known[FILENAME, $0] = 1; next }
	FNR == 1 {
		for (i = 1; i <= NF; i++)
			name[i] = $i
		next
	}
	function wrong(i) {
		print "line " FNR ": " name[i] ": \"" $i "\""
		bad = 1
	}
	{
		for (i = 1; i <= NF; i++) {
			if ($i == "")
				continue
			if (name[i] == "id") {
				if ($i !~ /^0x[0-9a-f]+$/)
					wrong(i)
			} else if (name[i] == "depth") {
				if ($i !~ /^[0-9]+$/ ||
				    ($i == 0 && !/\(toplevel\)/))
					wrong(i)
			} else if (name[i] ~ /_ns$/) {
				if ($i !~ /^-?[0-9]+$/)
					wrong(i)
			} else if (name[i] ~ numbers) {
				if ($i !~ /^[0-9]+$/)
					wrong(i)
			} else if (name[i] == "action") {
				if ($i !~ /^(enter|exit|unroll|reserved|log)$/)
					wrong(i)
			} else if (name[i] == "severity") {
				if ($i !~ /^(note|warning|error)$/)
					wrong(i)
			} else if (name[i] == "name") {
				if ($i != "(toplevel)" &&
				    !(("methods", $i) in known))
					wrong(i)
			} else if (name[i] == "thread_name") {
				if (!(("threads", $i) in known))
					wrong(i)
			} else if (name[i] == "file") {
				if (!(("operands", $i) in known))
					wrong(i)
			}
		}
	}
	END { exit bad }' methods threads operands tsv
}

# in_dictionary COMMAND: the names of the file "names" are in it, or in the page
in_dictionary()
{
	for name in $(grep -vxF -f dictionary names); do
		grep -qw -e "$name" "$srcdir/doc/dmtrace-$1.1" ||
		    { echo "$name"; return 1; }
	done
}

# one_table COMMAND...: all forms have the same names, with fitting values
one_table()
{
	printf '%s\n' "$@" >operands
	for form in tsv csv json jsonl; do
		dmtrace "$@" -q -f $form >$form 2>error ||
		    [ $? -le 2 ] || return 1
	done
	[ "$(wc -l <tsv)" -gt 1 ] || { cat tsv error; return 1; }
	head -n 1 tsv | tr '\t' '\n' >names
	[ -z "$(sort names | uniq -d)" ] || { sort names | uniq -d; return 1; }
	in_dictionary "$1" && values_fit || return 1
	sed "s/\$/ $1/" names >>used
	head -n 1 csv | tr -d '\r' | tr ',' '\n' | cmp names - || return 1
	sed -e '1d;$d' -e 's/,$//' json | cmp - jsonl || return 1
	have jq || return 0
	# one call, as jq takes long to begin: the names of the first row, and
	# those of objects in cells, too
	jq -r '(.[0] | keys_unsorted | join(" ")),
	    ([.. | objects | keys_unsorted[]] | unique[])' json >found &&
	    sed 1q found | tr ' ' '\n' | cmp names - || return 1
	sed 1d found >names
	sed "s/\$/ $1/" names >>used
	in_dictionary "$1"
}
while read -r line; do
	claim "one dictionary: $line" one_table $line
done <tables

# What two commands have means the same in both: it is in the dictionary.
shared_are_common()
{
	sort -u used | cut -d ' ' -f 1 | uniq -d |
	    grep -vxF -f dictionary >shared
	[ ! -s shared ] || { grep -F -f shared used | sort -u; return 1; }
}
claim "a name of two commands is in the dictionary" shared_are_common

# same_lines COMMAND...: JSON lines of a command without -f json
same_lines()
{
	dmtrace "$@" -f jsonl >lines && [ -s lines ] || return 1
	jq -r 'keys_unsorted[]' lines | sort -u >names
	in_dictionary "$1" && jq -r '[.thread, .thread_name, .action, .id,
	    .class, .name, .signature, .cpu_ns, .wall_ns, .depth] | @tsv' \
	    lines >rows
	dmtrace dump -q -f jsonl v5.trace | jq -r '[.thread, .thread_name,
	    .action, .id, .class, .name, .signature, .cpu_ns, .wall_ns,
	    .depth] | @tsv' | cmp rows -
}
dmtrace generate -q -d v5 --events=400 --threads=3 --methods=9 -o v5.trace
if have jq; then
	claim "one dictionary: tail" same_lines tail v5.trace
	claim "one dictionary: export" same_lines export -q v5.trace
fi

# One array, also if the operand cannot be read: the documents of all commands
# are judged by one call of jq.
documents=0
: >documents.label
document()
{
	documents=$((documents + 1))
	status=0
	dmtrace "$@" -f json >"$documents.json" 2>error || status=$?
	echo "$status $*" >>documents.label
}

# one_document NUMBER STATUS: it is one, and that of a failure
one_document()
{
	[ "$2" -eq 2 ] &&
	    [ "$(grep -x "$1.json .*" types)" = "$1.json array" ] ||
	    { echo "exit status $2"; cat "$1.json"; return 1; }
}
cat >readers <<'READERS'
info
dump
dump --calls
validate
validate --fix -o new.trace
diff a.trace
diff --trees a.trace
checksum
expect spec
convert -o new.trace
rename --anonymize -o new.trace
report
report --tree
report --slowest
report --merge-runs
READERS
for file in text missing half.gz; do
	while read -r line; do
		document $line $file
	done <readers
done
for file in text missing; do
	document repair --dry-run $file
done
document corrupt -o new.trace missing
document eventlog missing
! have jq || jq -r '"\(input_filename) \(type)"' *.json >types
number=0
while read -r status words; do
	number=$((number + 1))
	if have jq; then
		claim "one document: $words" one_document $number $status
	else
		skip "one document: $words" "no jq here"
	fi
done <documents.label
finish
