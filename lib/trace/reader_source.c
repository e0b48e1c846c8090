/* reader_source.c - a reader as a source of the pipeline */

/*
 * A pull gets the next records from the reader, at most as many as fit in a
 * batch, and fills the columns that were asked for; the records stay in the
 * reader's memory. If there will be another pass, the input is held before the
 * first pull, so that a pipe is copied to a temporary file as it is read;
 * input that is seekable is always held. A pass begins by rewinding the
 * reader, with its clocks and the ids that packets redefine. Indexes stay.
 *
 * Records that an earlier filter added are the first and the last ones, and
 * the key says how many. So the number of the first record added at the end is
 * known after all are counted.
 *
 * A batch never spans a packet, so that the names of its threads do not change
 * within it.
 */

#include "trace/reader_source.h"

#include <dmtrace/select.h>
#include <dmtrace/trace.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "key/key.h"
#include "private/key.h"
#include "private/trace.h"
#include "trace/follow.h"

#define ROOM_MIN 16384			/* bytes of the smallest read */

/* The indexes of an id before and after a redefinition. */
struct redefined_index {
	uint32_t before;
	uint32_t after;
	bool known;
};

struct reader_source {
	struct dmtrace_source source;
	struct dmtrace_reader *reader;
	struct dmt_indexes indexes;
	unsigned columns;
	size_t most;			/* events per batch */
	unsigned pass;			/* see dmt_next_pass */
	bool begun;
	struct redefined_index *redefined;	/* by redefinition */
	size_t redefined_count;		/* how many have taken effect */
	uint32_t *row_indexes;		/* by row of the key, for redefined
					   ids: index + 1; 0: none yet */
	struct dmt_idmap names;		/* by number of a renamed thread: 1 +
					   the row with its name */
	size_t named_count;		/* how many namings have taken
					   effect */
	uint32_t *batch_names;		/* of the batch */
	bool flags_known;
	bool counted;			/* a pass reached the end: */
	uint64_t records;		/* number of records */
	uint64_t opened;		/* the first record that is not added */
	uint64_t closed_from;		/* the first of those added at the
					   end */
	struct dmt_batch *batch;
};

/* Copies the failure of a call of the reader, without a place if it had
 * none. */
static enum dmtrace_status
fail_reader(struct reader_source *self)
{
	self->source.error = self->reader->error;
	return dmt_error_set(&self->source.error, DMTRACE_ERR_STATE,
	    "the reader was used directly while its source was in use");
}

static enum dmtrace_status
report_progress(struct reader_source *self)
{
	return dmt_report_pass(&self->source, self->pass,
	    self->reader->input->offset,
	    dmt_input_size(self->reader->input));
}

/* Returns the index of the row of a redefinition, an earlier index of the id
 * or a new one. before is the index of the id so far. */
static uint32_t
find_row_index(struct reader_source *self, const struct dmt_redefinition *to,
    uint32_t before)
{
	struct dmt_indexes *const indexes = self->source.indexes;
	const struct dmtrace_key *const key = self->reader->key;

	if (indexes->failed || to->row >= dmtrace_key_method_count(key))
		return dmt_method_index_add(indexes, to->id, NULL);
	const struct dmtrace_method *const old = indexes->methods[before].row;
	if (old != NULL)
		self->row_indexes[old - dmtrace_key_method_get(key, 0)] =
		    before + 1;
	uint32_t *const index = &self->row_indexes[to->row];
	if (*index == 0)
		*index = dmt_method_index_add(indexes, to->id,
		    dmtrace_key_method_get(key, to->row)) + 1;
	return *index - 1;
}

/*
 * Applies the redefinitions that packets before the last records made. If
 * several sources share the indexes, an id keeps its index.
 */
