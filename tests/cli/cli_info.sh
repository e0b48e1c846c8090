#!/bin/sh
# cli_info.sh - what traces are and hold, for people and for programs

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/record.sh"

# key VERSION OVERFLOW CLOCK VM
key()
{
	printf '*version\n%s\ndata-file-overflow=%s\nclock=%s\nvm=%s\n' "$@"
	printf '*threads\n1\tmain\n9\tidle\n65535\tBin"der\n'
	printf '*methods\n0x4\tcom/a/B\trun\t(I)V\tB.java\t7\n*end\n'
}

# header START: that of version 3
header()
{
	printf "SLOW\\003\\000\\040\\000$1"
	printf '\016\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
}

# 14 bytes each: thread, method word, CPU, wall time.
records()
{
	printf '\001\000\004\000\000\000\003\000\000\000\012\000\000\000'
	printf '\377\377\004\000\000\000\001\000\000\000\144\000\000\000'
	printf '\001\000\005\000\000\000\005\000\000\000\300\134\025\000'
	printf '\054\001\006\000\000\000\377\000\000\000\145\000\000\000'
	printf '\001\000\004\000\000\000\011\000\000\000\301\134\025\000'
}

epoch='\273\240\301\212\154\262\004\000'
boot='\065\034\334\337\002\000\000\000'
sec_usec='\061\324\000\000\322\002\226\111'

{ key 3 false dual dalvik; header "$epoch"; records; } >a.trace
key_size=$(key 3 false dual dalvik | wc -c)

cat >text <<'ROWS'
file        a.trace
container   joined
version     3; records of 14 bytes after a header of 32
start       2011-11-23T20:12:41.000123Z
clock       dual: CPU time of each thread, and wall time, shared by all threads
vm          dalvik
writer      Dalvik, Android 4.0 to 4.4 (2011-2013): vm=dalvik, version 2 or 3
duration    1.40 s, from the first event to the last
threads     3 listed, 3 with events
methods     1 listed
events      5: 3 enter, 1 exit, 1 unroll

    thread      events     first      last  name
         1           3   10.0 us    1.40 s  main
       300           1    101 us    101 us  (not listed)
     65535           1    100 us    100 us  Bin"der
ROWS
claim "text has a line for each fact" prints text dmtrace info a.trace

# One object; here a member or two a line.
tr -d '\n' >json <<'ROWS'
{"file":"a.trace","container":"joined","version":3,"version_key":3,
"record_size":14,"data_offset":32,"clock":"dual","vm":"dalvik",
"start":{"raw":"1322079161000123","kind":"epoch"},"duration_ns":1399991000,
"threads":3,"methods":1,"events":5,
"enter":3,"exit":1,"unroll":1,"reserved":0,"overflow":false,"findings":[],
"per_thread":[
{"thread":1,"thread_name":"main","events":3,
"first_ns":10000,"last_ns":1400001000},
{"thread":300,"thread_name":null,"events":1,
"first_ns":101000,"last_ns":101000},
{"thread":65535,"thread_name":"Bin\"der","events":1,
"first_ns":100000,"last_ns":100000}],"error":null,"stage":null,
"writer":"Dalvik, Android 4.0 to 4.4 (2011-2013)",
"evidence":"vm=dalvik, version 2 or 3"}
ROWS
echo >>json
claim "JSON is one object per line" prints json dmtrace info -f jsonl a.trace

names=$(tr '\n' ' ' <<'ROWS'
file container version version_key record_size data_offset clock vm start
duration_ns threads methods events enter exit unroll reserved overflow
findings per_thread error stage writer evidence
ROWS
)

