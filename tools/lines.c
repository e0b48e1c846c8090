/* lines.c - records as lines of text, TSV, CSV or JSON */

#include "lines.h"

#include <stdio.h>

#define INDENT_MAX 64		/* columns; beyond, the depth is a number */
#define NAMES_ROOM 3072		/* bytes of a tail that is not written apart */
#define LINE_ROOM (NAMES_ROOM + 1024)

const struct frame label_frames[] = {
	[FORM_TEXT] = {
		.before = { [CELL_CLASS] = "", [CELL_NAME] = ".",
		    [CELL_SIGNATURE] = " ", [CELL_END] = "\n" },
		.text = text_plain,
		.absent = ""
	},
	[FORM_TSV] = {
		.before = { "", "\t", "\t", "\t", "\t", "\t", "\t", "\t",
		    "\t", "\n" },
		.text = text_plain,
		.absent = ""
	},
	[FORM_CSV] = {
		.before = { "", ",", ",", ",", ",", ",", ",", ",", ",",
		    "\r\n" },
		.text = text_csv,
		.absent = ""
	},
	[FORM_JSON] = {
		.before = { "{\"thread\":", ",\"action\":\"",
		    "\",\"method\":\"", "\",\"cpu_ns\":", ",\"wall_ns\":",
		    ",\"depth\":", ",\"class\":", ",\"name\":",
		    ",\"signature\":", "}\n" },
		.text = text_json,
		.absent = "null"
	},
};

static const char *const names[CELL_END] = {
	[CELL_THREAD] = "thread",
	[CELL_ACTION] = "action",
	[CELL_METHOD] = "method",
	[CELL_CPU] = "cpu_ns",
	[CELL_WALL] = "wall_ns",
	[CELL_DEPTH] = "depth",
	[CELL_CLASS] = "class",
	[CELL_NAME] = "name",
	[CELL_SIGNATURE] = "signature",
};

static struct mark
make_mark(const char *first, const char *second)
{
	struct mark mark;

	mark.len = (size_t)snprintf(mark.bytes, sizeof(mark.bytes), "%s%s",
	    first, second);
	return mark;
}

static char *
put_mark(char *out, const struct mark *mark)
{
	memcpy(out, mark->bytes, LABEL_STEP);
	return out + mark->len;
}

static void
make_marks(struct lines *lines)
{
	const struct frame *frame = &label_frames[lines->form];

	for (unsigned i = 0; i < 4; i++) {
		const char *name = dmtrace_action_name(
		    (enum dmtrace_action)i);
		char column[16];

		snprintf(column, sizeof(column), "  %-9s", name);
		lines->actions[i] = lines->form == FORM_TEXT ?
		    make_mark(column, "") :
		    make_mark(name, frame->before[CELL_METHOD]);
	}
	lines->absent = make_mark(frame->absent, "");
	if (lines->form == FORM_TEXT)
		return;
	lines->wall = make_mark(frame->before[CELL_WALL], "");
	lines->depth = make_mark(frame->before[CELL_DEPTH], "");
}

bool
lines_init(struct lines *lines, enum form form,
    const struct dmtrace_key *key, const struct dmtrace_layout *layout)
{
	const enum dmtrace_clock clock = dmtrace_layout_clock(layout);

	*lines = (struct lines){
		.form = form,
		.has_cpu = clock != DMTRACE_CLOCK_WALL,
		.has_wall = clock != DMTRACE_CLOCK_THREAD_CPU
	};
	make_marks(lines);
	thread_labels_init(&lines->threads, form, key, layout);
	return method_labels_init(&lines->methods, form, key);
}

void
lines_put_names(const struct lines *lines, struct out *out)
{
	const struct frame *frame = &label_frames[lines->form];

	if (lines->form != FORM_TSV && lines->form != FORM_CSV)
		return;
	for (unsigned cell = 0; cell <= CELL_END; cell++) {
		out_put(out, frame->before[cell], strlen(frame->before[cell]));
		if (cell < CELL_END)
			out_put(out, names[cell], strlen(names[cell]));
	}
}

static char *
put_time(char *at, const struct lines *lines, uint64_t ns)
{
	return ns == DMTRACE_NO_TIME ? put_mark(at, &lines->absent) :
	    decimal_put(at, ns);
}

/* All but the names and what is around them. */
static char *
put_cells(char *at, struct lines *lines, const struct dmtrace_event *event,
    uint32_t depth, const struct method_label *method)
{
	const struct thread_label *thread =
	    thread_labels_find(&lines->threads, event->thread);

	at = label_put(at, thread->bytes, thread->len, LABEL_STEP);
	at = put_mark(at, &lines->actions[event->action]);
	at = label_put(at, lines->methods.bytes.bytes + method->at,
	    method->head_len, LABEL_STEP);
	at = put_time(at, lines, event->cpu_ns);
	at = put_mark(at, &lines->wall);
	at = put_time(at, lines, event->wall_ns);
	at = put_mark(at, &lines->depth);
	return decimal_put(at, depth);
}

static char *
indent(char *at, uint32_t depth)
{
	memset(at, ' ', INDENT_MAX);
	if (depth <= INDENT_MAX)
		return at + depth;
	at = decimal_put(at + INDENT_MAX, depth);
	*at = ' ';
	return at + 1;
}

/* The same in columns, for people. */
static char *
put_columns(char *at, struct lines *lines, const struct dmtrace_event *event,
    uint32_t depth)
{
	const struct thread_label *thread =
	    thread_labels_find(&lines->threads, event->thread);

	if (lines->has_wall)
		at = decimal_put_seconds_again(at, event->wall_ns,
		    &lines->wall_recent);
	if (lines->has_wall && lines->has_cpu)
		*at++ = ' ';
	if (lines->has_cpu)
		at = decimal_put_seconds_again(at, event->cpu_ns,
		    &lines->cpu_recent);
	at = label_put(at, thread->bytes, thread->len, LABEL_STEP);
	at = put_mark(at, &lines->actions[event->action]);
	return indent(at, depth);
}

void
lines_put(struct lines *lines, struct out *out,
    const struct dmtrace_event *event, uint32_t depth)
{
	const struct method_label *method =
	    method_labels_find(&lines->methods, event->method);
	const char *tail = lines->methods.bytes.bytes + method->at +
	    method->head_len;
	char *at = out_room(out, LINE_ROOM);

	if (at == NULL)
		return;
	at = lines->form == FORM_TEXT ?
	    put_columns(at, lines, event, depth) :
	    put_cells(at, lines, event, depth, method);
	if (method->tail_len <= NAMES_ROOM) {
		out->at = label_put(at, tail, method->tail_len,
		    LABEL_STEP_LONG);
	} else {
		out->at = at;
		out_put(out, tail, method->tail_len);
	}
}

void
lines_fini(struct lines *lines)
{
	method_labels_fini(&lines->methods);
}