static enum dmtrace_status
redefine_ids(struct reader_source *self)
{
	const struct dmt_definitions *const definitions =
	    &self->reader->definitions;
	struct dmt_indexes *const indexes = self->source.indexes;
	const struct dmtrace_key *const key = self->reader->key;

	if (self->redefined_count == self->reader->redefined ||
	    indexes != &self->indexes)
		return DMTRACE_OK;
	if (self->redefined == NULL)
		self->redefined = dmt_array_new(definitions->redefined_count,
		    sizeof(*self->redefined));
	if (self->row_indexes == NULL)
		self->row_indexes = dmt_array_new(
		    dmtrace_key_method_count(key) + 1,
		    sizeof(*self->row_indexes));
	if (self->redefined == NULL || self->row_indexes == NULL)
		return dmt_error_memory(&self->source.error);
	while (self->redefined_count < self->reader->redefined) {
		const struct dmt_redefinition *const to =
		    &definitions->redefined[self->redefined_count];
		struct redefined_index *const index =
		    &self->redefined[self->redefined_count];

		if (!index->known) {
			index->before = dmt_method_index(indexes, to->id);
			index->after = find_row_index(self, to, index->before);
			index->known = true;
		}
		if (indexes->failed)
			return dmt_error_memory(&self->source.error);
		dmt_method_index_set(indexes, to->id, index->after);
		self->redefined_count++;
	}
	return DMTRACE_OK;
}

/* The same for a growing stream, where any method that has an index may be
 * redefined. */
static enum dmtrace_status
redefine_followed(struct reader_source *self)
{
	struct dmt_following *const following = self->reader->following;
	struct dmt_indexes *const indexes = self->source.indexes;

	for (; following->count > 0; following->count--) {
		const uint64_t id = following->redefined[following->count - 1];

		if (dmt_idmap_find(&indexes->by_id, id) == NULL)
			continue;
		const uint32_t index = dmt_method_index_add(indexes, id,
		    NULL);
		if (indexes->failed)
			return dmt_error_memory(&self->source.error);
		dmt_method_index_set(indexes, id, index);
	}
	return DMTRACE_OK;
}

/* Before its first name, a renamed thread has that of its first row. */
static enum dmtrace_status
reset_names(struct reader_source *self)
{
	const struct dmt_definitions *const definitions =
	    &self->reader->definitions;

	if (self->batch_names == NULL)
		self->batch_names = dmt_array_new(DMT_BATCH_EVENTS,
		    sizeof(*self->batch_names));
	for (size_t i = 0; i < definitions->named_count; i++) {
		const struct dmt_naming *const naming = &definitions->named[i];
		uint32_t *const name =
		    dmt_idmap_at(&self->names, naming->number);

		if (name == NULL)
			return dmt_error_memory(&self->source.error);
		*name = naming->first + 1;
	}
	self->named_count = 0;
	return self->batch_names != NULL ? DMTRACE_OK :
	    dmt_error_memory(&self->source.error);
}

/* If threads are renamed: says which name each thread of the batch has. */
static enum dmtrace_status
fill_names(struct reader_source *self)
{
	const struct dmt_definitions *const definitions =
	    &self->reader->definitions;
	struct dmt_batch *const batch = self->batch;

	if (definitions->named_count == 0 ||
	    !(self->columns & DMT_COLUMN_THREAD) ||
	    self->source.indexes != &self->indexes)
		return DMTRACE_OK;
	if ((self->batch_names == NULL ||
	    self->named_count > self->reader->named) &&
	    reset_names(self) != DMTRACE_OK)
		return self->source.error.status;
	for (; self->named_count < self->reader->named; self->named_count++) {
		const struct dmt_naming *const naming =
		    &definitions->named[self->named_count];

		*dmt_idmap_find(&self->names, naming->number) =
		    naming->row + 1;
	}
	for (size_t i = 0; i < batch->count; i++) {
		const uint32_t number =
		    self->indexes.threads[batch->thread[i]].number;
		const uint32_t *const name =
		    dmt_idmap_find(&self->names, number);

		self->batch_names[i] = name == NULL ? 0 : *name;
	}
	batch->names = self->batch_names;
	return DMTRACE_OK;
}

static void
undo_redefinitions(struct reader_source *self)
{
	for (; self->redefined_count > 0; self->redefined_count--)
		dmt_method_index_set(self->source.indexes,
		    self->reader->definitions.redefined[
		    self->redefined_count - 1].id,
		    self->redefined[self->redefined_count - 1].before);
}

static enum dmtrace_status
rewind_reader(struct dmtrace_source *source)
{
	struct reader_source *const self = (struct reader_source *)source;

	if (!self->begun)
		return DMTRACE_OK;
	undo_redefinitions(self);
	dmt_next_pass(source, &self->pass);
	if (!self->reader->held)
		return dmt_error_set(&source->error, DMTRACE_ERR_STATE,
		    "the input cannot be read again");
	return dmt_reader_rewind(self->reader) == DMTRACE_OK ?
	    DMTRACE_OK : fail_reader(self);
}

