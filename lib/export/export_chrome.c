/* export_chrome.c - writes JSON of Chrome's trace viewer: B and E events */

/*
 * The file is an object with one member of traceEvents per line, in the order
 * of the steps of calls.h, so that nothing has to be stored. A trace is a
 * process, whose pid is its number among the operands. ts is wall time and tts
 * CPU time, in microseconds; for traces with one clock, ts is that clock.
 */

#include <inttypes.h>

#include "base/error.h"
#include "export/exporter.h"
#include "private/export.h"
#include "private/text.h"

struct chrome {
	struct dmt_labels methods;	/* by 2 * index: ,{"name":"...; by 2 *
					   index + 1: ","cat":"... */
	struct dmt_labels threads;	/* ,"pid":1,"tid":2} */
	bool begun;			/* an event was written */
};

static enum dmtrace_status
begin_chrome(struct dmt_exporter *exporter)
{
	struct chrome *const self = exporter->state;

	dmt_labels_init(&self->methods);
	dmt_labels_init(&self->threads);
	dmt_put(exporter->out, "{\"displayTimeUnit\":\"ns\",\"otherData\":"
	    "{\"producer\":\"dmtrace ");
	dmt_put(exporter->out, dmtrace_version());
	dmt_put(exporter->out, "\"},\"traceEvents\":[");
	return DMTRACE_OK;
}

/* Writes the name of a thread or process, which is an event in the format. */
static void
put_name_event(struct dmt_exporter *exporter, const char *what,
    uint32_t thread, struct dmtrace_text name)
{
	struct chrome *const self = exporter->state;

	dmt_put(exporter->out, self->begun ? ",\n" : "\n");
	self->begun = true;
	dmt_put_format(exporter->out, "{\"name\":\"%s\",\"ph\":\"M\","
	    "\"ts\":0,\"pid\":%" PRIu64 ",\"tid\":%" PRIu32, what,
	    exporter->traces, thread);
	dmt_put(exporter->out, ",\"args\":{\"name\":\"");
	dmt_labels_put_thread(exporter->out, DMT_PUT_JSON, name, thread);
	dmt_put(exporter->out, "\"}}");
}

/* Makes the text that events of a method begin with. The category is the
 * package; "()V", which import assumes, is not written as a signature. An E has
 * the name, too: speedscope uses it to find the call that ends. */
static bool
make_labels(struct chrome *self, const struct dmt_indexes *indexes,
    uint32_t index)
{
	struct dmt_output *const draft = &self->methods.draft;
	char number[DMT_NUMBER_MAX];
	const struct dmtrace_profile_method method =
	    dmt_labels_method(&indexes->methods[index], number);
	const struct dmtrace_text package =
	    dmt_class_package(method.class_name);

	dmt_put(draft, ",\n{\"name\":\"");
	dmt_put_method(draft, DMT_PUT_JSON, &method, SIZE_MAX);
	const size_t name_end = draft->len;
	if (method.signature.len > 0 &&
	    !dmt_text_is(method.signature, "()V")) {
		dmt_put(draft, "\",\"args\":{\"signature\":\"");
		dmt_put_name(draft, DMT_PUT_JSON, method.signature, SIZE_MAX);
		dmt_put(draft, "\"},\"cat\":\"");
	} else {
		dmt_put(draft, "\",\"cat\":\"");
	}
	if (package.len > 0)
		dmt_put_name(draft, DMT_PUT_JSON, package, SIZE_MAX);
	else
		dmt_put(draft, "method");
	struct dmtrace_text *const labels =
	    &self->methods.items[(size_t)index * 2];
	if (!dmt_labels_keep(&self->methods, (size_t)index * 2 + 1))
		return false;
	labels[0] = (struct dmtrace_text){ labels[1].bytes, name_end };
	return true;
}

/* Begins a thread: writes its name, and makes the text that its events end
 * with. */
static bool
begin_thread(struct dmt_exporter *exporter,
    const struct dmt_indexed_thread *indexed, uint32_t index)
{
	struct chrome *const self = exporter->state;

	put_name_event(exporter, "thread_name", indexed->number,
	    dmt_labels_thread_name(indexed));
	dmt_put_format(&self->threads.draft, ",\"pid\":%" PRIu64 ",\"tid\":%"
	    PRIu32 "}", exporter->traces, indexed->number);
	return dmt_labels_keep(&self->threads, index);
}

