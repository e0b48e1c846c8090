#!/bin/sh
# cli_rejoin.sh - pieces that dmtrace split --by made to the trace again

. "$srcdir/tests/helpers/claim.sh"

# events FILE: all of them, with their names
events() { dmtrace dump -q -f tsv "$1"; }

# comes_back FILE WAY: split and joined it is the same, to the byte; where it
# is made of packets, or its data is text, to the event
comes_back()
{
	rm -rf f again
	mkdir f
	exits 0 dmtrace split --by "$2" -o f/x "$1" &&
	    exits 0 dmtrace merge --rejoin -o again f/* || return 1
	if [ "$(head -c 4 "$1")" = SLOW ] || ! grep -q SLOW "$1"; then
		events "$1" >before
		events again | cmp before -
	else
		cmp "$1" again
	fi
}

# opens FILE: it can be split at all
opens()
{
	rm -rf f
	mkdir f
	dmtrace split --by events=1000000 -o f/x "$1" 2>error
}

# all FOLDER WAY...: every trace in it that opens comes back, but records in
# base64; by the first way, unless more
all()
{
	folder=$1
	shift
	for file in "$folder"/*.trace; do
		case $file in *-base64.trace) continue ;; esac
		opens "$file" || continue
		for way in "$@"; do
			claim "${file##*/} is restored exactly, split by $way" \
			    comes_back "$file" $way
			more || break
		done
	done
}

dmtrace generate -q --events 600 --threads 3 -o x.trace
for way in thread time=1ms events=77 size=40K; do
	claim "the trace is restored exactly, split by $way" \
	    comes_back x.trace $way
done
# What convert writes comes back to the byte.
for dialect in f2 f3 'v4 --stage=c' 'v5 --stage=e' 'f5 --stage=f'; do
	dmtrace convert -q -d $dialect -o d.trace x.trace
	for way in thread time=1ms events=77 size=25K; do
		claim "$dialect has the same events again, split by $way" \
		    comes_back d.trace $way
		claim "$dialect has the same bytes again" cmp d.trace again
	done
done
printf '%s\n' 'header v4 stage=f ticks=1 start=1ns' \
    'method 0x10 A.m()V A.java' block '1us 7 >A.m' '2us 7 <-' block \
    '3us 8 >A.m' block '4us 7 >A.m' '5us 7 <-' summary 'key 4' \
    clock=wall elapsed-time-nsec=5000 '*end' end |
    dmtrace undump -o bare.trace -
for way in thread time=1us events=1 events=2; do
	claim "threads that stage F does not list stay so, split by $way" \
	    comes_back bare.trace $way
	claim "no packet is added to it" cmp bare.trace again
