#!/bin/sh
# amalgamate.sh - writes the library in few files: amalgamate.sh SOURCES OUT
#
# dmtrace.h is the public headers of reading, writing and recording, one after
# the other; dmtrace.c is all files of the layers below them: first the private
# headers, each after those that it includes, then the .c files. A file keeps
# its text but for the includes of files that are there already. A macro of a
# .c file ends with the file, so that only types, constants and functions have
# to be unique.
#
# dmtrace_write.h is made in the same way: the public headers of writing and
# recording and, where DMTRACE_IMPLEMENTATION is defined, those parts of all
# files that they need (needed.awk), without comments. DMTRACE_STATIC makes
# them static.

set -e
sources=$1/lib
out=$2
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

# included PART...: the files of lib/ that they include, each with the part
included()
{
	[ $# -gt 0 ] || return 0
	(cd "$sources" && awk -F '[<>"]' '
	/^#include "/ { print $2, FILENAME }
	/^#include <dmtrace\// { print "include/" $2, FILENAME }' "$@")
}

# headers PART...: what the .c files include, each after those that it includes
# itself, without those of $public
headers()
{
	found=$(included "$@" | cut -d ' ' -f 1 | sort -u)
	while :; do
		more=$({ echo "$found"; included $found; } | cut -d ' ' -f 1 |
		    sort -u)
		[ "$more" != "$found" ] || break
		found=$more
	done
	{
		included $found
		printf '%s\n' $found | sed 's/.*/& &/'
	} | tsort | while read -r part; do
		case " $public " in
		*" $(basename "$part" .h) "*) [ "${part#include}" = "$part" ] ||
			continue ;;
		esac
		echo "$part"
	done
}

# private PART: its text, without what stands at the top already
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
	awk '/^#[ ]*define / && match($0, /define [A-Za-z0-9_]*/) {
		name = substr($0, RSTART + 7, RLENGTH - 7)
		if (name !~ /_SOURCE$/ && !seen[name]++)
			print "#undef " name
	}' "$sources/$1"
}

# implementation PART...: the private headers of the .c files, and these
implementation()
{
	for part in $(headers "$@"); do
		private "$part"
	done
	for part; do
		private "$part"
		macros "$part"
	done
}

# C text without comments and empty lines.
without_comments()
{
	awk '
	{
		line = $0
		text = ""
		while (line != "") {
			if (inside) {
				end = index(line, "*/")
				if (end == 0)
					break
				line = substr(line, end + 2)
				inside = 0
			} else if (match(line,
			    /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|\/\*/)) {
				inside = substr(line, RSTART, 2) == "/*"
				text = text substr(line, 1, RSTART - 1 + \
				    (inside ? 0 : RLENGTH))
				line = substr(line, RSTART + RLENGTH)
			} else {
				text = text line
				line = ""
			}
		}
		sub(/[ \t]+$/, "", text)
		if (text != "")
			print text
	}'
}

# Marks what is declared for other files: DMT_API and DMT_DATA are static or
# not. A definition has the linkage of its declaration, except of data. As in
# the library, functions of other files are called and not inlined: it takes a
# sixth less to compile, and a tenth less space.
marked()
{
	data=$(sed -n 's/^extern [^(]*[ *]\(dmt[a-z_0-9]*\)[^a-z_0-9].*/\1/p' \
	    "$sources"/*/*.h; echo dmtrace_recording)
	awk -v data="$(echo $data)" '
	BEGIN {
		count = split(data, names, " ")
		for (i = 1; i <= count; i++)
			is_data[names[i]] = 1
	}
	/^extern [^"]/ { sub(/^extern/, "DMT_DATA") }
	/^[a-z_][A-Za-z_ *0-9]*( =|;|\[)/ && !/^(static|extern) / {
		name = $0
		sub(/( =|;|\[| DMT_NEAR).*/, "", name)
		sub(/.*[ *]/, "", name)
		if (name in is_data)
			$0 = "DMT_DEFINED " $0
	}
	/^dmt[a-z0-9_]*\(/ && held ~ /^[a-z]/ &&
	    held !~ /^(static|typedef) / {
		held = "DMT_API " held
	}
	NR > 1 { print held }
	{ held = $0 }
	END { print held }'
}

