/* repair_data.c - where the records of broken data are, and what they are */

#include "ops/repair.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "data/header_decode.h"
#include "format/header.h"
#include "ops/repair_guess.h"
#include "ops/repair_mangled.h"

/* The header as it is; a field that is not there is 0. */
struct stated {
	bool has_magic;
	unsigned version;
	unsigned offset;
	unsigned record_size;
	uint64_t start;
};

static struct stated
read_header(const struct dmt_sight *sight)
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

static bool
is_version(unsigned version)
{
	return version >= DMT_VERSION_MIN && version <= DMT_VERSION_MAX;
}

/* No record can be read: a header of what the key says. */
static void
begin_empty(struct dmt_repair *repair, unsigned version)
{
	const enum dmtrace_clock clock = dmtrace_key_clock(repair->key);
	const unsigned named = dmtrace_key_version(repair->key);

	if (!is_version(version))
		version = named;
	if (!is_version(version))
		version = clock == DMTRACE_CLOCK_DUAL ? 3 : 2;
	const struct dmtrace_layout *const row =
	    dmtrace_layout_find(version, clock);
	repair->layout = row != NULL ? *row :
	    *dmtrace_layout_find(version, DMTRACE_CLOCK_MISSING);
	repair->version = version;
	repair->data_offset = DMT_HEADER_SIZE;
	repair->has_header = false;
	repair->records = 0;
}

static enum dmtrace_status
begin_missing(struct dmt_repair *repair)
{
	if (repair->changes.tallies[DMT_DATA_UNREADABLE].count == 0)
		dmt_change_add(&repair->changes, DMT_DATA_MISSING, 1,
		    DMTRACE_PLACE_OFFSET, repair->key_len, NULL);
	begin_empty(repair, 0);
	return DMTRACE_OK;
}

static bool
is_cut(const struct dmt_repair *repair, const struct stated *stated)
{
	return repair->data_size < DMT_HEADER_MIN ||
	    (stated->offset <= DMT_HEADER_SIZE &&
	    stated->offset > repair->data_size);
}

static void
begin_cut(struct dmt_repair *repair, const struct stated *stated)
{
	dmt_change_add(&repair->changes, DMT_HEADER_CUT, 1,
	    DMTRACE_PLACE_OFFSET, repair->data_at, "after %u bytes",
	    (unsigned)repair->data_size);
	begin_empty(repair, stated->version);
	repair->start = stated->start;
}

static void
begin_unreadable(struct dmt_repair *repair)
{
	dmt_change_add(&repair->changes, DMT_DATA_UNREADABLE, 1,
	    DMTRACE_PLACE_OFFSET, repair->data_at, NULL);
	begin_empty(repair, 0);
}

/* What the header says other than what the records are. */
static void
tell_header(struct dmt_repair *repair, const struct stated *stated,
    const struct dmt_guess *guess)
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
		dmt_change_add(changes, DMT_HEADER_RECORD_SIZE_BAD, 1,
		    DMTRACE_PLACE_OFFSET, at + DMT_HEADER_RECORD_SIZE,
		    "%u, not %u", size, stated->record_size);
	repair->has_header = dmt_changes_count(changes) == before;
}

static void
adopt(struct dmt_repair *repair, const struct stated *stated,
    const struct dmt_guess *guess)
{
	const size_t size = guess->layout.record_size;
	const uint64_t left = repair->data_size - guess->offset;

	tell_header(repair, stated, guess);
	repair->version = guess->layout.version;
	repair->start = stated->start;
	repair->layout = guess->layout;
	repair->data_offset = guess->offset;
	repair->records = left / size;
	if (left % size != 0)
		dmt_change_add(&repair->changes, DMT_RECORD_PARTIAL, 1,
		    DMTRACE_PLACE_OFFSET, repair->data_at + guess->offset +
		    left / size * size, "%u bytes of %zu",
		    (unsigned)(left % size), size);
}

/* The first bytes of the data, in memory of their own. */
static enum dmtrace_status
look(struct dmt_repair *repair, struct dmt_sight *sight, uint8_t *bytes,
    struct dmtrace_error *error)
{
	struct dmt_source source;
	const uint8_t *window;

	dmt_half_read(repair->data, repair->data_at, &source);
	sight->len = dmt_source_peek(&source, DMT_SIGHT_MAX, &window);
	if (sight->len > DMT_SIGHT_MAX)
		sight->len = DMT_SIGHT_MAX;
	memcpy(bytes, window, sight->len);
	sight->bytes = bytes;
	sight->key = repair->key;
	if (source.error.status != DMTRACE_OK)
		*error = source.error;
	dmt_source_fini(&source);
	return error->status;
}