/*
 * Counts the records of a reader at the first one. If nothing but records
 * follows in a file, its size says how many. Otherwise they are counted in a
 * pass of its own. The end itself is left for the pass that fills columns:
 * findings are reported only until a pass reaches it.
 */
static enum dmtrace_status
count_records(struct reader_source *self)
{
	struct dmtrace_reader *const reader = self->reader;
	uint64_t left;

	if (self->counted)
		return DMTRACE_OK;
	if (reader->take_records == dmt_reader_take_following &&
	    dmt_input_left(reader->input, &left)) {
		self->counted = true;
		self->records = dmt_records_in(&reader->layout, left);
		return DMTRACE_OK;
	}
	self->source.passes++;
	self->begun = true;
	if (!reader->held && dmt_reader_hold(reader) != DMTRACE_OK)
		return fail_reader(self);
	const bool noted = reader->noted;
	reader->noted = true;
	while (dmt_reader_take(reader, SIZE_MAX) > 0)
		if (report_progress(self) != DMTRACE_OK)
			return self->source.error.status;
	reader->noted = noted;
	if (reader->input->error.status != DMTRACE_OK &&
	    dmt_reader_end(reader) != DMTRACE_OK)
		return fail_reader(self);
	self->counted = true;
	self->records = dmt_reader_position(reader);
	return rewind_reader(&self->source);
}

/*
 * Finds the records that an earlier filter added: the first and the last ones,
 * as many as the options of the key say. All must be counted to know where the
 * last ones begin.
 */
static enum dmtrace_status
find_added(struct reader_source *self)
{
	struct dmtrace_reader *const reader = self->reader;
	const struct dmt_key_counts counts = dmt_key_counts(reader->key);

	self->flags_known = true;
	self->opened = counts.opened;
	self->closed_from = UINT64_MAX;
	if (counts.closed == 0)
		return DMTRACE_OK;
	if (count_records(self) != DMTRACE_OK)
		return self->source.error.status;
	self->closed_from = counts.closed > self->records ? 0 :
	    self->records - counts.closed;
	return DMTRACE_OK;
}

static void
fill_flags(struct reader_source *self, uint64_t first)
{
	struct dmt_batch *const batch = self->batch;

	for (uint64_t i = first; i < self->opened &&
	    i - first < batch->count; i++)
		batch->flags[i - first] |= DMT_EVENT_OPENED;
	for (uint64_t i = batch->count; i > 0 &&
	    first + i - 1 >= self->closed_from; i--)
		batch->flags[i - 1] |= DMT_EVENT_CLOSED;
}

static enum dmtrace_status
pull_reader(struct dmtrace_source *source, struct dmt_batch **batch)
{
	struct reader_source *const self = (struct reader_source *)source;
	struct dmtrace_reader *const reader = self->reader;

	/*
	 * Allocated late and not cleared, as a source that reads little never
	 * touches most of it; memory that the keys of other inputs left would
	 * be touched already.
	 */
	if (self->batch == NULL) {
		self->batch = malloc(sizeof(*self->batch));
		if (self->batch == NULL)
			return dmt_error_memory(&source->error);
		self->batch->order = NULL;
	}
	/* Files and memory can be read again in any case; a pipe is copied. */
	if (!self->begun && (source->passes > 1 ||
	    reader->input->seekable || reader->input->call.read == NULL) &&
	    dmt_reader_hold(reader) != DMTRACE_OK)
		return fail_reader(self);
	self->begun = true;
	if ((self->columns & DMT_COLUMN_FLAGS) && !self->flags_known &&
	    find_added(self) != DMTRACE_OK)
		return source->error.status;

	const uint64_t first = reader->position;
	const size_t count = dmt_reader_take(reader, self->most);
	if (reader->following != NULL) {
		if (reader->error.status != DMTRACE_OK || (count == 0 &&
		    reader->input->error.status != DMTRACE_OK &&
		    dmt_reader_end(reader) != DMTRACE_OK))
			return fail_reader(self);
		*batch = NULL;
		if (count == 0 || redefine_followed(self) != DMTRACE_OK)
			return source->error.status;
	} else if (count == 0) {
		*batch = NULL;
		self->counted = true;
		self->records = first;
		return dmt_reader_end(reader) == DMTRACE_OK ? DMTRACE_OK :
		    fail_reader(self);
	}
	if (redefine_ids(self) != DMTRACE_OK)
		return source->error.status;
	dmt_batch_begin(self->batch, count);
	self->batch->first = first;
	self->batch->offset = reader->input->offset;
	reader->events->fill(reader, self->batch, self->columns,
	    source->indexes);
	if (self->columns & DMT_COLUMN_FLAGS)
		fill_flags(self, first);
	if (source->indexes->failed)
		return dmt_error_memory(&source->error);
	if (fill_names(self) != DMTRACE_OK)
		return source->error.status;
	*batch = self->batch;
	return report_progress(self);
}

