#!/bin/sh
# cli_nth_fails.sh - commands whose n-th read, write, open ... fails, for each n
#
# A command then exits 2, says why, and leaves an old output as it was and no
# temporary; or it has done without that call what it does else. Of several
# outputs, each is as it was, complete, or gone; a report on an operand that
# cannot be read is complete. Allocations are in cli_memory.sh. The log has how
# many calls failed.

. "$srcdir/tests/helpers/nth_fails.sh"

# kept: what is there fits the status
kept()
{
	for file in .dmtrace*; do
		[ ! -e "$file" ] || { echo "$file is left"; return 1; }
	done
	case $status in
	2) [ -s got.err ] || { echo "no message"; return 1; }
	    for file in new*; do
		[ ! -e "$file" ] || [ "$(cat "$file")" = old ] ||
		    { [ "$outputs" -gt 1 ] && cmp "$file" "wanted/$file"; } ||
		    grep -q '</html>' "$file" ||
		    { echo "$file changed"; return 1; }
	    done ;;
	"$wanted_status") cmp wanted.out got.out && for file in wanted/new*; do
		[ ! -e "$file" ] || cmp "$file" "${file#wanted/}" || return 1
	    done ;;
	*) echo "status $status"; return 1 ;;
	esac
}

# fails KIND COMMAND...: each call of the kind in turn; adds to $counts
fails()
{
	kind=$1
	shift
	number=0
	while :; do
		number=$((number + 1))
		rm -f new* note
		for file in wanted/new*; do
			[ ! -e "$file" ] || echo old >"${file#wanted/}"
		done
		status=0
		(ulimit -t 20; FAIL_CALL=$kind FAIL_NUMBER=$number \
		    FAIL_NOTE=note LD_PRELOAD=./nth_fails.so exec "$@" \
		    >got.out 2>got.err) || status=$?
		[ -e note ] || break
		kept || {
			echo "$kind $number of: $*"
			echo "status $status: $(cat got.err)"
			return 1
		}
	done
	counts="$counts, $((number - 1)) $kind"
}

# survives COMMAND...: it writes to standard output and to files new*
survives()
{
	rm -rf new* wanted
	wanted_status=0
	"$@" >wanted.out 2>wanted.err || wanted_status=$?
	mkdir wanted
	for file in new*; do
		[ ! -e "$file" ] || mv "$file" wanted
	done
	outputs=$(ls wanted | wc -l)
	counts=
	for kind in read write open rename fork pipe; do
		fails "$kind" "$@" || return 1
	done
}

good=$srcdir/tests/data/good-v3-dual.trace
bad=$srcdir/tests/data/bad-exit-other.trace
half=$srcdir/tests/data/good-pair-v3
dmtrace generate -q --seed 3 --events 4000 --threads 3 -o in.trace
dmtrace split -q --by events=2000 -o piece in.trace
dmtrace convert -q -d v5 -o packets.trace in.trace
dmtrace dump -q --text -o text.dmt "$good"
dmtrace export -q -f chrome -o calls.json "$good"
printf '0123456789abcdef' >hash-key
gzip -c in.trace >packed.trace.gz
printf 'exists *\n' >rules
while read -r command; do
	claim "it survives failing calls: dmtrace $command" \
	    survives dmtrace $command
	echo "# ${counts#, } failed: $command"
done <<ROWS
join --force -o new.trace $half.key $half.data
split --force -o new.key in.trace
split --force --by events=1500 -o new% in.trace
split --force --by thread -o new% in.trace
merge -o new.trace in.trace $good
merge --rejoin -o new.trace piece-0001.trace piece-0002.trace
filter -o new.trace in.trace
filter -t 1 --min-time 1us -o new.trace in.trace
filter -t 1 -d v5 -o new.trace in.trace
filter -t 1 -o new.trace packed.trace.gz
convert -d v1 -o new.trace in.trace
convert -d f3 -o new.trace in.trace
convert -d v5 -o new.trace in.trace
convert -d v3 -o new.trace packets.trace
sort -o new.trace in.trace
shift --by 1s -o new.trace in.trace
repair -o new.trace $bad
repair --dry-run $bad
rename --anonymize=hash-key --table=new.names -o new.trace in.trace
undump -o new.trace text.dmt
dump --text -o new.dmt in.trace
dump -o new.txt in.trace
import -o new.trace calls.json
generate --events 4000 -o new.trace
corrupt --seed 1 -o new.trace in.trace
export -f parquet -o new.parquet in.trace
export -f sqlite -o new.sql in.trace
export -f chrome -o new.json in.trace
export -f perfetto -o new.perfetto in.trace
export -f pprof -o new.pb.gz in.trace
graph -o new.dot in.trace
graph -o new.svg $good
flame -o new.svg in.trace
view -o new.html in.trace
report -f html -o new.html in.trace
validate --fix -o new.trace $bad
info in.trace
checksum in.trace
diff in.trace $good
expect -f text rules in.trace
ROWS
finish
