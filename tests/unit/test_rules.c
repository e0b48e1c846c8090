/* test_rules.c - an input for each finding: its message, verdicts and cures */

#include <string.h>

#include "helpers/op.h"
#include "helpers/streams.h"
#include "helpers/unit.h"
#include "private/status.h"
#include "verify/validate/validation.h"

#define VERSION_2 "*version\n2\n"
#define WALL "clock=wall\n"
#define THREADS "*threads\n"
#define MAIN "1\tmain\n"
#define METHODS "*methods\n"
#define METHOD "0x4\tA\tm\t()V\tA.java\t1\n"
#define END "*end\n"
#define KEY VERSION_2 WALL THREADS MAIN METHODS METHOD END
#define KEY_3 "*version\n3\nclock=dual\n" THREADS MAIN METHODS METHOD END
#define ZERO_8 "\0\0\0\0\0\0\0\0"
#define HEADER_1 "SLOW\1\0\x20\0" ZERO_8 ZERO_8 ZERO_8
#define HEADER_2 "SLOW\2\0\x20\0" ZERO_8 ZERO_8 ZERO_8
#define HEADER_3 "SLOW\3\0\x20\0" ZERO_8 "\x0e\0\0\0\0\0\0\0" ZERO_8
#define ENTER "\1\0\4\0\0\0\1\0\0\0"
#define EXIT "\1\0\5\0\0\0\2\0\0\0"
#define CALL ENTER EXIT
#define CALL_3 "\1\0\4\0\0\0\1\0\0\0\1\0\0\0" \
	"\1\0\5\0\0\0\2\0\0\0\2\0\0\0"
/* HEADER_2 CALL */
#define BASE64_2 "U0xPVwIAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAQAAA" \
	"ABAAAAAQAFAAAAAgAAAA==\n"
#define BYTES(string) string, sizeof(string) - 1

/*
 * What is wrong with the bytes; how dmtracedump, Traceview, perflib of 2016,
 * Studio, Firefox and Perfetto take them (letters as in finding.c); the first
 * letter of the kind of change that repair and the fix for all readers name
 * so, or "-"; and the message of a finding that validate has.
 */
