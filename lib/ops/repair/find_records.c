/* find_records.c - finds the records in damaged data, and their layout */

/*
 * A guess is a layout and the offset of the first record. Its score, of 1000,
 * says how plausible the first records are in that case (data/record_sense.c).
 * The first guess is what the header says; it is used unless another one is
 * clearly better. The others are each layout at each offset that is known to
 * occur. If the guess of the header is not certain, a program may have treated
 * the data as text: each kind of that damage is undone for the first bytes
 * (data/text_damage.c), which are then judged in the same way.
 *
 * The header is changed to match the best guess. If no guess is plausible, the
 * trace is written without records.
 */

#include "ops/repair/repair.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "data/header_decode.h"
#include "data/record_sense.h"
#include "data/text_damage.h"
#include "format/header.h"
#include "private/key.h"
#include "trace/container.h"
#include "trace/dialect.h"

#define SIGHT_MAX (128 * 1024)		/* bytes that are enough to judge */

/* The first bytes of the data, from the magic on. */
struct sight {
	const struct dmtrace_key *key;
	const uint8_t *bytes;
	size_t len;
	bool failed;			/* no memory was left for judging */
};

struct guess {
	bool valid;
	struct dmt_layout layout;
	unsigned offset;
	unsigned score;
};

/* Making guesses. */

static struct guess
make_guess(struct sight *sight, const struct dmt_layout *layout,
    unsigned offset)
{
	struct guess guess = { .layout = *layout, .offset = offset };

	guess.valid = offset >= DMT_HEADER_MIN && offset <= sight->len;
	if (guess.valid)
		guess.score = dmt_records_sense(sight->key, layout,
		    sight->bytes + offset, sight->len - offset,
		    &sight->failed);
	return guess;
}

/* Returns the guess that the header states; invalid if it is impossible. */
static struct guess
guess_stated(struct sight *sight, const struct dmt_header_fields *stated)
{
	struct guess guess = { .valid = false };
	struct dmt_layout layout;

	if (sight->len < DMT_HEADER_MIN || !dmt_header_find_layout(&layout,
	    stated, dmt_key_clock(sight->key)))
		return guess;
	guess = make_guess(sight, &layout, stated->data_offset);
	if (guess.valid && layout.version == dmt_layout_preview.version &&
	    dmt_records_len(&layout, 1) ==
	    dmt_records_len(&dmt_layout_preview, 1)) {
		const struct guess wide =
		    make_guess(sight, &dmt_layout_preview, stated->data_offset);
		if (wide.score > guess.score)
			guess = wide;
	}
	return guess;
}

/* Tries a layout at the stated offset and at the usual ones. Replaces *best if
 * a guess has a higher score. */
static void
try_offsets(struct sight *sight, struct guess *best,
    const struct dmt_layout *layout, unsigned stated)
{
	const unsigned offsets[] =
	    { stated, 32, 16, 18, 20, 24, 28, 36, 40, 48, 64 };

	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		/* a guess without a record has no score */
		if (offsets[i] > sight->len ||
		    dmt_records_in(layout, sight->len - offsets[i]) == 0)
			continue;
		const struct guess guess =
		    make_guess(sight, layout, offsets[i]);
		if (guess.valid &&
		    (!best->valid || guess.score > best->score))
			*best = guess;
	}
}

/* Returns the best guess, or own if no other is clearly better. */
static struct guess
guess_best(struct sight *sight, const struct dmt_header_fields *stated,
    const struct guess *own)
{
	const unsigned named = dmt_key_version(sight->key);
	const unsigned versions[] = { named, 2, 1, 3 };
	const enum dmtrace_clock clock = dmt_key_clock(sight->key);
	const enum dmtrace_clock single =
	    clock == DMTRACE_CLOCK_DUAL ? DMTRACE_CLOCK_MISSING : clock;
	const unsigned offset =
	    sight->len < DMT_HEADER_MIN ? 0 : stated->data_offset;
	struct guess best = { .valid = false };

	if (own->valid && own->score >= DMT_SENSE_SURE)
		return *own;
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		const struct dmt_layout *const layouts[] = {
			dmt_layout_find(versions[i], DMTRACE_CLOCK_DUAL),
			dmt_layout_find(versions[i], single),
		};

		for (size_t j = 0; j < 2; j++)
			if (layouts[j] != NULL)
				try_offsets(sight, &best, layouts[j], offset);
	}
	return best.valid && (!own->valid ||
	    best.score > own->score + DMT_SENSE_MORE) ? best : *own;
}

