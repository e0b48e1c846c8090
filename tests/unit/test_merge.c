/* test_merge.c - small traces merged, byte for byte, or refused */

#include <dmtrace.h>
#include <stdbool.h>
#include <stddef.h>

#include <unistd.h>

#include "helpers/files.h"
#include "helpers/reported.h"
#include "helpers/traces.h"
#include "helpers/traces.h"
#include "helpers/unit.h"

/* A key; a header that starts at START_US(...); records, with one byte for
 * each field that is not 0. */
#define KEY_OF(version, options, threads, methods) \
	"*version\n" version "\n" options "*threads\n" threads \
	"*methods\n" methods "*end\n"
#define START_US(byte) byte "\0\0\0\0\0\0\0"
#define EPOCH "\0\x40\x7a\xfc\xd0\x92\4\0"	/* 2010 */
#define HEAD(version, start, size) \
	"SLOW" version "\0" "\x20\0" start size "\0" ZEROS
#define R1(thread, method, us) thread method "\0\0\0" us "\0\0\0"
#define R2(thread, method, us) thread "\0" method "\0\0\0" us "\0\0\0"
#define R3(thread, method, cpu, us) \
	thread "\0" method "\0\0\0" cpu "\0\0\0" us "\0\0\0"

#define WALL "clock=wall\n"
#define CPU "clock=thread-cpu\n"
#define DUAL "clock=dual\n"
#define M_4 "0x4\tA\tm\t()V\tA.java\t7\n"
#define M_8 "0x8\tA\tm\t()V\tA.java\t7\n"
#define N_4 "0x4\tB\tn\t(I)V\n"
#define N_8 "0x8\tB\tn\t(I)V\n"
#define MAIN "1\tmain\n"

#define V1(options, threads, methods, start) \
	KEY_OF("1", options, threads, methods) HEAD("\1", start, "\0")
#define V2(options, threads, methods, start) \
	KEY_OF("2", options, threads, methods) HEAD("\2", start, "\0")
#define V3(options, threads, methods, start, size) \
	KEY_OF("3", options, threads, methods) HEAD("\3", start, size)

/* Enter and leave 0x4 at 10 and 20 us; another, 0x8, at 15 and 30 us. */
#define FIRST R2("\1", "\4", "\x0a") R2("\1", "\5", "\x14")
#define SECOND R2("\1", "\x08", "\x0f") R2("\1", "\x09", "\x1e")
#define A V2(WALL, MAIN, M_4, START_US("\1")) FIRST
#define B V2(WALL, MAIN, N_8, START_US("\1")) SECOND

#define T(bytes) { bytes, sizeof(bytes) - 1 }

struct bytes {
	const char *bytes;
	size_t len;
};