static const struct {
	enum dmt_finding which;
	const char *verdicts;
	const char *cures;
	const char *message;
	const char *bytes;
	size_t len;
} rules[] = {
	{ DMT_KEY_MISSING, "rrrrrr", "aa", NULL,
	    BYTES(HEADER_2 CALL) },
	{ DMT_NOT_TRACE, "rrrrrr", "--", NULL,
	    BYTES("hello\n") },
	{ DMT_KEY_NO_VERSION, "r..rrr", "--", NULL,
	    BYTES("2\n" WALL THREADS MAIN METHODS METHOD END HEADER_2 CALL) },
	{ DMT_DATA_ALONE, "rrrrrr", "--", NULL,
	    BYTES(HEADER_2 CALL) },
	{ DMT_KEY_NO_END, "rrrrrr", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN) },
	{ DMT_STREAM, "rrr...", "--", NULL,
	    BYTES("SLOW\xf2\0\x20\0" ZERO_8 "\x0a\0" "\0\0\0\0\0\0"
	    ZERO_8 "\0\0\3\x31\0\0\0"
	    "*version\n2\nclock=wall\n*threads\n1\tm\n*methods\n*end\n") },
	{ DMT_STREAM_NO_SUMMARY, "rrrrmr", "a-",
	    "the stream has no summary: its process was killed or still "
	    "runs: its clock is taken as \"wall\"",
	    BYTES("SLOW\xf2\0\x20\0" ZERO_8 "\x0a\0" "\0\0\0\0\0\0"
	    ZERO_8) },
	{ DMT_STREAM_SUMMARY_TRUNCATED, "rrr..r", "a-",
	    "the summary of the stream is truncated: "
	    "\"dmtrace repair\" fixes it",
	    BYTES("SLOW\xf2\0\x20\0" ZERO_8 "\x0a\0" "\0\0\0\0\0\0"
	    ZERO_8 "\0\0\3\x99\0\0\0"
	    "*version\n2\nclock=wall\n*thr") },
	{ DMT_STREAM_SUMMARY_TRUNCATED, "rrr..r", "a-",
	    "the summary of the stream is truncated: "
	    "\"dmtrace repair\" fixes it",
	    BYTES("SLOW\xf2\0\x20\0" ZERO_8 "\x0a\0" "\0\0\0\0\0\0"
	    ZERO_8 "\0\0\3\x1a\0\0\0"
	    "*version\n2\nclock=wall\n*thr") },
	{ DMT_STREAM_TRUNCATED, "rrrrrr", "d-",
	    "the last record or packet of the stream is truncated: "
	    "\"dmtrace repair\" fixes it",
	    BYTES("SLOW\xf2\0\x20\0" ZERO_8 "\x0a\0" "\0\0\0\0\0\0"
	    ZERO_8 "\1\0\4") },
	{ DMT_STREAM_TAIL, "rrr...", "dd",
	    "bytes follow the summary of the stream",
	    BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3 SUMMARY_F3 "\1") },
	{ DMT_STREAM_PACKET_UNKNOWN, "rrrrrr", "dd",
	    "neither a record nor a packet begins here; the rest of the "
	    "stream is not read: kind 4",
	    BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3 "\0\0\4"
	    SUMMARY_F3) },
	{ DMT_STREAM_METHOD_BAD, "rrrrrr", "dd",
	    "the text of a method packet is not a method line",
	    BYTES(STREAM_F3 "\0\0\1\2\0x\n" PACKET_MAIN CALL_F3
	    SUMMARY_F3) },
	{ DMT_STREAM_METHOD_LINE, "rrrr..", "--",
	    "a method packet ends in a line number, which ART does not write",
	    BYTES(STREAM_F3 "\0\0\1" "\x13\0" "0\tA\tm\t()V\tA.java\t7\n"
	    PACKET_MAIN CALL_F3 SUMMARY_F3) },
	{ DMT_STREAM_METHOD_LINE, "rrrr..", "--",
	    "a method packet ends in a line number, which ART does not write",
	    BYTES(STREAM_F3 "\0\0\1" "\x0e\0" "0\tA\tA.java\t17\n"
	    PACKET_MAIN CALL_F3 SUMMARY_F3) },
	{ DMT_STREAM_METHOD_REDEFINED, "rrrmmm", "-f",
	    "from here on, a method id stands for another method: "
	    "method 0x0",
	    BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3
	    "\0\0\1" "\x11\0" "0\tB\tn\t()V\tB.java\n" SUMMARY_F3) },
	{ DMT_STREAM_THREAD_RENAMED, "rrr.mm", "--",
	    "from here on, a thread has another name: thread 4242",
	    BYTES(STREAM_F3 PACKET_A PACKET_MAIN CALL_F3
	    "\0\0\2" "\x92\x10" "\3\0" "new" SUMMARY_F3) },
	{ DMT_STREAM_RECORD_SIZE, "rrrrmm", "ff",
	    "records do not have the size that the header gives: 14 bytes, "
	    "not 10",
	    BYTES(STREAM_F2 PACKET_A PACKET_MAIN CALL_F2("\xee\xee\xee\xee")
	    SUMMARY_F2) },
	{ DMT_PACKETS, "rrrrr.", "--", NULL,
	    BYTES("SLOW\4\0" ZERO_8 ZERO_8 ZERO_8 "\0\0"
	    "\3\x10\0*version\n4\n*end\n") },
	{ DMT_PACKETS_NONE, "rrrrrr", "--", NULL,
	    BYTES("SLOW\4\0" ZERO_8 ZERO_8 ZERO_8 "\0\0") },
	{ DMT_KEY_BOM, "rrrrrr", "ff",
	    "the key begins with a byte order mark: \"*version\"",
	    BYTES("\xef\xbb\xbf" KEY HEADER_2 CALL) },
	{ DMT_KEY_LEADING_BLANK, "rrrrrr", "ff",
	    "blanks or blank lines before \"*version\": \"\"",
	    BYTES("\n" KEY HEADER_2 CALL) },
	{ DMT_KEY_CRLF, "mrrrrr", "ff",
	    "lines of the key end in CR LF: \"*version\"",
	    BYTES("*version\r\n2\r\nclock=wall\r\n*threads\r\n1\tmain\r\n"
	    "*methods\r\n0x4\tA\tm\t()V\r\n*end\r\n"
	    HEADER_2 CALL) },
	{ DMT_KEY_CRLF, ".rrr..", "ff",
	    "lines of the key end in CR LF: \"vm=art\"",
	    BYTES(VERSION_2 WALL "vm=art\r\n" THREADS MAIN METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_KEY_CRLF, ".rrr.r", "ff",
	    "lines of the key end in CR LF: \"\"",
	    BYTES(VERSION_2 WALL "\r\n" THREADS MAIN METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_KEY_CR_KEPT, "mrrrmm", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS "1\tmain\r\n" METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_PACKET_NOT_UTF8, "rrrmr.", "--", NULL,
	    BYTES(STREAM_F3 PACKET_A "\0\0\2" "\x92\x10" "\4\0" "ma\xffn"
	    CALL_F3 SUMMARY_F3) },
	{ DMT_THREAD_BEYOND, "rrrm..", "--", NULL,
	    BYTES(STREAM_F3 PACKET_A "\0\0\2" "\xf0\xf0" "\4\0" "main"
	    "\xf0\xf0" "\0\0\0\0" "\0\0\0\0" "\1\0\0\0"
	    "\xf0\xf0" "\1\0\0\0" "\5\0\0\0" "\x09\0\0\0" SUMMARY_F3) },
	{ DMT_METHOD_COLUMNS_5, "mrrrrr", "-f", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    "0x4\tA\tm\t()V\tA.java\n" END "SLOX\2\0\x20\0" ZERO_8 ZERO_8
	    ZERO_8 CALL) },
	{ DMT_KEY_VERSION_MALFORMED, ".rrrr.", "--", NULL,
	    BYTES("*version\n 2\n" WALL THREADS MAIN METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_KEY_VERSION_BAD, ".rrrrr", "ff",
	    "the line after \"*version\" is not a plain number: \"two\"",
	    BYTES("*version\ntwo\n" WALL THREADS MAIN METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_KEY_BLANK_LINE, "rr..rr", "ff",
	    "blank line in the key: \"\"",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD "\n" END
	    HEADER_2 CALL) },
	{ DMT_KEY_LINE_TRUNCATED, "rrrrrr", "dd", NULL,
	    BYTES(VERSION_2 WALL THREADS "1\tma") },
	{ DMT_KEY_LINE_ZEROED, "m...mr", "ll",
	    "line with four or more NULs: bytes that never reached the disk: "
	    "\"\\x00\\x00\\x00\\x00\\x00\"",
	    BYTES(VERSION_2 WALL THREADS MAIN "\0\0\0\0\0\n" METHODS
	    METHOD END HEADER_2 CALL) },
	{ DMT_KEY_SECTION_UNKNOWN, "r...rr", "dd",
	    "unknown section: \"*other\"",
	    BYTES(VERSION_2 WALL "*other\n" THREADS MAIN METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_KEY_SECTION_ROWS, "r...rr", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN "*other\nline\n" METHODS
	    METHOD END HEADER_2 CALL) },
	{ DMT_KEY_LINE_ELSEWHERE, "rmmmrr", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN "*other\n2\tx\n" METHODS
	    METHOD END HEADER_2 CALL) },
	{ DMT_KEY_LINE_REFUSED, "rrrrrr", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD "*other\n"
	    "0x8\n" END HEADER_2 CALL) },
	{ DMT_KEY_CR, ".mmm..", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS "1\tma\rin\n" METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_KEY_SECTION_REPEATED, "r...r.", "ff",
	    "section occurs more than once: \"*threads\"",
	    BYTES(VERSION_2 WALL THREADS MAIN THREADS "2\tx\n" METHODS
	    METHOD END HEADER_2 CALL) },
	{ DMT_KEY_SECTION_MISSING, "mmm.r.", "aa",
	    "section is missing: \"*threads\"",
	    BYTES(VERSION_2 WALL METHODS METHOD END HEADER_2 CALL) },
	{ DMT_KEY_SECTION_ORDER, "r...r.", "ff",
	    "section out of order: \"*threads\"",
	    BYTES(VERSION_2 WALL METHODS METHOD THREADS MAIN END
	    HEADER_2 CALL) },
	{ DMT_KEY_SECTION_BLANKS, ".mmmrr", "ff",
	    "blanks after the name of a section: \"*threads \"",
	    BYTES(VERSION_2 WALL "*threads \n" MAIN METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_KEY_END_MISSING, "rrrrrr", "aa", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD HEADER_2
	    CALL) },
	{ DMT_KEY_END_EXTRA, "mrrrrr", "dd",
	    "text after \"*end\" on its line: \"*endless\"",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD
	    "*endless\n" HEADER_2 CALL) },
	{ DMT_KEY_END_NO_LF, "rrrrrr", "ff",
	    "no LF after \"*end\": \"*end\"",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD "*end") },
	{ DMT_KEY_NOT_UTF8, ".mmrr.", "-f",
	    "line is not UTF-8: \"1\\tm\\xff\"",
	    BYTES(VERSION_2 WALL THREADS "1\tm\xff\n" METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_KEY_NOT_ASCII, ".mm...", "-f", NULL,
	    BYTES(VERSION_2 WALL THREADS "1\tm\xc3\xa4\n" METHODS
	    METHOD END HEADER_2 CALL) },
	{ DMT_KEY_NUL, "m.....", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS "1\tm\0n\n" METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_KEY_DAMAGED, ".mm...", "ll",
	    "replacement characters (EF BF BD): an editor destroyed "
	    "bytes: \"1\\tm\xef\xbf\xbd\"",
	    BYTES(VERSION_2 WALL THREADS "1\tm\xef\xbf\xbd\n" METHODS
	    METHOD END HEADER_2 CALL) },
	{ DMT_OPTION_MALFORMED, ".....r", "-d",
	    "option is not of the form name=value: \"hello\"",
	    BYTES(VERSION_2 WALL "hello\n" THREADS MAIN METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_OPTION_VALUE, ".....r", "--", NULL,
	    BYTES(VERSION_2 WALL "a=\n" THREADS MAIN METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_OPTION_EMPTY, "....rc", "--", NULL,
	    BYTES(VERSION_2 WALL "\n" THREADS MAIN METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_OPTION_BLANK, ".....r", "--", NULL,
	    BYTES(VERSION_2 WALL " \n" THREADS MAIN METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_OPTION_UNKNOWN, "......", "--",
	    "option that no virtual machine writes: \"a=b\"",
	    BYTES(VERSION_2 WALL "a=b\n" THREADS MAIN METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_OPTION_REPEATED, "......", "--",
	    "option occurs more than once: \"clock=wall\"",
	    BYTES(VERSION_2 WALL WALL THREADS MAIN METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_CLOCK_MISSING, "...r..", "--",
	    "no clock line",
	    BYTES(VERSION_2 THREADS MAIN METHODS METHOD END HEADER_2
	    CALL) },
	{ DMT_CLOCK_UNKNOWN, "...r.r", "ff",
	    "clock is not thread-cpu, wall, global or dual: \"clock=sun\"",
	    BYTES(VERSION_2 "clock=sun\n" THREADS MAIN METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_CLOCK_DIFFERS, ".mrrrm", "ff",
	    "clock does not match the records: \"dual\", and they "
	    "hold one time",
	    BYTES(VERSION_2 "clock=dual\n" THREADS MAIN METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_CLOCK_REPEATED, ".mmmmm", "--", NULL,
	    BYTES("*version\n3\nclock=dual\n" WALL THREADS MAIN METHODS
	    METHOD END HEADER_3 CALL_3) },
	{ DMT_CLOCK_LOST, ".mmrmm", "--", NULL,
	    BYTES("*version\n3\n" THREADS MAIN METHODS METHOD END
	    HEADER_3 CALL_3) },
	{ DMT_CLOCK_THREAD_CPU, ".....r", "-a", NULL,
	    BYTES(VERSION_2 "clock=thread-cpu\n" THREADS MAIN METHODS
	    METHOD END HEADER_2 CALL) },
	{ DMT_CLOCK_GLOBAL, "...r.r", "--", NULL,
	    BYTES(VERSION_2 "clock=global\n" THREADS MAIN METHODS
	    METHOD END HEADER_2 CALL) },
	{ DMT_OVERFLOW, "......", "k-",
	    "the buffer was full: the end of the trace is lost: "
	    "\"data-file-overflow=true\"",
	    BYTES(VERSION_2 WALL "data-file-overflow=true\n" THREADS
	    MAIN METHODS METHOD END HEADER_2 CALL) },
	{ DMT_COUNT_DIFFERS, "......", "--",
	    "num-method-calls is not the number of records: 7 and 2",
	    BYTES(VERSION_2 WALL "num-method-calls=7\n" THREADS MAIN
	    METHODS METHOD END HEADER_2 CALL) },
	{ DMT_THREAD_NONE, "r.....", "aa",
	    "no thread is listed",
	    BYTES(VERSION_2 WALL THREADS METHODS METHOD END HEADER_2) },
	{ DMT_THREAD_EMPTY, "m...rc", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN "\n" METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_THREAD_BLANK, "m...mr", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN "\t\n" METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_THREAD_NO_LINE, "r.....", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS METHODS METHOD END HEADER_2) },
	{ DMT_THREAD_BLANKS, "mmmmrr", "ff",
	    "blanks instead of a TAB in a thread's line: \"1 main\"",
	    BYTES(VERSION_2 WALL THREADS "1 main\n" METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_THREAD_ID_BAD, "m...mr", "dd",
	    "thread id is not a number below 2^32; its line is ignored: "
	    "\"x\\ty\"",
	    BYTES(VERSION_2 WALL THREADS MAIN "x\ty\n" METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_THREAD_ID_HEX, "mmmmmr", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS "0x1\tmain\n" METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_THREAD_ID_OCTAL, ".mmm..", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN "010\tx\n" METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_THREAD_ID_BLANK, ".mmm.r", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS "1 \tmain\n" METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_THREAD_ID_JAVA, "mrmm..", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN "99999999999\tx\n"
	    METHODS METHOD END HEADER_2 CALL) },
	{ DMT_THREAD_NAME_BLANK, "..mm..", "-f", NULL,
	    BYTES(VERSION_2 WALL THREADS "1\tmain \n" METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_THREAD_NAME_SHARED, "..m...", "-f", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN "2\tmain\n" METHODS
	    METHOD END HEADER_2 CALL) },
	{ DMT_THREAD_OTHER_NAME, "....mm", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN "1\tother\n" METHODS
	    METHOD END HEADER_2 CALL) },
	{ DMT_THREAD_OTHER_NAME, "..mmmm", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN " 1\tother\n" METHODS
	    METHOD END HEADER_2 CALL) },
	{ DMT_THREAD_ID_FORM, "..mm..", "ff",
	    "thread id is not plain decimal: \" 1\\tmain\"",
	    BYTES(VERSION_2 WALL THREADS " 1\tmain\n" METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_THREAD_COLUMNS, "m...mr", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN "\tidle\n" METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_THREAD_NAME_TAB, "....mr", "-f",
	    "TAB in a thread's name: \"1\\tma\\tin\"",
	    BYTES(VERSION_2 WALL THREADS "1\tma\tin\n" METHODS METHOD
	    END HEADER_2 CALL) },
	{ DMT_THREAD_NAME_EMPTY, ".....r", "-a",
	    "thread without a name: \"1\\t\"",
	    BYTES(VERSION_2 WALL THREADS "1\t\n" METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_THREAD_REPEATED, "......", "d-",
	    "thread id is listed more than once: \"1\\tmain\"",
	    BYTES(VERSION_2 WALL THREADS MAIN MAIN METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_METHOD_NONE, "r.....", "aa",
	    "no method is listed",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS END HEADER_2) },
	{ DMT_METHOD_EMPTY, "rr..rr", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD "\n" END
	    HEADER_2 CALL) },
	{ DMT_METHOD_BLANK, "rr..rr", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD " \n" END
	    HEADER_2 CALL) },
	{ DMT_METHOD_TABS, ".rrrmr", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD "\t\t\n"
	    END HEADER_2 CALL) },
	{ DMT_METHOD_NO_LINE, "r.....", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS END HEADER_2) },
	{ DMT_METHOD_BLANKS, "rrmmrr", "ff",
	    "blanks instead of TABs in a method's line: \"0x4 A m ()V\"",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS "0x4 A m ()V\n"
	    END HEADER_2 CALL) },
	{ DMT_METHOD_ID_BAD, "rr..mr", "dd",
	    "method id is not a number below 2^64; its line is ignored: "
	    "\"0xg\\tA\\tm\\t()V\"",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD
	    "0xg\tA\tm\t()V\n" END HEADER_2 CALL) },
	{ DMT_METHOD_ID_FORM, "......", "f-",
	    "method id is not hexadecimal with 0x: \"4\\tA\\tm\\t()V\"",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS "4\tA\tm\t()V\n"
	    END HEADER_2 CALL) },
	{ DMT_METHOD_ID_LOW_BITS, "mmm...", "ff",
	    "method id has its two low bits set: \"0x5\\tA\\tm\\t()V\"",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    "0x5\tA\tm\t()V\n" END HEADER_2 CALL) },
	{ DMT_METHOD_ID_HIGH, "....m.", "-f",
	    "method id is 2^31 or more: \"0x80000004\\tA\\tm\\t()V\"",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    "0x80000004\tA\tm\t()V\n" END HEADER_2
	    "\1\0\4\0\0\x80\1\0\0\0") },
	{ DMT_METHOD_COLUMNS, "mrrr.r", "aa",
	    "method's line does not have 4 to 6 columns: \"0x4\\tA\\tm\"",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS "0x4\tA\tm\n" END
	    HEADER_2 CALL) },
	{ DMT_METHOD_NAME_EMPTY, "m....m", "-a",
	    "method without a class or a name: "
	    "\"0x4\\tA\\t\\t()V\\tA.java\\t1\"",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    "0x4\tA\t\t()V\tA.java\t1\n" END HEADER_2 CALL) },
	{ DMT_METHOD_SIGNATURE, ".rrr.m", "-a", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS "0x4\tA\tm\tV\n"
	    END HEADER_2 CALL) },
	{ DMT_METHOD_CLASS_EMPTY, "m...rm", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    "0x4\t\tm\t()V\tA.java\t1\n" END HEADER_2 CALL) },
	{ DMT_METHOD_LINE_BAD, ".rrr..", "-d",
	    "line number of a method is not a number: "
	    "\"0x4\\tA\\tm\\t()V\\tA.java\\tx\"",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    "0x4\tA\tm\t()V\tA.java\tx\n" END HEADER_2 CALL) },
	{ DMT_METHOD_FILE_LINE, "m...m.", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    "0x4\tA\tA.java\t17\n" END HEADER_2 CALL) },
	{ DMT_METHOD_NAMES_OTHER, "mrrr.m", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD
	    "0x8\tB\tn\tV\tB.java\n" END HEADER_2
	    "\1\0\x08\0\0\0\1\0\0\0") },
	{ DMT_METHOD_ID_BLANK, ".rmm..", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    " 0x4\tA\tm\t()V\n" END HEADER_2 CALL) },
	{ DMT_METHOD_ID_WIDE, "mmm..m", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    "0x100000004\tA\tm\t()V\n" END HEADER_2 CALL) },
	{ DMT_METHOD_ID_DECIMAL, ".....m", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS "16\tA\tm\t()V\n"
	    END HEADER_2 "\1\0\x10\0\0\0\1\0\0\0") },
	{ DMT_METHOD_ID_OCTAL, "mmmmm.", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    "010\tA\tm\t()V\n" END HEADER_2
	    "\1\0\x08\0\0\0\1\0\0\0") },
	{ DMT_METHOD_ID_HEX, "rrmmm.", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS "a4\tA\tm\t()V\n"
	    END HEADER_2 "\1\0\xa4\0\0\0\1\0\0\0") },
	{ DMT_METHOD_ID_NIL, "rrmmmr", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    "(nil)\tA\tm\t()V\n" END HEADER_2
	    "\1\0\0\0\0\0\1\0\0\0") },
	{ DMT_METHOD_REPEATED, "m.....", "dd",
	    "method id is listed more than once: "
	    "\"0x4\\tB\\tn\\t()V\\tB.java\\t1\"",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD
	    "0x4\tB\tn\t()V\tB.java\t1\n" END HEADER_2 CALL) },
	{ DMT_METHOD_COLUMNS_1, "rrrrrr", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD "0x8\n"
	    END HEADER_2 CALL) },
	{ DMT_METHOD_COLUMNS_2, "m.....", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS "0x4\tm\n" END
	    HEADER_2 CALL) },
	{ DMT_METHOD_COLUMNS_3, "mrrr.r", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS "0x4\tA\tm\n" END
	    HEADER_2 CALL) },
	{ DMT_METHOD_COLUMNS_5, "m.....", "-f", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    "0x4\tA\tm\t()V\tA.java\n" END HEADER_2 CALL) },
	{ DMT_METHOD_COLUMNS_FEW, "m....r", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS "0x4\tA\t\t()V\n"
	    END HEADER_2 CALL) },
	{ DMT_METHOD_SIGNATURE_LAST, "mrrrmr", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS "0x4\tA\tm\t\n"
	    END HEADER_2 CALL) },
	{ DMT_METHOD_SIGNATURE_FORM, ".rrr.m", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS "0x4\tA\tm\tV\n"
	    END HEADER_2 CALL) },
	{ DMT_METHOD_COLUMN_EMPTY, "m.....", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    "0x4\tA\tm\t()V\t\t1\n" END HEADER_2 CALL) },
	{ DMT_METHOD_SIGNATURE_EMPTY, "mrrr.m", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS
	    "0x4\tA\tm\t\tA.java\n" END HEADER_2 CALL) },
	{ DMT_DATA_GAP, "rrrrrr", "dd",
	    "bytes between the key and the magic: 1",
	    BYTES(KEY "\n" HEADER_2 CALL) },
	{ DMT_DATA_BASE64, "rrrrrr", "--", "the data is base64 text",
	    BYTES(KEY BASE64_2) },
	{ DMT_DATA_MISSING, "rrrrrr", "aa",
	    "nothing follows the key",
	    BYTES(KEY) },
	{ DMT_DATA_UNREADABLE, "mmrrrm", "--",
	    "the records cannot be read: the data offset is 0, not at "
	    "least 16",
	    BYTES(KEY "SLOW\2\0\0\0" ZERO_8 ZERO_8 ZERO_8 CALL) },
	{ DMT_DATA_CONVERTED, "mmrrrr", "ff", NULL,
	    BYTES(KEY "SLOW\2\0\x20\0" "\xc3\xa4\0\0\0\0\0\0\0" ZERO_8
	    ZERO_8 ENTER ENTER ENTER ENTER ENTER ENTER ENTER
	    ENTER "\1\0\5\0\0\0\xc3\xa4\0\0\0") },
	{ DMT_HEADER_MAGIC, ".rrrrr", "ff", NULL,
	    BYTES(KEY "SLOX\2\0\x20\0" ZERO_8 ZERO_8 ZERO_8 CALL) },
	{ DMT_VERSION_DIFFERS, ".rrrrr", "ff",
	    "key and data give different versions: 1 and 2",
	    BYTES("*version\n1\n" WALL THREADS MAIN METHODS METHOD END
	    HEADER_2 CALL) },
	{ DMT_HEADER_OFFSET_BAD, "mmrrrm", "ff", NULL,
	    BYTES(KEY "SLOW\2\0\x21\0" ZERO_8 ZERO_8 ZERO_8 CALL) },
	{ DMT_HEADER_RECORD_SIZE_BAD, "m..mcr", "ff", NULL,
	    BYTES(KEY_3 "SLOW\3\0\x20\0" ZERO_8 "\0\0" "\0\0\0\0\0\0"
	    ZERO_8 CALL_3) },
	{ DMT_VERSION_1, ".....m", "--", NULL,
	    BYTES("*version\n1\n" WALL THREADS MAIN METHODS METHOD END
	    HEADER_1 "\1\4\0\0\0\1\0\0\0") },
	{ DMT_VERSION_OTHER, "rrrrrr", "--", NULL,
	    BYTES(KEY "SLOW\7\0\x20\0" ZERO_8 ZERO_8 ZERO_8 CALL) },
	{ DMT_MAGIC_BAD, ".rrrrr", "--", NULL,
	    BYTES(KEY "SLOX\2\0\x20\0" ZERO_8 ZERO_8 ZERO_8 CALL) },
	{ DMT_HEADER_TRUNCATED, "rrrrrr", "aa", NULL,
	    BYTES(KEY "SLOW\2\0\x20\0") },
	{ DMT_OFFSET_BEYOND, "mrrr.m", "--", NULL,
	    BYTES(KEY "SLOW\2\0\0\x20" ZERO_8 ZERO_8 ZERO_8 CALL) },
	{ DMT_RECORDS_ELSEWHERE, "mmrrrm", "--", NULL,
	    BYTES(KEY "SLOW\2\0\0\0" ZERO_8 ZERO_8 ZERO_8 CALL) },
	{ DMT_RECORDS_REFUSED, "mmrr.r", "--", NULL,
	    BYTES(KEY "SLOW\2\0\xff\xff" ZERO_8 ZERO_8 ZERO_8 CALL "\1") },
	{ DMT_RECORDS_CRASH, "cmmmrr", "--", NULL,
	    BYTES(KEY_3 "SLOW\3\0\x20\0" ZERO_8 "\5\0" "\0\0\0\0\0\0"
	    ZERO_8 "\xff\xff\4\0\0\0\1\0\0\0\1\0\0\0") },
	{ DMT_OFFSET_NOT_32, ".....r", "-f", NULL,
	    BYTES(KEY "SLOW\2\0\x10\0" ZERO_8 CALL CALL CALL CALL) },
	{ DMT_OFFSET_UNEVEN, ".....r", "--", NULL,
	    BYTES(KEY "SLOW\2\0\x10\0" ZERO_8 CALL) },
	{ DMT_RECORD_LAYOUT, ".....m", "-f", NULL,
	    BYTES("*version\n1\n" WALL THREADS MAIN METHODS METHOD END
	    HEADER_1 "\1\4\0\0\0\1\0\0\0") },
	{ DMT_START_HIGH, ".....m", "-l", NULL,
	    BYTES(KEY "SLOW\2\0\x20\0"
	    "\xff\xff\xff\xff\xff\xff\xff\x7f" ZERO_8 ZERO_8 CALL) },
	{ DMT_HEADER_PADDING, "......", "--",
	    "unused bytes of the data header are not 0: 0x01",
	    BYTES(KEY "SLOW\2\0\x20\0" ZERO_8 ZERO_8 "\1\0\0\0\0\0\0\0"
	    CALL) },
	{ DMT_RECORD_SIZE_MISSING, "mmrrrr", "ff",
	    "the data header gives no record size: the data offset is 16; "
	    "14 assumed",
	    BYTES(KEY_3 "SLOW\3\0\x10\0" ZERO_8 CALL_3) },
	{ DMT_RECORD_SIZE_0, "m..mcr", "--", NULL,
	    BYTES(KEY_3 "SLOW\3\0\x20\0" ZERO_8 "\0\0" "\0\0\0\0\0\0"
	    ZERO_8 CALL_3) },
	{ DMT_RECORD_SIZE_TINY, "mmmmrr", "--", NULL,
	    BYTES(KEY_3 "SLOW\3\0\x20\0" ZERO_8 "\5\0" "\0\0\0\0\0\0"
	    ZERO_8 CALL_3) },
	{ DMT_RECORD_SIZE_HIGH, "m.....", "--", NULL,
	    BYTES(KEY_3 "SLOW\3\0\x20\0" ZERO_8 "\0\x80" "\0\0\0\0\0\0"
	    ZERO_8) },
	{ DMT_RECORD_SIZE_SMALL, ".....r", "--", NULL,
	    BYTES("*version\n3\n" WALL THREADS MAIN METHODS METHOD END
	    "SLOW\3\0\x20\0" ZERO_8 "\x0a\0" "\0\0\0\0\0\0"
	    ZERO_8 CALL) },
	{ DMT_RECORD_SIZE_LARGE, "......", "--",
	    "the record size is larger than the fields: 15 bytes, of "
	    "which 14 are used",
	    BYTES(KEY_3 "SLOW\3\0\x20\0" ZERO_8 "\x0f\0" "\0\0\0\0\0\0"
	    ZERO_8 "\1\0\4\0\0\0\1\0\0\0\1\0\0\0\0") },
	{ DMT_RECORD_IDS_WIDE, "mmmmmm", "--",
	    "method ids are 8 bytes wide, as in the preview of 2015",
	    BYTES("*version\n3\nclock=dual\n" THREADS MAIN METHODS
	    "0x700000004\tA\tm\t()V\n" END "SLOW\3\0\x20\0"
	    ZERO_8 "\x12\0" "\0\0\0\0\0\0" ZERO_8
	    "\1\0\4\0\0\0\7\0\0\0\1\0\0\0\1\0\0\0") },
	{ DMT_RECORD_RESERVED, ".rrrrm", "ff",
	    "record with the reserved action 3: thread 1",
	    BYTES(KEY HEADER_2 ENTER "\1\0\7\0\0\0\2\0\0\0") },
	{ DMT_RECORD_RESERVED_OTHER, "drrrrm", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD
	    "0x8\tB\tn\t()V\tB.java\t1\n" END HEADER_2 ENTER
	    "\1\0\x0b\0\0\0\2\0\0\0") },
	{ DMT_RECORD_PARTIAL_ONLY, "r.rrrr", "--", NULL,
	    BYTES(KEY HEADER_2 "\1\0\4") },
	{ DMT_RECORD_PARTIAL, "..rrrr", "dd",
	    "the last record is truncated: 3 of 10 bytes; "
	    "\"dmtrace repair\" drops it",
	    BYTES(KEY HEADER_2 CALL "\1\0\4") },
	{ DMT_RECORD_TAIL, "crrrrm", "dd", NULL,
	    BYTES(KEY HEADER_2 CALL CALL CALL CALL CALL CALL CALL CALL
	    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
	    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff") },
	{ DMT_METHOD_UNLISTED, "mmm.r.", "dd",
	    "method that is not listed: 0x0 in thread 0",
	    BYTES(KEY HEADER_2 ENTER "\0\0\0\0\0\0\0\0\0\0" EXIT) },
	{ DMT_TIME_BACK, "......", "ff",
	    "time goes back within a thread: thread 1",
	    BYTES(KEY HEADER_2 "\1\0\4\0\0\0\x09\0\0\0" EXIT) },
	{ DMT_TIME_WRAPPED, ".mmm..", "--",
	    "a thread's time passed 2^32 microseconds: thread 1",
	    BYTES(KEY HEADER_2 "\1\0\4\0\0\0\0\0\0\xff" EXIT) },
	{ DMT_TIME_ACROSS, "......", "--",
	    "time goes back from one thread to another: thread 1 after 2",
	    BYTES(VERSION_2 WALL THREADS MAIN "2\tx\n" METHODS METHOD
	    END HEADER_2 "\2\0\4\0\0\0\x09\0\0\0" ENTER) },
	{ DMT_TIME_HIGH, ".mmm..", "-f",
	    "a thread's time is 2^31 microseconds or more: thread 1",
	    BYTES(KEY HEADER_2 "\1\0\4\0\0\0\0\0\0\x80") },
	{ DMT_CPU_AHEAD, "......", "--",
	    "a thread has more CPU time than wall time: thread 1",
	    BYTES(KEY_3 HEADER_3 "\1\0\4\0\0\0\0\0\0\0\0\0\0\0"
	    "\1\0\5\0\0\0\0\0\0\2\2\0\0\0") },
	{ DMT_THREAD_HIGH, ".mmm..", "-f",
	    "thread number has the highest bit of its field set: 40000",
	    BYTES(VERSION_2 WALL THREADS "40000\tmain\n" METHODS METHOD
	    END HEADER_2 "\x40\x9c\4\0\0\0\1\0\0\0") },
	{ DMT_THREAD_BEYOND, "cmmm..", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS "65535\tmain\n" METHODS METHOD
	    END HEADER_2 "\xff\xff\4\0\0\0\1\0\0\0") },
	{ DMT_EXIT_BEFORE, "......", "a-",
	    "exit while no call is open: A.m (0x4) in thread 1",
	    BYTES(KEY HEADER_2 EXIT) },
	{ DMT_EXIT_MISMATCH, "drr...", "aa",
	    "exit of a call while calls inside it are open: A.m (0x4) in "
	    "thread 1",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD
	    "0x8\tB\tn\t()V\tB.java\t1\n" END HEADER_2 ENTER
	    "\1\0\x08\0\0\0\1\0\0\0" EXIT) },
	{ DMT_EXIT_STRAY, "drr...", "dd",
	    "exit of a method that is not open: B.n (0x8) in thread 1",
	    BYTES(VERSION_2 WALL THREADS MAIN METHODS METHOD
	    "0x8\tB\tn\t()V\tB.java\t1\n" END HEADER_2 ENTER
	    "\1\0\x09\0\0\0\1\0\0\0" EXIT) },
	{ DMT_CALL_OPEN, "......", "a-",
	    "call without an exit in the trace: A.m (0x4) in thread 1",
	    BYTES(KEY HEADER_2 ENTER) },
	{ DMT_THREAD_UNLISTED, ".mm.r.", "aa",
	    "thread that is not listed: 7",
	    BYTES(KEY HEADER_2 "\7\0\4\0\0\0\1\0\0\0") },
	{ DMT_THREAD_MODULO, ".mm.r.", "--", NULL,
	    BYTES(VERSION_2 WALL THREADS "65537\tmain\n" METHODS METHOD
	    END HEADER_2 ENTER) },
	{ DMT_METHOD_UNLISTED, "mmm...", "aa",
	    "method that is not listed: 0x8 in thread 1",
	    BYTES(KEY HEADER_2 "\1\0\x08\0\0\0\1\0\0\0") },
};

