/* dialect.c - the dialects of the format: what differs between them */

/*
 * A dialect is written and read by functions of its own (struct dmt_dialect);
 * this table names those that can be written, as -d does. What one of them can
 * hold is in its row and in its layouts.
 */

#include "trace/dialect.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "format/header.h"
#include "private/key.h"
#include "private/names.h"
#include "private/trace.h"

enum clocks { ONE, TWO, ONE_OR_TWO };

static const struct {
	const struct dmt_dialect *dialect;
	enum clocks clocks;
} written_dialects[DMT_DIALECTS + 1] = {
	[DMTRACE_DIALECT_V1] = { &dmt_dialect_records, ONE },
	[DMTRACE_DIALECT_V2] = { &dmt_dialect_records, ONE },
	[DMTRACE_DIALECT_V3] = { &dmt_dialect_records, ONE_OR_TWO },
	[DMTRACE_DIALECT_F2] = { &dmt_dialect_stream, ONE },
	[DMTRACE_DIALECT_F3] = { &dmt_dialect_stream, TWO },
	[DMTRACE_DIALECT_V4] = { &dmt_dialect_v2, ONE },
	[DMTRACE_DIALECT_V5] = { &dmt_dialect_v2, TWO },
	[DMTRACE_DIALECT_F4] = { &dmt_dialect_v2, ONE },
	[DMTRACE_DIALECT_F5] = { &dmt_dialect_v2, TWO },
};

/* Says which dialects have stages. */
static enum dmtrace_status
refuse_stage(struct dmtrace_error *error, enum dmtrace_dialect dialect)
{
	char names[64] = "";
	size_t len = 0;

	for (size_t i = 1; i <= DMT_DIALECTS; i++)
		if (written_dialects[i].dialect->set_stage != NULL &&
		    len < sizeof(names))
			len += (size_t)snprintf(names + len,
			    sizeof(names) - len, "%s%s", len > 0 ? ", " : "",
			    dmt_dialect_names[i - 1]);
	return dmt_error_set(error, DMTRACE_ERR_RANGE,
	    "dialect %s has no stages; those with stages are %s",
	    dmt_dialect_names[dialect - 1], names);
}

enum dmtrace_status
dmt_format_choose(struct dmt_trace_format *format,
    enum dmtrace_dialect dialect, enum dmtrace_stage stage,
    enum dmtrace_clock clock, const struct dmt_trace_format *like,
    struct dmtrace_error *error)
{
	const struct dmt_version *const row = dmt_version_of(dialect);

	if (dialect == 0 || row == NULL || (unsigned)stage > DMTRACE_STAGE_F)
		return dmt_error_set(error, DMTRACE_ERR_RANGE,
		    "there is no such dialect");
	const struct dmt_dialect *const to = written_dialects[dialect].dialect;
	const enum clocks clocks = written_dialects[dialect].clocks;
	const unsigned version = row->records;

	if (stage != DMTRACE_STAGE_ANY && to->set_stage == NULL)
		return refuse_stage(error, dialect);
	if (clock == DMTRACE_CLOCK_MISSING)
		clock = clocks != ONE ? DMTRACE_CLOCK_DUAL :
		    like == NULL || dmt_layout_has_wall(&like->layout) ?
		    DMTRACE_CLOCK_WALL : DMTRACE_CLOCK_THREAD_CPU;
	const struct dmt_layout *const layout =
	    dmt_layout_any(version, clock);
	if (layout == NULL || (clocks == TWO && clock != DMTRACE_CLOCK_DUAL))
		return dmt_error_set(error, DMTRACE_ERR_RANGE,
		    "records of version %u have %s", version, clocks == ONE ?
		    "one clock, \"cpu\" or \"wall\"" :
		    "two clocks, \"dual\"");
	*format = (struct dmt_trace_format){
		.dialect = to,
		.version = row->header,
		.layout = *layout
	};
	if (to->set_stage != NULL)
		to->set_stage(format, stage, like);
	return DMTRACE_OK;
}

struct dmt_writing *
dmt_writing_new(const struct dmt_trace_format *format)
{
	struct dmt_writing *const writing =
	    format->dialect->writing_new(format);

	if (writing == NULL)
		return NULL;
	writing->format = *format;
	writing->encode = dmt_columns_encode;
	return writing;
}

struct dmt_writing *
dmt_writing_new_like(const struct dmt_trace_format *format)
{
	struct dmt_writing *const writing = dmt_writing_new(format);

	if (writing == NULL)
		return NULL;
	writing->encode = dmt_columns_copy;
	writing->modulo = true;
	return writing;
}

void
dmt_writing_free(struct dmt_writing *writing)
{
	if (writing == NULL)
		return;
	dmt_idmap_fini(&writing->methods.ids);
	free(writing->methods.is_last);
	dmt_idmap_fini(&writing->names);
	writing->format.dialect->writing_free(writing);
}

bool
dmt_note_announced(struct dmt_announced *methods, uint64_t id, uint32_t row)
{
	uint32_t *const last = dmt_idmap_at(&methods->ids, id);

	if (last == NULL)
		return false;
	if (row > methods->row_count) {
		uint8_t *const is_last = dmt_array_grow_zero(methods->is_last,
		    &methods->row_count, row, 1);

		if (is_last == NULL)
			return false;
		methods->is_last = is_last;
	}
	if (*last != 0 && *last != DMT_FORGOTTEN)
		methods->is_last[*last - 1] = 0;
	if (row != 0)
		methods->is_last[row - 1] = 1;
	*last = row;
	return true;
}

void
dmt_writing_forget(struct dmt_writing *writing, const uint64_t *ids,
    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t *const last =
		    dmt_idmap_find(&writing->methods.ids, ids[i]);

		if (last != NULL && *last != 0) {
			dmt_note_announced(&writing->methods, ids[i], 0);
			*last = DMT_FORGOTTEN;
		}
	}
	dmt_idmap_fini(&writing->names);
	writing->forgot_names = true;
}

const struct dmtrace_thread *
dmt_writing_new_name(const struct dmt_writing *writing,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t at, bool announced)
{
	const struct dmt_indexed_thread *const thread =
	    &source->indexes->threads[batch->thread[at]];
	const uint32_t name = batch->names == NULL ? 0 : batch->names[at];
	const struct dmtrace_thread *const row = name == 0 ? thread->row :
	    dmtrace_key_thread_get(source->key, name - 1);

	if (!announced)
		return row;
	if (name == 0)
		return NULL;
	const uint32_t *const last =
	    dmt_idmap_find(&writing->names, thread->number);
	return (last != NULL ? *last == name :
	    !writing->forgot_names && row == thread->row) ? NULL : row;
}

bool
dmt_writing_note_name(struct dmt_writing *writing,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t at)
{
	if (batch->names == NULL || batch->names[at] == 0)
		return true;
	uint32_t *const last = dmt_idmap_at(&writing->names,
	    source->indexes->threads[batch->thread[at]].number);
	if (last != NULL)
		*last = batch->names[at];
	return last != NULL;
}

uint64_t
dmt_format_start(const struct dmt_trace_format *format, uint64_t start,
    unsigned rest_ns)
{
	const struct dmt_header header = { .start = start };
	const uint64_t us = dmt_header_start_us(&header);

	if (!format->ns)
		return start;
	return us > UINT64_MAX / 1000 ? UINT64_MAX : us * 1000 + rest_ns;
}