static void
want_reader_columns(struct dmtrace_source *source, unsigned columns)
{
	((struct reader_source *)source)->columns = columns;
}

static void
fini_reader(struct dmtrace_source *source)
{
	dmt_indexes_fini(&((struct reader_source *)source)->indexes);
	free(((struct reader_source *)source)->redefined);
	free(((struct reader_source *)source)->row_indexes);
	free(((struct reader_source *)source)->batch_names);
	dmt_idmap_fini(&((struct reader_source *)source)->names);
	free(((struct reader_source *)source)->batch);
}

static const struct dmt_input_kind reader_kind = {
	pull_reader, rewind_reader, want_reader_columns, fini_reader
};

struct dmtrace_source *
dmt_input_source(struct dmtrace_reader *reader, struct dmt_indexes *indexes)
{
	struct reader_source *const self = reader == NULL ? NULL :
	    calloc(1, sizeof(*self));

	if (self == NULL)
		return NULL;
	self->source = (struct dmtrace_source){
		.kind = &reader_kind,
		.key = reader->key,
		.layout = &reader->layout,
		.indexes = indexes != NULL ? indexes : &self->indexes,
		.passes = 1,
	};
	self->reader = reader;
	self->most = DMT_BATCH_EVENTS;
	dmt_reader_check_start(reader, &self->source.error,
	    "dmtrace_source_new");
	if (indexes != NULL || dmt_indexes_init(&self->indexes,
	    reader->following == NULL ? reader->key : NULL,
	    &reader->layout))
		return &self->source;
	dmtrace_source_free(&self->source);
	return NULL;
}

struct dmtrace_source *
dmtrace_source_new(struct dmtrace_reader *reader)
{
	return dmt_input_source(reader, NULL);
}

enum dmtrace_status
dmt_input_narrow(struct dmtrace_source *source, struct dmt_pool *pool,
    size_t events)
{
	struct reader_source *const self = (struct reader_source *)source;
	struct dmtrace_reader *const reader = self->reader;
	const size_t size = events * reader->layout.record_size;

	for (size_t i = 0; i < self->indexes.thread_count; i++)
		self->indexes.threads[i].row = NULL;
	for (size_t i = 0; i < self->indexes.method_count; i++)
		self->indexes.methods[i].row = NULL;
	if (dmt_reader_narrow(reader, pool, size > ROOM_MIN ? size :
	    ROOM_MIN) != DMTRACE_OK)
		return fail_reader(self);
	source->key = reader->key;
	self->indexes.key = reader->key;
	self->most = events;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_input_count(struct dmtrace_source *source, uint64_t *records)
{
	const enum dmtrace_status status =
	    count_records((struct reader_source *)source);

	*records = ((struct reader_source *)source)->records;
	return status;
}

enum dmtrace_status
dmt_input_redefine(struct dmtrace_source *source)
{
	struct reader_source *const self = (struct reader_source *)source;

	self->reader->redefined = self->reader->definitions.redefined_count;
	const enum dmtrace_status status = redefine_ids(self);
	undo_redefinitions(self);
	self->reader->redefined = 0;
	return status;
}

uint32_t
dmt_input_redefined(const struct dmtrace_source *source, size_t i)
{
	return ((const struct reader_source *)source)->redefined[i].after;
}

const struct dmtrace_reader *
dmt_source_reader(const struct dmtrace_source *source)
{
	while (source->from != NULL)
		source = source->from;
	return source->kind != &reader_kind ? NULL :
	    ((const struct reader_source *)source)->reader;
}
