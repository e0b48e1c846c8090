# rows_jobs.sh - many operands, in two processes; the baseline is one

# 200 traces, of ten applications.
mkdir many
number=0
while [ $number -lt 200 ]; do
	dmtrace generate -q --seed $((number % 10 + 1)) \
	    --events $((records / 5000 + number)) \
	    -o many/$number.trace || exit 1
	number=$((number + 1))
done
for command in info validate checksum report 'report --tree' \
    'report --durations' 'report --slowest' \
    'export --force -f parquet -o out/'; do
	row "${command%% --force*}, --jobs=2" 0.55 \
	    "exec dmtrace $command -q many/*.trace >fresh.out" \
	    "exec dmtrace $command -q --jobs=2 many/*.trace >fresh.out"
done
rm -r many out
