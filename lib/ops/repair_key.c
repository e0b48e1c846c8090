/* repair_key.c - the key of a trace under repair, as it should be */

#include "ops/repair.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "key/key.h"
#include "key/key_mend.h"

static enum dmtrace_status
decode(struct dmt_repair *repair, const struct dmt_sink *text,
    struct dmtrace_error *error)
{
	struct dmt_findings *const findings = calloc(1, sizeof(*findings));
	enum dmtrace_status status;

	if (findings == NULL)
		return dmt_error_memory(error);
	status = dmt_key_decode(repair->key, text->buffer, text->used,
	    findings);
	if (status != DMTRACE_OK)
		*error = *dmtrace_key_error(repair->key);
	free(findings);
	return status;
}

/* All of the key, but what stands before it: len bytes, to be freed. */
static enum dmtrace_status
read_text(struct dmt_repair *repair, char **text, size_t *len,
    struct dmtrace_error *error)
{
	struct dmt_source source;
	const uint8_t *bytes;

	dmt_half_read(&repair->key_half, 0, &source);
	*len = dmt_source_peek(&source, repair->key_len, &bytes);
	if (*len > repair->key_len)
		*len = repair->key_len;
	*text = dmt_array_new(*len + 1, 1);
	if (source.error.status != DMTRACE_OK)
		*error = source.error;
	else if (*text == NULL)
		dmt_error_memory(error);
	else
		memcpy(*text, bytes, *len);
	dmt_source_fini(&source);
	return error->status;
}

static enum dmtrace_status
mend_key(struct dmt_repair *repair, struct dmtrace_error *error)
{
	struct dmt_sink out;
	char *text = NULL;
	size_t len;

	dmt_sink_open_memory(&out);
	if (read_text(repair, &text, &len, error) == DMTRACE_OK) {
		if (dmt_key_mend(&out, (struct dmtrace_text){ text, len },
		    repair->is_cut, &repair->changes))
			decode(repair, &out, error);
		else
			dmt_error_memory(error);
	}
	dmt_sink_fini(&out);
	free(text);
	return error->status;
}

/* A key of nothing; the records will tell. */
static void
begin_key(struct dmt_repair *repair)
{
	dmt_change_add(&repair->changes, DMT_KEY_MISSING, 1,
	    DMTRACE_PLACE_NONE, 0, NULL);
}

enum dmtrace_status
dmt_repair_mend_key(struct dmt_repair *repair)
{
	struct dmtrace_error error = { 0 };

	repair->key = dmtrace_key_new();
	if (repair->key == NULL)
		dmt_error_memory(&error);
	else if (repair->key_half.fd < 0)
		begin_key(repair);
	else
		mend_key(repair, &error);
	return dmt_op_fail(repair->op, repair->in_file, &error);
}
