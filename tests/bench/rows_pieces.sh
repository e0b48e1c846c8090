# rows_pieces.sh - a trace to pieces

make 1 "$records" trace.trace
row 'split --by thread, 50 files' 2 'exec cat trace.trace >fresh' \
    "exec dmtrace split -q --by thread -o 'fresh%' trace.trace"
row 'split --by records, 50 files' 10 'exec cat trace.trace >fresh' \
    "exec dmtrace split -q --by events=$((records / 50)) -o 'fresh%' \
    trace.trace"
rm trace.trace
