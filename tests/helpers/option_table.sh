#!/bin/sh
# option_table.sh - prints all options, their arguments and their commands
#
# A line for each option and argument word: the letter, the name, the word, and
# the commands that have it so, from the rows that they print for completion.
# "option_table.sh grid" prints a column for each command instead.

for command in $(dmtrace help --complete | cut -f 1); do
	dmtrace "$command" --print-rows | sed "s/^/$command	/"
done | awk -F '\t' -v grid="$1" '
{
	if (!seen[$1]++)
		commands[++count] = $1
	option = sprintf("%-3s %s%s", $3, $2, $4 == "" ? "" : "=" $4)
	has[option, $1] = 1
	list[option] = list[option] " " $1
}
END {
	if (grid != "") {
		longest = 0
		for (i = 1; i <= count; i++)
			if (length(commands[i]) > longest)
				longest = length(commands[i])
		for (row = longest; row > 0; row--) {
			printf "%23s", ""
			for (i = 1; i <= count; i++) {
				name = commands[i]
				at = length(name) - row + 1
				letter = at > 0 ? substr(name, at, 1) : " "
				printf " %s", letter
			}
			print ""
		}
	}
	for (option in list) {
		line = sprintf("%-23s", option)
		for (i = 1; i <= count; i++)
			line = line (has[option, commands[i]] ? " x" : " .")
		print (grid != "" ? line : sprintf("%-24s%s", option,
		    list[option])) | "sort -k 1.5"
	}
}'
