# rows_sort.sh - sort, shift and checksum

# blocks IN OUT: as threads with buffers of 64 KiB leave it
blocks()
{
	"$builddir/tests/bench/bench_blocks" "$1" "$2" 7281 || exit 1
}

make 2 "$records" trace
row 'sort, in order' 2.5 'exec cat trace >fresh' \
    'exec dmtrace sort -q -o fresh trace'
row 'shift' - 'exec cat trace >fresh' \
    'exec dmtrace shift -q --by 1us -o fresh trace'
row 'shift --to-zero' - 'exec cat trace >fresh' \
    'exec dmtrace shift -q --to-zero -o fresh trace'
row 'checksum' - 'exec cat trace >/dev/null' \
    'exec dmtrace checksum -q trace >/dev/null'
blocks trace trace2
rm trace
row 'sort, blocks of threads' - 'exec cat trace2 >fresh' \
    'exec dmtrace sort -q -o fresh trace2'
row 'sort, blocks, 16M of memory' - 'exec cat trace2 >fresh' \
    'exec dmtrace sort -q --memory 16M -o fresh trace2'
rm trace2
