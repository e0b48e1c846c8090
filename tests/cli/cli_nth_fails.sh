#!/bin/sh
# cli_nth_fails.sh - commands whose n-th read, write, open ... fails, for each n
#
# What must be then is in helpers/nth_fails.sh. Allocations are in
# cli_memory.sh. The log has how many calls failed.

. "$srcdir/tests/helpers/nth_fails.sh"

good=$srcdir/tests/data/good-v3-dual.trace
bad=$srcdir/tests/data/bad-exit-other.trace
half=$srcdir/tests/data/good-pair-v3
dmtrace generate -q --seed 3 --events 4000 --threads 3 -o in.trace
dmtrace generate -q --seed 4 --events 4000 --threads 3 -o other.trace
dmtrace split -q --by events=2000 -o piece in.trace
dmtrace convert -q -d v5 -o packets.trace in.trace
dmtrace dump -q --text -o text.dmt "$good"
dmtrace generate -q --events 0 -o empty.trace
dmtrace export -q -f chrome -o calls.json "$good"
printf '0123456789abcdef' >hash-key
gzip -c in.trace >packed.trace.gz
printf 'calls(*) >= 1\n' >rules
dmtrace convert -q -d f3 -o stream.trace "$good"
echo '{"tag":42,"value":"hello"}' >log.json
dmtrace eventlog -q --encode -o events.log log.json

try 'read write open rename close' <<ROWS
join --force -o new.trace $half.key $half.data
split --force -o new.key in.trace
split --force --by events=1500 -o new% in.trace
split --force --by thread -o new% in.trace
merge -o new.trace in.trace other.trace
merge --rejoin -o new.trace piece-0001.trace piece-0002.trace
filter -o new.trace in.trace
filter -t 1 --min-time 1us -o new.trace in.trace
filter -t 1 -d v5 -o new.trace in.trace
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
dump -f json -o new.json empty.trace
import -o new.trace calls.json
generate --events 4000 -o new.trace
corrupt --seed 1 -o new.trace in.trace
export -f parquet -o new.parquet in.trace
export -f sqlite -o new.sql in.trace
export -f chrome -o new.json in.trace
export -f perfetto -o new.perfetto in.trace
export -f pprof -o new.pb.gz in.trace
graph -o new.dot in.trace
flame -o new.svg in.trace
view -o new.html in.trace
report -f html -o new.html in.trace
validate --fix -o new.trace $bad
tail --timeout=5s stream.trace
info in.trace
checksum in.trace
diff in.trace $good
expect -f text rules in.trace
expect -u -o new.spec rules in.trace
eventlog -o new.json events.log
eventlog --encode -o new.log log.json
diff --trees -o new.txt in.trace $good
ROWS

# those that start a program
every='read write open rename fork pipe close'
try "$every" <<ROWS
filter -t 1 -o new.trace packed.trace.gz
filter -t 1 -o new.trace.gz in.trace
graph -o new.svg $good
ROWS

try 'open close sync' <<ROWS
filter --sync -o new.trace in.trace
filter --sync -o new.key in.trace
split --sync --force --by events=1500 -o new% in.trace
ROWS

# recorded: record ends as the program does, with a whole trace, or with a
# message; a file is a whole trace or the old one. The trace has the number of
# the process in its name if the claim to the name could not be written.
recorded()
{
	traces=0
	for file in new*.trace; do
		read -r line <"$file" && [ "$line" = old ] || {
			dmtrace validate -q "$file" || return 1
			traces=$((traces + 1))
		}
	done
	case $status in
	2) [ -s got.err ] || { echo "no message"; return 1; } ;;
	"$wanted_status") [ "$traces" -eq 1 ] || [ -s got.err ] ||
	    { echo "nothing is recorded"; return 1; } ;;
	*) echo "status $status"; return 1 ;;
	esac
	set -- .dmtrace* tmp/*
	[ "$*" = '.dmtrace* tmp/*' ] || { echo "left: $*"; return 1; }
}

record_survives()
{
	outputs=1
	rm -rf new* wanted
	mkdir wanted
	echo >wanted/new.trace
	wanted_status=5			# of the program
	counts=
	for kind in memory $every; do
		fails "$kind" dmtrace record -q --force \
		    -o new.trace -- ./hooked || return
	done
}

if [ ! -f "$builddir/lib/.libs/libdmtrace-instrument.so" ]; then
	skip "it survives failing calls: dmtrace record" "no hooks here"
	finish
fi
. "$srcdir/tests/helpers/hooked.sh"
$CC $hooks -DROUNDS=20 -I "$srcdir/tests/helpers/programs" -o hooked \
    "$srcdir/tests/helpers/programs/threads.c"
kept=recorded
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR
claim "it survives failing calls: dmtrace record" record_survives
echo "# ${counts#, } failed: record"
FAIL_IN=hooked
export FAIL_IN
more || step=3
claim "a program survives failing calls of its recorder" record_survives
echo "# ${counts#, } failed: a program"
finish
