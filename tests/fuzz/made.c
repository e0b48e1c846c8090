/* made.c - traces made of arbitrary bytes are split, converted, and restored */

/*
 * Arbitrary bytes are hardly ever a trace, so the code that needs a whole one
 * is not reached by them. Here the bytes are read as choices: the dialect, the
 * clock, the threads and methods, and two bytes for each event. The writer
 * makes a trace of them, in which times may repeat, step back or exceed 32
 * bits, and exits may end another call than the innermost.
 */

#include <dirent.h>
#include <dmtrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/targets.h"

enum { THREADS = 3, METHODS = 6, DEPTH = 16, EVENTS = 400, PIECES = 40 };

struct choices {
	const uint8_t *at, *end;
};

static unsigned
choose(struct choices *in, unsigned count)
{
	return in->at < in->end ? *in->at++ % count : 0;
}

struct form {
	enum dmtrace_dialect dialect;
	enum dmtrace_stage stage;
	enum dmtrace_clock clock;
};

static enum dmtrace_clock
choose_clock(struct choices *in)
{
	static const enum dmtrace_clock clocks[] = { DMTRACE_CLOCK_DUAL,
	    DMTRACE_CLOCK_WALL, DMTRACE_CLOCK_THREAD_CPU };

	return clocks[choose(in, 3)];
}

/* One of the dialects that have this clock. */
static struct form
choose_form(struct choices *in, enum dmtrace_clock clock)
{
	static const enum dmtrace_dialect dialects[][6] = {
		{ DMTRACE_DIALECT_V1, DMTRACE_DIALECT_V2, DMTRACE_DIALECT_V3,
		  DMTRACE_DIALECT_F2, DMTRACE_DIALECT_V4, DMTRACE_DIALECT_F4 },
		{ DMTRACE_DIALECT_V3, DMTRACE_DIALECT_F3, DMTRACE_DIALECT_V3,
		  DMTRACE_DIALECT_F3, DMTRACE_DIALECT_V5, DMTRACE_DIALECT_F5 }
	};
	struct form form = { .clock = clock, .dialect =
	    dialects[clock == DMTRACE_CLOCK_DUAL][choose(in, 6)] };

	if (form.dialect >= DMTRACE_DIALECT_V4)
		form.stage = (enum dmtrace_stage)choose(in, 4);
	return form;
}

/* Writes the events that the rest of the choices are. Most traces have no
 * nanoseconds, times of more than 32 bits or exits of other calls, as a
 * conversion loses these. */
static void
write_events(struct dmtrace_writer *writer, struct choices *in,
    struct form form, const uint32_t *threads, const uint64_t *methods)
{
	static const uint64_t steps_ns[] = { 0, 1000, 1000, 7000, 1234, 999,
	    1000000, UINT64_C(2147483647000), UINT64_C(4294967296000) };
	const bool is_long = choose(in, 8) == 7 &&
	    form.dialect >= DMTRACE_DIALECT_V4;
	const uint64_t end_ns = is_long ? UINT64_MAX : UINT64_C(4294967296000);
	const uint64_t unit_ns = choose(in, 8) == 7 ? 1 : 1000;
	const bool has_strays = choose(in, 4) == 3;
	uint64_t stacks[THREADS][DEPTH], now_ns = 5000;
	unsigned depths[THREADS] = { 0 };

	for (unsigned i = 0; i < EVENTS && in->at < in->end; i++) {
		const unsigned which = choose(in, THREADS);
		const unsigned kind = choose(in, 256);
		const uint64_t step_ns = steps_ns[kind / 24 %
		    (sizeof(steps_ns) / sizeof(*steps_ns))];
		unsigned *const depth = &depths[which];
		struct dmtrace_event event = {
			.thread = threads[which],
			.method = methods[kind / 4 % METHODS]
		};

		if (kind == 255 && now_ns > 3000)
			now_ns -= 3000;
		else if (step_ns < end_ns - now_ns)
			now_ns += step_ns;
		event.wall_ns = now_ns - now_ns % unit_ns;
		event.cpu_ns = now_ns / 3 - now_ns / 3 % unit_ns;
		if ((kind % 4 < 2 && *depth < DEPTH) ||
		    (*depth == 0 && !has_strays)) {
			stacks[which][(*depth)++] = event.method;
		} else {
			event.action = kind % 4 == 2 ? DMTRACE_UNROLL :
			    DMTRACE_EXIT;
			if (*depth > 0) {
				(*depth)--;
				if (kind < 250 || !has_strays)
					event.method = stacks[which][*depth];
			}
		}
		dmtrace_writer_write(writer, &event, 1);
	}
}

