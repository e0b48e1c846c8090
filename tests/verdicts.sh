#!/bin/sh
# verdicts.sh - how many verdicts of "validate --for" were measured so
#
# verdicts.sh FOLDER...: each folder holds verdicts.tsv (file, reader, verdict,
# detail), as measured with the reader, and the files it names. Prints each
# pair for which dmtrace says something else ("FILE READER: MEASURED, not
# SAID: RULE"), and for each folder the share of those that agree.

tab=$(printf '\t')
for folder; do
	(cd "$folder" && dmtrace validate -f tsv --for=all ./*.trace) |
	    awk -F "$tab" -v folder="$folder" '
		FNR == 1 {
			input++
			next
		}
		input == 1 {
			sub(/^\.\//, "", $1)
			said[$1, $2] = $3
			rule[$1, $2] = $4
			next
		}
		{
			all++
			if (said[$1, $2] == $3)
				right++
			else
				print $1 " " $2 ": " $3 ", not " \
				    said[$1, $2] ": " rule[$1, $2]
		}
		END {
			printf "%s: %d of %d verdicts are right (%.1f %%)\n",
			    folder, right, all, all ? right * 100 / all : 0
		}' - "$folder/verdicts.tsv"
done
