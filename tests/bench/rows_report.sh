# rows_report.sh - profiles

# report_row NAME GOAL BASELINE OPTION...: of trace.trace
report_row()
{
	name=$1 goal=$2 base=$3
	shift 3
	row "report, $name" "$goal" "$base" \
	    "exec dmtrace report -q $* trace.trace >/dev/null"
}

make 1 "$records" trace.trace
if command -v dmtracedump >/dev/null; then
	dump='exec dmtracedump trace.trace >/dev/null'
	report_row 'base dmtracedump' 0.05 "$dump"
	report_row 'callers and callees' 0.083 "$dump" --callers --callees
	report_row '--dmtracedump' 0.083 "$dump" --dmtracedump
fi
make 1 $((records / 5)) trace2
row 'report, base a fifth of it' 5.3 \
    'exec dmtrace report -q trace2 >/dev/null' \
    'exec dmtrace report -q trace.trace >/dev/null'
row 'callers, base a fifth of it' 5.3 \
    'exec dmtrace report -q --callers --callees trace2 >/dev/null' \
    'exec dmtrace report -q --callers --callees trace.trace >/dev/null'
row 'report --durations, base cat' - 'exec cat trace2 >/dev/null' \
    'exec dmtrace report -q --durations trace2 >/dev/null'
# Both clocks; the MB that are wanted are 16 and 48 bytes for each path, in
# the name of the row.
make 3 $((records / 5)) trace3
paths=$(dmtrace report -q -f tsv --tree trace3 | grep -c '^node')
row "--tree, $paths paths" 60 'exec dmtrace report -q trace3 >/dev/null' \
    'exec dmtrace report -q --tree --top 1 trace3 >/dev/null'
rm trace.trace trace2 trace3
