#!/bin/sh
# check_magic.sh - file(1) and desktops recognize each dialect

. "$srcdir/tests/helpers/claim.sh"

# shows TEXT FILE: what the real file(1) prints of it with our rows
shows()
{
	file -b -m "$srcdir/doc/magic" "$2" >shown || return 1
	cat shown
	[ "$(cat shown)" = "$1" ]
}

# Each sample that can be read, but those that are odd at their beginning, at
# the end of the key, or in one of their two versions: what is to be printed
# is made of the columns container, version, record_size and clock.
expected()
{
	awk -F '\t' '
	$1 ~ /^good-/ && $1 !~ /long-running|bom|blank-first|-end-|-gap-/ &&
	$1 !~ /version-[a-z]|[.]data$/ {
		text = "Android method trace, "
		clock = $9 == "-" ? "" : ", clock " $9
		records = " with records of " $8 " bytes"
		if ($6 == "joined") {
			text = text "version " $7 clock ", data version " $7
			if ($7 == 3 && $1 !~ /offset-1[67]-v3/)
				text = text records
		} else if ($6 == "pair") {
			text = text "version " $7 clock
		} else if ($6 == "stream") {
			text = text "stream, version " $7 - 240
			if ($7 == 243)
				text = text records
		} else {
			text = text "format V2" \
			    ($7 > 5 ? " as a stream" : "") \
			    ($7 % 2 ? ", clock dual" : ", one clock")
		}
		print $1 "\t" text
	}' "$srcdir/tests/data/expect.tsv"
}

have file || { skip "file(1) knows each dialect" "no file"; finish; }
expected >samples
while IFS="$(printf '\t')" read -r name text; do
	claim "file(1) knows $name" shows "$text" "$srcdir/tests/data/$name"
done <samples
claim "file(1) knows the data of a pair, version 1" shows \
    "Android method trace, data without key, version 1" \
    "$srcdir/tests/data/good-pair-v1.data"
text='Android method trace, data without key, version 3'
claim "file(1) knows the data of a pair, version 3" shows \
    "$text with records of 14 bytes" "$srcdir/tests/data/good-pair-v3.data"
claim "file(1) knows a byte order mark" shows \
    "Android method trace, with a byte order mark" \
    "$srcdir/tests/data/good-bom.trace"
claim "file(1) knows a dump of long-running methods" shows \
    "Android dump of long-running methods" \
    "$srcdir/tests/data/good-long-running.trace"

# The bytes of a header and the start of what follows.
printf 'SIMPLEPERF\001\000\130\000\000\000*' >samples.trace
claim "file(1) knows samples of simpleperf" shows \
    "simpleperf samples, version 1" samples.trace
{
	printf '\027\000\034\000\350\003\000\000\351\003\000\000\271\123'
	printf '\315\116\025\315\133\007\002\000\000\000\020\047\000\000'
	printf '\242\012\000\000\003\003\000\137\000\000\000\000\150\020'
} >log
claim "file(1) knows an event log" shows "Android event log" log
dmtrace generate --events 2 -o text.dmt
claim "the text form" shows "Android method trace, as text, version 1" text.dmt
claim "other text has another name" sh -c \
    '! file -b -m "$srcdir/doc/magic" "$srcdir/README" | grep Android'

if have update-mime-database; then
	mkdir -p mime/packages &&
	    cp "$srcdir/doc/desktop/dmtrace.xml" mime/packages
	claim "the shared MIME database takes the types" \
	    update-mime-database -V mime
	claim "it has the magic of a trace" \
	    grep -q 'application/x-android-method-trace' mime/magic
	claim "it has the suffix of a trace" \
	    grep -q 'application/x-android-method-trace:\*.trace' mime/globs
else
	skip "the shared MIME database takes the types" \
	    "no update-mime-database"
fi
if have desktop-file-validate; then
	claim "the desktop entry is valid" \
	    desktop-file-validate "$srcdir/doc/desktop/dmtrace.desktop"
else
	skip "the desktop entry is valid" "no desktop-file-validate"
fi
finish
