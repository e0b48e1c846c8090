#!/bin/sh
# cli_eventlog.sh - entries of event logs as lines and tables

. "$srcdir/tests/helpers/claim.sh"

cat >tags <<'ROWS'
42 answer (to life|3)
2722 battery (level|1|6),(voltage|1),(name|3)
30002 launch (User|1|5),(Name|3),(time|2|3)
ROWS

# Headers are 28 bytes: length, size, pid, tid, seconds, ns, log, uid.
{
	# battery
	printf '\027\000\034\000\350\003\000\000\351\003\000\000\271\123'
	printf '\315\116\025\315\133\007\002\000\000\000\020\047\000\000'
	printf '\242\012\000\000\003\003\000\137\000\000\000\000\150\020'
	printf '\000\000\002\002\000\000\000\114\151'
	# answer
	printf '\015\000\034\000\350\003\000\000\351\003\000\000\272\123'
	printf '\315\116\025\315\133\007\002\000\000\000\020\047\000\000'
	printf '\052\000\000\000\002\003\000\000\000\037\012\377\012'
	# launch
	printf '\032\000\034\000\350\003\000\000\351\003\000\000\273\123'
	printf '\315\116\025\315\133\007\002\000\000\000\020\047\000\000'
	printf '\062\165\000\000\003\003\000\000\000\000\000\002\001\000'
	printf '\000\000\141\001\136\001\000\000\000\000\000\000'
	# unknown, floats
	printf '\022\000\034\000\350\003\000\000\351\003\000\000\274\123'
	printf '\315\116\025\315\133\007\002\000\000\000\020\047\000\000'
	printf '\011\000\000\000\003\002\003\001\004\000\000\300\077\004'
	printf '\000\000\300\177'
	# text
	printf '\016\000\034\000\350\003\000\000\351\003\000\000\275\123'
	printf '\315\116\025\315\133\007\000\000\000\000\020\047\000\000'
	printf '\004\124\141\147\000\157\156\145\012\033\164\167\157\000'
} >whole.log

{
	# a list of 3 with one item
	printf '\013\000\034\000\350\003\000\000\351\003\000\000\271\123'
	printf '\315\116\025\315\133\007\002\000\000\000\020\047\000\000'
	printf '\011\000\000\000\003\003\000\001\000\000\000'
	# no value
	printf '\004\000\034\000\350\003\000\000\351\003\000\000\271\123'
	printf '\315\116\025\315\133\007\002\000\000\000\020\047\000\000'
	printf '\011\000\000\000'
	# no tag
	printf '\002\000\034\000\350\003\000\000\351\003\000\000\271\123'
	printf '\315\116\025\315\133\007\002\000\000\000\020\047\000\000'
	printf '\001\002'
	# a text without NUL
	printf '\010\000\034\000\350\003\000\000\351\003\000\000\271\123'
	printf '\315\116\025\315\133\007\000\000\000\000\020\047\000\000'
	printf '\004\124\141\147\000\157\156\145'
	# no entry
	printf '\001\002\003'
} >bad.part
cat whole.log bad.part >bad.log

cat >text <<'ROWS'
2011-11-23T20:12:41.123456Z  1000  1001 battery level=95% voltage=4200 name=Li
2011-11-23T20:12:42.123456Z  1000  1001 answer to life=\x1f\n\xff
2011-11-23T20:12:43.123456Z  1000  1001 launch User=0 Name=a time=350 ms
2011-11-23T20:12:44.123456Z  1000  1001 [9] [[1.500000],nan]
2011-11-23T20:12:45.123456Z  1000  1001 main I Tag: one\n\x1btwo
ROWS
cat >lines <<'ROWS'
11-23 20:12:41.123  1000  1001 I battery : [95,4200,Li]
11-23 20:12:42.123  1000  1001 I answer  : \x1f\n\xff
11-23 20:12:43.123  1000  1001 I launch  : [0,a,350]
11-23 20:12:44.123  1000  1001 I [9]     : [[1.500000],nan]
11-23 20:12:45.123  1000  1001 I Tag     : one
11-23 20:12:45.123  1000  1001 I Tag     : \x1btwo
ROWS
cat >values <<'ROWS'
"value":[95,4200,"Li"]
"value":{"bytes":"1f0aff"}
"value":[0,"a",{"long":350}]
"value":[[{"float":1.5}],{"float":"0x7fc00000"}]
"value":{"count":3,"list":[1]}
ROWS

