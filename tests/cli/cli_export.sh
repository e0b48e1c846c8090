#!/bin/sh
# cli_export.sh - traces as other programs have them, byte for byte

. "$srcdir/tests/helpers/claim.sh"

write_odd_trace odd.trace
version=$(dmtrace --version | cut -d ' ' -f 1,2)

# exports FORMAT [OPTION...]: odd.trace is what the file "wanted" has
exports()
{
	prints wanted dmtrace export -q -f "$@" odd.trace
}

claim "-f is required" says "no format: name one" dmtrace export odd.trace
claim "an unknown format is refused" \
    says 'no format "chrom" (did you mean chrome?)' \
    dmtrace export -f chrom odd.trace
claim "a trace is required" says "no file is named" dmtrace export -f chrome
claim "--list refuses operands" says "--list takes no file" \
    dmtrace export --list odd.trace
for format in chrome perfetto firefox speedscope collapsed callgrind pprof \
    jsonl parquet sqlite html; do
	claim "--list lists $format" sh -c \
	    "dmtrace export --list | grep '^$format  *[A-Za-z]'"
	claim "the page describes $format" grep -q "^\.It Cm $format\$" \
	    "$srcdir/doc/dmtrace-export.1"
	claim "--list says how to open $format" grep -q "export -f $format" \
	    "$srcdir/doc/viewers/README.md"
done
claim "--list prints nothing on standard error" silent dmtrace export --list
claim "--clock is refused for formats that have all values" \
    says "no --clock" dmtrace export -f chrome --clock cpu odd.trace
claim "--weight=calls is refused for formats of times" \
    says "has no --weight=calls" \
    dmtrace export -f speedscope --weight calls odd.trace
claim "--per-thread is refused for formats that have threads" \
    says "no --per-thread" dmtrace export -f chrome --per-thread odd.trace
claim "--rows is refused for formats without tables" \
    says "the format has no --rows" \
    dmtrace export -f sqlite --rows events odd.trace
claim "--label is refused for formats without labels" \
    says "the format has no --label" \
    dmtrace export -f chrome --label a=b odd.trace
for label in a =b 1a=b a-b=c; do
	claim "--label=$label is refused" \
	    says '"_" that does not begin with a digit' \
	    dmtrace export -f jsonl --label "$label" odd.trace
done
claim "two labels of one name are refused" says 'two have the name "a"' \
    dmtrace export -f jsonl --label A=1 --label a=2 odd.trace
claim "a label with the name of a column is refused" \
    says 'a label cannot be named "call"' \
    dmtrace export -f parquet --label Call=1 -o call.parquet odd.trace

# Starts that no calendar has: 2^64 - 1 us since 1970, and a known one.
dmtrace generate -q -d v1 --events 10 -o now.trace
at=$(LC_ALL=C grep -abo SLOW now.trace | head -n 1 | cut -d : -f 1)
cp now.trace never.trace
printf '\377\377\377\377\377\377\377\377' | dd of=never.trace bs=1 \
    seek=$((at + 8)) conv=notrunc 2>said
claim "the start of a trace is in the metadata" sh -c '
    dmtrace export -q -f parquet -o - now.trace | grep -aq dmtrace.start_us'
claim "a start after 2262 is not known" sh -c '
    ! dmtrace export -q -f parquet -o - never.trace |
    grep -aq dmtrace.start_us'
# The times of two threads, of which the second begins at 20 us, as wall times
# and as times that begin anew in each thread; bytes 2 to 6 of the start.
printf '%s\n' '1 4 0' '2 4 20' '1 5 30' '2 5 50' >events
printf '\240\301\212l\262' >second
for clock in wall global; do
	write_trace $clock.trace 2 $clock 1322079161000000 <events
	for rows in calls events threads; do
		dmtrace export -q -f parquet --rows=$rows \
		    -o $clock.$rows.parquet $clock.trace
	done
done
for rows in calls events threads; do
	claim "--rows=$rows: times since 1970 are those of a shared clock" \
	    sh -c "
	    LC_ALL=C grep -aqFf second wall.$rows.parquet &&
	    ! LC_ALL=C grep -aqFf second global.$rows.parquet"
