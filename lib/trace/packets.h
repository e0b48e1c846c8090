/* packets.h - walks the packets of a trace */
#ifndef DMT_TRACE_PACKETS_H
#define DMT_TRACE_PACKETS_H

#include "base/idmap.h"
#include "base/input.h"
#include "data/v2.h"
#include "trace/gather.h"

/* What is next in a trace of packets. */
enum dmt_next {
	DMT_NEXT_END,			/* nothing */
	DMT_NEXT_EVENTS,		/* records, or a block */
	DMT_NEXT_THREAD,
	DMT_NEXT_METHOD,
	DMT_NEXT_SUMMARY,
	DMT_NEXT_OTHER,			/* a packet of no meaning for events */
	DMT_NEXT_CUT,			/* an incomplete packet or record */
	DMT_NEXT_BAD,			/* neither a packet nor a record */
	DMT_NEXT_FAILED			/* the cursor's error is set */
};

struct dmt_packet_item {
	enum dmt_next kind;
	bool cut;			/* a block or a summary is truncated */
	size_t size;			/* in bytes; not set if it is cut,
					   except of a block */
	const uint8_t *bytes;		/* of events: in the input's window */
	size_t count;			/* of records */
	uint32_t thread;
	struct dmtrace_text text;	/* a thread's name, a method's line as
					   in a key, a summary */
	bool has_line_number;		/* the line of a method has six
					   columns */
	bool has_type;			/* of BAD: the packet's type is known */
	uint8_t type;
};

/*
 * The place of a reader in a trace of packets. It walks a complete trace, or
 * one that grows: then it asks the input for no more bytes than a packet
 * needs, and what is cut may be complete when it is asked again.
 */
struct dmt_packet_cursor {
	struct dmt_input *input;
	bool grows;
	bool gathered;			/* definitions are known: those of
					   items are not needed */
	struct dmtrace_error *error;
	uint64_t limit;			/* bytes of a summary */
	size_t record_size;		/* if events are records, */
	unsigned version;		/* of that version */
	bool sized;			/* record_size is known */

	/* Of trace format V2. */
	struct dmt_v2_header header;
	struct dmt_v2_form form;
	bool unit_guessed;		/* that of times, by the start alone */
	bool has_stage;			/* form.stage is known, from the header
					   or the first block */
	struct dmt_idmap announced;	/* methods, until then */
	struct dmt_v2_packet packet;	/* the last one, */
	size_t used;			/* and its bytes before the payload */
	char *line;			/* memory of a method's line */
};

/* How the packets of a dialect are read. */
struct dmt_packet_format {
	/* Decodes what is next at the cursor, of records at most capacity.
	 * bad_packet says what a packet is not, before its type. */
	void (*next)(struct dmt_packet_cursor *cursor,
	    struct dmt_packet_item *item, size_t capacity);
	const char *bad_packet;
	/* Begins to read a trace that grows, after the cursor was made: sets
	 * header, layout and *clock. Returns the status of the reader's
	 * failure. */
	enum dmtrace_status (*follow)(struct dmtrace_reader *reader,
	    enum dmtrace_clock *clock);
};

/* container_stream.c and container_v2.c */
extern const struct dmt_packet_format dmt_packets_of_stream;
extern const struct dmt_packet_format dmt_packets_of_v2;

/* Makes the cursor of a reader, at the start of input. false: no memory; the
 * reader's error is set. */
bool
dmt_packet_cursor_begin(struct dmtrace_reader *reader,
    struct dmt_input *input);
/* cursor may be NULL. */
void
dmt_packet_cursor_free(struct dmt_packet_cursor *cursor);

/*
 * Opens a trace of packets, at the start of the reader's key_input: begin reads
 * the header and sets reader->begins_at; then all packets are read for the key;
 * and end makes it, and what depends on it. The reader then goes back to the
 * first packet. Returns DMTRACE_OK, or the status of the reader's failure,
 * which begin and end set, too.
 */
enum dmtrace_status
dmt_packets_open(struct dmtrace_reader *reader,
    const struct dmt_events_kind *events,
    enum dmtrace_status (*begin)(struct dmt_gathering *gathering),
    enum dmtrace_status (*end)(struct dmt_gathering *gathering));

/* The take_records function of traces of packets. */
size_t
dmt_packets_take(struct dmtrace_reader *reader, size_t capacity);

/* Returns true if the bytes end as a summary does. */
bool
dmt_ends_in_summary(const uint8_t *bytes, size_t len);

#endif
