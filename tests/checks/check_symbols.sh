#!/bin/sh
# check_symbols.sh - libdmtrace exports what its headers declare, no more

. "$srcdir/tests/helpers/claim.sh"

library=$builddir/lib/.libs/libdmtrace.so

# The declarations of the public headers, one a line.
declarations()
{
	cat "$srcdir"/lib/include/dmtrace/*.h | grep -v '^#' | tr '\n\t' '  ' |
	    sed 's,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/,,g' | tr ';{' '\n\n' |
	    tr -s ' '
}

# Those with DMTRACE_API or DMTRACE_DATA.
declared()
{
	declarations | sed -n -e 's/.*DMTRACE_API //p' \
	    -e 's/.*DMTRACE_DATA //p' | sort
}

# And the inline functions, but for those of macros and of check.h.
inlines()
{
	declarations | sed -n 's/.*static inline \(.*\) $/\1/p' |
	    grep -v -e dmtrace_scope_ -e dmtrace_check
}

# The same from the pages: ".Ft TYPE", then ".Fn NAME ARGUMENT..." or ".Fo
# NAME", ".Fa ARGUMENT..." and ".Fc"; arguments of several words are quoted.
# A variable is ".Vt extern TYPE NAME ;". Macros have no type.
described()
{
	for page in "$srcdir"/doc/dmtrace_*.3 "$srcdir"/doc/libdmtrace.3 \
	    "$srcdir"/doc/libdmtrace-eventlog.3; do
		sed '/^\.Sh DESCRIPTION/q' "$page"
	done | sed -n -e '/^\.Fn DMTRACE_/d' -e 's/" "/, /g' -e 's/"//g' \
	    -e 's/^\.Ft //p' -e 's/^\.Fn \([^ ]*\) \(.*\)/ \1(\2)%/p' \
	    -e 's/^\.Fo \(.*\)/ \1(/p' -e 's/^\.Fa \(.*\)/\1, /p' \
	    -e 's/^\.Fc/)%/p' -e 's/^\.Vt extern \(.*\) ;/\1%/p' |
	    tr -d '\n' | tr '%' '\n' | sed 's/, )$/)/' | tr -s ' ' | sort
}

# The lines of structs and enums, as the headers and as the pages have them.
members()
{
	for header in status event key reader writer trace select recorder \
	    ops profile verify export; do
		sed -n '/^\(struct\|enum\)[^;]*{$/,/^}/p' \
		    "$srcdir/lib/include/dmtrace/$header.h"
	done | tr -s '\t ' ' ' | sort -u
}

shown()
{
	sed 's/\\e/\\/g' "$srcdir"/doc/dmtrace_*.3 "$srcdir/doc/libdmtrace.3" |
	    tr -s '\t ' ' ' | sort -u
}

all_shown()
{
	members >members
	shown | comm -13 - members >lacking
	cat lacking
	[ -s members ] && [ ! -s lacking ]
}

# "FUNCTION STATUS" for each status that the comment of a function says.
statuses_said()
{
	cat "$srcdir"/lib/include/dmtrace/[!e]*.h \
	    "$srcdir/lib/include/dmtrace/export.h" | awk '
	/^\/\*/ { said = "" }
	/^(\/\*| \*)/ { said = said " " $0 }
	/^(struct|enum|typedef|static)/ { said = "" }
	/^DMTRACE_API/ { api = 1 }
	api && match($0, /dmtrace_[a-z0-9_]+\(/) {
		name = substr($0, RSTART, RLENGTH - 1)
		api = 0
		gsub(/[^A-Z_]/, " ", said)
		count = split(said, words, " ")
		for (i = 1; i <= count; i++)
			if (words[i] ~ /^DMTRACE_(ERR_.|END$)/)
				print name, words[i]
	}' | sort -u
}

# The same of the pages.
statuses_shown()
{
	for page in "$srcdir"/doc/dmtrace_*.3 "$srcdir/doc/libdmtrace.3"; do
		sed '1,/^\.Sh DESCRIPTION/d' "$page"
	done | awk '
	/^\.Fn dmtrace_/ { names[++count] = $2; inside = 0; next }
	/^\.Bd -ragged/ { inside = 1; next }
	/^\.Ed/ || !inside { count = inside = 0 }
	inside {
		gsub(/[^A-Z_]/, " ")
		for (i = 1; i <= NF; i++)
			for (n = 1; n <= count; n++)
				if ($i ~ /^DMTRACE_(ERR_.|END$)/)
					print names[n], $i
	}' | sort -u
}

all_statuses_shown()
{
	statuses_said >said
	statuses_shown | comm -13 - said >lacking
	cat lacking
	[ -s said ] && [ ! -s lacking ]
}

names()
{
	sed -e 's/(.*//' -e 's/.*[ *]//' "$1" | sort
}

exported()
{
	${NM-nm} -D -P --defined-only "$library" |
	    awk '$2 != "A" { print $1 }' | sort
}

sort "$srcdir/lib/libdmtrace.sym" >listed
declared >prototypes
names prototypes >declared
claim "the symbol list is sorted and has no duplicates" \
    prints listed sort -u "$srcdir/lib/libdmtrace.sym"
claim "the symbol list names what the headers declare" cmp listed declared
inlines | sort - prototypes >callable
claim "the pages have every prototype" prints callable described
claim "the pages have every member and constant" all_shown
claim "the pages have every status of a function" all_statuses_shown
misused()
{
	grep -o 'dmtrace_[a-z_]*' "$srcdir/tests/unit/test_misuse.c" | sort -u |
	    comm -23 listed - >unused
	cat unused
	[ ! -s unused ]
}

claim "test_misuse.c calls every function" misused
if [ -f "$library" ]; then
	exported >exported
	claim "the library exports what the symbol list names" \
	    prints listed cat exported
else
	skip "the library exports what the symbol list names" "not shared"
fi

# Every function has one page that its link shows; a variable has none.
linked()
{
	sh "$srcdir/doc/links.sh" "$srcdir"/doc/*.3 | cut -d ' ' -f 1 | sort |
	    tee all_links | sort -u >links
	grep -v '^dmtrace_recording$' listed | comm -23 - links >unlinked
	cat unlinked
	uniq -d all_links
	[ ! -s unlinked ] && [ -z "$(uniq -d all_links)" ]
}

claim "every function has a link to its page" linked
finish
