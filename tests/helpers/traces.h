/* traces.h - small traces, byte for byte, the plain and the odd */

#ifndef TRACES_H
#define TRACES_H

#include <stddef.h>

/* The bytes of a field differ from each other. */
#define START "\x11\x22\x33\x44\x55\x66\x77\x00"
#define ZEROS "\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define HEADER(version, size) "SLOW" version "\0" "\x20\0" START size "\0" ZEROS
#define HEADER_1 HEADER("\1", "\0")
#define HEADER_2 HEADER("\2", "\0")
#define HEADER_3(size) HEADER("\3", size)

#define THREADS "*threads\n" "1\tmain\n" "513\tworker\n"
#define METHODS "*methods\n" "0x4\tA\tm\t()V\tA.java\t7\n" \
	"0x76543210\tB\tn\t(I)V\tB.java\t-2\n"
#define KEY(version, options) \
	"*version\n" version "\n" options THREADS METHODS "*end\n"
#define KEY_1 KEY("1", "clock=thread-cpu\n")
#define KEY_2 KEY("2", "clock=wall\n")
#define KEY_3 KEY("3", "data-file-overflow=false\n" "clock=dual\n" "vm=art\n")

/* Enter and leave A.m at 0x04030201 us, and 5 us later. */
#define RECORDS_1 "\1" "\4\0\0\0" "\x01\x02\x03\x04" \
	"\1" "\5\0\0\0" "\x06\x02\x03\x04"
#define RECORDS_2 "\1\2" "\4\0\0\0" "\x01\x02\x03\x04" \
	"\1\2" "\5\0\0\0" "\x06\x02\x03\x04"

/* Enter B.n, and leave it by an exception. */
#define RECORDS_3 "\1\2" "\x10\x32\x54\x76" "\x01\x02\x03\x04" \
	"\x05\x06\x07\x08" \
	"\1\2" "\x12\x32\x54\x76" "\x03\x02\x03\x04" "\x09\x06\x07\x08"

/* With as many bytes after the fields of each as pad has. */
#define RECORDS_3_PAD(pad) "\1\2" "\x10\x32\x54\x76" "\x01\x02\x03\x04" \
	"\x05\x06\x07\x08" pad \
	"\1\2" "\x12\x32\x54\x76" "\x03\x02\x03\x04" "\x09\x06\x07\x08" pad

struct trace {
	const char *name;
	const char *bytes;
	size_t len;
	unsigned records;
	size_t key_len;		/* with what is before the magic */
	const char *finding;	/* one that it must have, or NULL */
};

#define TRACE(name, key, data, records, finding) \
	{ name, key data, sizeof(key data) - 1, records, sizeof(key) - 1, \
	    finding }

