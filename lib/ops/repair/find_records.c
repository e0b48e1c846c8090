/* find_records.c - where the records of damaged data are, and what they are */

/*
 * This file searches bytes for records, and so it computes sizes and offsets
 * of them; what reads them afterwards does not.
 *
 * A guess is a layout and the offset of the first record. Its score, from 0 to
 * 1000, says how much sense the first 4,096 records make so: are their threads
 * and methods listed in the key, is the action known, do times rise in each
 * thread. What the header says is the first guess, and it stays unless another
 * one is clearly better; the others are each layout there is, at each offset
 * that a header is known to have. Where the header's own guess is not sure, the
 * data may have been taken for text: each kind of that damage is undone for the
 * first bytes, which are then judged in the same way (undo_text.c).
 *
 * The header is mended so that it says what the best guess is. If none makes
 * sense, the trace is written without records.
 */

#include "ops/repair/repair.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/idmap.h"
#include "data/header_decode.h"
#include "data/record.h"
#include "format/header.h"
#include "ops/repair/undo_text.h"

#define SIGHT_MAX (128 * 1024)		/* bytes that are enough to judge */
#define PROBED_RECORDS 4096
#define SENSE 500			/* some: records may be that */
#define SENSE_MORE 200			/* clearly better than another */
#define SURE (1000 - SENSE_MORE)	/* no other can be clearly better */

/* What each thing that makes sense in a record is worth. */
enum { FOR_THREAD = 2, FOR_METHOD = 3, FOR_ACTION = 1, FOR_TIME = 2 };

/* The first bytes of the data, from the magic on. */
struct sight {
	const struct dmtrace_key *key;
	const uint8_t *bytes;
	size_t len;
	bool failed;			/* there was no memory to judge */
};

struct guess {
	bool valid;
	struct dmtrace_layout layout;
	unsigned offset;
	unsigned score;
};

/* The header as it is; a field that is missing is 0. */
struct stated {
	bool has_magic;
	unsigned version;
	unsigned offset;
	unsigned record_size;
	uint64_t start;
};

/* Scores */

/* Whether the time rises, and not by an hour at once; where it begins says
 * nothing. last: the times of threads so far. */
static bool
is_in_time(struct sight *sight, const struct dmtrace_layout *layout,
    const uint8_t *in, struct dmt_idmap *last)
{
	const struct dmt_field field =
	    layout->wall.width != 0 ? layout->wall : layout->cpu;
	const uint32_t now = (uint32_t)dmt_field_get(field, in);
	const uint64_t thread = dmt_field_get(layout->thread, in);
	uint32_t *const before = dmt_idmap_find(last, thread);

	if (before == NULL) {
		if (!dmt_idmap_add(last, thread, now))
			sight->failed = true;
		return true;
	}
	const bool rises = now - *before < UINT32_C(1) << 31;
	*before = now;
	return rises;
}

/* No record at all makes all the sense there is; bytes that are too few for
 * one make some. */
static unsigned
score_records(struct sight *sight, const struct dmtrace_layout *layout,
    unsigned offset)
{
	const struct dmtrace_key *const key = sight->key;
	const bool has_threads = dmtrace_key_thread_count(key) > 0;
	const bool has_methods = dmtrace_key_method_count(key) > 0;
	const size_t size = layout->record_size;
	const uint64_t most = FOR_ACTION + FOR_TIME +
	    (has_threads ? FOR_THREAD : 0) + (has_methods ? FOR_METHOD : 0);
	struct dmt_idmap last = { .count = 0 };
	uint64_t worth = 0, count = 0;

	for (size_t at = offset; count < PROBED_RECORDS &&
	    at + size <= sight->len; at += size, count++) {
		const uint8_t *const in = sight->bytes + at;

		if (has_threads && dmtrace_key_thread_match(key, layout,
		    (uint32_t)dmt_field_get(layout->thread, in)) != NULL)
			worth += FOR_THREAD;
		if (has_methods && dmtrace_key_method_find(key,
		    dmt_field_get(layout->method, in)) != NULL)
			worth += FOR_METHOD;
		if (dmt_action_get(layout, in) != DMTRACE_RESERVED)
			worth += FOR_ACTION;
		if (is_in_time(sight, layout, in, &last))
			worth += FOR_TIME;
	}
	dmt_idmap_fini(&last);
	if (count == 0)
		return offset == sight->len ? 1000 : SENSE;
	return (unsigned)(worth * 1000 / (most * count));
}

