/* text_form.c - reads and writes the text form; writes texts by hand */

/*
 * A text by hand says which events there are, and may say how threads, methods
 * and options are to be written. Everything else has its default: the writer
 * makes the key, the header and the packets, as for any other trace.
 *
 * An input that is a text is replaced by what the text means, in a temporary
 * file, before anything else looks at it.
 */

#include "private/key.h"
#include "private/text_form.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/path.h"
#include "base/output.h"
#include "format/names.h"
#include "format/other_format.h"
#include "key/line_decode.h"
#include "key/line_text.h"
#include "private/trace.h"
#include "text/text_dump.h"
#include "text/text_undump.h"
#include "trace/container.h"

/* A writer, and the ids of methods that have none in the text. */
struct text_write {
	struct dmtrace_writer *writer;	/* NULL: not begun */
	struct dmt_output *out;
	enum dmtrace_dialect dialect;
	enum dmtrace_clock clock;
	uint64_t start;
	bool open;
	uint64_t last_id;		/* that was given to a method */
	struct dmt_idmap ids;		/* that are in use */
	struct dmt_idmap threads;	/* that have a name */
};

/* Stores the writer's failure, with the line and the column where its statement
 * begins. Returns false. */
static bool
fail_write(const struct text_write *write, const struct text_line *line)
{
	const struct dmtrace_error *const error =
	    dmtrace_writer_error(write->writer);
	const char *at = line->begin;

	while (at < line->end && (*at == ' ' || *at == '\t'))
		at++;
	dmt_error_at(line->error, error->status == DMTRACE_ERR_RANGE ?
	    DMTRACE_ERR_CORRUPT : error->status, DMTRACE_PLACE_LINE,
	    line->number, "column %zu: %s", (size_t)(at - line->begin) + 1,
	    error->message);
	return false;
}

static bool
begin_write(struct text_write *write)
{
	if (write->writer == NULL)
		write->writer = dmtrace_writer_new();
	return write->writer != NULL;
}

/* A dmtrace_output; the output keeps its failure itself. */
static ptrdiff_t
write_to_output(void *context, const void *bytes, size_t len)
{
	dmt_output_write(context, bytes, len);
	return (ptrdiff_t)len;
}

static bool
open_writer(struct text_write *write)
{
	const struct dmtrace_output output = { write_to_output, write->out };
	const enum dmtrace_dialect dialect =
	    write->dialect != 0 ? write->dialect : DMTRACE_DIALECT_V3;

	if (write->open)
		return true;
	if (!begin_write(write))
		return false;

	/* Layouts do not distinguish "global" from "wall", but keys do. */
	write->open = dmtrace_writer_set_dialect(write->writer, dialect,
	    DMTRACE_STAGE_ANY, write->clock) == DMTRACE_OK &&
	    (write->clock == DMTRACE_CLOCK_MISSING || dmtrace_key_option_set(
	    dmtrace_writer_key(write->writer), DMT_OPTION_CLOCK,
	    dmtrace_clock_name(write->clock)) == DMTRACE_OK) &&
	    dmtrace_writer_set_start(write->writer, write->start) ==
	    DMTRACE_OK &&
	    dmtrace_writer_open_output(write->writer, &output) == DMTRACE_OK;
	return write->open;
}

static bool
add_written_thread(struct text_write *write, const struct text_line *line,
    uint32_t number, struct dmtrace_text name)
{
	const struct dmtrace_thread thread = { number, name };

	return dmt_idmap_at(&write->threads, number) != NULL &&
	    (dmtrace_key_thread_add(dmtrace_writer_key(write->writer),
	    &thread) == DMTRACE_OK || fail_write(write, line));
}

static bool
add_written_method(struct text_write *write, const struct text_line *line,
    struct text_state *state, const struct dmtrace_method *row)
{
	uint32_t *const used = dmt_idmap_at(&write->ids, row->id);

	if (used == NULL)
		return false;
	*used = 1;
	return (dmtrace_key_method_add(dmtrace_writer_key(write->writer),
	    row) == DMTRACE_OK || fail_write(write, line)) &&
	    dmt_text_names_add(&state->names, row->id, row);
}

/* thread 1 main */
static bool
read_written_thread(struct text_write *write, struct text_line *line,
    struct text_state *state)
{
	struct text_statement statement = { .word = TEXT_THREAD };

