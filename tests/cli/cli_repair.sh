#!/bin/sh
# cli_repair.sh - what is broken becomes valid, and is reported

. "$srcdir/tests/helpers/claim.sh"

key()
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n'
	printf '*methods\n0x4\tA\tm\t()V\n*end\n'
}

enter()
{
	printf '\001\000\004\000\000\000\001\000\000\000'
}

leave()
{
	printf '\001\000\005\000\000\000\007\000\000\000'
}

{ key; header; enter; leave; } >good.trace
{ key; header; enter; leave; printf 'cut'; } >cut.trace
{ key | sed '2s/$/\r/'; header; enter; printf 'cut'; } >open.trace

# nothing NAME: there is no such file, and no temporary
nothing()
{
	for file in "$1" .dmtrace*; do
		[ ! -e "$file" ] || { echo "there is $file"; return 1; }
	done
}

# valid TRACE: it can be read without an error, also by dmtracedump, and all
# that begins ends
valid()
{
	dmtrace dump -q -f tsv "$1" >events || return 1
	awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["action"] == "enter" { depth[$at["thread"]]++; next }
	--depth[$at["thread"]] < 0 { exit 1 }
	END { for (t in depth) if (depth[t] != 0) exit 1 }' events || return 1
	have dmtracedump || return 0
	dmtracedump -o "$1" >dumped 2>refused && [ ! -s refused ] ||
	    { head -3 refused; return 1; }
}

# repaired FILE: what is made of it is valid, and its repair is a copy; what
# was changed is in the file changes
repaired()
{
	exits 0 dmtrace repair -q -f tsv -o one.trace "$1" >changes &&
	    valid one.trace && dmtrace repair -q -o two.trace one.trace &&
	    cmp one.trace two.trace
}

# packets_repaired FILE: the same of what dmtracedump does not read
packets_repaired()
{
	exits 0 dmtrace repair -q -f tsv -o one.trace "$1" >changes &&
	    dmtrace validate -q one.trace &&
	    dmtrace repair -q -o two.trace one.trace &&
	    cmp one.trace two.trace
}

# The change report
claim "a damaged trace is repaired" sh -c '
	dmtrace repair -o o.trace cut.trace >report'
claim "the changes are reported" has \
    "dropped         1  record-partial: the truncated last record" report
claim "the changes are recorded in the key" \
    grep -qa '^dmtrace-repaired=record-partial:1$' \
    o.trace
claim "the trace is valid" valid o.trace
claim "repairing the result is a copy" sh -c '
	dmtrace repair -o same.trace o.trace >report'
claim "the report of a copy is text" \
    has "there was nothing to change: the trace was copied" report
claim "the copy has the same bytes" cmp o.trace same.trace
claim "-q reports nothing" test -z "$(dmtrace repair -q -o q.trace open.trace)"

partial="the truncated last record was left out: 3 bytes of 10"
open="exit was added at the end for a call still open there"
{
	printf "change\tkind\tcount\tline\tbyte\tmessage\n"
	printf "key-crlf\tfixed\t1\t2\t\t"
	printf "CR LF at the end of a line was replaced by LF\n"
	printf "record-partial\tdropped\t1\t\t107\t%s\n" "$partial"
	printf "call-open\tadded\t1\t\t\t%s: thread 1, method 0x4\n" "$open"
} >tsv
{
	printf '{"change":"record-partial","kind":"dropped","count":1,'
	printf '"line":null,"byte":116,"message":"%s"}\n' "$partial"
} >json
claim "-f tsv has a row for each change" \
    prints tsv dmtrace repair -f tsv -o o.trace open.trace
sed -e "s/$(printf "\t")/,/g" -e "s/exit was.*/\"&\"/" \
    -e "s/\$/$(printf "\r")/" tsv >csv
claim "-f csv has a row for each change" \
    prints csv dmtrace repair -f csv -o o.trace open.trace
claim "-f jsonl has an object for each change" \
    prints json dmtrace repair -f jsonl -o o.trace cut.trace
claim "-f tsv without changes has only column names" prints names \
    sh -c 'head -n 1 tsv >names; dmtrace repair -f tsv -o o.trace good.trace'

# Two records, and one that repair adds at each edge.
most=18446744073709551615
{
	key | sed "3a dmtrace-opened=$most\\ndmtrace-closed=$most"
	header
	leave
	enter
} >most.trace
claim "added records are at most as many as there are" sh -c '
	dmtrace repair -q -o o.trace most.trace &&
	    grep -a "^dmtrace-[oc]" o.trace >got &&
	    printf "dmtrace-opened=3\ndmtrace-closed=3\n" | cmp - got'
