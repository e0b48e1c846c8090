# rows_validate.sh - every rule over a whole trace

make 1 "$records" trace
row 'validate' 16 'exec cat trace >/dev/null' \
    'exec dmtrace validate -q trace >/dev/null'
row 'validate --for=all' 16 'exec cat trace >/dev/null' \
    'dmtrace validate -q --for=all trace >/dev/null || true'
rm trace
