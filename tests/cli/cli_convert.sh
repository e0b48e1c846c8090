#!/bin/sh
# cli_convert.sh - traces in other dialects

. "$srcdir/tests/helpers/claim.sh"

data=$srcdir/tests/data

# rows FILE: its events, without where they are
rows()
{
	dmtrace dump -q -f tsv "$1" | cut -f 1-7
}

# same_events DIALECT FILE: and back again
same_events()
{
	dmtrace convert -q -d "$1" -o there "$2" &&
	    dmtrace checksum -b "$2" | cut -c 1-32 >before &&
	    dmtrace checksum -b there | cut -c 1-32 | cmp before -
}

# losses FILE OPTION...: what convert prints of them
losses()
{
	dmtrace convert -f tsv -o there "$@" | awk -F '\t' '
	NR > 1 && $2 > 0 { print $1, $2 }' | tr '\n' ' '
}

# loses TEXT FILE OPTION...
loses()
{
	expected=$1
	shift
	[ "$(losses "$@")" = "$expected" ]
}

key()
{
	printf '*version\n%s\nclock=%s\nvm=art\n*threads\n1\tmain\n' "$1" "$2"
	printf '*methods\n0x10\tA\tm\t()V\tA.java\n*end\n'
}
zeros='\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
start='\304\221\236\054\232\000\000\000'
{
	key 3 dual
	printf "SLOW\\003\\000\\040\\000$start\\016\\000$zeros"
	printf '\001\000\020\000\000\000\001\000\000\000\002\000\000\000'
	printf '\001\000\021\000\000\000\003\000\000\000\005\000\000\000'
} >v3.trace
{
	printf "SLOW\\363\\000\\040\\000$start\\016\\000$zeros"
	printf '\000\000\001\024\0000x10\tA\tm\t()V\tA.java\n'
	printf '\000\000\002\001\000\004\000main'
	printf '\001\000\020\000\000\000\001\000\000\000\002\000\000\000'
	printf '\001\000\021\000\000\000\003\000\000\000\005\000\000\000'
	printf '\000\000\003\073\000\000\000*version\n3\nclock=dual\nvm=art\n'
	printf '*threads\n1\tmain\n*methods\n*end\n'
} >f3.trace
{
	key 2 wall
	printf "SLOW\\002\\000\\040\\000$start\\000\\000$zeros"
	printf '\001\000\020\000\000\000\002\000\000\000'
	printf '\001\000\021\000\000\000\005\000\000\000'
} >v2.trace
{
	printf "SLOW\\362\\000\\040\\000$start\\012\\000$zeros"
	printf '\000\000\001\024\0000x10\tA\tm\t()V\tA.java\n'
	printf '\000\000\002\001\000\004\000main'
	printf '\001\000\020\000\000\000\002\000\000\000'
	printf '\001\000\021\000\000\000\005\000\000\000'
	printf '\000\000\003\073\000\000\000*version\n2\nclock=wall\nvm=art\n'
	printf '*threads\n1\tmain\n*methods\n*end\n'
} >f2.trace

# v2_file VERSION START COUNTER SIZE PAYLOAD LENGTH OPTIONS MARK: format V2
v2_file()
{
	printf "SLOW\\$1\\000$2\\$3\\000\\000\\000\\000\\000\\000\\000$rate$8"
	printf '\000\001\000\000\000\004\000main'
	printf '\001\020\000\000\000\000\000\000\000\017\000'
	printf 'A\tm\t()V\tA.java\n'
	printf "\\002\\001\\000\\000\\000\\002\\000\\000$4\\000\\000\\000$5"
	printf "\\003$6\\000*version\\n$7*end\\n"
}
rate='\000\000\000\000\000\000\000\000'
zero="$rate\000\000"
start_ns='\240\145\151\113\076\132\002\000'
dual='5\nclock=dual\nvm=art\n'
usec='elapsed-time-usec=5\n'
nsec='elapsed-time-nsec=5000\n'
# the method, wall, CPU; the difference to it in the next record
v2_file 365 "$start" 000 '\006' '\020\002\001\001\003\002' '\066' \
    "$dual$usec" sc >f5-c.trace