	dmt_text_line_skip_blanks(line);
	if (!dmt_text_line_ended(line) && *line->at == '"')
		return dmt_text_line_fail(line, line->at,
		    "the number of a thread");
	if (!dmt_text_line_statement(line, state, &statement))
		return false;
	if (statement.id > UINT32_MAX)
		return dmt_text_line_fail(line, line->begin,
		    "a thread number below 2^32");
	struct dmtrace_text name = statement.line;
	dmt_text_cut(&name, '\t');
	return add_written_thread(write, line, (uint32_t)statement.id, name);
}

static uint64_t
choose_id(struct text_write *write)
{
	do
		write->last_id += 4;
	while (dmt_idmap_find(&write->ids, write->last_id) != NULL);
	return write->last_id;
}

/* method 0x4 a/B.run()V B.java:12 */
static bool
read_written_method(struct text_write *write, struct text_line *line,
    struct text_state *state)
{
	struct text_statement statement =
	    { .word = TEXT_METHOD, .by_hand = true };
	struct dmt_found found = { .count = 0 };
	struct dmtrace_method row;
	const char *const begin = line->at;

	if (!dmt_text_line_statement(line, state, &statement))
		return false;
	const struct dmt_line text = { .text = statement.line,
	    .found = &found };
	if (!dmt_method_decode(&row, &text))
		return dmt_text_line_fail(line, begin, "the id of a method");
	for (size_t i = 0; i < found.count; i++) {
		const char *at = line->end;

		if (found.items[i] != DMT_METHOD_LINE_BAD)
			continue;
		while (at > begin && at[-1] != ':')
			at--;
		return dmt_text_line_fail(line, at, "the number of a line");
	}
	return add_written_method(write, line, state, &row);
}

static bool
read_written_option(struct text_write *write, struct text_line *line)
{
	struct dmtrace_option option;
	struct dmt_found found = { .count = 0 };
	const struct dmt_line text = { .text = { line->begin,
	    (size_t)(line->end - line->begin) }, .found = &found };

	dmt_option_decode(&option, &text);
	if (dmt_text_is(option.name, DMT_OPTION_CLOCK)) {
		if (write->open)
			return dmt_text_line_fail(line, line->begin,
			    "an event");
		write->clock = dmt_clock_find(option.value.bytes,
		    option.value.len);
		return write->clock != DMTRACE_CLOCK_UNKNOWN ||
		    dmt_text_line_fail(line, option.value.bytes,
		    "thread-cpu, wall, global or dual");
	}
	dmt_output_write(line->scratch, option.name.bytes, option.name.len);
	dmt_output_write(line->scratch, "", 1);
	dmt_output_write(line->scratch, option.value.bytes, option.value.len);
	dmt_output_write(line->scratch, "", 1);
	if (dmt_output_failed(line->scratch))
		return false;
	return dmtrace_key_option_set(dmtrace_writer_key(write->writer),
	    line->scratch->bytes,
	    line->scratch->bytes + option.name.len + 1) ==
	    DMTRACE_OK || fail_write(write, line);
}

static bool
read_written_dialect(struct text_write *write, struct text_line *line)
{
	struct dmtrace_text name;

	if (!dmt_text_line_word(line, &name, "v1 to v5, or f2 to f5"))
		return false;
	for (unsigned i = 0; i < DMT_DIALECTS; i++)
		if (dmt_text_is(name, dmt_dialect_names[i]))
			write->dialect = (enum dmtrace_dialect)(i + 1);
	if (write->dialect == 0 || !dmt_text_is(name,
	    dmt_dialect_names[write->dialect - 1]))
		return dmt_text_line_fail(line, name.bytes,
		    "v1 to v5, or f2 to f5");
	return dmt_text_line_end(line);
}

/* Carries out a statement: dialect, start, thread, method, or an option, whose
 * word is empty. */
static bool
write_statement(void *context, struct text_line *line,
    struct text_state *state, struct dmtrace_text word)
{
	struct text_write *const write = context;
	const bool early = dmt_text_is(word, "dialect") ||
	    dmt_text_is(word, "start");

