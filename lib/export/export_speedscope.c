/* export_speedscope.c - writes events of each thread for speedscope */

/*
 * There is an "evented" profile for each thread: it opens and closes frames,
 * by their numbers in a list that all profiles share. The events of a thread
 * are one array, so they are stored as text by by_thread.h; the list of
 * frames, which grows meanwhile, is the last member of the file. Values are
 * nanoseconds of one clock.
 */

#include <inttypes.h>

#include "base/error.h"
#include "export/by_thread.h"
#include "export/exporter.h"
#include "private/export.h"

struct speedscope {
	struct dmt_labels frames;	/* of all traces, by number */
	size_t first;			/* number of index 0 of this trace */
	bool begun;			/* a profile was written */
	struct dmt_by_thread texts;	/* of one trace */
};

static enum dmtrace_status
begin_speedscope(struct dmt_exporter *exporter)
{
	struct speedscope *const self = exporter->state;

	dmt_labels_init(&self->frames);
	dmt_spool_init(&self->texts.spool);
	dmt_put(exporter->out, "{\"$schema\":\"https://www.speedscope.app/"
	    "file-format-schema.json\",\n\"exporter\":\"dmtrace ");
	dmt_put(exporter->out, dmtrace_version());
	dmt_put(exporter->out, "\",\n\"profiles\":[");
	return DMTRACE_OK;
}

/* Makes the frames of all methods of a trace. */
static bool
make_frames(struct speedscope *self, const struct dmt_indexes *indexes)
{
	struct dmt_output *const draft = &self->frames.draft;
	char number[DMT_NUMBER_MAX];

	if (!dmt_labels_reserve(&self->frames,
	    self->first + indexes->method_count))
		return false;
	for (size_t i = 0; i < indexes->method_count; i++) {
		const struct dmtrace_profile_method method =
		    dmt_labels_method(&indexes->methods[i], number);

		dmt_put(draft, "{\"name\":\"");
		dmt_put_method(draft, DMT_PUT_JSON, &method, SIZE_MAX);
		if (method.file.len > 0) {
			dmt_put(draft, "\",\"file\":\"");
			dmt_put_name(draft, DMT_PUT_JSON, method.file,
			    SIZE_MAX);
		}
		dmt_put(draft, "\"");
		if (method.line > 0)
			dmt_put_format(draft, ",\"line\":%" PRId32,
			    method.line);
		dmt_put(draft, "}");
		if (!dmt_labels_keep(&self->frames, self->first + i))
			return false;
	}
	return true;
}

static enum dmtrace_status
put_thread(struct dmt_exporter *exporter,
    const struct dmt_calls *calls, uint32_t index)
{
	const struct dmt_indexed_thread *const indexed =
	    &calls->source->indexes->threads[index];
	struct speedscope *const self = exporter->state;
	struct dmt_output *const out = exporter->out;

	dmt_put(out, self->begun ? ",\n" : "\n");
	self->begun = true;
	dmt_put(out, "{\"type\":\"evented\",\"unit\":\"nanoseconds\","
	    "\"name\":\"");
	dmt_labels_put_thread(out, DMT_PUT_JSON,
	    dmt_labels_thread_name(indexed), indexed->number);
	dmt_put_format(out, " (%" PRIu32 ") of ", indexed->number);
	dmt_put_name(out, DMT_PUT_JSON, (struct dmtrace_text){
	    exporter->name, strlen(exporter->name) }, SIZE_MAX);
	dmt_put_format(out, "\",\"startValue\":%" PRIu64 ",\"endValue\":%"
	    PRIu64 ",\"events\":[",
	    dmt_calls_first(calls, index)[exporter->weight],
	    dmt_calls_last(calls, index)[exporter->weight]);
	const enum dmtrace_status status =
	    dmt_by_thread_copy(&self->texts, index, 0, out);
	dmt_put(out, "]}");
	return status;
}

/* Stores the events; after the last step the threads are written. */
static enum dmtrace_status
take_steps(struct dmt_exporter *exporter,
    const struct dmt_calls *calls)
{
	const struct dmt_indexes *const indexes = calls->source->indexes;
	struct speedscope *const self = exporter->state;

	for (size_t i = 0; i < calls->steps.count; i++) {
		const struct dmt_call_step *const step = &calls->steps.items[i];
		char text[96];

		memcpy(text, step->enters ? ",\n{\"type\":\"O\",\"frame\":" :
		    ",\n{\"type\":\"C\",\"frame\":", 22);
		char *at = dmt_put_uint(text + 22, self->first + step->method);
		memcpy(at, ",\"at\":", 6);
		at = dmt_put_uint(at + 6, step->ns[exporter->weight]);
		*at++ = '}';
		/* Skip the comma before the first one. */
		const size_t skipped = step->begins;
		dmt_by_thread_write(&self->texts, step->thread, 0,
		    text + skipped, (size_t)(at - text) - skipped);
	}
	if (calls->steps.count > 0)
		return DMTRACE_OK;

	if (!make_frames(self, indexes))
		return dmt_error_memory(&exporter->error);
	enum dmtrace_status status = dmt_by_thread_finish(&self->texts);
	for (size_t i = 0; i < calls->order.count && status == DMTRACE_OK; i++)
		if (dmt_by_thread_len(&self->texts, calls->order.items[i]) > 0)
			status = put_thread(exporter, calls,
			    calls->order.items[i]);
	return status;
}

static enum dmtrace_status
take_speedscope(struct dmt_exporter *exporter,
    struct dmtrace_source *source)
{
	struct speedscope *const self = exporter->state;

	self->first = self->frames.count;
	enum dmtrace_status status = dmt_by_thread_init(&self->texts, source);
	if (status == DMTRACE_OK)
		status = dmt_export_calls(exporter, source, true,
		    take_steps);
	if (exporter->error.status == DMTRACE_OK)
		exporter->error = self->texts.spool.error;
	dmt_by_thread_fini(&self->texts);
	return status;
}

static enum dmtrace_status
end_speedscope(struct dmt_exporter *exporter)
{
	const struct speedscope *const self = exporter->state;

	dmt_put(exporter->out, "],\n\"shared\":{\"frames\":[");
	for (size_t i = 0; i < self->frames.count; i++) {
		dmt_put(exporter->out, i > 0 ? ",\n" : "\n");
		dmt_output_write(exporter->out,
		    self->frames.items[i].bytes, self->frames.items[i].len);
	}
	dmt_put(exporter->out, "]}}\n");
	return DMTRACE_OK;
}

static void
fini_speedscope(struct dmt_exporter *exporter)
{
	dmt_labels_fini(&((struct speedscope *)exporter->state)->frames);
}

const struct dmt_format dmt_format_speedscope = {
	.about = {
		.name = "speedscope",
		.viewers = "speedscope",
		.open = "https://www.speedscope.app",
		.weights = DMTRACE_EXPORT_WALL | DMTRACE_EXPORT_CPU,
		.ending = ".speedscope.json",
	},
	.state_size = sizeof(struct speedscope),
	.begin = begin_speedscope, .take = take_speedscope,
	.end = end_speedscope, .fini = fini_speedscope,
};
