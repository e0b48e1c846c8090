/* repairs_packets.h - damaged streams and trace format V2, byte for byte */

#ifndef REPAIRS_PACKETS_H
#define REPAIRS_PACKETS_H

#include "helpers/streams.h"

/* The summaries of what was repaired: that of SUMMARY_F2 with another option,
 * or one where there was none. */
#define SUM_UNKNOWN_3 "\0\0\3" "\xba\x00\x00\x00" \
	"*version\n2\ndata-file-overflow=false\nclock=wall\n" \
	"elapsed-time-usec=9\nclock-call-overhead-nsec=100\nvm=art\n" \
	"pid=4242\ndmtrace-repaired=stream-packet-unknown:3\n" \
	"*threads\n4242\tmain\n*methods\n*end\n"
#define SUM_UNKNOWN_10 "\0\0\3" "\xbb\x00\x00\x00" \
	"*version\n2\ndata-file-overflow=false\nclock=wall\n" \
	"elapsed-time-usec=9\nclock-call-overhead-nsec=100\nvm=art\n" \
	"pid=4242\ndmtrace-repaired=stream-packet-unknown:10\n" \
	"*threads\n4242\tmain\n*methods\n*end\n"
#define SUM_UNKNOWN_22 "\0\0\3" "\xbb\x00\x00\x00" \
	"*version\n2\ndata-file-overflow=false\nclock=wall\n" \
	"elapsed-time-usec=9\nclock-call-overhead-nsec=100\nvm=art\n" \
	"pid=4242\ndmtrace-repaired=stream-packet-unknown:22\n" \
	"*threads\n4242\tmain\n*methods\n*end\n"
#define SUM_TAIL_3 "\0\0\3" "\xb0\x00\x00\x00" \
	"*version\n2\ndata-file-overflow=false\nclock=wall\n" \
	"elapsed-time-usec=9\nclock-call-overhead-nsec=100\nvm=art\n" \
	"pid=4242\ndmtrace-repaired=stream-tail:3\n*threads\n" \
	"4242\tmain\n*methods\n*end\n"
#define SUM_BAD_METHOD "\0\0\3" "\xb6\x00\x00\x00" \
	"*version\n2\ndata-file-overflow=false\nclock=wall\n" \
	"elapsed-time-usec=9\nclock-call-overhead-nsec=100\nvm=art\n" \
	"pid=4242\ndmtrace-repaired=stream-method-bad:1\n*threads\n" \
	"4242\tmain\n*methods\n*end\n"
#define SUM_SUMMARY_CUT "\0\0\3" "\x7c\x00\x00\x00" \
	"*version\n2\ndata-file-overflow=false\nclock=wall\n" \
	"dmtrace-repaired=stream-summary-truncated:1\n*threads\n" \
	"4242\tmain\n*methods\n*end\n"
#define SUM_SUMMARY_LEN "\0\0\3" "\xbd\x00\x00\x00" \
	"*version\n2\ndata-file-overflow=false\nclock=wall\n" \
	"elapsed-time-usec=9\nclock-call-overhead-nsec=100\nvm=art\n" \
	"pid=4242\ndmtrace-repaired=stream-summary-truncated:1\n*threads\n" \
	"4242\tmain\n*methods\n*end\n"
#define SUM_NONE "\0\0\3" "\x5c\x00\x00\x00" \
	"*version\n2\nclock=wall\n" \
	"dmtrace-repaired=stream-no-summary:1\n*threads\n4242\tmain\n" \
	"*methods\n*end\n"
#define SUM_CUT "\0\0\3" "\x6f\x00\x00\x00" \
	"*version\n2\nclock=wall\n" \
	"dmtrace-repaired=stream-no-summary:1,stream-truncated:1\n" \
	"*threads\n4242\tmain\n*methods\n*end\n"
#define SUM_HEADER "\0\0\3" "\x65\x00\x00\x00" \
	"*version\n2\nclock=wall\n" \
	"dmtrace-repaired=stream-no-summary:1,header-truncated:1\n" \
	"*threads\n*methods\n*end\n"
