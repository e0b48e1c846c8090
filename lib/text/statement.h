/* statement.h - the statements of the text form, and the bytes they mean */
#ifndef DMT_TEXT_STATEMENT_H
#define DMT_TEXT_STATEMENT_H

#include <dmtrace/trace.h>

#include "data/v2.h"
#include "format/layout.h"
#include "key/parse.h"
#include "private/output.h"
#include "text/text_names.h"

#define TEXT_FIRST_LINE "dmtrace text 1"

enum text_word {
	TEXT_NUMBER,		/* key 3: "*version" and the number */
	TEXT_HEADING,		/* *threads: of the key */
	TEXT_OPTION,		/* name=value */
	TEXT_THREAD,		/* thread 1 main: a line of the key, a
				   packet */
	TEXT_METHOD,		/* method 0x4 a/B.run()V B.java:12: the same */
	TEXT_HEADER,		/* header v3 start=1us */
	TEXT_SUMMARY,		/* summary: a packet, of the key that
				   follows */
	TEXT_SUMMARY_END,	/* end */
	TEXT_BLOCK,		/* block: of the events that follow */
	TEXT_FINISH		/* finish 1ns 2ns: the end of a dump of
				   long-running methods */
};

/* What a header says. */
struct text_header {
	unsigned version;	/* of the header */
	uint64_t start;
	unsigned offset;	/* of versions 1 to 3 and streams */
	unsigned size;		/* of records, as stated; */
	unsigned distance;	/* and as it is */
	bool wide;		/* records have ids of 8 bytes */
	enum dmt_v2_stage stage;	/* of format V2; DMT_STAGE_LONG: there
					   is no header */
	uint64_t start_ticks;
	uint64_t tick_hz;
	uint16_t mark;		/* of its stage, or another value */
};

struct text_statement {
	enum text_word word;
	uint64_t id;		/* of a thread or method packet of format V2,
				   and of a thread packet */
	enum dmt_section section;	/* of HEADING */
	uint64_t end_ns;		/* of FINISH: the same by two clocks */
	uint64_t monotonic_ns;
	struct dmtrace_text line;	/* of the key or the packet, without
					   LF; for NUMBER the number */
	bool by_hand;			/* METHOD: a name without a dot is a
					   class */
	struct text_header header;
};

/* An open call. */
struct text_frame {
	uint64_t method;
	uint32_t indent;
};

struct text_thread {
	bool begun;		/* it has had a line */
	uint32_t floor;		/* the indentation of its first line */
	struct text_frame *frames;
	size_t depth;
	size_t capacity;
};

enum text_data {
	TEXT_NO_DATA,		/* no header yet */
	TEXT_RECORDS,
	TEXT_STREAM,
	TEXT_PACKETS		/* trace format V2 */
};

/* What the statements so far say: the same in dump and undump. Zeroed, and
 * section set to DMT_SECTION_UNKNOWN, it is the start of a file. */
struct text_state {
	bool in_summary;
	enum dmt_section section;	/* UNKNOWN: no key has begun */
	enum dmtrace_clock clock;	/* of the key */
	enum text_data data;
	struct dmt_layout layout;
	struct dmt_v2_form form;
	struct text_names names;
	struct dmt_idmap by_number;	/* to the index of a thread */
	struct text_thread *threads;
	size_t thread_count;
	size_t thread_capacity;
	uint32_t last_number;		/* of last, which is not NULL */
	size_t last;			/* 1 + index; 0: none */
};

/*
 * Appends the bytes of a statement to out, which is memory, and updates the
 * state. Of SUMMARY, these are the bytes before the text, line.len bytes long;
 * SUMMARY_END and BLOCK have none.
 *
 * Returns NULL, or why there are none, with the state unchanged: the statement
 * cannot stand here
 */
const char *
dmt_text_encode(struct text_state *state,
    const struct text_statement *statement, struct dmt_output *out);

/* Appends the record of an event, in TEXT_RECORDS and TEXT_STREAM. Returns
 * NULL, or why there is none. */
const char *
dmt_text_encode_event(const struct text_state *state,
    const struct dmtrace_event *event, struct dmt_output *out);

/* The same for the block of count events. */
const char *
dmt_text_encode_block(const struct text_state *state,
    const struct dmtrace_event *events, size_t count, struct dmt_output *out);

/* Returns the thread of that number; NULL: no memory. It is valid until the
 * next call. */
struct text_thread *
dmt_text_thread_get(struct text_state *state, uint32_t number);

/* Updates the open calls of the thread. false: no memory. */
bool
dmt_text_thread_apply(struct text_thread *thread, enum dmtrace_action action,
    uint64_t method, uint32_t indent);

/* The frames that dmt_text_thread_find compares. */
#define TEXT_FRAMES_FIND 64

/* Returns 1 + the index of the innermost open call of the method, or 0. */
size_t
dmt_text_thread_find(const struct text_thread *thread, uint64_t method);

/* Returns the default of a header of that version in such a key. */
struct text_header
dmt_text_header_of(const struct text_state *state, unsigned version);

void
dmt_text_state_fini(struct text_state *state);

#endif
