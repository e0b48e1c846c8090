#!/bin/sh
# cli_memory.sh - commands whose n-th allocation fails, for each n
#
# A command then exits 2 and leaves an old output as it was, or has done
# without that memory what it does else.

. "$srcdir/tests/helpers/nth_fails.sh"

# failing NUMBER COMMAND...: with the allocation of that number failing
failing()
{
	number=$1
	shift
	FAIL_CALL=memory FAIL_NUMBER=$number FAIL_NOTE=note \
	    LD_PRELOAD=./nth_fails.so "$@"
}

# survives COMMAND...: it writes to standard output and to files new*
survives()
{
	rm -rf new* wanted note
	wanted_status=0
	"$@" >wanted.out 2>wanted.err || wanted_status=$?
	mkdir wanted
	for file in new*; do
		[ ! -e "$file" ] || mv "$file" wanted
	done
	number=0
	while :; do
		number=$((number + 1))
		echo old >new.trace
		: >note
		status=0
		failing "$number" "$@" >got.out 2>got.err || status=$?
		[ -s note ] || break
		kept || { echo "allocation $number, status $status:"
		    cat got.err; return 1; }
	done
	[ "$number" -gt 1 ]
}

# What is there fits the status.
kept()
{
	case $status in
	2) read -r line <new.trace && [ "$line" = old ] && [ -s got.err ] ;;
	"$wanted_status") cmp wanted.out got.out &&
	    { [ ! -e wanted/new.trace ] || cmp wanted/new.trace new.trace; } ;;
	*) false ;;
	esac
}

good=$srcdir/tests/data/good-v3-dual.trace
bad=$srcdir/tests/data/bad-exit-other.trace
claim "info survives failing allocations" survives dmtrace info "$good"
claim "info of two traces survives failing allocations" \
    survives dmtrace info -f json "$good" "$bad"
claim "repair survives failing allocations" \
    survives dmtrace repair -o new.trace "$bad"
claim "repair -f json survives failing allocations" \
    survives dmtrace repair -f json -o new.trace "$bad"
claim "repair of a valid trace survives failing allocations" \
    survives dmtrace repair -o new.trace "$good"
claim "repair --dry-run survives failing allocations" \
    survives dmtrace repair --dry-run "$bad"
claim "validate survives failing allocations" survives dmtrace validate "$bad"
claim "validate --fix survives failing allocations" \
    survives dmtrace validate --for all --fix \
    -o new.trace "$bad"
claim "dump survives failing allocations" survives dmtrace dump "$good"
claim "dump --calls survives failing allocations" \
    survives dmtrace dump --calls -t 1 "$good"
claim "report survives failing allocations" survives dmtrace report "$good"
claim "report --bottom-up survives failing allocations" \
    survives dmtrace report --bottom-up "$good"
claim "graph survives failing allocations" survives dmtrace graph "$good"
claim "export survives failing allocations" \
    survives dmtrace export -f firefox "$good"
claim "export of a profile survives failing allocations" \
    survives dmtrace export -f pprof -o new.gz "$good"
claim "diff survives failing allocations" survives dmtrace diff "$good" "$bad"
claim "checksum survives failing allocations" survives dmtrace checksum "$good"
claim "filter survives failing allocations" \
    survives dmtrace filter -t 1 -o new.trace "$good"
claim "sort survives failing allocations" \
    survives dmtrace sort -o new.trace "$good"
claim "shift survives failing allocations" \
    survives dmtrace shift --by 1s -o new.trace "$good"
claim "merge survives failing allocations" \
    survives dmtrace merge -o new.trace "$good" "$good"
dmtrace sort -q -o packets.trace "$srcdir/tests/data/good-packets-ticks.trace"
claim "merge of threads in format V2 survives failing allocations" \
    survives dmtrace merge \
    --threads=union -o new.trace packets.trace packets.trace
claim "tail survives failing allocations" survives dmtrace tail --timeout=5s \
    "$srcdir/tests/data/good-packets-f5.trace"
claim "generate survives failing allocations" \
    survives dmtrace generate --events 10 -o new.trace
claim "join survives failing allocations" survives dmtrace join -o new.trace \
    "$srcdir/tests/data/good-pair-v3.key" "$srcdir/tests/data/good-pair-v3.data"
for format in chrome perfetto jsonl collapsed; do
	dmtrace export -q -f $format -o calls "$good"
	claim "import from $format survives failing allocations" \
	    survives dmtrace import --from-format=$format -o new.trace calls
done
dmtrace dump -q -f tsv "$good" >events.tsv
claim "import of events survives failing allocations" \
    survives dmtrace import -o new.trace events.tsv
claim "import of lines survives failing allocations" survives dmtrace import \
    --lines='^([0-9]+).([a-z]+).([0-9.]+).*.([a-z]+).[^.]*$' \
    --fields=thread,action,time,method -o new.trace events.tsv
printf 'com.Main -> app.Main:\n    1:9:void com.Far.run():5 -> main\n' >map
claim "rename by a mapping survives failing allocations" \
    survives dmtrace rename --mapping=map -o new.trace "$good"
printf '0123456789abcdef' >hash-key
claim "rename by a hash survives failing allocations" survives dmtrace rename \
    --anonymize=hash-key --table=new.names -o new.trace "$good"
dmtrace rename -q --anonymize=hash-key --table=names -o hidden.trace "$good"
claim "rename by a table survives failing allocations" \
    survives dmtrace rename --table=names -o new.trace hidden.trace
claim "report -f html survives failing allocations" \
    survives dmtrace report -f html "$good"
claim "diff --trees survives failing allocations" \
    survives dmtrace diff --trees "$good" "$bad"
finish