static void
put_step(struct dmt_exporter *exporter, const struct dmt_calls *calls,
    const struct dmt_call_step *step, int clock)
{
	const struct chrome *const self = exporter->state;
	struct dmt_output *const output = exporter->out;
	const struct dmtrace_text begin = self->methods.items[
	    (size_t)step->method * 2 + step->enters];
	const struct dmtrace_text thread = self->threads.items[step->thread];
	char *const room = dmt_labels_put(output, begin, 192);

	if (room == NULL)
		return;
	memcpy(room, step->enters ? "\",\"ph\":\"B\",\"ts\":" :
	    "\",\"ph\":\"E\",\"ts\":", 16);
	char *at = dmt_put_decimal(room + 16, step->ns[clock], 1000);
	if (clock == DMTRACE_PROFILE_WALL &&
	    calls->has_clock[DMTRACE_PROFILE_CPU] && !step->no_cpu) {
		memcpy(at, ",\"tts\":", 7);
		at = dmt_put_decimal(at + 7, step->ns[DMTRACE_PROFILE_CPU],
		    1000);
	}
	at = dmt_labels_copy(at, thread);	/* 42 bytes at most */
	dmt_output_advance(output, (size_t)(at - room));
}

static enum dmtrace_status
put_steps(struct dmt_exporter *exporter, const struct dmt_calls *calls)
{
	const struct dmt_indexes *const indexes = calls->source->indexes;
	const int clock = dmt_export_clock(calls->source);
	struct chrome *const self = exporter->state;

	for (size_t i = 0; i < calls->steps.count; i++) {
		const struct dmt_call_step *const step = &calls->steps.items[i];

		if (step->begins && !begin_thread(exporter,
		    &indexes->threads[step->thread], step->thread))
			return dmt_error_memory(&exporter->error);
		if (self->methods.items[(size_t)step->method * 2].bytes ==
		    NULL && !make_labels(self, indexes, step->method))
			return dmt_error_memory(&exporter->error);
		put_step(exporter, calls, step, clock);
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
take_chrome(struct dmt_exporter *exporter, struct dmtrace_source *source)
{
	struct chrome *const self = exporter->state;

	dmt_labels_attach(&self->methods, source, DMT_BY_METHOD, 2);
	dmt_labels_attach(&self->threads, source, DMT_BY_THREAD, 1);
	put_name_event(exporter, "process_name", 0,
	    (struct dmtrace_text){ exporter->name, strlen(exporter->name) });
	return dmt_export_calls(exporter, source, true, put_steps);
}

static enum dmtrace_status
put_chrome_instant(struct dmt_exporter *exporter,
    const struct dmt_export_instant *instant, uint64_t time_ns,
    const struct dmt_indexed_thread *thread, uint32_t index)
{
	char time[24];

	(void)index;
	dmt_put(exporter->out, ",\n{\"name\":\"");
	dmt_put_name(exporter->out, DMT_PUT_JSON, instant->name, SIZE_MAX);
	dmt_put(exporter->out,
	    "\",\"cat\":\"eventlog\",\"ph\":\"i\",\"s\":");
	dmt_put(exporter->out, thread == NULL ? "\"p\"" : "\"t\"");
	dmt_put(exporter->out, ",\"ts\":");
	dmt_output_write(exporter->out, time,
	    (size_t)(dmt_put_decimal(time, time_ns, 1000) - time));
	dmt_put_format(exporter->out, ",\"pid\":%" PRIu64 ",\"tid\":%"
	    PRIu32, exporter->traces, thread == NULL ? 0 : thread->number);
	if (instant->detail.len > 0) {
		dmt_put(exporter->out, ",\"args\":{\"value\":\"");
		dmt_put_name(exporter->out, DMT_PUT_JSON, instant->detail,
		    SIZE_MAX);
		dmt_put(exporter->out, "\"}");
	}
	dmt_put(exporter->out, "}");
	return DMTRACE_OK;
}

static enum dmtrace_status
end_chrome(struct dmt_exporter *exporter)
{
	dmt_put(exporter->out, "\n]}\n");
	return DMTRACE_OK;
}

static void
fini_chrome(struct dmt_exporter *exporter)
{
	struct chrome *const self = exporter->state;

	dmt_labels_fini(&self->methods);
	dmt_labels_fini(&self->threads);
}

const struct dmt_format dmt_format_chrome = {
	.about = {
		.name = "chrome",
		.viewers = "Perfetto, Chromium's about:tracing",
		.open = "https://ui.perfetto.dev",
		.instants = 1,
		.ending = ".json",
	},
	.state_size = sizeof(struct chrome),
	.begin = begin_chrome, .take = take_chrome,
	.end = end_chrome, .fini = fini_chrome,
	.put_instant = put_chrome_instant,
};
