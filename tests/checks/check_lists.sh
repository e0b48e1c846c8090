#!/bin/sh
# check_lists.sh - what is there is built, run and handed out

. "$srcdir/tests/helpers/claim.sh"

# listed FOLDER NAME-PATTERN...: its local.mk names each file in the folder
listed()
{
	folder=$1
	shift
	for pattern; do
		find "$srcdir/$folder" -name "$pattern" -type f
	done | sed "s,^$srcdir/$folder/,," | sort | while read -r file; do
		grep -Eq "%D%/(${file%.c}|$file)( |$)" \
		    "$srcdir/$folder/local.mk" ||
		    echo "not in $folder/local.mk: $file"
	done >unlisted
	cat unlisted
	[ ! -s unlisted ]
}

# in_order FILE PATTERN: names of lines that follow each other rise
in_order()
{
	LC_ALL=C awk -v file="$1" -v pattern="$2" '
	    $0 !~ pattern { last = ""; next }
	    { sub(/ *\\$/, "") }
	    $0 <= last { print file ":" FNR ": not in order:" $0; bad = 1 }
	    { last = $0 }
	    END { exit bad }' "$srcdir/$1"
}

# Names of files in tools/ that another file of the program or library has.
shared_names()
{
	find "$srcdir/tools" "$srcdir/lib" -name '*.[ch]' |
	    sed 's,.*/,,' | sort | uniq -d >twice
	find "$srcdir/tools" -name '*.[ch]' | sed 's,.*/,,' | sort -u |
	    comm -12 - twice >shared
	cat shared
	[ ! -s shared ]
}

# only_these_tracked: the root has no file that a run from there left behind
only_these_tracked()
{
	git -C "$srcdir" ls-files | grep -v / >tracked
	cat >wanted <<'ROWS'
.clang-tidy
.gitattributes
.gitignore
COPYING
Makefile.am
README
SECURITY
bootstrap
configure.ac
ROWS
	prints wanted cat tracked
}

# figures: all but that of cases, which depends on what was run last
figures()
{
	sed '1,/^Figures$/d; /cases in the last/d; /^$/d' \
	    "$srcdir/doc/TESTING" >wanted
	builddir=nowhere prints wanted sh "$srcdir/tests/figures.sh"
}

if have git && [ -e "$srcdir/.git" ]; then
	claim "no other file is in the root" only_these_tracked
else
	skip "no other file is in the root" "no checkout"
fi
claim "every source of the library is built" listed lib '*.c' '*.h'
claim "every source of the program is built" listed tools '*.c' '*.h'
claim "no file of the program has the name of another" shared_names
claim "every test is run" listed tests '*.c' '*.h' '*.sh'
claim "every page is installed" listed doc '*.[1-9]'
for folder in lib tools tests doc; do
	claim "the lists of $folder are in order" \
	    in_order $folder/local.mk '^\t%D%/'
done
claim "the headers of dmtrace.h are in order" \
    in_order lib/include/dmtrace.h '^#include'
claim "the figures of doc/TESTING are true (make figures)" figures
claim "the symbols are in order" in_order lib/libdmtrace.sym '^dmtrace_'
finish