v2_file 005 "$start_ns" 000 '\012' \
    '\020\320\017\350\007\001\270\027\320\017' '\071' "$dual$nsec" se \
    >v5-e.trace
v2_file 364 "$start" 000 '\004' '\020\002\001\003' '\066' \
    "4\nclock=wall\nvm=art\n$usec" sc >f4-c.trace
# time and action in one number, CPU as it is, the method of an enter alone
v2_file 005 "$start_ns" 001 '\012' \
    '\300\076\350\007\020\341\335\000\270\027' '\071' "$dual$nsec" \
    "\000\000" >v5-f.trace

# makes EXPECTED OPTION... FILE
makes()
{
	expected=$1
	shift
	dmtrace convert -q "$@" >out && cmp "$expected" out
}

claim "a stream becomes version 3" makes v3.trace f3.trace
claim "version 3 becomes a stream" makes f3.trace --dialect=f3 v3.trace
claim "version 3 becomes version 2" makes v2.trace -d v2 v3.trace
claim "version 3 becomes a stream with one clock" makes f2.trace -d f2 v3.trace
claim "a stream of one clock becomes version 2" makes v2.trace -d v2 f2.trace
for dialect in v2 v3 f2 f3; do
	claim "$dialect is copied" \
	    makes $dialect.trace -d $dialect $dialect.trace
done
claim "version 3 becomes blocks of stage C" \
    makes f5-c.trace -d f5 --stage=c v3.trace
claim "version 3 becomes blocks of stage E, in nanoseconds" \
    makes v5-e.trace -d v5 v3.trace
claim "version 3 becomes blocks of stage F, with a mark" \
    makes v5-f.trace -d v5 --stage=f v3.trace
claim "version 3 becomes blocks with one clock" \
    makes f4-c.trace -d f4 --stage=c f2.trace
for file in f5-c v5-e v5-f; do
	claim "$file is copied" makes $file.trace -d ${file%-*} $file.trace
	claim "$file is a stream" sh -c "
	    dmtrace convert -q -d f3 $file.trace >there &&
	    dmtrace checksum -b there f3.trace | cut -c 1-32 | uniq |
	    [ \$(wc -l) -eq 1 ]"
	claim "$file becomes version 3 with the elapsed time" sh -c "
	    dmtrace convert -q $file.trace >there &&
	    grep -a -c elapsed-time-usec=5 there && dmtrace checksum -b there \
	    v3.trace | cut -c 1-32 | uniq | [ \$(wc -l) -eq 1 ]"
done
claim "another stage of the version is written anew" \
    makes v5-f.trace -d v5 --stage=f v5-e.trace
odd_ns='\241\145\151\113\076\132\002\000'
v2_file 005 "$odd_ns" 000 '\012' \
    '\020\320\017\350\007\001\270\027\320\017' '\071' "$dual$nsec" se \
    >odd.trace
v2_file 005 "$odd_ns" 001 '\012' \
    '\300\076\350\007\020\341\335\000\270\027' '\071' "$dual$nsec" \
    "\000\000" >expected
claim "the start keeps its nanoseconds" \
    makes expected -d v5 --stage=f odd.trace
claim "a stage with microseconds rounds the start" \
    loses 'times-rounded 1 ' odd.trace
claim "the default stage is that of the trace" sh -c '
    dmtrace convert -q -d v4 v5-f.trace >there &&
    head -c 30 there | tail -c 16 | od -An -tx1 | grep "01 00 00 00 00 00"'
{
	key 2 wall
	printf "SLOW\\002\\000\\040\\000$start\\000\\000$zeros"
	printf '\001\000\020\000\000\000\002\000\000\000'
	printf '\001\000\025\000\000\000\005\000\000\000'
	printf '\001\000\021\000\000\000\006\000\000\000'
	printf '\001\000\021\000\000\000\007\000\000\000'
} >exits.trace
claim "a stage F exit of a method that is not innermost is counted" \
    loses 'exit-method-dropped 3 ' -d v4 --stage=f exits.trace
