/* repair_rows.c - lines of threads and methods, mended */

#include "ops/repair_key.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/escape.h"
#include "key/number.h"

#define CELL 32			/* enough for an id and what is around it */

void
dmt_mender_tell(struct dmt_mender *mender, enum dmt_change which)
{
	const struct dmt_line *const line = &mender->line;
	char shown[DMT_ESCAPED_MAX];

	dmt_change_add(mender->changes, which, 1, DMTRACE_PLACE_LINE,
	    line->number, "\"%s\"", dmt_escape(shown, sizeof(shown),
	    line->text.bytes, line->text.len));
}

static void
put(struct dmt_mender *mender, struct dmtrace_text text, char end)
{
	struct dmt_sink *const out = &mender->out[mender->section];

	dmt_sink_write(out, text.bytes, text.len);
	dmt_sink_write(out, &end, 1);
}

void
dmt_mender_put(struct dmt_mender *mender)
{
	put(mender, mender->line.text, '\n');
}

/* Whether the line may stay; false: its id has one, or there is no memory. */
static bool
add_id(struct dmt_mender *mender, struct dmt_idmap *ids, uint64_t id,
    enum dmt_change repeated)
{
	if (dmt_idmap_find(ids, id) != NULL) {
		dmt_mender_tell(mender, repeated);
		return false;
	}
	if (!dmt_idmap_add(ids, id, 1))
		mender->no_memory = true;
	return !mender->no_memory;
}

/* How often the row decoders have found it so far. */
static uint64_t
found(const struct dmt_mender *mender, enum dmt_finding which)
{
	return mender->findings.tallies[which].count;
}

/* A number and a name, whatever stands between them. */
static bool
decode_thread(struct dmtrace_thread *thread, const struct dmt_line *line)
{
	struct dmtrace_text name = line->text;
	const struct dmtrace_text number = dmt_text_word(&name);
	bool odd;

	if (dmt_thread_decode(thread, line))
		return true;
	thread->name = name;
	return dmt_number_decode(&thread->id, &odd, number);
}

void
dmt_mender_thread(struct dmt_mender *mender)
{
	const uint64_t odd = found(mender, DMT_THREAD_ID_ODD);
	const uint64_t blanks = found(mender, DMT_THREAD_BLANKS) +
	    found(mender, DMT_THREAD_ID_BAD);
	struct dmtrace_thread thread;
	char id[CELL];

	if (!decode_thread(&thread, &mender->line)) {
		dmt_mender_tell(mender, DMT_FIX_THREAD_ID_BAD);
		return;
	}
	if (!add_id(mender, &mender->threads, thread.id,
	    DMT_FIX_THREAD_REPEATED))
		return;
	const bool is_odd = found(mender, DMT_THREAD_ID_ODD) > odd;
	const bool has_blanks = found(mender, DMT_THREAD_BLANKS) +
	    found(mender, DMT_THREAD_ID_BAD) > blanks;
	if (has_blanks)
		dmt_mender_tell(mender, DMT_FIX_THREAD_BLANKS);
	else if (is_odd)
		dmt_mender_tell(mender, DMT_FIX_THREAD_ID_ODD);
	else {
		dmt_mender_put(mender);
		return;
	}
	snprintf(id, sizeof(id), "%" PRIu32, thread.id);
	put(mender, dmt_text_of(id), '\t');
	put(mender, thread.name, '\n');
}

/* The rest of a line of words behind the signature: a file, perhaps with
 * blanks, and perhaps a line number. */
static void
put_file(struct dmt_mender *mender, struct dmtrace_text rest)
{
	struct dmtrace_text last = rest;
	int32_t number;

	while (last.len > 0 && dmt_text_holds(last, ' ')) {
		last.bytes++;
		last.len--;
	}
	if (last.len == rest.len ||
	    !dmt_line_number_decode(&number, last)) {
		put(mender, rest, '\n');
		return;
	}
	rest.len -= last.len;
	put(mender, dmt_text_trim(rest), '\t');
	put(mender, last, '\n');
}

static void
put_words(struct dmt_mender *mender, const char *id)
{
	struct dmtrace_text rest = dmt_text_trim(mender->line.text);
	struct dmtrace_text words[4];
	size_t count = 0;

	while (count < 4 && rest.len > 0)
		words[count++] = dmt_text_word(&rest);
	rest = dmt_text_trim(rest);
	put(mender, dmt_text_of(id), '\t');
	for (size_t i = 1; i < count; i++)
		put(mender, words[i], i + 1 < count || rest.len > 0 ||
		    count == 3 ? '\t' : '\n');
	if (count == 3)
		put(mender, dmt_text_of("()V"), '\n');
	else if (rest.len > 0)
		put_file(mender, rest);
}

/* How many TABs a line has, which has no words then. */
static size_t
tabs(struct dmtrace_text text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.len; i++)
		count += text.bytes[i] == '\t';
	return count;
}

/* What stands behind the id, and the columns that every reader wants. */
static void
put_columns(struct dmt_mender *mender, const char *id)
{
	struct dmtrace_text rest = mender->line.text;
	const size_t columns = tabs(rest) + 1;

	dmt_text_cut(&rest, '\t');
	put(mender, dmt_text_of(id), '\t');
	if (columns == 1) {
		put(mender, dmt_text_of("unknown"), '\t');
		put(mender, dmt_text_of(id), '\t');
		put(mender, dmt_text_of("()V"), '\n');
		return;
	}
	put(mender, rest, columns == 3 ? '\t' : '\n');
	if (columns == 3)
		put(mender, dmt_text_of("()V"), '\n');
}

/* Whether the line lacks columns that every reader wants: there is but an
 * id, or no signature. */
static bool
lacks_columns(const struct dmt_line *line)
{
	const size_t count = tabs(line->text);

	return count == 0 || count == 2;
}

/* Decodes the line, and tells what is odd in it; *blanks: it has no TABs. */
static bool
tell_method(struct dmt_mender *mender, struct dmtrace_method *method,
    bool *blanks)
{
	const uint64_t words = found(mender, DMT_METHOD_BLANKS);
	const uint64_t odd = found(mender, DMT_METHOD_ID_ODD);

	if (!dmt_method_decode(method, &mender->line)) {
		dmt_mender_tell(mender, DMT_FIX_METHOD_ID_BAD);
		return false;
	}
	if (!add_id(mender, &mender->methods, method->id & ~UINT64_C(3),
	    DMT_FIX_METHOD_REPEATED))
		return false;
	*blanks = found(mender, DMT_METHOD_BLANKS) > words;
	if (*blanks)
		dmt_mender_tell(mender, DMT_FIX_METHOD_BLANKS);
	else if (lacks_columns(&mender->line))
		dmt_mender_tell(mender, DMT_FIX_METHOD_COLUMNS);
	if (found(mender, DMT_METHOD_ID_ODD) > odd)
		dmt_mender_tell(mender, DMT_FIX_METHOD_ID_ODD);
	if ((method->id & 3) != 0)
		dmt_mender_tell(mender, DMT_FIX_METHOD_LOW_BITS);
	return true;
}

void
dmt_mender_method(struct dmt_mender *mender)
{
	const uint64_t before = dmt_changes_count(mender->changes);
	struct dmtrace_method method;
	char id[CELL];
	bool blanks;

	if (!tell_method(mender, &method, &blanks))
		return;
	if (dmt_changes_count(mender->changes) == before) {
		dmt_mender_put(mender);
		return;
	}
	snprintf(id, sizeof(id), "0x%" PRIx64, method.id & ~UINT64_C(3));
	if (blanks)
		put_words(mender, id);
	else
		put_columns(mender, id);
}