done
# A call that is open at the end of the window, after the last event of its
# thread; 1000003000 ns are known before.
printf '%s\n' '1 4 0 10' '1 8 5 20' '1 9 1000003 30' '2 4 1 40' '2 5 50 400' |
    write_trace open.trace 3 dual
printf '\270\325\232\073' >known
claim "--rows=threads: CPU time is that of the thread" sh -c '
    dmtrace export -q -f parquet --rows=threads -o whole.parquet open.trace &&
    LC_ALL=C grep -aqFf known whole.parquet'
claim "--rows=threads: CPU time is missing if a window leaves it unknown" \
    sh -c '
    dmtrace export -q -f parquet --rows=threads --to=100us -o open.parquet \
	open.trace && ! LC_ALL=C grep -aqFf known open.parquet'
printf '%s\n' '1 4 0' '1 5 10' | write_trace wall.trace 2 wall
claim "--clock that the trace lacks is refused" \
    says "there is no CPU time in the trace" \
    dmtrace export -f collapsed --clock cpu wall.trace
claim "an output that is an input is refused" \
    exits 2 dmtrace export -q -f chrome -o odd.trace odd.trace
claim "a full disk is reported" sh -c \
    '[ ! -c /dev/full ] || ! dmtrace export -q -f chrome odd.trace >/dev/full'
claim "it ends quietly if the reader closes the pipe" sh -c '
	dmtrace generate -q --events 100000 -o long.trace &&
	dmtrace export -q -f chrome long.trace 2>said | head -n 1 &&
	[ ! -s said ]'

dmtrace generate -q --events 1000000 -o large.trace
for format in chrome perfetto jsonl sqlite; do
	if [ "$SANITIZED" = yes ]; then
		skip "$format: memory does not grow with the events" \
		    "sanitizers take more"
	else
		claim "$format: memory does not grow with the events" sh -c "
		    ulimit -v 20000
		    exec dmtrace export -q -f $format large.trace >/dev/null"
	fi
done
rm large.trace

if [ "$SANITIZED" = yes ]; then
	skip "parquet: memory does not grow with the calls" \
	    "sanitizers take more"
else
	dmtrace generate -q --events 2000000 -o large.trace
	claim "parquet: memory does not grow with the calls" sh -c "
	    ulimit -v 120000
	    exec dmtrace export -q -f parquet large.trace >large.parquet"
	claim "parquet: a million calls take less than 12 bytes each" sh -c '
	    [ "$(wc -c <large.parquet)" -lt 12000000 ]'
	dmtrace generate -q -d v2 --events 200000 -o large.trace
	dmtrace export -q -f parquet -o large.parquet large.trace
	claim "parquet: with one clock they take less than 11" sh -c '
	    [ "$(wc -c <large.parquet)" -lt 1100000 ]'
	rm large.trace large.parquet
	dmtrace generate -q --threads 60000 --methods 60000 --events 200000 \
	    -o many.trace
	for rows in methods $(! more || echo threads); do
		claim "parquet: 60,000 $rows take less than 2 seconds" sh -c "
		    ulimit -t 2
		    exec dmtrace export -q -f parquet --rows=$rows many.trace \
			>many.parquet"
	done
	rm many.trace many.parquet
fi

cat >wanted <<EOT
{"displayTimeUnit":"ns","otherData":{"producer":"$version"},"traceEvents":[
{"name":"process_name","ph":"M","ts":0,"pid":1,"tid":0,\
"args":{"name":"odd.trace"}},
{"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":1,"args":{"name":"main"}},
{"name":"A.o","cat":"method","ph":"B","ts":100,"tts":0,"pid":1,"tid":1},
{"name":"A.n","cat":"method","ph":"B","ts":100,"tts":0,"pid":1,"tid":1},
{"name":"A.n","ph":"E","ts":100,"tts":0,"pid":1,"tid":1},
{"name":"A.m","cat":"method","ph":"B","ts":110,"tts":10,"pid":1,"tid":1},
{"name":"A.n","cat":"method","ph":"B","ts":130,"tts":20,"pid":1,"tid":1},
{"name":"A.n","ph":"E","ts":160,"tts":40,"pid":1,"tid":1},
{"name":"A.m","ph":"E","ts":160,"tts":40,"pid":1,"tid":1},
{"name":"A.o","ph":"E","ts":170,"tts":45,"pid":1,"tid":1},
{"name":"A.o","cat":"method","ph":"B","ts":180,"tts":50,"pid":1,"tid":1},
{"name":"A.o","ph":"E","ts":200,"tts":60,"pid":1,"tid":1}
]}
EOT
claim "chrome: each call begins and ends" exports chrome
sed 's/^/dmtrace export: note: /' >counts <<EOT
calls open before the trace, shown from the first event of their thread on: 2
calls without an exit, shown until the last event of their thread: 1
calls that end with the call around them: 1
exits of methods that are not open, left out: 1
EOT
for format in chrome perfetto firefox speedscope sqlite; do
	claim "$format: changed calls are counted" sh -c "
	    dmtrace export -f $format odd.trace 2>noted >/dev/null &&
	    diff counts noted"
