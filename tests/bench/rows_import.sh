# rows_import.sh - what other programs wrote, to traces
#
# The last column is the memory, which must not grow with the number of events:
# each format has a row of a fifth of the events, too.

for events in $((records / 50)) $((records / 250)); do
	make 3 $events trace3
	for format in chrome perfetto collapsed; do
		dmtrace export -q -f $format -o trace.$format trace3 || exit 1
	done
	for format in tsv csv jsonl; do
		dmtrace dump -q -f $format trace3 >trace.$format || exit 1
	done
	for format in chrome perfetto collapsed tsv csv jsonl; do
		row "import $format, $events records" - \
		    "exec cat trace.$format >/dev/null" \
		    "exec dmtrace import -q -o fresh trace.$format"
	done
	row "import --lines, $events records" - \
	    'exec cat trace.tsv >/dev/null' \
	    "exec dmtrace import -q -o fresh --unit=ns \
	    --fields=thread,action,method,time \
	    --lines='^([0-9]+).([a-z]+).(0x[0-9a-f]+).([0-9]+)' trace.tsv"
	rm -f trace3 trace.*
done
