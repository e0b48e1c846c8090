#!/bin/sh
# cli_kills.sh - a killed command leaves a whole output, the old one, or none
#
# Each row is a command that writes files made*; it is killed many times, at
# moments spread over the time that it takes. The log has how many of the kills
# came while an output was written.

. "$srcdir/tests/helpers/claim.sh"

kills=4				# of each command; in check-more 2,000 in all
! more || kills=60
killed=0
written=0			# of them, while an output was written

# moment NUMBER: seconds, of the microseconds that the command took; each
# number is another part of them
moment()
{
	part=$((took * (2 * $1 + 1) / (2 * kills) + 1))
	printf '%d.%06d\n' $((part / 1000000)) $((part % 1000000))
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

# old_outputs COMMAND...: all that it writes, if it replaces them
old_outputs()
{
	case $* in
	*' --force '*) ;;
	*' split '*) return ;;
	esac
	for file in wanted/*; do
		cp old "${file#wanted/}"
	done
}

# survives COMMAND...: signal 9 at every moment, and it is waited for, which
# --foreground does; half of the times there are old outputs
survives()
{
	rm -rf made* wanted
	took=$(microseconds)
	wanted_status=0
	"$@" 2>error || wanted_status=$?
	took=$((($(microseconds) - took) * 2 / 3))	# less the measuring
	[ "$wanted_status" -lt 2 ] || return
	mkdir wanted
	mv made* wanted || return
	number=0
	while [ "$number" -lt "$kills" ]; do
		rm -f made*
		[ $((number % 2)) -eq 0 ] || old_outputs "$@"
		status=0
		timeout --foreground -s KILL "$(moment "$number")" \
		    "$@" 2>error || status=$?
		case $status in
		137) killed=$((killed + 1)) ;;
		"$wanted_status" | 124)	# it had ended by then
			took=$((took * 3 / 4)) ;;
		*) cat error; return 1 ;;
		esac
		whole || { echo "kill $number"; return 1; }
		if ls .dmtrace-* >left 2>&1; then
			written=$((written + 1))
			rm -f .dmtrace-*
		fi
		number=$((number + 1))
	done
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
dmtrace generate -q --events 20000 -d v2 --threads 5 -o small.trace
dmtrace dump -q --text -o text.dmt in.trace
dmtrace export -q -f chrome -o calls.json small.trace
printf '0123456789abcdef' >hash-key
printf 'calls(*) >= 1\n' >rules
awk 'BEGIN { while (n++ < 20000) print "{\"tag\":42,\"value\":\"hi\"}" }' \
    >log.json
dmtrace eventlog -q --encode -o events.log log.json
while read -r command; do
	claim "killed, it leaves no partial output: $command" \
	    survives $command
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
dmtrace split -q --force -o made.key in.trace
dmtrace split -q --force --by thread -o made% in.trace
dmtrace split -q --by events=22500 -o made% in.trace
dmtrace merge -q --rejoin -o made.trace piece-0001.trace piece-0002.trace
dmtrace convert -q -d v5 -o made.trace in.trace
dmtrace undump -o made.trace text.dmt
dmtrace import -q -o made.trace calls.json
dmtrace rename -q --anonymize=hash-key --table=made.names -o made.trace in.trace
dmtrace corrupt -q --seed 1 -o made.trace in.trace
dmtrace validate -q --fix -o made.trace cut.trace
dmtrace dump -q -o made.txt small.trace
dmtrace dump -q --text -o made.dmt in.trace
dmtrace diff -q -o made.txt in.trace small.trace
dmtrace expect -q -u -o made.spec rules small.trace
dmtrace report -q -o made.txt in.trace
dmtrace report -q -f html -o made.html small.trace
dmtrace graph -q -o made.dot in.trace
dmtrace flame -q -o made.svg small.trace
dmtrace view -q -o made.html in.trace
dmtrace export -q -f chrome -o made.json small.trace
dmtrace export -q -f firefox -o made.json small.trace
dmtrace export -q -f parquet -o made.parquet small.trace
dmtrace export -q -f perfetto -o made.perfetto in.trace
dmtrace export -q -f sqlite -o made.sql in.trace
dmtrace eventlog -q -o made.json events.log
dmtrace eventlog -q --encode -o made.log log.json
ROWS
claim "of ten kills, more than one came while an output was written" \
    [ "$((10 * written))" -gt "$killed" ]
echo "# $written of $killed kills came while an output was written"
rm -rf ./*.trace ./*.json half.* one.* two.* text.dmt wanted made*
finish
