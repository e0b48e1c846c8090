/* dmtracedump_list.c - lists records as dmtracedump -o did */

#include "report/dmtracedump.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"
#include "private/key.h"

#define BATCH 2048		/* events */

enum {
	DOTS = 10000,		/* of indentation, at most */
	FIRST_DEPTH = 2,	/* some calls began before the trace */
	THREADS = 65536		/* thread numbers in records */
};

struct list {
	struct out *out;
	struct dmt_output buffer;
	struct dump_methods methods;
	char dots[DOTS];
	int64_t depths[THREADS];	/* relative to FIRST_DEPTH */
	uint64_t cpu_ns[THREADS];	/* the last one known; if there are, */
	bool has_cpu;
};

static bool
flush_list(struct list *list)
{
	const bool fine = !dmt_output_failed(&list->buffer);

	if (fine)
		out_put(list->out, list->buffer.bytes, list->buffer.len);
	else
		msg_memory();
	dmt_output_clear(&list->buffer);
	return fine;
}

struct thread_row {
	const struct dmtrace_thread *thread;
	size_t index;
};

static int
compare_listed(const void *left, const void *right)
{
	const struct thread_row *a = left, *b = right;

	if (a->thread->id != b->thread->id)
		return a->thread->id < b->thread->id ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static bool
put_listed_threads(struct list *list, const struct dmtrace_key *key)
{
	const size_t count = dmtrace_key_thread_count(key);
	struct thread_row *rows = calloc(count + 1, sizeof(*rows));

	if (rows == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct thread_row){
			dmtrace_key_thread_get(key, i), i
		};
	qsort(rows, count, sizeof(*rows), compare_listed);
	dmt_put_format(&list->buffer, "Threads (%zu):\n", count);
	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_text *name = &rows[i].thread->name;

		dmt_put_format(&list->buffer, "%2" PRIu32 " ",
		    rows[i].thread->id);
		if (name->len > 0)
			dmt_output_write(&list->buffer, name->bytes, name->len);
		dmt_put(&list->buffer, "\n");
	}
	free(rows);
	return flush_list(list);
}

/* Of methods with the same id, returns the one that a binary search finds
 * first. */
static const struct dump_method *
find_listed_method(const struct dump_methods *methods, int64_t id)
{
	size_t low = 0, high = methods->count;

	while (low < high) {
		const size_t middle = (low + high - 1) / 2;
		const struct dump_method *method = methods->sorted[middle];

		if (method->id == id)
			return method;
		if (method->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static void
put_list_event(struct list *list, const struct dmtrace_event *event)
{
	static const char *const actions[] = { "ent", "xit", "unr", "???" };
	struct dmt_output *buffer = &list->buffer;
	const uint32_t thread = event->thread % THREADS;
	int64_t *depth = &list->depths[thread];

	/* At the end of a window it may be unknown. */
	if (event->cpu_ns != DMTRACE_NO_TIME) {
		list->cpu_ns[thread] = event->cpu_ns;
		list->has_cpu = true;
	}
	const uint64_t time_ns =
	    list->has_cpu ? list->cpu_ns[thread] : event->wall_ns;

	*depth += event->action == DMTRACE_ENTER;
	dmt_put_format(buffer, "%2" PRIu32 " %s  %8" PRIu32, event->thread,
	    actions[event->action & 3], (uint32_t)(time_ns / 1000));
	const int64_t dots = *depth + FIRST_DEPTH;
	dmt_put(buffer, dots < 0 ? "-" : dots > DOTS ? "+" : " ");
	dmt_output_write(buffer, list->dots,
	    (size_t)(dots < 0 ? 0 : dots < DOTS ? dots : DOTS));
	const struct dump_method *method =
	    find_listed_method(&list->methods, (int64_t)event->method);
	if (method != NULL)
		dump_put_method(buffer, method);
	else
		dmt_put_format(buffer, "???.??? methodId: %#" PRIx64 "\n",
		    event->method);
	*depth -= event->action != DMTRACE_ENTER;
}

static bool
put_listed_events(struct list *list, struct dmtrace_source *source,
    const char *name)
{
	struct dmtrace_row rows[BATCH];
	size_t count;

	do {
		if (dmtrace_source_read(source, rows, BATCH, &count) !=
		    DMTRACE_OK) {
			msg_failure(name, dmtrace_source_error(source));
			return false;
		}
		for (size_t i = 0; i < count; i++) {
			put_list_event(list, &rows[i].event);
			if (!flush_list(list))
				return false;
		}
	} while (count > 0 && out_room(list->out, 1) != NULL);
	return true;
}

bool
dmtracedump_list(struct out *out, struct dmtrace_source *source,
    const struct dmtrace_key *key, const char *name)
{
	struct list *const list = calloc(1, sizeof(*list));

	if (list == NULL) {
		msg_memory();
		return false;
	}
	list->out = out;
	memset(list->dots, '.', DOTS);
	bool fine = dump_methods_init(&list->methods, key);
	dmt_put_format(&list->buffer, "VERSION: %u\n", dmt_key_version(key));
	fine = fine && put_listed_threads(list, key);
	dmt_put(&list->buffer,
	    "Trace (threadID action usecs class.method signature):\n");
	fine = fine && flush_list(list) &&
	    put_listed_events(list, source, name);
	dump_methods_fini(&list->methods);
	dmt_output_fini(&list->buffer);
	free(list);
	return fine;
}