# Three calls are entered, the first one is left, and then a call that is not
# open: readers of stage F see exits of the third and of the second.
{
	key 2 wall
	printf "SLOW\\002\\000\\040\\000$start\\000\\000$zeros"
	printf '\001\000\020\000\000\000\002\000\000\000'
	printf '\001\000\024\000\000\000\003\000\000\000'
	printf '\001\000\030\000\000\000\004\000\000\000'
	printf '\001\000\021\000\000\000\005\000\000\000'
	printf '\001\000\035\000\000\000\006\000\000\000'
	printf '\001\000\021\000\000\000\007\000\000\000'
} >unwound.trace
claim "so are exits after an exit that ends several calls" \
    loses 'exit-method-dropped 2 ' -d v4 --stage=f unwound.trace
dmtrace convert -q -d v4 --stage=f -o exits-f.trace exits.trace
claim "exits that have no method in stage F cannot lose it" \
    loses '' -d f4 exits-f.trace
# The only listed method has the id 0, which is that of an exit of no call in
# stage F: here of another one.
{
	key 2 wall | sed 's/^0x10/0/'
	printf "SLOW\\002\\000\\040\\000$start\\000\\000$zeros"
	printf '\001\000\025\000\000\000\002\000\000\000'
	printf '\001\000\000\000\000\000\005\000\000\000'
} >zero-id.trace
claim "a listed id 0 is replaced in stage F" \
    loses 'method-renumbered 1 exit-method-dropped 1 ' -d v4 \
    --stage=f zero-id.trace
claim "so exits of no call do not get its name" sh -c '
    dmtrace dump -q -f tsv there | cut -f 2,8 | tr "\t\n" "  " |
    grep "^action name exit  enter m "'
# The thread is 65536, which 16 bits make 0. The id of the method has 47 bits; 4
# is an id that nothing lists, and so is another one of 47 bits.
{
	printf "SLOW\\005\\000$start_ns$zero\\000\\000\\000\\000"
	printf '\000\000\000\000'
	printf '\000\000\000\001\000\004\000main'
	printf '\001\020\000\000\000\000\160\000\000\017\000'
	printf 'A\tm\t()V\tA.java\n'
	printf '\002\000\000\001\000\003\000\000\033\000\000\000'
	printf '\220\200\200\200\200\200\034\001\001'
	printf '\364\377\377\377\377\377\143\002\001'
	printf '\374\201\200\200\200\200\034\001\001'
	printf '\003\044\000*version\n5\nelapsed-time-nsec=9\n*end\n'
} >wide.trace
claim "ids that do not fit are replaced by free ids" \
    loses 'thread-renumbered 1 method-renumbered 3 times-rounded 7 ' wide.trace
# No row lists thread 65535; that of 131071 has the same low 16 bits.
dmtrace undump -o modulo.trace - <<'TEXT'
header v4 stage=e start=0ns
thread 131071 other
method 0x10 A.m()V A.java
block
2us 65535 >A.m
TEXT
for dialect in v1 v2 f2; do
	claim "an unlisted thread does not get the name of another: $dialect" \
	    sh -c 'dmtrace convert -q -d $1 -o there modulo.trace &&
	    [ "$(dmtrace dump -q -f tsv there | cut -f 10 | tr "\n" ,)" = \
	    thread_name,, ]' sh "$dialect"
done
claim "--stage is refused with dialects without stages" \
    says "f3 has no stages; those with stages are v4, v5, f4, f5" \
    dmtrace convert -d f3 --stage=e -o there v3.trace
claim "trace format V2 cannot be written as a pair" says "V2 has no key" \
    dmtrace convert -d v5 -o there.key v3.trace
claim "--clock chooses the clock that is kept" sh -c '
    dmtrace convert -q -d v1 --clock=cpu f3.trace | dmtrace dump -f tsv - |
    cut -f 1-7 >one && grep -q cpu one'
