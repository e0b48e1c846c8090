/* join.c - joins a key and its data to one file; the reverse of split.c */

/*
 * The key is copied up to its end, then the data. The bytes do not change,
 * except that a missing line end after "*end" is added. Before the first byte
 * is written, both files are checked. Their first bytes show if they were
 * given in the wrong order; then they are exchanged. A reader of the key and
 * of the first block of the data compares their versions, and checks if one of
 * the first records has a method that the key lists: nothing else shows
 * whether they belong together. If they do not, the join fails, or reports a
 * finding if the caller's flags allow it. After the copy, the number of
 * records is compared with the key.
 */

#include <inttypes.h>

#include "base/error.h"
#include "base/escape.h"
#include "format/header.h"
#include "format/other_format.h"
#include "ops/file.h"
#include "ops/front.h"
#include "private/key.h"
#include "private/trace.h"
#include "trace/container.h"

#define PROBED_RECORDS 4096

/* The state of a join. */
struct join {
	struct dmtrace_op *op;
	unsigned flags;
	const struct dmtrace_file *key_file;
	const struct dmtrace_file *data_file;
	const struct dmtrace_file *out_file;
	struct dmt_input key;
	struct dmt_input data;
	uint64_t data_at;		/* in its file */
	struct dmt_output out;
	struct dmtrace_reader *reader;	/* reads the key and the first data */
};

/* Refuses files that do not belong together, or reports a finding if the flags
 * allow it. */
static enum dmtrace_status
judge_pair(struct join *join, const struct dmtrace_file *file,
    const struct dmtrace_error *error, unsigned allowed)
{
	if (error->status != DMTRACE_ERR_FOREIGN || !(join->flags & allowed))
		return dmt_op_fail(join->op, file, error);
	dmt_finding_add(dmt_op_findings(join->op, file), DMT_PAIR_FOREIGN,
	    error->place, error->at, "%s", error->message);
	return DMTRACE_OK;
}

/* Fails if the data file has no data. */
static enum dmtrace_status
check_join_data(struct join *join)
{
	struct dmtrace_error error = { 0 };
	char shown[DMT_FRONT_MAX];
	const uint8_t *bytes;

	if (dmt_input_has_magic(&join->data))
		return DMTRACE_OK;
	const bool is_key = dmt_input_has_key(&join->data);
	const size_t len =
	    dmt_input_peek(&join->data, DMT_OTHER_FORMAT_PROBE, &bytes);
	if (is_key)
		dmt_error_set(&error, DMTRACE_ERR_FOREIGN,
		    "begins with \"*version\", which is a key;"
		    " data begins with \"" DMT_MAGIC "\"");
	else if (join->data.error.status != DMTRACE_OK)
		error = join->data.error;
	else if (len == 0)
		dmt_error_set(&error, DMTRACE_ERR_NOT_TRACE,
		    "empty; data begins with \"" DMT_MAGIC "\"");
	else if (!dmt_other_format_name(&error, bytes, len))
		dmt_error_set(&error, DMTRACE_ERR_NOT_TRACE,
		    "begins with \"%s\"; data begins with \"" DMT_MAGIC "\"",
		    dmt_escape_front(shown, bytes, len));
	return dmt_op_fail(join->op, join->data_file, &error);
}

/* Sets error to DMTRACE_ERR_FOREIGN, with a place in the data, if the data
 * does not belong to the key. Data that cannot be read, or has no record, may
 * belong to any key. */
static void
find_foreign(struct dmtrace_reader *reader, struct dmtrace_error *error)
{
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	const struct dmt_header *const header =
	    dmt_reader_header(reader);
	const unsigned version = dmt_key_version(key);
	struct dmtrace_event event, first = { .method = 0 };
	unsigned count = 0;

	if (dmt_reader_layout(reader) == NULL)
		return;
	if (version != header->version && version != 0) {
		dmt_error_at(error, DMTRACE_ERR_FOREIGN, DMTRACE_PLACE_OFFSET,
		    DMT_HEADER_VERSION, "the data has version %u, the key %u",
		    header->version, version);
		return;
	}
	while (count < PROBED_RECORDS &&
	    dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		if (dmtrace_key_method_find(key, event.method) != NULL)
			return;
		if (count++ == 0)
			first = event;
	}
	if (count > 0)
		dmt_error_at(error, DMTRACE_ERR_FOREIGN, DMTRACE_PLACE_OFFSET,
		    header->data_offset, "none of the first %u records has a "
		    "method that the key lists; the first has 0x%" PRIx64,
		    count, first.method);
}

