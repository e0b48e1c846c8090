/* reader.h - the state of a reader, and functions for containers and writers */
#ifndef DMT_TRACE_READER_H
#define DMT_TRACE_READER_H

#include <dmtrace/trace.h>

#include "base/input.h"
#include "data/record_decode.h"
#include "format/finding.h"
#include "format/layout.h"
#include "private/trace.h"
#include "trace/definitions.h"

struct dmt_batch;
struct dmt_dialect;
struct dmt_packet_format;
struct dmt_trace_format;
struct dmt_indexes;
struct dmt_packet_item;
struct dmt_packet_cursor;
struct dmt_tallies;
struct dmt_v2_reading;

/* The most bytes that may be between the key and the magic. */
#define DMT_GAP_MAX 8

enum dmt_reader_state {
	DMT_READER_NEW,
	DMT_READER_OPEN,
	DMT_READER_ENDED,		/* and what follows them was reported */
	DMT_READER_FAILED
};

struct dmt_reader_name {
	char *bytes;
	size_t size;
};

/*
 * What is done with the events that take_records has made available (see
 * below). There are two rows: dmt_events_of_records, for records of the
 * reader's layout, and dmt_events_of_blocks, for blocks of trace format V2.
 */
struct dmt_events_kind {
	/* In a trace of packets: begins to take events of that item or, if it
	 * is NULL, goes on with those of the last one. Returns how many are
	 * available; the functions below use them. */
	size_t (*take)(struct dmtrace_reader *reader,
	    const struct dmt_packet_item *item, size_t capacity);
	/* Fills those columns of a batch of all of them, and sets its raw
	 * records, or NULL. */
	void (*fill)(struct dmtrace_reader *reader, struct dmt_batch *batch,
	    unsigned columns, struct dmt_indexes *indexes);
	/* Get the first count events, add them to tallies, or return them as
	 * records of the reader's layout. */
	void (*get)(struct dmtrace_reader *reader,
	    struct dmtrace_event *events, size_t count);
	void (*count)(struct dmtrace_reader *reader,
	    struct dmt_tallies *tallies, size_t count);
	const uint8_t *(*records)(const struct dmtrace_reader *reader,
	    size_t count);
	/* Forgets what depends on earlier events: another pass begins. false:
	 * no memory. */
	bool (*reset)(struct dmtrace_reader *reader);
};

extern const struct dmt_events_kind dmt_events_of_records;
extern const struct dmt_events_kind dmt_events_of_blocks;

struct dmtrace_reader {
	enum dmt_reader_state state;
	enum dmtrace_container container;
	const struct dmt_dialect *dialect;
	const struct dmt_packet_format *packets;	/* NULL: none */
	struct dmt_input key_input;	/* of a joined trace: the whole file */
	struct dmt_input data_input;	/* the data file of a pair */
	struct dmt_input *input;	/* one of the two: has the records */

	struct dmtrace_key *key;
	struct dmt_reader_name thread_name;	/* storage for the names that
						   were last */
	struct dmt_reader_name method_name;	/* asked for */
	bool has_key;			/* the key is decoded */
	bool base64_ended;		/* of base64 data: its end was
					   reached */
	uint8_t gap[2 * DMT_GAP_MAX];	/* bytes between key and magic */
	size_t gap_in_key;		/* how many are in the key file, and */
	size_t gap_in_data;		/* how many in the data file of a
					   pair */
	struct dmt_header header;
	uint8_t *header_bytes;		/* data_offset bytes; NULL: none */
	unsigned start_rest_ns;		/* of the start, below a microsecond */
	struct dmt_layout layout;

	/*
	 * Set by the container. take_records makes *records point to whole
	 * records of layout in the window of input, or decodes events of a
	 * block. Returns how many, at most capacity; 0 at the end. Before the
	 * next call, input_len bytes of input are skipped; at a call input_len
	 * is 0. The functions of events use what was taken last.
	 */
	size_t (*take_records)(struct dmtrace_reader *reader, size_t capacity);
	const struct dmt_events_kind *events;
	size_t input_len;
	struct dmt_definitions definitions;	/* that are between the
						   records */
	size_t redefined;		/* how many redefinitions were passed */
	size_t named;			/* and how many namings */
	struct dmt_v2_reading *v2;	/* of trace format V2, else NULL */
	struct dmt_packet_cursor *cursor;	/* of a trace of packets, else
						   NULL */
	struct dmt_following *following;	/* of a stream that grows, else
						   NULL */
	bool summary_apart;		/* that of a stream is another file */
	bool size_stated;		/* set before the stream is opened: its
					   records have the size that the
					   header states, whatever they show */
	uint64_t ends_at;		/* offset in input of the end of the
					   records; UINT64_MAX: not known, or
					   the end of input */

	struct dmt_clocks *clocks;
	const uint8_t *records;		/* of the last read */
	size_t records_len;		/* in bytes */
	uint64_t position;		/* number of the next record */
	bool held;			/* it can return to the first record */
	uint64_t begins_at;		/* offset of the first record in
					   input */
	struct dmt_findings findings;
	bool noted;			/* all findings in records were
					   reported: later passes add none */
	struct dmtrace_error error;
};