/* Two files, or many records: tests of join, repair and fix have them. Those of
 * event logs, from DMT_LOG_ENTRY_TRUNCATED on, are in test_eventlog and
 * test_tags. */
static const enum dmt_finding elsewhere[] = {
	DMT_PAIR,
	DMT_PAIR_SWAPPED,
	DMT_DATA_CRLF,
	DMT_RECORD_DAMAGED,
	DMT_VERSION_UNKNOWN,
	DMT_STREAM_SUMMARY_APART,
	DMT_STREAM_BLOCK_DAMAGED,
	DMT_STREAM_BLOCK_SIZE,
	DMT_STREAM_UNIT_GUESSED,
	DMT_PACKETS_UNLISTED,
	DMT_PACKETS_TICKS,
	DMT_PAIR_FOREIGN,
	DMT_DATA_TEXT,
	DMT_CALL_DEEP,
	DMT_CALL_DEEPER,
};

static char message[DMTRACE_MESSAGE_MAX], cure;

static void
take_message(void *context, const struct dmtrace_finding *finding)
{
	const struct dmt_finding_row *const row = context;

	if (strcmp(finding->name, row->name) == 0 && message[0] == '\0')
		strcpy(message, finding->message);
}

static int
take_cure(void *context, const struct dmtrace_change *change)
{
	const struct dmt_finding_row *const row = context;

	if (change != NULL && strcmp(change->name, row->name) == 0 &&
	    cure == '-')
		cure = dmt_change_kind_name(change->kind)[0];
	return 0;
}

