# rows_diff.sh - traces side by side

make 1 "$((records / 2))" trace1
make 1 "$((records / 2))" trace2
row 'diff, base cat' 32 'exec cat trace1 trace2 >/dev/null' \
    'exec dmtrace diff -q trace1 trace2 >/dev/null'
row 'diff, base two reports' 1.2 \
    'dmtrace report -q trace1 >/dev/null; dmtrace report -q trace2 >/dev/null' \
    'exec dmtrace diff -q trace1 trace2 >/dev/null'
row 'diff --trees, base cat' 32 'exec cat trace1 trace2 >/dev/null' \
    'exec dmtrace diff -q --trees trace1 trace2 >/dev/null'
rm trace1 trace2
