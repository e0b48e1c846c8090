#!/bin/sh
# check_lists.sh - what is there is built, run and handed out

. "$srcdir/tests/claim.sh"

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

claim "every source of the library is built" listed lib '*.c' '*.h'
claim "every source of the program is built" listed tools '*.c' '*.h'
claim "every test is run" listed tests '*.c' '*.h' '*.sh'
claim "every page is installed" listed doc '*.[1-9]'
finish
