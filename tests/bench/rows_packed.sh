# rows_packed.sh - traces that gzip compressed
#
# The baseline is the same command, of what gzip unpacks into a pipe.

make 2 $((records / 5)) trace2
gzip -1 -c trace2 >trace2.gz
for command in checksum 'report -q' 'convert -q -d v3 -o fresh' \
    'validate -q'; do
	row "${command%% *} x.gz (base: gzip -dc)" 1.2 \
	    "gzip -dc trace2.gz | dmtrace $command - >/dev/null" \
	    "exec dmtrace $command trace2.gz >/dev/null"
done
row 'filter -o x.gz (base: gzip)' 1.2 \
    'dmtrace filter -q -t main trace2 | gzip -n >fresh.gz' \
    'exec dmtrace filter -q -t main -o fresh.gz trace2'
rm trace2 trace2.gz
