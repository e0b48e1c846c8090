#!/bin/sh
# amalgamate.sh - writes the library in two files: amalgamate.sh SOURCES OUT
#
# dmtrace.h is the public headers of reading, writing and recording, one after
# the other; dmtrace.c is all files of the layers below them: first the private
# headers, each after those that it includes, then the .c files. A file keeps
# its text but for the includes of files that are there already. A macro of a
# .c file ends with the file, so that only types, constants and functions have
# to be unique.

set -e
sources=$1/lib
out=$2
public='status event key trace select eventlog recorder'
layers='base format key eventlog events data text trace record'

# public_header NAME: its text without the headers before it
public_header()
{
	sed '/^#include <dmtrace\//d' "$sources/include/dmtrace/$1.h"
}

licence()
{
	echo '/*'
	sed -e 's/^/ * /' -e 's/ *$//' "$1/COPYING"
	echo ' */'
}

# parts EXTENSION: the files of the layers, one a line; of lib/private/ those
# that belong to the public headers
parts()
{
	for name in $public sink text text_form utf8; do
		(cd "$sources" && ls "private/$name.$1" 2>/dev/null) || :
	done
	for layer in $layers; do
		(cd "$sources" && ls "$layer"/*."$1")
	done
}

# in_order: files on stdin, each after those that it includes
in_order()
{
	while read -r part; do
		echo "$part $part"
		sed -n 's/^#include "\([^"]*\)"/\1/p' "$sources/$part" |
		    sed "s,\$, $part,"
	done | tsort
}

# private PART: its text, without what stands at the top of dmtrace.c already
private()
{
	echo
	echo "/* lib/$1 */"
	echo
	sed -e '/^#include <dmtrace/d' -e '/^#include "/d' \
	    -e '/^#define _[A-Z]*_SOURCE/d' "$sources/$1"
}

# macros PART: ends those that it defines
macros()
{
	sed -n 's/^#[ ]*define \([A-Za-z0-9_]*\).*/#undef \1/p' \
	    "$sources/$1" | grep -v '_SOURCE$' | sort -u
}

mkdir -p "$out"
{
	echo '/* dmtrace.h - Android method traces: read, written, recorded */'
	licence "$1"
	echo '#ifndef DMTRACE_H'
	echo '#define DMTRACE_H'
	for name in $public; do
		echo
		public_header "$name"
	done
	echo
	echo '#endif'
} >"$out/dmtrace.h.new"
{
	echo '/* dmtrace.c - the implementation of dmtrace.h, in C11 */'
	licence "$1"
	cat <<'TOP'
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#include "dmtrace.h"
TOP
	parts h | in_order | while read -r part; do
		private "$part"
	done
	parts c | while read -r part; do
		private "$part"
		macros "$part"
	done
} >"$out/dmtrace.c.new"
mv "$out/dmtrace.h.new" "$out/dmtrace.h"
mv "$out/dmtrace.c.new" "$out/dmtrace.c"
