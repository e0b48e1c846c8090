#!/bin/sh
# cli_traps.sh - each trap of the formats: what is read right, or not written
#
# A trap is a place where the documentation differs from the programs, or
# where programs differ from each other. 14 is in test_eventlog.c, 17 to 23
# and 29 are in test_stream.c and repairs_packets.h, 36 is in cli_convert.sh.
# 13 is about a page of the manual of Traceview, and no trace falls into it.

. "$srcdir/tests/helpers/claim.sh"

data=$srcdir/tests/data

# shows NUMBER NAME COMMAND: it prints what is on standard input
shows()
{
	cat >expected
	claim "trap $1: $2" prints expected sh -c "$3"
}

# events FILE...: thread, action, method, CPU and wall time of each
cat >events <<'SCRIPT'
for file; do
	dmtrace dump -q -f tsv "$file" | sed 1d | cut -f 1-5 | tr '\t' ' ' |
	    sed 's/  / - /; s/ $/ -/'
done
SCRIPT

# findings FILE...: their names
cat >findings <<'SCRIPT'
for file; do
	dmtrace info -q -f jsonl "$file" 2>/dev/null |
	    grep -o '"finding":"[a-z0-9-]*","severity' | cut -d '"' -f 4
done
SCRIPT

# line NAME FILE...: that of info
cat >line <<'SCRIPT'
name=$1
shift
for file; do
	dmtrace info -q "$file" | sed -n "s/^$name  *//p"
done
SCRIPT

# What the documentation says, and programs do not do
shows 1 'records of version 1 have 9 bytes, one of them for the thread' \
    "sh events $data/good-v1-thread-200.trace" <<'OUT'
200 enter 0x12345678 1000 -
255 enter 0x12345678 2000 -
44 enter 0x2bc3d4e4 3000 -
44 exit 0x2bc3d4e4 5000 -
255 exit 0x12345678 8000 -
200 exit 0x12345678 13000 -
OUT
shows 2 'the data offset counts from the start of the header' \
    "sh events $data/good-offset-40.trace | head -n 1" <<'OUT'
1 enter 0x12345678 - 67305985000
OUT
shows 3 'the start is from 1970, from boot, or seconds << 32' \
    "sh line start $data/good-v2-wall.trace $data/good-v3-dual.trace \
    $data/good-v1-global.trace | cut -d ' ' -f 1" <<'OUT'
2013-10-04T01:57:58.380500Z
69428.005981
2026-11-20T18:38:47.502892Z
OUT
dmtrace generate -q --events=200 --methods=2 -o calls.trace
shows 4 'a method has one line, however often it is called' \
    "grep -ac '^0x' calls.trace" <<'OUT'
2
OUT
write_trace unsorted.trace 2 wall <<'ROWS'
7 8 1
3 4 2
3 5 3
7 9 4
ROWS
shows 5 'no section is sorted, and the action takes two bits' \
    "dmtrace filter --keep-tables unsorted.trace | cmp - unsorted.trace &&
    sh events unsorted.trace" <<'OUT'
7 enter 0x8 - 1000
3 enter 0x4 - 2000
3 exit 0x4 - 3000
7 exit 0x8 - 4000
OUT
shows 6 'columns are separated by TABs; blanks are a mistake' \
    "dmtrace dump -q -f tsv $data/good-columns-blanks.trace |
    sed -n 3p | cut -f 7-9 | tr '\t' '|';
    sh findings $data/good-columns-blanks.trace" <<'OUT'
app/Work|step|(I)J
method-blanks
OUT
shows 7 'a method has four, five or six columns' \
    "for file in $data/good-columns-[45].trace $data/good-v1-cpu.trace; do
	dmtrace dump -q -f tsv \$file | sed -n 3p | cut -f 7-9 | tr '\t' '|'
    done" <<'OUT'
app/Work|step|(I)J
app/Work|step|(I)J
app/Work|step|(I)J
OUT
shows 8 'there are four clocks' \
    "sh line clock $data/good-v1-global.trace $data/good-v2-cpu.trace \
    $data/good-v2-wall.trace $data/good-v3-dual.trace" <<'OUT'
global: wall time, not comparable across threads
thread-cpu: CPU time of each thread, not comparable across threads
wall: wall time, shared by all threads
dual: CPU time of each thread, and wall time, shared by all threads
OUT
shows 9 'options that no documentation lists are kept' \
    "dmtrace filter -t 1 $data/good-options-odd.trace |
    sed -n '/^\*version/,/^\*threads/p' |
    sed -n '4,5p'" <<'OUT'