if [ -c /dev/full ]; then
	echo old >old.trace
	claim "a change report that cannot be written exits with 2" \
	    says "standard output" sh -c 'dmtrace repair -o old.trace \
	    cut.trace >/dev/full'
	claim "the old trace is then kept" grep -qx old old.trace
else
	skip "a change report that cannot be written" "no /dev/full here"
fi
claim "--dry-run reports the same changes" sh -c '
	dmtrace repair --dry-run -f tsv open.trace | cmp - tsv'
claim "--dry-run writes no trace" nothing new.trace
claim "--dry-run exits with 1 if there are changes" exits 1 \
    dmtrace repair --dry-run cut.trace
claim "--dry-run exits with 0 if there are none" exits 0 \
    dmtrace repair --dry-run good.trace
claim "--dry-run refuses an output" says '--dry-run writes no output' \
    dmtrace repair --dry-run -o new.trace cut.trace

{ key | sed '2a data-file-overflow=true'; header; enter; } >over.trace
claim "an overflow is reported: times are lower bounds" sh -c '
	dmtrace repair --dry-run over.trace | grep -q "are lower bounds"'

# Where it goes
dmtrace repair -q -o o.trace cut.trace
claim "the trace may go to standard output" prints o.trace \
    sh -c 'dmtrace repair cut.trace 2>error'
claim "the change report then goes to standard error" has \
    'dmtrace repair: cut.trace: byte 116: the truncated last record' error
claim "-f needs a named output" says '-f needs -o, or --dry-run' \
    dmtrace repair -f tsv cut.trace
claim "the input may be a pipe" prints o.trace \
    sh -c 'cat cut.trace | dmtrace repair -q -'
claim "the output may be a pair" exits 0 dmtrace repair -o half.key cut.trace
claim "the two files of the pair are the trace" \
    sh -c 'cat half.key half.data | cmp - o.trace'
claim "a base name names a pair" prints o.trace dmtrace repair half
claim "it ends quietly if the reader closes the pipe" test -z \
    "$(sh -c 'dmtrace repair good.trace | :' 2>&1)"
cp cut.trace in.trace
claim "an output that is the input is refused" \
    says 'in.trace is both the input and the output; name another output' \
    dmtrace repair -o in.trace in.trace
claim "the input is unchanged" cmp cut.trace in.trace
claim "--sync changes no byte" exits 0 \
    dmtrace repair --sync -q -o sync.trace cut.trace
claim "--sync writes the trace" cmp o.trace sync.trace

# What a recorder leaves
key | sed '$d' >run.trace.key
{ header; enter; printf 'c'; } >run.trace.data
claim "the files of a killed recorder are found" repaired run.trace
rm run.trace.key
claim "a key is made if the recorder left none" repaired run.trace

# Time that goes back
{ key; header; leave; enter; leave; } >back.trace
claim "the default strategy is clamp" sh -c '
	dmtrace repair -q back.trace >clamp
	dmtrace repair -q --strategy=clamp back.trace | cmp - clamp'
claim "--strategy=shift shifts later times" sh -c '
	dmtrace repair -q --strategy=shift back.trace >shift
	! cmp -s clamp shift'
claim "--strategy=drop drops records" sh -c '
	dmtrace repair -q --strategy=drop back.trace >drop
	! cmp -s clamp drop && ! cmp -s shift drop'
claim "an unknown strategy is refused" \
    says '"other" is not one of clamp, shift, drop' \
    dmtrace repair --strategy=other back.trace

# Times are read twice, each time from the first on: 50 minutes are no wrap
{
	key | sed '5a 2\tother'
	header
	enter
	printf '\002\000\004\000\000\000\005\000\000\000'
	printf '\001\000\005\000\000\000\000\136\320\262cut'
} >long.trace
claim "what is open ends with the last event" sh -c '
	dmtrace repair -q -o o.trace long.trace &&
	    printf "%s\n" 1000 5000 3000000000000 3000000000000 >times &&
	    dmtrace dump -q -f tsv o.trace | sed 1d | cut -f 5 | cmp - times'

# The first packet of what is repaired is that of thread 0.
printf '%s\n' 'dmtrace text 1' 'header long' block '30us 1 >0x7001000' \
    block '10us 0 <0x0' >zero.text
dmtrace undump -o zero.trace zero.text
claim "a dump whose first thread and method are 0 is repaired" sh -c '
	dmtrace repair -q -o o.trace zero.trace &&
	    dmtrace validate -q o.trace'

