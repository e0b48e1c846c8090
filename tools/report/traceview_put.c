/* traceview_put.c - the tables of "traceview -r" */

#include "report/traceview.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"
#include "cli/strbuf.h"

static bool
flush(struct strbuf *buffer, struct out *out)
{
	const bool fine = !buffer->failed;

	if (fine)
		out_put(out, buffer->bytes, buffer->len);
	else
		msg_memory();
	buffer->len = 0;
	return fine;
}

static void
put_text(struct strbuf *buffer, const struct dmtrace_text *text)
{
	if (text->len > 0)
		strbuf_put(buffer, text->bytes, text->len);
}

/* "class.name signature", or what there is of it. */
static void
put_name(struct strbuf *buffer, const struct view_method *method)
{
	const struct dmtrace_method *row = method->listed;

	if (method->special != NULL)
		strbuf_string(buffer, method->special);
	else if (row == NULL)
		strbuf_printf(buffer, "(0x%" PRIx64 ")", method->id);
	else {
		put_text(buffer, &row->class_name);
		if (row->class_name.len > 0 && row->signature.len > 0)
			strbuf_string(buffer, ".");
		if (row->class_name.len == 0 || row->signature.len > 0)
			put_text(buffer, &row->name);
		if (row->signature.len > 0)
			strbuf_string(buffer, " ");
		put_text(buffer, &row->signature);
	}
}

static void
put_totals(struct strbuf *buffer, const struct view *view)
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
put_thread(struct strbuf *buffer, const struct view_thread *thread)
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
		put_text(buffer, &thread->listed->name);
	strbuf_string(buffer, "\n");
}

static void
put_call(struct strbuf *buffer, const struct view *view,
    const struct view_call *call)
{
	const struct view_thread *thread = &view->threads[call->thread];

	strbuf_printf(buffer, "%2" PRIu32 " %8" PRId64 " %8" PRId64 " %8"
	    PRId64 " %8" PRId64 " %8" PRId64 " %8" PRId64 "  ",
	    thread->listed == NULL ? thread->number : thread->listed->id,
	    call->start[VIEW_CPU], call->end[VIEW_CPU],
	    call->start[VIEW_WALL], call->end[VIEW_WALL],
	    call->exclusive[VIEW_CPU], call->inclusive[VIEW_CPU]);
	put_name(buffer, &view->methods[call->method]);
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
compare(const void *left, const void *right)
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
is_shown(const struct view *view, size_t method, int clock)
{
	return view->methods[method].inclusive[clock] != 0 &&
	    (method != VIEW_TOP ||
	    dmtrace_key_method_find(view->key, 0) == NULL);
}

/* Those with inclusive time, in order, with their names in text. */
static size_t
rank(const struct view *view, struct ranked *ranked, struct strbuf *text)
{
	const int clock = view->has_clock[VIEW_CPU] ? VIEW_CPU : VIEW_WALL;
	size_t count = 0;

	for (size_t i = 0; i < view->method_count; i++) {
		const struct view_method *method = &view->methods[i];

		if (!is_shown(view, i, clock))
			continue;
		ranked[count++] = (struct ranked){
			.method = method, .name = text->len,
			.inclusive = method->inclusive[clock]
		};
		put_name(text, method);
		strbuf_put(text, "", 1);
	}
	for (size_t i = 0; i < count; i++)
		ranked[i].text = text->bytes;
	if (count > 1 && !text->failed)
		qsort(ranked, count, sizeof(*ranked), compare);
	return count;
}

static void
put_method(struct strbuf *buffer, const struct view_method *method,
    size_t place)
{
	char calls[48];

	snprintf(calls, sizeof(calls), "%" PRIu64 "+%" PRIu64,
	    method->calls[0], method->calls[1]);
	strbuf_printf(buffer, "%9" PRId64 " %9" PRId64 " %9" PRId64 " %9"
	    PRId64 " %9s  %zu ", method->exclusive[VIEW_CPU],
	    method->inclusive[VIEW_CPU], method->exclusive[VIEW_WALL],
	    method->inclusive[VIEW_WALL], calls, place);
	put_name(buffer, method);
	strbuf_string(buffer, "\n");
}

static bool
put_methods(struct strbuf *buffer, const struct view *view, struct out *out)
{
	struct ranked *ranked = calloc(view->method_count + 1,
	    sizeof(*ranked));
	struct strbuf text = { 0 };
	const size_t count = ranked == NULL ? 0 :
	    rank(view, ranked, &text);
	bool fine = ranked != NULL && !text.failed;

	if (!fine)
		msg_memory();
	strbuf_string(buffer, "\nMethod Stats\nExcl Cpu  Incl Cpu  Excl Real "
	    "Incl Real    Calls  Method\n");
	for (size_t i = 0; fine && i < count; i++) {
		put_method(buffer, ranked[i].method, i);
		fine = flush(buffer, out);
	}
	strbuf_fini(&text);
	free(ranked);
	return fine && flush(buffer, out);
}

static bool
put_all(struct strbuf *buffer, const struct view *view, struct out *out)
{
	bool fine = true;

	put_totals(buffer, view);
	strbuf_string(buffer, "\nThread Times\n"
	    "id  t-start    t-end  g-start    g-end     name\n");
	for (size_t i = 0; fine && i < view->thread_count; i++) {
		put_thread(buffer, &view->threads[i]);
		fine = flush(buffer, out);
	}
	strbuf_string(buffer, "\nCall Times\nid  t-start    t-end  g-start"
	    "    g-end    excl.    incl.  method\n");
	for (size_t i = 0; fine && i < view->call_count; i++) {
		put_call(buffer, view, &view->calls[i]);
		fine = flush(buffer, out);
	}
	return fine && put_methods(buffer, view, out);
}

bool
view_put(const struct view *view, struct out *out)
{
	struct strbuf buffer = { 0 };
	const bool fine = put_all(&buffer, view, out);

	strbuf_fini(&buffer);
	return fine;
}