static const struct {
	const char *label;
	struct bytes inputs[3];
	struct dmtrace_merge_options options;
	const char *prefixes[2];
	int64_t offsets_us[2];
	struct bytes merged;
	bool by_time;
	enum dmtrace_merge_align align;
	uint64_t late, cpu_dropped, wall_dropped, renamed, named, prefixed;
} merges[] = {
	{ "by time; ids that two threads have are reported apart",
	    .inputs = { T(A), T(B) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN "2\tmain\n", M_4 N_8, START_US("\1"))
	    R1("\1", "\4", "\x0a") R1("\2", "\x08", "\x0f")
	    R1("\1", "\5", "\x14") R1("\2", "\x09", "\x1e")) },
	{ "one input", .inputs = { T(A) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN, M_4, START_US("\1"))
	    R1("\1", "\4", "\x0a") R1("\1", "\5", "\x14")) },
	{ "one method under two ids is one",
	    .inputs = { T(A), T(V2(WALL, MAIN, N_4 M_8, START_US("\1"))
	    SECOND R2("\1", "\4", "\x28")) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN "2\tmain\n", M_4 N_8, START_US("\1"))
	    R1("\1", "\4", "\x0a") R1("\2", "\4", "\x0f")
	    R1("\1", "\5", "\x14") R1("\2", "\5", "\x1e")
	    R1("\2", "\x08", "\x28")) },
	{ "a class with dots is the one with slashes",
	    .inputs = { T(V2(WALL, "", "0x4\ta/b\tm\t()V\n", START_US("\1"))),
	    T(V2(WALL, "", "0x8\ta.b\tm\t()V\n", START_US("\1"))) },
	    .by_time = true, .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, "", "0x4\ta/b\tm\t()V\n", START_US("\1"))) },
	{ "another signature, file or line is another method",
	    .inputs = { T(V2(WALL, "", M_4, START_US("\1"))),
	    T(V2(WALL, "", "0x4\tA\tm\t(I)V\tA.java\t7\n"
	    "0x8\tA\tm\t()V\tB.java\t7\n" "0xc\tA\tm\t()V\tA.java\t8\n",
	    START_US("\1"))) },
	    .by_time = true, .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, "", M_4 "0x8\tA\tm\t(I)V\tA.java\t7\n"
	    "0xc\tA\tm\t()V\tB.java\t7\n" "0x10\tA\tm\t()V\tA.java\t8\n",
	    START_US("\1"))) },

	{ "an id that is free is kept",
	    .inputs = { T(A), T(V2(WALL, "7\tmain\n", N_8, START_US("\1"))
	    R2("\7", "\x08", "\x0f")) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN "7\tmain\n", M_4 N_8, START_US("\1"))
	    R1("\1", "\4", "\x0a") R1("\7", "\x08", "\x0f")
	    R1("\1", "\5", "\x14")) },
	{ "an id that is taken goes to none that a later input has",
	    .inputs = { T(A), T(B), T(V2(WALL, "2\tmain\n", N_8,
	    START_US("\1")) R2("\2", "\x08", "\x28")) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN "3\tmain\n" "2\tmain\n", M_4 N_8,
	    START_US("\1")) R1("\1", "\4", "\x0a") R1("\3", "\x08", "\x0f")
	    R1("\1", "\5", "\x14") R1("\3", "\x09", "\x1e")
	    R1("\2", "\x08", "\x28")) },
	{ "renumber",
	    .inputs = { T(V2(WALL, "7\tmain\n" "5\tb\n", M_4, START_US("\1"))
	    R2("\5", "\4", "\1")), T(B) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .options = { .threads = DMTRACE_THREADS_RENUMBER },
	    .merged = T(V1(WALL, "1\tmain\n" "2\tb\n" "3\tmain\n", M_4 N_8,
	    START_US("\1")) R1("\2", "\4", "\1") R1("\3", "\x08", "\x0f")
	    R1("\3", "\x09", "\x1e")) },
	{ "union of one id and name", .inputs = { T(A), T(B) },
	    .by_time = true, .align = DMTRACE_ALIGN_START,
	    .options = { .threads = DMTRACE_THREADS_UNION },
	    .merged = T(V1(WALL, MAIN, M_4 N_8, START_US("\1"))
	    R1("\1", "\4", "\x0a") R1("\1", "\x08", "\x0f")
	    R1("\1", "\5", "\x14") R1("\1", "\x09", "\x1e")) },
	{ "union reports one id and two names apart",
	    .inputs = { T(A), T(V2(WALL, "1\tother\n", N_8, START_US("\1"))
	    SECOND) }, .by_time = true, .align = DMTRACE_ALIGN_START,
	    .options = { .threads = DMTRACE_THREADS_UNION },
	    .merged = T(V1(WALL, MAIN "2\tother\n", M_4 N_8, START_US("\1"))
	    R1("\1", "\4", "\x0a") R1("\2", "\x08", "\x0f")
	    R1("\1", "\5", "\x14") R1("\2", "\x09", "\x1e")) },
	{ "a prefix", .inputs = { T(A), T(B) }, .prefixes = { "a", NULL },
	    .by_time = true, .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, "1\ta:main\n" "2\tmain\n", M_4 N_8,
	    START_US("\1")) R1("\1", "\4", "\x0a") R1("\2", "\x08", "\x0f")
	    R1("\1", "\5", "\x14") R1("\2", "\x09", "\x1e")) },
	{ "a prefix for names that two inputs have, not for one's own",
	    .inputs = { T(V2(WALL, MAIN "3\tw\n" "4\tw\n", M_4,
	    START_US("\1"))), T(B) }, .prefixes = { "a", "b" },
	    .options = { .prefix_shared = 1 }, .prefixed = 2,
	    .by_time = true, .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, "1\ta:main\n" "3\tw\n" "4\tw\n"
	    "2\tb:main\n", M_4 N_8, START_US("\1"))
	    R1("\2", "\x08", "\x0f") R1("\2", "\x09", "\x1e")) },
	{ "none for what is united", .inputs = { T(A), T(B) },
	    .prefixes = { "a", "b" }, .by_time = true,
	    .align = DMTRACE_ALIGN_START, .options = {
	    .threads = DMTRACE_THREADS_UNION, .prefix_shared = 1 },
	    .merged = T(V1(WALL, MAIN, M_4 N_8, START_US("\1"))
	    R1("\1", "\4", "\x0a") R1("\1", "\x08", "\x0f")
	    R1("\1", "\5", "\x14") R1("\1", "\x09", "\x1e")) },
	{ "but for what stays apart", .inputs = { T(A), T(B),
	    T(V2(WALL, "3\tmain\n", N_8, START_US("\1"))) },
	    .prefixes = { "a", "b" }, .prefixed = 1, .by_time = true,
	    .align = DMTRACE_ALIGN_START, .options = {
	    .threads = DMTRACE_THREADS_UNION, .prefix_shared = 1 },
	    .merged = T(V1(WALL, "1\ta:main\n" "3\tmain\n", M_4 N_8,
	    START_US("\1"))
	    R1("\1", "\4", "\x0a") R1("\1", "\x08", "\x0f")
	    R1("\1", "\5", "\x14") R1("\1", "\x09", "\x1e")) },
	{ "an id that records have modulo 256",
	    .inputs = { T(V1(WALL, "257\tw\n", M_4, START_US("\1"))
	    R1("\1", "\4", "\1")) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V2(WALL, "257\tw\n", M_4, START_US("\1"))
	    "\1" R1("\1", "\4", "\1")) },
	{ "an id above 65535 becomes that of its records",
	    .inputs = { T(V2(WALL, "65537\tw\n", M_4, START_US("\1"))
	    R2("\1", "\4", "\1")) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, "1\tw\n", M_4, START_US("\1"))
	    R1("\1", "\4", "\1")) },
	{ "a thread and a method that no table lists",
	    .inputs = { T(A), T(V2(WALL, "", "", START_US("\1")) SECOND) },
	    .by_time = true, .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN, M_4, START_US("\1"))
	    R1("\1", "\4", "\x0a") R1("\2", "\x08", "\x0f")
	    R1("\1", "\5", "\x14") R1("\2", "\x09", "\x1e")) },
	{ "a method that no table lists is that of one input",
	    .inputs = { T(V2(WALL, MAIN, M_4, START_US("\1"))
	    R2("\1", "\x08", "\x0a")), T(V2(WALL, "2\tb\n", M_4,
	    START_US("\1")) R2("\2", "\x08", "\x0f")) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN "2\tb\n", M_4, START_US("\1"))
	    R1("\1", "\x08", "\x0a") R1("\2", "\x0c", "\x0f")) },
	{ "an unlisted thread that version 1 cannot number",
	    .inputs = { T(V2(WALL, "", M_4, START_US("\1"))
	    "\1\1" "\4\0\0\0" "\1\0\0\0") }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V2(WALL, "", M_4, START_US("\1"))
	    "\1\1" "\4\0\0\0" "\1\0\0\0") },

	{ "the later start is the later time",
	    .inputs = { T(V2(WALL, MAIN, M_4, START_US("\7")) FIRST), T(B) },
	    .by_time = true, .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN "2\tmain\n", M_4 N_8, START_US("\1"))
	    R1("\2", "\x08", "\x0f") R1("\1", "\4", "\x10")
	    R1("\1", "\5", "\x1a") R1("\2", "\x09", "\x1e")) },
	{ "zero", .inputs = { T(V2(WALL, MAIN, M_4, START_US("\7")) FIRST),
	    T(B) }, .by_time = true, .align = DMTRACE_ALIGN_ZERO,
	    .options = { .align = DMTRACE_ALIGN_ZERO },
	    .merged = T(V1(WALL, MAIN "2\tmain\n", M_4 N_8, START_US("\7"))
	    R1("\1", "\4", "\x0a") R1("\2", "\x08", "\x0f")
	    R1("\1", "\5", "\x14") R1("\2", "\x09", "\x1e")) },
	{ "starts that cannot be compared",
	    .inputs = { T(V2(WALL, MAIN, M_4, EPOCH) FIRST), T(B) },
	    .by_time = true, .align = DMTRACE_ALIGN_ZERO,
	    .merged = T(V1(WALL, MAIN "2\tmain\n", M_4 N_8, EPOCH)
	    R1("\1", "\4", "\x0a") R1("\2", "\x08", "\x0f")
	    R1("\1", "\5", "\x14") R1("\2", "\x09", "\x1e")) },
	{ "none", .inputs = { T(V2(WALL, MAIN, M_4, START_US("\7")) FIRST),
	    T(B) }, .align = DMTRACE_ALIGN_NONE,
	    .options = { .align = DMTRACE_ALIGN_NONE },
	    .merged = T(V1(WALL, MAIN "2\tmain\n", M_4 N_8, START_US("\7"))
	    R1("\1", "\4", "\x0a") R1("\1", "\5", "\x14")
	    R1("\2", "\x08", "\x0f") R1("\2", "\x09", "\x1e")) },
	{ "offsets", .inputs = { T(A), T(B) }, .offsets_us = { 30, -5 },
	    .by_time = true, .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN "2\tmain\n", M_4 N_8, START_US("\1"))
	    R1("\2", "\x08", "\x0a") R1("\2", "\x09", "\x19")
	    R1("\1", "\4", "\x28") R1("\1", "\5", "\x32")) },
	{ "one moment: the first input first",
	    .inputs = { T(B), T(B) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN "2\tmain\n", N_8, START_US("\1"))
	    R1("\1", "\x08", "\x0f") R1("\2", "\x08", "\x0f")
	    R1("\1", "\x09", "\x1e") R1("\2", "\x09", "\x1e")) },
	{ "what an input has after a later event stays there",
	    .inputs = { T(V2(WALL, MAIN "2\tb\n", M_4, START_US("\1"))
	    R2("\1", "\4", "\x28") R2("\2", "\4", "\x0a")
	    R2("\2", "\5", "\x29")), T(V2(WALL, "3\tc\n", N_8,
	    START_US("\1")) R2("\3", "\x08", "\x14")
	    R2("\3", "\x09", "\x28")) }, .by_time = true, .late = 1,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN "2\tb\n" "3\tc\n", M_4 N_8,
	    START_US("\1")) R1("\3", "\x08", "\x14")
	    R1("\1", "\4", "\x28") R1("\2", "\4", "\x0a")
	    R1("\3", "\x09", "\x28") R1("\2", "\5", "\x29")) },

	{ "version 2 if it is asked for", .inputs = { T(A) },
	    .options = { .dialect = DMTRACE_DIALECT_V2 }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V2(WALL, MAIN, M_4, START_US("\1")) FIRST) },
	{ "version 3 of one clock", .inputs = { T(A) },
	    .options = { .dialect = DMTRACE_DIALECT_V3 }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V3(WALL, MAIN, M_4, START_US("\1"), "\x0a") FIRST) },
	{ "two clocks", .inputs = { T(V3(DUAL, MAIN, M_4, START_US("\2"),
	    "\x0e") R3("\1", "\4", "\1", "\x0a") R3("\1", "\5", "\2",
	    "\x14")), T(V3(DUAL, "2\tb\n", N_8, START_US("\1"), "\x0e")
	    R3("\2", "\x08", "\3", "\x0f")) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V3(DUAL, MAIN "2\tb\n", M_4 N_8, START_US("\1"),
	    "\x0e") R3("\1", "\4", "\1", "\x0b") R3("\2", "\x08", "\3",
	    "\x0f") R3("\1", "\5", "\2", "\x15")) },
	{ "two clocks and one: the CPU times go",
	    .inputs = { T(V3(DUAL, "2\tb\n", M_4, START_US("\1"), "\x0e")
	    R3("\2", "\4", "\1", "\x0b") R3("\2", "\5", "\2", "\x0c")),
	    T(A) }, .by_time = true, .align = DMTRACE_ALIGN_START,
	    .cpu_dropped = 2,
	    .merged = T(V1(WALL, "2\tb\n" MAIN, M_4, START_US("\1"))
	    R1("\1", "\4", "\x0a") R1("\2", "\4", "\x0b")
	    R1("\2", "\5", "\x0c") R1("\1", "\5", "\x14")) },
	{ "two clocks and CPU times: the wall times go",
	    .inputs = { T(V3(DUAL, "2\tb\n", M_4, START_US("\1"), "\x0e")
	    R3("\2", "\4", "\1", "\x0b")), T(V1(CPU, MAIN, M_4, EPOCH)
	    R1("\1", "\4", "\x0a")) }, .align = DMTRACE_ALIGN_NONE,
	    .wall_dropped = 1,
	    .merged = T(V1(CPU, "2\tb\n" MAIN, M_4, START_US("\1"))
	    R1("\2", "\4", "\1") R1("\1", "\4", "\x0a")) },
	{ "two clocks to version 1",
	    .inputs = { T(V3(DUAL, MAIN, M_4, START_US("\1"), "\x0e")
	    R3("\1", "\4", "\1", "\x0b")) }, .by_time = true,
	    .options = { .dialect = DMTRACE_DIALECT_V1 },
	    .align = DMTRACE_ALIGN_START,
	    .cpu_dropped = 1,
	    .merged = T(V1(WALL, MAIN, M_4, START_US("\1"))
	    R1("\1", "\4", "\x0b")) },
	{ "CPU times, one input after the other, moved if asked for",
	    .inputs = { T(V1(CPU, MAIN, M_4, START_US("\1"))
	    R1("\1", "\4", "\x0a")), T(V2(CPU, MAIN, M_4, START_US("\7"))
	    R2("\1", "\4", "\1")) }, .offsets_us = { 0, 2 },
	    .align = DMTRACE_ALIGN_NONE,
	    .merged = T(V1(CPU, MAIN "2\tmain\n", M_4, START_US("\1"))
	    R1("\1", "\4", "\x0a") R1("\2", "\4", "\3")) },
	{ "wall times that start anew in every thread",
	    .inputs = { T(V1(WALL "vm=dalvik\n", MAIN, M_4, EPOCH)
	    R1("\1", "\4", "\x0a")), T(V2(WALL "vm=art\n", MAIN, M_4,
	    START_US("\7")) R2("\1", "\4", "\1")) },
	    .align = DMTRACE_ALIGN_NONE,
	    .merged = T(V1("clock=global\n", MAIN "2\tmain\n", M_4, EPOCH)
	    R1("\1", "\4", "\x0a") R1("\2", "\4", "\1")) },
	{ "what would say so of times that do not is version 2",
	    .inputs = { T(V2(WALL "vm=dalvik\n", MAIN, M_4, EPOCH)
	    R2("\1", "\4", "\x0a")) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V2(WALL "vm=dalvik\n", MAIN, M_4, EPOCH)
	    R2("\1", "\4", "\x0a")) },
	{ "or does without",
	    .inputs = { T(V2(WALL "vm=dalvik\n", MAIN, M_4, EPOCH)
	    R2("\1", "\4", "\x0a")) }, .by_time = true,
	    .options = { .dialect = DMTRACE_DIALECT_V1 },
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN, M_4, EPOCH)
	    R1("\1", "\4", "\x0a")) },

	{ "options in common, sums, and the last end",
	    .inputs = { T(V2("data-file-overflow=false\n" WALL
	    "elapsed-time-usec=40\n" "num-method-calls=9\n" "vm=art\n"
	    "pid=7\n" "alloc-count=3\n" "x=1\n", MAIN, M_4, START_US("\1"))
	    FIRST), T(V2("data-file-overflow=true\n" WALL
	    "elapsed-time-usec=30\n" "num-method-calls=9\n" "vm=art\n"
	    "pid=8\n" "alloc-count=4\n" "dmtrace-opened=1\n" "y=1\n", MAIN,
	    N_8, START_US("\x0d")) SECOND) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL "elapsed-time-usec=42\n"
	    "num-method-calls=4\n" "vm=art\n" "alloc-count=7\n"
	    "data-file-overflow=true\n", MAIN "2\tmain\n", M_4 N_8,
	    START_US("\1")) R1("\1", "\4", "\x0a") R1("\1", "\5", "\x14")
	    R1("\2", "\x08", "\x1b") R1("\2", "\x09", "\x2a")) },
	{ "what made them pieces of another trace",
	    .inputs = { T(V2("dmtrace-piece=1/2\n" "dmtrace-piece-by=time\n"
	    "dmtrace-piece-id=8\n" WALL "dmtrace-whole-x=1\n" "y=2\n", MAIN,
	    M_4, START_US("\1")) FIRST), T(V2("dmtrace-piece=1/2\n"
	    "dmtrace-piece-by=time\n" "dmtrace-piece-id=8\n" WALL
	    "dmtrace-whole-x=1\n" "y=2\n", MAIN, N_8, START_US("\x0d"))
	    SECOND) }, .by_time = true, .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL "y=2\n", MAIN "2\tmain\n", M_4 N_8,
	    START_US("\1")) R1("\1", "\4", "\x0a") R1("\1", "\5", "\x14")
	    R1("\2", "\x08", "\x1b") R1("\2", "\x09", "\x2a")) },
	{ "lines that end in CR LF",
	    .inputs = { T("*version\r\n2\r\nclock=wall\r\n*threads\r\n"
	    "1\tmain\r\n*methods\r\n0x8\tB\tn\t(I)V\r\n*end\r\n"
	    HEAD("\2", START_US("\1"), "\0") SECOND), T(A) },
	    .by_time = true, .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN "2\tmain\n", N_8 M_4, START_US("\1"))
	    R1("\2", "\4", "\x0a") R1("\1", "\x08", "\x0f")
	    R1("\2", "\5", "\x14") R1("\1", "\x09", "\x1e")) },
	{ "names that no line can hold",
	    .inputs = { T(V2(WALL, "1\ta\tb\n", "0x4\t\t\t()V\n"
	    "0x8\tB\tn\t\t\t5\n", START_US("\1"))) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START, .renamed = 2, .named = 1,
	    .merged = T(V1(WALL, "1\ta?b\n", "0x4\t?\t0x4\t()V\n"
	    "0x8\tB\tn\t\t?\t5\n", START_US("\1"))) },
	{ "one table in all inputs, and what it has not",
	    .inputs = { T(A), T(V2(WALL, "2\tb\n", M_4, START_US("\1"))
	    R2("\2", "\x08", "\x0f") R2("\2", "\4", "\x1e")),
	    T(V2(WALL "vm=art\n", "3\tc\n", M_4, START_US("\1"))
	    R2("\3", "\x08", "\x10")) }, .by_time = true,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, MAIN "2\tb\n" "3\tc\n", M_4,
	    START_US("\1")) R1("\1", "\4", "\x0a")
	    R1("\2", "\x08", "\x0f") R1("\3", "\x0c", "\x10")
	    R1("\1", "\5", "\x14") R1("\2", "\4", "\x1e")) },
	{ "one table in all inputs, with a name that no line can hold",
	    .inputs = { T(V2(WALL, "", "0x4\tA\tm\rn\t()V\n",
	    START_US("\1"))), T(V2(WALL, "", "0x4\tA\tm\rn\t()V\n",
	    START_US("\1"))), T(V2(WALL, "", "0x4\tA\tm\rn\t()V\n",
	    START_US("\1"))) }, .by_time = true, .renamed = 3,
	    .align = DMTRACE_ALIGN_START,
	    .merged = T(V1(WALL, "", "0x4\tA\tm?n\t()V\n",
	    START_US("\1"))) },
};

