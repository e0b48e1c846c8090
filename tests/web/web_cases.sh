# web_cases.sh - what the tests in a browser share, beside web_cases.js

. "$srcdir/tests/helpers/claim.sh"
. "$srcdir/tests/helpers/hostile_names.sh"

# needs_browser WHAT: skips it, and all that follows, where there is none
needs_browser()
{
	for program in node chromium; do
		have "$program" || {
			skip "$1" "no $program here"
			finish
		}
	done
}

# web_cases SCRIPT ARGUMENT...: the cases that a script prints
web_cases()
{
	script=$1
	shift
	{
		node "$srcdir/tests/web/$script" $((cases + 1)) "$@" ||
		    echo "not ok $script breaks off"
	} | tee printed
	cases=$((cases + $(grep -c '^ok \|^not ok ' printed)))
	failures=$((failures + $(grep -c '^not ok ' printed)))
}
