#!/bin/sh
# cli_dump.sh - records as lines, for people and for programs

. "$srcdir/tests/claim.sh"

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
    0.000002     0.000001      1 main      exit     com/a/B.run (I)V
    0.000013     0.000003      1 main      enter     com/a/B.run (I)V
    1.400000     0.000100      1 main      enter      x,"y".\x1b[31m\\\xc3\xfc
    1.400001     0.000001  65535 Bin\tder  enter     f ()J
    1.400002     0.000101      1 main      unroll     x,"y".\x1b[31m\\\xc3\xfc
    1.400003  4294.967295    300           enter     0x80000010
    1.400004     0.000102      1 main      exit      com/a/B.run (I)V
ROWS
tr '~' '\t' >tsv <<'ROWS'
thread~action~method~cpu_ns~wall_ns~depth~class~name~signature
1~exit~0x4~1000~2000~0~com/a/B~run~(I)V
1~enter~0x4~3000~13000~1~com/a/B~run~(I)V
1~enter~0x8~100000~1400000000~2~x,"y"~\x1b[31m\\\xc3\xfc~
65535~enter~0xc~1000~1400001000~1~~f~()J
1~unroll~0x8~101000~1400002000~2~x,"y"~\x1b[31m\\\xc3\xfc~
300~enter~0x80000010~4294967295000~1400003000~1~~~
1~exit~0x4~102000~1400004000~1~com/a/B~run~(I)V
ROWS
cat >marked.csv <<'ROWS'
thread,action,method,cpu_ns,wall_ns,depth,class,name,signature
1,exit,0x4,1000,2000,0,com/a/B,run,(I)V
1,enter,0x4,3000,13000,1,com/a/B,run,(I)V
1,enter,0x8,100000,1400000000,2,"x,""y""",@,
65535,enter,0xc,1000,1400001000,1,,f,()J
1,unroll,0x8,101000,1400002000,2,"x,""y""",@,
300,enter,0x80000010,4294967295000,1400003000,1,,,
1,exit,0x4,102000,1400004000,1,com/a/B,run,(I)V
ROWS
paste -d '\0' - - - >marked.json <<'ROWS'
{"thread":1,"action":"exit","method":"0x4","cpu_ns":1000,"wall_ns":2000,
"depth":0,"class":"com/a/B","name":"run","signature":"(I)V"}

{"thread":1,"action":"enter","method":"0x4","cpu_ns":3000,"wall_ns":13000,
"depth":1,"class":"com/a/B","name":"run","signature":"(I)V"}

{"thread":1,"action":"enter","method":"0x8","cpu_ns":100000,
"wall_ns":1400000000,"depth":2,
"class":"x,\"y\"","name":"\u001b[31m\\@@","signature":""}
{"thread":65535,"action":"enter","method":"0xc","cpu_ns":1000,
"wall_ns":1400001000,"depth":1,"class":"","name":"f","signature":"()J"}

{"thread":1,"action":"unroll","method":"0x8","cpu_ns":101000,
"wall_ns":1400002000,"depth":2,
"class":"x,\"y\"","name":"\u001b[31m\\@@","signature":""}
{"thread":300,"action":"enter","method":"0x80000010","cpu_ns":4294967295000,
"wall_ns":1400003000,"depth":1,"class":"","name":"","signature":""}

{"thread":1,"action":"exit","method":"0x4","cpu_ns":102000,
"wall_ns":1400004000,
"depth":1,"class":"com/a/B","name":"run","signature":"(I)V"}
ROWS
name=$(printf '\033[31m\\\\\303\374.')
LC_ALL=C sed "s/@/${name%.}/; s/\$/$(printf '\r')/" marked.csv >csv
replacement=$(printf '\357\277\275')
LC_ALL=C sed "s/@/$replacement/g" marked.json >json

claim "text is for people" prints text dmtrace dump a.trace
for form in text tsv csv json; do
	claim "$form has every record" prints "$form" dmtrace dump -f "$form" \
	    a.trace
	claim "$form of a pair is the same" prints "$form" \
	    dmtrace dump "--format=$form" p.key
done
claim "the other half names the pair too" prints text dmtrace dump p.data
claim "so does the base" prints text dmtrace dump p
claim "the base of a joined file does" prints text dmtrace dump a

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
printf '    0.001155  2   enter     0x4\n' >cpu.text
claim "one clock is one column" prints cpu.text dmtrace dump cpu.trace
claim "whichever it is" prints cpu.text dmtrace dump wall.trace
{ head -n 1 tsv; printf '2\tenter\t0x4\t1155000\t\t1\t\t\t\n'; } >cpu.tsv
claim "an absent time is empty" prints cpu.tsv dmtrace dump -f tsv cpu.trace
{
	printf '{"thread":2,"action":"enter","method":"0x4","cpu_ns":null,'
	printf '"wall_ns":1155000,"depth":1,"class":"","name":"",'
	printf '"signature":""}\n'
} >wall.json
claim "or null" prints wall.json dmtrace dump -f json wall.trace

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
	printf '    0.000007  1 m  %-9s%sA.b ()V\n' "$1" "$2"
}

blanks64=$(printf '%64s.' '')
blanks64=${blanks64%.}
deep 66 >deep.trace
{
	line enter "${blanks64% }"
	line enter "$blanks64"
	line enter "${blanks64}65 "
	line enter "${blanks64}66 "
	line exit "${blanks64}66 "
	line exit "${blanks64}65 "
	line exit "$blanks64"
} >deep.text

turn()
{
	dmtrace dump deep.trace | sed -n 63,69p | cmp - deep.text
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
    replies 1 "cut.trace: byte $((size - 14)): the last record is cut short" \
    dmtrace dump -f tsv cut.trace
claim "they are all there" [ "$(wc -l <printed)" -eq 7 ]
claim "errors of one kind are one line" \
    replies 1 "reserved.trace: byte $size: record with the reserved action 3" \
    dmtrace dump -f tsv reserved.trace
claim "the reserved action has no depth" \
    grep -q "^1${tab}reserved${tab}0x10${tab}.*${tab}0$tab" printed
claim "a missing file is named" \
    nothing_printed 2 "cannot open missing: No such file" dmtrace dump missing
claim "a folder is no trace" nothing_printed 2 folder dmtrace dump folder
claim "text is no trace" nothing_printed 2 text.txt \
    dmtrace dump text.txt -o out
claim "a key without data has no records" nothing_printed 2 only.key \
    dmtrace dump only.key -o out
claim "the input is not the output" \
    nothing_printed 2 "a.trace is both the input and the output" \
    dmtrace dump -o a.trace a.trace
claim "nor is a half of it" \
    nothing_printed 2 "p.data is both the input and the output" \
    dmtrace dump -o p.data p.key
claim "it is as it was" prints text dmtrace dump p
claim "nor is standard output" replies 2 "a.trace is both" \
    sh -c 'dmtrace dump a.trace >>a.trace'
claim "a folder that is not there is named" \
    nothing_printed 2 "none/out" dmtrace dump a.trace -o none/out
claim "the lines of dmtracedump are in one form" \
    replies 2 "--dmtracedump has no other form" \
    dmtrace dump --dmtracedump -f csv a.trace

# A limit of no bytes: the messages go to a pipe, the report to no file.
limited()
{
	(ulimit -f 0; exits 2 dmtrace dump -o limited a.trace 2>&1) | cat >said
	has "File too large" said && ! ls -A | grep -e limited -e '[.]tmp$'
}
claim "a file that may not grow is noticed, and none is left" limited

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
	dmtrace dump long.trace 2>said | head -n 1 >first
	head -n 1 text | cmp - first && [ ! -s said ]
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

claim "a closed pipe ends it quietly" closed_pipe
claim "also where SIGPIPE is ignored" closed_pipe_unheard
finish