bool
dmt_records_make_sense(const struct dmtrace_key *key,
    const struct dmtrace_layout *layout, const uint8_t *bytes, size_t len)
{
	struct sight sight = { .key = key, .bytes = bytes, .len = len };

	return score_records(&sight, layout, 0) >= SURE;
}

/* Guesses */

static struct guess
make_guess(struct sight *sight, const struct dmtrace_layout *layout,
    unsigned offset)
{
	struct guess guess = { .layout = *layout, .offset = offset };

	guess.valid = offset >= DMT_HEADER_MIN && offset <= sight->len;
	if (guess.valid)
		guess.score = score_records(sight, layout, offset);
	return guess;
}

static struct stated
read_header(const struct sight *sight)
{
	const uint8_t *const in = sight->bytes;
	const size_t len = sight->len;
	struct stated stated = { .has_magic = len >= DMT_MAGIC_SIZE &&
	    memcmp(in, DMT_MAGIC, DMT_MAGIC_SIZE) == 0 };

	if (len >= DMT_HEADER_OFFSET)
		stated.version = dmt_get_le16(in + DMT_HEADER_VERSION);
	if (len >= DMT_HEADER_START)
		stated.offset = dmt_get_le16(in + DMT_HEADER_OFFSET);
	if (len >= DMT_HEADER_MIN)
		stated.start = dmt_get_le64(in + DMT_HEADER_START);
	if (len >= DMT_HEADER_SIZED_MIN &&
	    dmt_header_is_sized(stated.version, stated.offset))
		stated.record_size =
		    dmt_get_le16(in + DMT_HEADER_RECORD_SIZE);
	return stated;
}

/* As the header says; invalid: it says what cannot be. */
static struct guess
guess_stated(struct sight *sight, const struct stated *stated)
{
	struct guess guess = { .valid = false };
	struct dmtrace_layout layout;

	if (sight->len < DMT_HEADER_MIN ||
	    (dmt_header_is_sized(stated->version, stated->offset) &&
	    stated->record_size == 0) ||
	    !dmt_layout_resolve(&layout, stated->version,
	    dmtrace_key_clock(sight->key), (uint16_t)stated->record_size))
		return guess;
	guess = make_guess(sight, &layout, stated->offset);
	if (guess.valid && layout.version == dmt_layout_preview.version &&
	    layout.record_size == dmt_layout_preview.record_size) {
		const struct guess wide =
		    make_guess(sight, &dmt_layout_preview, stated->offset);
		if (wide.score > guess.score)
			guess = wide;
	}
	return guess;
}

/* As the layout has it, at the best of the usual offsets, and the stated one;
 * *best is replaced by what makes more sense. */
static void
try_offsets(struct sight *sight, struct guess *best,
    const struct dmtrace_layout *layout, unsigned stated)
{
	const unsigned offsets[] =
	    { stated, 32, 16, 18, 20, 24, 28, 36, 40, 48, 64 };

	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		/* where there is no record there is no sense in it */
		if (offsets[i] + layout->record_size > sight->len)
			continue;
		const struct guess guess =
		    make_guess(sight, layout, offsets[i]);
		if (guess.valid &&
		    (!best->valid || guess.score > best->score))
			*best = guess;
	}
}

/* The best guess there is; own where the others do not make clearly more
 * sense. */
static struct guess
guess_best(struct sight *sight, const struct stated *stated,
    const struct guess *own)
{
	const unsigned named = dmtrace_key_version(sight->key);
	const unsigned versions[] = { named, 2, 1, 3 };
	const enum dmtrace_clock clock = dmtrace_key_clock(sight->key);
	const enum dmtrace_clock single =
	    clock == DMTRACE_CLOCK_DUAL ? DMTRACE_CLOCK_MISSING : clock;
	const unsigned offset =
	    sight->len < DMT_HEADER_MIN ? 0 : stated->offset;
	struct guess best = { .valid = false };

	if (own->valid && own->score >= SURE)
		return *own;
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		const struct dmtrace_layout *const layouts[] = {
			dmtrace_layout_find(versions[i], DMTRACE_CLOCK_DUAL),
			dmtrace_layout_find(versions[i], single),
		};

		for (size_t j = 0; j < 2; j++)
			if (layouts[j] != NULL)
				try_offsets(sight, &best, layouts[j], offset);
	}
	return best.valid && (!own->valid ||
	    best.score > own->score + SENSE_MORE) ? best : *own;
}