claim "the loss of wall times is counted" \
    loses 'wall-dropped 2 ' -d v2 --clock=cpu v3.trace
claim "the loss of CPU times is counted" loses 'cpu-dropped 2 ' -d f2 v3.trace
claim "CPU times made from wall times are counted" \
    loses 'cpu-from-wall 2 ' v2.trace
claim "nothing else is lost" loses '' f3.trace
all='cpu-from-wall 4 padding-dropped 4 thread-name-dropped 1 '
all="${all}method-renumbered 1 rest-dropped 1 "
claim "dropped thread names, bytes and renumbered ids are counted" \
    loses "$all" "$data/good-stream-odd.trace"
claim "methods that had one id get different ids" sh -c '
    [ "$(dmtrace dump -q -f tsv there | cut -f 6- | sort -u | wc -l)" -gt 2 ]'
# rest OF TO TABLE: of that version 2, in that dialect; SECTION, GAP and PADDING
# stand for what is not of the format, and REPEATED for a method
rest()
{
	key 2 wall | awk -v add="$3" '
	/^\*methods/ && add == "SECTION" { print "*more\nline" }
	/^\*end/ && add == "REPEATED" { print "0x10\tB\tn\t()V" }
	{ print }
	END { if (add == "GAP") printf "\n\n" }' >rest.trace
	tail -c "$1" v2.trace | if [ "$3" = PADDING ]; then
		head -c 18
		printf x
		tail -c "$(($1 - 19))" v2.trace
	else
		cat
	fi >>rest.trace
	loses "$4" -d "$2" rest.trace
}
while read -r to part lost; do
	claim "converting to $to reports the loss of $part: $lost" \
	    rest 52 "$to" "$part" "${lost:+$lost }"
done <<'ROWS'
v1 SECTION rest-dropped 1
v2 SECTION
f2 SECTION rest-dropped 1
v1 GAP rest-dropped 1
v4 PADDING rest-dropped 1
v1 REPEATED
v4 REPEATED rest-dropped 1
f2 NOTHING
ROWS
{ cat f2.trace; printf 'more'; } >tail.trace
claim "bytes after the summary are reported as lost" \
    loses 'rest-dropped 1 ' -d v2 tail.trace
claim "--strict refuses to lose bytes after the summary" \
    says "1 other parts of the trace are" \
    dmtrace convert --strict -q -d v2 -o strict2 tail.trace
sed "s/$/$(printf '\r')/" >crlf.trace <<KEY
$(key 2 wall)
KEY
tail -c 52 v2.trace >>crlf.trace
key 2 wall | sed 's/^2$/1/' >expected
claim "CR before LF is removed" sh -c '
    dmtrace convert -q -d v1 crlf.trace | head -c "$(wc -c <expected)" |
    cmp - expected'
claim "thread 0 gets another number in a stream, whose packets have no line" \
    loses 'thread-renumbered 1 line-dropped 2 ' -d f2 \
    "$data/good-thread-0.trace"
claim "the renumbered thread keeps its name" \
    sh -c 'dmtrace dump there | grep -q " 1 nobody  enter"'
claim "a loss is reported" \
    replies 0 "2 events lost their CPU time (cpu-dropped)" \
    dmtrace convert -d v2 -o there v3.trace
claim "--strict refuses the loss" says "2 events lost their CPU time" \
    dmtrace convert --strict -d v2 -o strict v3.trace
claim "--strict writes nothing then" [ ! -e strict ]
claim "--strict succeeds if nothing is lost" \
    exits 0 dmtrace convert --strict -d f3 -o strict v3.trace
claim "--clock is refused for a stream that has two" says "two clocks" \
    dmtrace convert -d f3 --clock=wall -o there v3.trace
claim "--clock is refused for universal, which has two" says "two clocks" \
    dmtrace convert -d universal --clock=wall -o there v3.trace
dmtrace generate -q -d v2 --clock=global --events=100 -o global.trace
claim "--clock=global is for a trace that has it" exits 0 \
    dmtrace convert -q -d v1 --clock=global -o there global.trace