	if (!begin_write(write))
		return false;
	if (early && write->open)
		return dmt_text_line_fail(line, line->begin, "an event");
	if (dmt_text_is(word, "dialect"))
		return read_written_dialect(write, line);
	if (dmt_text_is(word, "thread"))
		return read_written_thread(write, line, state);
	if (dmt_text_is(word, "method"))
		return read_written_method(write, line, state);
	if (!early)
		return read_written_option(write, line);
	uint64_t start_ns;
	dmt_text_line_skip_blanks(line);
	if (!dmt_text_line_time(line, &start_ns) || !dmt_text_line_end(line))
		return false;
	write->start = start_ns / 1000;
	return true;
}

/* Finds the id of a method, which is added if it is new; from then on it has
 * the name as it was written. */
static bool
write_new_method(void *context, struct text_line *line,
    struct text_state *state, const struct text_event *event,
    struct dmtrace_text written, uint64_t *id)
{
	struct text_write *const write = context;
	struct dmtrace_method row =
	    dmt_text_method_of(event->name, event->signature);
	struct dmt_output whole = { 0 };

	if (row.name.len == 0)
		return dmt_text_line_fail(line, event->place,
		    "the name of a method");
	if (!open_writer(write))
		return write->writer != NULL && fail_write(write, line);

	/* "A" is A.m(), which may have a row. */
	dmt_output_write(&whole, row.class_name.bytes, row.class_name.len);
	dmt_output_write(&whole, ".", row.class_name.len > 0);
	dmt_output_write(&whole, row.name.bytes, row.name.len);
	dmt_output_write(&whole, row.signature.bytes, row.signature.len);
	const bool failed = dmt_output_failed(&whole);
	const struct text_owner owner =
	    dmt_text_names_find(&state->names, dmt_output_text(&whole));
	dmt_output_fini(&whole);
	if (failed)
		return false;
	row.id = *id = owner.owners == TEXT_OWNER_ONE ? owner.id :
	    choose_id(write);
	return (owner.owners == TEXT_OWNER_ONE ||
	    add_written_method(write, line, state, &row)) &&
	    dmt_text_names_alias(&state->names, written, *id);
}

static bool
write_hand_event(void *context, const struct text_line *line,
    const struct dmtrace_event *event)
{
	struct text_write *const write = context;
	char name[32];

	if (!open_writer(write))
		return write->writer != NULL && fail_write(write, line);
	snprintf(name, sizeof(name), event->thread == 1 ? "main" :
	    "Thread-%" PRIu32, event->thread);
	if (dmt_idmap_find(&write->threads, event->thread) == NULL &&
	    !add_written_thread(write, line, event->thread,
	    dmt_text_of(name)))
		return false;
	return dmtrace_writer_write(write->writer, event, 1) == DMTRACE_OK ||
	    fail_write(write, line);
}

/* Ends the trace; without an event it is an empty one. */
static enum dmtrace_status
close_writing(void *context, struct dmtrace_error *error)
{
	struct text_write *const write = context;

	if (open_writer(write) &&
	    dmtrace_writer_close(write->writer) == DMTRACE_OK)
		return DMTRACE_OK;
	if (write->writer == NULL)
		return dmt_error_memory(error);
	const struct dmtrace_error *const failure =
	    dmtrace_writer_error(write->writer);
	return dmt_error_set(error, failure->status, "%s", failure->message);
}

static enum dmtrace_status
undump_to(struct dmt_input *in, struct dmt_output *out,
    enum dmtrace_dialect dialect, struct dmtrace_error *error)
{
	struct text_write write = { .out = out, .dialect = dialect };
	const struct text_hand hand = { &write, write_statement,
	    write_new_method, write_hand_event, close_writing };
	struct dmtrace_error other = { 0 };
	const uint8_t *bytes;
	const size_t len =
	    dmt_input_peek(in, DMT_OTHER_FORMAT_PROBE, &bytes);

	/* If it is no text, what it is matters more than where it is not. */
	if (!dmt_text_begins((struct dmtrace_text){ (const char *)bytes, len },
	    "dmtrace text "))
		dmt_other_format_name(&other, bytes, len);
	if (dmt_text_read(in, out, &hand, error) == DMTRACE_ERR_CORRUPT &&
	    other.status != DMTRACE_OK)
		*error = other;
	dmtrace_writer_free(write.writer);
	dmt_idmap_fini(&write.ids);
	dmt_idmap_fini(&write.threads);
	return error->status;
}

