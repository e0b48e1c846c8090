#!/bin/sh
# driver.sh - run one test in an empty folder and count its cases
#
# Automake's harness calls it, see "Custom Test Drivers" in its manual. A
# test speaks TAP. Its folder stays, with what is in it, when a case failed.
# Prints how many cases there were, and the seconds of CPU that they took.

here=$PWD
while [ $# -gt 0 ]; do
	case $1 in
	--test-name) name=$2; shift ;;
	--log-file) log=$here/$2; shift ;;
	--trs-file) trs=$here/$2; shift ;;
	--) shift; break ;;
	--*) shift ;;
	esac
	shift
done

# What may stand before the test (valgrind) is to stand before its full name.
words=$#
while [ "$words" -gt 1 ]; do
	set -- "$@" "$1"
	shift
	words=$((words - 1))
done
test=$1
shift
case $test in
/*) ;;
*) test=$here/$test ;;
esac
case $test in
*.sh) set -- "$@" sh "$test" ;;
*) set -- "$@" "$test" ;;
esac

folder=${log%.log}.dir
remove_folder()
{
	chmod -R u+rwx "$folder" 2>/dev/null
	rm -rf "$folder"
}

export CK_TAP_LOG_FILE_NAME=-
export CK_VERBOSITY="${CK_VERBOSITY-silent}"
# A process for each case costs more than most cases. Check limits the time of
# a case only in such a process, as in CK_FORK=yes; limits are against hanging,
# also on a machine that is slow or busy.
export CK_FORK="${CK_FORK-no}"
export CK_DEFAULT_TIMEOUT="${CK_DEFAULT_TIMEOUT-60}"
export CK_TIMEOUT_MULTIPLIER="${CK_TIMEOUT_MULTIPLIER-5}"
# A page of memory costs more when the system hands it out than when glibc
# clears it again: what a case frees, the next one gets.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_-33554432}"
export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_-1073741824}"

# for "make slowest"; the time of a case of Check is that of the clock
[ -z "$CASE_TIMES" ] || export CK_XML_LOG_FILE_NAME="$folder/cases.xml"

# The sanitizers do not look into globals for memory that a command still has:
# no command keeps any in one, and reading them all takes as long as the rest.
case $test in
*/cli_*.sh) export LSAN_OPTIONS="${LSAN_OPTIONS-use_globals=0}" ;;
esac

remove_folder
mkdir -p "$folder" || exit 1
(cd "$folder" && exec timeout --foreground 60m "$@") >"$log" 2>&1 </dev/null
status=$?
[ ! -f "$folder/cases.xml" ] || awk -F '[<>]' '
$2 == "id" { id = $3 }
$2 == "iteration" { row = $3 }
$2 == "/test" { id = "" }
$2 == "duration" && id != "" { printf "# %.2f s: %s, row %s\n", $3, id, row }
' "$folder/cases.xml" >>"$log"

# the CPU time of what has run; "times" in a pipe would show its own alone
times >"$trs"
seconds=$(LC_ALL=C awk 'END {
	split($1 "m" $2, part, "m")
	printf "%.1f", part[1] * 60 + part[2] + part[3] * 60 + part[4]
}' "$trs")

LC_ALL=C awk -v name="$name" -v status="$status" -v trs="$trs" \
    -v seconds="$seconds" '
function result(word, text)
{
	count[word]++
	print ":test-result: " word " " text >trs
	if (word != "PASS" && word != "SKIP")
		bad = bad "\n  " text
}
/^1\.\.[0-9]+/ {
	planned = 1
	plan = substr($1, 4) + 0
	if (plan == 0)
		result(/# SKIP/ ? "SKIP" : "ERROR", $0)
}
/^not ok/ { cases++; result("FAIL", $0) }
/^ok.* # SKIP/ { cases++; result("SKIP", $0); next }
/^ok/ { cases++; result("PASS", $0) }
END {
	if (!planned)
		result("ERROR", "it ended before its last case, status " status)
	else if (plan != cases)
		result("ERROR", cases + 0 " cases ran of " plan)
	else if (status != 0 && !count["FAIL"])
		result("ERROR", "all cases passed, but its status is " status)
	word = bad ? "FAIL" : count["PASS"] ? "PASS" : "SKIP"
	printf "%s: %s (%d", word, name, count["PASS"]
	if (count["SKIP"])
		printf ", %d skipped", count["SKIP"]
	printf ", %s s)%s\n", seconds, bad
	print ":seconds: " seconds >trs
	print ":global-test-result: " word >trs
	print ":recheck: " (bad ? "yes" : "no") >trs
	print ":copy-in-global-log: " (bad ? "yes" : "no") >trs
	exit bad != ""
}' "$log" && remove_folder
exit 0
