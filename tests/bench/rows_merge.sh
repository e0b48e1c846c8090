# rows_merge.sh - merges of 2, 8 and 64 traces of one program
#
# The inputs have one table of methods and the same time span, but not the
# same events; each of their threads gets a number of its own.

# make_inputs COUNT: trace1 to traceCOUNT, in all as many records as asked for
make_inputs()
{
	i=0
	while [ "$i" -lt "$1" ]; do
		i=$((i + 1))
		make 2 $((records / $1 + 2 * i)) "trace$i"
	done
}

# merge_row COUNT GOAL
merge_row()
{
	make_inputs "$1"
	row "merge of $1" "$2" 'exec cat trace* >fresh' \
	    'exec dmtrace merge -q -o fresh trace*'
	rm trace*
}

# a record of 64 inputs by one of 2
many_row()
{
	mkdir two
	make_inputs 2
	mv trace1 trace2 two
	make_inputs 64
	row 'merge of 64 (base: of 2)' 1.7 \
	    'exec dmtrace merge -q -o fresh two/*' \
	    'exec dmtrace merge -q -o fresh trace*'
	rm -r trace* two
}

merge_row 2 -
merge_row 8 2.8
merge_row 64 4
many_row