enum dmtrace_status
dmt_input_undump(struct dmt_input *input, struct dmtrace_error *error)
{
	const struct dmtrace_text first = dmt_text_of(TEXT_FIRST_LINE);
	const uint8_t *bytes;
	struct dmt_output output;
	const size_t len = dmt_input_peek(input, first.len + 2, &bytes);
	const uint8_t *const end = bytes + first.len;

	if (len < first.len || memcmp(bytes, first.bytes, first.len) != 0)
		return DMTRACE_OK;
	/* The whole line, with LF or CR LF, or nothing else. */
	if (len > first.len && *end != '\n' &&
	    (len < first.len + 2 || end[0] != '\r' || end[1] != '\n'))
		return DMTRACE_OK;
	dmt_error_clear(error);
	if (dmt_output_open_temporary(&output, NULL) == DMTRACE_OK &&
	    undump_to(input, &output, (enum dmtrace_dialect)0, error) ==
	    DMTRACE_OK)
		dmt_input_replace(input, &output);
	if (error->status == DMTRACE_OK)
		*error = output.error;
	dmt_output_fini(&output);
	return error->status;
}

static enum dmtrace_status
write_as_text(struct dmt_input *from, struct dmt_output *to,
    struct dmtrace_error *error)
{
	bool recognized;

	return dmt_text_write(from, to, &recognized, error);
}

enum dmtrace_status
dmt_output_open_trace(struct dmt_output *output, const char *path)
{
	if (dmt_output_open_path(output, path) == DMTRACE_OK &&
	    dmt_output_pack(output) == DMTRACE_OK &&
	    dmt_path_ends(path, ".dmt"))
		dmt_output_translate(output, write_as_text);
	return output->error.status;
}

enum dmtrace_status
dmt_output_write_text(struct dmt_output *output)
{
	return dmt_output_translate_now(output, write_as_text);
}

/* Dumps an input that was opened, and ends it. */
static enum dmtrace_status
dump_opened(struct dmt_input *in, struct dmt_output *sink, bool *recognized,
    struct dmtrace_error *error)
{
	struct dmtrace_error other = { 0 };
	const uint8_t *bytes;

	*recognized = false;
	*error = in->error;
	if (error->status == DMTRACE_OK &&
	    dmt_input_undump(in, error) == DMTRACE_OK) {
		const size_t len =
		    dmt_input_peek(in, DMT_OTHER_FORMAT_PROBE, &bytes);

		dmt_other_format_name(&other, bytes, len);
		dmt_text_write(in, sink, recognized, error);
	}
	if (error->status == DMTRACE_OK && !*recognized)
		memcpy(error->message, other.message, sizeof(other.message));
	dmt_input_fini(in);
	return error->status;
}

enum dmtrace_status
dmt_text_dump(const struct dmtrace_file *file, struct dmt_output *sink,
    bool *recognized, struct dmtrace_error *error)
{
	struct dmt_input in;

	dmt_input_open_file(&in, file);
	return dump_opened(&in, sink, recognized, error);
}

enum dmtrace_status
dmt_text_dump_memory(const void *bytes, size_t len, struct dmt_output *sink,
    bool *recognized, struct dmtrace_error *error)
{
	struct dmt_input in;

	dmt_input_open_memory(&in, bytes, len);
	return dump_opened(&in, sink, recognized, error);
}

enum dmtrace_status
dmt_text_undump(const struct dmtrace_file *file, struct dmt_output *sink,
    enum dmtrace_dialect dialect, struct dmtrace_error *error)
{
	struct dmt_input in;

	dmt_input_open_file(&in, file);
	undump_to(&in, sink, dialect, error);
	dmt_input_fini(&in);
	return error->status;
}

enum dmtrace_status
dmt_text_undump_memory(const void *bytes, size_t len, struct dmt_output *sink,
    enum dmtrace_dialect dialect, struct dmtrace_error *error)
{
	struct dmt_input in;

	dmt_input_open_memory(&in, bytes, len);
	undump_to(&in, sink, dialect, error);
	dmt_input_fini(&in);
	return error->status;
}
