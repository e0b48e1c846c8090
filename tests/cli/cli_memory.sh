#!/bin/sh
# cli_memory.sh - commands whose n-th allocation fails, for each n
#
# A command then exits 2 and leaves an old output as it was, or has done
# without that memory what it does else (helpers/nth_fails.sh). Most commands
# share their allocations with others, so one of three fails; in check-more each
# does. The log has how many failed.

. "$srcdir/tests/helpers/nth_fails.sh"

step=3
! more || step=1

data=$srcdir/tests/data
good=$data/good-v3-dual.trace
bad=$data/bad-exit-other.trace
half=$data/good-pair-v3
f5=$data/good-packets-f5.trace
dmtrace sort -q -o packets.trace "$data/good-packets-ticks.trace"
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
for seed in chrome ftrace uftrace simpleperf perfetto-clocks; do
	# the first byte has options
	tail -c +2 "$srcdir/tests/fuzz/seeds/import/$seed" >"in.$seed"
done
{
	# before the record of a file, one of a file with a name of 3,000 bytes
	head -c 59 in.simpleperf
	printf '\300\013\0\0\032\275\027\010\002\022\270\027'
	head -c 3000 /dev/zero | tr '\0' x
	tail -c +60 in.simpleperf
} >in.long

try memory <<ROWS
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
import -o new.trace in.chrome
import -o new.trace in.ftrace
import -o new.trace in.uftrace
import -o new.trace in.perfetto-clocks
import --lines=$lines --fields=$fields -o new.trace lines
eventlog -o new.json events.log
eventlog --encode -o new.log log.json
ROWS

step=1
try memory <<ROWS
import -o new.trace in.long
ROWS

only_more "other forms of these commands survive failing allocations"
try memory <<ROWS
checksum packets.trace
convert -d v1 -o new.trace packets.trace
convert -d v4 -o new.trace packets.trace
convert -d f5 -o new.trace packets.trace
convert -d v3 -o new.trace $data/good-stream-odd.trace
diff -f json $good $bad
diff --base=$good --new=packets.trace
dump --calls packets.trace
dump --dmtracedump $good
eventlog -f csv events.log
export -f speedscope -t /./ -o new.json $good
export -f collapsed --per-thread -o new.txt packets.trace
export -f callgrind -o new.out packets.trace
export -f jsonl --under=* -o new.jsonl $good
export -f html -o new.html $good
export -f parquet --rows=events -o new.parquet packets.trace
export -f parquet --rows=methods -o new.parquet packets.trace
export -f pprof --label=a=b -o new.gz packets.trace
filter --from 1us --to 10s --depth=1..3 -o new.trace packets.trace
filter -t 1 -o new.trace $data/good-long-running.trace
filter --under=* -o new.trace packets.trace
flame --diff=$good -o new.svg packets.trace
graph --around=* packets.trace
info packets.trace
info --threads -f json $f5
merge -o new.trace packets.trace $good
rename --mapping=map -o new.trace packets.trace
repair -o new.trace packets.trace
repair -o new.trace $data/good-packets-split.trace
report --tree packets.trace
report --by=thread packets.trace
report --slowest packets.trace
report --durations packets.trace
report --per-thread -f json packets.trace
report -f csv packets.trace
report --dmtracedump packets.trace
report --traceview packets.trace
report --callers packets.trace
split --force --by size=1k -o new% packets.trace
validate --for=all packets.trace
validate -f json $data/good-options-odd.trace
ROWS
finish
