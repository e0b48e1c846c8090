/* export_jsonl.c - writes unchanged events, one JSON object per line */

/*
 * This is the only format with every event, its action and its times, in the
 * order of the trace; it reads the events once. depth is that of the event's
 * call, 0 if it has none; a time or a name that the trace lacks is null.
 */

#include <inttypes.h>

#include "base/error.h"
#include "export/exporter.h"
#include "private/export.h"
#include "private/text.h"

struct jsonl {
	struct dmt_labels methods;
	struct dmt_labels threads;
};

static enum dmtrace_status
begin_jsonl(struct dmt_exporter *exporter)
{
	static const char *const members[] = {
		"trace", "thread", "thread_name", "action", "id", "class",
		"name", "signature", "cpu_ns", "wall_ns", "depth"
	};
	struct jsonl *const self = exporter->state;

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (dmt_export_check_labels(exporter, members[i]) !=
		    DMTRACE_OK)
			return exporter->error.status;
	dmt_labels_init(&self->methods);
	dmt_labels_init(&self->threads);
	return DMTRACE_OK;
}

static void
put_string(struct dmt_output *out, const char *name,
    struct dmtrace_text text)
{
	dmt_put_format(out, ",\"%s\":\"", name);
	dmt_put_name(out, DMT_PUT_JSON, text, SIZE_MAX);
	dmt_put(out, "\"");
}

/* An empty name is null. */
static void
put_name(struct dmt_output *out, const char *name,
    struct dmtrace_text text)
{
	if (text.len == 0)
		dmt_put_format(out, ",\"%s\":null", name);
	else
		put_string(out, name, text);
}

static bool
make_method(struct jsonl *self, const struct dmt_indexed_method *indexed,
    uint32_t index)
{
	struct dmt_output *const draft = &self->methods.draft;
	static const struct dmtrace_method unlisted;
	const struct dmtrace_method method =
	    indexed->row == NULL ? unlisted : *indexed->row;

	dmt_put_format(draft, "\",\"id\":\"0x%" PRIx64 "\"", indexed->id);
	put_name(draft, "class", method.class_name);
	put_name(draft, "name", method.name);
	put_name(draft, "signature", method.signature);
	return dmt_labels_keep(&self->methods, index);
}

static bool
make_thread(struct jsonl *self, const struct dmt_exporter *exporter,
    const struct dmt_indexed_thread *indexed, uint32_t index)
{
	const struct dmt_exporter_options *const options = &exporter->options;
	struct dmt_output *const draft = &self->threads.draft;

	dmt_put_format(draft, "{\"trace\":%" PRIu64, exporter->traces);
	for (size_t i = 0; i < options->label_count; i++)
		put_string(draft, options->labels[i].name,
		    dmt_text_of(options->labels[i].value));
	dmt_put_format(draft, ",\"thread\":%" PRIu32, indexed->number);
	put_name(draft, "thread_name", dmt_labels_thread_name(indexed));
	dmt_put(draft, ",\"action\":\"");
	return dmt_labels_keep(&self->threads, index);
}

static inline char *
put_time(char *at, const char *name, size_t len, uint64_t ns)
{
	memcpy(at, name, len);
	if (ns != DMTRACE_NO_TIME)
		return dmt_put_uint(at + len, ns);
	memcpy(at + len, "null", 4);
	return at + len + 4;
}

static bool
put_event(struct dmt_exporter *exporter,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t at, uint32_t depth)
{
	const struct dmt_indexes *const indexes = source->indexes;
	struct jsonl *const self = exporter->state;
	struct dmt_output *const output = exporter->out;
	const uint32_t thread = batch->thread[at];
	const uint32_t method = batch->method[at];
	const char *const action = dmtrace_action_name(
	    (enum dmtrace_action)batch->action[at]);
	const size_t action_len = strlen(action);

	if ((self->methods.items[method].bytes == NULL &&
	    !make_method(self, &indexes->methods[method], method)) ||
	    (self->threads.items[thread].bytes == NULL &&
	    !make_thread(self, exporter, &indexes->threads[thread], thread)))
		return false;
	char *room = dmt_labels_put(output, self->threads.items[thread], 32);
	if (room == NULL)
		return true;	/* the output has failed */
	memcpy(room, action, action_len);
	dmt_output_advance(output, action_len);
	room = dmt_labels_put(output, self->methods.items[method], 128);
	if (room == NULL)
		return true;
	char *end = put_time(room, ",\"cpu_ns\":", 10,
	    batch->flags[at] & DMT_EVENT_NO_CPU ? DMTRACE_NO_TIME :
	    batch->cpu_ns[at]);
	end = put_time(end, ",\"wall_ns\":", 11, batch->wall_ns[at]);
	end = put_time(end, ",\"depth\":", 9, depth);
	*end++ = '}';
	*end++ = '\n';
	dmt_output_advance(output, (size_t)(end - room));
	return true;
}

static enum dmtrace_status
take_jsonl(struct dmt_exporter *exporter, struct dmtrace_source *source)
{
	struct jsonl *const self = exporter->state;

	dmt_labels_attach(&self->methods, source, DMT_BY_METHOD, 1);
	dmt_labels_attach(&self->threads, source, DMT_BY_THREAD, 1);
	return dmt_export_events(exporter, source, put_event);
}

static void
fini_jsonl(struct dmt_exporter *exporter)
{
	struct jsonl *const self = exporter->state;

	dmt_labels_fini(&self->methods);
	dmt_labels_fini(&self->threads);
}

const struct dmt_format dmt_format_jsonl = {
	.about = {
		.name = "jsonl",
		.viewers = "jq, DuckDB, pandas",
		.open = "jq -c 'select(.depth == 1)' FILE",
		.labels = 1,
		.ending = ".jsonl",
	},
	.state_size = sizeof(struct jsonl),
	.begin = begin_jsonl, .take = take_jsonl, .fini = fini_jsonl,
};