/* Whether the header needs no change for the guess. */
static bool
is_stated(const struct guess *guess, const struct guess *own)
{
	return own->valid && guess->offset == own->offset &&
	    guess->layout.version == own->layout.version &&
	    guess->layout.record_size == own->layout.record_size;
}

/*
 * What was done to the bytes, by the sense that they make if it is undone: then
 * guess is what they are, and stated their header. undone has room for the
 * bytes of the sight.
 */
static enum dmt_as_text
guess_text(struct sight *sight, struct guess *guess, struct stated *stated,
    uint8_t *undone)
{
	enum dmt_as_text found = DMT_AS_TEXT_KINDS;
	const struct guess as_is = *guess;
	struct sight other = { .key = sight->key, .bytes = undone };

	for (unsigned as = 0; as < DMT_AS_TEXT_KINDS; as++) {
		if (!dmt_undo_text((enum dmt_as_text)as, sight->bytes,
		    sight->len, undone, &other.len))
			continue;
		const struct stated header = read_header(&other);
		const struct guess own = guess_stated(&other, &header);
		const struct guess best = guess_best(&other, &header, &own);
		if (!best.valid || best.score < SENSE ||
		    (as_is.valid && best.score < as_is.score +
		    !is_stated(&best, &own)) ||
		    (found != DMT_AS_TEXT_KINDS &&
		    best.score <= guess->score))
			continue;
		*guess = best;
		*stated = header;
		found = (enum dmt_as_text)as;
	}
	sight->failed |= other.failed;
	return found;
}

/* What comes of it */

/* No record can be read: a header of what the key says. */
static void
begin_empty(struct dmt_repair *repair, unsigned version)
{
	const enum dmtrace_clock clock = dmtrace_key_clock(repair->key);

	if (version < DMT_VERSION_MIN || version > DMT_VERSION_MAX)
		version = dmtrace_key_version(repair->key);
	if (version < DMT_VERSION_MIN || version > DMT_VERSION_MAX)
		version = clock == DMTRACE_CLOCK_DUAL ? 3 : 2;
	const struct dmtrace_layout *const row =
	    dmtrace_layout_find(version, clock);
	repair->layout = row != NULL ? *row :
	    *dmtrace_layout_find(version, DMTRACE_CLOCK_MISSING);
}

/* The header is to say what the guess is. */
static void
mend_header(struct dmt_repair *repair, const struct stated *stated,
    const struct guess *guess)
{
	struct dmt_changes *const changes = &repair->changes;
	const uint64_t at = repair->data_at;
	const uint64_t before = dmt_changes_count(changes);
	const unsigned version = guess->layout.version;
	const unsigned size = guess->layout.record_size;

	if (!stated->has_magic)
		dmt_change_add(changes, DMT_HEADER_MAGIC, 1,
		    DMTRACE_PLACE_OFFSET, at, NULL);
	if (stated->version != version)
		dmt_change_add(changes, DMT_VERSION_DIFFERS, 1,
		    DMTRACE_PLACE_OFFSET, at + DMT_HEADER_VERSION,
		    "the data has %u, its records %u", stated->version,
		    version);
	if (stated->offset != guess->offset)
		dmt_change_add(changes, DMT_HEADER_OFFSET_BAD, 1,
		    DMTRACE_PLACE_OFFSET, at + DMT_HEADER_OFFSET,
		    "%u, not %u", guess->offset, stated->offset);
	if (version >= DMT_VERSION_SIZED && stated->record_size != size)
		dmt_change_add(changes, stated->version == version &&
		    !dmt_header_is_sized(version, stated->offset) ?
		    DMT_RECORD_SIZE_MISSING : DMT_HEADER_RECORD_SIZE_BAD, 1,
		    DMTRACE_PLACE_OFFSET, at + DMT_HEADER_RECORD_SIZE,
		    "%u, not %u", size, stated->record_size);
	repair->keeps_header = dmt_changes_count(changes) == before;
}