values()
{
	dmtrace eventlog -qf jsonl "$@" | grep -o '"value":[^n].*,"message"' |
	    sed 's/,"message"$//'
}

claim "text has the names and units of the tag file" \
    prints text dmtrace eventlog -q --tags tags whole.log
claim "--logcat prints the format threadtime" \
    prints lines dmtrace eventlog -q --logcat --tags tags whole.log
claim "JSON has every type of value" prints values values bad.log
claim "standard input is read" sh -c \
    'dmtrace eventlog -q --tags tags - <whole.log | cmp - text'
claim "a LF that counts in the length is a note" \
    notes 'byte 91: LF after a value counts in the length: tag 42' \
    dmtrace eventlog whole.log
claim "-q hides notes" silent dmtrace eventlog -q whole.log
claim "damage is reported as an error with its place" answers 1 \
    'byte 273: value is longer than its payload' dmtrace eventlog -q bad.log
claim "-o names the output" sh -c \
    'dmtrace eventlog -q --tags tags -o report whole.log && cmp report text'
claim "an output that is the log is refused" \
    says 'is both the input and the output' \
    dmtrace eventlog -q -o whole.log whole.log

# selects LINES OPTION...: these lines of the text are left
selects()
{
	sed -n "$1" text >wanted
	shift
	prints wanted dmtrace eventlog -q --tags tags "$@" whole.log
}

claim "--tag takes names" selects '1p;2p' --tag answer,battery
claim "--tag takes numbers" selects 4p --tag 9
claim "--tag takes globs" selects 3p --tag 'la*'
claim "--tag takes expressions" selects '1p;2p' --tag '/^(answer|batt.{1,9})$/'
claim "--tag leaves out" selects 2p --tag '*,!battery,!9,!la*,!Tag'
claim "--tag takes the tags of texts" selects 5p --tag Tag
claim "--pid and -t take numbers" selects 1,5p --pid 1000 -t 1001
claim "--from and --to count from the first entry" \
    selects '2,3p' --from 1s --to 3s
claim "a name that no entry has exits with 2" \
    says 'no entry has "bart"' dmtrace eventlog -q --tag bart whole.log
claim "the most similar name is suggested" \
    says 'no entry has "batery" (did you mean battery?)' \
    dmtrace eventlog -q --tags tags --tag batery whole.log
claim "a thread that no entry has exits with 2" \
    says '-t: no entry has "5"' dmtrace eventlog -q -t 5 whole.log
claim "an empty selection is reported" replies 1 'nothing is selected' \
    dmtrace eventlog -q --tag 'x*' whole.log
claim "names of threads are refused" says 'not a number' \
    dmtrace eventlog -t main whole.log
claim "a missing operand is a usage error" exits 2 dmtrace eventlog
claim "--logcat refuses other forms" exits 2 dmtrace eventlog --logcat -f csv x
claim "a missing log exits with 2" says 'cannot open' dmtrace eventlog none
claim "a missing tag file exits with 2" says 'cannot open' \
    dmtrace eventlog --tags none whole.log

# Nothing names a log: each entry of its first MiB must be as it should be.
cat >validated <<ROWS
whole.log: byte 91: note: log-rest-lf: LF after a value counts in the length: \
tag 42
whole.log: valid, 5 entries, 1 note
ROWS
claim "validate checks a log" prints validated dmtrace validate whole.log
claim "validate checks a log from a pipe" sh -c \
    'dmtrace validate - <whole.log | grep -q "valid, 5 entries"'
claim "a damaged log is not valid" says 'begins with' dmtrace validate bad.log
claim "no reader of traces reads a log" answers 1 'refuses' \
    dmtrace validate --for perfetto whole.log
