#!/bin/sh
# forms.sh - a trace as Parquet, JSON lines and SQL: bytes, and seconds
#
#	NODE_PATH=.../node_modules sh forms.sh [TRACE]
#
# exports a trace, or one of a million calls that it makes, and prints a line
# for each form: bytes, seconds to write them, and seconds in which DuckDB, or
# sqlite3 with the database that it has made of the SQL, counts the calls of
# each method. Files are made in the current folder.

trace=${1:-million.trace}
folder=$(dirname "$0")
[ $# -gt 0 ] || dmtrace generate -q --events=2e6 -o $trace || exit 1

# seconds COMMAND...: how long it takes
seconds()
{
	begin=$(date +%s%N)
	"$@" >forms.out 2>forms.err || return 1
	echo $((($(date +%s%N) - begin) / 1000000)) |
	    awk '{ printf "%.2f", $1 / 1000 }'
}

# query FROM CONDITION: the seconds that DuckDB prints
query()
{
	echo "SELECT class, name, signature, count(*) AS calls FROM $1 $2
	    GROUP BY ALL ORDER BY calls DESC LIMIT 10" >forms.sql
	node "$folder/query.js" forms.sql 2>&1 >forms.out |
	    awk '{ printf "%.2f", $(NF - 1) / 1000 }'
}

printf '%-8s %12s %8s %8s\n' form bytes write query
for form in parquet jsonl sqlite; do
	file=forms.$form
	write=$(seconds dmtrace export -q -f $form -o "$file" "$trace")
	case $form in
	parquet)
		query=$(query "'$file'") ;;
	jsonl)
		query=$(query "read_ndjson('$file')" \
		    "WHERE action = 'enter'") ;;
	sqlite)
		rm -f forms.db
		load=$(seconds sqlite3 forms.db ".read $file")
		query=$(seconds sqlite3 forms.db "SELECT class, methods.name,
		    signature, count(*) AS calls FROM calls JOIN methods
		    ON methods.id = calls.method GROUP BY 1, 2, 3
		    ORDER BY calls DESC LIMIT 10") ;;
	esac
	printf '%-8s %12d %8s %8s\n' $form "$(wc -c <"$file")" $write $query
done
echo "sqlite3 took $load s to make a database of $(wc -c <forms.db) bytes"
