/* checksum.c - what a trace's events come to, in one number */

#include <dmtrace/checksum.h>

#include <dmtrace/rewind.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/idmap.h"
#include "base/options.h"
#include "key/added.h"
#include "ops/digest.h"
#include "ops/op.h"
#include "trace/reader.h"

enum {
	RECENT_BITS_MIN = 8,
	RECENT_BITS_MAX = 16
};

#define NO_ID 1			/* no method has it: its low bits are 0 */

/* Of one thread number. */
struct tally {
	struct dmtrace_sum hash;	/* with what all its events share */
	struct dmtrace_sum sum;
	uint64_t records;		/* 0: hash is not known yet */
};

/* A method that was met; others share its place. */
struct recent {
	uint64_t id;
	struct dmtrace_sum hash;
};

/* One checksum, as long as it lasts. */
struct checksum {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;
	unsigned clocks;
	uint64_t opened, closed;	/* records that were added */
	struct tally *tallies;
	struct dmt_idmap rows;		/* from the id to the place in hashes */
	struct dmtrace_sum *hashes;
	struct recent *recent;
	unsigned recent_shift;
};

void
dmtrace_checksum_options_init(struct dmtrace_checksum_options *options)
{
	*options = (struct dmtrace_checksum_options){
		.size = sizeof(*options),
		.clocks = DMTRACE_CHECKSUM_CPU | DMTRACE_CHECKSUM_WALL,
	};
}

static struct dmtrace_checksum_options
with_defaults(const struct dmtrace_checksum_options *options)
{
	struct dmtrace_checksum_options all;

	dmtrace_checksum_options_init(&all);
	dmt_options_take(&all, sizeof(all), options);
	return all;
}

/* The times that the events lack or that make no difference are -1. */
static struct dmtrace_sum
without(const struct checksum *checksum)
{
	const struct dmtrace_layout *const layout = &checksum->reader->layout;
	struct dmtrace_sum sum = { 0, 0 };

	if (layout->cpu.width == 0 ||
	    !(checksum->clocks & DMTRACE_CHECKSUM_CPU)) {
		sum.low -= dmt_digest_low.cpu;
		sum.high -= dmt_digest_high.cpu;
	}
	if (layout->wall.width == 0 ||
	    !(checksum->clocks & DMTRACE_CHECKSUM_WALL)) {
		sum.low -= dmt_digest_low.wall;
		sum.high -= dmt_digest_high.wall;
	}
	return sum;
}

DMT_COLD static void
meet_thread(const struct checksum *checksum, uint32_t number)
{
	const struct dmtrace_reader *const reader = checksum->reader;
	const struct dmtrace_sum rest = without(checksum);
	struct dmtrace_sum *const hash = &checksum->tallies[number].hash;

	*hash = dmt_digest_thread(dmtrace_key_thread_match(reader->key,
	    &reader->layout, number), number);
	hash->low += rest.low;
	hash->high += rest.high;
}

DMT_COLD static void
meet_method(const struct checksum *checksum, struct recent *recent,
    uint64_t id)
{
	const uint32_t *const row = dmt_idmap_find(&checksum->rows, id);

	recent->id = id;
	recent->hash = row == NULL ? dmt_digest_method(NULL, id) :
	    checksum->hashes[*row];
}

struct batch {
	const struct checksum *checksum;
	const uint8_t *in;
	size_t count;
	bool cpu, wall;
};

