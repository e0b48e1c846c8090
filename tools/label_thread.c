/* label_thread.c - what "dump" prints of threads, prepared once */

#include "label.h"

#include <inttypes.h>
#include <stdio.h>

#define NAME_WIDTH_MAX 15	/* as much as Linux keeps of a thread's name */

/* Bytes of the first columns of escaped text; *columns tells how many it
 * has. */
static size_t
measure(const char *text, size_t len, int *columns)
{
	size_t i = 0;

	for (*columns = 0; i < len && *columns < NAME_WIDTH_MAX; ++*columns)
		do
			i++;
		while (i < len && ((unsigned char)text[i] & 0xc0) == 0x80);
	return i;
}

/* The first columns of a thread's name, escaped; a few of its bytes are
 * enough for them. */
static size_t
cut_name(char *out, const struct dmtrace_text *name, int *columns)
{
	char escaped[NAME_WIDTH_MAX * 4 * TEXT_GROWTH + 2];
	const size_t looked_at = NAME_WIDTH_MAX * 4;
	const char *end = text_plain(escaped, name->len == 0 ? "" :
	    name->bytes, name->len < looked_at ? name->len : looked_at);
	const size_t len = measure(escaped, (size_t)(end - escaped), columns);

	memcpy(out, escaped, len);
	return len;
}

void
thread_labels_init(struct thread_labels *labels, enum form form,
    const struct dmtrace_key *key, const struct dmtrace_layout *layout)
{
	char number[16], name[THREAD_LABEL_MAX];

	*labels = (struct thread_labels){
		.form = form, .key = key, .layout = layout
	};
	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++) {
		const struct dmtrace_thread *thread =
		    dmtrace_key_thread_get(key, i);
		const int digits = snprintf(number, sizeof(number),
		    "%" PRIu32, thread->id);
		int columns;

		cut_name(name, &thread->name, &columns);
		if (digits > labels->number_width)
			labels->number_width = digits;
		if (columns > labels->name_width)
			labels->name_width = columns;
	}
}

static void
make_columns(const struct thread_labels *labels, struct thread_label *label)
{
	const struct dmtrace_thread *thread = dmtrace_key_thread_match(
	    labels->key, labels->layout, label->thread);
	char *at = label->bytes + snprintf(label->bytes, 32, "  %*" PRIu32 " ",
	    labels->number_width, label->thread);
	int columns = 0;

	if (thread != NULL)
		at += cut_name(at, &thread->name, &columns);
	for (; columns < labels->name_width; columns++)
		*at++ = ' ';
	label->len = (size_t)(at - label->bytes);
}

static void
make_cell(const struct thread_labels *labels, struct thread_label *label)
{
	const struct frame *frame = &label_frames[labels->form];

	label->len = (size_t)snprintf(label->bytes, sizeof(label->bytes),
	    "%s%" PRIu32 "%s", frame->before[CELL_THREAD], label->thread,
	    frame->before[CELL_ACTION]);
}

const struct thread_label *
thread_labels_find(struct thread_labels *labels, uint32_t thread)
{
	struct thread_label *label = &labels->recent[thread % THREAD_LABELS];

	if (label->thread == thread && label->len > 0)
		return label;
	label->thread = thread;
	if (labels->form == FORM_TEXT)
		make_columns(labels, label);
	else
		make_cell(labels, label);
	return label;
}
