# rows_filter.sh - half of the threads, and half of the time

make 1 "$records" trace.trace
odd=1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39,41,43,45,47,49
row 'filter -t, half, --keep-tables' 1.3 'exec cat trace.trace >fresh' \
    "exec dmtrace filter -q -t $odd --keep-tables -o fresh trace.trace"
row 'filter -t, half' 2 'exec cat trace.trace >fresh' \
    "exec dmtrace filter -q -t $odd -o fresh trace.trace"

# From a quarter of the time to three quarters of it.
quarter=$((records * 5 / 4))
row 'filter --from --to, half' 3 'exec cat trace.trace >fresh' \
    "exec dmtrace filter -q --from $quarter --to $((quarter * 3)) \
    -o fresh trace.trace"
row 'filter, no condition' 1.1 'exec cat trace.trace >fresh' \
    'exec dmtrace filter -q -o fresh trace.trace'
rm trace.trace