/* Refuses a call that is out of order or was given NULL, which becomes the
 * reader's failure if it has none. Returns the status of the failure; if
 * reader is NULL, DMTRACE_ERR_STATE. */
enum dmtrace_status
dmt_reader_refuse(struct dmtrace_reader *reader, const char *call,
    bool null_given);

/* Returns DMTRACE_OK if the reader is open and no record was read. Otherwise
 * sets *error to the reader's failure, or to DMTRACE_ERR_STATE of that
 * call. */
enum dmtrace_status
dmt_reader_check_start(const struct dmtrace_reader *reader,
    struct dmtrace_error *error, const char *call);

/* Returns how often this finding was made so far. */
uint64_t
dmt_reader_found(const struct dmtrace_reader *reader,
    enum dmt_finding finding);

/* Returns true if path leads to a file that the reader has open. */
bool
dmt_reader_reads(const struct dmtrace_reader *reader, const char *path);

/* Facts about the file with the records: if it can be opened again, and its
 * size in bytes, 0 if unknown. */
bool
dmt_reader_is_file(const struct dmtrace_reader *reader);
uint64_t
dmt_reader_size(const struct dmtrace_reader *reader);

/* Gets how the events of the reader, which is open, are stored. */
void
dmt_reader_format(const struct dmtrace_reader *reader,
    struct dmt_trace_format *format);

/* Returns the nanoseconds of the start that the header's microseconds leave
 * out; 0 except in trace format V2. */
unsigned
dmt_reader_start_rest(const struct dmtrace_reader *reader);

/* Returns how many whole records len bytes of data contain, which begin with
 * the bytes before the first record. The reader is open. */
uint64_t
dmt_reader_records_in(const struct dmtrace_reader *reader, uint64_t len);

/* The lead is the bytes between the key and the first record, including the
 * data header. Both functions return its size; the second one copies it, with
 * the header of trace format V2 marked: its stage must not depend on the events
 * of a piece. */
size_t
dmt_reader_lead_len(const struct dmtrace_reader *reader);
size_t
dmt_reader_copy_lead(const struct dmtrace_reader *reader, uint8_t *out);

/* Copies the failure of one of its parts. Returns its status. */
enum dmtrace_status
dmt_reader_fail(struct dmtrace_reader *reader,
    const struct dmtrace_error *error);

/*
 * The steps of an open, for containers. They read the key from key_input, and
 * the bytes before the first record from the input with the records.
 */
enum dmtrace_status
dmt_reader_take_key(struct dmtrace_reader *reader);
enum dmtrace_status
dmt_reader_take_data(struct dmtrace_reader *reader,
    struct dmt_input *input);

/* Reads the header, which is next in input. */
enum dmtrace_status
dmt_reader_take_header(struct dmtrace_reader *reader);

/* Reports where the key contradicts the data, whose header is at offset
 * header_at. */
void
dmt_reader_compare(struct dmtrace_reader *reader, uint64_t header_at);

/* Reads len bytes before the magic. */
void
dmt_reader_take_gap(struct dmtrace_reader *reader, struct dmt_input *input,
    size_t len);

/*
 * Makes an open reader, one of many of which only the records are still
 * needed, use little memory: replaces its key by an empty one, and reads room
 * bytes at a time from then on. Its file joins the pool. Returns DMTRACE_OK,
 * DMTRACE_ERR_IO or DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_reader_narrow(struct dmtrace_reader *reader, struct dmt_pool *pool,
    size_t room);

/* Reads the next records, at most capacity of them, to reader->records, where
 * they are valid until the next call. Returns how many there are. */
size_t
dmt_reader_take(struct dmtrace_reader *reader, size_t capacity);

/* A take_records function for consecutive records up to the end of the
 * input. */
size_t
dmt_reader_take_following(struct dmtrace_reader *reader, size_t capacity);

/* Reports what is unusual in a record at that offset as findings. */
void
dmt_reader_note_odd(struct dmtrace_reader *reader, unsigned oddities,
    uint32_t thread, uint64_t offset);

/* Ends the reader when no whole record is left. Returns DMTRACE_OK or
 * DMTRACE_ERR_IO. */
enum dmtrace_status
dmt_reader_end(struct dmtrace_reader *reader);

/* Returns the bytes after the last whole record, which belong to the reader;
 * none before the end is reached. */
size_t
dmt_reader_tail(const struct dmtrace_reader *reader, const uint8_t **bytes);

/* Reports a finding if the key states another number of records. */
void
dmt_records_compare(const struct dmtrace_key *key, uint64_t records,
    struct dmt_findings *findings);

/*
 * Returns the raw records of the events of the last read, one after the other;
 * valid until the next read.
 */
const uint8_t *
dmt_reader_records(const struct dmtrace_reader *reader);

/* dmtrace_reader_open_pair for files in memory. */
enum dmtrace_status
dmt_reader_open_memory_pair(struct dmtrace_reader *reader,
    const void *key, size_t key_len, const void *data, size_t data_len);

#endif
