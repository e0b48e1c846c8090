/* halves.h - what the tests of split and join share */

#ifndef HALVES_H
#define HALVES_H

#include <dmtrace.h>

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/traces.h"

/* Halves that can be reported apart, and no more. */
static const struct trace unreadable[] = {
	TRACE("only the magic", KEY_2, "SLOW", 0, NULL),
	TRACE("half a header", KEY_2, "SLOW" "\2\0" "\x20\0" "\x11", 0,
	    NULL),
	TRACE("an offset of 3", KEY_2, "SLOW" "\2\0" "\3\0" START RECORDS_2,
	    0, NULL),
	TRACE("an offset past the end", KEY_2,
	    "SLOW" "\2\0" "\xff\xff" START RECORDS_2, 0, NULL),
	TRACE("a record size of 1", KEY_3, HEADER_3("\1") RECORDS_3, 0,
	    NULL),
	TRACE("version 4", KEY_3, HEADER("\4", "\x0e") RECORDS_3, 0,
	    "version-unknown"),
	TRACE("version 0xF3", KEY_3, HEADER("\xf3", "\x0e") RECORDS_3, 0,
	    "version-unknown"),
	TRACE("no number in the key", "*version\n\xee\n*end\n",
	    HEADER_2 RECORDS_2, 0, NULL),
	TRACE("no LF after the key", "*version\n2\n*end",
	    HEADER_2 RECORDS_2, 0, NULL),
};

/* Version 2, with a key and data of several blocks. */
static inline char *
large_trace(size_t *len, size_t *key_len)
{
	const size_t names = 300000, records = 2000000;
	char *const bytes = calloc(1, names + records + 100);
	size_t at = (size_t)sprintf(bytes, "*version\n2\n*threads\n1\t");

	memset(bytes + at, 'n', names);
	at += names;
	at += (size_t)sprintf(bytes + at, "\n*methods\n0\ta\tb\t()\n*end\n");
	*key_len = at;
	memcpy(bytes + at, HEADER_2, sizeof(HEADER_2) - 1);
	*len = at + sizeof(HEADER_2) - 1 + records;
	return bytes;
}

#endif
