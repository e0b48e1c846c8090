# claim.sh - what every test script here shares
#
# A script makes claims, each a case that counts, and ends with "finish":
#
#	. "$srcdir/tests/helpers/claim.sh"
#	claim "a missing file is trouble" exits 2 dmtrace info missing
#	claim "it names the file" has missing output
#	finish
#
# What a claim's command prints is kept in the file "output".

cases=0
failures=0

# For "make slowest": the CPU time after each case, in a file beside the folder
# of the test. What leads up to a case counts with it.
[ -z "${CASE_TIMES-}" ] || { CASE_TIMES=$PWD.times; : >"$CASE_TIMES"; }

# claim LABEL COMMAND...: a case that passes if the command exits 0
claim()
{
	label=$1
	shift
	cases=$((cases + 1))
	if "$@" >output 2>&1; then
		printf 'ok %s - %s\n' "$cases" "$label"
	else
		failures=$((failures + 1))
		printf 'not ok %s - %s\n' "$cases" "$label"
		printf '# %s\n' "$*"
		sed 's/^/# /' output
	fi
	[ -z "${CASE_TIMES-}" ] || { times; printf '= %s\n' "$label"; } \
	    >>"$CASE_TIMES"
}

# skip LABEL WHY: a case that cannot be judged here
skip()
{
	cases=$((cases + 1))
	printf 'ok %s - %s # SKIP %s\n' "$cases" "$1" "$2"
}

# finish: the last line; a script that breaks off before it has failed
finish()
{
	echo "1..$cases"
	[ -z "${CASE_TIMES-}" ] || LC_ALL=C awk '
	/^[0-9]+m[0-9.]+s [0-9]+m[0-9.]+s$/ {
		split($1 "m" $2, part, "m")
		sum += part[1] * 60 + part[2] + part[3] * 60 + part[4]
	}
	/^= / {
		printf "# %.2f s: %s\n", sum - before, substr($0, 3)
		before = sum
		sum = 0
	}' "$CASE_TIMES"
	[ -z "${CASE_TIMES-}" ] || rm -f "$CASE_TIMES"
	[ "$failures" -eq 0 ]
	exit
}

# have PROGRAM: it is installed
have()
{
	command -v "$1" >/dev/null 2>&1
}

# exits STATUS COMMAND...: the command ends with this exit status
exits()
{
	expected=$1
	shift
	status=0
	"$@" || status=$?
	[ "$status" -eq "$expected" ] ||
	    { echo "exit status $status, not $expected"; return 1; }
}

# has TEXT FILE: a line of the file holds the text
has()
{
	grep -qF -e "$1" "$2" || { cat "$2"; return 1; }
}

# prints FILE COMMAND...: standard output is the file, byte for byte
prints()
{
	expected=$1
	shift
	"$@" >printed && cmp "$expected" printed ||
	    { diff "$expected" printed; return 1; }
}

# one_line TEXT FILE: the file is one line, and it holds the text. Messages are
# read here, as a program for each takes longer than the command that says it
one_line()
{
	said_more=
	{ IFS= read -r said_line && ! IFS= read -r said_more; } <"$2" &&
	    [ -z "$said_more" ] || { cat "$2"; return 1; }
	case $said_line in
	*"$1"*) ;;
	*) cat "$2"; return 1 ;;
	esac
}

# says TEXT COMMAND...: exit status 2, and one line on standard error
says()
{
	text=$1
	shift
	exits 2 "$@" 2>error && one_line "$text" error
}

# notes TEXT COMMAND...: exit status 0, and one line on standard error
notes()
{
	text=$1
	shift
	exits 0 "$@" 2>error && one_line "$text" error
}

# replies STATUS TEXT COMMAND...: that exit status, and one line on standard
# error; what it prints is in the file printed
replies()
{
	expected_status=$1
	text=$2
	shift 2
	exits "$expected_status" "$@" >printed 2>said && one_line "$text" said
}

# answers STATUS TEXT COMMAND...: its exit status, and a text in what it prints
answers()
{
	expected=$1
	text=$2
	shift 2
	exits "$expected" "$@" >said 2>&1 && has "$text" said
}