no equals sign
empty=
OUT
for version in v2 v3; do
	dmtrace convert -q -d $version -o $version.key \
	    "$data/good-v3-dual.trace"
done
for version in f2 f3; do
	dmtrace convert -q -d $version "$data/good-v3-dual.trace" >$version.data
done
shows 10 'the record size is written in 3, 0xF2 and 0xF3, not in 2' \
    'for version in v2 v3 f2 f3; do
	echo $version $(od -An -tx1 -j 16 -N 2 $version.data)
    done' <<'OUT'
v2 00 00
v3 0e 00
f2 0a 00
f3 0e 00
OUT
shows 11 'the first time of version 3 is CPU time' \
    "sh events $data/good-v3-dual.trace | head -n 1" <<'OUT'
1 enter 0x12345678 16909060000 67305985000
OUT
dmtrace generate -q --events=6 -o six.trace
shows 12 'num-method-calls counts records' \
    "sed -n 's/^num-method-calls=//p' six.trace" <<'OUT'
6
OUT

# Formats
shows 15 'V2: wall time is before CPU time, but not in the header of B' \
    "sh events $data/good-packets-b.trace | head -n 2
    sh events $data/good-packets-e.trace | head -n 2" <<'OUT'
1 enter 0x7001000 16909060000 67305985000
1 exit 0x7001000 50661129000 84281096000
1 enter 0x7001000 16909060000 67305985000
1 exit 0x7001000 50661129000 84281096000
OUT
shows 16 'V2: one version number has several layouts' \
    "dmtrace checksum -q -b $data/good-packets-[bef].trace \
    $data/good-packets-split.trace | cut -c 1-32 | uniq | wc -l;
    sh line version $data/good-packets-[bef].trace \
    $data/good-packets-split.trace" <<'OUT'
1
5; packets after a header of 32, stage B
5 as a stream (0xF5); packets after a header of 32, stage E
5 as a stream (0xF5); packets after a header of 32, stage F
5 as a stream (0xF5); packets after a header of 32, stage C
OUT
shows 24 'ids with the highest bit are not negative' \
    "sh events $data/good-id-high.trace | cut -d ' ' -f 3 | uniq" <<'OUT'
0x80000000
0xfffffffc
0x80000000
OUT
shows 25 'times wrap, each clock of each thread by itself' \
    "sh events $data/good-time-wrap-dual.trace" <<'OUT'
1 enter 0x12345678 4294967280000 4294967288000
1 enter 0x2bc3d4e4 4294967292000 4294967312000
1 exit 0x2bc3d4e4 4294967304000 4294967344000
1 exit 0x12345678 4294967320000 4294967408000
OUT
shows 26 'times of version 1 begin anew in each thread' \
    "sh line clock $data/good-v1-wall.trace; sh line duration \
    $data/good-v1-wall.trace" <<'OUT'
wall: wall time, not comparable across threads
17.0 s, of the thread that took longest
OUT
write_trace blocks.trace 3 dual <<'ROWS'
2 4 5 100
2 5 9 200
1 8 1 10
1 9 3 30
ROWS
shows 27 'a file is in the order of flushes, not of times' \
    "dmtrace validate -q blocks.trace; dmtrace sort blocks.trace |
    dmtrace dump -f tsv - | sed 1d | cut -f 1,5 | tr '\t' ' '" <<'OUT'
1 10000
1 30000
2 100000
2 200000
OUT
shows 28 'equal times are usual' \
    "dmtrace validate --strict $data/good-same-time.trace |
    sed 's/.*: //'" <<'OUT'
valid, 4 events
OUT
shows 30 'after an overflow the end is missing' \
    "sh line events $data/good-overflow.trace" <<'OUT'
4: 2 enter, 2 exit; the buffer was full
OUT
# Stage E with wall times in microseconds: 45,000 us, and 40,000,000 ns of CPU.
{
	printf 'SLOW\365\000\165\377\174\205\017\105\000\000'
	printf '\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
	printf '\000\000\000\000\222\020\000\000\004\000main'
	printf '\001\000\020\000\007\000\000\000\000\017\000'
	printf 'A\tm\t()V\tA.java\n\002\222\020\000\000\002\000\000'
	printf '\017\000\000\000\200\240\200\070\001\364\003'
	printf '\001\310\337\002\200\264\211\023'
	printf '\003\077\000*version\n5\nclock=dual\nelapsed-time-nsec=8\n'
	printf 'vm=art\npid=4242\n*end\n'
} >small.trace
shows 31 'wall times that are 1,000 times too small show beside CPU times' \
    "sh events small.trace; dmtrace validate -f tsv small.trace |
    grep -o cpu-ahead" <<'OUT'