# The JSON of threads with the quotes doubled as CSV has them, or with the
# backslash doubled as TSV has it.
threads='[{"thread":1,"thread_name":"main","events":3,'
threads=$threads'"first_ns":10000,"last_ns":1400001000},'
threads=$threads'{"thread":300,"thread_name":null,"events":1,'
threads=$threads'"first_ns":101000,"last_ns":101000},'
threads=$threads'{"thread":65535,"thread_name":"Bin\"der","events":1,'
threads=$threads'"first_ns":100000,"last_ns":100000}]'
writer='Dalvik, Android 4.0 to 4.4 (2011-2013)'
evidence='vm=dalvik, version 2 or 3'
{
	printf '%s' "$names" | tr ' ' '\t' | sed 's/.$//'
	echo
	printf 'a.trace joined 3 3 14 32 dual dalvik @ 1399991000 ' |
	    tr ' ' '\t' |
	    sed 's/@/{"raw":"1322079161000123","kind":"epoch"}/'
	printf '3 1 5 3 1 1 0 false [] ' | tr ' ' '\t'
	printf '%s\t\t\t%s\t%s\n' "$threads" "$writer" "$evidence" |
	    sed 's/\\/\\\\/'
} >tsv
claim "TSV has a row" prints tsv dmtrace info -f tsv a.trace
{
	printf '%s' "$names" | tr ' ' ',' | sed 's/.$//'
	printf '\r\na.trace,joined,3,3,14,32,dual,dalvik,'
	printf '"{""raw"":""1322079161000123"",""kind"":""epoch""}",'
	printf '1399991000,3,1,5,3,1,1,0,false,[],'
	printf '"%s",,,"%s","%s"\r\n' \
	    "$(printf '%s' "$threads" | sed 's/"/""/g')" "$writer" "$evidence"
} >csv
claim "CSV has a row" prints csv dmtrace info -f csv a.trace

# shows TEXT ARGUMENT...: exit 0, and the text on stdout
shows()
{
	text=$1
	shift
	exits 0 dmtrace info "$@" >printed && has "$text" printed
}

{ key 3 false wall art; header "$boot"; records; } >boot.trace
{ key 3 false dual ''; header "$sec_usec"; records; } >sec.trace
claim "a time since boot is reported" \
    shows '12345.678901 s after boot' boot.trace
claim "a time since boot is reported in JSON" \
    shows '"raw":"12345678901","kind":"boot"' \
    -f jsonl boot.trace
claim "seconds and microseconds are reported" \
    shows '2009-02-13T23:31:30.054321Z (seconds in' sec.trace
claim "seconds and microseconds are reported in JSON" \
    shows '"raw":"5302428712241779761","kind":"sec_usec"' \
    --format json sec.trace

for command in convert merge; do
	dmtrace $command -q -d v5 -o ns.trace sec.trace
	claim "$command writes them as nanoseconds" \
	    shows '2009-02-13T23:31:30.054321Z' ns.trace
done

# Each row: the VERSION, CLOCK, VM, OPTION and START of a trace, and its writer
while IFS='|' read -r version clock vm option start writer; do
	{
		printf '*version\n%s\nclock=%s\n' "$version" "$clock"
		[ -z "$vm" ] || printf 'vm=%s\n' "$vm"
		[ -z "$option" ] || printf '%s\n' "$option"
		printf '*threads\n*methods\n*end\n'
		printf "SLOW\\00$version\\000\\040\\000"
		case $start in
		epoch) printf "$epoch" ;;
		boot) printf "$boot" ;;
		*) printf "$sec_usec" ;;
		esac
		[ "$version" != 3 ] && printf '\000' || printf '\016'
		printf '\000\000\000\000\000\000\000'
		printf '\000\000\000\000\000\000\000\000'
	} >w.trace
	claim "vm=$vm $option $start, version $version: $writer" \
	    shows "writer      $writer" w.trace
done <<'ROWS'
1|thread-cpu|dalvik||epoch|Dalvik, Android 1.0 to 2.3 (2008-2010): vm=
2|wall|dalvik||epoch|Dalvik, Android 4.0 to 4.4 (2011-2013): vm=
3|dual|art|pid=7|boot|ART, Android 6 or later (since 2015): vm=art and a pid
3|dual|art||boot|ART, Android 4.4 to 5.1 (2013-2015): vm=art without
3|dual|art|pid=7|epoch|this library, or another program that is not ART: vm=art
2|wall|art|dmtrace-dropped=3|epoch|this library's recorder: an option
1|global|||sec_usec|CreateTestTrace: a start time of seconds and
1|global|||epoch|Dalvik before Android 1.0: clock=global
1|wall|||epoch|unknown
ROWS

# The others: streams, format V2, data as text.
data=$srcdir/tests/data
dmtrace generate -q --dialect=v3 --events=20 -o plain.trace
for stage in c e f; do
	dmtrace convert -q -d v5 --stage=$stage -o stage-$stage.trace \
	    plain.trace