#define SUM_PROXY "\0\0\3" "\xb4\x00\x00\x00" \
	"*version\n2\ndata-file-overflow=false\nclock=wall\n" \
	"elapsed-time-usec=9\nclock-call-overhead-nsec=100\nvm=art\n" \
	"pid=4242\ndmtrace-repaired=method-unlisted:1\n*threads\n" \
	"4242\tmain\n*methods\n*end\n"
#define SUM_THREAD "\0\0\3" "\xc5\x00\x00\x00" \
	"*version\n2\ndata-file-overflow=false\nclock=wall\n" \
	"elapsed-time-usec=9\nclock-call-overhead-nsec=100\nvm=art\n" \
	"pid=4242\ndmtrace-repaired=thread-unlisted:1\n*threads\n" \
	"4242\tmain\n4243\tthread 4243\n*methods\n*end\n"
#define SUM_STACK "\0\0\3" "\xc3\x00\x00\x00" \
	"*version\n2\ndata-file-overflow=false\nclock=wall\n" \
	"elapsed-time-usec=9\nclock-call-overhead-nsec=100\nvm=art\n" \
	"pid=4242\ndmtrace-repaired=exit-stray:1\n*threads\n4242\tmain\n" \
	"*methods\n0x4\tB\tn\t(I)V\tB.java\n*end\n"

/* A record of version 0xF2 of thread 4242. */
#define F2(word, time) "\x92\x10" word "\0\0\0" time "\0\0\0"
#define F2_OF(thread, word, time) thread word "\0\0\0" time "\0\0\0"
#define DEFINED STREAM_F2 PACKET_A PACKET_B PACKET_MAIN
#define FOUR F2("\0", "\1") F2("\4", "\2") F2("\5", "\3") F2("\1", "\4")

/* ART trace format V2, 0xF5 of stage C: threads 4242 and 4243, methods at
 * 0x7001000 and 0x7001028, the events of the block samples. */
#define V2_HEADER(version) "SLOW" version "\0" "\x79\xdf\x0d\x86\x48\0\0\0" \
	"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define V2_MAIN "\0" "\x92\x10\0\0" "\4\0" "main"
#define V2_A "\1" "\0\x10\0\7\0\0\0\0" "\x0f\0" "A\tm\t()V\tA.java\n"
#define V2_B "\1" "\x28\x10\0\7\0\0\0\0" "\x10\0" "B\tn\t(I)V\tB.java\n"
#define V2_DEFINED(version) V2_HEADER(version) V2_MAIN V2_A V2_B
#define V2_EVENTS(n, size) "\2" "\x92\x10\0\0" n "\0\0" size "\0\0\0"
#define V2_ENTER_A "\x80\xa0\x80\x38" "\xe8\x07" "\xf4\x03"
#define V2_ENTER_B "\x28" "\xd0\x0f" "\x90\x03"
#define V2_EXIT_B "\1" "\xa0\x1f" "\xd8\x04"
#define V2_EXIT_A "\x58" "\xd0\x0f" "\xf4\x03"
#define V2_CALLS V2_ENTER_A V2_ENTER_B V2_EXIT_B V2_EXIT_A
#define V2_BLOCK V2_EVENTS("\4", "\x17") V2_CALLS
#define V2_SUMMARY "\3" "\x39\0" "*version\n5\nclock=dual\n" \
	"elapsed-time-usec=9000\nvm=art\n*end\n"

/* A dump of long-running methods. */
#define DUMP_CALLS "\xd0\x0f\x80\xa0\x80\x38" "\xa0\x1f\x28" \
	"\xc1\x3e" "\xa0\x1f"
#define DUMP V2_MAIN "\2" "\x92\x10\0\0" "\4\0\0" "\x0d\0\0\0" DUMP_CALLS \
	V2_A V2_B