# Before the first block nothing but the header shows the stage, and the packet
# of a thread without a name counts only if another one follows it.
# before_block STAGE STATEMENT: what of 6 events repair keeps
before_block()
{
	printf '%s\n' "header v4 $1 start=1us" 'thread 1 main' \
	    'method 0x10 A.m()V A.java' "$2" block '1us 1 >A.m' \
	    '2us 1  >A.m' '3us 1  <A.m' '4us 1 <A.m' block '5us 1 >A.m' \
	    '6us 1 <A.m' summary 'key 4' clock=wall elapsed-time-usec=9 \
	    '*end' end | dmtrace undump -o stage.trace - &&
	    dmtrace repair -q -o o.trace stage.trace &&
	    dmtrace dump -q -f tsv o.trace | sed 1d | wc -l
}
for stage in b c e f; do
	for mark in '' ' mark=0'; do
		claim "a thread without a name, stage $stage$mark" \
		    [ "$(before_block "stage=$stage$mark" \
		    'thread 2 ""')" -eq 6 ]
		claim "a byte before the first block, stage $stage$mark" \
		    [ "$(before_block "stage=$stage$mark" 'bytes ff')" -eq 6 ]
	done
done

# What it does not do
: >empty.trace
claim "an empty file is refused" says 'empty.trace: empty' \
    dmtrace repair -o new.trace empty.trace
claim "a missing file exits with 2" says 'cannot open no: No such file' \
    dmtrace repair -o new.trace no
claim "a folder is refused" says 'Is a directory' dmtrace repair -o new.trace .
claim "a missing operand is a usage error" \
    says 'no file is named' dmtrace repair
claim "two operands are a usage error" \
    says 'more than one file' dmtrace repair a b
claim "no failure leaves a file" nothing new.trace

# Whatever repair changes, validate reports. A defect that keeps it from reading
# the records hides what is wrong with them; one name may be for two.
also='data-crlf=data-text data-converted=data-text record-damaged=data-text
    thread-unlisted=key-line-zeroed method-unlisted=key-line-zeroed
    record-tail=method-unlisted clock-differs=record-partial
    version-differs=record-partial header-record-size=record-partial'
reported()
{
	grep -F "$1	" theirs >its
	awk -F '\t' -v also="$(echo $also)" '
	BEGIN {
		count = split(also, pairs, " ")
		for (i = 1; i <= count; i++) {
			split(pairs[i], names, "=")
			other[names[1]] = names[2]
		}
		readable = 1
	}
	FILENAME == "changes" { if (FNR > 1) changed[$1]; next }
	/unreadable/ { readable = 0; exit }
	{ found[$2] }
	END {
		for (name in changed)
			if (!(name in found) && !(name in other &&
			    other[name] in found)) {
				print name
				missing = readable
			}
		exit missing
	}' changes its || { cat its; return 1; }
}

# becomes_valid FILE REPAIRED
becomes_valid()
{
	claim "${1##*/} becomes valid" "$2" "$1"
	claim "validate reports what repair changes in ${1##*/}" reported "$1"
}

dmtrace validate -f tsv "$srcdir"/tests/data/*.trace $(defects) \
    2>messages >theirs

# The samples: all but what is refused becomes valid.
for sample in "$srcdir"/tests/data/*.trace; do
	name=${sample##*/}
	case $name in
	unsupported-*-behind-key.trace)	# whose records are plain
		becomes_valid "$sample" repaired ;;
	*-packets-* | *-stream-* | good-long-running.trace)
		becomes_valid "$sample" packets_repaired ;;
	unsupported-*)
		claim "$name is refused" exits 2 \
		    dmtrace repair -o new.trace "$sample" ;;
	bad-empty.trace | bad-text.trace)
		claim "$name is not a trace" exits 2 \
		    dmtrace repair -o new.trace "$sample" ;;
	*)
		becomes_valid "$sample" repaired ;;
	esac
done

# Real traces, and those of one defect each.
if [ -n "$DMTRACE_DEFECTS" ]; then
	for defect in $(defects); do
		name=${defect##*/}
		case $name in
		f[23]_* | *-stream-* | stream_f3.trace)
			becomes_valid "$defect" packets_repaired ;;
		empty.trace | m030-*)
			claim "$name is refused" exits 2 \
			    dmtrace repair -o new.trace "$defect" ;;
		*)
			becomes_valid "$defect" repaired ;;
		esac
	done
else
	skip "files of one defect become valid" "no DMTRACE_DEFECTS"