done
dmtrace convert -q -d f3 -o stream.trace plain.trace
head -c 105 "$data/good-stream-f2.trace" >apart.trace
tail -c 52 "$data/good-stream-f2.trace" >apart.trace.sec
{
	printf '*version\n2\nclock=wall\n*threads\n*methods\n*end\n'
	printf 'SLOW\2\0\020\0\0\0\0\0\0\0\0\0' | base64
} >text.trace
# the block of stage B of one event
{
	printf 'SLOW\4\0\0\020\245\324\350\0\0\0%18s' '' | tr ' ' '\0'
	printf '\1\0\20\0\7\0\0\0\0\7\0A\tm\t()\n'
	printf '\2\1\0\0\0\0\20\0\7\0\0\0\0\1\0\0\0\1\0\2\0\1\4'
} >stage-b.trace
# and of a dump of long-running methods: its enter
printf '\2\1\0\0\0\1\0\0\6\0\0\0\12\200\240\200\70\1' >dump.trace
while IFS='|' read -r file writer; do
	dmtrace info -q "$file" >info
	claim "$writer" has "writer      $writer" info
done <<ROWS
stage-b.trace|ART, Android 15 (2024): format V2, blocks that hold their
stage-c.trace|ART, Android 15 and its updates (2024-2025): format V2
stage-e.trace|ART since March 2025: format V2, blocks of differences in nano
stage-f.trace|unknown: format V2 in the form that Perfetto reads
dump.trace|ART since 2025, a dump of long-running methods: packets
stream.trace|ART, Android 6 or later (since 2015): a stream
apart.trace|ART, Android 6 or 7 (2015-2016): a stream whose summary is another
$data/good-stream-odd.trace|ART, Android 6 to 13 (2015-2022): a stream of one
text.trace|a library for measuring apps: data as base64 text
ROWS

dmtrace info -q "$data/good-stream-odd.trace" >info
claim 'the size of records is the real one' \
    has '(0xF2); records of 14 bytes after a header of 32' info

# Records of version 1: threads 1 and 2, from 7 and 9 us, for 3 and 90 us.
version1()
{
	printf '*version\n1\nclock=%s\nvm=%s\n' "$1" "$2"
	printf '*threads\n*methods\n*end\n'
	printf 'SLOW\001\000\020\000\000\000\000\000\000\000\000\000'
	printf '\001\004\000\000\000\007\000\000\000'
	printf '\002\004\000\000\000\011\000\000\000'
	printf '\001\005\000\000\000\012\000\000\000'
	printf '\002\005\000\000\000\143\000\000\000'
}

version1 wall dalvik >dalvik.trace
version1 global other >global.trace
version1 wall other >other.trace
version1 thread-cpu other >cpu.trace
for file in dalvik global cpu; do
	claim "the duration is that of a thread ($file)" \
	    shows '"duration_ns":90000' -f jsonl "$file.trace"
done
claim "the duration is that of all threads if they share a clock" \
    shows '"duration_ns":92000' -f jsonl other.trace

{ key 3 true dual art; header "$epoch"; } >overflow.trace
claim "an overflow is reported" shows '"overflow":true' -f jsonl overflow.trace
claim "a trace without records has no duration" \
    shows '"duration_ns":null' -f jsonl overflow.trace

nothing_printed()
{
	replies "$@" && [ ! -s printed ]
}

# prints_text TEXT ARGUMENT...: exit 1, the text on stdout, nothing on stderr
prints_text()
{
	text=$1
	shift
	exits 1 dmtrace info "$@" >printed 2>said || return 1
	[ ! -s said ] || { cat said; return 1; }
	has "$text" printed
}

head -c "$(($(wc -c <a.trace) - 1))" a.trace >cut.trace
{ key 3 false dual art; printf 'SLOW is what it is, but no header'; } \
    >garbage.trace
key 3 false dual art >only.key
header "$epoch" >alone.data
{ header "$epoch"; records; } >a.data
key 3 false dual art >a.key
{ printf 'SLOW\363\000\040\000\000\000\000\000\000\000\000\000\016\000'
    head -c 14 /dev/zero; } >stream.trace
mkdir folder
: >empty

at=$((key_size + 32 + 4 * 14))
claim "a truncated record is an error" \
    prints_text "error       byte $at: the last record is truncated" cut.trace
claim "a truncated record is an error in JSON" prints_text \
    "{\"finding\":\"record-partial\",\"severity\":\"error\",\"count\":1,\
\"line\":null,\"byte\":$at," -q -f jsonl cut.trace
claim "the error is also reported on standard error" \
    replies 1 "cut.trace: byte $at: the last record" \
    dmtrace info -f jsonl cut.trace
