/* rejoin.c - the pieces of a trace to what it was; the mirror of pieces.c */

#include "ops/rejoin.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/path.h"

static enum dmtrace_status
copy_part(struct dmt_rejoin *rejoin, struct dmt_part *part)
{
	const size_t size = rejoin->layout.record_size;
	struct dmtrace_reader *reader;
	const uint8_t *in;

	enum dmtrace_status status = dmt_part_open(rejoin, part, &reader);
	if (status == DMTRACE_OK)
		status = dmt_part_take(rejoin, part, reader->source,
		    part->facts.records * size, &rejoin->sink);
	if (status == DMTRACE_OK)
		status = dmt_part_take(rejoin, part, reader->source,
		    part->facts.closed * size, NULL);
	if (status == DMTRACE_OK) {
		const size_t len = dmt_source_peek(reader->source, size, &in);
		status = dmt_op_fail(rejoin->op, &part->file,
		    &reader->source->error);
		if (status == DMTRACE_OK)
			status = dmt_part_take_tail(rejoin, part, in, len);
	}
	dmt_reader_leave(reader, &rejoin->legacy);
	return status;
}

static enum dmtrace_status
copy_all(struct dmt_rejoin *rejoin)
{
	if (rejoin->parts[0].facts.by == DMTRACE_PIECES_THREAD)
		return dmt_rejoin_threads(rejoin);
	for (size_t i = 0; i < rejoin->count; i++)
		if (copy_part(rejoin, &rejoin->parts[i]) != DMTRACE_OK)
			return rejoin->op->error.status;
	return DMTRACE_OK;
}

static void
open_half(struct dmt_rejoin *rejoin, struct dmt_sink *sink, const char *path)
{
	dmt_sink_open_path(sink, path);
	sink->no_replace = rejoin->flags & DMTRACE_NO_REPLACE;
	sink->sync = rejoin->flags & DMTRACE_SYNC;
}

/* The names of a pair, or that of a joined file. */
static enum dmtrace_status
open_output(struct dmt_rejoin *rejoin, const struct dmtrace_file *out)
{
	const bool is_key = dmt_path_ends(out->path, ".key");
	char *partner;

	if (out->path == NULL)
		dmt_sink_open_fd(&rejoin->sink, out->fd);
	else if (!is_key && !dmt_path_ends(out->path, ".data"))
		open_half(rejoin, &rejoin->sink, out->path);
	else {
		partner = dmt_path_partner(out->path);
		if (partner == NULL)
			return dmt_error_memory(&rejoin->op->error);
		open_half(rejoin, &rejoin->key_sink,
		    is_key ? out->path : partner);
		open_half(rejoin, &rejoin->sink,
		    is_key ? partner : out->path);
		free(partner);
	}
	dmt_op_fail(rejoin->op, out, &rejoin->key_sink.error);
	return dmt_op_fail(rejoin->op, out, &rejoin->sink.error);
}

/* The data gets its name before the key. */
static enum dmtrace_status
finish(struct dmt_rejoin *rejoin, const struct dmtrace_file *out)
{
	struct dmtrace_op *const op = rejoin->op;

	dmt_sink_write(&rejoin->sink, rejoin->tail, rejoin->tail_len);
	dmt_sink_finish(&rejoin->key_sink);
	dmt_sink_finish(&rejoin->sink);
	dmt_op_fail(op, out, &rejoin->key_sink.error);
	if (dmt_op_fail(op, out, &rejoin->sink.error) != DMTRACE_OK)
		return op->error.status;
	if (dmt_sink_publish(&rejoin->sink) == DMTRACE_OK &&
	    dmt_sink_publish(&rejoin->key_sink) != DMTRACE_OK)
		dmt_sink_withdraw(&rejoin->sink);
	dmt_op_fail(op, out, &rejoin->key_sink.error);
	return dmt_op_fail(op, out, &rejoin->sink.error);
}

static enum dmtrace_status
run(struct dmt_rejoin *rejoin, const char *const *paths,
    const struct dmtrace_file *out)
{
	struct dmt_sink *key = &rejoin->sink;

	if (dmt_rejoin_look(rejoin, paths) != DMTRACE_OK ||
	    open_output(rejoin, out) != DMTRACE_OK)
		return rejoin->op->error.status;
	if (rejoin->key_sink.path != NULL)
		key = &rejoin->key_sink;
	dmt_sink_write(key, rejoin->front, rejoin->key_len);
	dmt_sink_write(&rejoin->sink, rejoin->front + rejoin->key_len,
	    rejoin->front_len - rejoin->key_len);
	return copy_all(rejoin) == DMTRACE_OK ? finish(rejoin, out) :
	    rejoin->op->error.status;
}

enum dmtrace_status
dmtrace_rejoin(struct dmtrace_op *op, const char *const *paths, size_t count,
    const struct dmtrace_file *out, unsigned flags, int *exact)
{
	struct dmt_rejoin rejoin = { .op = op, .flags = flags,
	    .count = count };

	dmt_op_begin(op);
	if (count == 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_TRUNCATED,
		    "there are no pieces");
	dmt_sink_open_memory(&rejoin.key_sink);
	dmt_sink_open_memory(&rejoin.sink);
	const enum dmtrace_status status = run(&rejoin, paths, out);
	if (status == DMTRACE_OK && exact != NULL)
		*exact = rejoin.parts[0].facts.exact;
	dmt_legacy_fini(&rejoin.legacy);
	dmt_sink_fini(&rejoin.sink);
	dmt_sink_fini(&rejoin.key_sink);
	free(rejoin.parts);
	free(rejoin.front);
	free(rejoin.stripped);
	free(rejoin.tail);
	return status;
}
