#!/bin/sh
# check_style.sh - width, blanks, first lines and names of functions

. "$srcdir/tests/helpers/claim.sh"

cd "$srcdir" || exit 1
files=$(find lib tools tests doc configure.ac Makefile.am bootstrap .ci/run \
    -name '*.[ch]' -o -name '*.sh' -o -name '*.mk' -o -name '*.[1-9]' \
    -o -name '*.ac' -o -name '*.am' -o -name bootstrap -o -name run)
cd "$OLDPWD" || exit 1

# Each of these prints "FILE:LINE: what" of the files named.

too_wide()
{
	LC_ALL=C awk '{
		line = $0
		gsub(/[\200-\277]/, "", line)
		while ((at = index(line, "\t")) > 0)
			line = sprintf("%s%*s%s", substr(line, 1, at - 1),
			    8 - (at - 1) % 8, "", substr(line, at + 1))
		if (length(line) > 80)
			print FILENAME ":" FNR ": " $0
	}' "$@"
}

trailing_blanks()
{
	grep -nH '[[:blank:]]$' "$@"
}

no_final_newline()
{
	for file; do
		[ -z "$(tail -c 1 "$file")" ] ||
		    echo "$file: no LF at its end"
	done
}

unnamed()
{
	awk '
	FNR == 1 {
		count = split(FILENAME, part, "/")
		name = part[count]
		start = name ~ /\.[ch]$/ ? "/*" : "#"
		line = name ~ /\.sh$/ ? 2 : 1
	}
	name !~ /\.(c|h|sh)$/ || FNR > line { next }
	index($0, start " " name " - ") == 1 { named[FILENAME] }
	index($0, start " " part[count - 1] "/" name " - ") == 1 {
		named[FILENAME]
	}
	FNR == line && !(FILENAME in named) {
		print FILENAME ": does not begin with \"" start " " name \
		    " - \""
	}' "$@"
}

# Two functions of one name in the layers of lib/amalgamate.sh, which become one
# translation unit; a name of the platform's, which #if chooses, has both in one
# file.
repeated_names()
{
	awk -v layers="$(sed -n "s/^layers='\(.*\)'$/\1/p" \
	    "$srcdir/lib/amalgamate.sh")" '
	BEGIN {
		gsub(/ /, "|", layers)
		unit = "^lib/(" layers ")/.*[.][ch]$"
	}
	FILENAME !~ unit { next }
	/^[a-z_0-9]+\(/ {
		name = substr($0, 1, index($0, "(") - 1)
		at = FILENAME ":" FNR
	}
	/;$/ || /^}/ { name = "" }
	/^{/ && name != "" {
		if (name in file && file[name] != FILENAME)
			print at ": " name ", as in " file[name]
		file[name] = FILENAME
	}' "$@"
}

# nowhere CHECK: it prints nothing for any file
nowhere()
{
	(cd "$srcdir" && "$1" $files) >found
	cat found
	[ ! -s found ]
}

claim "lines are at most 80 columns wide" nowhere too_wide
claim "no line ends with a blank" nowhere trailing_blanks
claim "every file ends with a line feed" nowhere no_final_newline
claim "sources begin with their name and purpose" nowhere unnamed
claim "no two functions of the layers in one unit have one name" \
    nowhere repeated_names
finish