done
claim "for packets it reports that the order is restored" \
    notes 'the events of the original trace in the same order' \
    dmtrace merge --rejoin -o again f/*
mkdir p
dmtrace split --by events=150 -o p/ x.trace
claim "it reports that the order is restored" notes 'byte for byte' \
    dmtrace merge --rejoin -o again p/x-0002.trace p/x-0001.trace \
    p/x-0004.trace p/x-0003.trace
claim "operands may be in any order" cmp x.trace again
claim "-q hides the report" \
    sh -c 'dmtrace merge --rejoin -q -o again p/* 2>error && [ ! -s error ]'
dmtrace merge --rejoin -q p/* >piped
claim "the output may be a pipe" cmp x.trace piped
claim "a base name is accepted as a piece" exits 0 \
    dmtrace merge --rejoin -o again p/x-0001 p/x-0002 p/x-0003 p/x-0004
claim "pieces by base names give the same trace" cmp x.trace again
claim "the output may be a pair" \
    exits 0 dmtrace merge --rejoin -o o.key p/*
cat o.key o.data >again
claim "the pair has the same bytes" cmp x.trace again

# Threads whose clocks cannot be compared follow each other.
dmtrace generate -q --events 600 --threads 3 --dialect=v1 \
    --clock cpu -o cpu.trace
mkdir q
dmtrace split --by thread -o q/ cpu.trace
claim "it reports that the order may differ" \
    notes "the events of each thread are in their" \
    dmtrace merge --rejoin -o again q/*
# column_of FILE: the records of the thread main
column_of()
{
	dmtrace dump -f tsv "$1" | grep '	main	' | cut -f 2-
}
column_of cpu.trace >main
claim "each thread's records are in their order" prints main column_of again
claim "no records are added" sh -c \
    '[ $(wc -c <again) -eq $(wc -c <cpu.trace) ]'

# A pair comes back as the joined file.
dmtrace generate -q --events 600 -o pair.key
cat pair.key pair.data >joined
mkdir r
dmtrace split --by events=100 -o r/ pair
dmtrace merge --rejoin -q -o again r/*
claim "a pair is rejoined to a single file" cmp joined again

# a piece is a trace, too
mkdir n
dmtrace generate -q --dialect=v2 --clock cpu --events 900 -o n.trace
dmtrace split -q --by events=400 -o n/% n.trace
dmtrace split -q --by thread -o n/t% n/0002
dmtrace merge -q --rejoin -o again n/t*
claim "records added before stay at the edges" \
    exits 0 dmtrace checksum -b --compare n/0002 again
claim "a missing piece is named" \
    says '2 of 4 pieces missing: 1, 3' \
    dmtrace merge --rejoin -o no p/x-0004.trace p/x-0002.trace
claim "a repeated piece is refused" says 'is piece 1, and so is' \
    dmtrace merge --rejoin -o no p/x-0001.trace p/*
claim "a piece of another trace is refused" \
    says 'r/pair-0002.trace: is a piece of another trace' \
    dmtrace merge --rejoin -o no p/* r/pair-0002.trace
claim "a whole trace is refused as a piece" says 'x.trace: is not a piece' \
    dmtrace merge --rejoin -o no x.trace
claim "an output that is a piece is refused" \
    says 'p/x-0001.trace is both the input and the output' \
    dmtrace merge --rejoin -o p/x-0001.trace p/*
claim "a pipe is refused as a piece" says 'standard input cannot be a piece' \
    dmtrace merge --rejoin -o no -
claim "a missing file exits with 2" says 'cannot open nothing: No such file' \
    dmtrace merge --rejoin -o no nothing
claim "a missing operand is a usage error" \
    says 'no file is named' dmtrace merge --rejoin -o no

# Pieces of one trace are no traces of their own, with --rejoin or without.
claim "merge joins all pieces of one trace, and says so" \
    notes 'were joined, as by --rejoin: byte for byte the original trace' \
    dmtrace merge -o again p/*
claim "merge without --rejoin gives the original trace" cmp x.trace again
claim "-q hides that report, too" \
    sh -c 'dmtrace merge -q -o again p/* 2>error && [ ! -s error ]'
claim "merge refuses some pieces of a trace" \
    says '3 of 4 pieces missing: 1, 3 to 4; "dmtrace merge --rejoin" needs' \
    dmtrace merge -o no p/x-0002.trace
claim "merge refuses a repeated piece" \
    says '"dmtrace merge --rejoin" needs each piece once' \
    dmtrace merge -o no p/x-0001.trace p/*
for option in --align=zero --threads=union --prefix --strict '-d v2' \
    --offset=p/x-0001.trace=1s; do
	claim "merge refuses pieces of one trace with $option" \
	    says 'join them with "dmtrace merge --rejoin"' \
	    dmtrace merge $option -o no p/*
done
claim "merge refuses a piece that is a pipe" says 'name the files' \
    sh -c 'cat p/x-0001.trace | dmtrace merge -o no - p/x-000[2-4].trace'
dmtrace merge -o several p/* r/pair-0002.trace 2>error
claim "pieces of several traces are merged" exits 0 dmtrace validate -q several
claim "pieces of several traces are noted" \
    has '5 inputs are pieces of traces and were merged as traces of their' error
claim "no failure leaves a file" test ! -e no
claim "other options are refused with --rejoin" says '--rejoin can only be' \
    dmtrace merge --rejoin --align=zero -o no p/*
claim "a full disk leaves no output" sh -c \
    '(ulimit -f 1; ! dmtrace merge --rejoin -o no p/*) && [ ! -e no ]'
all "$srcdir/tests/data" events=3 time=20ms
if [ -n "${DMTRACE_CORPUS-}" ]; then
	all "$DMTRACE_CORPUS" events=5000 time=500ms size=300K
else
	skip "the corpus is restored" "DMTRACE_CORPUS is not set"
fi
finish
