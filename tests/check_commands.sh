#!/bin/sh
# check_commands.sh - program, manual, completion and tests name the same

. "$srcdir/tests/claim.sh"

# Lines of "dmtrace help": two blanks, the name, blanks, what it does.
commands()
{
	sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'
}

# Lines of "--help": "  -o, --output=FILE   text"; prints "o output".
help_options()
{
	sed -n -e 's/^  *-\(.\), --\([a-z][a-z-]*\).*/\1 \2/p' \
	    -e 's/^  *--\([a-z][a-z-]*\).*/- \1/p' | sort
}

# Lines of a page: ".It Fl o , Fl -output Ns = Ns Ar file"; prints the same.
page_options()
{
	sed -n -e 's/^\.It Fl \([^-]\) , Fl -\([a-z][a-z-]*\).*/\1 \2/p' \
	    -e 's/^\.It Fl -\([a-z][a-z-]*\).*/- \1/p' "$1" | sort -u
}

# completes WORDS...: what bash would offer for the last word
completes()
{
	bash -c '
	source "$1"
	shift
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_dmtrace
	printf "%s\n" "${COMPREPLY[@]}"' \
	    bash "$srcdir/tools/completion/dmtrace" "$@" | sort
}

same_options()
{
	dmtrace "$1" --help | help_options >helped
	page_options "$srcdir/doc/dmtrace-$1.1" >paged
	[ -s helped ] && cmp helped paged || { diff helped paged; return 1; }
}

same_completion()
{
	sed 's/^. /--/' helped | sort >long
	completes dmtrace "$1" -- >offered
	cmp long offered || { diff long offered; return 1; }
}

knows_commands()
{
	completes dmtrace '' >offered
	sort listed | cmp - offered || { diff listed offered; return 1; }
}

claim "dmtrace help succeeds" exits 0 dmtrace help
dmtrace help >help
commands <help >listed
claim "dmtrace help lists commands" test -s listed
# Its line of the list, and the Nd of its page.
same_summary()
{
	grep -qx "\.Nd $(sed -n "s/^  $1  *//p" help)" \
	    "$srcdir/doc/dmtrace-$1.1"
}

for command in $(cat listed); do
	claim "$command has a page" test -f "$srcdir/doc/dmtrace-$command.1"
	claim "$command has a test" test -f "$srcdir/tests/cli_$command.sh"
	claim "$command has the options of its page" same_options "$command"
	claim "$command is summed up in its page" same_summary "$command"
	claim "$command is listed in dmtrace(1)" \
	    grep -q "^\.It Xr dmtrace-$command 1 Ta" "$srcdir/doc/dmtrace.1"
	if have bash; then
		claim "completion knows $command" same_completion "$command"
	else
		skip "completion knows $command" "no bash here"
	fi
done
if have bash; then
	claim "completion knows every command" knows_commands
else
	skip "completion knows every command" "no bash here"
fi
finish