static const struct dmtrace_file out = { .path = "out" };

static enum dmtrace_status
merge(const struct dmtrace_merge_input *inputs, size_t count,
    const struct dmtrace_merge_options *asked,
    struct dmtrace_merge_result *result)
{
	struct dmtrace_merge_options options = { 0 };

	options.dialect = asked->dialect;
	options.threads = asked->threads;
	options.align = asked->align;
	options.prefix_shared = asked->prefix_shared;
	return dmtrace_merge(op, inputs, count, &out, &options, result);
}

/* Puts the row's inputs into files; how many they are. */
static size_t
put_inputs(int row, struct dmtrace_merge_input inputs[3])
{
	static const char *const names[] = { "a", "b", "c" };
	size_t count = 0;

	while (count < 3 && merges[row].inputs[count].bytes != NULL) {
		const struct bytes *const in = &merges[row].inputs[count];

		file_put(names[count], in->bytes, in->len);
		inputs[count] = (struct dmtrace_merge_input){
			.file = { .path = names[count] },
			.prefix = count < 2 ? merges[row].prefixes[count] :
			    NULL,
			.offset_ns = count < 2 ?
			    merges[row].offsets_us[count] * 1000 : 0
		};
		count++;
	}
	return count;
}

START_TEST(merges_to_these_bytes)
{
	struct dmtrace_merge_input inputs[3];
	const size_t count = put_inputs(_i, inputs);
	struct dmtrace_merge_result result;

	ck_assert_int_eq(merge(inputs, count, &merges[_i].options, &result),
	    DMTRACE_OK);
	assert_file("out", merges[_i].merged.bytes, merges[_i].merged.len);
	ck_assert_uint_eq(file_count("."), count + 1);
	ck_assert_int_eq(result.by_time, merges[_i].by_time);
	ck_assert_int_eq(result.align, merges[_i].align);
	ck_assert_uint_eq(result.late, merges[_i].late);
	ck_assert_uint_eq(result.cpu_dropped, merges[_i].cpu_dropped);
	ck_assert_uint_eq(result.wall_dropped, merges[_i].wall_dropped);
	ck_assert_uint_eq(result.renamed, merges[_i].renamed);
	ck_assert_uint_eq(result.named, merges[_i].named);
	ck_assert_uint_eq(result.prefixed, merges[_i].prefixed);
}
END_TEST

