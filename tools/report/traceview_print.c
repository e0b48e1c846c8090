/* traceview_print.c - the tables of "traceview -r" */

#include "report/traceview.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/msg.h"
#include "cli/trace_events.h"
#include "cli/table.h"
#include "cmd.h"

#define ROWS 1024		/* that are read at once */

static void
put_raw_text(struct strbuf *buffer, const struct dmtrace_text *text)
{
	if (text->len > 0)
		strbuf_put(buffer, text->bytes, text->len);
}

/* "class.name signature", or what there is of it. */
static void
put_view_name(struct strbuf *buffer, const struct view_method *method)
{
	const struct dmtrace_method *row = method->listed;

	if (method->special != NULL)
		strbuf_string(buffer, method->special);
	else if (row == NULL)
		strbuf_printf(buffer, "(0x%" PRIx64 ")", method->id);
	else {
		put_raw_text(buffer, &row->class_name);
		if (row->class_name.len > 0 && row->signature.len > 0)
			strbuf_string(buffer, ".");
		if (row->class_name.len == 0 || row->signature.len > 0)
			put_raw_text(buffer, &row->name);
		if (row->signature.len > 0)
			strbuf_string(buffer, " ");
		put_raw_text(buffer, &row->signature);
	}
}

static void
put_view_totals(struct strbuf *buffer, const struct view *view)
{
	int64_t totals[VIEW_CLOCKS] = { 0, 0 };

	for (size_t i = 0; i < view->thread_count; i++)
		for (int clock = 0; clock < VIEW_CLOCKS; clock++)
			totals[clock] +=
			    view->threads[i].root.inclusive[clock];
	strbuf_printf(buffer, "totalCpuTime %" PRId64 "us\n",
	    totals[VIEW_CPU]);
	strbuf_printf(buffer, "totalRealTime %" PRId64 "us\n",
	    totals[VIEW_WALL]);
}

static void
print_view_thread(struct strbuf *buffer, const struct view_thread *thread)
{
	const uint32_t id = thread->listed == NULL ? thread->number :
	    thread->listed->id;

	strbuf_printf(buffer, "%2" PRIu32 " %8" PRId64 " %8" PRId64 " %8"
	    PRId64 " %8" PRId64 "  [%" PRIu32 "] ", id,
	    thread->start[VIEW_CPU], thread->end[VIEW_CPU],
	    thread->start[VIEW_WALL], thread->end[VIEW_WALL], id);
	if (thread->listed == NULL)
		strbuf_printf(buffer, "[%" PRIu32 "]", id);
	else
		put_raw_text(buffer, &thread->listed->name);
	strbuf_string(buffer, "\n");
}

static void
put_view_call(struct strbuf *buffer, const struct view *view,
    const struct view_call *call)
{
	const struct view_thread *thread = &view->threads[call->thread];

	strbuf_printf(buffer, "%2" PRIu32 " %8" PRId64 " %8" PRId64 " %8"
	    PRId64 " %8" PRId64 " %8" PRId64 " %8" PRId64 "  ",
	    thread->listed == NULL ? thread->number : thread->listed->id,
	    call->start[VIEW_CPU], call->end[VIEW_CPU],
	    call->start[VIEW_WALL], call->end[VIEW_WALL],
	    call->exclusive[VIEW_CPU], call->inclusive[VIEW_CPU]);
	put_view_name(buffer, &view->methods[call->method]);
	strbuf_string(buffer, "\n");
}

/* A method to be sorted, with the name that decides between equals. */
struct ranked {
	const struct view_method *method;
	int64_t inclusive;
	size_t name;			/* in the text */
	const char *text;
};

static int
compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->inclusive != b->inclusive)
		return a->inclusive < b->inclusive ? 1 : -1;
	const int order = strcmp(a->text + a->name, b->text + b->name);
	return order != 0 ? order : (a->method > b->method) -
	    (a->method < b->method);
}

/* A method of id 0 takes the place of the top in Traceview's table. */
static bool
is_method_shown(const struct view *view, size_t method, int clock)
{
	return view->methods[method].inclusive[clock] != 0 &&
	    (method != VIEW_TOP ||
	    dmtrace_key_method_find(view->key, 0) == NULL);
}

/* Those with inclusive time, in order, with their names in text. */
static size_t
rank_methods(const struct view *view, struct ranked *ranked,
    struct strbuf *text)
{
	const int clock = view->has_clock[VIEW_CPU] ? VIEW_CPU : VIEW_WALL;
	size_t count = 0;

	for (size_t i = 0; i < view->method_count; i++) {
		const struct view_method *method = &view->methods[i];

		if (!is_method_shown(view, i, clock))
			continue;
		ranked[count++] = (struct ranked){
			.method = method, .name = text->len,
			.inclusive = method->inclusive[clock]
		};
		put_view_name(text, method);
		strbuf_put(text, "", 1);
	}
	for (size_t i = 0; i < count; i++)
		ranked[i].text = text->bytes;
	if (count > 1 && !text->failed)
		qsort(ranked, count, sizeof(*ranked),
		    compare_ranked);
	return count;
}