claim "and keeps it" sh -c 'dmtrace info there | grep -q "^clock *global: "'
claim "another one is refused" says "not of that clock" \
    dmtrace convert --clock=global -o there v3.trace
for clock in cpu wall thread-cpu; do
	claim "version 3 may have one clock: $clock" sh -c '
	    dmtrace convert -q --clock=$1 -o there v3.trace &&
	    dmtrace convert -q -d v2 --clock=$1 -o v2-there v3.trace &&
	    dmtrace dump there >a && dmtrace dump v2-there >b && cmp a b &&
	    dmtrace info there | grep -q "^version *3; records of 10"' sh $clock
	claim "the readers that refuse it are named: $clock" sh -c '
	    dmtrace convert --clock=$1 -o there v3.trace 2>&1 |
	    grep -q "perfetto refuses it"' sh $clock
done
claim "ids of 64 bits are not copied to version 3" \
    loses 'method-renumbered 2 ' -d v3 "$data/good-size-18-preview.trace"
claim "a stream cannot be written as a pair" says "ART streaming has no key" \
    dmtrace convert -d f3 -o there.key v3.trace
claim "a stream becomes a pair" sh -c '
    dmtrace convert -o pair.key f3.trace && cat pair.key pair.data |
    cmp - v3.trace'
claim "a stream is read from a pipe" \
    sh -c 'cat f3.trace | dmtrace convert - | cmp - v3.trace'
claim "--container=pair gives the pair its names" sh -c '
    dmtrace convert --container=pair -o two.trace f3.trace &&
    cat two.key two.data | cmp - v3.trace && [ ! -e two.trace ]'
claim "--container=pair needs a named output" says "needs -o" \
    dmtrace convert --container=pair v3.trace
claim "--container=joined is refused with the name of a pair" \
    says "a half of a pair" \
    dmtrace convert --container=joined -o two.key v3.trace
claim "--container=joined writes one file" sh -c '
    dmtrace convert --container=joined -o one.trace f3.trace &&
    cmp one.trace v3.trace'
claim "all readers read the dialect universal" sh -c '
    dmtrace convert -q -d universal -o there v5-f.trace &&
    [ "$(dmtrace validate --for=all there | grep -c " reads$")" -eq 6 ]'
for sample in "$data"/good-*.trace "$data"/bad-reserved.trace \
    "$data"/bad-exit-other.trace "$data"/bad-time-back.trace \
    "$data"/bad-line-zeroed.trace; do
	dmtrace convert -q -d universal -o "all-${sample##*/}" "$sample" 2>&1
done >messages
claim "all readers read each sample that was made universal" sh -c '
    [ "$(ls all-* | wc -l)" -ge 114 ] &&
    dmtrace validate -f tsv --for=all all-* >verdicts &&
    [ "$(cut -f 3 verdicts | sort -u | tr "\n" " ")" = "reads verdict " ]'
rm -f all-*
dmtrace generate -q --shape=deep --max-depth=600 --events=5000 -o deep.trace
claim "calls that are too deep are dropped with their exits" sh -c '
    dmtrace convert -q -d universal -o there deep.trace &&
    dmtrace info there | grep -q "^events .*: \([0-9,]*\) enter, \1 exit" &&
    [ "$(dmtrace validate --for=all there | grep -c " reads$")" -eq 6 ]'
dmtrace convert -q -d universal -o there v5-f.trace
claim "universal copies a trace that all readers read" \
    makes there -d universal there
for clock in cpu wall; do
	claim "universal is version 3 with two clocks: $clock" sh -c '
	    dmtrace convert -q -d universal -o there \
	    "$srcdir/tests/data/good-v3-$1.trace" &&
	    dmtrace info there | grep -q "^version *3; records of 14 bytes" &&
	    dmtrace info there | grep -q "^clock *dual:"' sh $clock
	claim "universal copies what it has made: $clock" \
	    makes there -d universal there
