#!/bin/sh
# cli_kills.sh - a killed command leaves a whole output, the old one, or none
#
# Each row is a command that writes out.trace from in.trace; it is killed KILLS
# times, at moments spread over the time that it takes.

. "$srcdir/tests/claim.sh"

kills=25

# seconds HUNDREDTHS: 0.07 for 7
seconds()
{
	printf '%d.%02d\n' $(($1 / 100)) $(($1 % 100))
}

# Whole, or not there, or as it was before; a temporary may be left.
whole()
{
	[ ! -e out.trace ] || cmp -s out.trace wanted ||
	    cmp -s out.trace old || {
		ls -l out.trace wanted
		return 1
	}
}

# killed COMMAND...: at every moment, and waited for, which --foreground does;
# half of the times there is an old output
killed()
{
	rm -f out.trace
	"$@" 2>error || return
	mv out.trace wanted
	printf 'old\n' >old
	number=0
	while [ "$number" -lt "$kills" ]; do
		rm -f out.trace
		[ $((number % 2)) -eq 0 ] || cp old out.trace
		timeout --foreground -s KILL \
		    "$(seconds $((number % 13 + 1)))" "$@" 2>error
		whole || { echo "kill $number"; return 1; }
		rm -f .dmtrace-*
		number=$((number + 1))
	done
}

if ! timeout --foreground -s KILL 0.01 true 2>/dev/null; then
	skip "killed commands leave no half output" "no timeout here"
	finish
fi
dmtrace generate -q --records 1500000 -V 2 --threads 20 -o in.trace
while read -r command; do
	claim "killed: $command" killed $command
done <<ROWS
dmtrace generate -q --records 1500000 -o out.trace
dmtrace filter -q -o out.trace in.trace
dmtrace filter -q -t 1,2,3,4,5,6,7,8,9 -o out.trace in.trace
dmtrace filter -q -t 1,2,3,4,5,6,7,8,9 --keep-tables -o out.trace in.trace
dmtrace filter -q --from 1s --to 3s -o out.trace in.trace
dmtrace filter -q --depth 1..20 -o out.trace in.trace
dmtrace filter -q --min-time 100us --memory 0 -o out.trace in.trace
dmtrace filter -q --hide com.* -o out.trace in.trace
ROWS
rm -f in.trace wanted out.trace
finish