/*
 * Finds the kind of damage that gives the best guess when it is undone, and
 * sets guess and stated to the result. DMT_TEXT_DAMAGES: none is better than
 * the bytes as they are. undone has space for the bytes of the sight.
 */
static enum dmt_text_damage
guess_text(struct sight *sight, struct guess *guess,
    struct dmt_header_fields *stated, uint8_t *undone)
{
	enum dmt_text_damage found = DMT_TEXT_DAMAGES;
	const struct guess as_is = *guess;
	struct sight other = { .key = sight->key, .bytes = undone };

	for (unsigned damage = 0; damage < DMT_TEXT_DAMAGES; damage++) {
		if (!dmt_text_undo((enum dmt_text_damage)damage, sight->bytes,
		    sight->len, undone, &other.len))
			continue;
		const struct dmt_header_fields header =
		    dmt_header_look(other.bytes, other.len);
		const struct guess own = guess_stated(&other, &header);
		const struct guess best = guess_best(&other, &header, &own);
		/* The guess is what the header says. */
		const bool is_stated = own.valid && best.offset == own.offset &&
		    best.layout.version == own.layout.version &&
		    dmt_records_len(&best.layout, 1) ==
		    dmt_records_len(&own.layout, 1);
		if (!best.valid || best.score < DMT_SENSE_SOME ||
		    (as_is.valid && best.score < as_is.score + !is_stated) ||
		    (found != DMT_TEXT_DAMAGES &&
		    best.score <= guess->score))
			continue;
		*guess = best;
		*stated = header;
		found = (enum dmt_text_damage)damage;
	}
	sight->failed |= other.failed;
	return found;
}

/* Using the result. */

/* For a trace whose records cannot be read: chooses the layout of the new
 * header from the key. */
static void
begin_without_records(struct dmt_repair *repair, unsigned version)
{
	const enum dmtrace_clock clock = dmt_key_clock(repair->key);

	if (version < DMT_VERSION_MIN || version > DMT_VERSION_MAX)
		version = dmt_key_version(repair->key);
	if (version < DMT_VERSION_MIN || version > DMT_VERSION_MAX)
		version = clock == DMTRACE_CLOCK_DUAL ? 3 : 2;
	const struct dmt_layout *const row =
	    dmt_layout_find(version, clock);
	repair->layout = row != NULL ? *row :
	    *dmt_layout_find(version, DMTRACE_CLOCK_MISSING);
}

/* Changes the header to match the guess. */
static void
adopt_guess(struct dmt_repair *repair, const struct dmt_header_fields *stated,
    const struct guess *guess)
{
	struct dmt_changes *const changes = &repair->changes;
	const struct dmt_layout *const layout = &guess->layout;
	const uint64_t at = repair->data_at;
	const uint64_t before = dmt_changes_count(changes);
	const unsigned version = layout->version;
	const unsigned size = (unsigned)dmt_records_len(layout, 1);

	if (!stated->has_magic)
		dmt_change_add(changes, DMT_HEADER_MAGIC, 1,
		    DMTRACE_PLACE_OFFSET, at, NULL);
	if (stated->version != version)
		dmt_change_add(changes, DMT_VERSION_DIFFERS, 1,
		    DMTRACE_PLACE_OFFSET, at + DMT_HEADER_VERSION,
		    "the data has %u, its records %u", stated->version,
		    version);
	if (stated->data_offset != guess->offset)
		dmt_change_add(changes, DMT_HEADER_OFFSET_BAD, 1,
		    DMTRACE_PLACE_OFFSET, at + DMT_HEADER_OFFSET,
		    "%u, not %u", guess->offset, stated->data_offset);
	if (version >= DMT_VERSION_SIZED && stated->record_size != size)
		dmt_change_add(changes, stated->version == version &&
		    !dmt_header_is_sized(version, stated->data_offset) ?
		    DMT_RECORD_SIZE_MISSING : DMT_HEADER_RECORD_SIZE_BAD, 1,
		    DMTRACE_PLACE_OFFSET, at + DMT_HEADER_RECORD_SIZE,
		    "%u, not %u", size, stated->record_size);
	repair->keeps_header = dmt_changes_count(changes) == before;

	const uint64_t len = repair->data_size - guess->offset;
	const uint64_t records = dmt_records_in(layout, len);
	const uint64_t whole = dmt_records_len(layout, records);
	repair->start = stated->start;
	repair->layout = *layout;
	repair->data_offset = guess->offset;
	repair->records = records;
	if (len > whole)
		dmt_change_add(changes, DMT_RECORD_PARTIAL, 1,
		    DMTRACE_PLACE_OFFSET, at + guess->offset + whole,
		    "%u bytes of %u", (unsigned)(len - whole), size);
}

