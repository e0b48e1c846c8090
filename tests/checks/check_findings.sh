#!/bin/sh
# check_findings.sh - dmtrace.5 and lib/format/finding.c list the same findings

. "$srcdir/tests/helpers/claim.sh"

# Rows: [DMT_KEY_BOM] = { "key-bom", KEY, WARNING, ...; prints "key-bom
# warning".
# Quirks of readers are in dmtrace-validate.1, repairs in dmtrace-repair.1.
in_table()
{
	tr '\n\t' '  ' <"$srcdir/lib/format/finding.c" |
	    grep -o '] = { "[a-z0-9-]*", *[A-Z]*, [A-Z]*,' |
	    sed 's/.*"\(.*\)", *[A-Z]*, \([A-Z]*\),/\1 \2/' | tr A-Z a-z
}

in_code()
{
	in_table | grep -v -e ' quirk$' -e ' repair$'
}

# Lines of the page: ".It Li key-bom", then "warning: ..."; prints the same.
in_manual()
{
	sed -n -e '/^\.Sh FINDINGS/,/^\.Sh EXAMPLES/!d' \
	    -e '/^\.It Li /{N;s/^\.It Li \(.*\)\n\([a-z]*\):.*/\1 \2/p;}' \
	    "$srcdir/doc/dmtrace.5"
}

in_code >code
grep '^	\[DMT_.*\] = {' "$srcdir/lib/format/finding.c" >rows
claim "finding.c has findings" test -s code
in_table >table
claim "every row of finding.c could be parsed" \
    test "$(wc -l <rows)" -eq "$(wc -l <table)"
claim "dmtrace.5 lists every finding, with its severity, in the same order" \
    prints code in_manual
grep -v ' repair$' table | sort | cut -d ' ' -f 1 | uniq -d >repeated
claim "names are unique" test ! -s repeated
finish
