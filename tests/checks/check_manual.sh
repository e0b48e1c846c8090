#!/bin/sh
# check_manual.sh - every page is clean, and names what there is

. "$srcdir/tests/helpers/claim.sh"

# Whether another page is installed here says nothing of this one.
lints()
{
	mandoc -T lint "$1" | grep -v 'referenced manual not found' >messages
	cat messages
	[ ! -s messages ]
}

# Every "Xr" to a page of dmtrace finds it.
refers()
{
	sed -nE 's/^\.(It )?Xr ((lib)?dmtrace[^ ]*) (.).*/\2.\4/p' "$1" |
	    grep -v dmtracedump | while read -r other; do
		[ -f "$srcdir/doc/$other" ] || echo "no doc/$other"
	done >missing
	cat missing
	[ ! -s missing ]
}

# Every heading has text.
filled()
{
	awk '/^\.S[hs] / { if (heading ~ /^\.Ss/) print heading
	    heading = $0; next } { heading = "" }' "$1" >empty
	cat empty
	[ ! -s empty ]
}

# Comments say "(dmtrace.5, TIMES)" for its section "Times".
sections_found()
{
	grep -rho 'dmtrace\.5, [A-Z][A-Z ]*[A-Z]' "$srcdir/lib" |
	    sed 's/.*, //' | sort -u >wanted
	[ -s wanted ] && while read -r section; do
		grep -Eqix "\.S[hs] $section" "$srcdir/doc/dmtrace.5" ||
		    echo "no section $section"
	done <wanted >missing
	cat missing
	[ ! -s missing ]
}

# shows PROGRAM: libdmtrace.3 has all of it from its first #include on
shows()
{
	sed 's/\\e/\\/g' "$srcdir/doc/libdmtrace.3" |
	    awk 'NR == FNR { if (FNR > 2) program = program $0 "\n"; next }
	    { page = page $0 "\n" }
	    END { exit index(page, program) == 0 }' \
	    "$srcdir/doc/examples/$1.c" -
}

for page in "$srcdir"/doc/*.[1-9]; do
	name=$(basename "$page")
	claim "$name refers to pages that exist" refers "$page"
	claim "$name has text under every heading" filled "$page"
	if have mandoc; then
		claim "$name is clean" lints "$page"
	else
		skip "$name is clean" "no mandoc here"
	fi
done
claim "comments name sections that dmtrace.5 has" sections_found
for program in write read record filter; do
	claim "libdmtrace.3 shows $program.c" shows $program
done
finish