/* The same from pipes, which can be read but once, and to one. */
START_TEST(merges_pipes_to_the_same)
{
	struct dmtrace_merge_input inputs[3];
	const size_t count = put_inputs(_i, inputs);
	const bool repeats = strstr(merges[_i].label, "unlisted") != NULL;
	struct dmtrace_merge_result result;
	int ends[3][2];

	for (size_t i = 0; i < count; i++) {
		const struct bytes *const in = &merges[_i].inputs[i];

		ck_assert_int_eq(pipe(ends[i]), 0);
		ck_assert_int_eq(write(ends[i][1], in->bytes, in->len),
		    (int)in->len);
		close(ends[i][1]);
		inputs[i].file = (struct dmtrace_file){ .fd = ends[i][0] };
	}
	const enum dmtrace_status status =
	    merge(inputs, count, &merges[_i].options, &result);
	for (size_t i = 0; i < count; i++)
		ck_assert_int_eq(close(ends[i][0]), 0);
	ck_assert_int_eq(status, repeats ? DMTRACE_ERR_RANGE : DMTRACE_OK);
	if (repeats)
		ck_assert_ptr_nonnull(strstr(dmtrace_op_error(op)->message,
		    "thread 257 does not fit version 1"));
	else if (strstr(merges[_i].label, "in common") == NULL)
		assert_file("out", merges[_i].merged.bytes,
		    merges[_i].merged.len);
}
END_TEST