DMT_INLINE size_t
add_run(const void *context, const struct dmtrace_layout *layout)
{
	const struct batch *const batch = context;
	const struct checksum *const checksum = batch->checksum;
	const bool has_cpu = layout->cpu.width != 0 && batch->cpu;
	const bool has_wall = layout->wall.width != 0 && batch->wall;
	const uint8_t *in = batch->in;

	for (size_t i = 0; i < batch->count; i++, in += layout->record_size) {
		const uint64_t word = dmt_field_get(layout->method, in);
		const uint32_t number =
		    (uint32_t)dmt_field_get(layout->thread, in);
		const uint64_t cpu = has_cpu ?
		    dmt_field_get(layout->cpu, in) : 0;
		const uint64_t wall = has_wall ?
		    dmt_field_get(layout->wall, in) : 0;
		struct tally *const tally = &checksum->tallies[number];
		struct recent *const recent = &checksum->recent[
		    (word >> 2) * UINT64_C(0x9e3779b97f4a7c15) >>
		    checksum->recent_shift];

		if (recent->id != (word & ~(uint64_t)3))
			meet_method(checksum, recent, word & ~(uint64_t)3);
		if (tally->records++ == 0)
			meet_thread(checksum, number);
		dmt_digest_add(&tally->sum,
		    dmt_digest_mix(recent->hash.high + tally->hash.high +
		    (word & 3) * dmt_digest_high.action +
		    cpu * dmt_digest_high.cpu + wall * dmt_digest_high.wall),
		    dmt_digest_mix(recent->hash.low + tally->hash.low +
		    (word & 3) * dmt_digest_low.action +
		    cpu * dmt_digest_low.cpu + wall * dmt_digest_low.wall));
	}
	return batch->count;
}

/* Adds those of count records, the number-th and on of all, that count. */
static void
add(const struct checksum *checksum, const uint8_t *in, size_t count,
    uint64_t number, uint64_t end)
{
	const struct dmtrace_layout *const layout = &checksum->reader->layout;
	size_t skipped = 0;

	if (number < checksum->opened)
		skipped = checksum->opened - number < count ?
		    (size_t)(checksum->opened - number) : count;
	if (number + count > end)
		count = end > number ? (size_t)(end - number) : 0;
	if (skipped >= count)
		return;
	const struct batch batch = { checksum,
	    in + skipped * layout->record_size, count - skipped,
	    checksum->clocks & DMTRACE_CHECKSUM_CPU,
	    checksum->clocks & DMTRACE_CHECKSUM_WALL };
	dmt_loop(add_run, &batch, layout);
}

static enum dmtrace_status
fail(const struct checksum *checksum, const struct dmtrace_error *error)
{
	return dmt_op_fail(checksum->op, NULL, error);
}

/* The number of the first one at the end that does not count. */
static uint64_t
find_end(const struct checksum *checksum)
{
	const struct dmtrace_reader *const reader = checksum->reader;
	const uint64_t all = (dmt_source_size(reader->source) -
	    reader->begins_at) / reader->layout.record_size;

	return checksum->closed == 0 ? UINT64_MAX :
	    checksum->closed < all ? all - checksum->closed : 0;
}

/* Where the last records do not count, how many there are must be known. */
static enum dmtrace_status
read_all(struct checksum *checksum)
{
	struct dmtrace_reader *const reader = checksum->reader;
	size_t count;

	if (checksum->closed > 0 && dmtrace_reader_hold(reader) != DMTRACE_OK)
		return fail(checksum, &reader->error);
	const uint64_t end = find_end(checksum);
	while ((count = dmt_reader_take(reader, SIZE_MAX)) > 0) {
		add(checksum, reader->records, count,
		    reader->position - count, end);
		if (dmt_op_progress(checksum->op, reader->source->offset,
		    dmt_source_size(reader->source)) != DMTRACE_OK)
			return checksum->op->error.status;
	}
	dmt_reader_end(reader);
	return fail(checksum, &reader->error);
}

/* A number of records that an option line calls added. */
static enum dmtrace_status
find_added(struct checksum *checksum, const char *name, uint64_t *number)
{
	const struct dmtrace_key *const key = checksum->reader->key;
	char shown[DMT_ESCAPED_MAX];

	if (dmt_added_get(number, key, name))
		return DMTRACE_OK;
	const struct dmtrace_text value =
	    dmtrace_key_option_find(key, name)->value;
	dmt_escape(shown, sizeof(shown), value.bytes, value.len);
	return dmt_error_set(&checksum->op->error, DMTRACE_ERR_CORRUPT,
	    "option %s: %s is not a number of records", name, shown);
}

