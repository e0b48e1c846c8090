/* front.c - finds the key and the start of the data; copies the data */

/*
 * The key ends with its line "*end". The magic follows at once, or after a gap
 * of at most 8 bytes; if there is no magic, but the file ends within that
 * distance, the bytes are the gap of a key alone. The key and the gap, called
 * the front, stay in the input's window, so that the caller can copy them or
 * open a reader on them. The data is copied without looking at it.
 */

#include "ops/front.h"

#include "base/error.h"
#include "data/header_decode.h"
#include "format/header.h"
#include "ops/file.h"
#include "private/key.h"
#include "trace/container.h"
#include "trace/dialect.h"

/* Fails because the file does not begin with a key. */
static enum dmtrace_status
refuse_front(const struct dmt_dialect *dialect, struct dmtrace_error *error)
{
	return dialect->packets ? dmt_error_set(error,
	    DMTRACE_ERR_UNSUPPORTED, "this is %s, which has no key of its own;"
	    " \"dmtrace convert\" writes a trace that has one",
	    dialect->title) : dmt_error_set(error, DMTRACE_ERR_FOREIGN,
	    "begins with \"" DMT_MAGIC "\", which is data;"
	    " a key begins with \"*version\"");
}

enum dmtrace_status
dmt_front_find(struct dmt_front *front, struct dmt_input *input,
    struct dmtrace_error *error)
{
	const struct dmt_container *const found =
	    dmt_container_find(input, error);

	if (found == NULL)
		return error->status;
	if (found->container != DMTRACE_CONTAINER_JOINED)
		return refuse_front(found->dialect, error);

	/* Find the end of the key; the new key is only needed for its
	 * limits. */
	struct dmtrace_key *const key = dmt_key_new();
	if (key == NULL)
		return dmt_error_memory(error);
	dmt_input_find_key(input, key, &front->bytes, &front->key_len,
	    error);
	dmt_key_free(key);
	if (error->status != DMTRACE_OK)
		return error->status;

	/* Find the gap after it. */
	const size_t key_len = front->key_len;
	const int gap = dmt_input_find_magic(input, key_len);
	const size_t after = dmt_input_peek(input,
	    key_len + DMT_GAP_MAX + 1, &front->bytes) - key_len;
	front->has_data = gap >= 0;
	front->ends = gap < 0 && after <= DMT_GAP_MAX;
	front->len = key_len;
	if (front->has_data)
		front->len += (size_t)gap;
	else if (front->ends)
		front->len += after;
	*error = input->error;
	return error->status;
}

void
dmt_data_copy(struct dmtrace_op *op, struct dmt_output *output,
    struct dmt_input *input, const struct dmtrace_file *file)
{
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(input, DMT_HEADER_MIN, &bytes);
	const unsigned version = dmt_header_look(bytes, len).version;

	if (len >= DMT_HEADER_OFFSET &&
	    (version < DMT_VERSION_MIN || version > DMT_VERSION_MAX))
		dmt_finding_add(dmt_op_findings(op, file),
		    DMT_VERSION_UNKNOWN, DMTRACE_PLACE_OFFSET,
		    input->offset + DMT_HEADER_VERSION, "%u", version);
	dmt_file_copy(op, output, input, UINT64_MAX);
}