static void *
row_of(int index)
{
	return (void *)(uintptr_t)&dmt_finding_rows[rules[index].which];
}

static const struct dmtrace_file in = { .path = "x.trace" };
static const struct dmtrace_file out = { .path = "o.trace" };

START_TEST(is_reported)
{
	struct dmtrace_validity validity;

	message[0] = '\0';
	file_put(in.path, rules[_i].bytes, rules[_i].len);
	dmtrace_op_set_report(op, take_message, row_of(_i));
	dmtrace_validate(op, &in, &validity);
	ck_assert_str_eq(message,
	    rules[_i].message == NULL ? "" : rules[_i].message);
	ck_assert_int_eq(rules[_i].message != NULL,
	    dmt_is_finding(rules[_i].which));
}
END_TEST

/* The quirks are there for the readers that mind the finding, if any does. */
START_TEST(is_judged)
{
	static const char letters[] = ".dmrc";
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmtrace_validity validity;
	const struct dmt_finding_row *const row = row_of(_i);
	struct dmt_quirks quirks;
	enum dmtrace_status opened;
	unsigned minded = 0;
	char got[DMTRACE_READERS + 1] = "";

	file_put(in.path, rules[_i].bytes, rules[_i].len);
	ck_assert_int_eq(dmtrace_judge(op, &in, verdicts, &validity),
	    DMTRACE_OK);
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		got[i] = letters[verdicts[i].reception];
	ck_assert_str_eq(got, rules[_i].verdicts);
	ck_assert_int_eq(dmt_judge(op, &in, &quirks, &validity, &opened),
	    DMTRACE_OK);
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		minded += row->readers[i] != '.' &&
		    (quirks.has[rules[_i].which] & 1u << i) != 0;
	ck_assert_int_eq(minded > 0, strspn(row->readers, ".") < 6);
}
END_TEST