/* Chooses a guess and adopts it. undone has space for SIGHT_MAX bytes. */
static enum dmtrace_status
judge_data(struct dmt_repair *repair, uint8_t *undone,
    struct dmtrace_error *error)
{
	struct sight sight = { .key = repair->key };
	enum dmt_text_damage damage = DMT_TEXT_DAMAGES;

	dmt_input_rewind(repair->data, repair->data_at);
	sight.len = dmt_input_peek(repair->data, SIGHT_MAX, &sight.bytes);
	if (sight.len > SIGHT_MAX)
		sight.len = SIGHT_MAX;
	*error = repair->data->error;
	if (error->status != DMTRACE_OK)
		return error->status;

	/* First the bytes as they are. */
	struct dmt_header_fields stated =
	    dmt_header_look(sight.bytes, sight.len);
	const struct dmt_container *const found =
	    dmt_container_of(sight.bytes, sight.len);
	const struct guess own = guess_stated(&sight, &stated);
	struct guess guess = guess_best(&sight, &stated, &own);
	if (sight.failed)
		return dmt_error_memory(error);
	if (found != NULL && stated.has_magic && found->dialect->packets &&
	    (!guess.valid || guess.score < DMT_SENSE_SURE))
		return dmt_error_at(error, DMTRACE_ERR_UNSUPPORTED,
		    DMTRACE_PLACE_OFFSET, repair->data_at + DMT_HEADER_VERSION,
		    "data version 0x%X is %s, which begins without a key",
		    stated.version, found->dialect->title);
	if (repair->data_size < DMT_HEADER_MIN ||
	    (stated.data_offset <= DMT_HEADER_SIZE &&
	    stated.data_offset > repair->data_size)) {
		dmt_change_add(&repair->changes, DMT_HEADER_TRUNCATED, 1,
		    DMTRACE_PLACE_OFFSET, repair->data_at, "after %u bytes",
		    (unsigned)repair->data_size);
		begin_without_records(repair, stated.version);
		repair->start = stated.start;
		return DMTRACE_OK;
	}

	/* Then as if the data had been treated as text. */
	if (!own.valid || own.score < DMT_SENSE_SURE)
		damage = guess_text(&sight, &guess, &stated, undone);
	if (sight.failed)
		return dmt_error_memory(error);
	if (damage != DMT_TEXT_DAMAGES && dmt_repair_undo_text(repair, damage,
	    guess.offset, &guess.layout, error) != DMTRACE_OK)
		return error->status;
	if (guess.valid && (own.valid || guess.score >= DMT_SENSE_SOME)) {
		adopt_guess(repair, &stated, &guess);
		return DMTRACE_OK;
	}
	dmt_change_add(&repair->changes, DMT_DATA_UNREADABLE, 1,
	    DMTRACE_PLACE_OFFSET, repair->data_at, NULL);
	begin_without_records(repair, 0);
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
		begin_without_records(repair, 0);
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