done
claim "--strict accepts a trace that all readers read" \
    says "(method-columns-5)" \
    dmtrace convert --strict -d universal -o whole v5-f.trace
claim "--strict writes nothing if universal changes the trace" [ ! -e whole ]
claim "JSON lists the changes of universal" sh -c '
    dmtrace convert -f jsonl -o there -d universal v5-f.trace >table &&
    grep -q "{\"loss\":\"method-columns-5\",\"count\":1}" table'
claim "a full disk fails" exits 2 dmtrace convert -q -d universal \
    -o /dev/full v5-f.trace
claim "-f needs a named output" says "name a file with -o" \
    dmtrace convert -f jsonl v3.trace
claim "JSON has every loss" sh -c '
    dmtrace convert -f jsonl -o there -d v2 v3.trace >table &&
    [ "$(wc -l <table)" -eq 15 ] &&
    grep -q "{\"loss\":\"cpu-dropped\",\"count\":2}" table'

# Android 6 and 7 wrote the summary to another file.
head -c 97 "$srcdir/tests/data/good-stream-f2.trace" >apart.trace
tail -c 52 "$srcdir/tests/data/good-stream-f2.trace" >apart.trace.sec
dmtrace convert -q -d v2 -o apart.expected apart.trace
for command in 'convert -d f2' sort 'shift --by=0s' 'filter --keep-tables'; do
	claim "$command keeps a summary that is another file" sh -c "
		dmtrace $command -q apart.trace >made.trace &&
		dmtrace convert -q -d v2 made.trace | cmp apart.expected -"
done

# A key as a library for measuring apps writes it, then its data as base64 in
# one line, in lines of 76 characters, and with what is no part of it.
{
	printf '*version\n3\nclock=dual\nnum-method-calls=2\n'
	printf 'clock-call-overhead-nsec=zzz\n*threads\n7\tmain\n'
	printf '*methods\n0x4\tA.m\n0x8\tB.n\n*end\n'
} >measured.key
{
	printf 'SLOW\3\0\022\0\207\326\022\0\0\0\0\0\016\0'
	printf '\7\0\4\0\0\0\1\0\0\0\2\0\0\0'
	printf '\7\0\10\0\0\0\3\0\0\0\5\0\0\0'
	printf '\7\0\11\0\0\0\4\0\0\0\7\0\0\0'
	printf '\7\0\5\0\0\0\6\0\0\0\11\0\0\0'
} >measured.data
cat measured.key measured.data >plain.trace
{
	cat measured.key
	base64 measured.data
} >lines.trace
tr -d '\n' <lines.trace | tail -c 100 | cat measured.key - >line.trace
{
	cat lines.trace
	printf '?more'
} >more.trace
head -c -8 lines.trace >cut.trace
for file in line lines more; do
	claim "trap 36: base64 ($file) becomes bytes" sh -c "
	    dmtrace convert -q -o there $file.trace && cmp there plain.trace"
	claim "the decoded trace has the same events" sh -c "
	    dmtrace checksum -q -b $file.trace plain.trace | cut -c 1-32 |
	    uniq | [ \$(wc -l) -eq 1 ]"
done
claim "base64 is decoded from a pipe" sh -c '
    cat lines.trace | dmtrace convert -q - | cmp - plain.trace'
cp measured.key half.key
base64 measured.data >half.data
claim "base64 in a separate file is not decoded" says '"cat" can join them' \
    dmtrace convert -o there half.key
claim "base64 in a separate file is not decoded if that is named" \
    says '"cat X.key X.data" makes one file' \
    dmtrace convert -o there half.data
claim "base64 is decoded if key and data are concatenated" sh -c '
    cat half.key half.data | dmtrace convert -q - | cmp - plain.trace'
claim "records missing from truncated base64 are missing" sh -c '
    dmtrace info cut.trace | grep -q "9 of 14 bytes"'
claim "bytes after the base64 text are a finding" sh -c "
    dmtrace validate more.trace | grep -q 'data-base64.*the first of 2'"
