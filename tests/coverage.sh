#!/bin/sh
# coverage.sh - how many lines of each file of lib/ and tools/ the tests ran
#
# "make coverage" calls it in a build whose programs have run and counted. A
# file is compiled into several objects (of the library, of the program), and
# headers into many: a line counts as run if it ran in any of them. Prints the
# files with the lowest share first, and with "lines" as argument the lines
# that did not run instead.

find . -name '*.gcda' -exec ${GCOV:-gcov} -t {} + 2>/dev/null |
LC_ALL=C awk -F : -v top="$srcdir/" -v what="$1" '
$3 == "Source" {
	file = substr($0, index($0, "Source:") + 7)
	if (index(file, top) == 1)
		file = substr(file, length(top) + 1)
	ours = file ~ /^(lib|tools)\//
	next
}
ours && $1 !~ /-/ && $2 + 0 > 0 {
	line = $2 + 0
	if (!((file, line) in ran)) {
		ran[file, line] = 0
		lines[file]++
		if (line > last[file])
			last[file] = line
		text[file, line] = substr($0, length($1 $2) + 3)
	}
	if ($1 !~ /#|=/ && !ran[file, line]) {
		ran[file, line] = 1
		covered[file]++
	}
}
END {
	for (file in lines) {
		if (what != "lines") {
			printf "%5.1f %% %5d of %5d  %s\n",
			    100 * covered[file] / lines[file],
			    covered[file], lines[file], file
			continue
		}
		for (line = 1; line <= last[file]; line++)
			if ((file, line) in ran && !ran[file, line])
				printf "%s:%d:%s\n", file, line,
				    text[file, line]
	}
}' | if [ "$1" = lines ]; then cat; else sort -n; fi