done
for format in chrome perfetto firefox speedscope jsonl sqlite collapsed \
    callgrind pprof; do
	dmtrace export -q -f $format odd.trace >whole
	claim "$format: a pipe gives the same file" sh -c "
	    cat odd.trace | dmtrace export -q -f $format - |
	    sed 's/standard input/odd.trace/' >piped && grep -c . piped &&
	    [ \$(wc -l <piped) -eq \$(wc -l <whole) ]"
	claim "$format: an unknown thread is refused" \
	    says 'no such thread: "9"' dmtrace export -q -f $format -t 9 \
	    odd.trace
done

cat >wanted <<EOT
{"trace":1,"thread":1,"thread_name":"main","action":"exit","id":"0x8",\
"class":"A","name":"n","signature":"()V","cpu_ns":0,"wall_ns":100000,\
"depth":0}
{"trace":1,"thread":1,"thread_name":"main","action":"enter","id":"0x4",\
"class":"A","name":"m","signature":"()V","cpu_ns":10000,"wall_ns":110000,\
"depth":1}
{"trace":1,"thread":1,"thread_name":"main","action":"enter","id":"0x8",\
"class":"A","name":"n","signature":"()V","cpu_ns":20000,"wall_ns":130000,\
"depth":2}
{"trace":1,"thread":1,"thread_name":"main","action":"exit","id":"0x4",\
"class":"A","name":"m","signature":"()V","cpu_ns":40000,"wall_ns":160000,\
"depth":1}
{"trace":1,"thread":1,"thread_name":"main","action":"exit","id":"0xc",\
"class":"A","name":"o","signature":"()V","cpu_ns":45000,"wall_ns":170000,\
"depth":0}
{"trace":1,"thread":1,"thread_name":"main","action":"enter","id":"0xc",\
"class":"A","name":"o","signature":"()V","cpu_ns":50000,"wall_ns":180000,\
"depth":1}
{"trace":1,"thread":1,"thread_name":"main","action":"exit","id":"0x8",\
"class":"A","name":"n","signature":"()V","cpu_ns":60000,"wall_ns":200000,\
"depth":0}
EOT
claim "jsonl has every event unchanged" exports jsonl
sed 's/^{"trace":1,/&"build":"1\\"2","os":"",/' wanted >labelled
mv labelled wanted
claim "jsonl has labels as members" exports jsonl --label 'build=1"2' \
    --label os=
claim "jsonl has the names that dump has, or null" sh -c '
    for file in "$srcdir"/tests/data/good-columns-empty-name.trace \
	"$srcdir"/tests/data/good-columns-empty-class.trace \
	"$srcdir"/tests/data/good-method-unlisted.trace odd.trace; do
	    names="[.action, .id, .class, .name, .signature, .thread_name]"
	    dmtrace dump -q -f jsonl "$file" | jq -c "$names" >dumped
	    dmtrace export -q -f jsonl "$file" | jq -c "$names" |
	    cmp - dumped || exit 1
    done'
claim "jsonl has nothing to count" silent dmtrace export -f jsonl odd.trace