# finish FILE: it is complete
finish()
{
	mv "$out/$1.new" "$out/$1"
}

mkdir -p "$out"
all=$(cd "$sources" && for layer in $layers; do ls "$layer"/*.c; done)

public='status event key reader writer trace select eventlog recorder'
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
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#include "dmtrace.h"
TOP
	implementation $all
} >"$out/dmtrace.c.new"
finish dmtrace.h
finish dmtrace.c

public='status event key writer recorder'
for name in $public; do
	echo
	public_header "$name"
done >"$out/public.new"
{
	cat <<'TOP'
/* dmtrace_write.h - Android method traces: written, recorded */

/*
 * Include it where you need it, and make a file of C11 with these two lines,
 * also in a project of C++:
 *
 *     #define DMTRACE_IMPLEMENTATION
 *     #include "dmtrace_write.h"
 *
 * DMTRACE_STATIC before both makes everything static, for a program that is
 * this one file. Programs are linked with -pthread. A program that records
 * itself:
 *
 *     #include "dmtrace_write.h"
 *
 *     static void work(void) { DMTRACE_FUNCTION(); }
 *
 *     int main(void)
 *     {
 *             dmtrace_start("app.trace", NULL);
 *             work();
 *             return dmtrace_stop(NULL) != DMTRACE_OK;
 *     }
 *
 * There are no reader and no text form: dmtrace.h and dmtrace.c have them, and
 * the library the rest. The manual is dmtrace_write(3) and dmtrace_record(3).
 */

TOP
	licence "$1"
	cat <<'TOP'
#ifdef DMTRACE_IMPLEMENTATION
#ifdef __cplusplus
#error "DMTRACE_IMPLEMENTATION: compile this file as C11; C++ can include it"
#elif !defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L
#error "DMTRACE_IMPLEMENTATION: compile this file as C11 (-std=c11)"
#endif
#ifndef _GNU_SOURCE
#ifdef _FEATURES_H
#error "DMTRACE_IMPLEMENTATION: include dmtrace_write.h before other headers"
#endif
#define _GNU_SOURCE
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#endif

#ifndef DMTRACE_WRITE_H
#define DMTRACE_WRITE_H

#ifdef DMTRACE_STATIC
#define DMTRACE_API static
#define DMTRACE_DATA static
#endif
TOP
	cat "$out/public.new"
	cat <<'TOP'

#endif

#if defined(DMTRACE_IMPLEMENTATION) && !defined(DMTRACE_IMPLEMENTED)
#define DMTRACE_IMPLEMENTED
#if defined(__GNUC__)
#define DMT_CALLED __attribute__((noinline))
#else
#define DMT_CALLED
#endif
#ifdef DMTRACE_STATIC
#define DMT_API static DMT_CALLED
#define DMT_DATA static
#define DMT_DEFINED static
#else
#define DMT_API DMT_CALLED
#define DMT_DATA extern
#define DMT_DEFINED
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
TOP
	# A writer reads only keys of its own, whose findings nobody has asked
	# for; this leaves out the table of all findings. To write the text
	# form takes the reader: X.dmt is a trace like others.
	cat <<'TOP'

static inline void
dmt_no_finding(const void *findings, unsigned which, ...)
{
	(void)findings;
	(void)which;
}
#define dmt_finding_add dmt_no_finding
#define dmt_output_open_trace dmt_output_open_path
TOP
	implementation $all | without_comments |
	    awk -v without="dmt_finding_add dmt_output_open_trace" \
	    -v also=dmt_output_open_path \
	    -f "$sources/needed.awk" "$out/public.new" - | marked
	cat <<'TOP'

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#endif
TOP
} >"$out/dmtrace_write.h.new"
rm "$out/public.new"
finish dmtrace_write.h
