/* repairs.h - broken traces, byte for byte, and what is made of them */

#ifndef REPAIRS_H
#define REPAIRS_H

#include <dmtrace.h>

#include "helpers/traces.h"

#define MAIN "1\tmain\n"
#define AB "0x4\tA\tm\t()V\n" "0x8\tB\tn\t(I)V\n"
#define K2(options, threads, methods) "*version\n2\nclock=wall\n" options \
	"*threads\n" threads "*methods\n" methods "*end\n"
#define KEYED(options) K2(options, MAIN, AB)
#define REPAIRED(what) KEYED("dmtrace-repaired=" what "\n")

/* A record of thread 1: the low byte of its method word, and of its time. */
#define R(method, time) "\1\0" method "\0\0\0" time "\0\0\0"
/* With two times, the second one above 2^31. */
#define LATE(method) "\1\0" method "\0\0\0" "\2\0\0\0" "\3\0\0\xd7"
#define CALLS R("\4", "\1") R("\x8", "\2") R("\x9", "\3") R("\5", "\4")
#define DATA HEADER_2 CALLS

#define CLAMP DMTRACE_REPAIR_CLAMP
#define SHIFT DMTRACE_REPAIR_SHIFT
#define DROP DMTRACE_REPAIR_DROP

struct repair {
	const char *name;
	enum dmtrace_repair_time time;
	const char *in;
	size_t in_len;
	const char *out;
	size_t out_len;
	const char *changes;		/* "name kind count;..." */
};

#define MENDS_BY(time, name, in, out, changes) \
	{ name, time, in, sizeof(in) - 1, out, sizeof(out) - 1, changes }
#define MENDS(name, in, out, changes) \
	MENDS_BY(CLAMP, name, in, out, changes)

/* LF as a copy in text mode has it. */
#define CRLF_KEY "*version\r\n2\r\nclock=wall\r\n*threads\r\n1\tmain\r\n" \
	"*methods\r\n0x4\tA\tm\t()V\r\n0x8\tB\tn\t(I)V\r\n*end\r\n"

#define CR_CRLF_KEY "*version\r\r\n2\r\r\nclock=wall\r\r\n" \
	"*threads\r\r\n1\tmain\r\r\n" \
	"*methods\r\r\n0x4\tA\tm\t()V\r\r\n0x8\tB\tn\t(I)V\r\r\n" \
	"*end\r\r\n"

