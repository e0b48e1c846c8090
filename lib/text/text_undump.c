/* text_undump.c - the text form to bytes */

/*
 * Two kinds of text have the same lines. One begins with what dump prints
 * first: key, header, bytes or a heading. It says what the file is, and each
 * statement is written as its bytes (statement.c). Any other text was written
 * by hand, and says what happened; its events go to a writer.
 *
 * The bytes of a statement wait for the next line, which may replace them; the
 * events of a block and the text of a summary wait for their end.
 */

#include "text/text_undump.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "data/v2.h"
#include "key/line_text.h"
#include "private/put.h"

/* A line of a key, of at most 16 MiB, may be in quotes, as \xNN. */
#define LINE_MAX_BYTES ((size_t)65 << 20)

struct text_undump {
	struct text_state state;
	struct dmt_input *in;
	struct dmt_output *out;
	const struct text_hand *hand;
	struct dmtrace_error *error;
	struct text_line line;		/* the current one */
	struct dmt_output scratch;
	struct dmt_output unit;		/* of the last statement */
	struct dmt_output summary;
	const char *why;		/* the last statement has no bytes of
					   its own; NULL: it has */
	uint64_t why_line;
	bool has_unit;			/* there was a statement */
	bool in_block;
	struct dmtrace_event *block;
	size_t block_count;
	size_t block_capacity;
	bool exact;			/* the text says what the file is */
	bool by_hand;			/* or what happened */
	bool failed;			/* no memory */
	uint64_t time_ns;		/* of the last line without a time */
};

/* Completes the unit of a block: its events are known. */
static void
complete_block(struct text_undump *undump)
{
	if (undump->in_block && undump->block_count == 0)
		undump->why = "a block has no events";
	else if (undump->in_block)
		undump->why = dmt_text_encode_block(&undump->state,
		    undump->block, undump->block_count, &undump->unit);
	undump->in_block = false;
	undump->block_count = 0;
}

/* Writes the bytes of the last statement. false: it has none. */
static bool
put_unit(struct text_undump *undump)
{
	complete_block(undump);
	if (undump->why != NULL) {
		dmt_error_at(undump->error, DMTRACE_ERR_CORRUPT,
		    DMTRACE_PLACE_LINE, undump->why_line, "%s", undump->why);
		return false;
	}
	dmt_put_output(undump->state.in_summary ? &undump->summary :
	    undump->out, &undump->unit);
	dmt_output_clear(&undump->unit);
	undump->has_unit = false;
	return true;
}

/* Stores the failure, unless memory ran out, which dmt_text_read reports.
 * Returns false. */
static bool
fail_why(struct text_undump *undump, const char *at, const char *why)
{
	if (!dmt_output_failed(&undump->unit))
		dmt_error_at(undump->error, DMTRACE_ERR_CORRUPT,
		    DMTRACE_PLACE_LINE, undump->line.number, "column %zu: %s",
		    (size_t)(at - undump->line.begin) + 1, why);
	return false;
}

/* The summary is complete: its packet is the unit. */
static bool
end_summary(struct text_undump *undump)
{
	struct text_statement summary = { .word = TEXT_SUMMARY };
	const char *why;

	undump->state.in_summary = false;
	summary.line = (struct dmtrace_text){ "", undump->summary.len };
	why = dmt_text_encode(&undump->state, &summary, &undump->unit);
	undump->state.in_summary = false;
	if (why != NULL)
		return fail_why(undump, undump->line.begin, why);
	dmt_put_output(&undump->unit, &undump->summary);
	dmt_output_clear(&undump->summary);
	return true;
}

/* A statement whose bytes dmt_text_encode knows. */
static bool
read_statement(struct text_undump *undump, enum text_word word,
    enum dmt_section section)
{
	struct text_state *const state = &undump->state;
	struct text_statement statement =
	    { .word = word, .section = section };

	if (!put_unit(undump))
		return false;
	if (word == TEXT_HEADING && section != DMT_SECTION_UNKNOWN) {
		dmt_text_line_skip_blanks(&undump->line);
		if (dmt_text_line_ended(&undump->line)) {
			const char *const name = dmt_section_name(section);

			dmt_output_write(&undump->scratch, name,
			    strlen(name));
		}
	}
	if (!dmt_text_line_statement(&undump->line, state, &statement))
		return false;
	if (word == TEXT_SUMMARY_END && state->in_summary)
		return end_summary(undump);
	if (word == TEXT_SUMMARY) {
		if (state->in_summary || state->data == TEXT_NO_DATA ||
		    state->data == TEXT_RECORDS)
			return fail_why(undump, undump->line.begin,
			    "a summary follows the header of a stream");
		state->in_summary = true;
		state->section = DMT_SECTION_UNKNOWN;
		return true;
	}
	if (word == TEXT_HEADING)
		statement.line = dmt_output_text(&undump->scratch);
	const char *const why = dmt_text_encode(state, &statement,
	    &undump->unit);
	if (why != NULL)
		return fail_why(undump, undump->line.begin, why);
	undump->has_unit = true;
	undump->in_block = word == TEXT_BLOCK;
	undump->why_line = undump->line.number;
	return true;
}

