/* definitions.c - the threads and methods that a stream defines */

/*
 * A stream defines the name of a thread or a method between the events: before
 * its first event or after it, repeatedly, or never; a summary at the end may
 * list some or all of them again. But users of a reader need a complete key
 * before the first event, to select by name or to write a key. So all
 * definitions are written as the text of a key, which is decoded by key/.
 *
 * The order of rows with the same id follows from how they are used: of
 * threads the first row counts, so the name that the summary lists comes first,
 * then the newest; of several names in the summary the order stays, as that of
 * the pieces of a trace. The index of a method is looked up with its first row;
 * redefinitions take effect at their position in the file, and so do the names
 * of a thread, for which writers ask. A redefinition that repeats an earlier
 * one refers to the earlier row. So the rows do not depend on how often names
 * and methods are defined again, as in the pieces of a trace.
 */

#include "trace/definitions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/output.h"
#include "format/header.h"
#include "key/key.h"
#include "key/line_decode.h"
#include "key/line_text.h"
#include "private/key.h"
#include "private/put.h"
#include "private/text.h"

#define MEANINGS_MAX 64		/* definitions of an id that are searched for a
				   repeated one */

/* Returns the last definition of id; NULL: there is none. */
static const struct dmt_definition *
find_latest(const struct dmt_definition_table *table, uint64_t id)
{
	const uint32_t *const index = dmt_idmap_find(&table->latest, id);

	return index == NULL ? NULL : &table->items[*index];
}

/* Adds a definition with a copy of text as one line: line ends in it become
 * blanks. */
static enum dmtrace_status
add_definition(struct dmt_definitions *definitions,
    struct dmt_definition_table *table, uint64_t id, struct dmtrace_text text)
{
	struct dmt_definition *const items = dmt_array_grow(table->items,
	    &table->capacity, table->count + 1, sizeof(*items));
	char *const copy = dmt_arena_alloc(&definitions->arena, text.len + 1);
	uint32_t *const latest = dmt_idmap_find(&table->latest, id);

	if (items != NULL)
		table->items = items;
	if (items == NULL || copy == NULL || table->count >= UINT32_MAX ||
	    (latest == NULL && !dmt_idmap_add(&table->latest, id,
	    (uint32_t)table->count)))
		return DMTRACE_ERR_MEMORY;
	dmt_put_bytes((uint8_t *)copy, text.bytes, text.len);
	for (size_t i = 0; i < text.len; i++)
		if (copy[i] == '\n')
			copy[i] = ' ';
	items[table->count] = (struct dmt_definition){
		.id = id, .text = { copy, text.len },
		.older = latest == NULL ? 0 : *latest + 1
	};
	if (latest != NULL)
		*latest = (uint32_t)table->count;
	table->count++;
	definitions->size += text.len;
	return DMTRACE_OK;
}

/* Returns the number of a definition of id with that text + 1; 0: it is none of
 * the last MEANINGS_MAX. */
static uint32_t
find_repeated(const struct dmt_definition_table *table, uint64_t id,
    struct dmtrace_text text)
{
	const uint32_t *const latest = dmt_idmap_find(&table->latest, id);
	uint32_t number = latest == NULL ? 0 : *latest + 1;

	for (int i = 0; i < MEANINGS_MAX && number != 0; i++) {
		const struct dmt_definition *const item =
		    &table->items[number - 1];

		if (dmt_text_equal(item->text, text))
			return number;
		number = item->older;
	}
	return 0;
}

enum dmtrace_status
dmt_define_thread(struct dmt_definitions *definitions, uint32_t number,
    struct dmtrace_text name, uint64_t at, struct dmt_findings *findings)
{
	struct dmt_definition_table *const threads = &definitions->threads;
	struct dmt_naming *const named = dmt_array_grow(definitions->named,
	    &definitions->named_capacity, definitions->named_count + 1,
	    sizeof(*named));

