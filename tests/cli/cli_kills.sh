#!/bin/sh
# cli_kills.sh - a killed command leaves a whole output, the old one, or none
#
# Each row is a command that writes files made*; it is killed many times, at
# moments spread over the time that it takes.

. "$srcdir/tests/helpers/claim.sh"

kills=10			# of each command; in check-more 2,000 in all
[ -z "$DMTRACE_MORE" ] || kills=118
most=1000			# until one came before its end

# moment NUMBER: seconds, of the microseconds that the command took; each
# number is another part of them
moment()
{
	part=$(($1 % kills))
	printf '%d.%06d\n' $((took * part / kills / 1000000)) \
	    $((took * part / kills % 1000000 + 1))
}

microseconds()
{
	echo $(($(date +%s%N) / 1000))
}

# Whole, or not there, or as it was before; a temporary may be left.
whole()
{
	for file in made*; do
		[ ! -e "$file" ] || cmp -s "$file" "wanted/$file" ||
		    cmp -s "$file" old || {
			ls -l "$file" wanted
			return 1
		}
	done
}

# killed COMMAND...: by signal 9, at every moment, and waited for, which
# --foreground does; half of the times there is an old output
killed()
{
	rm -rf made* wanted
	took=$(microseconds)
	"$@" 2>error || return
	took=$((($(microseconds) - took) * 2 / 3))	# less the measuring
	mkdir wanted
	mv made* wanted
	number=0
	early=0
	while [ "$number" -lt "$kills" ] ||
	    { [ "$early" -eq 0 ] && [ "$number" -lt "$most" ]; }; do
		rm -f made*
		[ $((number % 2)) -eq 0 ] || cp old made.trace
		status=0
		timeout --foreground -s KILL "$(moment "$number")" \
		    "$@" 2>error || status=$?
		case $status in
		0 | 124)		# it had ended by then
			took=$((took * 3 / 4)) ;;
		137) early=$((early + 1)) ;;
		*) cat error; return 1 ;;
		esac
		whole || { echo "kill $number"; return 1; }
		rm -f .dmtrace-*
		number=$((number + 1))
	done
	[ "$early" -gt 0 ] || { echo 'no kill came before the end'; return 1; }
}

# in.trace with the first ten threads before the others.
part()
{
	dmtrace split -q -o half.key in.trace
	dmtrace filter -q -t 1,2,3,4,5,6,7,8,9,10 -o one.key in.trace
	dmtrace filter -q -t 1,2,3,4,5,6,7,8,9,10 --invert -o two.key in.trace
	tail -c +33 two.data | cat one.data - >half.data
	dmtrace join -q -o parted.trace half.key half.data
}

if ! timeout --foreground -s KILL 9 true 2>/dev/null; then
	skip "killed commands leave no half output" "no timeout here"
	finish
fi
printf 'old\n' >old
dmtrace generate -q --events 200000 -d v2 --threads 20 -o in.trace
head -c 1500003 in.trace >cut.trace
part
dmtrace split -q --by events=125000 -o piece in.trace
while read -r command; do
	claim "killed, it leaves no partial output: $command" killed $command
done <<ROWS
dmtrace join -q -o made.trace half.key half.data
dmtrace generate -q --events 200000 -o made.trace
dmtrace filter -q -o made.trace in.trace
dmtrace filter -q -t 1,2,3,4,5,6,7,8,9 -o made.trace in.trace
dmtrace filter -q -t 1,2,3,4,5,6,7,8,9 --keep-tables -o made.trace in.trace
dmtrace filter -q --from 250ms --to 750ms -o made.trace in.trace
dmtrace filter -q --depth 1..20 -o made.trace in.trace
dmtrace filter -q --min-time 100us -o made.trace in.trace
dmtrace filter -q --hide com.* -o made.trace in.trace
dmtrace sort -q -o made.trace in.trace
dmtrace sort -q -o made.trace parted.trace
dmtrace shift -q --to-zero -o made.trace in.trace
dmtrace merge -q -o made.trace in.trace parted.trace
dmtrace repair -q -o made.trace cut.trace
dmtrace split -q --by thread -o made% in.trace
dmtrace split -q --by events=22500 -o made% in.trace
dmtrace merge -q --rejoin -o made.trace piece-0001.trace piece-0002.trace
ROWS
rm -rf ./*.trace half.* one.* two.* wanted made*
finish