static void
adopt_guess(struct dmt_repair *repair, const struct stated *stated,
    const struct guess *guess)
{
	const size_t size = guess->layout.record_size;
	const uint64_t len = repair->data_size - guess->offset;

	mend_header(repair, stated, guess);
	repair->start = stated->start;
	repair->layout = guess->layout;
	repair->data_offset = guess->offset;
	repair->records = len / size;
	if (len % size != 0)
		dmt_change_add(&repair->changes, DMT_RECORD_PARTIAL, 1,
		    DMTRACE_PLACE_OFFSET, repair->data_at + guess->offset +
		    len / size * size, "%u bytes of %zu",
		    (unsigned)(len % size), size);
}

static enum dmtrace_status
refuse_version(const struct dmt_repair *repair, unsigned version,
    struct dmtrace_error *error)
{
	return dmt_error_at(error, DMTRACE_ERR_UNSUPPORTED,
	    DMTRACE_PLACE_OFFSET, repair->data_at + DMT_HEADER_VERSION,
	    "data version 0x%X is %s; versions 1 to 3 can be repaired",
	    version, dmt_version_container(version) ==
	    DMTRACE_CONTAINER_STREAM ? "ART streaming" :
	    "ART trace format V2");
}

/* undone has room for the first bytes of the data. */
static enum dmtrace_status
judge_data(struct dmt_repair *repair, uint8_t *undone,
    struct dmtrace_error *error)
{
	struct sight sight = { .key = repair->key };
	enum dmt_as_text as = DMT_AS_TEXT_KINDS;

	dmt_input_rewind(repair->data, repair->data_at);
	sight.len = dmt_input_peek(repair->data, SIGHT_MAX, &sight.bytes);
	if (sight.len > SIGHT_MAX)
		sight.len = SIGHT_MAX;
	*error = repair->data->error;
	if (error->status != DMTRACE_OK)
		return error->status;

	struct stated stated = read_header(&sight);
	const struct guess own = guess_stated(&sight, &stated);
	struct guess guess = guess_best(&sight, &stated, &own);
	if (sight.failed)
		return dmt_error_memory(error);
	if (stated.has_magic && dmt_version_container(stated.version) !=
	    DMTRACE_CONTAINER_DATA && (repair->key_file == NULL ||
	    !guess.valid || guess.score < SURE))
		return refuse_version(repair, stated.version, error);
	if (repair->data_size < DMT_HEADER_MIN ||
	    (stated.offset <= DMT_HEADER_SIZE &&
	    stated.offset > repair->data_size)) {
		dmt_change_add(&repair->changes, DMT_HEADER_CUT, 1,
		    DMTRACE_PLACE_OFFSET, repair->data_at, "after %u bytes",
		    (unsigned)repair->data_size);
		begin_empty(repair, stated.version);
		repair->start = stated.start;
		return DMTRACE_OK;
	}

	if (!own.valid || own.score < SURE)
		as = guess_text(&sight, &guess, &stated, undone);
	if (sight.failed)
		return dmt_error_memory(error);
	if (as != DMT_AS_TEXT_KINDS && dmt_repair_undo_text(repair, as,
	    guess.offset, guess.layout.record_size, error) != DMTRACE_OK)
		return error->status;
	if (guess.valid && (own.valid || guess.score >= SENSE)) {
		adopt_guess(repair, &stated, &guess);
		return DMTRACE_OK;
	}
	dmt_change_add(&repair->changes, DMT_DATA_UNREADABLE, 1,
	    DMTRACE_PLACE_OFFSET, repair->data_at, NULL);
	begin_empty(repair, 0);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_repair_find_records(struct dmt_repair *repair)
{
	struct dmtrace_error error = { 0 };

	if (repair->data == NULL) {
		if (repair->changes.tallies[DMT_DATA_UNREADABLE].count == 0)
			dmt_change_add(&repair->changes, DMT_DATA_MISSING, 1,
			    DMTRACE_PLACE_OFFSET, repair->key_len, NULL);
		begin_empty(repair, 0);
		return DMTRACE_OK;
	}
	uint8_t *const undone = dmt_array_new(SIGHT_MAX, 1);
	if (undone == NULL)
		dmt_error_memory(&error);
	else
		judge_data(repair, undone, &error);
	free(undone);
	return dmt_op_fail(repair->op, repair->in_file, &error);
}
