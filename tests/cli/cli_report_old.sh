#!/bin/sh
# cli_report_old.sh - the reports of dmtracedump and Traceview, byte for byte

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/dmtracedump.sh"

# as_dmtracedump FILE: the report, and the list of records
as_dmtracedump()
{
	dmtracedump "$1" >theirs 2>/dev/null
	dmtrace report -q --dmtracedump "$1" >ours 2>/dev/null
	prints theirs cat ours
}

as_list()
{
	dmtracedump -o "$1" >theirs 2>/dev/null
	dmtrace dump -q --dmtracedump "$1" >ours 2>/dev/null
	prints theirs cat ours
}

# generated NUMBER VERSION CLOCK
generated()
{
	rm -f made.trace
	dmtrace generate -q --seed "$1" --events $((300 + $1 * 4)) \
	    --threads $((1 + $1 % 9)) --methods $((1 + $1 * 7 % 300)) \
	    --max-depth $((1 + $1 * 3 % 50)) --dialect="v$2" \
	    --clock "$3" -o made.trace &&
	    as_dmtracedump made.trace && [ "$(wc -l <ours)" -gt 40 ] &&
	    as_list made.trace && [ "$(wc -l <ours)" -gt 300 ]
}

# What is different is said in dmtrace-report(1), and nothing else is.
unlike_lists='crlf name-nul no-threads-section thread-blanks thread-hex'