#define WRAPS "\1\0" "\4\0\0\0" "\xff\xff\xff\xff" \
	"\1\0" "\5\0\0\0" "\2\0\0\0"

static const struct {
	const char *label;
	struct bytes inputs[3];
	struct dmtrace_merge_options options;
	int64_t offset_ns;		/* of the second */
	enum dmtrace_status status;
	const char *path;		/* NULL: no file is named */
	const char *message;
} refused[] = {
	{ "wall and CPU times", { T(A), T(V1(CPU, MAIN, M_4, EPOCH)) },
	    .status = DMTRACE_ERR_FOREIGN, .path = "b",
	    .message = "no clock is in all" },
	{ "starts of two kinds, to be aligned",
	    { T(A), T(V2(WALL, MAIN, M_4, EPOCH)) },
	    .options = { .align = DMTRACE_ALIGN_START },
	    .status = DMTRACE_ERR_FOREIGN, .path = "b",
	    .message = "cannot be compared" },
	{ "a time before zero", { T(A), T(B) }, .offset_ns = -16000,
	    .status = DMTRACE_ERR_RANGE, .path = "b", .message = "15 us" },
	{ "a time of 2^32 us", { T(A), T(B) },
	    .offset_ns = INT64_C(4294967295000), .status = DMTRACE_ERR_RANGE,
	    .path = "b", .message = "would be at 429496" },
	{ "a time that wrapped",
	    { T(V2(WALL, MAIN, M_4, EPOCH) WRAPS), T(B) },
	    .status = DMTRACE_ERR_RANGE, .path = "a",
	    .message = "4294967298 us" },
	{ "starts too far apart", { T(A), T(V2(WALL, MAIN, M_4,
	    "\0\0\0\0\1\0\0\0") R2("\1", "\4", "\1")) },
	    .status = DMTRACE_ERR_RANGE, .path = "b",
	    .message = "would be at 4294967296 us in the output, which has "
	    "times from 0 to 4294967295 us (71 minutes); \"dmtrace merge "
	    "--align=zero\" ignores when the inputs began" },
	{ "an offset of half a microsecond", { T(A), T(B) },
	    .offset_ns = 500, .status = DMTRACE_ERR_RANGE,
	    .message = "whole microseconds" },
	{ "dialect 10", { T(A) }, .options = { .dialect = 10 },
	    .status = DMTRACE_ERR_RANGE, .message = "no such dialect" },
	{ "a thread that is too wide for version 1",
	    { T(V2(WALL, "256\tw\n", M_4, EPOCH)) },
	    .options = { .dialect = DMTRACE_DIALECT_V1 },
	    .status = DMTRACE_ERR_RANGE,
	    .path = "a", .message = "thread 256 does not fit version 1" },
	{ "no trace", { T(A), T("hello") }, .status = DMTRACE_ERR_NOT_TRACE,
	    .path = "b", .message = "begins with \"hello\"" },
	{ "none", { { NULL, 0 } }, .status = DMTRACE_ERR_RANGE,
	    .message = "no trace" },
};