START_TEST(is_cured)
{
	struct dmtrace_repair_options repair = { 0 };
	struct dmtrace_fix_options fix = { 0 };
	struct dmtrace_fix_result fixed;
	char got[3] = "--";

	file_put(in.path, rules[_i].bytes, rules[_i].len);
	repair.change = take_cure;
	repair.context = row_of(_i);
	cure = '-';
	dmtrace_repair(op, &in, &out, &repair, NULL);
	got[0] = cure;
	fix.readers = (1u << DMTRACE_READERS) - 1;
	fix.change = take_cure;
	fix.context = row_of(_i);
	cure = '-';
	dmtrace_fix(op, &in, &out, &fix, &fixed);
	got[1] = cure;
	ck_assert_str_eq(got, rules[_i].cures);
}
END_TEST

static bool
has_case(unsigned which)
{
	for (size_t i = 0; i < ROWS(rules); i++)
		if (rules[i].which == (enum dmt_finding)which)
			return true;
	for (size_t i = 0; i < ROWS(elsewhere); i++)
		if (elsewhere[i] == (enum dmt_finding)which)
			return true;
	return which >= DMT_LOG_ENTRY_TRUNCATED;
}

/* The second cure of a finding has its name, and is in its row. */
START_TEST(has_every_finding)
{
	for (unsigned i = 1; i < DMT_ROW_COUNT; i++)
		ck_assert_msg(has_case(i) || strcmp(dmt_finding_rows[i].name,
		    dmt_finding_rows[i - 1].name) == 0, "%s",
		    dmt_finding_rows[i].name);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("rules");
	TCase *tcase = unit_tcase(suite, "rules");

	tcase_add_checked_fixture(tcase, op_begin, op_end);
	ADD_CASES(tcase, is_reported, rules);
	ADD_CASES(tcase, is_judged, rules);
	ADD_CASES(tcase, is_cured, rules);
	tcase_add_test(tcase, has_every_finding);
	return unit_main(suite);
}
