#!/bin/sh
# cli_record_full.sh - a recording that fills the disk
#
# /dev/full takes nothing at all; of a small disk some is taken.

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/hooked.sh"

disk=$PWD/disk

if [ ! -f "$builddir/lib/.libs/libdmtrace-instrument.so" ]; then
	skip "a full disk is reported" "not shared"
	finish
fi
$CC $hooks -o threads -I "$srcdir/tests/helpers/programs" \
    "$srcdir/tests/helpers/programs/threads.c" || exit 1

# reported WORDS OPTION...: the program ends as ever, and the words are said
reported()
{
	words=$1
	shift
	exits 5 dmtrace record "$@" -- ./threads >counts 2>error &&
	    has "$words" error
}

if [ -c /dev/full ] && [ -w /dev/full ]; then
	ln -s /dev/full full.data
	claim "/dev/full is reported at the start" \
	    reported 'No space left on device' -o full.key
	claim "no key is left then" test ! -e full.key
	ln -s /dev/full last.key
	claim "a full disk is reported for the key at the end" \
	    reported 'No space left on device' -o last.key
	ln -s /dev/full named.trace
	claim "a full disk is reported for the joined file" \
	    reported 'No space left on device' -o named.trace
	claim "the pair is left if it cannot be joined" \
	    exits 0 dmtrace info -q named.trace.key
else
	skip "/dev/full is reported" "there is none here"
fi

# Only root mounts, and not everywhere.
mounted()
{
	mkdir disk && mount -t tmpfs -o size="$1" none "$disk" 2>/dev/null
}

if ! mounted 600k; then
	skip "a small disk is reported" "nothing can be mounted here"
	finish
fi
trap 'umount "$disk"' EXIT

# counted FILE: of the program's events, each is there or lost
counted()
{
	events=$(option num-method-calls "$1")
	closed=$(($(option dmtrace-closed "$1") +
	    $(option dmtrace-recorder-closed "$1")))
	lost=$(option dmtrace-dropped "$1")
	[ "$((events - closed + lost))" -eq 288018 ] &&
	    has 'recording ended early: the trace could not be written' error &&
	    has "$lost events are lost" error || { cat error; return 1; }
}

# left FILE: what is there is a trace, with at least so many records
left()
{
	dmtrace info "$1" >about && has "data-file-overflow" "$1" &&
	    [ "$(tr -d , <about | sed -n 's/^events *\([0-9]*\).*/\1/p')" \
		-ge "$2" ]
}

# Each row: NAME, what is LEFT of it, and OPTIONs
while read -r name what options; do
	rm -f "$disk"/*
	claim "$name $options: a small disk is reported" \
	    reported 'No space left on device' -o "disk/$name" $options
	claim "$name $options: the disk was used" left "disk/$what" 20000
	claim "$name $options: lost records are counted" counted "disk/$what"
done <<'ROWS'
x.key x.key
x.trace x.trace
x.trace x.trace.key --buffer=32K
x.key x.key --journal
x.key x.key --buffer=4K
x.key x.key --full=ring
x.trace x.trace --streaming
ROWS
finish