claim "no other reader reads base64" sh -c '
    [ "$(dmtrace validate --for=all line.trace |
    grep -c "refuses: data-base64")" -eq 6 ]'
claim "repair refuses base64, which it would lose" \
    says "the data is base64 text" \
    dmtrace repair -o there line.trace
claim "split refuses base64" says '"dmtrace convert" decodes it' \
    dmtrace split -o there.key line.trace

# Dialects, with the stage of those that have some.
dialects='v1 v2 v3 f2 f3'
for version in v4 v5 f4 f5; do
	for stage in c e f; do
		dialects="$dialects $version:$stage"
	done
done

# converts DIALECT[:STAGE] OPTION...
converts()
{
	to=$1
	shift
	case $to in
	*:*) dmtrace convert -d "${to%:*}" --stage="${to#*:}" "$@" ;;
	*) dmtrace convert -d "$to" "$@" ;;
	esac
}

# lost DIALECT[:STAGE] FILE OUTPUT: how much of it
lost()
{
	rm -f "$3"
	converts "$1" -f tsv -o "$3" "$2" |
	    awk 'NR > 1 { n += $2 } END { print n + 0 }'
}

# pairs TRACE DIALECT...: each of these with all dialects: what loses nothing
# has the same events, there and, if it adds nothing, back (version 3 may have
# one time); its own dialect is a copy
pairs()
{
	trace=$1
	shift
	for one; do
		converts "$one" -q -o one "$trace" || return 1
		for other in $dialects; do
			lost=$(lost "$other" one other)
			[ -e other ] || { echo "$one: no $other"; return 1; }
			[ "$other" != "$one" ] || cmp one other || return 1
			[ "$lost" -eq 0 ] || continue
			lost=$(lost "$one" other back)
			[ -e back ] || { echo "$other: no $one"; return 1; }
			[ "$lost" -eq 0 ] || rm back
			dmtrace checksum -b one other $(ls back 2>/dev/null) |
			    cut -c 1-32 | uniq | [ "$(wc -l)" -eq 1 ] ||
			    { echo "$trace: $one $other"; return 1; }
		done
	done
}
if [ "$DMTRACE_MORE" = yes ]; then
	for seed in 2 3 4; do
		dmtrace generate -q --seed=$seed --events=400 \
		    --dialect=v$((seed - 1)) -o "random-$seed.trace"
	done
	# All 289 pairs of a trace take seconds: they are for the forms of
	# packets, and for one trace of each version.
	for trace in random-*.trace "$srcdir"/tests/data/good-packets-*.trace \
	    "$srcdir"/tests/data/good-stream-*.trace \
	    "$srcdir/tests/data/good-long-running.trace"; do
		claim "all pairs: ${trace##*/}" pairs "$trace" $dialects
	done
	for trace in "$srcdir"/tests/data/good-*.trace; do
		claim "pairs: ${trace##*/}" pairs "$trace" v2 v5:e
	done
	for trace in ${DMTRACE_CORPUS:+"$DMTRACE_CORPUS"/*.trace}; do
		# damaged ones cannot be converted
		dmtrace convert -q -o there "$trace" || continue
		claim "pairs: ${trace##*/}" pairs "$trace" v2 v3 f3 v5:c v5:f
	done
fi

if [ -n "$DMTRACE_CORPUS" ] && [ -d "$DMTRACE_CORPUS" ]; then
	real=$DMTRACE_CORPUS/perflib-streaming.trace
	claim "a real stream has the same events as version 3" \
	    same_events v3 "$real"
	claim "a real stream has 44,339 events" \
	    [ "$(rows there | sed 1d | wc -l)" -eq 44339 ]
	claim "a real stream is converted back to a stream" sh -c '
	    dmtrace convert -q -d f3 -o back there &&
	    dmtrace checksum -b back | cut -c 1-32 | cmp before -'
	if have dmtracedump; then
		claim "dmtracedump lists as many" sh -c '
		    [ "$(dmtracedump -o there | grep -c " ent\| xit")" \
		    -eq 44339 ]'
	else
		skip "dmtracedump lists as many" "no dmtracedump here"
	fi
