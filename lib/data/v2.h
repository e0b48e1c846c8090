/* v2.h - the packets of ART trace format V2, in memory */
#ifndef DMT_DATA_V2_H
#define DMT_DATA_V2_H

#include <dmtrace/event.h>
#include <stdbool.h>

/*
 * A file of versions 4, 5, 0xF4 and 0xF5 is a header of 32 bytes and packets:
 * names of threads, methods, blocks of one thread's events, at last a summary.
 * Its writers changed the blocks, and what times count, under the same version
 * numbers; these are the stages.
 */
enum dmt_v2_stage {
	DMT_STAGE_B,	/* the first record is in the block's header; us */
	DMT_STAGE_C,	/* all records are differences; us. Also stage D, which
			   cuts a long block in two */
	DMT_STAGE_E,	/* as D; ns */
	DMT_STAGE_F,	/* the action is with the time, and only an enter has
			   a method; ns, or ticks of a counter */
	DMT_STAGE_LONG	/* the dump of long-running methods, without a header:
			   as F, without unroll; ns */
};

/* What all blocks of a file have in common. */
struct dmt_v2_form {
	enum dmt_v2_stage stage;
	bool cpu;		/* which times a record has; at least one */
	bool wall;
	uint64_t tick_hz;	/* of stage F: ticks per second, at most
				   DMT_TICK_HZ_MAX; 0: nanoseconds */
};

#define DMT_TICK_HZ_MAX UINT64_C(10000000000)

/* The 32 bytes at the start of the file. */
struct dmt_v2_header {
	uint16_t version;
	uint64_t start;		/* microseconds, ns from stage E on */
	uint64_t start_ticks;	/* of stage F, else 0 */
	uint64_t tick_hz;
};

enum dmt_v2_type {
	DMT_V2_THREAD = 0,
	DMT_V2_METHOD = 1,
	DMT_V2_EVENTS = 2,
	DMT_V2_SUMMARY = 3,	/* of a file */
	DMT_V2_END = 4	/* of a long-running dump: two times; it also
				   begins with the byte 3 */
};

/* Where its fields are, but for magic and version: see format/header.h. */
enum {
	DMT_V2_START = 6,
	DMT_V2_START_TICKS = 14,
	DMT_V2_TICK_HZ = 22,
	DMT_V2_HEADER_SIZE = 32
};

/* One packet; of events the header of the block, whose payload follows. */
struct dmt_v2_packet {
	enum dmt_v2_type type;
	uint32_t thread;	/* of a thread, and of events: the full tid */
	uint64_t method;	/* of a method: its id */
	const uint8_t *text;	/* the name, the method line with its LF, or
				   the summary; belongs to the bytes decoded */
	uint16_t text_len;
	uint32_t count;		/* of events, as stored: not the truth */
	uint32_t size;		/* bytes of payload, as stored */
	uint64_t word;		/* of stage B: the first record, as stored */
	uint32_t cpu_us;
	uint32_t wall_us;
	uint64_t end_ns;	/* of an end: of the dump, and the same by */
	uint64_t monotonic_ns;	/* CLOCK_MONOTONIC */
};

/*
 * Events of one block in columns, by position. A word is the id and the action,
 * as in a record; from stage F on, that of an exit has the action alone, for it
 * leaves the thread's innermost call. Times are microseconds modulo 2^32 before
 * stage E, then nanoseconds.
 */
struct dmt_v2_columns {
	uint64_t *words;
	uint64_t *cpu;			/* not used unless the form has it */
	uint64_t *wall;
};

#define DMT_V2_THREADS_MAX 0x1000000	/* of what a layout has room for */

enum {
	DMT_V2_PACKET_MAX = 11 + 65535,	/* a packet, of events its header */
	DMT_V2_BLOCK_HEADER_MAX = 25,
	DMT_RECORD_MAX = 30,		/* three numbers */
	DMT_V2_BLOCK_EVENTS_MAX = 65535	/* that the encoder puts in a block:
					   larger counts wrap */
};

#endif
