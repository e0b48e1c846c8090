/* container.h - recognises a trace by the first bytes of the file */
#ifndef DMT_TRACE_CONTAINER_H
#define DMT_TRACE_CONTAINER_H

#include "data/v2_stage.h"
#include "trace/reader.h"

/* How many first bytes are enough to recognise any container. For a dump of
 * long-running methods, they must hold a name and the packet after it. */
#define DMT_CONTAINER_PROBE DMT_V2_DUMP_LOOK

/* The suffix of the file next to a stream that Android 6 and 7 wrote the
 * summary to. */
#define DMT_STREAM_SUMMARY_SUFFIX ".sec"

struct dmt_container {
	enum dmtrace_container container;
	const struct dmt_dialect *dialect;
	const struct dmt_packet_format *packets;	/* NULL: there are no
							   packets */
	bool (*recognises)(const uint8_t *bytes, size_t len);
	/* Reads key_input up to the first record. */
	enum dmtrace_status (*open)(struct dmtrace_reader *reader);
};

/* Returns the container that the bytes begin; NULL: none. */
const struct dmt_container *
dmt_container_of(const uint8_t *bytes, size_t len);

/*
 * If the input is a trace in its text form, what the text means takes its
 * place, in a temporary file; otherwise nothing happens.
 *
 * Returns DMTRACE_OK, or with error set what dmt_text_undump returns
 */
enum dmtrace_status
dmt_input_undump(struct dmt_input *input, struct dmtrace_error *error);

/* dmt_output_open_path for a trace: if path ends in ".dmt", the file gets its
 * text form. */
enum dmtrace_status
dmt_output_open_trace(struct dmt_output *output, const char *path);

/* Turns the bytes of a trace that were written to a temporary into its text
 * form. Returns the status of output. */
enum dmtrace_status
dmt_output_write_text(struct dmt_output *output);

/* Returns the container that the first bytes of the input begin, after
 * dmt_input_undump. NULL with error set: an unknown one, or the input cannot be
 * read. */
const struct dmt_container *
dmt_container_find(struct dmt_input *input, struct dmtrace_error *error);

/*
 * Opens the first file that exists of the names that path may stand for (see
 * dmt_path_name). input is open or ended. Returns DMTRACE_OK, or with error
 * set DMTRACE_ERR_IO or DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_input_open_base(struct dmt_input *input, const char *path,
    struct dmtrace_error *error);

/*
 * Opens the other file of the pair of path (see dmt_path_partner). Returns
 * DMTRACE_OK; DMTRACE_END: path is no file of a pair, or the other one does
 * not exist, and other is ended; or with error set DMTRACE_ERR_IO or
 * DMTRACE_ERR_MEMORY.
 */
enum dmtrace_status
dmt_input_open_partner(struct dmt_input *other, const char *path,
    struct dmtrace_error *error);

/* Return true if the input begins with a key, with the magic of a data header,
 * or is an event log. */
bool
dmt_input_has_key(struct dmt_input *input);
bool
dmt_input_has_magic(struct dmt_input *input);
bool
dmt_input_has_eventlog(struct dmt_input *input);

/*
 * Data whose key is in another file may begin with the room that a recorder
 * has reserved for the key (see lib/record/files.c), if it was killed or could
 * not write the key there. Skips this room, if the input has one.
 */
void
dmt_input_skip_room(struct dmt_input *input);

/*
 * Makes the input's window contain its whole key, *size bytes at *bytes. The
 * input begins with a key; the limits are those of key.
 *
 * Returns DMTRACE_OK, or with error set the status of dmt_key_find_end or of
 * the input
 */
enum dmtrace_status
dmt_input_find_key(struct dmt_input *input, struct dmtrace_key *key,
    const uint8_t **bytes, size_t *size, struct dmtrace_error *error);

/* Searches for the magic of a data header, from offset after of the window on.
 * Returns how many bytes of padding precede it, 0 to DMT_GAP_MAX; -1: not
 * found. */
int
dmt_input_find_magic(struct dmt_input *input, size_t after);

/* The open functions of the rows. For a key or data alone, they look for the
 * other file of the pair by its name. */
enum dmtrace_status
dmt_joined_open(struct dmtrace_reader *reader);
enum dmtrace_status
dmt_data_open(struct dmtrace_reader *reader);

enum dmtrace_status
dmt_stream_open(struct dmtrace_reader *reader);
enum dmtrace_status
dmt_v2_open(struct dmtrace_reader *reader);

enum dmtrace_status
dmt_v2_open_dump(struct dmtrace_reader *reader);

/* dmt_base64_begins returns true if data follows as base64 text;
 * dmt_base64_open opens such a trace, after its key. */
bool
dmt_base64_begins(struct dmt_input *input);
enum dmtrace_status
dmt_base64_open(struct dmtrace_reader *reader);

/* Opens a pair whose files are key_input and data_input. */
enum dmtrace_status
dmt_pair_open(struct dmtrace_reader *reader);

#endif