else
	skip "a real stream is converted" "no DMTRACE_CORPUS"
fi
# Exits that have no method, as a file of stage F had them: nothing to tell its
# stage by in another one.
{
	printf '*version\n3\nclock=dual\n*threads\n11\tworker\n*methods\n'
	printf '0x62ae8b60\tA\ta\t()V\n0x6287dae8\tA\tb\t()V\n'
	printf '0x627f59f0\tA\tc\t()V\n*end\n'
	printf 'SLOW\3\0\40\0\1\2\3\4\5\6\4\0\16\0\0\0\0\0\0\0'
	printf '\0\0\0\0\0\0\0\0'
	printf '\13\0\1\0\0\0\3\0\0\0\350\0\0\0'
	printf '\13\0\1\0\0\0\6\0\0\0\353\0\0\0'
	printf '\13\0\1\0\0\0\11\0\0\0\355\0\0\0'
	printf '\13\0\140\213\256\142\17\0\0\0\363\0\0\0'
	printf '\13\0\141\213\256\142\21\0\0\0\365\0\0\0'
	printf '\13\0\1\0\0\0\23\0\0\0\367\0\0\0'
	printf '\13\0\1\0\0\0\25\0\0\0\371\0\0\0'
	printf '\13\0\350\332\207\142\27\0\0\0\373\0\0\0'
	printf '\13\0\360\131\177\142\32\0\0\0\376\0\0\0'
} >methodless.trace
stage_e()
{
	dmtrace convert -q -d v5 --stage=f -o f.trace methodless.trace &&
	    dmtrace convert -q -d v5 --stage=e -o e.trace f.trace &&
	    dmtrace info e.trace | grep -q 'stage E$'
}
claim "exits without a method are no evidence of a stage" stage_e

# as_piped DIALECT COMMAND...: -d writes what convert makes of the output, and
# says what is lost
dmtrace generate -q --events=900 --threads=3 --methods=9 -o dual.trace
head -c 16 dual.trace >key
as_piped()
{
	to=$1
	shift
	dmtrace "$@" -d "$to" -o direct.trace dual.trace 2>direct &&
	    dmtrace "$@" -q dual.trace 2>said |
	    dmtrace convert -d "$to" -o piped.trace - 2>piped &&
	    cmp direct.trace piped.trace || return 1
	grep '(' direct | sed 's/^[^:]*//' >lost
	sed 's/^[^:]*//' piped | cmp lost -
}
while read -r line; do
	for to in v1 v2 v3 v4 v5 f2 f3 f4 f5; do
		claim "-d $to: $line" as_piped $to $line
	done
done <<'COMMANDS'
filter -t main
sort
shift --to-zero
rename --anonymize=key
COMMANDS
claim "-d writes a pair" sh -c '
    dmtrace filter -q -d v2 -o two.key dual.trace && [ -s two.data ] &&
    dmtrace info two | grep -q "^version  *2"'
claim "-d is one of the dialects" says '-d: "v9" is not one of v1,' \
    dmtrace sort -d v9 dual.trace
claim "-d of what cannot be written makes no file" sh -c '
    ! dmtrace sort -q -d v2 -o none/x.trace dual.trace 2>error &&
    [ ! -e none ]'
# The numbers of the output are all listed, once their high bits are left out.
dmtrace generate -q --events=3000 --threads=256 -d v2 -o wide.trace
for line in convert filter sort 'shift --by=1s'; do
	claim "more threads than -d can number are refused: $line" says \
	    'there are more threads than version 1 can number' \
	    timeout 60 dmtrace $line -d v1 -o new.trace wide.trace
done
for line in join split repair corrupt 'validate --fix'; do
	claim "$line has no -d, and says what has" says \
	    'no option -d: ' dmtrace $line -d v1 -o new.trace dual.trace
	claim "$line has no --dialect either" says 'dmtrace convert -d' \
	    dmtrace $line --dialect=v1 -o new.trace dual.trace
done

finish
