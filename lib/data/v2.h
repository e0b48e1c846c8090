/* v2.h - the packets of ART trace format V2, in memory */
#ifndef DMT_DATA_V2_H
#define DMT_DATA_V2_H

#include <dmtrace/event.h>
#include <stdbool.h>

/*
 * A file of version 4, 5, 0xF4 or 0xF5 has a header of 32 bytes and packets:
 * names of threads, methods, blocks of events of one thread, and at last a
 * summary. ART changed the blocks, and the unit of times, without changing the
 * version numbers; these are the stages.
 */
enum dmt_v2_stage {
	DMT_STAGE_B,	/* the block's header has the first record; us */
	DMT_STAGE_C,	/* all records are differences; us. Stage D is the
			   same, but splits long blocks */
	DMT_STAGE_E,	/* as D, in ns */
	DMT_STAGE_F,	/* the action is in the low bits of the time, and only
			   enters have a method; ns, or ticks of a counter */
	DMT_STAGE_LONG	/* the dump of long-running methods, which has no
			   header: as F, without unroll; ns */
};

/* Returns true if times are nanoseconds, or ticks; else they are
 * microseconds. */
static inline bool
dmt_v2_has_ns(enum dmt_v2_stage stage)
{
	return stage >= DMT_STAGE_E;
}

/* Returns true if only enters have a method. */
static inline bool
dmt_v2_has_bare_exits(enum dmt_v2_stage stage)
{
	return stage >= DMT_STAGE_F;
}

/* What all blocks of a file have in common. */
struct dmt_v2_form {
	enum dmt_v2_stage stage;
	bool cpu;		/* which times a record has; one at least */
	bool wall;
	uint64_t tick_hz;	/* of stage F: ticks per second, at most
				   DMT_TICK_HZ_MAX; 0: times are in ns */
};

#define DMT_TICK_HZ_MAX UINT64_C(10000000000)

/* The start of the counter in a header of stage F without a rate: it shows the
 * stage, and is not used. */
#define DMT_V2_MARK 1

/* The end of a header of the stages B, C and E that dmtrace wrote: the letters
 * "s" and "b", "c" or "e". It shows the stage; other programs write zeros, and
 * no reader looks at it. */
#define DMT_V2_STAGE_MARK(letter) ((uint16_t)('s' | (letter) << 8))

/* The 32 bytes at the start of the file. */
struct dmt_v2_header {
	uint16_t version;
	uint64_t start;		/* microseconds; from stage E on ns */
	uint64_t start_ticks;	/* of stage F; else 0 */
	uint64_t tick_hz;
	uint16_t mark;		/* DMT_V2_STAGE_MARK, or 0 */
};

enum dmt_v2_type {
	DMT_V2_THREAD = 0,
	DMT_V2_METHOD = 1,
	DMT_V2_EVENTS = 2,
	DMT_V2_SUMMARY = 3,	/* at the end of a file */
	DMT_V2_END = 4	/* at the end of a long-running dump: two times; its
			   first byte is 3, too */
};

/* Offsets of its fields after magic and version (format/header.h). */
enum {
	DMT_V2_START = 6,
	DMT_V2_START_TICKS = 14,
	DMT_V2_TICK_HZ = 22,
	DMT_V2_HEADER_MARK = 30,
	DMT_V2_HEADER_SIZE = 32
};

/* One packet. For events it is the header of a block, which is followed by the
 * payload. */
struct dmt_v2_packet {
	enum dmt_v2_type type;
	uint32_t thread;	/* of thread and events packets: the full tid */
	uint64_t method;	/* of a method packet: its id */
	const uint8_t *text;	/* the name, the method line with its LF, or
				   the summary; points into the decoded bytes */
	uint16_t text_len;
	uint32_t count;		/* of events, as stored: may be wrong */
	uint32_t size;		/* bytes of payload, as stored */
	uint64_t word;		/* of stage B: the first record, as stored */
	uint32_t cpu_us;
	uint32_t wall_us;
	uint64_t end_ns;	/* of DMT_V2_END: the end of the dump, and the
				   same by */
	uint64_t monotonic_ns;	/* CLOCK_MONOTONIC */
};

/*
 * Events of one block in columns. A word is the method id and the action, as
 * in a record; from stage F on the word of an exit is the action alone, as it
 * ends the innermost call of the thread. Times are microseconds modulo 2^32
 * before stage E, then nanoseconds.
 */
struct dmt_v2_columns {
	uint64_t *words;
	uint64_t *cpu;			/* unused unless the form has CPU
					   times */
	uint64_t *wall;
};

#define DMT_V2_BLOCK_MAX (64 * 1024 * 1024)	/* bytes */
#define DMT_V2_THREADS_MAX 0x1000000	/* thread numbers that a layout can
					   hold */

enum {
	DMT_V2_PACKET_MAX = 11 + 65535,	/* bytes of a packet, without the
					   payload */
	DMT_V2_BLOCK_HEADER_MAX = 25,
	DMT_V2_RECORD_MAX = 30,		/* three numbers */
	DMT_V2_BLOCK_EVENTS_MAX = 65535	/* per block when encoding: larger
					   counts do not fit */
};

#endif