cat >wanted <<EOT
{"\$schema":"https://www.speedscope.app/file-format-schema.json",
"exporter":"$version",
"profiles":[
{"type":"evented","unit":"nanoseconds","name":"main (1) of odd.trace",\
"startValue":0,"endValue":60000,"events":[
{"type":"O","frame":2,"at":0},
{"type":"O","frame":0,"at":0},
{"type":"C","frame":0,"at":0},
{"type":"O","frame":1,"at":10000},
{"type":"O","frame":0,"at":20000},
{"type":"C","frame":0,"at":40000},
{"type":"C","frame":1,"at":40000},
{"type":"C","frame":2,"at":45000},
{"type":"O","frame":2,"at":50000},
{"type":"C","frame":2,"at":60000}]}],
"shared":{"frames":[
{"name":"A.n"},
{"name":"A.m"},
{"name":"A.o"}]}}
EOT
claim "speedscope opens and closes each frame" exports speedscope --clock cpu

cat >wanted <<EOT
(toplevel) 10000
A.o 40000
A.o;A.m 20000
A.o;A.m;A.n 30000
EOT
claim "collapsed has the wall time of each path" exports collapsed
claim "collapsed has the wall time with --clock=wall" \
    exports collapsed --clock wall
cat >wanted <<EOT
main (1);A.o 2
main (1);A.o;A.n 1
main (1);A.o;A.m 1
main (1);A.o;A.m;A.n 1
EOT
claim "collapsed has calls, below their thread with --per-thread" \
    exports collapsed --weight calls --per-thread

cat >wanted <<EOT
# callgrind format
version: 1
creator: $version
positions: line
event: Wall_ns : wall time (ns)
event: CPU_ns : CPU time (ns)
events: Wall_ns CPU_ns
summary: 100000 60000

fl=(1) ???
fn=(1) (toplevel)
0 10000 5000
cfi=(4) ???
cfn=(4) A.o()V
calls=2 0
0 90000 55000

fl=(2) ???
fn=(2) A.m()V
0 20000 10000
cfi=(3) ???
cfn=(3) A.n()V
calls=1 0
0 30000 20000

fl=(3)
fn=(3)
0 30000 20000

fl=(4)
fn=(4)
0 40000 25000
cfi=(2)
cfn=(2)
calls=1 0
0 50000 30000
cfi=(3)
cfn=(3)
calls=1 0
0 0 0
EOT
claim "callgrind has exclusive times and the times of callees" exports callgrind

printf '%s\n' '1 4 0' '1 11 5' '1 5 10' | write_trace reserved.trace 2 wall
claim "the reserved action is an error, left out and counted" sh -c '
	dmtrace export -f chrome reserved.trace >out 2>noted
	[ $? -eq 1 ] && [ "$(grep -c "\"ph\":\"[BE]\"" out)" -eq 2 ] &&
	grep -q "reserved action, left out: 1" noted'
claim "jsonl has events of the reserved action" sh -c '
	dmtrace export -q -f jsonl reserved.trace |
	grep -c "\"action\":\"reserved\"" | grep -qx 1'

# A clock that is set back by 20 us, in A.m.
printf '%s\n' '1 4 0' '1 8 50' '1 9 30' '1 5 70' | write_trace back.trace 2 wall
claim "speedscope has no time that goes back" sh -c '
	dmtrace export -f speedscope back.trace 2>noted |
	grep -o "at\":[0-9]*" |
	tr "\n" " " | grep -qx "at\":0 at\":50000 at\":50000 at\":70000 " &&
	grep -q "times that go back in their thread: 1" noted'
claim "collapsed leaves out a negative time and counts it" sh -c '
	dmtrace export -f collapsed back.trace 2>noted >out
	printf "A.m 90000\n" | cmp - out &&
	grep -q "times below 0, left out: 1" noted'
claim "callgrind writes a negative time as 0 and counts it" sh -c '
	dmtrace export -f callgrind back.trace 2>noted | grep -qx "0 0" &&
	grep -q "times below 0, left out: 2" noted'

claim "a selection exports what filter keeps" sh -c '
	dmtrace export -q -f collapsed -m A.o odd.trace >out &&
	printf "(toplevel) 10000\nA.o 90000\n" | cmp - out || cat out'
claim "calls are opened and closed at the edges of a window" sh -c '
	dmtrace export -q -f collapsed --from 140us --to 150us odd.trace &&
	dmtrace export -q -f chrome --from 120us --to 150us odd.trace |
	grep -c "\"ph\":\"B\"" | grep -qx 2'
