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
row 'report --calls, base cat' 20 'exec cat trace2 >/dev/null' \
    'exec dmtrace report -q --calls trace2 >/dev/null'
rm trace.trace trace2
