#!/bin/sh
# cli_signals.sh - a signal that ends a command leaves no temporary
#
# Commands read a trace whose end never comes, or make one without end, until
# a signal does.

. "$srcdir/tests/claim.sh"

# ends SIGNAL NUMBER COMMAND...: by that signal, and the folder is as it was
ends()
{
	signal=$1
	number=$2
	shift 2
	exits $((128 + number)) timeout --foreground --preserve-status -k 5 \
	    -s "$signal" 0.2 "$@" <&3 2>error && none
}

# none: no output, and no temporary of one
none()
{
	for file in made* .dmtrace-*; do
		[ ! -e "$file" ] || { ls -lA; return 1; }
	done
}

# left: there is a temporary, and no output
left()
{
	ls .dmtrace-*.tmp && rm .dmtrace-*.tmp && none
}

if ! timeout --foreground --preserve-status 1 true 2>/dev/null; then
	skip "signals leave no temporary" "no timeout here"
	finish
fi
dmtrace generate -q --records 3000 -V 2 --threads 3 -o in.trace
mkfifo pipe
exec 3<>pipe
cat in.trace >pipe
claim "it has begun to write when it is killed" exits 137 \
    timeout --foreground --preserve-status -s KILL 0.2 \
    dmtrace sort -q -o made.trace - <&3
claim "and that leaves a temporary" left
while read -r signal number; do
	# what is ignored stays so
	status=0
	sh -c "kill -$signal \$\$" || status=$?
	if [ "$status" -ne $((128 + number)) ]; then
		skip "SIG$signal leaves nothing" "it is ignored here"
		continue
	fi
	cat in.trace >pipe
	claim "SIG$signal leaves nothing" \
	    ends "$signal" "$number" dmtrace sort -q -o made.trace -
done <<ROWS
HUP 1
INT 2
QUIT 3
PIPE 13
TERM 15
ROWS
while read -r command; do
	cat in.trace >pipe
	claim "$command" ends TERM 15 dmtrace $command
done <<ROWS
filter -q -t 1 -o made.trace -
filter -q --from 1us -o made.key -
merge -q -o made.trace - in.trace
repair -q -o made.trace -
report -o made.txt -
shift -q --by 1us -o made.data -
split -q --by thread -o made% -
split -q --by records=50 -o made -
generate -q --records 4000000000 -o made.trace
ROWS
claim "a temporary is not removed by a signal that is ignored" sh -c '
	trap "" TERM
	dmtrace sort -q -o made.trace - <in.trace &
	kill -TERM $!
	wait $! && cmp made.trace in.trace'
finish
