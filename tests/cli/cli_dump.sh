#!/bin/sh
# cli_dump.sh - records as lines, for people and for programs

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/record.sh"

tab=$(printf '\t')

# Thread 300 is not listed, nor is method 0x80000010; the name of the second
# method would set the colour of a terminal.
write_key()
{
	printf '*version\n3\nclock=dual\n*threads\n1\tmain\n65535\tBin\tder\n'
	printf '*methods\n0x4\tcom/a/B\trun\t(I)V\tB.java\t7\n'
	printf '0x8\tx,"y"\t\033[31m\\\303\374\t\n0xc\t\tf\t()J\n*end\n'
}

header()
{
	printf 'SLOW\003\000\040\000\001\002\003\004\005\006\007\000'
	printf '\016\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
}

# 14 bytes each: thread, method word, CPU, wall time.
records()
{
	printf '\001\000\005\000\000\000\001\000\000\000\002\000\000\000'
	printf '\001\000\004\000\000\000\003\000\000\000\015\000\000\000'
	printf '\001\000\010\000\000\000\144\000\000\000\300\134\025\000'
	printf '\377\377\014\000\000\000\001\000\000\000\301\134\025\000'
	printf '\001\000\012\000\000\000\145\000\000\000\302\134\025\000'
	printf '\054\001\020\000\000\200\377\377\377\377\303\134\025\000'
	printf '\001\000\005\000\000\000\146\000\000\000\304\134\025\000'
}

{ write_key; header; records; } >a.trace
write_key >p.key
{ header; records; } >p.data