/* Writes an event, or adds it to the block. */
static bool
put_event(struct text_undump *undump, const struct dmtrace_event *event)
{
	if (!undump->exact)
		return undump->hand->event(undump->hand->context,
		    &undump->line, event);
	if (!undump->in_block) {
		if (!put_unit(undump))
			return false;
		if (undump->state.data == TEXT_NO_DATA ||
		    undump->state.in_summary)
			return fail_why(undump, undump->line.begin,
			    "\"header\" must come before an event");
		if (undump->state.data == TEXT_PACKETS)
			return fail_why(undump, undump->line.begin,
			    "\"block\" must come before events");
		undump->why = dmt_text_encode_event(&undump->state, event,
		    &undump->unit);
		undump->why_line = undump->line.number;
		undump->has_unit = true;
		return true;
	}
	if (undump->block_count > 0 &&
	    undump->block[0].thread != event->thread)
		return fail_why(undump, undump->line.begin,
		    "a block has events of one thread");
	if (undump->block_count == DMT_V2_BLOCK_EVENTS_MAX)
		return fail_why(undump, undump->line.begin,
		    "a block has at most 65535 events");
	struct dmtrace_event *const block = dmt_array_grow(undump->block,
	    &undump->block_capacity, undump->block_count + 1, sizeof(*block));
	undump->failed |= block == NULL;
	if (block == NULL)
		return false;
	undump->block = block;
	block[undump->block_count++] = *event;
	return true;
}

/* Finds the method that an event names. */
static bool
find_method(struct text_undump *undump, const struct text_event *event,
    uint64_t *method)
{
	const struct dmtrace_text name = event->name;

	if (dmt_text_begins(name, "0x")) {
		struct text_line number = undump->line;

		number.at = name.bytes;
		if (!dmt_text_line_number(&number, method,
		    "the id of a method"))
			return false;
		if (number.at != name.bytes + name.len || *method % 4 != 0)
			return dmt_text_line_fail(&undump->line, name.bytes,
			    "the id of a method, a multiple of 4");
		return true;
	}
	struct dmtrace_text whole = name;
	if (event->signature.len > 0) {
		dmt_output_clear(&undump->scratch);
		dmt_output_write(&undump->scratch, name.bytes, name.len);
		dmt_output_write(&undump->scratch, event->signature.bytes,
		    event->signature.len);
		whole = dmt_output_text(&undump->scratch);
	}
	undump->failed |= dmt_output_failed(&undump->scratch);
	if (undump->failed)
		return false;
	const struct text_owner owner =
	    dmt_text_names_find(&undump->state.names, whole);
	*method = owner.id;
	if (owner.owners == TEXT_OWNER_ONE)
		return true;
	if (owner.owners == TEXT_OWNER_SEVERAL)
		return dmt_text_line_fail(&undump->line, event->place,
		    "a name that only one method has");
	return undump->exact ? dmt_text_line_fail(&undump->line, event->place,
	    "a method that was defined") :
	    undump->hand->method(undump->hand->context, &undump->line,
	    &undump->state, event, whole, method);
}

/* Ends calls from the innermost one on, down to that many, at the time of
 * event. */
static bool
end_open_calls(struct text_undump *undump, size_t depth,
    const struct dmtrace_event *event)
{
	struct dmtrace_event end = *event;

	end.action = DMTRACE_EXIT;
	for (;;) {
		struct text_thread *const thread =
		    dmt_text_thread_get(&undump->state, event->thread);

		if (thread->depth <= depth)
			return true;
		end.method = thread->frames[thread->depth - 1].method;
		thread->depth--;
		if (!put_event(undump, &end))
			return false;
	}
}

/*
 * What the indentation says. A line that has the name of an open call, at its
 * indentation, ends the call, and those inside it. Any other line ends the
 * calls that are not left of it, and begins a call; but left of the first line
 * of its thread, it ends a call that began before.
 */