static const struct trace traces[] = {
	TRACE("version 1", KEY_1, HEADER_1 RECORDS_1, 2, NULL),
	TRACE("version 2", KEY_2, HEADER_2 RECORDS_2, 2, NULL),
	TRACE("version 3", KEY_3, HEADER_3("\x0e") RECORDS_3, 2, NULL),
	TRACE("version 3, one clock", KEY("3", "clock=wall\n"),
	    HEADER_3("\x0a") RECORDS_2, 2, NULL),
	TRACE("no record", KEY_2, HEADER_2, 0, NULL),

	TRACE("records of 12 bytes", KEY("3", "clock=wall\n"),
	    HEADER_3("\x0c")
	    "\1\2" "\4\0\0\0" "\x01\x02\x03\x04" "\xaa\xbb"
	    "\1\2" "\5\0\0\0" "\x06\x02\x03\x04" "\xcc\xdd",
	    2, "record-size-large"),
	TRACE("records of 18 bytes", KEY_3,
	    HEADER_3("\x12") RECORDS_3_PAD("\xaa\xbb\xcc\xdd"), 2,
	    "record-size-large"),
	TRACE("records of 20 bytes", KEY_3,
	    HEADER_3("\x14") RECORDS_3_PAD("\xaa\xbb\xcc\xdd\xee\xff"), 2,
	    "record-size-large"),
	TRACE("wide method ids", "*version\n3\nclock=dual\n" THREADS
	    "*methods\n" "0x1122334455667788\tA\tm\t()V\n" "*end\n",
	    HEADER_3("\x12")
	    "\1\2" "\x88\x77\x66\x55\x44\x33\x22\x11" "\x01\x02\x03\x04"
	    "\x05\x06\x07\x08"
	    "\1\2" "\x89\x77\x66\x55\x44\x33\x22\x11" "\x02\x02\x03\x04"
	    "\x09\x06\x07\x08", 2, "record-ids-wide"),

	TRACE("header of 16 bytes", KEY_1,
	    "SLOW" "\1\0" "\x10\0" START RECORDS_1, 2, NULL),
	TRACE("header of 16 bytes, version 3", KEY_3,
	    "SLOW" "\3\0" "\x10\0" START RECORDS_3, 2, "record-size-missing"),
	TRACE("header of 18 bytes", KEY_3,
	    "SLOW" "\3\0" "\x12\0" START "\x0e\0" RECORDS_3, 2, NULL),
	TRACE("header of 40 bytes", KEY_2,
	    "SLOW" "\2\0" "\x28\0" START "12345678abcdefgh\xff\0\0\0\0\0\0\0"
	    RECORDS_2, 2, "header-padding"),

	TRACE("bytes before the magic", KEY_2 "\r\n\0", HEADER_2 RECORDS_2, 2,
	    "data-gap"),
	TRACE("eight bytes before the magic", KEY_2 "12345678",
	    HEADER_2 RECORDS_2, 2, "data-gap"),
	TRACE("CR LF", "*version\r\n2\r\nclock=wall\r\n*threads\r\n"
	    "513\tmain\r\n*methods\r\n0x4\tA\tm\t()V\r\n*end\r\n",
	    HEADER_2 RECORDS_2, 2, "key-crlf"),
	TRACE("byte order mark", "\xef\xbb\xbf" KEY_2, HEADER_2 RECORDS_2, 2,
	    "key-bom"),
	TRACE("repeated and unknown rows",
	    "*version\n2\nclock=wall\nclock=wall\nx\n=\n*threads\n513\tmain\n"
	    "513\tagain\n*methods\n0x4\tA\tm\t()V\n0x4\tB\tn\t()V\n"
	    "*other\nrow\n*end\n", HEADER_2 RECORDS_2, 2, "method-repeated"),
	TRACE("another version in the key", KEY("3", "clock=wall\n"),
	    HEADER_2 RECORDS_2, 2, "version-differs"),
	TRACE("another clock in the key", KEY("3", "clock=wall\n"),
	    HEADER_3("\x0e") RECORDS_3, 2, "clock-differs"),
	TRACE("another count in the key",
	    KEY("2", "clock=wall\nnum-method-calls=3\n"),
	    HEADER_2 RECORDS_2, 2, "count-differs"),
	TRACE("overflow",
	    KEY("2", "data-file-overflow=true\nclock=wall\n"),
	    HEADER_2 RECORDS_2, 2, "overflow"),

	TRACE("stray bytes at the end", KEY_2, HEADER_2 RECORDS_2 "stray", 2,
	    "record-partial"),
	TRACE("nothing but stray bytes", KEY_2, HEADER_2 "\xee", 0,
	    "record-partial"),
	TRACE("reserved action", KEY_2, HEADER_2 RECORDS_2
	    "\1\2" "\7\0\0\0" "\x07\x02\x03\x04", 3, "record-reserved"),
	TRACE("time goes back", KEY_2, HEADER_2 RECORDS_2
	    "\1\2" "\4\0\0\0" "\x05\x02\x03\x04", 3, "time-back"),
	TRACE("time wraps", KEY_2, HEADER_2
	    "\1\2" "\4\0\0\0" "\xff\xff\xff\xff"
	    "\1\2" "\5\0\0\0" "\x02\0\0\0", 2, "time-wrapped"),
	TRACE("ids that no table lists", KEY_2, HEADER_2
	    "\xff\xff" "\xfe\xff\xff\xff" "\0\0\0\0", 1, NULL),
};

#endif
