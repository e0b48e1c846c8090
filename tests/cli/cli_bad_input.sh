#!/bin/sh
# cli_bad_input.sh - bad input and full disks: one line, a status, no half file

. "$srcdir/tests/helpers/claim.sh"

# leaves_all_as_it_was COMMAND...: no file has come or gone
leaves_all_as_it_was()
{
	before=$(echo * .[!.]* folder/* folder/.[!.]*)
	"$@" >/dev/null 2>said
	status=$?
	after=$(echo * .[!.]* folder/* folder/.[!.]*)
	[ "$before" = "$after" ] || { echo "$after, not $before"; return 1; }
}

# said_once PATTERN...: one line was said, and it has each of these
said_once()
{
	one_line '' said || return 1
	for pattern; do
		grep -Eq -e "$pattern" said ||
		    { cat said; echo "not in it: $pattern"; return 1; }
	done
}

# refuses STATUS 'PATTERN...' COMMAND OPERAND...
refuses()
{
	expected=$1
	patterns=$2
	shift 2
	leaves_all_as_it_was dmtrace "$@" || return
	set -f
	said_once "^dmtrace $1: " $patterns || return
	[ "$status" -eq "$expected" ] ||
	    { echo "exit status $status, not $expected"; return 1; }
}

# rows COMMAND...: a claim for each, and each row on stdin
rows()
{
	while read -r expected file patterns; do
		for command; do
			claim "$command $file" refuses "$expected" \
			    "$file $patterns" "$command" "$file"
		done
	done
}

: >said
mkdir folder
cp "$srcdir"/tests/data/*.trace "$srcdir"/tests/data/*.key \
    "$srcdir"/tests/data/*.data .
cp bad-data-only.trace alone.data
cp bad-key-only.trace alone-too.key

# What cannot be done at all: the status, the file, what the line must name.
rows info dump split <<'ROWS'
2 missing.trace No.such.file
2 folder directory
2 bad-empty.trace empty \*version
2 bad-text.trace \*version
2 bad-star.trace \*end
2 bad-no-end.trace \*end
2 bad-data-version-25.trace \*version
2 unsupported-gzip.trace gzip.-dc
2 unsupported-zip.trace zip unzip
ROWS
rows dump split <<'ROWS'
2 bad-key-only.trace key.*data SLOW
2 bad-magic.trace SLAW SLOW byte.167
2 bad-gap-9.trace .r.n SLOW byte.167
ROWS
rows split <<'ROWS'
2 good-packets-4.trace format.V2 dmtrace.convert
2 good-packets-f5.trace format.V2 dmtrace.convert
2 good-stream-f2.trace ART.streaming
2 good-stream-f3.trace ART.streaming
ROWS
rows info dump <<'ROWS'
2 alone.data alone.key
ROWS
rows dump <<'ROWS'
2 alone-too.key alone-too.data
2 bad-offset-past-end.trace 65520 byte.(173|239)
2 bad-offset-15.trace 15 16 byte.173
2 bad-offset-0.trace 0 16 byte.173
2 bad-size-9.trace 9 10 byte.183
2 bad-header-cut-15.trace 15 16 byte.182
2 bad-header-cut-31.trace 31 32 byte.198
2 bad-version-25.trace 25 1.to.3 byte.171
2 unsupported-stream-behind-key.trace ART.streaming 0xF3 byte.171
1 bad-partial-v2-5.trace 5 10 byte.239
1 bad-partial-v3-13.trace 13 14 byte.255
1 bad-partial-only.trace 7 10 byte.199
1 bad-reserved.trace action.3 byte.219
1 bad-thread-id.trace pool line.6:
1 bad-method-id.trace main line.10:
ROWS
rows join <<'ROWS'
2 missing missing.key No.such.file
2 alone alone.key No.such.file
2 alone-too alone-too.data No.such.file
2 bad-pair-versions version 1 3
2 bad-pair-ids 4 lists
2 bad-pair-swapped swapped
ROWS

# Usage: the command is named, not the file.
claim "info without an operand is a usage error" refuses 2 no.file info
claim "split of two files is a usage error" \
    refuses 2 more.than.one split good-v1-cpu.trace x
claim "an unknown option is a usage error" refuses 2 --no-such info --no-such x
claim "an unknown format is a usage error" refuses 2 yaml info -f yaml x

# named_once TEXT COMMAND...: prints that text alone. musl has "Filename".
named_once()
{
	text=$1
	shift
	exits 2 dmtrace "$@" 2>said && cat said &&
	    [ "$(sed 's/Filename too/File name too/' said)" = \
	    "dmtrace $1: $text" ]
}
claim "a backslash in a file name is printed once" named_once \
    'cannot open a\\b: No such file or directory' info 'a\b'
long=$(printf '%0300d' 0)
claim "a file name of multi-byte characters is printed" named_once \
    'cannot open xééééééééééééééééé: No such file or directory' \
    info xééééééééééééééééé
claim "a long file name is truncated" named_once \
    "cannot open $(printf '%0156d' 0)...: File name too long" dump "$long"

# covers FORM COMMAND...: its report replaces an old one, and has rows of the
# trace that there is not, of what is none, and of others
covers()
{
	form=$1
	shift
	echo old >covered
	exits 2 dmtrace "$@" -f "$form" -o covered missing.trace \
	    good-v2-wall.trace bad-text.trace 2>/dev/null &&
	    cat covered && ! grep -x old covered &&
	    grep 'missing.trace.*No such file' covered &&
	    grep 'bad-text.trace' covered && [ "$(wc -l <covered)" -gt 2 ]
}
echo 'calls(*) >= 0' >always.spec
for form in tsv csv json; do
	for command in info validate 'validate --for=all' checksum report \
	    'report --tree' 'report --by thread' 'expect always.spec'; do
		claim "$command, $form: the report has a row for each operand" \
		    covers $form $command
	done
done
rm covered always.spec

# Outputs that cannot be written.
dmtrace generate -q -o big.key && dmtrace join -q big || exit 1
if [ -c /dev/full ]; then
	while read -r command; do
		claim "$command fails on a full disk" refuses 2 No.space.left \
		    $command -o /dev/full
	done <<-'ROWS'
	info big.trace
	dump big.trace
	generate
	join big
	filter --depth 1..3 big.trace
	shift --by 1s big.trace
	sort big.trace
	merge big.trace big.trace
	repair big.trace
	ROWS
	for command in info dump; do
		claim "$command fails if standard output is full" exits 2 \
		    sh -c "dmtrace $command big.trace >/dev/full"
	done
else
	skip "a full disk" "no /dev/full here"
fi

# shown STATUS TEXT COMMAND: ends so on a terminal, and the text is seen there,
# but no records
shown()
{
	exits "$1" script -qec "$3" /dev/null </dev/null >seen &&
	    has "$2" seen && ! grep -aF SLOW seen
}
# calm COMMAND: it shows a name on a terminal, but not what it does there
calm()
{
	NO_COLOR=1 COLUMNS=500 exits 0 script -qec "$1" /dev/null \
	    </dev/null >seen && grep -aF ']2;b' seen &&
	    ! LC_ALL=C grep -a "$unsafe" seen
}
unsafe=$(printf '\033\|\177\|\302\233\|\342\200\256\|\342\201\246\|\330\234')
# An option, a thread and a method whose names would turn the writing round.
{
	printf '*version\n2\nclock=wall\nvm=a\342\200\256b\n*threads\n'
	printf '1\tm\342\201\246\n*methods\n'
	printf '0x4\tp/\342\200\256A\tx\330\234\342\201\246y\t()V\n*end\n'
	printf 'SLOW\2\0\40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	printf '\1\0\4\0\0\0\1\0\0\0\1\0\5\0\0\0\7\0\0\0'
} >turned.trace
# straight COMMAND...: what it prints leaves the direction as it is
straight()
{
	"$@" >seen 2>&1
	[ -s seen ] && ! LC_ALL=C grep -a "$unsafe" seen
}
while read -r command; do
	claim "$command: bidirectional characters are escaped" \
	    straight dmtrace $command
done <<-'ROWS'
	dump turned.trace
	dump -f tsv turned.trace
	dump -f json turned.trace
	report turned.trace
	report -f tsv turned.trace
	report -f json turned.trace
	report --callers --callees turned.trace
	report --tree turned.trace
	report --bottom-up turned.trace
	report --by thread turned.trace
	report -f html turned.trace
	graph turned.trace
	export -f chrome turned.trace
	export -f collapsed turned.trace
	export -f sqlite turned.trace
	diff turned.trace big.trace
	diff --trees turned.trace big.trace
	expect --update - turned.trace
	report -m nothing-like-xy turned.trace
ROWS
for form in text tsv json; do
	claim "info, $form: bidirectional characters are escaped" \
	    sh -c "dmtrace info -f $form turned.trace >seen &&
	    grep 'a.*b' seen && ! LC_ALL=C grep -a '$unsafe' seen"
done
if have script && script -qec : /dev/null </dev/null >seen 2>&1; then
	while read -r command; do
		claim "$command writes no trace to a terminal" shown 2 \
		    'are not written to a terminal' "dmtrace $command"
	done <<-'ROWS'
	generate
	generate -o -
	generate -o /dev/tty
	join -o /dev/stdout big
	graph -f png big.trace
	export -f pprof big.trace
	export -f perfetto big.trace
	ROWS
	claim "a report is written to a terminal" \
	    shown 0 joined "dmtrace info -o /dev/tty big.trace"
	for command in checksum info report validate; do
		claim "$command: a missing file is one line on a terminal" \
		    sh -c "script -qec 'dmtrace $command nowhere' /dev/null \
		    </dev/null | grep -c . | grep -qx 1"
	done
	# starts COLOUR COMMAND TEXT: a message on a terminal
	starts()
	{
		TERM=xterm script -qec "dmtrace $2" /dev/null </dev/null |
		    grep -qF "$(printf '\033[%sm%s: \033[0m%s' "$1" \
		    "dmtrace ${2%% *}" "$3")"
	}
	claim "an error begins in red on a terminal" \
	    starts '1;31' 'info nowhere' \
	    'cannot open nowhere'
	echo '[{"ph":"B","name":"a","ts":1,"pid":1,"tid":1}' \
	    >ends.json
	claim "a warning begins in yellow on a terminal" starts '1;33' \
	    'import --from-format chrome -o colour.trace ends.json' \
	    'warning: the text ends'
	claim "a note begins in bold on a terminal" starts 1 \
	    'merge -o colour.trace big.trace big.trace' 'events are'
	for set in NO_COLOR=1 TERM=dumb; do
		claim "there is no colour with $set" sh -c '
		    env TERM=xterm "$1" script -qec "dmtrace info nowhere" \
		    /dev/null </dev/null | grep -q "^dmtrace info: cannot"' \
		    sh "$set"
	done
	dmtrace generate --events 100 --methods 3 -o evil.key
	turns='\xe2\x80\xae\xe2\x81\xa6\xd8\x9c'
	sed "s/^\(0x[0-9a-f]*.\)[^\t]*/\1a\x1b]2;b\x7f\xc2\x9b$turns/" \
	    evil.key >new && mv new evil.key
	while read -r command; do
		claim "$command: control bytes are not sent to a terminal" \
		    calm \
		    "dmtrace $command"
	done <<-'ROWS'
	dump evil.key
	dump -f csv evil.key
	dump -f csv -o /dev/tty evil.key
	dump --dmtracedump evil.key
	report evil.key
	report -f csv evil.key
	report -f html evil.key
	report --dmtracedump evil.key
	report --traceview evil.key
	graph evil.key
	export -f jsonl evil.key
	ROWS
else
	skip "a terminal" "no script here"
fi

# limited COMMAND...: refused, with files of at most 16 KB
limited()
(
	trap '' XFSZ
	ulimit -f 16
	refuses 2 File.too.large "$@"
)
claim "generate fails at the limit on file sizes" limited generate -o new.trace
claim "generate of a pair fails at the limit on file sizes" \
    limited generate -o new.key
claim "join fails at the limit on file sizes" limited join big -o new.trace
claim "split fails at the limit on file sizes" \
    limited split big.trace -o new.key
claim "dump fails at the limit on file sizes" limited dump big.trace -o new.txt
claim "generate fails if the folder does not exist" \
    refuses 2 'nowhere No.such' generate -o nowhere/new.trace

# to_head COMMAND...: the reader goes away, nobody is reported
to_head()
{
	rm -f status
	{ dmtrace "$@" 2>said; echo $? >status; } | head -c 1 >/dev/null
	waits_for test -s status
	cat said status
	[ ! -s said ] && [ "$(cat status)" -ne 2 ]
}
claim "dump ends quietly if the reader closes the pipe" to_head dump big.trace
claim "dump -f json ends quietly if the reader closes the pipe" \
    to_head dump -f json big.trace
claim "generate ends quietly if the reader closes the pipe" to_head generate

# killed SIGNAL COMMAND...: it waits for its input, or has made a temporary,
# and leaves no new.trace
killed()
{
	signal=$1
	shift
	rm -f opened .dmtrace-*
	(exec >wait.data && : >opened && exec sleep 30) &
	holder=$!
	dmtrace "$@" &
	victim=$!
	waits_for sh -c '[ -e opened ] || ls .dmtrace-* 2>/dev/null'
	kill -s "$signal" "$victim"
	kill "$holder"
	wait "$victim" "$holder"
	[ ! -e new.trace ]
}
mkfifo wait.data
for signal in TERM KILL; do
	claim "join, killed by $signal, leaves no partial file" \
	    killed "$signal" join -o new.trace big.key wait.data
	claim "generate, killed by $signal, leaves no partial file" \
	    killed "$signal" generate --events 1000000000 -o new.trace
done

# Times of centuries, at and beyond 2^63 ns, in one clock and in both.
{
	printf 'dmtrace text 1\nheader f5 stage=e start=0us\n'
	printf 'thread 1 main\nmethod 0x4 A.m()V A.java\n'
	for times in 9223372036850000us/9us 9us/9223372036850000us \
	    9223372036854775us/9223372036854775us \
	    13835058055282163us/13835058055282163us \
	    18446744073709551us/18446744073709551us; do
		number=$((${number-0} + 1))
		printf 'block\n0us/0us %s A.m\n%s %s A.m\n' \
		    $number $times $number
	done
	printf 'summary\nkey 5\nclock=dual\n*end\nend\n'
} >times.dmt
claim "times of centuries are written" dmtrace undump -o times.trace times.dmt
printf 'inclusive(*) < 1s\n' >times.rules

# ends COMMAND...: with a status, and no sanitizer finds anything
ends()
{
	status=0
	dmtrace "$@" >out 2>error || status=$?
	[ "$status" -le 2 ] && ! grep -q 'runtime error\|Sanitizer' error ||
	    { echo "status $status"; cat error; return 1; }
}
while read -r command; do
	claim "times of centuries do no harm: dmtrace $command" ends $command
done <<ROWS
info times.trace
info -f json times.trace
checksum times.trace
validate --for=all times.trace
validate --fix -o new.trace times.trace
repair -o new.trace times.trace
dump --calls times.trace
dump --dmtracedump times.trace
dump --text times.trace
report times.trace
report --tree times.trace
report --bottom-up times.trace
report --callers times.trace
report --durations times.trace
report --slowest times.trace
report --by=thread times.trace
report --dmtracedump times.trace
diff times.trace times.trace
diff --trees times.trace times.trace
expect times.rules times.trace
flame -o new.svg times.trace
graph -o new.dot times.trace
view -o new.html times.trace
export -f callgrind -o new times.trace
export -f chrome -o new times.trace
export -f collapsed -o new times.trace
export -f firefox -o new times.trace
export -f parquet -o new times.trace
export -f perfetto -o new times.trace
export -f pprof -o new times.trace
export -f speedscope -o new times.trace
export -f sqlite -o new times.trace
convert -d v1 -o new.trace times.trace
convert -d v3 -o new.trace times.trace
convert -d f3 -o new.trace times.trace
convert -d v5 -o new.trace times.trace
sort -o new.trace times.trace
shift --by 1s -o new.trace times.trace
shift --by=-1s -o new.trace times.trace
merge -o new.trace times.trace times.trace
filter --from 1s -o new.trace times.trace
split --force --by time=100000000s -o new% times.trace
split --force --by events=2 -o new% times.trace
ROWS
finish