static bool
read_indented(struct text_undump *undump, struct text_event *event)
{
	struct text_thread *const thread =
	    dmt_text_thread_get(&undump->state, event->event.thread);
	size_t depth = thread->depth;

	while (depth > 0 && thread->frames[depth - 1].indent > event->indent)
		depth--;
	const struct text_frame *const at =
	    depth == 0 ? NULL : &thread->frames[depth - 1];
	if (at != NULL && at->indent == event->indent &&
	    at->method == event->event.method) {
		event->event.action = DMTRACE_EXIT;
		return end_open_calls(undump, depth, &event->event);
	}
	if (at == NULL && thread->begun && event->indent < thread->floor) {
		event->event.action = DMTRACE_EXIT;
		return end_open_calls(undump, 0, &event->event);
	}
	if (at != NULL && at->indent == event->indent)
		depth--;
	event->event.action = DMTRACE_ENTER;
	return end_open_calls(undump, depth, &event->event);
}

static bool
read_event_line(struct text_undump *undump)
{
	static const char signs[] = "><!?";
	struct dmtrace_event *at;
	struct text_event event;

	if (!dmt_text_line_event(&undump->line, &event))
		return false;
	at = &event.event;
	if (!event.has_time) {
		undump->time_ns += 2000;
		at->wall_ns = at->cpu_ns = undump->time_ns;
		at->thread = 1;
	} else {
		undump->time_ns = at->wall_ns;
	}
	undump->by_hand |= !undump->exact;
	struct text_thread *thread =
	    dmt_text_thread_get(&undump->state, at->thread);
	undump->failed |= thread == NULL;
	if (thread == NULL)
		return false;
	if (event.name.len == 0 || dmt_text_is(event.name, "-")) {
		at->method = thread->depth == 0 ? 0 :
		    thread->frames[thread->depth - 1].method;
		if (thread->depth == 0 && !undump->in_block)
			return dmt_text_line_fail(&undump->line, event.place,
			    "the name of a method, as no call is open,");
	} else if (!find_method(undump, &event, &at->method)) {
		return false;
	}
	if (event.sign != '\0')
		at->action = (enum dmtrace_action)
		    (strchr(signs, event.sign) - signs);
	else if (!read_indented(undump, &event))
		return false;
	if (!put_event(undump, at))
		return false;
	thread = dmt_text_thread_get(&undump->state, at->thread);
	if (!dmt_text_thread_apply(thread, at->action, at->method,
	    event.indent))
		undump->failed = true;
	return !undump->failed;
}

/* bytes 0a 0b "text", or = 0a to replace those of the last statement */
static bool
read_bytes_line(struct text_undump *undump, bool replace)
{
	const bool has_unit = undump->has_unit || undump->in_block;

	if (!replace) {
		if (!put_unit(undump))
			return false;
	} else if (!has_unit) {
		return fail_why(undump, undump->line.begin,
		    "there are no bytes to replace");
	} else {
		complete_block(undump);
		undump->why = NULL;
		dmt_output_clear(&undump->unit);
	}
	dmt_output_clear(&undump->scratch);
	if (!dmt_text_line_bytes(&undump->line))
		return false;
	dmt_put_output(&undump->unit, &undump->scratch);
	return true;
}

static bool
is_option_line(struct dmtrace_text word)
{
	size_t i = 0;

	while (i < word.len && (memchr("-_.", word.bytes[i], 3) != NULL ||
	    (word.bytes[i] >= 'a' && word.bytes[i] <= 'z') ||
	    (word.bytes[i] >= 'A' && word.bytes[i] <= 'Z') ||
	    (word.bytes[i] >= '0' && word.bytes[i] <= '9')))
		i++;
	return i > 0 && i < word.len && word.bytes[i] == '=';
}

