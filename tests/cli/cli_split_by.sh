#!/bin/sh
# cli_split_by.sh - a trace to pieces that are traces of their own

. "$srcdir/tests/helpers/claim.sh"

# key OPTION...: of two threads and three methods
key()
{
	printf '*version\n2\nclock=wall\n'
	[ $# -eq 0 ] || printf '%s\n' "$@"
	printf '*threads\n1\tmain\n2\tBinder #1\n*methods\n0x4\tA\ta\t()V\n'
	printf '0x8\tB\tb\t()V\n0xc\tC\tc\t()V\n*end\n'
}

# enter THREAD METHOD TIME, leave THREAD METHOD TIME: octal, below 256
enter() { printf "\\$1\\000\\$2\\000\\000\\000\\$3\\000\\000\\000"; }
leave() { printf "\\$1\\000\\$2\\000\\000\\000\\$3\\000\\000\\000"; }

# main enters A and C, Binder B: at 10, 20, 30, 40, 50 and 60 us
one() { enter 001 004 012; enter 002 010 024; enter 001 014 036; }
two() { leave 001 015 050; leave 002 011 062; leave 001 005 074; }

{ key; header; one; two; } >x.trace

# lines PIECE: its first lines, without what differs from build to build
lines()
{
	sed -n -e '/^dmtrace-piece-id=[0-9a-f]\{16\}$/s/=.*/=ID/' \
	    -e '/^dmtrace-piece-pad=-*$/s/=.*/=PAD/' -e 1,/threads/p "$1"
}

# ends PIECE COMMAND...: its records are what the command prints
ends()
{
	piece=$1
	shift
	{ header; "$@"; } >expected
	tail -c "$(wc -c <expected)" "$piece" | cmp - expected
}

# files NAME...: these are in the folder f, and no others
files()
{
	printf '%s\n' "$@" | LC_ALL=C sort >wanted
	(LC_ALL=C ls -A f) | cmp wanted - || { ls -A f; return 1; }
}

fresh()
{
	rm -rf f
	mkdir f
}

fresh
claim "--by=records splits a trace" \
    silent dmtrace split --by events=3 -o f/ x.trace
claim "the names of pieces have their number" files x-0001.trace x-0002.trace
cat >expected1 <<'TEXT'
*version
2
dmtrace-piece=1/2
dmtrace-piece-by=records
dmtrace-piece-order=exact
dmtrace-piece-id=ID
dmtrace-piece-records=0+3+3
dmtrace-closed=3
dmtrace-piece-pad=PAD
clock=wall
*threads
TEXT
claim "the first piece has its facts in the key" \
    prints expected1 lines f/x-0001.trace
cat >expected2 <<'TEXT'
*version
2
dmtrace-piece=2/2
dmtrace-piece-by=records
dmtrace-piece-order=exact
dmtrace-piece-id=ID
dmtrace-piece-records=3+3+0
dmtrace-opened=3
dmtrace-piece-pad=PAD
clock=wall
*threads
TEXT
claim "the second piece has its facts in the key" \
    prints expected2 lines f/x-0002.trace
first_ends() { one; leave 001 015 050; leave 001 005 050; leave 002 011 050; }
claim "the first piece ends with exits, the innermost first" \
    ends f/x-0001.trace first_ends
second_ends() { enter 001 004 050; enter 001 014 050; enter 002 010 050; two; }
claim "the second piece begins with enters, the outermost first" \
    ends f/x-0002.trace second_ends
key | sed -n '/threads/,$p' >tables
claim "a piece has all rows of the tables" \
    prints tables sed -n '/threads/,/end/p' f/x-0001.trace
cp f/x-0001.trace again
claim "pieces do not replace existing files" \
    says 'f/x-0001.trace: File exists; --force' \
    dmtrace split --by events=2 -o f/ x.trace
claim "no other piece is written then" files x-0001.trace x-0002.trace
claim "the existing files are unchanged" cmp again f/x-0001.trace
claim "--force replaces existing files" \
    exits 0 dmtrace split --force --by events=2 -o f/ x.trace
claim "all three pieces are written" \
    files x-0001.trace x-0002.trace x-0003.trace

fresh
claim "--by=time splits a trace" \
    silent dmtrace split --by time=25us -o f/ x.trace
claim "windows begin at the start of the trace" \
    files x-0001.trace x-0002.trace x-0003.trace
time_1() { enter 001 004 012; enter 002 010 024; leave 001 005 031
    leave 002 011 031; }
claim "open calls end at the end of the window" \
    ends f/x-0001.trace time_1
time_2() { enter 001 004 031; enter 002 010 031; enter 001 014 036
    leave 001 015 050; leave 001 005 062; leave 002 011 062; }
claim "open calls begin again in the next window" ends f/x-0002.trace time_2
time_3() { enter 001 004 062; enter 002 010 062; leave 002 011 062
    leave 001 005 074; }
claim "a record at the end of a window is in the next one" \
    ends f/x-0003.trace time_3

fresh
claim "a window without records makes no piece" \
    exits 0 dmtrace split --by time=3us -o f/ x.trace
claim "a piece is written for each window with records" \
    files x-0001.trace x-0002.trace \
    x-0003.trace x-0004.trace x-0005.trace x-0006.trace

# By the clock of each thread, frames are cut at its own last time.
fresh
{ key | sed s/wall/thread-cpu/; header; one; two; } >cpu.trace
exits 0 dmtrace split --by events=3 -o f/ cpu.trace
cpu_1() { one; leave 001 015 036; leave 001 005 036; leave 002 011 024; }
claim "clocks of threads do not advance at an edge" \
    ends f/cpu-0001.trace cpu_1

# The second thread's record is older than the piece that it is in.
fresh
unsorted() { enter 002 010 012; enter 001 004 036; leave 001 005 050
    leave 002 011 024; }
{ key; header; unsorted; } >u.trace
exits 0 dmtrace split --by events=2 -o f/ u.trace
u_2() { enter 002 010 024; enter 001 004 050; leave 001 005 050
    leave 002 011 024; }
claim "enters are not after the records of their thread" \
    ends f/u-0002.trace u_2

fresh
claim "--by=thread splits a trace" \
    silent dmtrace split --by thread -o f/ x.trace
claim "the names of pieces are those of the threads" \
    files x-main.trace x-Binder__1.trace
main_ends() { enter 001 004 012; enter 001 014 036; leave 001 015 050
    leave 001 005 074; }
claim "a piece has the records of its thread only" ends f/x-main.trace main_ends

size=$(($(key | wc -c) + 32 + 400))
fresh
{ key; header; one; two; one; two; one; two; } >y.trace
claim "--by=size splits a trace, and names its errors" \
    answers 1 'y.trace: byte 192: time goes back within a thread' \
    dmtrace split --by size=$size -o f/x y.trace
# small FILE...: none is larger
small()
{
	for file; do
		[ "$(wc -c <"$file")" -le $size ] || return 1
	done
}
claim "no piece is larger than the size" small f/*
claim "--by=size writes several pieces" test -e f/x-0002.trace
claim "a size that is too small for a piece is refused" \
    says 'a piece of 300 bytes has no room for the key, the open frames' \
    dmtrace split --by size=300 -o f/y x.trace

# Names.
fresh
claim "-o NAME is the beginning of the names" \
    exits 0 dmtrace split --by thread -o f/n x
claim "the thread follows -o NAME" files n-main.trace n-Binder__1.trace
fresh
claim "-o NAME.trace is the same as -o NAME" \
    exits 0 dmtrace split --by thread -o f/n.trace x
claim ".trace is not repeated" files n-main.trace n-Binder__1.trace
fresh
claim "-o with % is the name of the pieces" \
    exits 0 dmtrace split --by thread -o f/a%z x
claim "the thread replaces the %" files amainz aBinder__1z
fresh
claim "-o FOLDER writes nothing next to the folder" \
    exits 0 dmtrace split --by thread -o f x.trace
claim "-o FOLDER writes in the folder" files x-main.trace x-Binder__1.trace
fresh
cp x.trace f/x.trace
claim "without -o pieces are next to the trace" \
    exits 0 dmtrace split --by thread f/x.trace
claim "without -o pieces have the trace's name" \
    files x.trace x-main.trace x-Binder__1.trace
fresh
sed 's/main/-rf/; s/Binder.*/-/' x.trace >dash.trace
claim "no name of a thread makes a name like an option" \
    exits 0 sh -c 'cd f && dmtrace split --by thread -o % ../dash.trace'
claim "a leading dash becomes another character" files _ _rf
fresh
claim "the input may be a pipe" \
    sh -c 'cat x.trace | dmtrace split --by thread -o f/p -'
claim "the pieces of a pipe have the name of -o" \
    files p-main.trace p-Binder__1.trace
fresh
cp x.trace f/main.trace
cp x.trace f/whole
claim "a piece that is the input is refused" \
    says 'would replace the input' \
    dmtrace split --force --by thread -o f/%.trace f/main.trace
claim "the input is unchanged" cmp f/whole f/main.trace
ln -s ../x.trace f/Binder__1.trace
mv f/main.trace input.trace
claim "the target of a link is not replaced" \
    exits 0 dmtrace split --force --by thread -o f/%.trace input.trace
claim "a link is replaced" test ! -h f/Binder__1.trace
claim "the target of the link is unchanged" cmp x.trace f/whole

# named TEXT...: the first thread is called so, the next threads so
named()
{
	id=0
	for name; do
		id=$((id + 1))
		printf '%d\t%s\n' $id "$name"
	done >threads
	{ printf '*version\n2\nclock=wall\n*threads\n'; cat threads
	  printf '*methods\n0x4\tA\ta\t()V\n*end\n'; header
	  for number in 1 2 3 4 5 6 7; do
		[ $number -gt $id ] || enter 00$number 004 012
	  done; } >names.trace
	fresh
	exits 0 dmtrace split --by thread -o f/ names.trace
}

claim "names of threads cannot leave the folder" \
    named '../../etc/x' '/' '.' '..'
claim "special bytes of names become _" files \
    'names-.._.._etc_x-1.trace' names-_.trace names-.-3.trace names-..-4.trace
claim "no name, and an escape" named '' "$(printf '\033[31m')" 'a b'
claim "an empty name becomes the number" \
    files names--1.trace names-__31m.trace names-a_b.trace
claim "pieces of equal names are written" named same same 'a b' 'a_b' A a other
claim "equal names get numbers, ignoring case" files \
    names-same-1.trace names-same-2.trace names-a_b-3.trace \
    names-a_b-4.trace names-A-5.trace names-a-6.trace names-other.trace
claim "a name that equals a numbered one is written" named a a a-1 a-2
claim "a name that equals a numbered one gets a number" \
    files names-a-1.trace names-a-2.trace \
    names-a-1-3.trace names-a-2-4.trace
long=$(printf '%0300d' 7)
claim "pieces of long names are written" named "$long" "$long" \
    "$(printf '%0120d' 7 | tr 0 x)"
cut=$(printf '%0100d' 0)
claim "long names are truncated" \
    files "names-$cut-1.trace" "names-$cut-2.trace" \
    "names-$(printf '%0100d' 0 | tr 0 x).trace"

# Keys of all kinds.
fresh
{ key num-method-calls=6 dmtrace-opened=1 dmtrace-closed=2; header; one; two
} >added.trace
exits 0 dmtrace split --by events=2 -o f/ added.trace
cat >expected1 <<'TEXT'
dmtrace-opened=1
dmtrace-closed=2
num-method-calls=4
dmtrace-piece-pad=PAD
clock=wall
dmtrace-whole-num-method-calls=6
dmtrace-whole-dmtrace-opened=1
dmtrace-whole-dmtrace-closed=2
*threads
TEXT
lines f/added-0001.trace | sed -n '/opened=1/,$p' >found
claim "calls added before and by the split are counted" cmp expected1 found
claim "the last piece counts the exits added before" \
    has dmtrace-closed=2 f/added-0003.trace
claim "the last piece counts the calls that it opens" \
    has dmtrace-opened=2 f/added-0003.trace
fresh
exits 0 dmtrace split --by thread -o f/ added.trace
lines f/added-main.trace >main
lines f/added-Binder__1.trace >binder
claim "by thread, the first added record is main's" has dmtrace-opened=1 main
claim "by thread, one of the last two is main's" has dmtrace-closed=1 main
claim "by thread, the other one is Binder's" has dmtrace-closed=1 binder

# same_from_pipe BY: the pieces of added.trace, read twice for what was added
same_from_pipe()
{
	rm -rf f piped && mkdir f piped &&
	    dmtrace split -q --by "$1" -o f/%.trace added.trace &&
	    cat added.trace | dmtrace split -q --by "$1" -o piped/%.trace - &&
	    [ -n "$(ls f)" ] && diff -r f piped
}

claim "a pipe is split by thread as a file is" same_from_pipe thread
claim "a pipe is split by records as a file is" same_from_pipe events=2
claim "a thread without added calls counts none" \
    sh -c '! grep -q ^dmtrace-opened binder'

fresh
claim "--max-files limits the number of pieces" says \
    'x.trace: there are more than 2 pieces; --max-files allows more' \
    dmtrace split --by events=1 --max-files=2 -o f/ x.trace
claim "--max-files leaves no file" test -z "$(ls -A f)"
{ key; header; } >none.trace
claim "a trace without records has one piece" \
    exits 0 dmtrace split --by thread -o f/ none.trace
claim "the piece of a trace without records has a number" files none-0001.trace
fresh
{ key; header; one; printf stray; } >stray.trace
exits 0 dmtrace split --by events=2 -o f/ stray.trace
# tail_is TEXT FILE...: each ends with it
tail_is()
{
	text=$1
	shift
	for file; do
		[ "$(tail -c ${#text} "$file")" = "$text" ] || return 1
	done
}
claim "bytes after the records are in every piece" \
    tail_is stray f/stray-0001.trace f/stray-0002.trace

# Usage.
fresh
claim "--by without a value is refused" \
    says 'is not one of thread, time=TIME, events=N, size=N' \
    dmtrace split --by method x.trace
claim "--by=thread takes no value" says 'is not one of' \
    dmtrace split --by thread=1 x.trace
claim "--by=time needs a value" \
    says 'is not one of' dmtrace split --by time x.trace
claim "--by=time needs a valid time" \
    says 'is not a time' dmtrace split --by time=1km x.trace
claim "--by=records needs a number" says 'is not a whole number' \
    dmtrace split --by events=many x.trace
claim "--by=size needs a number" says 'is not a number of bytes' \
    dmtrace split --by size=1q x.trace
claim "--by=events=0 is refused" says 'the size of a piece is 0' \
    dmtrace split --by events=0 -o f/ x.trace
claim "standard output is refused for pieces" \
    says 'pieces cannot be written to standard output' \
    dmtrace split --by thread -o - x.trace
claim "standard input needs -o" says 'standard input has no name' \
    dmtrace split --by thread -
claim "standard input needs a name in a folder" \
    says 'standard input has no name' \
    dmtrace split --by thread -o f/ -
claim "-o with two % is refused" says 'more than one' \
    dmtrace split --by thread -o f/%% x.trace
claim "-o with an empty name is refused" says '-o is empty' \
    dmtrace split --by thread -o '' x.trace
claim "--max-files needs --by" says '--max-files needs --by' \
    dmtrace split --max-files=3 x.trace
claim "a missing folder is reported" says 'cannot create g/x-' \
    dmtrace split --by thread -o g/ x.trace
claim "a missing file exits with 2" says 'cannot open no: No such file' \
    dmtrace split --by thread no
printf 'some text' >text
claim "empty standard input is named so" says 'standard input: empty' \
    dmtrace split --by thread -o x -
claim "text is refused" says 'text: begins with "some tex"' \
    dmtrace split --by thread text
claim "no failure leaves a file" test -z "$(ls -A f)"

# sum FILE...: of the events of all that were not added
sum()
{
	dmtrace checksum -b --sum "$@" | sed -n '$s/ .*//p'
}

# adds_up WAY FILE: the sums of the pieces are that of the trace
adds_up()
{
	fresh
	exits 0 dmtrace split --by "$1" -o f/ "$2" &&
	    [ "$(sum "$2")" = "$(sum f/*)" ]
}
for version in 1 2 3; do
	dmtrace generate -q --events 3000 --dialect=v$version -o s.trace
	for way in thread time=2ms events=700 size=60K; do
		claim "sums of pieces of version $version add up, by $way" \
		    adds_up $way s.trace
	done
done
cp f/s-0002.trace part.trace
for way in thread time=500us events=70; do
	claim "checksums of a piece's pieces add up, by $way" \
	    adds_up $way part.trace
done

# A full disk: the pieces need more than the key.
full()
{
	fresh
	dmtrace generate -q --events 20000 --threads 3 -o big.trace
	(ulimit -f 100 && exits 2 dmtrace split --by "$1" -o f/ big.trace) &&
	    [ -z "$(ls -A f)" ]
}
claim "a full disk leaves nothing, by thread" full thread
claim "a full disk leaves nothing, by records" full events=19000

# killed WAY...: at a random moment there are all pieces or none, and whole
killed()
{
	dmtrace generate -q --events 200000 --threads 9 -o big.trace
	for delay in 0.001 0.003 0.005 0.008 0.012 0.02 0.03 0.05; do
		for way; do
			rm -rf f && mkdir f
			dmtrace split --by "$way" -o f/ big.trace &
			sleep $delay
			kill -KILL $! 2>/dev/null
			wait $! 2>/dev/null
			for piece in f/*.trace; do
				[ -e "$piece" ] || continue
				exits 0 dmtrace info -q "$piece" || return 1
			done
		done
	done
}
claim "killed, it leaves no partial piece" \
    killed thread events=20000 time=1ms size=500K

dmtrace generate -q --events 100 -o big.trace
head -c "$(($(wc -c <big.trace) - 3))" big.trace >cut.trace
for way in thread events=30 time=1ms size=50K; do
	fresh
	claim "a truncated trace is an error: --by=$way" answers 1 \
	    'cut.trace: byte' dmtrace split --by $way -o f/ cut.trace
	claim "its pieces are written" sh -c 'ls f/cut-*.trace'
done
finish