# silent COMMAND...: exit status 0, and nothing on standard error
silent()
{
	exits 0 "$@" 2>error && [ ! -s error ] || { cat error; return 1; }
}

# waits_for COMMAND...: until it succeeds, for two minutes and no more
waits_for()
{
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ "$tries" -lt 12000 ] || { echo "waited for $*"; return 1; }
		sleep 0.01
	done
}

# no_output [BASE]: neither the trace (o.trace) nor a temporary
no_output()
{
	for file in "${1:-o}".trace .dmtrace*; do
		[ ! -e "$file" ] || { echo "there is $file"; return 1; }
	done
}

# every_prefix FILE COMMAND...: with each, in cut.trace, the command ends in a
# status, and says why if that is 2. Of a large file it is about 100 of them,
# unless more
every_prefix()
{
	whole=$1
	shift
	len=$(wc -c <"$whole")
	more && step=1 || step=$((len / 100 + 1))
	while [ "$len" -ge "$step" ]; do
		len=$((len - step))
		head -c "$len" "$whole" >cut.trace
		"$@" cut.trace >cut.out 2>cut.err
		status=$?
		[ "$status" -le 2 ] &&
		    { [ "$status" -ne 2 ] || [ -s cut.err ]; } ||
		    { echo "$len bytes: $status"; return 1; }
	done
}

# header: the data header of version 2; scripts for others have their own
header()
{
	printf 'SLOW\002\000\040\000\001\002\003\004\005\006\007\000'
	printf '\000\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000'
}

# write_trace FILE VERSION CLOCK [START]: a trace of the events on standard
# input, each a line of thread, method id plus action, and times in
# microseconds; it starts at START, else 1, and lists these threads, all as
# main, and the methods A.m 4, A.n 8 and A.o 12
write_trace()
{
	events=$(cat)
	{
		printf '*version\n%s\nclock=%s\n*threads\n' "$2" "$3"
		echo "$events" | awk '!listed[$1]++ { print $1 "\tmain" }'
		printf '*methods\n0x4\tA\tm\t()V\n0x8\tA\tn\t()V\n'
		printf '0xc\tA\to\t()V\n*end\n'
		printf "$(echo "$events" |
		    awk -v version="$2" -v start="${4:-1}" '
		function put(width, value)
		{
			while (width-- > 0) {
				printf "\\%03o", value % 256
				value = int(value / 256)
			}
		}
		NR == 1 {
			printf "SLOW"
			put(2, version)
			put(2, 32)
			put(8, start)
			put(16, version < 3 ? 0 : NF == 4 ? 14 : 10)
		}
		{
			put(version < 2 ? 1 : 2, $1)
			for (i = 2; i <= NF; i++)
				put(4, $i)
		}')"
	} >"$1"
}

# write_odd_trace FILE: one with all that has no place of its own in most
# formats: A.n and A.o were open before it, A.m takes A.n along, A.o is open at
# its end; an exit of A.n, which is not open
write_odd_trace()
{
	write_trace "$1" 3 dual <<ROWS
1 9 0 100
1 4 10 110
1 8 20 130
1 5 40 160
1 13 45 170
1 12 50 180
1 9 60 200
ROWS
}

# more: cases are run that are for "make check-more" alone
more()
{
	[ -n "${DMTRACE_MORE-}" ]
}

# only_more LABEL: skips the rest, unless there are such cases
only_more()
{
	more || { skip "$1" "make check-more runs it"; finish; }
}

# defects: the files of DMTRACE_DEFECTS, one a line; one of four, unless more
defects()
{
	more && one_of=1 || one_of=4
	folders "$DMTRACE_DEFECTS" | while read -r folder; do
		printf '%s\n' "$folder"/*.trace
	done | awk -v one_of=$one_of '(NR - 1) % one_of == 0'
}

# folders LIST: those of a list with colons, one a line
folders()
{
	printf '%s\n' "$1" | tr : '\n' | sed '/^$/d'
}

# unfold: lines that end in a backslash, and the next ones, as one
unfold()
{
	sed -e :a -e '/\\$/{' -e N -e 's/\\\n//' -e ta -e '}'
}
