# rows_filter.sh - half of the threads, half of the time, some of the methods

make 1 "$records" trace.trace
odd=1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39,41,43,45,47,49
filter_row()
{
	name=$1
	goal=$2
	shift 2
	row "filter $name" "$goal" 'exec cat trace.trace >fresh' \
	    "exec dmtrace filter -q $* -o fresh trace.trace"
}
filter_row '-t, half, --keep-tables' 2.2 -t $odd --keep-tables
filter_row '-t, half' 2.8 -t $odd

# From a quarter of the time to three quarters of it.
quarter=$((records * 5 / 4))
window="--from ${quarter}us --to $((quarter * 3))us"
filter_row '--from --to, half, --keep-tables' 4 "$window" --keep-tables
filter_row '--from --to, half' 5 "$window"
filter_row '-m, --keep-tables' 4 -m "'org*'" --keep-tables
filter_row 'no condition' 1.2
rm trace.trace