/* A trace in the memory of the returned writer; NULL: an event cannot be
 * written in this form. */
static struct dmtrace_writer *
make_trace(struct choices *in, struct form form)
{
	static const uint32_t ids[] = { 1, 2, 77, 255, 513, 40000 };
	static const char *const names[] = { "main", "a", "a", "b\xc3\xa9" };
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	const unsigned first = choose(in, form.dialect == 1 ? 2 : 4);
	const uint64_t factor = choose(in, 8) == 7 ? 0x1010104 : 4;
	uint32_t threads[THREADS];
	uint64_t methods[METHODS];

	dmtrace_writer_set_dialect(writer, form.dialect, form.stage,
	    form.clock);
	dmtrace_writer_set_start(writer, UINT64_C(1577836800000000) +
	    choose(in, 3));
	for (unsigned i = 0; i < THREADS; i++) {
		threads[i] = ids[first + i];
		dmtrace_writer_add_thread(writer, threads[i],
		    names[i + choose(in, 2)]);
	}
	for (unsigned i = 0; i < METHODS; i++) {
		methods[i] = factor * (i + 1);
		dmtrace_writer_add_method(writer, methods[i],
		    i % 2 == 0 ? "A" : "B", names[i % 4]);
	}
	dmtrace_writer_open_memory(writer);
	write_events(writer, in, form, threads, methods);
	if (dmtrace_writer_close(writer) == DMTRACE_OK)
		return writer;
	dmtrace_writer_free(writer);
	return NULL;
}

/* A reader of what the writer made. */
static struct dmtrace_reader *
open_made(const struct dmtrace_writer *writer)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	size_t len;
	const void *const bytes = dmtrace_writer_memory(writer, &len);

	demand(dmtrace_reader_open_memory(reader, bytes, len) == DMTRACE_OK,
	    "what was written opens");
	return reader;
}

/* Reads both to their ends; with same, their events are the same. */
static void
compare_events(struct dmtrace_reader *one, struct dmtrace_reader *two,
    bool same)
{
	struct dmtrace_event a, b;

	for (;;) {
		const enum dmtrace_status status = dmtrace_reader_next(one, &a);

		demand(dmtrace_reader_next(two, &b) == status,
		    "as many events come back");
		if (status != DMTRACE_OK)
			return;
		demand(!same || (a.thread == b.thread && a.method == b.method &&
		    a.action == b.action && a.cpu_ns == b.cpu_ns &&
		    a.wall_ns == b.wall_ns), "the same events come back");
	}
}

/* Joins all pieces, which are removed, and compares them with the trace. */
static void
check_pieces(const struct dmtrace_writer *writer, struct dmtrace_op *op,
    struct form form, enum dmtrace_pieces_by by)
{
	static char names[PIECES][SCRATCH_PATH];
	char folder_path[SCRATCH_PATH], out_path[SCRATCH_PATH];
	const struct dmtrace_file out = { .path = out_path };
	const char *paths[PIECES];
	size_t count = 0, len;
	int exact;
	const void *const bytes = dmtrace_writer_memory(writer, &len);

	scratch_path(folder_path, "");
	scratch_path(out_path, "joined.trace");
	DIR *const folder = opendir(folder_path);
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
		if (strncmp(entry->d_name, "piece-", 6) == 0) {
			demand(count < PIECES, "there are few pieces");
			scratch_path(names[count], entry->d_name);
			paths[count] = names[count];
			count++;
		}
	closedir(folder);
	demand(dmtrace_join_pieces(op, paths, count, &out, 0, &exact) ==
	    DMTRACE_OK, "pieces are joined");
	struct dmtrace_reader *const whole = open_made(writer);
	struct dmtrace_reader *const joined = dmtrace_reader_new();
	demand(dmtrace_reader_open_path(joined, out.path) == DMTRACE_OK,
	    "what was joined opens");
	demand(by == DMTRACE_PIECES_THREAD || exact != 0,
	    "pieces restore the order");
	compare_events(whole, joined, exact != 0);
	dmtrace_reader_free(whole);
	dmtrace_reader_free(joined);
	if (by != DMTRACE_PIECES_THREAD && form.dialect <= DMTRACE_DIALECT_V3) {
		FILE *const file = fopen(out.path, "rb");
		uint8_t *const got = malloc(len + 1);

		demand(fread(got, 1, len + 1, file) == len &&
		    memcmp(got, bytes, len) == 0, "the same bytes come back");
		free(got);
		fclose(file);
	}
	unlink(out.path);
	for (size_t i = 0; i < count; i++)
		unlink(paths[i]);
}