struct packet_repair {
	const char *name;
	const char *in;
	size_t in_len;
	const char *out;		/* NULL: not reported here */
	size_t out_len;
	unsigned events;		/* of the output */
	const char *changes;		/* "name kind count;..." */
};

#define P(name, in, out, events, changes) \
	{ name, in, sizeof(in) - 1, out, sizeof(out) - 1, events, changes }
#define E(name, in, events, changes) \
	{ name, in, sizeof(in) - 1, NULL, 0, events, changes }

static const struct packet_repair packet_repairs[] = {
	P("nothing", DEFINED FOUR SUMMARY_F2, DEFINED FOUR SUMMARY_F2, 4, ""),
	P("a truncated record", DEFINED FOUR "\x92\x10\0\0",
	    STREAM_F2 PACKET_A PACKET_MAIN F2("\0", "\1") PACKET_B
	    F2("\4", "\2") F2("\5", "\3") F2("\1", "\4") SUM_CUT, 4,
	    "stream-no-summary added 1;stream-truncated dropped 1;"),
	P("a truncated packet", STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("")
	    "\0\0\1" "\x14\0" "0x4\tB", STREAM_F2 PACKET_A PACKET_MAIN
	    CALL_F2("") SUM_CUT, 2,
	    "stream-no-summary added 1;stream-truncated dropped 1;"),
	P("a missing summary", STREAM_F2 PACKET_A PACKET_MAIN CALL_F2(""),
	    STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("") SUM_NONE, 2,
	    "stream-no-summary added 1;"),
	P("a truncated summary", STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("")
	    "\0\0\3" "\x91\0\0\0" "*version\n2\ndata-file-overflow=false\n"
	    "clock=wall\nelapsed-ti", STREAM_F2 PACKET_A PACKET_MAIN
	    CALL_F2("") SUM_SUMMARY_CUT, 2,
	    "stream-summary-truncated added 1;"),
	P("a summary that is longer than it says", STREAM_F2 PACKET_A
	    PACKET_MAIN CALL_F2("") "\0\0\3" "\x11\0\0\0" "*version\n2\n"
	    "data-file-overflow=false\nclock=wall\nelapsed-time-usec=9\n"
	    "clock-call-overhead-nsec=100\nvm=art\npid=4242\n"
	    "*threads\n4242\tmain\n*methods\n*end\n", STREAM_F2 PACKET_A
	    PACKET_MAIN CALL_F2("") SUM_SUMMARY_LEN, 2,
	    "stream-summary-truncated added 1;"),
	P("bytes after the summary", STREAM_F2 PACKET_A PACKET_MAIN
	    CALL_F2("") SUMMARY_F2 "new", STREAM_F2 PACKET_A PACKET_MAIN
	    CALL_F2("") SUM_TAIL_3, 2, "stream-tail dropped 3;"),
	P("trap 18: 0xF2 from Android 6 to 13 has 14 byte records", STREAM_F2
	    PACKET_A PACKET_MAIN CALL_F2("\xee\xee\xee\xee") SUMMARY_F2,
	    STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("") SUMMARY_F2, 2,
	    "stream-record-size fixed 1;"),
	P("10 byte records where the header says 14",
	    STREAM_HEADER("\xf2", "\x0e") PACKET_A PACKET_MAIN CALL_F2("")
	    SUMMARY_F2, STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("")
	    SUMMARY_F2, 2, "stream-record-size fixed 1;"),
	P("stray bytes between packets", STREAM_F2 PACKET_A "new" PACKET_MAIN
	    CALL_F2("") SUMMARY_F2, STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("")
	    SUM_UNKNOWN_3, 2, "stream-packet-unknown dropped 3;"),
	P("stray bytes between records", STREAM_F2 PACKET_A PACKET_MAIN
	    F2("\0", "\1") "new" F2("\1", "\x09") SUMMARY_F2, STREAM_F2
	    PACKET_A PACKET_MAIN CALL_F2("") SUM_UNKNOWN_3, 2,
	    "stream-packet-unknown dropped 3;"),
	E("once as many stray bytes as Android 6 put to each record", STREAM_F2
	    PACKET_A PACKET_MAIN F2("\0", "\1") "\xee\xee\xee\xee"
	    F2("\1", "\2") F2("\0", "\3") F2("\1", "\x09") SUMMARY_F2, 4,
	    "stream-packet-unknown dropped 4;"),
	P("a record of zeros", STREAM_F2 PACKET_A PACKET_MAIN F2("\0", "\1")
	    "\0\0\0\0\0\0\0\0\0\0" F2("\1", "\x09") SUMMARY_F2, STREAM_F2
	    PACKET_A PACKET_MAIN CALL_F2("") SUM_UNKNOWN_10, 2,
	    "stream-packet-unknown dropped 10;"),
	P("a packet of no known kind", STREAM_F2 PACKET_A
	    "\0\0\4" "\x11\0" "0\tA\tm\t()V\tA.java\n" PACKET_MAIN CALL_F2("")
	    SUMMARY_F2, STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("")
	    SUM_UNKNOWN_22, 2, "stream-packet-unknown dropped 22;"),
	P("a method packet without a method", STREAM_F2 PACKET_A
	    "\0\0\1\2\0x\n" PACKET_MAIN CALL_F2("") SUMMARY_F2, STREAM_F2
	    PACKET_A PACKET_MAIN CALL_F2("") SUM_BAD_METHOD, 2,
	    "stream-method-bad dropped 1;"),
	E("the last packet, a method without a newline", STREAM_F2 PACKET_A
	    PACKET_MAIN CALL_F2("") "\0\0\1" "\x12\0"
	    "0x4\tB\tn\t()V\tB.java", 2, "stream-no-summary added 1;"
	    "stream-packet-unknown dropped 23;"),
	P("another data offset", "SLOW\xf2\0" "\x2a\0"
	    "\xc4\x91\x9e\x2c\x9a\0\0\0" "\x0a\0" "\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
	    PACKET_A PACKET_MAIN CALL_F2("") SUMMARY_F2, STREAM_F2 PACKET_A
	    PACKET_MAIN CALL_F2("") SUMMARY_F2, 2, "header-offset fixed 1;"),
	P("a truncated header", "SLOW\xf2\0\x20\0"
	    "\xc4\x91\x9e\x2c\x9a\0\0\0" "\x0a", STREAM_F2 SUM_HEADER, 0,
	    "stream-no-summary added 1;header-truncated added 1;"),
	P("trap 23: proxy methods are not in the table", STREAM_F2 PACKET_A
	    PACKET_MAIN F2("\0", "\1") F2("\x8", "\2") F2("\x9", "\3")
	    F2("\1", "\4")
	    SUMMARY_F2, STREAM_F2 PACKET_A PACKET_MAIN F2("\0", "\1")
	    "\0\0\1" "\x15\0" "0x8\tunknown\t0x8\t()V\t\n" F2("\x8", "\2")
	    F2("\x9", "\3") F2("\1", "\4") SUM_PROXY, 4,
	    "method-unlisted added 1;"),
	P("a thread that nothing announces", STREAM_F2 PACKET_A PACKET_MAIN
	    CALL_F2("") F2_OF("\x93\x10", "\0", "\x0a")
	    F2_OF("\x93\x10", "\1", "\x0b") SUMMARY_F2, STREAM_F2 PACKET_A
	    PACKET_MAIN CALL_F2("") "\0\0\2" "\x93\x10" "\x0b\0" "thread 4243"
	    F2_OF("\x93\x10", "\0", "\x0a") F2_OF("\x93\x10", "\1", "\x0b")
	    SUM_THREAD, 4, "thread-unlisted added 1;"),
	P("an exit of what is not open", STREAM_F2 PACKET_A PACKET_MAIN
	    PACKET_B F2("\0", "\1") F2("\5", "\2") F2("\1", "\4") SUMMARY_F2,
	    STREAM_F2 PACKET_A PACKET_MAIN F2("\0", "\1") F2("\1", "\4")
	    SUM_STACK, 2, "exit-stray dropped 1;"),
	E("0xF3: stray bytes", STREAM_F3 PACKET_A PACKET_MAIN CALL_F3 "new"
	    SUMMARY_F3, 2, "stream-packet-unknown dropped 3;"),
	P("trap 20: methods empty, threads empty: definitions are packets",
	    STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("") "\0\0\3" "\x34\0\0\0"
	    "*version\n2\nclock=wall\nvm=art\n*threads\n*methods\n*end\n",
	    STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("") "\0\0\3" "\x34\0\0\0"
	    "*version\n2\nclock=wall\nvm=art\n*threads\n*methods\n*end\n", 2,
	    ""),

	P("V2: nothing", V2_DEFINED("\xf5") V2_BLOCK V2_SUMMARY,
	    V2_DEFINED("\xf5") V2_BLOCK V2_SUMMARY, 4, ""),
	E("V2: no summary", V2_DEFINED("\xf5") V2_BLOCK, 4,
	    "stream-no-summary added 1;"),
	E("V2: a truncated block", V2_DEFINED("\xf5") V2_EVENTS("\4", "\x17")
	    V2_ENTER_A V2_ENTER_B "\1", 4, "stream-no-summary added 1;"
	    "stream-truncated dropped 1;stream-block-damaged lost 2;"
	    "call-open added 2;"),
	E("V2: a number that does not end", V2_DEFINED("\xf5")
	    V2_EVENTS("\4", "\x17") V2_ENTER_A V2_ENTER_B
	    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" V2_BLOCK V2_SUMMARY, 8,
	    "stream-block-damaged lost 2;time-back fixed 1;"
	    "call-open added 2;"),
	E("V2: stray bytes between packets", V2_DEFINED("\xf5") "new" V2_BLOCK
	    V2_SUMMARY, 4, "stream-packet-unknown dropped 3;"),
	E("V2: a packet of no known type", V2_DEFINED("\xf5") "\7" V2_BLOCK
	    V2_BLOCK V2_SUMMARY, 8, "stream-packet-unknown dropped 1;"
	    "time-back fixed 3;"),
	E("V2: bytes after the summary", V2_DEFINED("\xf5") V2_BLOCK
	    V2_SUMMARY "new", 4, "stream-tail dropped 3;"),
	E("trap 19: V2: the count is modulo, and of both parts of a block",
	    V2_DEFINED("\xf5") V2_EVENTS("\2", "\x0d") V2_ENTER_A V2_ENTER_B
	    V2_EVENTS("\4", "\x0a") V2_EXIT_B V2_EXIT_A V2_SUMMARY, 4, ""),
	E("V2: the second part of a split block without its first",
	    V2_DEFINED("\xf5") V2_BLOCK V2_EVENTS("\2", "\x0d")
	    "\x80\xa0\x80\x38" "\x90\x4e" "\xf4\x03" "\xff\xff\xff\xff\xff"
	    V2_EVENTS("\4", "\x0a") V2_EXIT_B V2_EXIT_A V2_SUMMARY, 6,
	    "stream-block-damaged lost 3;time-back fixed 1;"
	    "call-open added 1;"),
	E("trap 17: V2: the header has no offset, and is truncated",
	    "SLOW\xf5\0\x79\xdf\x0d\x86", 0, "stream-no-summary added 1;"
	    "header-truncated added 1;"),
	E("V2, stage B: a truncated block", V2_DEFINED("\xf5")
	    "\2" "\x92\x10\0\0" "\0\x10\0\7\0\0\0\0" "\0\0\0\0" "\1\0\0\0"
	    "\3\0" "\x09\0" "\x28\2\0" "\1\4", 4,
	    "stream-no-summary added 1;stream-truncated dropped 1;"
	    "stream-block-damaged lost 2;call-open added 2;"),
	E("V2, stage F: a truncated block", "SLOW\xf5\0"
	    "\x79\xdf\x0d\x86\x48\0\0\0" "\0\0\0\0\0\0\0\0"
	    "\0\xca\x9a\x3b\0\0\0\0" "\0\0" V2_MAIN V2_A V2_B
	    "\2" "\x92\x10\0\0" "\4\0\0" "\x16\0\0\0"
	    "\xa0\x1f\xf4\x03\x80\xa0\x80\x38" "\xc0\x3e\x84\x07\x28"
	    "\x81\xfd", 4, "stream-no-summary added 1;"
	    "stream-truncated dropped 1;stream-block-damaged lost 2;"
	    "call-open added 2;"),
	E("a dump of long-running methods: a truncated block",
	    "\2" "\x92\x10\0\0" "\4\0\0" "\x0d\0\0\0"
	    "\xd0\x0f\x80\xa0\x80\x38" "\xa0\x1f\x28" "\xc1", 4,
	    "stream-truncated dropped 1;stream-block-damaged lost 2;"
	    "call-open added 2;thread-unlisted added 1;"
	    "method-unlisted added 2;"),
	E("zeros in a line of the summary", STREAM_F2 PACKET_A PACKET_MAIN
	    CALL_F2("") "\0\0\3" "\x45\0\0\0" "*version\n2\nclock=wall\n"
	    "\0\0\0\0=1\nvm=art\n*threads\n4242\tmain\n*methods\n*end\n", 2,
	    "key-line-zeroed lost 1;"),
	E("V2: zeros in a line of the summary", V2_DEFINED("\xf5") V2_BLOCK
	    "\3" "\x20\0" "*version\n5\nclock=dual\n\0\0\0\0\n*end\n", 4,
	    "key-line-zeroed lost 1;"),
	E("V2: zeros in the name of a method", V2_HEADER("\xf5") V2_MAIN V2_A
	    "\1" "\x28\x10\0\7\0\0\0\0" "\x10\0" "B\tn\0\0\0\0V\tB.java\n"
	    V2_BLOCK V2_SUMMARY, 4, "key-line-zeroed lost 1;"
	    "method-unlisted added 1;"),
	E("zeros in the name of a thread", STREAM_F2 PACKET_A
	    "\0\0\2" "\x92\x10" "\6\0" "m\0\0\0\0n" CALL_F2("") SUMMARY_F2, 2,
	    "key-line-zeroed lost 1;"),
	E("V2: zeros in the name of a thread", V2_HEADER("\xf5")
	    "\0" "\x92\x10\0\0" "\6\0" "m\0\0\0\0n" V2_A V2_B V2_BLOCK
	    V2_SUMMARY, 4, "key-line-zeroed lost 1;thread-unlisted added 1;"),
	E("V2: a block with a wrong size", V2_DEFINED("\xf5")
	    V2_EVENTS("\4", "\x16") V2_CALLS V2_SUMMARY, 4,
	    "stream-block-size fixed 1;"),
	E("V2: a block with a size that no block has", V2_DEFINED("\xf5")
	    "\2" "\x92\x10\0\0" "\4\0\0" "\x17\0\0\x90" V2_CALLS V2_SUMMARY, 4,
	    "stream-block-size fixed 1;"),
	E("a dump of long-running methods: nothing", DUMP, 4, ""),
	E("a dump of long-running methods: a block with a wrong size", V2_MAIN
	    V2_A V2_B "\2" "\x92\x10\0\0" "\4\0\0" "\x0d\0\0\xca" DUMP_CALLS, 4,
	    "stream-block-size fixed 1;"),
	E("records of 14 bytes, of which nothing was announced", STREAM_F2
	    F2("\4", "\1") "\1\0\0\0" SUMMARY_F2, 2,
	    "stream-record-size fixed 1;call-open added 1;"
	    "method-unlisted added 1;"),
	E("a NUL in the name of a method, which is legal", STREAM_F2
	    "\0\0\1" "\x12\0" "0\tA\tm\0\t()V\tA.java\n" PACKET_MAIN
	    CALL_F2("") SUMMARY_F2, 2, ""),
};

#endif
