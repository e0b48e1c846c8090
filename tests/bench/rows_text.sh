# rows_text.sh - the text form, both ways

# text_rows NAME FILE
text_rows()
{
	dmtrace dump -q --text -o trace.dmt "$2"
	row "dump --text, $1 (base: cat of the text)" 10 \
	    'exec cat trace.dmt >fresh' \
	    "exec dmtrace dump -q --text -o fresh $2"
	row "undump, $1 (base: cat of the text)" 20 \
	    'exec cat trace.dmt >fresh' 'exec dmtrace undump -o fresh trace.dmt'
	rm trace.dmt
}

make 3 $((records / 10)) trace3
text_rows 'version 3' trace3
dmtrace convert -q -d v5 -o trace5 trace3
text_rows 'trace format V2' trace5
rm trace3 trace5
