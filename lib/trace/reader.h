/* reader.h - a trace that is being read, and what no field of it holds */
#ifndef DMT_TRACE_READER_H
#define DMT_TRACE_READER_H

#include <dmtrace/trace.h>

#include "base/input.h"
#include "data/record_decode.h"
#include "format/finding.h"
#include "format/layout.h"
#include "private/trace.h"
#include "trace/definitions.h"

struct dmt_tallies;
struct dmt_v2_reading;

/* Bytes between the key and the magic, at most. */
#define DMT_GAP_MAX 8

enum dmt_reader_state {
	DMT_READER_NEW,
	DMT_READER_OPEN,
	DMT_READER_ENDED,		/* the rest was reported */
	DMT_READER_FAILED
};

struct dmt_reader_name {
	char *bytes;
	size_t size;
};

struct dmtrace_reader {
	enum dmt_reader_state state;
	enum dmtrace_container container;
	struct dmt_input key_input;	/* of a joined trace: all of it */
	struct dmt_input data_input;	/* of a pair */
	struct dmt_input *input;	/* the one with the records */

	struct dmtrace_key *key;
	struct dmt_reader_name thread_name;	/* the last of each that was */
	struct dmt_reader_name method_name;	/* asked for */
	bool has_key;			/* it is decoded */
	bool base64_ended;		/* of data that is base64 text */
	uint8_t gap[2 * DMT_GAP_MAX];	/* after the key, before the magic */
	size_t gap_in_key;		/* how many are after the key, */
	size_t gap_in_data;		/* before the magic of a pair's data */
	struct dmt_header header;
	uint8_t *header_bytes;		/* data_offset of them; NULL: none */
	unsigned start_rest_ns;		/* beyond the header's microseconds */
	struct dmt_layout layout;

	/*
	 * Of the container: makes *records whole records of layout, in the
	 * window of input, or in trace format V2 fills columns (see below),
	 * and returns how many, at most capacity, 0 at the end. input_len
	 * bytes of input are skipped before the next call, for which it is 0.
	 */
	size_t (*take_records)(struct dmtrace_reader *reader, size_t capacity);
	size_t input_len;
	struct dmt_definitions definitions;	/* between the records */
	size_t redefined;		/* how many redefinitions are past */
	struct dmt_v2_reading *v2;	/* of trace format V2, else NULL */
	struct dmt_following *following;	/* of a stream that grows */
	uint64_t ends_at;		/* the last record, in input; 0: at
					   its end */

	struct dmt_clocks *clocks;
	const uint8_t *records;		/* of the last read */
	size_t records_len;		/* in bytes */
	uint64_t position;		/* records */
	bool held;			/* it can go back */
	uint64_t begins_at;		/* the first record, in source */
	struct dmt_findings findings;
	bool noted;			/* those of the records are complete,
					   another pass adds none */
	struct dmtrace_error error;
};

/* Refuses a call out of order, or that was given NULL, which is the reader's
 * failure if it has none. Returns the failure, of NULL DMTRACE_ERR_STATE. */
enum dmtrace_status
dmt_reader_refuse(struct dmtrace_reader *reader, const char *call,
    bool null_given);

/* Whether it is open, and no record was read. If not, *error gets the reader's
 * own failure, or DMTRACE_ERR_STATE of that call. */
enum dmtrace_status
dmt_reader_check_start(const struct dmtrace_reader *reader,
    struct dmtrace_error *error, const char *call);

/* How often it has found this so far. */
uint64_t
dmt_reader_found(const struct dmtrace_reader *reader,
    enum dmt_finding finding);

/* Whether path leads to a file that it has open. */
bool
dmt_reader_reads(const struct dmtrace_reader *reader, const char *path);

/* What the records are in: whether it is a file that can be opened once more;
 * its bytes, 0: not known. */
bool
dmt_reader_is_file(const struct dmtrace_reader *reader);
uint64_t
dmt_reader_size(const struct dmtrace_reader *reader);

