# rows_basic.sh - read, write, join and split

# read_rows FILE: the rows of every record through the library
read_rows()
{
	row "read, $1 bytes a record" 12 "exec cat $2 >/dev/null" \
	    "exec '$builddir/tests/bench/bench_read' $2 >/dev/null"
}

info_row()
{
	row "info, $1 records" 3 "exec cat $2 >/dev/null" \
	    "exec dmtrace info -q $2 >/dev/null"
}

make 1 "$records" trace.key
make 1 "$records" trace.trace
row join 1.1 'exec cat trace.key trace.data >fresh' \
    'exec dmtrace join -q -o fresh trace.key trace.data'
row split 1.1 'exec cat trace.key trace.data >fresh' \
    'exec dmtrace split -q -o fresh.key trace.trace'
rm trace.key trace.data
row generate 15 'exec cat trace.trace >fresh' "$(generate 1 "$records" fresh)"
read_rows 9 trace.trace
info_row "$records" trace.trace
for part in 5 50; do
	make 1 $((records / part)) trace2
	info_row $((records / part)) trace2
done
if command -v dmtracedump >/dev/null; then
	row 'dump (base: dmtracedump -o)' 0.083 \
	    'exec dmtracedump -o trace.trace >/dev/null' \
	    'exec dmtrace dump -q trace.trace >/dev/null'
fi
rm trace.trace
make 2 "$records" trace2
read_rows 10 trace2
make 3 "$records" trace2
read_rows 14 trace2