claim "the complete records are counted" has '"events":4,' printed
claim "the key is reported if the data is garbage" \
    prints_text '"version":null,"version_key":3,"record_size":null,' \
    -q -f jsonl garbage.trace
claim "the error in the data is reported" has '"finding":"data-unreadable"' \
    printed
claim "the error in the data is reported in text" \
    prints_text "3 according to the key; the data cannot be read" \
    garbage.trace
claim "a key without data is reported" prints_text "container   key" only.key
claim "the missing data is reported" has "data-missing" printed
claim "a pair is one trace in the report" \
    shows '"container":"pair"' -f jsonl a.key
claim "a data file names the pair" \
    shows '"container":"pair"' -f jsonl a.data
# unreadable TEXT FILE: exit 2, and the text on stderr, once, and in a file
unreadable()
{
	replies 2 "$1" dmtrace info "$2" && [ ! -s printed ] || return 1
	replies 2 "$1" dmtrace info -o report "$2" &&
	    has "file        $2" report && grep -q "^error       ." report &&
	    [ "$(wc -l <report)" -eq 2 ]
}
claim "data without a key is not a trace" unreadable alone.data alone.data
claim "a stream is a trace" \
    shows 'version     3 as a stream (0xF3); records of 14 ' stream.trace
claim "its container is stream" has 'container   stream' printed
claim "a missing file is reported" \
    unreadable "cannot open missing: No such file" missing
claim "a folder is not a trace" unreadable folder folder
claim "an empty file is not a trace" unreadable "empty: empty" empty

claim "other files are reported if one cannot be read" \
    replies 2 missing dmtrace info -f jsonl a.trace missing boot.trace
claim "the report has a line for each file" [ "$(wc -l <printed)" -eq 3 ]
# whole FORM: the report has each operand, and takes the place of an old one
whole()
{
	echo stale >report
	exits 2 dmtrace info -q -f "$1" -o report a.trace missing cut.trace \
	    boot.trace 2>error || return 1
	for file in a.trace missing cut.trace boot.trace; do
		has "$file" report || return 1
	done
	has 'cannot open missing: No such file or directory' report &&
	    ! grep -q stale report
}
for form in text json csv tsv; do
	claim "the report in $form has all operands" whole $form
done
claim "the last line is that of the last operand" sh -c '
    dmtrace info -f tsv -o report a.trace missing 2>error
    [ "$(sed -n "1p" report | tr "\t" "\n" | wc -l)" -eq 24 ] &&
    [ "$(tail -n 1 report | tr "\t" "\n" | wc -l)" -eq 24 ] &&
    [ "$(tail -n 1 report | cut -f 1,21 | tr "\t" "|")" = \
    "missing|cannot open missing: No such file or directory" ]'
claim "the exit status is the worst of all operands" \
    exits 1 dmtrace info a.trace cut.trace a.trace
claim "in text a blank line separates traces" \
    [ "$(dmtrace info a.trace a.trace |
    grep -c '^$')" -eq 3 ]

from_pipe()
{
	cat a.trace | dmtrace info - | sed 's/-$/a.trace/' | cmp - text
}

to_file()
{
	dmtrace info a.trace --output=out && cmp text out
}

claim "- is standard input" from_pipe
claim "-o names a file" to_file
claim "an output that is the input is refused" \
    nothing_printed 2 "both the input" \
    dmtrace info -oa.trace a.trace
claim "an output that is one half of the input is refused" \
    nothing_printed 2 "both the input" \
    dmtrace info -o a.data a.key
claim "an output that is an unreadable input is refused" sh -c '
    cp empty kept && ! dmtrace info -f csv -o empty a.trace empty 2>error &&
    cmp empty kept'

# Times above 2^63 ns are those that a wall clock has after 292 years.
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n*methods\n'
	printf '0x4\tp/A\ta\t()V\n*end\n'
	printf 'SLOW\2\0\40\0\0\0\0\0\0\0\0\0'
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	long_records
	long_records
} >long.trace
claim "times above 2^63 ns are not negative" \
    shows '1   8,388,608       0 s 5004000 h  main' long.trace
rm long.trace
claim "the input is unchanged" prints text dmtrace info a.trace
finish