/* The form of the blocks of trace format V2; NULL: the trace is in another
 * format. */
const struct dmt_v2_form *
dmt_reader_form(const struct dmtrace_reader *reader);

/* The nanoseconds of its start that the header's microseconds leave out; only
 * trace format V2 has any. */
unsigned
dmt_reader_start_rest(const struct dmtrace_reader *reader);

/* Of an open reader: whole records in len bytes of data, which begin with the
 * bytes before the first one. */
uint64_t
dmt_reader_records_in(const struct dmtrace_reader *reader, uint64_t len);

/*
 * The lead: the bytes between the key and the first record, the data header
 * among them. How many they are, and how many of them a pair has in its data;
 * and a copy of them, which returns the former.
 */
size_t
dmt_reader_lead_len(const struct dmtrace_reader *reader);
size_t
dmt_reader_data_lead_len(const struct dmtrace_reader *reader);
size_t
dmt_reader_copy_lead(const struct dmtrace_reader *reader, uint8_t *out);

/* Takes over the failure of one of its parts. Returns its status. */
enum dmtrace_status
dmt_reader_fail(struct dmtrace_reader *reader,
    const struct dmtrace_error *error);

/*
 * The steps of an open, for the containers: the key from key_input, and from
 * the source with the records the bytes before the first of them.
 */
enum dmtrace_status
dmt_reader_take_key(struct dmtrace_reader *reader);
enum dmtrace_status
dmt_reader_take_data(struct dmtrace_reader *reader,
    struct dmt_input *input);

/* The header, which input has next. */
enum dmtrace_status
dmt_reader_take_header(struct dmtrace_reader *reader);

/* Reports where the key says something else than the data, whose header is at
 * header_at. */
void
dmt_reader_compare(struct dmtrace_reader *reader, uint64_t header_at);

/* len bytes before the magic. */
void
dmt_reader_take_gap(struct dmtrace_reader *reader, struct dmt_input *input,
    size_t len);

/*
 * Of an open reader that is one of many, whose records alone are still wanted:
 * frees its key, in place of which there is an empty one, and reads by room
 * bytes from here on. Its file joins the pool. Returns DMTRACE_OK,
 * DMTRACE_ERR_IO or DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_reader_narrow(struct dmtrace_reader *reader, struct dmt_pool *pool,
    size_t room);

/* The next records, at most capacity of them: they are at reader->records
 * until the next call. Returns how many they are. */
size_t
dmt_reader_take(struct dmtrace_reader *reader, size_t capacity);

/* A take_records function, for records that follow each other up to the end of
 * the input. */
size_t
dmt_reader_take_following(struct dmtrace_reader *reader, size_t capacity);

/* What is unusual in records becomes findings; and the findings of one record,
 * which is at offset. */
struct dmt_watch
dmt_reader_watch(struct dmtrace_reader *reader);
void
dmt_reader_note_odd(struct dmtrace_reader *reader, unsigned oddities,
    uint32_t thread, uint64_t offset);

/* Ends the reader, of which no whole record is left. Returns DMTRACE_OK or
 * DMTRACE_ERR_IO. */
enum dmtrace_status
dmt_reader_end(struct dmtrace_reader *reader);

/* The bytes after the last whole record, which belong to the reader; none
 * before the end is reached. */
size_t
dmt_reader_tail(const struct dmtrace_reader *reader, const uint8_t **bytes);

/* Reports if the key has another number of records. */
void
dmt_records_compare(const struct dmtrace_key *key, uint64_t records,
    struct dmt_findings *findings);

/*
 * The records of the events of the last read, as the file has them, one after
 * the other; until the next read. They can be written unchanged by
 * dmt_writer_write_records, with what no field of the event holds.
 */
const uint8_t *
dmt_reader_records(const struct dmtrace_reader *reader);

/* dmtrace_reader_open_pair by bytes. */
enum dmtrace_status
dmt_reader_open_memory_pair(struct dmtrace_reader *reader,
    const void *key, size_t key_len, const void *data, size_t data_len);

#endif
