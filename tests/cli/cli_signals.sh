#!/bin/sh
# cli_signals.sh - a signal that ends a command leaves no temporary
#
# Commands read a trace whose end never comes, or make one without end, until
# a signal does.

. "$srcdir/tests/helpers/claim.sh"

# Commands run in the foreground, as those in the background ignore some of the
# signals, and what sends the signal in the background.

# begins COMMAND...: it has read more than a pipe holds, and made a temporary;
# some do that later, and then there is nothing to leave
begins()
{
	case "$*" in
	*' - '*) timeout 120 cat in.trace >pipe ;;
	esac
	case "$*" in
	*' sort '* | *' generate '*) waits_for sh -c 'ls .dmtrace-*' ;;
	*) sleep 0.2 ;;
	esac
}

# interrupt SIGNAL COMMAND...: once it has begun; what ignores it is killed
interrupt()
{
	signal=$1
	shift
	begins "$@"
	kill -s "$signal" "$(cat pid)"
	waits_for sh -c "! kill -s 0 $(cat pid)" ||
	    kill -s KILL "$(cat pid)"
}

# dies SIGNAL NUMBER COMMAND...: by that signal
dies()
{
	signal=$1
	number=$2
	shift 2
	rm -f pid pipe
	mkfifo pipe
	exec 3<>pipe
	interrupt "$signal" "$@" ' ' 3>&- >said 2>&1 &
	exits $((128 + number)) sh -c 'echo $$ >pid; exec "$@"' sh "$@" \
	    <&3 2>error
	died=$?
	exec 3>&-
	wait $!
	return $died
}

# ends SIGNAL NUMBER COMMAND...: by that signal, and the folder is as it was
ends()
{
	dies "$@" && none
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
dmtrace generate -q --events 30000 -d v2 --threads 3 -o in.trace
claim "the command is killed while it writes" \
    dies KILL 9 dmtrace sort -q -o made.trace -
claim "SIGKILL leaves a temporary" left
while read -r signal number; do
	# what is ignored stays so
	status=0
	sh -c "kill -$signal \$\$" || status=$?
	if [ "$status" -ne $((128 + number)) ]; then
		skip "SIG$signal leaves nothing" "it is ignored here"
		continue
	fi
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
	claim "$command leaves no temporary" ends TERM 15 dmtrace $command
done <<ROWS
filter -q -t 1 -o made.trace -
filter -q --from 1us -o made.key -
merge -q -o made.trace - in.trace
repair -q -o made.trace -
report -o made.txt -
shift -q --by 1us -o made.data -
split -q --by thread -o made% -
split -q --by events=50 -o made -
generate -q --events 4000000000 -o made.trace
ROWS
# timeout sends the signal to the command, and then to its group.
claim "a signal that comes twice at once leaves nothing" sh -c '
	for i in 1 2 3 4 5 6 7 8 9 10; do
		timeout -s INT 0.1 dmtrace generate -q --events 4000000000 \
		    -o made.trace
	done
	for file in made* .dmtrace-*; do
		[ ! -e "$file" ] || exit 1
	done'
claim "a temporary is not removed by a signal that is ignored" sh -c '
	trap "" TERM
	dmtrace sort -q -o made.trace - <in.trace &
	kill -TERM $!
	wait $! && cmp made.trace in.trace'
finish
