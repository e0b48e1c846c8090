#!/bin/sh
# cli_dialects.sh - every command finds the same in every dialect
#
# A twin is a trace in a folder of its own, and what each command (the rows of
# "commands") makes of it are its figures. A trace of another dialect is
# converted from a twin (the rows at the end), which must lose what its row says
# and nothing else; then all its figures must be those of the twin that the row
# names, from a file and from a pipe. DMTRACE_MORE has more rows, and more
# commands read from a pipe.

. "$srcdir/tests/helpers/claim.sh"

# records WIDTHS: lines of numbers on standard input as bytes
records()
{
	printf "$(sed 's/ *#.*//' | awk -v widths="$1" '
	BEGIN { split(widths, width) }
	{
		for (i = 1; i in width; i++)
			for (n = width[i]; n > 0; n--) {
				printf "\\%03o", $i % 256
				$i = int($i / 256)
			}
	}')"
}

# key VERSION CLOCK
key()
{
	printf '*version\n%s\nclock=%s\nelapsed-time-usec=4000\n' "$1" "$2"
	cat <<-'KEY'
	num-method-calls=27
	clock-call-overhead-nsec=120
	vm=art
	pid=4242
	*threads
	1	main
	2	wörk "a;b"
	7	pool
	KEY
	printf "$named"
	cat <<-'KEY'
	9	pool
	200	never ran
	*methods
	0x10	a.Main	main	([Ljava/lang/String;)V	Main.java
	0x18	a.B	m	(I)J	B.java
	0x14	a.B<T>	<init>	()V	B & "C".java
	0x1c	a.B	m	(I)J	B.java
	0x20	native;sym bol		()V
	0x28	å.Ü	λ$1	()V
	0x24	x.Unused	m	()V	X.java
	*end
	KEY
}

# What happens: thread, method and action, CPU and wall time.
cat >events <<'EVENTS'
1 16 100 100
2 24 0 110
1 20 120 120
1 21 140 130
1 24 150 140		# a call in a call of the same
1 24 160 150
7 28 130 160		# of the same name
1 25 170 170
1 26 190 180		# unrolled
2 32 50 190
77 64 110 200		# neither thread nor method is listed
77 65 120 210
9 40 110 220
2 33 80 230
9 41 120 230
9 40 130 230
7 29 140 240
77 28 120 240
77 29 130 250
1 40 210 260
1 41 310 900000000
1 40 510 2600000000	# 2^31 us and more
2 20 100 2600000010
2 21 120 2600000020
1 41 520 2600000030
7 20 190 2600000100
7 21 200 2600000110	# some calls are still open
EVENTS

start='\304\221\236\054\232\000\000\000'
zeros='\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
# fixed VERSION CLOCK SIZE WIDTHS FIELDS: a key and records of the events
fixed()
{
	key "$1" "$2"
	printf "SLOW\\$1\\000\\040\\000$start\\$3\\000$zeros"
	sed 's/[ 	]*#.*//' events | cut -d ' ' -f "$5" | records "$4"
}

# method LINE and thread NUMBER NAME: packets of a stream
method()
{
	printf '\000\000\001'
	echo "$((${#1} + 1))" | records 2
	echo "$1"
}
thread()
{
	printf '\000\000\002'
	echo "$1 ${#2}" | records '2 2'
	printf %s "$2"
}
# stream VERSION CLOCK SIZE WIDTHS FIELDS: method 0x10 becomes another one and
# then the first one again, and thread 1 gets another name; a method and a
# thread have no events
stream()
{
	take()
	{
		cut -d ' ' -f "$fields" | records "$widths"
	}
	widths=$4
	fields=$5
	printf "SLOW\\$1\\000\\040\\000$start\\$3\\000$zeros"
	method '0x10	A	m	()V	A.java'
	thread 1 main
	thread 3 'never ran'
	echo '1 16 0 10' | take
	method '0x10	B	n	()V	B.java'
	method '0x1c	N	ever	()V	N.java'
	thread 2 'w "k;'
	printf '1 16 10 20\n2 16 0 30\n1 17 20 40\n' | take
	thread 1 second
	method '0x10	A	m	()V	A.java'
	printf '1 17 30 50\n2 16 10 60\n2 17 20 70\n1 16 30 80\n' | take
	printf '\000\000\003'
	{
		printf '*version\n%s\nclock=%s\n' "$(($1 - 360))" "$2"
		printf '*threads\n1\tsecond\n2\tw "k;\n3\tnever ran\n'
		printf '*methods\n*end\n'
	} >summary
	wc -c <summary | records 4
	cat summary
}

mkdir dual wall named-dual named-wall turned-dual turned-wall cut-dual \
    bad-dual bad-wall bad-cpu ns-dual ns-wall
named=
fixed 3 dual 016 '2 4 4 4' 1-4 >dual/t.trace
fixed 3 wall 012 '2 4 4' 1,2,4 >wall/t.trace
# stage F names a thread that is not listed
named='77\tthread 77\n'
fixed 3 dual 016 '2 4 4 4' 1-4 >named-dual/t.trace
fixed 3 wall 012 '2 4 4' 1,2,4 >named-wall/t.trace
named=
stream 362 wall 012 '2 4 4' 1,2,4 >turned-wall/t.trace
stream 363 dual 016 '2 4 4 4' 1-4 >turned-dual/t.trace
# without its summary, a stream has what its packets define
size=$(wc -c <turned-dual/t.trace)
size=$((size - $(wc -c <summary) - 7))
head -c "$size" turned-dual/t.trace >cut-dual/t.trace
cp "$srcdir/tests/data/good-packets-e.trace" ns-dual/t.trace
dmtrace convert -q -d v4 --stage=e -o ns-wall/t.trace \
    "$srcdir/tests/data/good-packets-ticks.trace"
# back in time, and two exits of calls that are not open
printf '7 20 300 2600000200\n7 21 250 2600000150\n' >>events
printf '9 25 140 2600000300\n200 21 120 2600000310\n' >>events
printf '200 21 130 2600000320\n' >>events
fixed 3 dual 016 '2 4 4 4' 1-4 >bad-dual/t.trace
fixed 3 wall 012 '2 4 4' 1,2,4 >bad-wall/t.trace
fixed 3 thread-cpu 012 '2 4 4' 1-3 >bad-cpu/t.trace

# without_byte: a place in the file is that of one dialect
without_byte()
{
	sed 's/byte [0-9]*: //'
}

# without_steps: a page, but for its steps and their unit
without_steps()
{
	sed '/id="steps/,/^<.script>/d; s/"unit":[10]*,//'
}

# What commands make of $t, the trace or "-"; the trace is $file, too.
printf 'calls(*) >= 1\nthreads >= 1\ndepth < 9\ninclusive(*) < 1ms\n' >spec
: >empty
printf '0123456789abcdef' >hash-key
cat >commands <<'ROWS'
info	dmtrace info -q -f tsv $t | cut -f 7,8,10-18,20
dump	dmtrace dump -f tsv $t
dump for people	dmtrace dump $t
calls	dmtrace dump --calls $t
tail	followed
validate	validated
checksum	dmtrace checksum -f tsv $t | cut -f 2-
diff	dmtrace diff -q -f tsv $t ../dual/t.trace
diff --trees	dmtrace diff -q --trees -f json $t ../turned-dual/t.trace
expect	dmtrace expect -q -f tsv ../spec $t | cut -f 2-6,10- | without_byte
expect -u	dmtrace expect -q -u -o - ../empty $t
report	dmtrace report -q --callers --tree --per-thread -f tsv $t
graph	dmtrace graph -q --threshold=0 $t
flame	dmtrace flame -q $t
view	dmtrace view -q -o - $t | without_steps
chrome	dmtrace export -q -f chrome $t
perfetto	dmtrace export -q -f perfetto $t
firefox	dmtrace export -q -f firefox $t
speedscope	dmtrace export -q -f speedscope $t
collapsed	dmtrace export -q -f collapsed --per-thread $t
callgrind	dmtrace export -q -f callgrind $t
pprof	dmtrace export -q -f pprof $t
jsonl	dmtrace export -q -f jsonl $t
sqlite	dmtrace export -q -f sqlite $t
filter -t	writes filter -t 2 $t
filter --keep-tables	writes filter --keep-tables -t 2 $t
filter -t --invert	events filter --invert -t 2 $t
filter -m	writes filter -m '*.m' $t
filter --hide	events filter --hide '*.m' $t
filter --under	events filter --under '*.m' $t
filter --from	events filter --from=35us --to=170us $t
filter --raw	events filter --raw --to=160us $t
filter --depth	events filter --depth=2..3 $t
filter --min-time	events filter --min-time=10us $t
sort	writes sort --any-clock $t
shift --by	writes shift --by=3us $t
shift --scale	events shift --to-zero --scale=0.1 $t
rename	anonymous $t
repair	writes repair $t
repair --dry-run	dmtrace repair --dry-run -q -f tsv $t | cut -f 1-3
merge	events merge --threads=renumber --prefix $t ../turned-dual/t.trace
merge --threads=union	writes merge --threads=union --align=none $t $file
merge --align=zero	events merge --align=zero $t $file
split --by thread	pieces thread
split --by events	pieces events=5
split --by time	pieces time=30us
join	joined
convert -d v2	writes convert -d v2 $t
convert -d f3	events convert -d f3 $t
convert -d v5	writes convert -d v5 $t
convert -d universal	events convert -d universal $t
ROWS

# events COMMAND...: those of the trace that it writes, without the names of
# threads: of two rows of a thread, a key has the first, packets the last one.
events()
{
	dmtrace "$@" -q | dmtrace dump -f tsv - | cut -f 1-9
}

# writes COMMAND...: events and definitions of the trace that it writes
writes()
{
	dmtrace "$@" -q >../made
	[ -s ../made ] || return
	dmtrace dump -f tsv - <../made | cut -f 1-9
	dmtrace convert -q -d v3 ../made |
	    sed -n -e 's/	*$//' -e '/^\*threads/,/^\*end/p' | sort
}

# anonymous FILE: events of the trace with anonymous names, and with the old
# ones restored, and whether the first definitions are back
anonymous()
{
	dmtrace rename -q --anonymize=../hash-key --table=../names "$1" \
	    >../anonymous
	dmtrace dump -q -f tsv ../anonymous
	dmtrace rename -q --table=../names ../anonymous | dmtrace dump -f tsv -
}

# pieces WHAT: those of a split, and the trace that is made of them
pieces()
{
	rm -rf ../pieces
	mkdir ../pieces
	dmtrace split -q --by "$1" -o ../pieces/p "$t"
	dmtrace info -q -f tsv ../pieces/* | cut -f 1,12-18
	dmtrace checksum -q -f tsv ../pieces/*
	writes merge --rejoin ../pieces/*
}

# joined: events of a pair, joined; only pairs can be
joined()
{
	case $file in
	*.key) dmtrace join -q -o ../made.trace t ;;
	*) cp t.trace ../made.trace ;;
	esac
	events sort --any-clock ../made.trace
}

# followed: events as they come, with a single time as the wall time, which is
# unknown before the summary; a twin and what has a key are dumped.
# Depths are left out: a method that gets back its id is another one to tail.
followed()
{
	case $folder:$(head -c 4 "$file") in
	*\ *:SLOW) dmtrace tail -q -f tsv "$t" ;;
	*) dmtrace dump -q -f tsv "$t" ;;
	esac | awk -F '\t' -v OFS='\t' '
	$5 == "" { $5 = $4; $4 = "" }
	{ $6 = $10 = ""; print }'
}

# validated: findings about events, with the counts, and the verdict
validated()
{
	dmtrace validate --all -f tsv "$t" | cut -f 2-4,8- | grep \
	    -e '^time-back' -e '^time-across' -e '^cpu-ahead' -e '^exit' \
	    -e '^call' -e '-unlisted' -e valid | sort
}

# figures FOLDER: of its trace, from a file and from a pipe
figures()
(
	folder=$1
	mkdir "$1/file" "$1/pipe" && cd "$1" || exit
	[ -e t.trace ] && file=t.trace || file=t.key
	while IFS='	' read -r label command; do
		t=$file
		eval "$command" 2>/dev/null |
		    sed 's/t\.key/t.trace/g' >"file/$label"
		case $label:$file in
		*.key) continue ;;
		info:* | dump:* | tail:* | validate:* | report:*) ;;
		filter\ -t:* | sort:* | merge:* | split\ --by\ thread:*) ;;
		*) [ "$DMTRACE_MORE" = yes ] || continue ;;
		esac
		t=-
		cat t.trace | eval "$command" >"pipe/$label" 2>/dev/null
	done <../commands
)

# converted FROM TO LOSSES OPTION...: the trace of a folder to another
converted()
{
	from=$1
	to=$2
	losses=$3
	shift 3
	mkdir "$to"
	dmtrace convert -f tsv -o "$to/t.trace" "$@" "$from/t.trace" |
	    sed -e 1d -e '/	0$/d' | tr '\t\n' ' ,' >lost
	[ "$(cat lost)" = "${losses:+$losses,}" ] || { cat lost; return 1; }
}

# agrees FOLDER TWIN: their figures
agrees()
{
	if [ -e "$1/t.key" ]; then
		# the length of its name is in the output for Perfetto
		diff -a -r -x perfetto "$2/file" "$1/file"
	else
		diff -a -r "$2/file" "$1/file" &&
		    diff -a -r "$2/pipe" "$1/pipe"
	fi
}

for twin in dual wall turned-dual; do
	figures $twin
done
while IFS='	' read -r from twin options losses; do
	case $from in
	more) [ "$DMTRACE_MORE" = yes ] || break; continue ;;
	esac
	[ -e "$twin/file" ] || figures "$twin"
	to="$from $options"
	claim "convert $options loses of $from: ${losses:-nothing}" \
	    converted "$from" "$to" "$losses" $options
	figures "$to"
	claim "$options of $from: every command as with $twin" \
	    agrees "$to" "$twin"
done <<'ROWS'
dual	dual	-d v3 --container=pair
dual	dual	-d v5 --stage=c
wall	wall	-d v1
cut-dual	turned-dual	-d v5 --stage=e
turned-dual	turned-dual	-d f5 --stage=f
bad-dual	bad-dual	-d v5 --stage=e
more
dual	named-dual	-d v5 --stage=f	thread-named 1
dual	dual	-d f3
dual	wall	-d v4 --stage=e	cpu-dropped 27
dual	dual	-d f5 --stage=e
wall	named-wall	-d f4 --stage=f	thread-named 1
turned-dual	turned-dual	-d f3
turned-dual	turned-dual	-d f5 --stage=c
bad-cpu	bad-cpu	-d f2
wall	wall	-d f2
turned-dual	turned-dual	-d v5 --stage=e
dual	dual	-d v5 --stage=e
dual	dual	-d f5 --stage=c
dual	named-dual	-d f5 --stage=f	thread-named 1
dual	wall	-d v2	cpu-dropped 27
dual	wall	-d v4 --stage=c	cpu-dropped 27
wall	wall	-d v4 --stage=e
wall	named-wall	-d v4 --stage=f	thread-named 1
wall	wall	-d f4 --stage=c
wall	wall	-d f4 --stage=e
turned-dual	turned-dual	-d v5 --stage=c
turned-dual	turned-dual	-d v5 --stage=f
turned-dual	turned-dual	-d f5 --stage=e
turned-wall	turned-wall	-d v4 --stage=c
turned-wall	turned-wall	-d v4 --stage=e
turned-wall	turned-wall	-d v4 --stage=f
turned-wall	turned-wall	-d f4 --stage=c
turned-wall	turned-wall	-d f4 --stage=e
turned-wall	turned-wall	-d f4 --stage=f
bad-wall	bad-wall	-d v2
bad-wall	bad-wall	-d f2
bad-wall	bad-wall	-d v4 --stage=c
bad-dual	bad-dual	-d f3
bad-dual	bad-dual	-d f5 --stage=c
bad-cpu	bad-cpu	-d v1 --clock=cpu
bad-dual	bad-cpu	-d v2 --clock=cpu	wall-dropped 32
bad-cpu	bad-cpu	-d v4 --stage=e
bad-cpu	bad-cpu	-d f4 --stage=c
ns-dual	ns-dual	-d v5 --stage=e
ns-dual	ns-dual	-d v5 --stage=f
ns-dual	ns-dual	-d f5 --stage=e
ns-dual	ns-dual	-d f5 --stage=f
ns-wall	ns-wall	-d v4 --stage=f
ns-wall	ns-wall	-d f4 --stage=e
ns-wall	ns-wall	-d f4 --stage=f
ROWS
finish