	if (named != NULL)
		definitions->named = named;
	if (named == NULL || definitions->named_count >= UINT32_MAX)
		return DMTRACE_ERR_MEMORY;
	uint32_t *const last = dmt_idmap_find(&definitions->last_named, number);
	const uint32_t known = find_repeated(threads, number, name);
	if (last != NULL && known != 0 && named[*last].row == known - 1)
		return DMTRACE_OK;
	if (last != NULL)
		dmt_finding_add(findings, DMT_STREAM_THREAD_RENAMED,
		    DMTRACE_PLACE_OFFSET, at, "thread %" PRIu32, number);
	const uint32_t row =
	    known != 0 ? known - 1 : (uint32_t)threads->count;
	if ((known == 0 && add_definition(definitions, threads, number,
	    name) != DMTRACE_OK) || (last == NULL && !dmt_idmap_add(
	    &definitions->last_named, number,
	    (uint32_t)definitions->named_count)))
		return DMTRACE_ERR_MEMORY;
	if (last != NULL)
		*last = (uint32_t)definitions->named_count;
	named[definitions->named_count++] = (struct dmt_naming){
		at, number, row, 0
	};
	return DMTRACE_OK;
}

/* If an earlier definition of the same id equals the new one, makes it the
 * latest again. Returns its number + 1; 0: none of the last MEANINGS_MAX
 * equals it. */
static uint32_t
bring_back(struct dmt_definition_table *table, uint32_t *latest,
    struct dmtrace_text text)
{
	uint32_t *link = &table->items[*latest].older;

	for (int i = 0; i < MEANINGS_MAX && *link != 0; i++) {
		const uint32_t number = *link;
		struct dmt_definition *const item = &table->items[number - 1];

		if (dmt_text_equal(item->text, text)) {
			*link = item->older;
			item->older = *latest + 1;
			*latest = number - 1;
			return number;
		}
		link = &item->older;
	}
	return 0;
}

enum dmtrace_status
dmt_define_method(struct dmt_definitions *definitions,
    struct dmtrace_text line, uint64_t at, struct dmt_findings *findings)
{
	const struct dmt_line decoded = { .text = line };
	struct dmtrace_method method;

	if (dmt_text_holds(line, '\n') ||
	    dmt_text_begins(dmt_text_trim(line), "*") ||
	    !dmt_method_decode(&method, &decoded))
		return DMTRACE_ERR_CORRUPT;
	const uint64_t id = method.id & ~UINT64_C(3);
	struct dmt_definition_table *const methods = &definitions->methods;
	uint32_t *const latest = dmt_idmap_find(&methods->latest, id);
	if (latest == NULL)
		return add_definition(definitions, methods, id, line);
	if (dmt_text_equal(methods->items[*latest].text, line))
		return DMTRACE_OK;

	struct dmt_redefinition *const redefined = dmt_array_grow(
	    definitions->redefined, &definitions->redefined_capacity,
	    definitions->redefined_count + 1, sizeof(*redefined));
	if (redefined == NULL)
		return DMTRACE_ERR_MEMORY;
	definitions->redefined = redefined;
	dmt_finding_add(findings, DMT_STREAM_METHOD_REDEFINED,
	    DMTRACE_PLACE_OFFSET, at, "method 0x%" PRIx64, id);
	const uint32_t known = bring_back(methods, latest, line);
	redefined[definitions->redefined_count++] = (struct dmt_redefinition){
		at, id, known != 0 ? known - 1 : (uint32_t)methods->count
	};
	return known != 0 ? DMTRACE_OK :
	    add_definition(definitions, methods, id, line);
}

static void
put_text(struct dmt_output *out, struct dmtrace_text text)
{
	dmt_output_write(out, text.bytes, text.len);
}