# In these, "@" is bytes of a name and "~" a TAB; three lines of JSON are one.
cat >text <<'ROWS'
wall and CPU time, ordered by time
      wall s        CPU s  thread          action    method
    0.000002     0.000001      1 main      exit     com.a.B.run(I)V
    0.000013     0.000003      1 main      enter     com.a.B.run(I)V
    1.400000     0.000100      1 main      enter      x,"y".\x1b[31m\\\xc3\xfc
    1.400001     0.000001  65535 Bin\tder  enter     f()J
    1.400002     0.000101      1 main      unroll     x,"y".\x1b[31m\\\xc3\xfc
    1.400003  4294.967295    300           enter     0x80000010
    1.400004     0.000102      1 main      exit      com.a.B.run(I)V
ROWS
tr '~' '\t' >tsv <<'ROWS'
thread~action~id~cpu_ns~wall_ns~depth~class~name~signature~thread_name
1~exit~0x4~1000~2000~0~com/a/B~run~(I)V~main
1~enter~0x4~3000~13000~1~com/a/B~run~(I)V~main
1~enter~0x8~100000~1400000000~2~x,"y"~\x1b[31m\\\xc3\xfc~~main
65535~enter~0xc~1000~1400001000~1~~f~()J~Bin\tder
1~unroll~0x8~101000~1400002000~2~x,"y"~\x1b[31m\\\xc3\xfc~~main
300~enter~0x80000010~4294967295000~1400003000~1~~~~
1~exit~0x4~102000~1400004000~1~com/a/B~run~(I)V~main
ROWS
cat >marked.csv <<'ROWS'
thread,action,id,cpu_ns,wall_ns,depth,class,name,signature,thread_name
1,exit,0x4,1000,2000,0,com/a/B,run,(I)V,main
1,enter,0x4,3000,13000,1,com/a/B,run,(I)V,main
1,enter,0x8,100000,1400000000,2,"x,""y""",@,,main
65535,enter,0xc,1000,1400001000,1,,f,()J,Bin	der
1,unroll,0x8,101000,1400002000,2,"x,""y""",@,,main
300,enter,0x80000010,4294967295000,1400003000,1,,,,
1,exit,0x4,102000,1400004000,1,com/a/B,run,(I)V,main
ROWS
paste -d '\0' - - - >marked.jsonl <<'ROWS'
{"thread":1,"action":"exit","id":"0x4","cpu_ns":1000,"wall_ns":2000,
"depth":0,"class":"com/a/B","name":"run","signature":"(I)V",
"thread_name":"main"}
{"thread":1,"action":"enter","id":"0x4","cpu_ns":3000,"wall_ns":13000,
"depth":1,"class":"com/a/B","name":"run","signature":"(I)V",
"thread_name":"main"}
{"thread":1,"action":"enter","id":"0x8","cpu_ns":100000,
"wall_ns":1400000000,"depth":2,"class":"x,\"y\"",
"name":"\u001b[31m\\@@","signature":null,"thread_name":"main"}
{"thread":65535,"action":"enter","id":"0xc","cpu_ns":1000,
"wall_ns":1400001000,"depth":1,"class":null,"name":"f",
"signature":"()J","thread_name":"Bin\u0009der"}
{"thread":1,"action":"unroll","id":"0x8","cpu_ns":101000,
"wall_ns":1400002000,"depth":2,"class":"x,\"y\"",
"name":"\u001b[31m\\@@","signature":null,"thread_name":"main"}
{"thread":300,"action":"enter","id":"0x80000010","cpu_ns":4294967295000,
"wall_ns":1400003000,"depth":1,"class":null,"name":null,
"signature":null,"thread_name":null}
{"thread":1,"action":"exit","id":"0x4","cpu_ns":102000,
"wall_ns":1400004000,"depth":1,"class":"com/a/B","name":"run",
"signature":"(I)V","thread_name":"main"}
ROWS
name=$(printf '\033[31m\\\\\303\374.')
LC_ALL=C sed "s/@/${name%.}/; s/\$/$(printf '\r')/" marked.csv >csv
replacement=$(printf '\357\277\275')
LC_ALL=C sed "s/@/$replacement/g" marked.jsonl >jsonl
{ echo '['; sed '$!s/$/,/' jsonl; echo ']'; } >json

claim "text has aligned columns" prints text dmtrace dump a.trace
for form in text tsv csv json jsonl; do
	claim "$form has every record" prints "$form" dmtrace dump -f "$form" \
	    a.trace
	claim "$form of a pair is the same" prints "$form" \
	    dmtrace dump "--format=$form" p.key
done
claim "a data file names the pair" prints text dmtrace dump p.data
by_ids()
{
	dmtrace dump -m 0x80000010 a.trace >by-id
	for pattern in '0x8*' '/^0x/'; do
		dmtrace dump -m "$pattern" a.trace 2>&1 | cmp by-id - ||
		    return
	done
	dmtrace dump -m '*' a.trace 2>&1 | cmp text -
}
claim "patterns match the ids of methods that the key does not list" by_ids
claim "the base name names the pair" prints text dmtrace dump p
claim "the base name names a joined file" prints text dmtrace dump a

from_pipe()
{
	cat a.trace | prints text dmtrace dump -
}

to_file()
{
	dmtrace dump -o out "$@" a.trace && cmp text out
}

claim "- is standard input" from_pipe
claim "-o names a file" to_file
claim "--output=- is standard output" prints text dmtrace dump --output=- \
    a.trace

# A thread without a CPU clock, or without a wall clock, in 10-byte records.
single()
{
	printf '*version\n2\nclock=%s\n*threads\n*methods\n*end\n' "$1"
	printf 'SLOW\002\000\020\000\000\000\000\000\000\000\000\000'
	printf '\002\000\004\000\000\000\203\004\000\000'
}

single thread-cpu >cpu.trace
single wall >wall.trace
cat >cpu.text <<'ROWS'
CPU time, in file order: threads have no time in common
       CPU s  thread  action    method
    0.001155  2        enter     0x4
ROWS
claim "a trace with one clock has one column of times" \
    prints cpu.text dmtrace dump cpu.trace
sed -e '1s/.*/wall time, ordered by time/' -e 's/^       CPU s/      wall s/' \
    cpu.text >wall.text
claim "a trace with CPU time has the other column" \
    prints wall.text dmtrace dump wall.trace
{ head -n 1 tsv; printf '2\tenter\t0x4\t1155000\t\t1\t\t\t\t\n'; } >cpu.tsv
claim "an absent time is an empty cell" \
    prints cpu.tsv dmtrace dump -f tsv cpu.trace
{
	printf '{"thread":2,"action":"enter","id":"0x4","cpu_ns":null,'
	printf '"wall_ns":1155000,"depth":1,"class":null,"name":null,'
	printf '"signature":null,"thread_name":null}\n'
} >wall.json
claim "an absent time is null in JSON" \
    prints wall.json dmtrace dump -f jsonl wall.trace

# deep DEPTH: so many enters, then as many exits
deep()
{
	printf '*version\n1\nclock=wall\n*threads\n1\tm\n'
	printf '*methods\n0x4\tA\tb\t()V\n*end\n'
	printf 'SLOW\001\000\020\000\000\000\000\000\000\000\000\000'
	for word in 004 005; do
		i=0
		while [ "$i" -lt "$1" ]; do
			printf "\\001\\$word\\000\\000\\000\\007\\000\\000\\000"
			i=$((i + 1))
		done
	done
}

# The line of an action at a depth, with what stands before the method.
line()
{
	printf '    0.000007  1 m     %-9s%sA.b()V\n' "$1" "$2"
}

blanks64=$(printf '%64s.' '')
blanks64=${blanks64%.}
deep 66 >deep.trace
{
	line enter "${blanks64% }"
	line enter "$blanks64"
	line enter "${blanks64}[65] "
	line enter "${blanks64}[66] "
	line exit "${blanks64}[66] "
	line exit "${blanks64}[65] "
	line exit "$blanks64"
} >deep.text

turn()
{
	dmtrace dump deep.trace | sed -n 65,71p | cmp - deep.text
}

claim "indentation ends at 64, and the depth follows" turn

each_depth_twice()
{
	dmtrace dump -f tsv deep.trace | cut -f 6 | sort -n | uniq -c >depths
	[ "$(awk '$1 == 2' depths | wc -l)" -eq 66 ]
}

claim "an exit has the depth of its enter" each_depth_twice

# Nothing was printed, or no file made.
nothing_printed()
{
	replies "$@" && [ ! -s printed ] && [ ! -e out ]
}

rm -f out
write_key >only.key
printf 'no trace at all' >text.txt
{
	cat a.trace
	printf '\001\000\023\000\000\000\146\000\000\000\304\134\025\000'
	printf '\001\000\027\000\000\000\146\000\000\000\304\134\025\000'
} >reserved.trace
size=$(wc -c <a.trace)
head -c $((size - 3)) a.trace >cut.trace
mkdir folder

claim "a partial record is an error, and the others are printed" \
    replies 1 "cut.trace: byte $((size - 14)): the last record is truncated" \
    dmtrace dump -f tsv cut.trace
claim "all complete records are printed" [ "$(wc -l <printed)" -eq 7 ]
claim "errors of one name are reported on one line" \
    replies 1 "reserved.trace: byte $size: record with the reserved action 3" \
    dmtrace dump -f tsv reserved.trace
claim "the reserved action has no depth" \
    grep -q "^1${tab}reserved${tab}0x10${tab}.*${tab}0$tab" printed
claim "a missing file is named" \
    nothing_printed 2 "cannot open missing: No such file" dmtrace dump missing
claim "a folder is not a trace" nothing_printed 2 folder dmtrace dump folder
claim "text is not a trace" nothing_printed 2 text.txt \
    dmtrace dump text.txt -o out
claim "a key without data has no records" nothing_printed 2 only.key \
    dmtrace dump only.key -o out
claim "an output that is the input is refused" \
    nothing_printed 2 "a.trace is both the input and the output" \
    dmtrace dump -o a.trace a.trace
claim "an output that is one half of the input is refused" \
    nothing_printed 2 "p.data is both the input and the output" \
    dmtrace dump -o p.data p.key
claim "the input is unchanged" prints text dmtrace dump p
claim "standard output that is the input is refused" \
    replies 2 "a.trace is both" \
    sh -c 'dmtrace dump a.trace >>a.trace'
claim "a missing folder is reported" \
    nothing_printed 2 "none/out" dmtrace dump a.trace -o none/out
claim "--dmtracedump refuses other forms" \
    replies 2 "--dmtracedump cannot be used with -f" \
    dmtrace dump --dmtracedump -f csv a.trace

# A limit of no bytes: the messages go to a pipe, the report to no file.
limited()
{
	(ulimit -f 0; exits 2 dmtrace dump -o limited a.trace 2>&1) | cat >said
	has "File too large" said && ! ls -A | grep -e limited -e '[.]tmp$'
}
claim "the limit on file sizes is reported, and no file is left" limited

[ -c /dev/full ] && claim "a full disk is noticed" \
    replies 2 "cannot write" sh -c 'dmtrace dump a.trace >/dev/full'

# More than a pipe holds: the first record, 2^14 times.
records | head -c 14 >some
i=0
while [ "$i" -lt 14 ]; do
	cat some some >more
	mv more some
	i=$((i + 1))
done
{ write_key; header; cat some; } >long.trace

closed_pipe()
{
	dmtrace dump long.trace 2>said | head -n 3 >first
	head -n 3 text | cmp - first && [ ! -s said ]
}

closed_pipe_unheard()
{
	(
		trap '' PIPE
		dmtrace dump long.trace 2>said
		echo $? >status
	) | head -n 1 >first
	[ ! -s said ] && [ "$(cat status)" -eq 0 ]
}

# A key of version 2 with a method for each of 4, 8 and 12, and its header.
made()
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n2\tother\n'
	printf '*methods\n0x4\tA\ta\t()V\n0x8\tA\tb\t()V\n0xc\tA\tc\t()V\n'
	printf '*end\nSLOW\2\0\40\0\0\0\0\0\0\0\0\0'
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	for record in "$@"; do
		record $record
	done
}

# Blocks of two threads: c was open before, and b, in a, at the end.
made '1 13 1' '1 4 10' '1 8 20' '1 9 23' '1 8 60' '2 8 5' '2 4 15' '2 12 17' \
    '2 9 40' '2 4 41' '2 5 44' >blocks.trace
cat >ordered <<'ROWS'
wall time, ordered by time
      wall s  thread   action    method
    0.000001  1 main   exit     A.c()V
    0.000005  2 other  enter     A.b()V
    0.000010  1 main   enter     A.a()V
    0.000015  2 other  enter      A.a()V
    0.000017  2 other  enter       A.c()V
    0.000020  1 main   enter      A.b()V
    0.000023  1 main   exit       A.b()V
    0.000040  2 other  exit      A.b()V
    0.000041  2 other  enter     A.a()V
    0.000044  2 other  exit      A.a()V
    0.000060  1 main   enter      A.b()V
ROWS
claim "text is ordered by time" prints ordered dmtrace dump blocks.trace
claim "text of a pipe is ordered by time" prints ordered \
    sh -c 'cat blocks.trace | dmtrace dump -'
threads_of_rows()
{
	dmtrace dump -f tsv blocks.trace | cut -f 1 | tr -d '\n'
}
printf thread11111222222 >in-blocks
claim "other forms are in the order of the file" \
    prints in-blocks threads_of_rows

cat >calls <<'ROWS'
wall time, ordered by time
         start   duration   in whole thread  call
    0.000001 s                            1  } A.c
    0.000005 s    35.0 us                 2  A.b {
    0.000010 s    50.0 us    no exit      1  A.a {
    0.000015 s    25.0 us                 2    A.a {
    0.000017 s    23.0 us                 2      A.c;
    0.000020 s    3.00 us                 1    A.b;
    0.000040 s                            2    }
    0.000040 s                            2  }
    0.000041 s    3.00 us                 2  A.a;
    0.000060 s        0 s    no exit      1    A.b {
ROWS
claim "calls have durations" prints calls dmtrace dump --calls blocks.trace
claim "the heading of calls names the clock of their times" sh -c '
    dmtrace generate -q --events=9 -d v3 |
    dmtrace dump --calls - | grep -qx "wall time, ordered by time"'
claim "calls of a pipe have durations" prints calls \
    sh -c 'cat blocks.trace | dmtrace dump --calls -'
cat >main <<'ROWS'
thread 1 main, wall time, ordered by time
         start   duration   in whole  call
    0.000010 s    50.0 us    no exit  A.a {
    0.000020 s    3.00 us               A.b;
    0.000060 s        0 s    no exit    A.b {
ROWS
claim "a single thread has no column" prints main \
    dmtrace dump --calls -t main -m A.a -m A.b blocks.trace
cat >long-calls <<'ROWS'
wall time, ordered by time
         start   duration   in whole thread  call
    0.000005 s    35.0 us                 2  A.b {
    0.000010 s        0 s    no exit      1  A.a {
    0.000015 s    25.0 us                 2    A.a;
    0.000040 s                            2  }
ROWS
claim "calls can be selected by duration" prints long-calls \
    dmtrace dump --calls --min-time=24us blocks.trace
selected()
{
	dmtrace dump -f tsv "$@" blocks.trace | tail -n +2 |
	    awk -F '\t' '{ printf "%s%s%s ", $1, substr($2, 1, 1), $5 / 1000 }'
}
while read -r option rows; do
	printf '%s ' $rows >wanted
	claim "$option selects events" prints wanted selected "$option"
done <<'ROWS'
--thread=other 2e5 2e15 2e17 2e40 2e41 2e44
--method=A.c 1e1 2e17
--depth=3..3 2e17
ROWS
claim "an empty selection exits with 1" replies 1 "nothing is selected" \
    dmtrace dump --from=1s blocks.trace
: >none
claim "an empty selection has no heading" prints none \
    sh -c 'dmtrace dump -t 7 blocks.trace || :'
claim "an empty selection of calls has no heading" prints none \
    sh -c 'dmtrace dump --calls --from=1s blocks.trace || :'
claim "an unknown thread exits with 2" replies 2 \
    'no such thread: "mian" (did you mean main?)' \
    dmtrace dump -t mian blocks.trace
tr '~' '\t' >rows <<'ROWS'
thread~start_ns~duration_ns~exclusive_ns~cut~whole_ns~depth~name~caller_name
2~5000~35000~10000~false~~1~b~
1~10000~50000~47000~true~~1~a~
2~15000~25000~2000~false~~2~a~b
2~17000~23000~23000~false~~3~c~a
1~20000~3000~3000~false~~2~b~a
2~41000~3000~3000~false~~1~a~
1~60000~0~0~true~~2~b~a
ROWS
claim "--calls has rows for programs" sh -c '
    dmtrace dump --calls -f tsv blocks.trace | cut -f 1,3-8,11,14 |
    sort -n -k 2,2 | cmp rows -'
cat >window <<'ROWS'
thread 2 other, wall time, ordered by time
         start   duration   in whole  call
    0.000016 s    10.0 us    35.0 us  A.b {
    0.000016 s    10.0 us    25.0 us    A.a {
    0.000017 s    9.00 us    23.0 us      A.c;
    0.000026 s                          }
    0.000026 s                        }
ROWS
claim "calls that a window cuts have their whole durations" prints window \
    dmtrace dump --calls -t other --from=16us --to=26us blocks.trace
claim "a call that no window cuts has no second duration" sh -c '
    ! dmtrace dump --calls -t other --to=1s blocks.trace | grep "in whole"'

claim "--invert prints the other events" sh -c '
    dmtrace dump -f tsv blocks.trace | sort >all
    dmtrace dump -f tsv -t other blocks.trace | sed 1d >some
    dmtrace dump -f tsv -t other --invert blocks.trace | cat - some | sort |
    cut -f 1-6 >both
    [ -s some ] && cut -f 1-6 all | cmp - both'
claim "--invert refuses a window" says \
    '--invert cannot be used with --from and --to' \
    dmtrace dump --invert -t other --from=1us blocks.trace

claim "it ends quietly if the reader closes the pipe" closed_pipe
claim "it ends quietly even if SIGPIPE is ignored" closed_pipe_unheard
finish