claim "validate --fix refuses a log" says 'Android event log' \
    dmtrace validate --fix -o fixed whole.log
claim "other commands say that it is an event log" \
    says 'Android event log; "dmtrace eventlog" prints it' dmtrace info \
    whole.log

# After the first MiB there may be damage: entries of each kind.
{
	printf '{"tag":1,"value":"%06000d"}' 0
	cat <<'ROWS'
{"header":2,"uid":10000,"tag":1,"value":1}
{"tag":1,"value":1,"time_ns":5000000000,"nanoseconds":4000000000}
{"header":4,"log":2,"bytes":"0102"}
{"header":4,"log":2,"bytes":"0100000009"}
{"header":4,"log":2,"bytes":"010000000001"}
{"tag":1,"value":1,"rest":"0a"}
{"tag":1,"value":1,"rest":"0a0a"}
{"header":4,"log":0,"bytes":"ff"}
{"header":4,"log":0,"priority":4,"tag_name":"T","message":"m","no_nul":1}
ROWS
} >kinds.json
dmtrace eventlog --encode -o kinds.log kinds.json
cat whole.log whole.log whole.log whole.log >four.log
for i in 0 1 2 3 4 5 6 7; do cat four.log four.log four.log; done >many.log
for i in 0 1 2 3 4 5 6 7; do cat many.log many.log many.log; done >more.log
{
	cat more.log more.log kinds.log
	printf '\1\2\3'
} >long.log
{
	cat more.log more.log
	printf '\1\0\77\0'
} >lost.log

every_rule_is_broken()
{
	dmtrace validate --rules -f tsv | grep entries | cut -f 1 |
	    sort >rules
	dmtrace validate -f tsv long.log lost.log | cut -f 2 |
	    grep log- | sort -u | cmp - rules
}

claim "damage after the first MiB is an error" answers 1 \
    'long.log: not valid, 23,050 entries, 5 errors' \
    dmtrace validate long.log
claim "the two logs break every rule about entries" \
    every_rule_is_broken

# returns LOG OPTION...: its JSON is encoded to the same bytes
returns()
{
	log=$1
	shift
	dmtrace eventlog -qf jsonl "$@" "$log" >log.json 2>error
	silent dmtrace eventlog --encode -o again.log log.json &&
	    cmp "$log" again.log
}

# as_version VERSION: its entries are encoded with another header, and back
as_version()
{
	dmtrace eventlog -qf jsonl whole.log >log.json &&
	    silent dmtrace eventlog --encode --header "$1" -o other.log \
	    log.json && returns other.log &&
	    dmtrace eventlog -q --logcat --tags tags other.log | cmp - lines
}

# refuses TEXT JSON: it is not encoded, and the message says why
refuses()
{
	printf '%s' "$2" >log.json
	says "$1" dmtrace eventlog --encode -o none.log log.json &&
	    [ ! -e none.log ]
}

printf '{"tag":42,"value":"hi","time_ns":3000000004,"pid":-1}' >one.json
printf '\013\0\034\0\377\377\377\377\0\0\0\0\003\0\0\0\004\0\0\0' >one.log
printf '\002\0\0\0\0\0\0\0\052\0\0\0\002\002\0\0\0hi' >>one.log
printf 'no log, but %s' "bytes that cannot be one" >none.bin

claim "JSON is encoded to the same bytes" returns whole.log --tags tags
claim "JSON of a damaged log is encoded to the same bytes" returns bad.log
claim "JSON of bytes that are no log is encoded to the same bytes" \
    returns none.bin
for version in v1 v2 v3 v4; do
	claim "headers can become $version" as_version $version
done
claim "members may be missing" \
    prints one.log dmtrace eventlog --encode one.json
printf '{"tag":1,"value":1,"time_ns":5000000000,"nanoseconds":4000000000}' \
    >seconds.json
claim "nanoseconds above a second are encoded" sh -c '
    dmtrace eventlog --encode seconds.json | dmtrace eventlog -qf jsonl - |
    grep -q "\"time_ns\":5000000000,\"nanoseconds\":4000000000"'