/* Writes the version and the options of a summary, unchanged. */
static void
put_options(struct dmt_output *out, const struct dmtrace_key *summary,
    unsigned version, enum dmtrace_clock clock)
{
	char lines[32];

	if (summary == NULL) {
		snprintf(lines, sizeof(lines), "*version\n%u\n", version);
		dmt_put(out, lines);
	} else {
		struct dmtrace_text rest = dmt_key_text(summary);
		bool begun = false;

		while (rest.len > 0 && (!begun ||
		    !dmt_text_begins(rest, "*"))) {
			const struct dmtrace_text line =
			    dmt_text_cut(&rest, '\n');

			begun |= dmt_text_trim(line).len > 0;
			put_text(out, line);
			dmt_put(out, "\n");
		}
	}
	if (summary == NULL ||
	    dmt_key_clock(summary) == DMTRACE_CLOCK_MISSING) {
		dmt_put(out, "clock=");
		dmt_put(out, dmtrace_clock_name(clock));
		dmt_put(out, "\n");
	}
}

struct put_threads {
	struct dmt_output *out;
	struct dmt_definition_table *table;
	uint32_t rows;			/* written so far */
	unsigned width;			/* of the numbers of threads, in
					   bytes */
};

static void
put_thread(struct put_threads *put, uint32_t id, struct dmtrace_text name)
{
	char number[16];

	snprintf(number, sizeof(number), "%" PRIu32 "\t", id);
	dmt_put(put->out, number);
	put_text(put->out, name);
	dmt_put(put->out, "\n");
	put->rows++;
}

static void
put_thread_name(struct put_threads *put, uint32_t id,
    struct dmt_definition *name)
{
	put_thread(put, id, name->text);
	name->row = put->rows;
}

/* Writes a row for each name of a thread that has none yet and is not in the
 * summary, the newest first. */
static void
put_names(struct put_threads *put, uint32_t latest, uint32_t id)
{
	struct dmt_definition *const items = put->table->items;

	for (uint32_t i = latest + 1; i != 0; i = items[i - 1].older)
		if (items[i - 1].row == 0 && !items[i - 1].listed)
			put_thread_name(put, id, &items[i - 1]);
}

static void
put_all_names(struct put_threads *put)
{
	const struct dmt_definition_table *const table = put->table;

	for (size_t i = 0; i < table->count; i++) {
		const uint32_t id = (uint32_t)table->items[i].id;

		if (table->items[i].older == 0)
			put_names(put, *dmt_idmap_find(&table->latest, id), id);
	}
}

/* Packets and records of a stream only have the low 16 bits of a number. */
static uint32_t
number_of_listed(const struct put_threads *put,
    const struct dmtrace_thread *row)
{
	return put->width == 2 ? row->id & UINT16_MAX : row->id;
}

/* Writes a row of the summary. Those of a thread stay in their order; its names
 * that are not listed follow the first one. */
static void
put_listed(struct put_threads *put, const struct dmtrace_thread *row,
    const struct dmtrace_thread *first)
{
	const uint32_t number = number_of_listed(put, row);
	const uint32_t *const latest =
	    dmt_idmap_find(&put->table->latest, number);
	const uint32_t known = find_repeated(put->table, number, row->name);

	if (known == 0)
		put_thread(put, row->id, row->name);
	else if (put->table->items[known - 1].row == 0)
		put_thread_name(put, first->id, &put->table->items[known - 1]);
	if (latest != NULL && row == first)
		put_names(put, *latest, row->id);
}

/* The order of threads is that of the summary, which also has their full
 * numbers. But summaries of format V2 have no threads, and could not keep what
 * they list. */
static void
put_threads(struct put_threads *put, const struct dmtrace_key *summary)
{
	struct dmt_definition_table *const table = put->table;
	const size_t listed =
	    summary == NULL ? 0 : dmtrace_key_thread_count(summary);

	if (put->width > 2)
		put_all_names(put);
	for (size_t i = 0; i < listed; i++) {
		const struct dmtrace_thread *const row =
		    dmtrace_key_thread_get(summary, i);
		const uint32_t known = find_repeated(table,
		    number_of_listed(put, row), row->name);

		if (known != 0)
			table->items[known - 1].listed = true;
	}
	for (size_t i = 0; i < listed; i++) {
		const struct dmtrace_thread *const row =
		    dmtrace_key_thread_get(summary, i);

		put_listed(put, row, dmt_threads_find(&summary->threads,
		    put->width, row->id));
	}
	put_all_names(put);
}