/* Whether the header needs no change for the guess. */
static bool
is_stated(const struct dmt_guess *guess, const struct dmt_guess *stated)
{
	return stated->valid && guess->offset == stated->offset &&
	    guess->layout.version == stated->layout.version &&
	    guess->layout.record_size == stated->layout.record_size;
}

/* Whether bytes were mangled, by the sense that they make if that is undone:
 * then guess is what they are. DMT_MANGLINGS: they were not. */
static enum dmt_mangling
find_mangling(const struct dmt_sight *sight, const struct dmt_guess *own,
    struct dmt_guess *guess, struct dmt_sight *undone, uint8_t *bytes)
{
	enum dmt_mangling found = DMT_MANGLINGS;
	const struct dmt_guess as_is = *guess;

	if (own->valid && own->score >= 1000 - DMT_SENSE_MORE)
		return found;
	for (unsigned i = 0; i < DMT_MANGLINGS; i++) {
		if (!dmt_mangled_look((enum dmt_mangling)i, sight, undone,
		    bytes))
			continue;
		const struct dmt_guess stated = dmt_guess_own(undone);
		const struct dmt_guess best =
		    dmt_guess_best(undone, &stated);
		if (!best.valid || best.score < DMT_SENSE ||
		    (as_is.valid && best.score < as_is.score +
		    !is_stated(&best, &stated)) || (found != DMT_MANGLINGS &&
		    best.score <= guess->score))
			continue;
		*guess = best;
		found = (enum dmt_mangling)i;
	}
	if (found != DMT_MANGLINGS)
		dmt_mangled_look(found, sight, undone, bytes);
	return found;
}

static enum dmtrace_status
refuse(const struct dmt_repair *repair, const struct stated *stated,
    struct dmtrace_error *error)
{
	return dmt_error_at(error, DMTRACE_ERR_UNSUPPORTED,
	    DMTRACE_PLACE_OFFSET, repair->data_at + DMT_HEADER_VERSION,
	    "data version 0x%X is %s; versions 1 to 3 can be repaired",
	    stated->version, dmt_version_container(stated->version) ==
	    DMTRACE_CONTAINER_STREAM ? "ART streaming" :
	    "ART trace format V2");
}

static bool
is_other_form(const struct stated *stated)
{
	return stated->has_magic && dmt_version_container(stated->version) !=
	    DMTRACE_CONTAINER_DATA;
}

/* bytes has room for the sight twice. */
static enum dmtrace_status
judge(struct dmt_repair *repair, uint8_t *bytes, struct dmtrace_error *error)
{
	bool no_memory = false;
	struct dmt_sight sight = { .no_memory = &no_memory }, undone;

	if (look(repair, &sight, bytes, error) != DMTRACE_OK)
		return error->status;
	struct stated stated = read_header(&sight);
	const struct dmt_guess own = dmt_guess_own(&sight);
	struct dmt_guess guess = dmt_guess_best(&sight, &own);
	if (no_memory)
		return dmt_error_memory(error);
	if (is_other_form(&stated) && (repair->key_half.fd < 0 ||
	    !guess.valid || guess.score < 1000 - DMT_SENSE_MORE))
		return refuse(repair, &stated, error);
	if (is_cut(repair, &stated)) {
		begin_cut(repair, &stated);
		return DMTRACE_OK;
	}
	const enum dmt_mangling mangling = find_mangling(&sight, &own,
	    &guess, &undone, bytes + DMT_SIGHT_MAX);
	if (no_memory)
		return dmt_error_memory(error);
	if (mangling != DMT_MANGLINGS) {
		stated = read_header(&undone);
		if (dmt_mangled_undo(repair, mangling, &guess, error) !=
		    DMTRACE_OK)
			return error->status;
	}
	if (!guess.valid || (!own.valid && guess.score < DMT_SENSE))
		begin_unreadable(repair);
	else
		adopt(repair, &stated, &guess);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_repair_find_records(struct dmt_repair *repair)
{
	struct dmtrace_error error = { 0 };

	if (repair->data == NULL)
		return begin_missing(repair);
	uint8_t *const bytes = dmt_array_new(2, DMT_SIGHT_MAX);
	if (bytes == NULL)
		dmt_error_memory(&error);
	else
		judge(repair, bytes, &error);
	free(bytes);
	return dmt_op_fail(repair->op, repair->in_file, &error);
}