4242 enter 0x7001000 500 1
4242 exit 0x7001000 40000500 45001
cpu-ahead
OUT
shows 32 'the wall clock can be set back' \
    "sh events $data/bad-time-back.trace | grep '^1';
    sh findings $data/bad-time-back.trace" <<'OUT'
1 enter 0x12345678 - 100000
1 enter 0x2bc3d4e4 - 90000
1 exit 0x2bc3d4e4 - 95000
1 exit 0x12345678 - 110000
time-back
OUT
shows 33 'names are bytes, and those of threads may have a TAB' \
    "for file in $data/good-thread-tab.trace $data/good-mutf8.trace \
    $data/good-latin1.trace; do
	dmtrace split -q -o half.key \$file &&
	    dmtrace join --exact -o - half | cmp - \$file
	rm half.key half.data
    done
    dmtrace info -q $data/good-thread-tab.trace | grep -o 'main.tand more\$'" \
    <<'OUT'
main\tand more
OUT
{
	printf '*version\n2\nclock=wall\n*threads\n*star\n1\tmain\n'
	printf '*methods\n0x4\tA\tm\t()V\n*end\n'
	printf 'SLOW\002\000\040\000\001\002\003\004\005\006\007\000'
	printf '\000\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
	printf '\001\000\004\000\000\000\001\000\000\000'
} >star.trace
shows 34 'a line that begins with * is a section' \
    "sh findings star.trace; sh events star.trace" <<'OUT'
key-section-unknown
thread-none
1 enter 0x4 - 1000
OUT
shows 35 'a file that was copied as text is damaged' \
    "sh findings $data/bad-replaced.trace | head -n 1
    for file in $data/bad-data-crlf.trace $data/bad-data-replaced.trace; do
	dmtrace validate -f tsv \$file | grep -o data-text
    done" <<'OUT'
key-damaged
data-text
data-text
OUT
shows 37 'the preview of 2015 has ids of 8 bytes' \
    "sh events $data/good-size-18-preview.trace | head -n 1" <<'OUT'
1 enter 0x7fa1b2c3d0 16909060000 67305985000
OUT
shows 38 'a dump of long-running methods has no magic' \
    "sh line version $data/good-long-running.trace" <<'OUT'
4; packets after a header of 0, stage long-running
OUT
shows 39 'a full disk cuts the key or the data' \
    "for file in $data/bad-key-cut.trace $data/bad-partial-v2-5.trace; do
	dmtrace dump \$file >/dev/null 2>&1; echo \$?
    done" <<'OUT'
2
1
OUT

# Readers: what each of them makes of a trace
cat >verdict <<'SCRIPT'
reader=$1
shift
for file; do
	dmtrace validate -q --for="$reader" "$srcdir/tests/data/$file.trace" |
	    sed "s/.*: $reader: \(.*\): \(.*\):.*/\1 \2/"
done
SCRIPT
shows 40 'dmtracedump looks at neither numbers nor empty sections' \
    'sh verdict dmtracedump good-thread-40000 good-no-threads \
    good-no-methods bad-exit-other' <<'OUT'
crashes thread-beyond
refuses thread-no-line
refuses method-no-line
dump-only exit-mismatch
OUT
shows 41 'threads and times are signed in Traceview and perflib' \
    'for reader in traceview perflib2016; do
	sh verdict $reader good-thread-40000 good-time-wrap
    done' <<'OUT'
misreads thread-high
misreads time-high
misreads thread-high
misreads time-high
OUT
shows 42 'Firefox wants listed threads, small ids and a record size' \
    'sh verdict firefox good-thread-unlisted good-id-high bad-size-0' <<'OUT'
refuses thread-unlisted
misreads method-id-high
crashes record-size-0
OUT
shows 43 'Perfetto wants wall times, whole records and no version 1' \
    'sh verdict perfetto good-v1-wall good-v2-cpu good-v2-global \
    good-offset-40 bad-reserved good-options-odd bad-partial-v2-1' <<'OUT'
misreads version-1
refuses clock-thread-cpu
refuses clock-global
refuses offset-uneven
misreads record-reserved
refuses option-malformed
refuses record-partial
OUT
finish
