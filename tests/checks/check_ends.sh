#!/bin/sh
# check_ends.sh - what the end of a program leaves of a recording
#
# Nobody stops it: see programs/ends.c. The program is linked to the shared
# and to the static library, as their destructors run at different times.

. "$srcdir/tests/helpers/claim.sh"

flags='-std=c11 -D_XOPEN_SOURCE=700 -pthread'
[ "$SANITIZED" != yes ] || flags="$flags -fsanitize=address,undefined"

# built LIBRARY
built()
{
	rm -f ends
	$CC $flags -o ends -I "$srcdir/lib/include" \
	    "$srcdir/tests/helpers/programs/ends.c" "$1" -lm
}

# ended STATUS HOW: in time
ended()
{
	rm -f *.trace *.trace.*
	exits "$1" timeout -s KILL 120 ./ends "$2" 2>error
}

# calls TRACE: "ACTION NAME" of each event
calls()
{
	dmtrace dump -q -f tsv "$1" | cut -f 2,8 | sed 1d | tr '\t\n' '  '
}

# alone TRACE...: there is no other file of any kind
alone()
{
	ls -A | grep -vx -e ends -e error -e output -e there >there
	printf '%s\n' "$@" | sort | cmp - there || { cat there; return 1; }
}

# whole TRACE EVENTS: it is valid, has exactly these, and its own count
whole()
{
	exits 0 dmtrace validate -q "$1" && [ "$(calls "$1")" = "$2" ] ||
	    { calls "$1"; return 1; }
}

# sound TRACE: it is valid, and holds the calls that the program waited for
sound()
{
	exits 0 dmtrace validate -q "$1" || return 1
	lines=$(dmtrace dump -q -f tsv "$1" | wc -l)
	[ "$lines" -gt 2000 ] || { echo "$lines lines"; return 1; }
}

# flushed: what was written to the journal can be repaired, none lost
flushed()
{
	records=$((($(wc -c <ends.trace.data) - 32) / 10))
	[ "$records" -gt 10000 ] &&
	    exits 0 dmtrace repair -q -o whole.trace ends.trace &&
	    [ "$(dmtrace dump -q -f tsv whole.trace | sed 1d | wc -l)" \
		-ge "$records" ]
}

for library in .so .a; do
	file=$builddir/lib/.libs/libdmtrace$library
	if [ ! -f "$file" ]; then
		skip "programs end with libdmtrace$library" "it is not built"
		continue
	fi
	claim "a program is linked to libdmtrace$library" built "$file"
	begin='enter main enter a exit a'
	last='enter at_exit exit at_exit exit main '
	# Each row: HOW it ends, and its calls between the two
	while read -r how more; do
		claim "$how: the program ends" ended 0 "$how"
		claim "$how: the trace is whole" \
		    whole ends.trace "$begin ${more:+$more }$last"
	done <<-'ROWS'
	return
	exit
	chdir
	fork enter parent exit parent
	ROWS
	claim "no other file is left" alone ends.trace
	claim "a child that records ends" ended 0 fork-records
	claim "its parent's trace is whole" whole ends.trace \
	    "$begin enter parent exit parent $last"
	claim "the trace of the child is whole" whole child.trace \
	    'enter child exit child enter at_exit exit at_exit '
	claim "no other file is left by the two" alone child.trace ends.trace
	claim "a second recording ends" ended 0 again
	claim "the first trace is whole" whole ends.trace \
	    'enter main enter a exit a exit main '
	claim "the second trace is whole" whole again.trace \
	    'enter again exit again enter at_exit exit at_exit '
	for how in thread last-thread; do
		claim "$how: the program ends" ended 0 "$how"
		claim "$how: the trace is valid" exits 0 \
		    dmtrace validate -q ends.trace
		claim "$how: the last calls are in the trace" sh -c \
		    'dmtrace dump -q -f tsv ends.trace |
			grep -c "	at_exit	" | grep -qx 2'
	done
	for how in busy handler jumped; do
		claim "$how: the program ends" ended 0 "$how"
		claim "$how: the trace is valid" sound ends.trace
		claim "$how: no other file is left" alone ends.trace
	done
	claim "an exit within a call-back ends the program" ended 0 callback
	while read -r how status; do
		claim "$how: the program ends" ended "$status" "$how"
		claim "$how: flushed records are in the files" flushed
	done <<-'ROWS'
	journal-_exit 0
	journal-abort 134
	journal-kill 137
	ROWS
done
finish
