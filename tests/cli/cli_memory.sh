#!/bin/sh
# cli_memory.sh - commands whose n-th allocation fails, for each n
#
# A command then exits 2 and leaves an old output as it was, or has done
# without that memory what it does else (helpers/nth_fails.sh). Here every third
# allocation is tried, as most are those of other commands, too; in check-more
# each. The log has how many failed.

. "$srcdir/tests/helpers/nth_fails.sh"

kinds=memory
step=3
! more || step=1

good=$srcdir/tests/data/good-v3-dual.trace
bad=$srcdir/tests/data/bad-exit-other.trace
half=$srcdir/tests/data/good-pair-v3
f5=$srcdir/tests/data/good-packets-f5.trace
dmtrace sort -q -o packets.trace "$srcdir/tests/data/good-packets-ticks.trace"
dmtrace split -q --by events=2 -o piece "$good"
dmtrace dump -q --text -o text.dmt "$good"
for format in chrome perfetto jsonl collapsed; do
	dmtrace export -q -f $format -o $format "$good"
done
dmtrace dump -q -f tsv "$good" >events.tsv
lines='(.).(.*).(..).(.)'
fields=thread,action,time,method
printf '1 enter 10 a\n1 exit 20 a\n' >lines
printf 'com.Main -> app.Main:\n    1:9:void com.Far.run():5 -> main\n' >map
printf '0123456789abcdef' >hash-key
dmtrace rename -q --anonymize=hash-key --table=names -o hidden.trace "$good"
echo '{"tag":42,"value":"hello"}' >log.json
dmtrace eventlog -q --encode -o events.log log.json
printf 'calls(*) >= 1\n' >rules

# Each row is a command.
while read -r command; do
	claim "it survives failing allocations: dmtrace $command" \
	    survives dmtrace $command
	echo "# ${counts#, } failed: $command"
done <<ROWS
info $good
info -f json $good $bad
checksum $good
validate $bad
validate --for all --fix -o new.trace $bad
expect -f text rules $good
expect -u -o new.spec rules $good
diff $good $bad
diff --trees $good $bad
dump $good
dump --calls -t 1 $good
dump --text -o new.dmt $good
tail --timeout=5s $f5
report $good
report --bottom-up $good
report -f html $good
graph $good
flame -o new.svg $good
view -o new.html $good
export -f firefox $good
export -f pprof -o new.gz $good
export -f sqlite -o new.sql $good
export -f parquet -o new.parquet $good
convert -d v5 -o new.trace $good
convert -d f3 -o new.trace $good
convert -d v3 -o new.trace packets.trace
corrupt --seed 1 -o new.trace $good
filter -t 1 -o new.trace $good
filter -t /./ -m /./ -o new.trace $good
sort -o new.trace $good
shift --by 1s -o new.trace $good
merge -o new.trace $good $good
merge --threads=union -o new.trace packets.trace packets.trace
merge --rejoin -o new.trace piece-0001.trace piece-0002.trace
split --force -o new.key $good
split --force --by thread -o new% $good
join --force -o new.trace $half.key $half.data
undump -o new.trace text.dmt
repair -o new.trace $bad
repair -f json -o new.trace $bad
repair -o new.trace $good
repair --dry-run $bad
rename --mapping=map -o new.trace $good
rename --anonymize=hash-key --table=new.names -o new.trace $good
rename --table=names -o new.trace hidden.trace
generate --events 10 -o new.trace
import --from-format=chrome -o new.trace chrome
import --from-format=perfetto -o new.trace perfetto
import --from-format=jsonl -o new.trace jsonl
import --from-format=collapsed -o new.trace collapsed
import -o new.trace events.tsv
import --lines=$lines --fields=$fields -o new.trace lines
eventlog -o new.json events.log
eventlog --encode -o new.log log.json
ROWS
finish