claim "lists in lists, a thousand deep, are encoded" sh -c '
    { printf "{\"tag\":1,\"value\":"; yes "[" | head -n 1000
    yes "]" | head -n 1000; echo "}"; } >deep.json
    dmtrace eventlog --encode -o deep.log deep.json &&
    dmtrace eventlog -qf tsv deep.log | grep -q "\[\[\[\[.*\]\]\]\]"'
claim "malformed JSON is reported with its offset" \
    refuses 'byte 8: not a JSON value' '{"tag": x}'
claim "JSON that ends within an entry is refused" \
    refuses 'ends within' '{"tag":1'
claim "an unknown member is refused" refuses 'unknown member' '{"tog":1}'
claim "a member that occurs twice is refused" \
    refuses 'occurs twice' '{"tag":1,"tag":1}'
claim "an entry without content is refused" refuses 'no tag' '{"pid":1}'
claim "a number that does not fit is refused" refuses \
    'pid is not a number from -2147483648 to' '{"tag":1,"pid":2147483648}'
claim "an int of 33 bits is refused" \
    refuses 'more than 32 bits' '{"tag":1,"value":2147483648}'
claim "a float that would be infinite is refused" \
    refuses 'a float is too large' '{"tag":1,"value":{"float":-3.5e38}}'
claim "a priority that no text has is refused" refuses \
    'priority is not a number from 0 to 8' \
    '{"log":0,"priority":9,"tag_name":"T","message":"m"}'
claim "an odd number of hexadecimal digits is refused" \
    refuses 'pairs' '{"tag":1,"rest":"abc"}'
claim "--encode takes one file" exits 2 dmtrace eventlog --encode a b
claim "--encode refuses selections" exits 2 dmtrace eventlog --encode --pid 1 a
claim "--header needs --encode" exits 2 dmtrace eventlog --header v1 a
claim "an output that is the JSON input is refused" says 'both the input' \
    dmtrace eventlog --encode -o one.json one.json
claim "every prefix of JSON ends in a status" every_prefix one.json \
    dmtrace eventlog --encode -o cut.log
claim "every prefix ends in a status" every_prefix bad.part \
    dmtrace eventlog -f jsonl

# A call of thread 1001 from 1322079161 s to 2.5 s later: the entry 123,456,789
# ns after the first second is in it, as are the next two.
{
	printf '*version\n2\nclock=wall\n*threads\n1001\tmain\n1002\tother\n'
	printf '*methods\n0x4\tA\tm\t()V\n*end\n'
	printf 'SLOW\002\0\040\0\100\240\301\212\154\262\004\0'
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	printf '\351\003\004\0\0\0\0\0\0\0'
	printf '\351\003\005\0\0\0\240\045\046\0'
} >beside.trace
sed 's/\o351\o003\o000\o000\o272/\o001\o000\o000\o000\o272/' whole.log \
    >other.log
instants()
{
	dmtrace export -q -f chrome --eventlog "$@" beside.trace |
	    grep '"ph":"i"'
}
cat >instants <<ROWS
{"name":"battery","cat":"eventlog","ph":"i","s":"t","ts":123456.789,"pid":1,\
"tid":1001,"args":{"value":"level=95% voltage=4200 name=Li"}},
{"name":"answer","cat":"eventlog","ph":"i","s":"p","ts":1123456.789,"pid":1,\
"tid":0,"args":{"value":"to life=\\\\x1f\\\\n\\\\xff"}},
{"name":"launch","cat":"eventlog","ph":"i","s":"t","ts":2123456.789,"pid":1,\
"tid":1001,"args":{"value":"User=0 Name=a time=350 ms"}}
ROWS
claim "export shows entries in their threads, or in the process" \
    prints instants instants other.log --tags tags
dmtrace export -f chrome -o out.json --eventlog whole.log beside.trace 2>said
claim "entries outside of the trace are counted" has \
    'note: 2 entries of the log are before the trace or after it' said
claim "findings of the log are reported" \
    has 'whole.log: byte 91: LF after a value' \
    said