/* Of rows with the same id, the first one counts. */
static bool
hash_methods(struct checksum *checksum)
{
	const struct dmtrace_key *const key = checksum->reader->key;
	const size_t count = dmtrace_key_method_count(key);

	checksum->hashes = dmt_array_new(count, sizeof(*checksum->hashes));
	if (checksum->hashes == NULL)
		return false;
	for (size_t i = 0; i < count && i < UINT32_MAX; i++) {
		const struct dmtrace_method *const row =
		    dmtrace_key_method_get(key, i);
		const uint64_t id = row->id & ~(uint64_t)3;

		checksum->hashes[i] = dmt_digest_method(row, id);
		if (dmt_idmap_find(&checksum->rows, id) == NULL &&
		    !dmt_idmap_add(&checksum->rows, id, (uint32_t)i))
			return false;
	}
	return true;
}

/* Four places for each method, if there are not too many. */
static bool
make_recent(struct checksum *checksum)
{
	unsigned bits = RECENT_BITS_MIN;

	while (bits < RECENT_BITS_MAX &&
	    checksum->rows.count > (size_t)1 << bits >> 2)
		bits++;
	checksum->recent_shift = 64 - bits;
	checksum->recent = dmt_array_new((size_t)1 << bits,
	    sizeof(*checksum->recent));
	for (size_t i = 0; checksum->recent != NULL && i >> bits == 0; i++)
		checksum->recent[i].id = NO_ID;
	return checksum->recent != NULL;
}

static enum dmtrace_status
prepare(struct checksum *checksum)
{
	const struct dmtrace_reader *const reader = checksum->reader;

	if (dmtrace_reader_layout(reader) == NULL || reader->position != 0)
		return dmt_error_set(&checksum->op->error, DMTRACE_ERR_STATE,
		    "the reader is not at its first record");
	if (find_added(checksum, "dmtrace-opened", &checksum->opened) !=
	    DMTRACE_OK || find_added(checksum, "dmtrace-closed",
	    &checksum->closed) != DMTRACE_OK)
		return checksum->op->error.status;
	checksum->tallies = dmt_array_new(
	    dmt_layout_thread_numbers(&reader->layout),
	    sizeof(*checksum->tallies));
	if (checksum->tallies == NULL || !hash_methods(checksum) ||
	    !make_recent(checksum))
		return dmt_error_memory(&checksum->op->error);
	return DMTRACE_OK;
}

static void
put_thread(const struct checksum *checksum, uint32_t number,
    struct dmtrace_checksum *out)
{
	const struct dmtrace_reader *const reader = checksum->reader;
	const struct tally *const tally = &checksum->tallies[number];
	const struct dmtrace_thread *const row = dmtrace_key_thread_match(
	    reader->key, &reader->layout, number);

	out->threads[out->thread_count++] = (struct dmtrace_thread_sum){
		.thread = number,
		.name = row != NULL ? row->name :
		    (struct dmtrace_text){ NULL, 0 },
		.records = tally->records,
		.sum = tally->sum,
	};
	out->records += tally->records;
	dmtrace_sum_add(&out->sum, &tally->sum);
}

static enum dmtrace_status
put_result(const struct checksum *checksum, struct dmtrace_checksum *out)
{
	const size_t numbers =
	    dmt_layout_thread_numbers(&checksum->reader->layout);
	size_t count = 0;

	for (size_t i = 0; i < numbers; i++)
		count += checksum->tallies[i].records > 0;
	out->threads = dmt_array_new(count, sizeof(*out->threads));
	if (out->threads == NULL)
		return dmt_error_memory(&checksum->op->error);
	for (size_t i = 0; i < numbers; i++)
		if (checksum->tallies[i].records > 0)
			put_thread(checksum, (uint32_t)i, out);
	out->added = checksum->reader->position - out->records;
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_checksum(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_checksum_options *options,
    struct dmtrace_checksum *out)
{
	struct checksum checksum = {
		.op = op,
		.reader = reader,
		.clocks = with_defaults(options).clocks,
	};

	dmt_op_begin(op);
	*out = (struct dmtrace_checksum){ .records = 0 };
	if (prepare(&checksum) == DMTRACE_OK &&
	    read_all(&checksum) == DMTRACE_OK)
		put_result(&checksum, out);
	dmt_idmap_fini(&checksum.rows);
	free(checksum.recent);
	free(checksum.hashes);
	free(checksum.tallies);
	return op->error.status;
}

void
dmtrace_checksum_fini(struct dmtrace_checksum *checksum)
{
	free(checksum->threads);
	*checksum = (struct dmtrace_checksum){ .records = 0 };
}