START_TEST(refuses)
{
	static const char *const names[] = { "a", "b", "c" };
	struct dmtrace_merge_input inputs[3] = { { .prefix = NULL } };
	struct dmtrace_merge_result result = { .events = 12 };
	size_t count = 0;

	for (; refused[_i].inputs[count].bytes != NULL; count++) {
		file_put(names[count], refused[_i].inputs[count].bytes,
		    refused[_i].inputs[count].len);
		inputs[count].file.path = names[count];
	}
	inputs[1].offset_ns = refused[_i].offset_ns;
	ck_assert_int_eq(merge(inputs, count, &refused[_i].options, &result),
	    refused[_i].status);
	ck_assert_ptr_nonnull(strstr(dmtrace_op_error(op)->message,
	    refused[_i].message));
	ck_assert_int_eq(dmtrace_op_error_file(op) != NULL,
	    refused[_i].path != NULL);
	if (refused[_i].path != NULL)
		ck_assert_str_eq(dmtrace_op_error_file(op)->path,
		    refused[_i].path);
	ck_assert_uint_eq(file_count("."), count);
	ck_assert_uint_eq(result.events, 12);
}
END_TEST

static const struct {
	const char *label;
	struct bytes input;
	const char *finding;
	uint64_t at;
	const char *message;
} findings[] = {
	{ "a cut record", T(A "\1\0\4"), "record-partial", 125,
	    "3 of 10 bytes" },
	{ "time that goes back", T(A R2("\1", "\4", "\x13")), "time-back",
	    125, "thread 1" },
	{ "time that goes back twice", T(A R2("\1", "\4", "\x13")
	    R2("\1", "\4", "\x12")), "time-back", 125,
	    "thread 1" },
	{ "the reserved action", T(A R2("\1", "\7", "\x14")),
	    "record-reserved", 125, "thread 1" },
	{ "a method twice", T(V2(WALL, MAIN, M_4 N_4, EPOCH) FIRST),
	    "method-repeated", 8, "0x4" },
};