/* Identifies the two files, and checks if they belong together. */
static enum dmtrace_status
check_halves(struct join *join, struct dmt_front *front)
{
	struct dmtrace_op *const op = join->op;
	struct dmtrace_error error = { 0 };
	const uint8_t *bytes;

	dmt_input_skip_room(&join->data);
	join->data_at = join->data.offset;

	/* Their first bytes show the wrong order: exchange them. */
	if (dmt_input_has_magic(&join->key) &&
	    dmt_input_has_key(&join->data)) {
		const struct dmt_input input = join->key;
		const struct dmtrace_file *const file = join->key_file;

		dmt_error_set(&error, DMTRACE_ERR_FOREIGN, "the halves are"
		    " swapped: the key begins with \"" DMT_MAGIC "\","
		    " the data with \"*version\"");
		if (judge_pair(join, file, &error, DMTRACE_JOIN_FORCE) !=
		    DMTRACE_OK)
			return op->error.status;
		join->key = join->data;
		join->key_file = join->data_file;
		join->data = input;
		join->data_file = file;
		dmt_error_clear(&error);
	}

	/* Find the key, which nothing follows. */
	if (dmt_front_find(front, &join->key, &error) != DMTRACE_OK)
		return dmt_op_fail(op, join->key_file, &error);
	if (!front->ends)
		dmt_error_at(&error, DMTRACE_ERR_FOREIGN, DMTRACE_PLACE_OFFSET,
		    front->len, "the key has data of its own after \"*end\";"
		    " \"dmtrace merge\" puts traces or pieces together");
	if (judge_pair(join, join->key_file, &error, DMTRACE_JOIN_FORCE) !=
	    DMTRACE_OK || check_join_data(join) != DMTRACE_OK)
		return op->error.status;

	/* Look at the first block only. */
	const size_t len = dmt_input_peek(&join->data, DMT_BLOCK_SIZE,
	    &bytes);
	join->reader = dmtrace_reader_new();
	if (join->reader == NULL || dmt_reader_open_memory_pair(
	    join->reader, front->bytes, front->len, bytes, len) ==
	    DMTRACE_ERR_MEMORY)
		return dmt_error_memory(&op->error);
	dmt_error_clear(&error);
	find_foreign(join->reader, &error);
	return judge_pair(join, join->data_file, &error,
	    DMTRACE_JOIN_FORCE | DMTRACE_JOIN_EXACT);
}

static enum dmtrace_status
write_joined(struct join *join, const struct dmt_front *front)
{
	struct dmtrace_op *const op = join->op;
	const bool whole = front->bytes[front->key_len - 1] == '\n';
	const bool exact = join->flags & DMTRACE_JOIN_EXACT;

	/* The line end after "*end" may be missing only at the end of a
	 * file. */
	dmt_output_write(&join->out, front->bytes, front->key_len);
	if (!whole)
		dmt_finding_add(dmt_op_findings(op, join->key_file),
		    DMT_KEY_END_NO_LF, DMTRACE_PLACE_OFFSET, front->key_len,
		    exact ? "left so" : "added");
	if (!whole && !exact)
		dmt_output_write(&join->out, "\n", 1);
	dmt_output_write(&join->out, front->bytes + front->key_len,
	    front->len - front->key_len);

	dmt_data_copy(op, &join->out, &join->data, join->data_file);
	dmt_output_finish(&join->out);
	dmt_op_fail(op, join->data_file, &join->data.error);
	if (dmt_op_fail(op, join->out_file, &join->out.error) != DMTRACE_OK)
		return op->error.status;
	if (dmt_reader_layout(join->reader) != NULL)
		dmt_records_compare(dmtrace_reader_key(join->reader),
		    dmt_reader_records_in(join->reader,
		    join->data.offset - join->data_at),
		    dmt_op_findings(op, join->key_file));
	dmt_output_publish(&join->out);
	return dmt_op_fail(op, join->out_file, &join->out.error);
}

enum dmtrace_status
dmtrace_join(struct dmtrace_op *op, const struct dmtrace_file *key,
    const struct dmtrace_file *data, const struct dmtrace_file *out,
    unsigned flags)
{
	struct join join = {
		.op = op,
		.flags = flags,
		.key_file = key,
		.data_file = data,
		.out_file = out
	};
	struct dmt_front front;

	if (dmt_op_begin_call(op, __func__, key == NULL ||
	    data == NULL || out == NULL) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (dmt_op_check_flags(op, __func__, flags, DMT_FILE_FLAGS |
	    DMTRACE_JOIN_EXACT | DMTRACE_JOIN_FORCE) != DMTRACE_OK)
		return op->error.status;
	dmt_input_open_memory(&join.key, NULL, 0);
	dmt_input_open_memory(&join.data, NULL, 0);
	if (dmt_file_read(op, &join.key, key) == DMTRACE_OK &&
	    dmt_file_read(op, &join.data, data) == DMTRACE_OK &&
	    check_halves(&join, &front) == DMTRACE_OK &&
	    dmt_file_write(op, &join.out, out, flags) == DMTRACE_OK)
		write_joined(&join, &front);
	dmtrace_reader_free(join.reader);
	dmt_output_fini(&join.out);
	dmt_input_fini(&join.data);
	dmt_input_fini(&join.key);
	return op->error.status;
}
