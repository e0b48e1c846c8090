# nth_fails.sh - read by scripts that let the n-th call of a kind fail
#
# nth_fails.so fails call FAIL_NUMBER of the kind FAIL_CALL, and adds a line to
# the file FAIL_NOTE when it has: programs/nth_fails.c.
#
# A command whose call fails exits 2, says why, frees what it allocated, and
# leaves an old output as it was and no temporary; or it has done without that
# call what it does else, but not if an output cannot be closed or forced to
# disk. Of several outputs, each is as it was, complete, or gone; one whose
# folder cannot be forced to disk is complete, and so is a report on an operand
# that cannot be read.

. "$srcdir/tests/helpers/claim.sh"

step=1				# of how many calls of a kind one fails

if [ "$SANITIZED" = yes ]; then
	skip "calls fail" "the sanitizers have their own"
	finish
fi
claim "a library that lets calls fail is built" $CC -shared -fPIC \
    -o nth_fails.so "$srcdir/tests/helpers/programs/nth_fails.c" -ldl

kept=fits_status		# the function that judges what is there

# fits_status: what is there fits the status
fits_status()
{
	for file in .dmtrace*; do
		[ ! -e "$file" ] || { echo "$file is left"; return 1; }
	done
	read -r line <note
	[ "$line" != output ] || [ "$status" -eq 2 ] ||
	    { echo "an output failed: status $status"; return 1; }
	case $status in
	2) [ -s got.err ] || { echo "no message"; return 1; }
	    for file in new*; do
		[ ! -e "$file" ] ||
		    { read -r line <"$file" && [ "$line" = old ]; } ||
		    { [ "$outputs" -gt 1 ] && cmp "$file" "wanted/$file"; } ||
		    { grep -q 'cannot sync the folder' got.err &&
			cmp "$file" "wanted/$file"; } ||
		    [ "$(tail -n 1 "$file")" = '</html>' ] ||
		    { echo "$file changed"; return 1; }
	    done ;;
	"$wanted_status") cmp wanted.out got.out && for file in wanted/new*; do
		[ ! -e "$file" ] || cmp "$file" "${file#wanted/}" || return 1
	    done ;;
	*) echo "status $status"; return 1 ;;
	esac
}

# old_outputs: those of the command, and no others
old_outputs()
{
	for file in new*; do
		[ ! -e "$file" ] || [ -e "wanted/$file" ] || rm "$file"
	done
	for file in wanted/new*; do
		[ ! -e "$file" ] || echo old >"${file#wanted/}"
	done
}

# fails KIND COMMAND...: calls of the kind in turn; adds to $counts
fails()
{
	kind=$1
	shift
	number=1
	failed=0
	while :; do
		old_outputs
		: >note
		status=0
		(ulimit -t 20; FAIL_CALL=$kind FAIL_NUMBER=$number \
		    FAIL_NOTE=note LD_PRELOAD=./nth_fails.so exec "$@" \
		    >got.out 2>got.err) || status=$?
		if [ ! -s note ]; then		# all have failed
			[ "$status" -eq "$wanted_status" ] && break
			echo "status $status: $(cat got.err)"
			return 1
		fi
		failed=$((failed + 1))
		"$kept" || {
			echo "$kind $number of: $*"
			echo "status $status: $(cat got.err)"
			return 1
		}
		number=$((number + step))
	done
	counts="$counts, $failed $kind"
}

# survives COMMAND...: it writes to standard output and to files new*; calls of
# the kinds in $kinds fail
survives()
{
	rm -rf new* wanted
	wanted_status=0
	"$@" >wanted.out 2>wanted.err || wanted_status=$?
	[ "$wanted_status" -lt 2 ] || { cat wanted.err; return 1; }
	mkdir wanted
	for file in new*; do
		[ ! -e "$file" ] || mv "$file" wanted
	done
	outputs=$(ls wanted | wc -l)
	counts=
	for kind in $kinds; do
		fails "$kind" "$@" || return 1
	done
}

# try KINDS: calls of these kinds fail in each command of standard input
try()
{
	kinds=$1
	while read -r command; do
		claim "it survives failing calls: dmtrace $command" \
		    survives dmtrace $command
		echo "# ${counts#, } failed: $command"
	done
}