static void
put_view_method(struct strbuf *buffer, const struct view_method *method,
    size_t place)
{
	char calls[48];

	snprintf(calls, sizeof(calls), "%" PRIu64 "+%" PRIu64,
	    method->calls[0], method->calls[1]);
	strbuf_printf(buffer, "%9" PRId64 " %9" PRId64 " %9" PRId64 " %9"
	    PRId64 " %9s  %zu ", method->exclusive[VIEW_CPU],
	    method->inclusive[VIEW_CPU], method->exclusive[VIEW_WALL],
	    method->inclusive[VIEW_WALL], calls, place);
	put_view_name(buffer, method);
	strbuf_string(buffer, "\n");
}

static bool
print_view_methods(const struct view *view, struct table *table)
{
	struct strbuf *const buffer = &table->buffer;
	struct ranked *ranked = calloc(view->method_count + 1,
	    sizeof(*ranked));
	struct strbuf text = { 0 };
	const size_t count = ranked == NULL ? 0 :
	    rank_methods(view, ranked, &text);
	bool fine = ranked != NULL && !text.failed;

	if (!fine)
		msg_memory();
	strbuf_string(buffer, "\nMethod Stats\nExcl Cpu  Incl Cpu  Excl Real "
	    "Incl Real    Calls  Method\n");
	for (size_t i = 0; fine && i < count; i++) {
		put_view_method(buffer, ranked[i].method, i);
		fine = table_flush(table);
	}
	strbuf_fini(&text);
	free(ranked);
	return fine && table_flush(table);
}

static bool
put_view(const struct view *view, struct table *table)
{
	struct strbuf *const buffer = &table->buffer;
	bool fine = true;

	put_view_totals(buffer, view);
	strbuf_string(buffer, "\nThread Times\n"
	    "id  t-start    t-end  g-start    g-end     name\n");
	for (size_t i = 0; fine && i < view->thread_count; i++) {
		print_view_thread(buffer, &view->threads[i]);
		fine = table_flush(table);
	}
	strbuf_string(buffer, "\nCall Times\nid  t-start    t-end  g-start"
	    "    g-end    excl.    incl.  method\n");
	for (size_t i = 0; fine && i < view->call_count; i++) {
		put_view_call(buffer, view, &view->calls[i]);
		fine = table_flush(table);
	}
	return fine && print_view_methods(view, table);
}

/* What events are passed to. */
struct view_sink {
	const struct trace_events *events;
	struct view view;
	struct dmtrace_error error;
};

static enum dmtrace_status
add_to_view(void *context, struct dmtrace_source *source)
{
	struct view_sink *const sink = context;
	struct dmtrace_row rows[ROWS];
	size_t count;
	bool fine = view_init(&sink->view, sink->events->reader);

	do {
		const enum dmtrace_status status = dmtrace_source_read(
		    source, rows, ROWS, &count);

		if (status != DMTRACE_OK)
			return status;
		for (size_t i = 0; fine && i < count; i++)
			fine = view_take(&sink->view, &rows[i]);
	} while (fine && count > 0);
	if (fine)
		return DMTRACE_OK;
	sink->error.status = DMTRACE_ERR_MEMORY;
	snprintf(sink->error.message, sizeof(sink->error.message),
	    "no memory for so many or so deep calls");
	return DMTRACE_ERR_MEMORY;
}

static const struct dmtrace_error *
view_sink_error(void *context)
{
	const struct view_sink *const sink = context;

	return &sink->error;
}

static const struct trace_events_sink view_sink =
    { add_to_view, view_sink_error };

int
view_file(const char *operand, struct selection *selection,
    const char *output, bool quiet, bool asked)
{
	const struct dmtrace_file in = files_input(operand);
	struct table table = { .form = FORM_TEXT };
	struct view_sink sink = { .events = NULL };
	struct trace_events events = {
		.sink = &view_sink, .context = &sink, .selection = selection,
		.out = &table.out.file, .quiet = quiet
	};
	int status = CMD_TROUBLE;

	sink.events = &events;
	progress_init(&events.progress, quiet, asked);
	if (table_open(&table, output)) {
		status = trace_events_add(&events, operand);
		if (status != CMD_TROUBLE) {
			view_finish(&sink.view);
			table.lost |= !put_view(&sink.view, &table);
			status = cmd_worse(status,
			    selection_finish(selection, files_name(&in)));
		}
		table.lost |= status == CMD_TROUBLE;
		status = table_close(&table, status);
	}
	view_fini(&sink.view);
	dmtrace_reader_free(events.reader);
	return status;
}