fi
if [ -n "$DMTRACE_CORPUS" ]; then
	for trace in "$DMTRACE_CORPUS"/*.trace; do
		name=${trace##*/}
		case $name in
		perflib-streaming.trace)
			claim "$name becomes valid" packets_repaired \
			    "$trace" ;;
		*)
			claim "$name becomes valid" repaired "$trace" ;;
		esac
	done
	dmtrace repair -q -o whole.trace \
	    "$DMTRACE_CORPUS/perflib-basic.trace"
	dmtrace repair -q -o put-back.trace \
	    "$DMTRACE_CORPUS/perflib-basic-special_char.trace"
	claim "data that was converted to UTF-8 has all its times again" sh -c '
		for name in whole put-back; do
			dmtrace dump -f tsv $name.trace | cut -f 1-4 >$name
		done
		cmp whole put-back'
else
	skip "real traces become valid" "no DMTRACE_CORPUS"
fi
# names_agree TRACE: repair changes something, and validate has all its names
names_agree()
{
	dmtrace repair --dry-run -f tsv "$1" | sed 1d | cut -f 1 | sort -u >ours
	[ "$(dmtrace validate -f jsonl "$1" | grep -cF -f ours)" -gt 0 ] &&
	    for name in $(cat ours); do
		dmtrace validate -f jsonl "$1" | grep -qF "\"$name\"" || {
			echo "$name"
			return 1
		}
	done
}
echo 1 4 10 20 | write_trace dual.trace 3 dual
echo 1 4 10 | write_trace wall.trace 2 wall
grep -av '^clock=' dual.trace >clock-missing.trace
sed 's/^clock=wall/clock=sun/' wall.trace >clock-unknown.trace
sed 's/^clock=wall/clock=dual/' wall.trace >clock-differs.trace
{
	sed '/^\*end/q' dual.trace
	printf 'SLOW\3\0\20\0\1\0\0\0\0\0\0\0'
	printf '\1\0\4\0\0\0\12\0\0\0\24\0\0\0'
} >record-size-missing.trace
printf '1 4 10\n0 0 0\n1 5 20\n' | write_trace zeros.trace 2 wall
grep -av '^0' zeros.trace >method-unlisted.trace
for name in clock-missing clock-unknown clock-differs record-size-missing \
    method-unlisted; do
	claim "repair and validate report the same: $name" \
	    names_agree $name.trace
	claim "repair reports $name" has $name ours
done

# Nothing shows where packets begin after a copy as text. What is left of some
# by accident is little.
dmtrace generate -q -d v4 --seed 1 --events 300 --threads 3 -o whole.trace
dmtrace corrupt -q --seed 1 --kind utf8 -o text.trace whole.trace
claim "a copy as text is refused, though a block in it can be read" exits 2 \
    dmtrace repair -q -o made.trace text.trace
dmtrace generate -q -d v5 --seed 9 --events 2000 --threads 4 --methods 30 \
    --burst 1 -o whole.trace
dmtrace corrupt -q --kind=crlf -o text.trace whole.trace
claim "packets without a line end survive a copy with CR LF" sh -c '
    dmtrace repair -q -o made.trace text.trace &&
    [ "$(dmtrace dump -q made.trace | wc -l)" -gt 290 ]'
for dialect in f2 f3 v4 v5 f4 f5; do
	dmtrace generate -q -d $dialect --seed 3 --events 4000 -o whole.trace
	for kind in crlf lossy; do
		dmtrace corrupt -q --seed 3 --kind $kind -o text.trace \
		    whole.trace
		rm -f made.trace
		status=0
		dmtrace repair -q -o made.trace text.trace 2>refused ||
		    status=$?
		claim "$dialect that was copied as text is refused: $kind" \
		    [ $status -eq 2 ]
		claim "the message says so: $dialect $kind" \
		    has 'text.trace: data-text: the data was copied as text: ' \
		    refused
		claim "nothing is written of it: $dialect $kind" \
		    nothing made.trace
	done
done

# Records of 14 bytes in a stream that has those of 10 are copied without the
# rest, after which their places are not those in the file.
{
	printf 'SLOW\362\0\40\0\0\100\20\44\1\0\0\0\12\0'
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	printf '\0\0\1\23\0000x4\tA\tf\t()V\tA.java\n'
	printf '\0\0\2\1\0\4\0main'
	for record in '4\0\0\0\1' '5\0\0\0\2' '5\0\0\0\3' '4\0\0\0\4' \
	    '5\0\0\0\5'; do
		printf "\\1\\0\\$record\\1\\0\\0\\1\\1\\0\\0"
	done
} >fourteen.trace
dmtrace validate fourteen.trace >found
claim "validate names the place of an exit" \
    has 'byte 95: note: exit-before: exit' found
dmtrace repair -f tsv -o mended.trace fourteen.trace >rows
claim "repair names none, where its copy has another" \
    grep -q '^exit-before	added	1			' rows

finish
