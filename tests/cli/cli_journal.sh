#!/bin/sh
# cli_journal.sh - what is flushed to a journal survives SIGKILL

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/hooked.sh"

kills=8
! more || kills=40

if [ ! -f "$builddir/lib/.libs/libdmtrace-instrument.so" ]; then
	skip "a killed journal is repaired" "not shared"
	finish
fi
$CC $hooks -o endless \
    "$srcdir/tests/helpers/programs/endless.c" || exit 1

# began: the program runs, and has flushed once
began()
{
	[ -s pid ] && [ -f x.trace.data ] && [ "$(flushed)" -gt 0 ]
}

# killed MILLISECONDS: after so many from the first flush
killed()
{
	rm -f pid x.trace*
	dmtrace record -q --journal --buffer=8K -o x.trace -- ./endless \
	    2>record-error &
	waits_for began
	sleep "0.$1"
	kill -9 "$(cat pid)"
	wait $!
	exits 137 sh -c "exit $?"
}

# flushed: whole records after the header of x.trace.data
flushed()
{
	echo $((($(wc -c <x.trace.data) - 32) / 10))
}

# whole NAME: names for all, and each exit is that of the innermost open call
whole()
{
	dmtrace dump -f tsv "$1" | awk -F '\t' -v least="$2" '
	NR == 1 { next }
	$8 == "" || ($2 == "enter" ? 0 : open[depth--] != $3) {
		print NR, $0
		exit bad = 1
	}
	$2 == "enter" { open[++depth] = $3; entered[$8] }
	END {
		if (bad || depth != 0 || NR - 1 < least) {
			print NR - 1, "records of", least, "at depth", depth
			exit 1
		}
		exit !("leaf" in entered) || !("middle" in entered)
	}'
}

# survives MILLISECONDS: the time that the program has
survives()
{
	killed "$1" && flushed >count &&
	    exits 0 dmtrace repair -o y.trace x.trace &&
	    exits 0 dmtrace info y.trace >facts &&
	    whole y.trace "$(cat count)"
}

number=0
while [ "$number" -lt "$kills" ]; do
	claim "killed journal $number has all flushed records again" \
	    survives "$(printf '%03d' $((number * 37 % 50)))"
	number=$((number + 1))
done
finish