sample()
{
	name=$(basename "$1" .trace)
	name=${name#good-}
	if ! is_in "$name" "$refused $wrong"; then
		claim "$name has dmtracedump's report" as_dmtracedump "$1"
	fi
	if ! is_in "$name" "$refused $unlike_lists offset-16-v3" \
	    "thread-40000"; then
		claim "$name has dmtracedump's list" as_list "$1"
	fi
}

# So that the lists above do not hide what has become alike.
still_differs()
{
	! as_dmtracedump "$srcdir/tests/data/good-$1.trace" >/dev/null 2>&1
}

# tables FILE NAME: NAME.totals, NAME.threads sorted, NAME.rest up to the
# Time Records
tables()
{
	awk -v name="$2" '
	/^Thread Times$/ { part = "threads" }
	/^Call Times$/ { part = "rest" }
	/^Time Records$/ { exit }
	NF { print >(name "." (part == "" ? "totals" : part)) }' "$1"
	sort -o "$2.threads" "$2.threads"
}

# Each byte that is not ASCII is U+FFFD to Traceview.
ascii()
{
	LC_ALL=C sed 's/[^ -~	][^ -~	]*/?/g' "$1"
}

as_traceview()
{
	rm -f theirs.* ours.*
	zcat "$1" >golden
	dmtrace report -q --traceview "$2" >viewed 2>/dev/null
	tables golden theirs
	tables viewed ours
	for part in totals threads rest; do
		ascii "theirs.$part" >one
		ascii "ours.$part" >two
		prints one cat two || return 1
	done
}

# selected TABLES OPTION: those of the filtered trace
selected()
{
	rm -f part.trace
	dmtrace filter -q "$2" -o part.trace made.trace &&
	    dmtrace report "--$1" part.trace >part &&
	    prints part dmtrace report "--$1" "$2" made.trace
}

dmtrace generate -q --events 3000 --threads 3 --methods 30 -o made.trace
for tables in dmtracedump traceview; do
	for option in --from=2ms --to=9ms --min-time=200us --depth=2..4; do
		claim "--$tables takes $option" selected "$tables" "$option"
	done
	claim "--$tables exits with 1 if no method is selected" \
	    exits 1 dmtrace report "--$tables" -m 'nowhere*' made.trace
done

# Whatever clock Traceview does not know, it takes the first time for CPU.
same_as_cpu()
{
	dmtrace generate -q --events 900 --threads 3 --dialect="v$1" \
	    --clock "$2" -o made.trace &&
	    LC_ALL=C sed "s/^clock=$2\$/clock=thread-cpu/" made.trace \
		>cpu.trace &&
	    LC_ALL=C sed "s/^clock=$2\$/$3/" made.trace >other.trace &&
	    dmtrace report -q --traceview cpu.trace >wanted 2>/dev/null &&
	    dmtrace report -q --traceview other.trace 2>/dev/null |
	    cmp wanted - && grep -q 'Method Stats' wanted
}

for clock in clock=global clock=other 'clock=wall2' 'klock=wall'; do
	claim "one time and $clock: CPU to Traceview" \
	    same_as_cpu 2 wall "$clock"
	claim "two times and $clock: the first one is CPU" \
	    same_as_cpu 3 dual "$clock"
done

# In the calls, a thread has the id of its row, and its own number without one.
printf '%s\n' '7 4 0' '7 5 60' '8 4 10' '8 5 30' |
    write_trace unlisted.trace 1 wall
sed 's/^8\tmain/264\tmain/; s/^7\tmain/9\tmain/' unlisted.trace >odd.trace
viewed_calls()
{
	dmtrace report -q --traceview odd.trace |
	    awk '/^Call Times/ { go = 1 } /^Method/ { go = 0 }
	go && /A.m/ { print $1, $4, $5 }'
}
printf '%s\n' '7 0 60' '264 10 30' >calls
claim "--traceview shows threads that are not listed, and long ids" \
    prints calls viewed_calls

cp "$srcdir/tests/data/good-packets-b.trace" odd.trace
viewed_long_ids()
{
	dmtrace report -q --traceview odd.trace |
	    awk '/^Call Times/ { go = 1 } /^Method/ { go = 0 }
	go && /app/ { print $1, $4, $5, $8 }'
}
printf '%s\n' '1 67305985 84281096 app.Main.main' \
    '70001 67309314 67438087 app.Work.step' >calls
claim "--traceview shows ids of more than 16 bits" prints calls viewed_long_ids

dmtrace report -q --dmtracedump "$srcdir/tests/data/good-columns-blanks.trace" \
    >blanks
claim "--dmtracedump names methods whose lines have blanks for TABs" \
    grep -q '99.25  \[1\] app/Main.main (\[Ljava/lang/String;)V$' blanks

find_trace()
{
	for trace in "$DMTRACE_CORPUS/$1.trace" \
	    "$DMTRACE_CORPUS/dalvik-filters/$1.trace"; do
		[ ! -f "$trace" ] || echo "$trace"
	done
}

if have dmtracedump; then
	for file in "$srcdir"/tests/data/good-*.trace; do
		sample "$file"
	done
	for name in $wrong; do
		claim "$name differs from dmtracedump's report" \
		    still_differs "$name"
	done
	number=0
	more && last=300 || last=24
	while [ "$number" -lt "$last" ]; do
		for kind in '1 thread-cpu' '1 wall' '2 thread-cpu' '2 global' \
		    '3 wall' '3 dual'; do
			number=$((number + 1))
			claim "trace $number, $kind, has dmtracedump's report" \
			    generated "$number" $kind
		done
	done
	for file in "${DMTRACE_CORPUS:-/nowhere}"/*.trace \
	    "${DMTRACE_CORPUS:-/nowhere}"/*/*.trace; do
		case $file in
		*perflib-header* | *perflib-streaming* | *special_char* | \
		    *'*'*) continue ;;
		esac
		name=$(basename "$file")
		claim "$name has dmtracedump's report" as_dmtracedump "$file"
		claim "$name has dmtracedump's list" as_list "$file"
	done
else
	skip "reports are those of dmtracedump" "no dmtracedump here"
fi
if [ -d "${DMTRACE_GOLDEN:-/nowhere}/traceview" ] &&
    [ -d "${DMTRACE_CORPUS:-/nowhere}" ]; then
	for file in "$DMTRACE_GOLDEN"/traceview/*.gz; do
		name=$(basename "$file" .txt.gz)
		claim "$name has the tables of Traceview" \
		    as_traceview "$file" "$(find_trace "$name")"
	done
else
	skip "tables are those of Traceview" "no golden ones here"
fi
finish