/* Reads a line that is neither blank nor a comment. */
static bool
read_text_line(struct text_undump *undump)
{
	static const struct {
		const char *word;
		enum text_word is;
		enum dmt_section section;
	} words[] = {
		{ "key", TEXT_NUMBER, DMT_SECTION_UNKNOWN },
		{ "option", TEXT_OPTION, DMT_SECTION_UNKNOWN },
		{ "thread", TEXT_THREAD, DMT_SECTION_UNKNOWN },
		{ "method", TEXT_METHOD, DMT_SECTION_UNKNOWN },
		{ "header", TEXT_HEADER, DMT_SECTION_UNKNOWN },
		{ "summary", TEXT_SUMMARY, DMT_SECTION_UNKNOWN },
		{ "end", TEXT_SUMMARY_END, DMT_SECTION_UNKNOWN },
		{ "block", TEXT_BLOCK, DMT_SECTION_UNKNOWN },
		{ "finish", TEXT_FINISH, DMT_SECTION_UNKNOWN },
		{ "*", TEXT_HEADING, DMT_SECTION_UNKNOWN },
		{ "*version", TEXT_HEADING, DMT_SECTION_VERSION },
		{ "*threads", TEXT_HEADING, DMT_SECTION_THREADS },
		{ "*methods", TEXT_HEADING, DMT_SECTION_METHODS },
		{ "*end", TEXT_HEADING, DMT_SECTION_END },
	};
	struct text_line *const line = &undump->line;
	struct dmtrace_text word;

	if (dmt_is_blank(*line->at) || (*line->at >= '0' &&
	    *line->at <= '9'))
		return read_event_line(undump);
	dmt_text_line_word(line, &word, "a statement");
	if (line->number == 1 && dmt_text_is(word, "dmtrace"))
		return dmt_text_line_fail(line, line->end,
		    "\"" TEXT_FIRST_LINE "\"");
	const bool bytes = dmt_text_is(word, "bytes");
	const bool replace = dmt_text_is(word, "=");
	const bool option = is_option_line(word);
	const bool plain = option || dmt_text_is(word, "thread") ||
	    dmt_text_is(word, "method") || dmt_text_is(word, "dialect") ||
	    dmt_text_is(word, "start");
	if (plain && !undump->exact) {
		undump->by_hand = true;
		return undump->hand->statement(undump->hand->context, line,
		    &undump->state, option ? dmt_text_of("") : word);
	}
	if (bytes || replace) {
		undump->exact |= !undump->by_hand;
		return undump->exact ? read_bytes_line(undump, replace) :
		    fail_why(undump, line->begin,
		    "bytes must come after \"key\" or \"header\"");
	}
	if (option) {
		line->at = line->begin;
		return read_statement(undump, TEXT_OPTION,
		    DMT_SECTION_UNKNOWN);
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!dmt_text_is(word, words[i].word))
			continue;
		if (undump->by_hand)
			return fail_why(undump, line->begin, "this must come "
			    "before threads, methods and events");
		undump->exact = true;
		return read_statement(undump, words[i].is, words[i].section);
	}
	if (undump->exact)
		return dmt_text_line_fail(line, line->begin, "a statement");
	line->at = line->begin;
	return read_event_line(undump);
}

/* Reads all lines. false: it failed. */
static bool
read_lines(struct text_undump *undump)
{
	const uint8_t *bytes;
	size_t want = DMT_BLOCK_SIZE, len;

	while ((len = dmt_input_peek(undump->in, want, &bytes)) > 0) {
		size_t at = 0;
		const uint8_t *lf;

		while (at < len && ((lf = memchr(bytes + at, '\n', len - at))
		    != NULL || undump->in->ended)) {
			const char *const begin = (const char *)bytes + at;
			const char *end = lf != NULL ? (const char *)lf :
			    (const char *)bytes + len;

			at = (size_t)(end - (const char *)bytes) +
			    (lf != NULL);
			undump->line.number++;
			if (end > begin && end[-1] == '\r')
				end--;
			undump->line.begin = undump->line.at = begin;
			undump->line.end = end;
			dmt_output_clear(&undump->scratch);
			dmt_text_line_skip_blanks(&undump->line);
			if (dmt_text_line_ended(&undump->line) ||
			    *undump->line.at == '#' ||
			    (undump->line.number == 1 &&
			    dmt_text_is((struct dmtrace_text){ begin,
			    (size_t)(end - begin) }, TEXT_FIRST_LINE)))
				continue;
			undump->line.at = begin;
			if (!read_text_line(undump) ||
			    dmt_output_failed(&undump->unit) ||
			    dmt_output_failed(&undump->scratch) ||
			    dmt_output_failed(&undump->summary))
				return false;
		}
		dmt_input_skip(undump->in, at);
		if (at == 0 && len >= LINE_MAX_BYTES)
			return fail_why(undump, undump->line.begin,
			    "a line is longer than 65 MiB");
		want = at == 0 ? 2 * len : DMT_BLOCK_SIZE;
	}
	return true;
}

enum dmtrace_status
dmt_text_read(struct dmt_input *in, struct dmt_output *out,
    const struct text_hand *hand, struct dmtrace_error *error)
{
	struct text_undump undump = {
		.state.section = DMT_SECTION_UNKNOWN,
		.in = in,
		.out = out,
		.hand = hand,
		.error = error
	};

	dmt_error_clear(error);
	undump.line.error = error;
	undump.line.scratch = &undump.scratch;
	const bool good = read_lines(&undump);

	if (in->error.status != DMTRACE_OK)
		*error = in->error;
	else if (!good && error->status == DMTRACE_OK)
		dmt_error_memory(error);
	else if (good && undump.state.in_summary)
		dmt_error_at(error, DMTRACE_ERR_CORRUPT, DMTRACE_PLACE_LINE,
		    undump.line.number,
		    "the text ends where \"end\" of the summary is expected");
	else if (good && undump.exact)
		put_unit(&undump);
	else if (good)
		hand->close(hand->context, error);
	dmt_text_state_fini(&undump.state);
	dmt_output_fini(&undump.scratch);
	dmt_output_fini(&undump.unit);
	dmt_output_fini(&undump.summary);
	free(undump.block);
	return error->status;
}