START_TEST(reports)
{
	const struct dmtrace_merge_input input = { .file = { .path = "a" } };
	const struct dmtrace_merge_options options = { .dialect = 0 };
	struct dmtrace_merge_result result;

	file_put("a", findings[_i].input.bytes, findings[_i].input.len);
	ck_assert_int_eq(merge(&input, 1, &options, &result), DMTRACE_OK);
	ck_assert_uint_eq(reported.count, 1);
	ck_assert_str_eq(reported.name, findings[_i].finding);
	ck_assert_str_eq(reported.path, "a");
	ck_assert_uint_eq(reported.at, findings[_i].at);
	ck_assert_ptr_nonnull(strstr(reported.message, findings[_i].message));
}
END_TEST

START_TEST(merges_or_refuses_every_prefix)
{
	const struct trace *const trace = &traces[_i];
	const struct dmtrace_merge_input inputs[] = {
		{ .file = { .path = "a" } }, { .file = { .path = "b" } },
	};
	const struct dmtrace_merge_options options = { .dialect = 0 };
	struct dmtrace_merge_result result;

	file_put("a", traces[1].bytes, traces[1].len);
	for (size_t len = 0; len <= trace->len; len++) {
		file_put("b", trace->bytes, len);
		const enum dmtrace_status status =
		    merge(inputs, 2, &options, &result);

		ck_assert_uint_eq(file_count("."),
		    status == DMTRACE_OK ? 3 : 2);
		if (status == DMTRACE_OK)
			unlink("out");
	}
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("merge");
	TCase *const tcase = unit_tcase(suite, "merge");

	tcase_add_checked_fixture(tcase, reported_begin, op_end);
	ADD_CASES(tcase, merges_to_these_bytes, merges);
	ADD_CASES(tcase, merges_pipes_to_the_same, merges);
	ADD_CASES(tcase, refuses, refused);
	ADD_CASES(tcase, reports, findings);
	ADD_CASES(tcase, merges_or_refuses_every_prefix, traces);
	return unit_main(suite);
}