if have protoc; then
	dmtrace export -q -f perfetto --eventlog whole.log --tags tags \
	    beside.trace | protoc --decode_raw >decoded
	claim "perfetto has instant events" \
	    sh -c '[ "$(grep -c "9: 3" decoded)" -eq 3 ]'
	claim "the names of instants are the tags" has '23: "battery"' decoded
	claim "instants have the values of entries" \
	    has '6: "level=95% voltage=4200 name=Li"' decoded
else
	skip "perfetto has instant events" "no protoc here"
fi
dmtrace view -q --eventlog other.log --tags tags -o page.html beside.trace
sed -n '/id="entries-0"/,/script>/p' page.html >found
cat >entries <<'ROWS'
<script type="text/plain" id="entries-0">
[123456789,1001,"battery","level=95% voltage=4200 name=Li"]
[1123456789,1,"answer","to life=\\x1f\\n\\xff"]
[2123456789,1001,"launch","User=0 Name=a time=350 ms"]</script>
ROWS
claim "a page has the entries, with their times in the trace" diff entries found
claim "a page has the start of the trace" \
    has '"start_us":1322079161000000,' page.html
claim "other formats refuse --eventlog" says \
    'chrome, html and perfetto do' \
    dmtrace export -f jsonl --eventlog whole.log beside.trace
printf '%s\n' '1 4 0' '1 5 10' | write_trace boot.trace 2 wall
for begins in '*version\n3' 'SLOW\003'; do
	claim "a trace is not an event log: $begins" \
	    says 'file: this is a method '\
'trace, not an event log; "dmtrace dump" prints it' \
	    sh -c 'printf "$1" >file; dmtrace eventlog file' sh "$begins"
done
claim "a trace without a start since 1970 is refused" says \
    'which is not a time since 1970' dmtrace export -f chrome \
    -q --eventlog whole.log boot.trace
dmtrace shift --start=2011-11-23T20:12:41.000000Z -o dated.trace boot.trace
claim "the start that shift sets is one" dmtrace export -f chrome -q \
    --eventlog whole.log -o dated.json dated.trace
claim "and is suggested" says '"dmtrace shift --start" sets one' \
    dmtrace dump -q --eventlog whole.log boot.trace
claim "a trace without a start since 1970 is refused for a page" \
    says 'which is not a time since 1970' \
    dmtrace view -q -o none.html --eventlog whole.log boot.trace
printf '%s\n' '1 4 0' '1 5 10' |
    write_trace cpu.trace 2 thread-cpu 1322079161000000
claim "a trace with CPU times only is refused" \
    says 'the trace has no wall times' \
    dmtrace view -q -o none.html --eventlog whole.log cpu.trace
claim "no page is written then" test ! -e none.html
claim "a log without entries exits with 2" says 'cannot open' \
    dmtrace export -f chrome --eventlog none beside.trace
claim "--tags needs --eventlog" says '--tags needs --eventlog' \
    dmtrace export -f chrome --tags tags beside.trace

claim "dump prints entries among the events" prints - dmtrace dump -q \
    --eventlog other.log --tags tags beside.trace <<ROWS
wall time, ordered by time
      wall s  thread      action    method
    0.000000  1001 main   enter     A.m()V
    0.123456  1001 main   log       battery: level=95% voltage=4200 name=Li
    1.123456     1        log       answer: to life=\\x1f\\n\\xff
    2.123456  1001 main   log       launch: User=0 Name=a time=350 ms
    2.500000  1001 main   exit      A.m()V
ROWS
claim "dump --calls prints entries among the calls" \
    prints - dmtrace dump -q --calls \
    --eventlog other.log beside.trace <<ROWS
wall time, ordered by time
         start   duration thread  call
    0.000000 s     2.50 s   1001  A.m;
    0.123456 s              1001  /* [2722]: [95,4200,Li] */
    1.123456 s                 1  /* [42]: \\x1f\\n\\xff */
    2.123456 s              1001  /* [30002]: [0,a,350] */
