/* asks.h - selections for tests, and whole traces filtered by them */

#ifndef ASKS_H
#define ASKS_H

#include <dmtrace.h>
#include <string.h>

#include "helpers/drip.h"
#include "helpers/unit.h"
#include "private/ops.h"
#include "private/select.h"
#include "private/trace.h"

#define US UINT64_C(1000)

/* Conditions; zero is none, but to must not be 0 with a window. */
struct ask {
	const char *threads[2];
	const char *methods[2];
	const char *under;
	const char *hide;
	uint64_t from, to;
	uint32_t first, last;
	uint64_t min;
	int raw, invert;
	int keep_tables, allow_empty;	/* of a filter */
};

static inline enum dmtrace_status
ask_add(struct dmt_selection *selection,
    enum dmt_condition_kind condition, const char *text)
{
	return text == NULL ? DMTRACE_OK :
	    dmt_selection_add(selection, condition, text);
}

/* What of the asked went wrong first. */
static inline enum dmtrace_status
ask(struct dmt_selection *selection, const struct ask *asked)
{
	const enum dmtrace_status statuses[] = {
		ask_add(selection, DMT_SELECT_THREAD, asked->threads[0]),
		ask_add(selection, DMT_SELECT_THREAD, asked->threads[1]),
		ask_add(selection, DMT_SELECT_METHOD, asked->methods[0]),
		ask_add(selection, DMT_SELECT_METHOD, asked->methods[1]),
		ask_add(selection, DMT_SELECT_UNDER, asked->under),
		ask_add(selection, DMT_SELECT_HIDE, asked->hide),
		asked->to == 0 ? DMTRACE_OK : dmt_selection_set_window(
		    selection, asked->from, asked->to, asked->raw),
		asked->last == 0 ? DMTRACE_OK : dmt_selection_set_depth(
		    selection, asked->first, asked->last),
	};

	dmt_selection_set_min_time(selection, asked->min);
	dmt_selection_set_invert(selection, asked->invert);
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (statuses[i] != DMTRACE_OK)
			return statuses[i];
	return DMTRACE_OK;
}

/* A trace in memory; the caller frees bytes. */
struct whole {
	uint8_t *bytes;
	size_t len;
};

static inline enum dmtrace_status
filter_open(struct dmtrace_reader *reader, struct dmtrace_writer *writer,
    const struct ask *asked, struct dmt_selection *selection)
{
	enum dmtrace_status status = ask(selection, asked);

	if (status == DMTRACE_OK)
		status = dmt_selection_resolve(selection,
		    dmtrace_reader_key(reader), dmt_reader_layout(reader));
	if (status == DMTRACE_OK)
		status = dmtrace_writer_set_like(writer, reader);
	return status == DMTRACE_OK ? dmtrace_writer_open_memory(writer) :
	    status;
}

static inline enum dmtrace_status
filter_take(struct dmtrace_writer *writer, struct whole *out,
    enum dmtrace_status status)
{
	const enum dmtrace_status closed = dmtrace_writer_close(writer);

	if (closed != DMTRACE_OK)
		return closed;
	const void *const bytes = dmtrace_writer_memory(writer, &out->len);
	out->bytes = malloc(out->len);
	if (out->bytes == NULL)
		return DMTRACE_ERR_MEMORY;
	memcpy(out->bytes, bytes, out->len);
	return status;
}

/* An open reader, filtered to memory. */
static inline enum dmtrace_status
filter_reader(struct dmtrace_reader *reader, const struct ask *asked,
    struct whole *out)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmt_selection *const selection = dmt_selection_new();
	const struct dmt_filter_options options = {
		.selection = selection,
		.keep_tables = asked->keep_tables,
		.allow_empty = asked->allow_empty
	};
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	*out = (struct whole){ NULL, 0 };
	if (op != NULL && writer != NULL && selection != NULL)
		status = filter_open(reader, writer, asked, selection);
	if (status == DMTRACE_OK)
		status = dmt_filter(op, reader, writer, &options);
	if (status == DMTRACE_OK ||
	    (status == DMTRACE_END && asked->allow_empty))
		status = filter_take(writer, out, status);
	dmt_selection_free(selection);
	dmtrace_writer_free(writer);
	dmtrace_op_free(op);
	return status;
}

/* piece: bytes that one read gives; 0: the trace is memory. */
static inline enum dmtrace_status
filter_bytes(const void *bytes, size_t len, size_t piece,
    const struct ask *asked, struct whole *out)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct drip drip = { bytes, len, piece };
	const struct dmtrace_input input = { drip_read, &drip };
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	*out = (struct whole){ NULL, 0 };
	if (reader != NULL)
		status = piece == 0 ?
		    dmtrace_reader_open_memory(reader, bytes, len) :
		    dmtrace_reader_open_input(reader, &input);
	if (status == DMTRACE_OK)
		status = filter_reader(reader, asked, out);
	dmtrace_reader_free(reader);
	return status;
}

#endif