claim "an empty selection is reported" \
    replies 1 "nothing is selected" dmtrace export -f jsonl --from 1s odd.trace
claim "an empty selection writes an empty file of the format" \
    sh -c '[ ! -s printed ]'

claim "each trace is a process" sh -c '
	dmtrace export -q -f chrome odd.trace wall.trace | tail -n 3 |
	grep -q "\"pid\":2"'
claim "totals of several traces are added" sh -c '
	dmtrace export -q -f collapsed odd.trace odd.trace >out &&
	grep -qx "A.o;A.m 40000" out'
claim "frames of several traces are in one list" sh -c '
	dmtrace export -q -f speedscope odd.trace wall.trace >out &&
	grep -q "\"frame\":3,\"at\":10000" out &&
	[ "$(grep -c "^{\"name\":" out)" -eq 4 ]'
claim "traces with different clocks are refused" sh -c '
	dmtrace generate -q --events 10 --dialect=v2 --clock cpu \
	    -o cpu.trace &&
	! dmtrace export -q -f collapsed odd.trace cpu.trace >out 2>said &&
	grep -q "different clocks" said'

# An unlisted method, a thread without a name, and names of any bytes.
{
	printf '*version\n2\nclock=wall\n*threads\n1\tma"\\in;</script>\001\n'
	printf '*methods\n0x4\ta"b;\\\t</script>\377\033[1m\t()V'
	printf "\tit's.java\t7\n*end\n"
	sed -n '/^SLOW/,$p' wall.trace | head -c 52
	printf '\002\000\100\000\000\000\001\000\000\000'
	printf '\002\000\101\000\000\000\002\000\000\000'
} >evil.trace

# Labels are copied by strides of bytes, long ones in another way.
for length in 1 31 32 33 1000 1001 1010 1020 1023 1024 1025 1040 5000; do
	printf '%s %s\n' "$(head -c $length /dev/zero | tr '\0' x)" 1000
done | dmtrace import -q -o lengths.trace -
printf '%s\n' 1 31 32 33 1000 1001 1010 1020 1023 1024 1025 1040 5000 >wanted
for format in chrome jsonl; do
	claim "$format: long names are exported" prints wanted sh -c "
	    dmtrace export -q -f $format lengths.trace |
	    sed -n 's/.*\"name\":\"\(x*\)\".*}.*/\1/p' |
	    awk '{ print length(\$0) }' | sort -nu"
	if have jq; then
		claim "$format: the text around long names is complete" sh -c "
		    dmtrace export -q -f $format lengths.trace | jq ."
	fi
done

# is_safe: no control bytes but line ends, all of it UTF-8, no end of a script
is_safe()
{
	iconv -f UTF-8 -t UTF-8 "$1" >/dev/null &&
	    ! tr -d '\n' <"$1" | LC_ALL=C grep -q '[[:cntrl:]]' &&
	    ! grep -q '</script>' "$1"
}
for format in chrome firefox speedscope jsonl; do
	dmtrace export -q -f $format evil.trace >evil
	claim "$format: names of arbitrary bytes are exported as text" \
	    is_safe evil
	if have jq; then
		claim "$format: the file is valid JSON" jq . evil
	else
		skip "$format: the file is valid JSON" "no jq here"
	fi
done
claim "collapsed escapes what would end a frame" sh -c '
	dmtrace export -q -f collapsed --per-thread evil.trace >out &&
	head -n 1 out | grep -qxF \
	"ma\"\\\\in\\x3b</script>\\x01 (1);a\"b\\x3b\\\\.</script>\\xff"\
"\\x1b[1m 10000" &&
	tail -n 1 out | grep -qxF "thread 2 (2);0x40 1000"'
claim "callgrind writes names on one line" sh -c '
	dmtrace export -q -f callgrind evil.trace >out &&
	grep -qxF "cfi=(2) it'\''s.java" out &&
	grep -qxF "cfn=(2) a\"b;\\\\.</script>\\xff\\x1b[1m()V" out &&
	grep -qx "calls=1 7" out'

if have sqlite3; then
	dmtrace export -q -f sqlite odd.trace >odd.sql
	cat >wanted <<EOT
1||1|3|1|100000|70000|20000|0|45000|15000
2|1|1|1|2|100000|0|0|0|0|0
3|1|1|2|2|110000|50000|20000|10000|30000|10000
4|3|1|1|3|130000|30000|30000|20000|20000|20000
5||1|3|1|180000|20000|20000|50000|10000|10000
EOT
	claim "sqlite reads the calls" prints wanted sqlite3 :memory: \
	    '.read odd.sql' 'SELECT * FROM calls ORDER BY id'
	dmtrace export -q -f sqlite evil.trace >evil.sql
	printf '%s\n' "1|0x4|2F6A|3C2F7363726970743EFF1B5B316D|it's.java|7" |
	    sed 's/2F6A/6122623B5C/' >wanted
	echo '2|0x40||30783430||' >>wanted
	claim "sqlite keeps the bytes of names" prints wanted sqlite3 :memory: \
	    '.read evil.sql' 'SELECT id, number, hex(class), hex(name), file,
	    line FROM methods ORDER BY id'
	claim "sqlite has NULL for a missing CPU time" \
	    sh -c "sqlite3 :memory: '.read evil.sql' 'SELECT count(*) FROM
	    calls WHERE cpu_ns IS NULL' | grep -qx 2"
else
	skip "sqlite3 reads the export" "no sqlite3 here"
fi

# The tables of a processed profile have columns of one length, and numbers
# that are in the tables they lead to.
if have jq; then
	dmtrace export -q -f firefox odd.trace evil.trace >profile.json
	claim "firefox has version 48" jq -e '
	    .meta.preprocessedProfileVersion == 48' profile.json
	claim "firefox columns are as long as their table" jq -e '
	    [.threads[] | (.samples, .stackTable, .frameTable, .funcTable,
	    .markers, .resourceTable, .nativeSymbols) | .length as $length |
	    to_entries[] | select(.value | type == "array") |
	    (.value | length) == $length] | all' profile.json
	claim "firefox indexes are within their tables" jq -e '
	    (.meta.categories | length) as $categories | [.threads[] |
	    .stackTable.length as $stacks | .frameTable.length as $frames |
	    .funcTable.length as $funcs | (.stringArray | length) as $texts |
	    (.samples.stack[] | . == null or . < $stacks),
	    (.stackTable | ([.prefix, [range(.length)]] | transpose[] |
	    .[0] == null or .[0] < .[1])),
	    (.stackTable.frame[] | . < $frames),
	    (.stackTable.category[], .frameTable.category[] | . < $categories),
	    (.frameTable.func[] | . < $funcs),
	    (.funcTable.name[] | . < $texts),
	    (.funcTable.fileName[] | . == null or . < $texts)] | all' \
	    profile.json
	cat >wanted <<EOT
[0.1,0.1,0.1,0.11,0.13,0.16,0.16,0.17,0.18,0.2]
[0,1,0,2,3,2,0,null,0,null]
[0,0,0.01,0.02,0.03,0,0.01,0.01,0.02,0]
[0,0,0,10,10,20,0,5,5,10]
[null,0,0,2]
[2,0,1,0]
EOT
	claim "firefox samples last until the next step" prints wanted \
	    jq -c '.threads[0] | .samples.time, .samples.stack,
	    .samples.weight, .samples.threadCPUDelta, .stackTable.prefix,
	    .stackTable.frame' profile.json
	claim "firefox threads have a process" prints - jq -c '
	    .threads | map([.name, .pid, .tid, .processName])' profile.json \
	    <<EOT
[["main","1",1,"odd.trace"],["ma\"\\\\\\\\in;</script>\\\\x01","2",1,\
"evil.trace"],["thread 2","2",2,"evil.trace"]]
EOT
	dmtrace generate -q --events 200 -o packages.trace
	claim "firefox categories are packages" sh -c "
	    dmtrace export -q -f firefox packages.trace | jq -r '
	    .meta.categories[].name' | sort >categories
	    { echo Other; dmtrace report -q -f tsv --by package \
	    packages.trace | awk -F '\t' '\$1 == \"method\" && \$11 > 0 {
	    gsub(\"[.]\", \"/\", \$7); print \$7 }'; } | sort >packages
	    cmp packages categories"
else
	skip "firefox tables are consistent" "no jq here"
fi

if have protoc; then
	dmtrace export -q -f perfetto odd.trace | protoc --decode_raw >packets
	claim "perfetto packets can be decoded" has 'odd.trace' packets
	claim "perfetto begins and ends each call" sh -c '
	    [ "$(grep -c "^    9: 1" packets)" -eq 5 ] &&
	    [ "$(grep -c "^    9: 2" packets)" -eq 5 ]'
	claim "perfetto interns each name once" sh -c '
	    grep "2: .A.[mno]" packets | sort | uniq -d | wc -l | grep -qx 0'
	cat >wanted <<EOT
1 {
  8: 110000
  10: 1
  13: 2
  11 {
    9: 1
    10: 2
    11: 4294967297
    17: 10
  }
  12 {
    2 {
      1: 2
      2: "A.m"
    }
  }
}
EOT
	claim "a packet of perfetto has the expected bytes" sh -c '
	    sed -n "/^  8: 110000/,/^}/p" packets >packet
	    sed 1d wanted | cmp - packet'
	dmtrace export -q -f pprof odd.trace >odd.pb.gz
	claim "pprof is gzip" gzip -t odd.pb.gz
	gzip -dc odd.pb.gz | protoc --decode_raw >fields
	claim "pprof has a sample for each path" sh -c '
	    [ "$(grep -c "^2 {" fields)" -eq 5 ]'
	dmtrace generate -q --events 30000 --methods 3000 -o large.trace
	claim "pprof has several blocks if the profile is large" sh -c '
	    dmtrace export -q -f pprof large.trace >large.pb.gz &&
	    [ "$(wc -c <large.pb.gz)" -gt 200000 ] && gzip -t large.pb.gz &&
	    gzip -dc large.pb.gz | protoc --decode_raw >/dev/null'
else
	skip "packets and messages can be decoded" "no protoc here"
fi
if have go; then
	dmtrace export -q -f pprof odd.trace >odd.pb.gz
	claim "go tool pprof shows the same totals" sh -c '
	    go tool pprof -top -sample_index=wall odd.pb.gz 2>/dev/null |
	    grep -q "30us 30.00% .* 30us 30.00%  A.n"'
	claim "go tool pprof merges files of several runs" sh -c '
	    go tool pprof -top -sample_index=calls odd.pb.gz odd.pb.gz \
	    2>/dev/null | grep -q "^ *4 .* A.n"'
	for seed in 1 2 3; do
		dmtrace generate -q --seed $seed --events 2000 --methods 9 \
		    -o run$seed.trace
		dmtrace export -q -f pprof --label run=r$seed \
		    -o run$seed.pb.gz run$seed.trace
	done
	claim "go tool pprof adds profiles up" sh -c '
	    go tool pprof -proto run?.pb.gz >all.pb.gz 2>said &&
	    go tool pprof -top -sample_index=calls all.pb.gz 2>said |
	    grep -q "of 3000 total"'
	claim "go tool pprof selects a run by its label" sh -c '
	    go tool pprof -top -sample_index=calls -tagfocus=run=r2 all.pb.gz \
	    2>said | sed 1,/flat/d | awk "{ print \$1, \$NF }" | sort >two &&
	    go tool pprof -top -sample_index=calls run2.pb.gz 2>said |
	    sed 1,/flat/d | awk "{ print \$1, \$NF }" | sort | cmp two -'
	claim "go tool pprof shows labels as tags" sh -c '
	    dmtrace export -q -f pprof --label build=12 odd.trace >tag.pb.gz &&
	    go tool pprof -tags tag.pb.gz 2>/dev/null | grep -A 2 "build:" |
	    grep -q ": 12"'
	claim "go tool pprof shows threads as tags" sh -c '
	    go tool pprof -tags odd.pb.gz 2>/dev/null | grep -q "main"'
else
	skip "go tool pprof reads the export" "no go here"
fi
if have callgrind_annotate; then
	dmtrace export -q -f callgrind odd.trace >callgrind.out
	claim "callgrind_annotate shows the same totals" sh -c '
	    callgrind_annotate --inclusive=yes callgrind.out |
	    grep -q "^ *50,000 (50.00%) 30,000 (50.00%)  ???:A.m()V"'
else
	skip "callgrind_annotate reads the export" "no callgrind_annotate here"
fi
finish