static const struct repair repairs[] = {
	MENDS("nothing", KEYED("") DATA, KEYED("") DATA, ""),

	/* the key's lines */
	MENDS("CR LF", CRLF_KEY DATA, KEYED("") DATA, "key-crlf fixed 9;"),
	MENDS("CR CR LF", CR_CRLF_KEY DATA, KEYED("") DATA,
	    "key-crlf fixed 9;"),
	MENDS("byte order mark", "\xef\xbb\xbf" KEYED("") DATA,
	    KEYED("") DATA, "key-bom fixed 1;"),
	MENDS("blanks first", "\n  " KEYED("") DATA, KEYED("") DATA,
	    "key-leading-blank fixed 2;"),
	MENDS("blank lines", "*version\n2\n\nclock=wall\n*threads\n" MAIN
	    " \n*methods\n" AB "*end\n" DATA, KEYED("") DATA,
	    "key-blank-line fixed 2;"),
	MENDS("no *end", "*version\n2\nclock=wall\n*threads\n" MAIN
	    "*methods\n" AB DATA, REPAIRED("key-end-missing:1") DATA,
	    "key-end-missing added 1;"),
	MENDS("no *end, and a CR before the magic",
	    "*version\n2\nclock=wall\n*threads\n" MAIN "*methods\n"
	    "0x4\tA\tm\t()V\n" "0x8\tB\tn\t(I)V\r" DATA,
	    REPAIRED("key-end-missing:1") DATA, "key-end-missing added 1;"),
	MENDS("no *end, and a broken magic", "*version\n2\nclock=wall\n"
	    "*threads\n" MAIN "*methods\n" AB "XXXX" "\2\0" "\x20\0" START
	    "\0\0" ZEROS CALLS, REPAIRED("key-end-missing:1") DATA,
	    "key-end-missing added 1;header-magic fixed 1;"),
	MENDS("no LF after *end", "*version\n2\nclock=wall\n*threads\n" MAIN
	    "*methods\n" AB "*end" DATA, KEYED("") DATA,
	    "key-end-no-lf fixed 1;"),
	MENDS("more after *end", "*version\n2\nclock=wall\n*threads\n" MAIN
	    "*methods\n" AB "*ending\n" DATA, REPAIRED("key-end-extra:1")
	    DATA, "key-end-extra dropped 1;"),
	MENDS("blanks for TABs", K2("", "1  main\n",
	    "0x4 A m ()V A.java 7\n" "0x8 B n (I)V\n") DATA,
	    K2("", MAIN, "0x4\tA\tm\t()V\tA.java\t7\n" "0x8\tB\tn\t(I)V\n")
	    DATA, "thread-blanks fixed 1;method-blanks fixed 2;"),
	MENDS("replacement characters", K2("", "1\tm\xef\xbf\xbd" "in\n",
	    "0x4\tA\tm\t()V\n" "0x8\t\xef\xbf\xbd\xef\xbf\xbd\tn\t(I)V\n")
	    DATA, K2("dmtrace-repaired=key-damaged:3\n", "1\tm?in\n",
	    "0x4\tA\tm\t()V\n" "0x8\t??\tn\t(I)V\n") DATA,
	    "key-damaged lost 3;"),
	MENDS("sections that come again", "*version\n2\nclock=wall\n"
	    "*methods\n0x4\tA\tm\t()V\n*threads\n" MAIN
	    "*methods\n0x8\tB\tn\t(I)V\n*end\n" DATA, KEYED("") DATA,
	    "key-section-repeated fixed 1;key-section-order fixed 1;"),
	MENDS("an unknown section", "*version\n2\nclock=wall\n*threads\n"
	    MAIN "*what\never\n*methods\n" AB "*end\n" DATA,
	    REPAIRED("key-section-unknown:2") DATA,
	    "key-section-unknown dropped 2;"),
	MENDS("an option line of an earlier repair", KEYED(
	    "dmtrace-repaired=exit-stray:7,call-open:2\n") HEADER_2
	    R("\4", "\1"), KEYED("dmtrace-repaired=exit-stray:7,call-open:3\n"
	    "dmtrace-closed=1\n") HEADER_2 R("\4", "\1") R("\5", "\1"),
	    "call-open added 1;"),

	/* tables */
	MENDS("ids that come again", K2("", MAIN "1\tother\n",
	    AB "0x8\tC\to\t()V\n") DATA,
	    REPAIRED("thread-repeated:1,method-repeated:1") DATA,
	    "thread-repeated dropped 1;method-repeated dropped 1;"),
	MENDS("odd ids", K2("", "0x1\tmain\n",
	    "4\tA\tm\t()V\n" "0xa\tB\tn\t(I)V\n") DATA, KEYED("") DATA,
	    "thread-id-form fixed 1;method-id-form fixed 1;"
	    "method-id-low-bits fixed 1;"),
	MENDS("bad ids", K2("", "x\tno\n" MAIN, "0xx\tN\to\t()V\n" AB) DATA,
	    REPAIRED("thread-id-bad:1,method-id-bad:1") DATA,
	    "thread-id-bad dropped 1;method-id-bad dropped 1;"),
	MENDS("too few columns", K2("", MAIN, AB "0xc\n" "0x10\tC\to\n")
	    DATA, K2("dmtrace-repaired=method-columns:2\n", MAIN, AB
	    "0xc\tunknown\t0xc\t()V\n" "0x10\tC\to\t()V\n") DATA,
	    "method-columns added 2;"),
	MENDS("ids that no table lists", K2("", "2\tother\n",
	    "0x4\tA\tm\t()V\n") DATA, K2(
	    "dmtrace-repaired=thread-unlisted:1,method-unlisted:1\n",
	    "2\tother\n1\tthread 1\n",
	    "0x4\tA\tm\t()V\n" "0x8\tunknown\t0x8\t()V\n") DATA,
	    "thread-unlisted added 1;method-unlisted added 1;"),
	MENDS("a flag of overflow, which stays", KEYED(
	    "data-file-overflow=true\n") DATA,
	    KEYED("data-file-overflow=true\n") DATA, "overflow kept 1;"),

	/* the header */
	MENDS("another version in the key", "*version\n1\nclock=wall\n"
	    "*threads\n" MAIN "*methods\n" AB "*end\n" DATA, KEYED("") DATA,
	    "version-differs fixed 1;"),
	MENDS("another version in the data",
	    KEYED("") HEADER("\1", "\0") CALLS, KEYED("") DATA,
	    "version-differs fixed 1;"),
	MENDS("a version that there is not",
	    KEYED("") HEADER("\x63", "\0") CALLS, KEYED("") DATA,
	    "version-differs fixed 1;"),
	MENDS("a broken magic", KEYED("") "S\0OW" "\2\0" "\x20\0" START
	    "\0\0" ZEROS CALLS, KEYED("") DATA, "header-magic fixed 1;"),
	MENDS("bytes before the magic", KEYED("") "\r\n" DATA,
	    KEYED("dmtrace-repaired=data-gap:2\n") DATA,
	    "data-gap dropped 2;"),
	MENDS("an offset of 3", KEYED("") "SLOW" "\2\0" "\3\0" START "\0\0"
	    ZEROS CALLS, KEYED("") DATA, "header-offset fixed 1;"),
	MENDS("an offset to within a record", KEYED("") "SLOW" "\2\0"
	    "\x25\0" START "\0\0" ZEROS CALLS, KEYED("") DATA,
	    "header-offset fixed 1;"),
	MENDS("no record size", "*version\n3\nclock=wall\n*threads\n" MAIN
	    "*methods\n" AB "*end\n" HEADER_3("\0") CALLS,
	    "*version\n3\nclock=wall\n*threads\n" MAIN "*methods\n" AB
	    "*end\n" HEADER_3("\x0a") CALLS,
	    "header-record-size fixed 1;"),
	MENDS("one record, an hour on", KEY("3", "clock=dual\n")
	    HEADER_3("\x0e") LATE("\4"), KEY("3", "clock=dual\n"
	    "dmtrace-closed=1\n" "dmtrace-repaired=call-open:1\n")
	    HEADER_3("\x0e") LATE("\4") LATE("\5"),
	    "call-open added 1;"),
	MENDS("another clock in the key", KEY("3", "clock=wall\n")
	    HEADER_3("\x0e") RECORDS_3, KEY("3", "clock=dual\n")
	    HEADER_3("\x0e") RECORDS_3, "clock-differs fixed 1;"),
	MENDS("a header that is cut", KEYED("") "SLOW" "\2\0" "\x20\0" START
	    "\0", KEYED("dmtrace-repaired=header-truncated:1\n") HEADER_2,
	    "header-truncated added 1;"),
	MENDS("a key alone", KEYED(""),
	    KEYED("dmtrace-repaired=data-missing:1\n")
	    "SLOW" "\2\0" "\x20\0" "\0\0\0\0\0\0\0\0" "\0\0" ZEROS,
	    "data-missing added 1;"),
	MENDS("data alone", DATA, "*version\n2\nclock=wall\n"
	    "dmtrace-repaired=key-missing:1,thread-unlisted:1,"
	    "method-unlisted:2\n*threads\n1\tthread 1\n*methods\n"
	    "0x4\tunknown\t0x4\t()V\n" "0x8\tunknown\t0x8\t()V\n*end\n" DATA,
	    "key-missing added 1;thread-unlisted added 1;"
	    "method-unlisted added 2;"),
	MENDS("text in place of data", KEYED("")
	    "SLOW\nhere the data should follow and does not\n",
	    KEYED("dmtrace-repaired=data-unreadable:1\n")
	    "SLOW" "\2\0" "\x20\0" "\0\0\0\0\0\0\0\0" "\0\0" ZEROS,
	    "data-unreadable lost 1;"),

	/* the end of the data */
	MENDS("a cut record", KEYED("") DATA "\1\0\4\0",
	    REPAIRED("record-partial:1") DATA, "record-partial dropped 1;"),
	MENDS("a stray tail", KEYED("") DATA "a stray tail of text",
	    REPAIRED("record-tail:2") DATA, "record-tail dropped 2;"),
	MENDS("a block of zeros", KEYED("") HEADER_2 R("\4", "\1")
	    "\0\0\0\0\0\0\0\0\0\0" R("\5", "\4"),
	    REPAIRED("method-unlisted:1") HEADER_2 R("\4", "\1") R("\5", "\4"),
	    "method-unlisted dropped 1;"),
	MENDS("zeros between late times of thread 0 are no time of its",
	    K2("", MAIN, AB) HEADER_2 "\0\0\4\0\0\0\1\0\0\x80"
	    "\0\0\0\0\0\0\0\0\0\0" "\0\0\5\0\0\0\2\0\0\x80",
	    K2("dmtrace-repaired=thread-unlisted:1,method-unlisted:1\n",
	    MAIN "0\tthread 0\n", AB) HEADER_2
	    "\0\0\4\0\0\0\1\0\0\x80" "\0\0\5\0\0\0\2\0\0\x80",
	    "thread-unlisted added 1;method-unlisted dropped 1;"),
	MENDS("zeros at the end are no tail if thread 0 is known",
	    K2("", MAIN, AB) HEADER_2 "\0\0\4\0\0\0\1\0\0\0"
	    "\0\0\5\0\0\0\2\0\0\0" "\0\0\0\0\0\0\0\0\0\0",
	    K2("dmtrace-repaired=thread-unlisted:1,method-unlisted:1\n",
	    MAIN "0\tthread 0\n", AB) HEADER_2
	    "\0\0\4\0\0\0\1\0\0\0" "\0\0\5\0\0\0\2\0\0\0",
	    "thread-unlisted added 1;method-unlisted dropped 1;"),
	MENDS("a count of records", KEYED("num-method-calls=5\n") DATA
	    "\1\0\4\0", KEYED("num-method-calls=4\n"
	    "dmtrace-repaired=record-partial:1\n") DATA,
	    "count-differs fixed 1;record-partial dropped 1;"),
	MENDS("only another count is no fault",
	    KEYED("num-method-calls=5\n") DATA,
	    KEYED("num-method-calls=5\n") DATA, ""),

	/* events */
	MENDS("action 3 for an exit", KEYED("") HEADER_2 R("\4", "\1")
	    R("\7", "\2"), KEYED("") HEADER_2 R("\4", "\1") R("\5", "\2"),
	    "record-reserved fixed 1;"),
	MENDS("action 3 for nothing", KEYED("") HEADER_2 R("\4", "\1")
	    R("\x0b", "\2") R("\5", "\3"), REPAIRED("record-reserved:1")
	    HEADER_2 R("\4", "\1") R("\5", "\3"),
	    "record-reserved dropped 1;"),
	MENDS("exits of what was open at the beginning", KEYED("") HEADER_2
	    R("\4", "\2") R("\5", "\3") R("\x9", "\4") R("\6", "\5"),
	    KEYED("dmtrace-opened=2\ndmtrace-repaired=exit-before:2\n")
	    HEADER_2 R("\4", "\2") R("\x8", "\2")
	    R("\4", "\2") R("\5", "\3") R("\x9", "\4") R("\6", "\5"),
	    "exit-before added 2;"),
	MENDS("an exit of what is not open", KEYED("") HEADER_2 R("\4", "\1")
	    R("\x9", "\2") R("\5", "\3"), REPAIRED("exit-stray:1") HEADER_2
	    R("\4", "\1") R("\5", "\3"), "exit-stray dropped 1;"),
	MENDS("a late exit of a call that is not open", KEYED("") HEADER_2
	    R("\4", "\1") "\1\0" "\x9\0\0\0" "\3\0\0\xd7" R("\5", "\3"),
	    REPAIRED("exit-stray:1") HEADER_2 R("\4", "\1") R("\5", "\3"),
	    "exit-stray dropped 1;"),
	MENDS("times that wrap, and an exit of what is not open",
	    KEYED("") HEADER_2 R("\4", "\1") "\1\0" "\x8\0\0\0" "\3\0\0\x70"
	    "\1\0" "\x9\0\0\0" "\3\0\0\xd7" R("\x9", "\2") R("\5", "\3"),
	    REPAIRED("exit-stray:1") HEADER_2 R("\4", "\1")
	    "\1\0" "\x8\0\0\0" "\3\0\0\x70"
	    "\1\0" "\x9\0\0\0" "\3\0\0\xd7" R("\5", "\3"),
	    "exit-stray dropped 1;"),
	MENDS("an exit that leaves frames out", KEYED("") HEADER_2
	    R("\4", "\1") R("\x8", "\2") R("\4", "\3") R("\x8", "\4")
	    R("\4", "\5") R("\x9", "\6") R("\6", "\7") R("\x9", "\x8")
	    R("\5", "\x9"),
	    REPAIRED("exit-mismatch:1") HEADER_2
	    R("\4", "\1") R("\x8", "\2") R("\4", "\3") R("\x8", "\4")
	    R("\4", "\5") R("\5", "\6") R("\x9", "\6") R("\6", "\7")
	    R("\x9", "\x8") R("\5", "\x9"), "exit-mismatch added 1;"),
	MENDS("a throw that leaves frames out", KEYED("") HEADER_2
	    R("\4", "\1") R("\x8", "\2") R("\x8", "\3") R("\6", "\4"),
	    REPAIRED("exit-mismatch:2") HEADER_2 R("\4", "\1")
	    R("\x8", "\2") R("\x8", "\3") R("\xa", "\4") R("\xa", "\4")
	    R("\6", "\4"), "exit-mismatch added 2;"),
	MENDS("calls that stay open", KEYED("") HEADER_2 R("\4", "\1")
	    R("\x8", "\2"), KEYED("dmtrace-closed=2\n"
	    "dmtrace-repaired=call-open:2\n") HEADER_2 R("\4", "\1")
	    R("\x8", "\2") R("\x9", "\2") R("\5", "\2"),
	    "call-open added 2;"),
	MENDS("calls that an earlier tool has closed, but for lost ones",
	    KEYED("num-method-calls=6\ndmtrace-closed=3\n") HEADER_2
	    R("\4", "\1") R("\4", "\1") R("\x8", "\2") R("\x9", "\2"),
	    KEYED("num-method-calls=6\ndmtrace-closed=3\n"
	    "dmtrace-repaired=call-open:2\n") HEADER_2 R("\4", "\1")
	    R("\4", "\1") R("\x8", "\2") R("\x9", "\2") R("\5", "\2")
	    R("\5", "\2"), "call-open added 2;"),

	/* times */
	MENDS_BY(CLAMP, "time goes back: clamp", KEYED("") HEADER_2
	    R("\4", "\x10") R("\x8", "\x30") R("\x9", "\x20")
	    R("\5", "\x40"), KEYED("") HEADER_2 R("\4", "\x10")
	    R("\x8", "\x30") R("\x9", "\x30") R("\5", "\x40"),
	    "time-back fixed 1;"),
	MENDS_BY(SHIFT, "time goes back: shift", KEYED("") HEADER_2
	    R("\4", "\x10") R("\x8", "\x30") R("\x9", "\x20")
	    R("\5", "\x40"), KEYED("") HEADER_2 R("\4", "\x10")
	    R("\x8", "\x30") R("\x9", "\x30") R("\5", "\x50"),
	    "time-back fixed 2;"),
	MENDS_BY(DROP, "time goes back: drop", KEYED("") HEADER_2
	    R("\4", "\x10") R("\x8", "\x30") R("\x9", "\x20")
	    R("\x9", "\x31") R("\5", "\x40"), REPAIRED("time-back:1")
	    HEADER_2 R("\4", "\x10") R("\x8", "\x30") R("\x9", "\x31")
	    R("\5", "\x40"), "time-back dropped 1;"),

	/* bytes that were taken for text */
	MENDS("a copy in text mode", CRLF_KEY "SLOW" "\2\0" "\x20\0" START
	    "\0\0" ZEROS R("\4", "\r\n") R("\x8", "\r\n") R("\x9", "\x0b")
	    R("\x8", "\x0c") R("\x9", "\x0d") R("\5", "\x0e"),
	    KEYED("") HEADER_2 R("\4", "\n") R("\x8", "\n") R("\x9", "\x0b")
	    R("\x8", "\x0c") R("\x9", "\x0d") R("\5", "\x0e"),
	    "key-crlf fixed 9;data-crlf fixed 2;"),
	MENDS("Latin-1 and Windows-1252 as UTF-8", KEYED("") HEADER_2
	    R("\4", "\xc2\x81") R("\x8", "\xe2\x80\x9a") R("\x9", "\xc3\x84")
	    R("\5", "\xc3\xbf"),
	    KEYED("") HEADER_2 R("\4", "\x81") R("\x8", "\x82")
	    R("\x9", "\xc4") R("\5", "\xff"), "data-converted fixed 4;"),
	MENDS("what is not UTF-8 is lost", KEYED("") HEADER_2
	    R("\4", "\1") R("\x8", "\2") R("\4", "\xef\xbf\xbd")
	    R("\5", "\xef\xbf\xbd") R("\x8", "\xef\xbf\xbd")
	    R("\x9", "\xef\xbf\xbd") "\1\0\x9\0\0\0\xef\xbf\xbd\1\0\0"
	    R("\5", "\4"),
	    KEYED("dmtrace-repaired=record-damaged:5,exit-mismatch:1\n")
	    HEADER_2 R("\4", "\1") R("\x8", "\2") R("\x9", "\4")
	    R("\5", "\4"), "data-converted fixed 5;record-damaged lost 5;"
	    "exit-mismatch added 1;"),
};

#endif
