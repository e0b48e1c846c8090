/* records_source.c - a source of records at a known offset in a file */

/*
 * Repair knows of a damaged trace where its records are, which layout they
 * have, and how many there are; a reader would refuse the file. A pull reads
 * the next records and fills the columns that were asked for. Nothing is
 * reported as a finding, as repair makes its own checks. After a rewind there
 * may be fewer records. Blocks that never reached the disk are zeros: such
 * records can be left out, if thread 0 with method 0 is not used; they are
 * counted, and the numbers of later records do not change.
 */

#include "trace/records_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/record_columns.h"

struct records_source {
	struct dmtrace_source source;
	struct dmt_input *file;
	struct dmt_indexes indexes;
	struct dmt_clocks *clocks;
	unsigned columns;
	unsigned pass;			/* see dmt_next_pass */
	bool placed;			/* file is at the next record */
	uint64_t at;			/* offset of the first record */
	uint64_t count;			/* number of records */
	uint64_t next;			/* number of the next record */
	bool drops_blanks;
	struct dmt_blanks blanks;
	struct dmt_batch batch;
};

/* Returns true for a record of zeros, from a block that never reached the
 * disk. */
static bool
is_blank(const struct records_source *self, const uint8_t *record)
{
	const size_t size = self->source.layout->record_size;

	return self->drops_blanks && record[0] == 0 &&
	    memcmp(record, record + 1, size - 1) == 0;
}

/* Skips count records of zeros. */
static void
skip_blank_records(struct records_source *self, size_t count)
{
	const size_t size = self->source.layout->record_size;

	if (count == 0)
		return;
	if (self->blanks.count == 0)
		self->blanks.first_at = self->at + self->next * size;
	self->blanks.count += count;
	self->next += count;
	self->blanks.last = self->next - 1;
	dmt_input_skip(self->file, count * size);
}

/*
 * Reads the next records up to one of zeros, and returns how many there are;
 * 0: there are no more. They are valid until the next call.
 */
static size_t
take_records(struct records_source *self, const uint8_t **records)
{
	const size_t size = self->source.layout->record_size;
	size_t begin, end;

	do {
		const uint64_t left = self->count - self->next;
		size_t whole = left == 0 ? 0 :
		    dmt_input_peek(self->file, size, records) / size;

		if (whole == 0)
			return 0;
		if (whole > left)
			whole = (size_t)left;
		if (whole > DMT_BATCH_EVENTS)
			whole = DMT_BATCH_EVENTS;
		for (begin = 0; begin < whole &&
		    is_blank(self, *records + begin * size); begin++)
			;
		for (end = begin; end < whole &&
		    !is_blank(self, *records + end * size); end++)
			;
		skip_blank_records(self, begin);
	} while (begin == end);
	*records += begin * size;
	dmt_input_skip(self->file, (end - begin) * size);
	return end - begin;
}

static enum dmtrace_status
pull_records(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct records_source *const self = (struct records_source *)source;
	struct dmt_batch *const batch = &self->batch;
	const uint64_t size = source->layout->record_size;
	const uint8_t *records = NULL;

	if (!self->placed && self->count > 0)
		dmt_input_rewind(self->file, self->at);
	self->placed = true;
	const size_t count = take_records(self, &records);
	if (count == 0) {
		if (self->count > 0)
			source->error = self->file->error;
		if (self->next < self->count)
			dmt_error_set(&source->error, DMTRACE_ERR_IO,
			    "the input was truncated while it was read");
		return source->error.status;
	}
	dmt_batch_begin(batch, count);
	batch->records = records;
	batch->first = self->next;
	batch->offset = self->at + self->next * size;
	self->next += count;
	dmt_columns_decode(batch, self->columns, &self->indexes,
	    source->layout, self->clocks, &dmt_watch_nothing);
	if (self->indexes.failed)
		return dmt_error_memory(&source->error);
	*out = batch;
	return dmt_report_pass(source, self->pass, self->next * size,
	    self->count * size);
}

static enum dmtrace_status
rewind_records(struct dmtrace_source *source)
{
	struct records_source *const self = (struct records_source *)source;

	dmt_next_pass(source, &self->pass);
	self->next = 0;
	self->blanks = (struct dmt_blanks){ 0 };
	self->placed = false;
	return dmt_clocks_reset(&self->clocks, source->layout) ? DMTRACE_OK :
	    dmt_error_memory(&source->error);
}

static void
want_record_columns(struct dmtrace_source *source, unsigned columns)
{
	((struct records_source *)source)->columns = columns;
}

static void
fini_records(struct dmtrace_source *source)
{
	struct records_source *const self = (struct records_source *)source;

	dmt_indexes_fini(&self->indexes);
	dmt_clocks_free(self->clocks);
}

static const struct dmt_input_kind records_kind = {
	pull_records, rewind_records, want_record_columns, fini_records
};

struct dmtrace_source *
dmt_records_source_new(struct dmt_input *file, uint64_t at,
    const struct dmtrace_key *key, const struct dmt_layout *layout,
    uint64_t count, bool drops_blanks)
{
	struct records_source *const self = calloc(1, sizeof(*self));

	if (self == NULL)
		return NULL;
	self->source = (struct dmtrace_source){
		.kind = &records_kind,
		.key = key,
		.layout = layout,
		.indexes = &self->indexes,
		.passes = 1,
	};
	self->file = file;
	self->at = at;
	self->count = count;
	self->drops_blanks = drops_blanks;
	self->clocks = dmt_clocks_new(layout);
	if (dmt_indexes_init(&self->indexes, key, layout) &&
	    self->clocks != NULL)
		return &self->source;
	dmtrace_source_free(&self->source);
	return NULL;
}

uint64_t
dmt_records_source_shorten(struct dmtrace_source *source, uint64_t count)
{
	struct records_source *const self = (struct records_source *)source;

	self->count = count;
	return self->at + count * source->layout->record_size;
}

struct dmt_blanks
dmt_records_source_blanks(const struct dmtrace_source *source)
{
	return ((const struct records_source *)source)->blanks;
}