static void
put_methods(struct dmt_output *out, const struct dmt_definition_table *table,
    const struct dmtrace_key *summary)
{
	for (size_t i = 0; i < table->count; i++) {
		put_text(out, table->items[i].text);
		dmt_put(out, "\n");
	}
	for (size_t i = 0; summary != NULL &&
	    i < dmtrace_key_method_count(summary); i++) {
		const struct dmtrace_method *const row =
		    dmtrace_key_method_get(summary, i);
		const struct dmtrace_text line =
		    dmt_key_method_line(summary, i);

		if (line.bytes != NULL && find_latest(table,
		    row->id & ~UINT64_C(3)) == NULL) {
			put_text(out, line);
			dmt_put(out, "\n");
		}
	}
}

/* Keeps the names of those threads that have several rows, with the rows of the
 * key. */
static void
keep_renamings(struct dmt_definitions *definitions,
    const struct dmtrace_key *key)
{
	const struct dmt_definition *const items = definitions->threads.items;
	struct dmt_naming *const named = definitions->named;
	const size_t count = definitions->named_count;
	struct dmt_idmap *const renamed = &definitions->last_named;

	for (size_t i = 0; i < count; i++)
		*dmt_idmap_find(renamed, named[i].number) = 0;
	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++) {
		const struct dmtrace_thread *const row =
		    dmtrace_key_thread_get(key, i);
		uint32_t *const several = dmt_idmap_find(renamed, row->id);

		if (several != NULL &&
		    dmtrace_key_thread_find(key, row->id) != row)
			*several = 1;
	}
	definitions->named_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct dmt_naming *const naming =
		    &named[definitions->named_count];
		const uint32_t row = items[named[i].row].row;

		if (row == 0 || !*dmt_idmap_find(renamed, named[i].number))
			continue;
		*naming = named[i];
		naming->row = row - 1;
		naming->first = (uint32_t)(dmtrace_key_thread_find(key,
		    naming->number) - dmtrace_key_thread_get(key, 0));
		definitions->named_count++;
	}
}

enum dmtrace_status
dmt_definitions_key(struct dmt_definitions *definitions,
    struct dmtrace_key *key, const struct dmtrace_key *summary,
    unsigned version, enum dmtrace_clock clock, struct dmt_findings *findings)
{
	struct dmt_output out = { 0 };
	struct put_threads put = {
		&out, &definitions->threads, 0,
		version < DMT_VERSION_PACKETS ? 2 : 4
	};
	enum dmtrace_status status;

	put_options(&out, summary, version, clock);
	dmt_put(&out, "*threads\n");
	put_threads(&put, summary);
	dmt_put(&out, "*methods\n");
	put_methods(&out, &definitions->methods, summary);
	dmt_put(&out, "*end\n");
	if (out.error.status != DMTRACE_OK)
		status = dmt_error_memory(&key->error);
	else if (out.len > key->limit_key)
		status = dmt_error_set(&key->error, DMTRACE_ERR_LIMIT,
		    "what the stream defines is longer than %" PRIu64
		    " bytes, the limit of a key", key->limit_key);
	else
		status = dmt_key_decode(key, (const uint8_t *)out.bytes,
		    out.len, findings);
	dmt_output_fini(&out);
	if (status == DMTRACE_OK)
		keep_renamings(definitions, key);
	return status;
}

static void
free_table(struct dmt_definition_table *table)
{
	free(table->items);
	dmt_idmap_fini(&table->latest);
	*table = (struct dmt_definition_table){ 0 };
}

void
dmt_definitions_done(struct dmt_definitions *definitions)
{
	free_table(&definitions->threads);
	free_table(&definitions->methods);
	dmt_idmap_fini(&definitions->last_named);
	dmt_arena_fini(&definitions->arena);
}

void
dmt_definitions_fini(struct dmt_definitions *definitions)
{
	dmt_definitions_done(definitions);
	free(definitions->redefined);
	free(definitions->named);
	*definitions = (struct dmt_definitions){ 0 };
}