ROWS
tr '|' '\t' >wanted <<ROWS
thread|action|id|cpu_ns|wall_ns|depth|class|name|signature|\
thread_name|tag_name|value
1001|enter|0x4||0|1|A|m|()V|main||
1001|log|||123456789|0||||main|[2722]|[95,4200,Li]
1|log|||1123456789|0|||||[42]|\\x1f\\n\\xff
1001|log|||2123456789|0||||main|[30002]|[0,a,350]
1001|exit|0x4||2500000000|1|A|m|()V|main||
ROWS
claim "TSV has a column with the values of entries" \
    prints wanted dmtrace dump -q -f tsv \
    --eventlog other.log beside.trace
printf '%s\r\n' "$(sed -n '1s/	/,/gp' wanted)" \
    '1001,enter,0x4,,0,1,A,m,()V,main,,' \
    '1001,log,,,123456789,0,,,,main,battery,level=95% voltage=4200 name=Li' \
    >csv
mv csv wanted
claim "CSV has a column with the values of entries" \
    sh -c 'dmtrace dump -q -f csv --eventlog other.log \
    --tags tags beside.trace | head -n 3 | cmp - wanted'
claim "JSON has a member with the values of entries" \
    prints - sh -c 'dmtrace dump -q -f jsonl --eventlog \
    other.log beside.trace | sed -n "1,2p"' <<ROWS
{"thread":1001,"action":"enter","id":"0x4","cpu_ns":null,"wall_ns":0,\
"depth":1,"class":"A","name":"m","signature":"()V","thread_name":"main",\
"tag_name":null,"value":null}
{"thread":1001,"action":"log","id":null,"cpu_ns":null,\
"wall_ns":123456789,"depth":0,"class":null,"name":null,"signature":null,\
"thread_name":"main","tag_name":"[2722]","value":"[95,4200,Li]"}
ROWS
claim "entries outside of a window are left out" sh -c '
	dmtrace dump -f tsv --eventlog other.log --from 1s --to 2s \
	    beside.trace 2>said | cut -f 2,5 | tr "\t\n" "  " | grep -qx \
	    "action wall_ns enter 1000000000 log 1123456789 exit 2000000000 "'
claim "entries outside of a window are counted" has \
    'note: 4 entries of the log are before the trace or after it' said
# at_end [OPTION]: the last words of each line, with an entry at the last event
echo '{"time_ns":1322079163500000000,"tag":42,"value":7}' |
    dmtrace eventlog --encode -o last.log -
at_end()
{
	dmtrace dump --eventlog last.log "$@" beside.trace | sed 's/.*  //'
}
printf '%s\n' method 'A.m()V' 'A.m()V' '[42]: 7' >wanted
claim "an entry at the time of the last event follows it" \
    prints wanted eval 'at_end | sed 1d'
printf '%s\n' call 'A.m;' '/* [42]: 7 */' >wanted
claim "an entry at the time of the last event follows the calls" \
    prints wanted eval 'at_end --calls | sed 1d'
claim "no entries are counted as left out if a pipe is closed" sh -c '
	dmtrace dump -q --eventlog other.log beside.trace 2>said | head -n 1 &&
	[ ! -s said ]'
claim "the trace may come from a pipe" sh -c '
	dmtrace dump -q --eventlog other.log - <beside.trace | grep -c " log " |
	grep -qx 3'
claim "--dmtracedump refuses --eventlog" says 'has no --eventlog' \
    dmtrace dump --dmtracedump --eventlog other.log beside.trace
claim "dump refuses a start that is not since 1970" says \
    'which is not a time since 1970' dmtrace dump -q --eventlog whole.log \
    boot.trace
printf '%s\n' '1 4 0' '2 4 20' '1 5 30' '2 5 50' |
    write_trace global.trace 2 global 1322079161000000
for command in 'dump -q' 'export -qf chrome'; do
	claim "${command%% *} refuses entries for a trace with CPU times only" \
	    says \
	    'the trace has no wall times' dmtrace $command \
	    --eventlog whole.log cpu.trace
	claim "${command%% *} refuses them if times begin anew in each thread" \
	    says 'the times of the trace begin anew in each thread' \
	    dmtrace $command --eventlog whole.log global.trace
done
finish
