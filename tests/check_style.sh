#!/bin/sh
# check_style.sh - width, blanks and first lines of what people read

. "$srcdir/tests/claim.sh"

cd "$srcdir" || exit 1
files=$(find lib tools tests doc configure.ac Makefile.am bootstrap .ci/run \
    -name '*.[ch]' -o -name '*.sh' -o -name '*.mk' -o -name '*.[1-9]' \
    -o -name '*.ac' -o -name '*.am' -o -name bootstrap -o -name run)
cd "$OLDPWD" || exit 1

# Each of these prints "FILE:LINE: what" for the file named.

too_wide()
{
	expand "$srcdir/$1" | LC_ALL=C tr -d '\200-\277' |
	    awk -v file="$1" 'length > 80 { print file ":" FNR ": " $0 }'
}

trailing_blanks()
{
	grep -n '[[:blank:]]$' "$srcdir/$1" | sed "s,^,$1:,"
}

no_final_newline()
{
	[ -z "$(tail -c 1 "$srcdir/$1")" ] || echo "$1: no LF at its end"
}

unnamed()
{
	case $1 in
	*.[ch]) line=1 start='/*' ;;
	*.sh) line='1,2' start='#' ;;
	*) return ;;
	esac
	parent=$(basename "$(dirname "$1")")
	sed -n "${line}p" "$srcdir/$1" >first
	for name in "$(basename "$1")" "$parent/$(basename "$1")"; do
		grep -qF "$start $name - " first && return
	done
	echo "$1: does not begin with \"$start $(basename "$1") - \""
}

# nowhere CHECK: it prints nothing for any file
nowhere()
{
	for file in $files; do
		"$1" "$file"
	done >found
	cat found
	[ ! -s found ]
}

claim "lines are at most 80 columns wide" nowhere too_wide
claim "no line ends with a blank" nowhere trailing_blanks
claim "every file ends with a line feed" nowhere no_final_newline
claim "sources begin with their name and purpose" nowhere unnamed
finish