/* What is split into pieces is joined again. */
void
run_pieces(const uint8_t *bytes, size_t len)
{
	static const uint64_t amounts[][6] = {
		[DMTRACE_PIECES_THREAD] = { 1, 1, 1, 1, 1, 1 },
		[DMTRACE_PIECES_TIME] = { 1, 3000, 100000, 4000000,
		    40000000, UINT64_C(200000000000) },
		[DMTRACE_PIECES_RECORDS] = { 1, 3, 8, 15, 40, 1000 },
		[DMTRACE_PIECES_SIZE] = { 1, 400, 600, 1000, 9000, 2000000 }
	};
	struct choices in = { bytes, bytes + len };
	char before[SCRATCH_PATH];
	const enum dmtrace_pieces_by by =
	    (enum dmtrace_pieces_by)choose(&in, 4);
	const struct dmtrace_pieces_options options = {
		.by = by, .amount = amounts[by][choose(&in, 6)],
		.before = before, .after = ".trace", .max_files = PIECES
	};
	const struct form form = choose_form(&in, choose_clock(&in));
	struct dmtrace_writer *const writer = make_trace(&in, form);

	if (writer == NULL)
		return;
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_reader *const reader = open_made(writer);
	uint64_t count;
	scratch_path(before, "piece-");
	if (dmtrace_split_pieces(op, reader, &options, &count) ==
	    DMTRACE_OK && count > 0)
		check_pieces(writer, op, form, options.by);
	dmtrace_reader_free(reader);
	dmtrace_op_free(op);
	dmtrace_writer_free(writer);
}

/* Converts from a reader to a scratch file, and returns a reader of that, or
 * NULL. *lost: something is lost. */
static struct dmtrace_reader *
convert(struct dmtrace_op *op, struct dmtrace_reader *from, unsigned file,
    struct form form, bool *lost)
{
	const struct dmtrace_file out = { NULL, scratch_file(file, NULL, 0) };
	const struct dmtrace_convert_options options = {
		.dialect = form.dialect, .clock = form.clock,
		.stage = form.stage
	};
	struct dmtrace_convert_result result;
	struct dmtrace_reader *const to = dmtrace_reader_new();

	if (dmtrace_convert(op, from, &out, &options, &result) != DMTRACE_OK) {
		dmtrace_reader_free(to);
		return NULL;
	}
	for (int i = 0; i < DMTRACE_LOSSES; i++)
		*lost = *lost || result.losses[i] > 0;
	demand(lseek(out.fd, 0, SEEK_SET) == 0 &&
	    dmtrace_reader_open_fd(to, out.fd) == DMTRACE_OK,
	    "what was converted opens");
	return to;
}

/* What is converted has as many events; and, converted back, the same ones,
 * unless something was lost. */
void
run_convert(const uint8_t *bytes, size_t len)
{
	struct choices in = { bytes, bytes + len };
	const enum dmtrace_clock clock = choose_clock(&in);
	const struct form form = choose_form(&in, clock);
	const struct form other = choose_form(&in,
	    choose(&in, 8) == 7 ? choose_clock(&in) : clock);
	struct dmtrace_writer *const writer = make_trace(&in, form);

	if (writer == NULL)
		return;
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_reader *whole = open_made(writer);
	bool lost = false;
	struct dmtrace_reader *const made =
	    convert(op, whole, 0, other, &lost);
	dmtrace_reader_free(whole);
	if (made != NULL) {
		struct dmtrace_reader *const again =
		    convert(op, made, 1, form, &lost);

		demand(again != NULL || lost, "it is converted back");
		whole = open_made(writer);
		if (again != NULL)
			compare_events(whole, again, !lost);
		dmtrace_reader_free(again);
		dmtrace_reader_free(whole);
	}
	dmtrace_reader_free(made);
	dmtrace_op_free(op);
	dmtrace_writer_free(writer);
}
