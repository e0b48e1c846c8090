/* repair_guess.c - what records look like, by how much sense they make */

#include "ops/repair_guess.h"

#include "base/bytes.h"
#include "base/idmap.h"
#include "data/record.h"
#include "format/header.h"

#define PROBED_RECORDS 4096

/* What each thing that makes sense in a record is worth. */
enum { FOR_THREAD = 2, FOR_METHOD = 3, FOR_ACTION = 1, FOR_TIME = 2 };

/* The times of the threads so far. */
struct probe {
	const struct dmt_sight *sight;
	const struct dmtrace_layout *layout;
	struct dmt_idmap *last;		/* by thread number */
};

static bool
is_listed(const struct dmtrace_key *key, const struct dmtrace_layout *layout,
    const uint8_t *in)
{
	return dmtrace_key_thread_match(key, layout,
	    (uint32_t)dmt_field_get(layout->thread, in)) != NULL;
}

/* Time rises, and not by an hour at once; where it begins says nothing. */
static bool
is_in_time(const struct probe *probe, const uint8_t *in)
{
	const struct dmtrace_layout *const layout = probe->layout;
	const struct dmt_field field =
	    layout->wall.width != 0 ? layout->wall : layout->cpu;
	const uint32_t now = (uint32_t)dmt_field_get(field, in);
	const uint64_t thread = dmt_field_get(layout->thread, in);
	uint32_t *const last = dmt_idmap_find(probe->last, thread);

	if (last == NULL) {
		if (!dmt_idmap_add(probe->last, thread, now))
			*probe->sight->no_memory = true;
		return true;
	}
	const bool rises = now - *last < UINT32_C(1) << 31;
	*last = now;
	return rises;
}

/* What the record is worth, of *most. */
static unsigned
judge(const struct probe *probe, const uint8_t *in, unsigned *most)
{
	const struct dmtrace_key *const key = probe->sight->key;
	const struct dmtrace_layout *const layout = probe->layout;
	unsigned worth = 0;

	*most = FOR_ACTION + FOR_TIME;
	if (dmtrace_key_thread_count(key) > 0) {
		*most += FOR_THREAD;
		worth += is_listed(key, layout, in) ? FOR_THREAD : 0;
	}
	if (dmtrace_key_method_count(key) > 0) {
		*most += FOR_METHOD;
		worth += dmtrace_key_method_find(key,
		    dmt_field_get(layout->method, in)) != NULL ?
		    FOR_METHOD : 0;
	}
	worth += dmt_action_get(layout, in) != DMTRACE_RESERVED ?
	    FOR_ACTION : 0;
	return worth + (is_in_time(probe, in) ? FOR_TIME : 0);
}

/* No record at all makes all the sense there is; bytes that are too few for
 * one make some. */
static unsigned
score(const struct dmt_sight *sight, const struct dmt_guess *guess)
{
	const size_t size = guess->layout.record_size;
	struct dmt_idmap last = { .count = 0 };
	const struct probe probe = { sight, &guess->layout, &last };
	uint64_t worth = 0, most = 0;
	unsigned of;

	for (size_t i = 0, at = guess->offset;
	    i < PROBED_RECORDS && at + size <= sight->len; i++, at += size) {
		worth += judge(&probe, sight->bytes + at, &of);
		most += of;
	}
	dmt_idmap_fini(&last);
	if (most == 0)
		return guess->offset == sight->len ? 1000 : DMT_SENSE;
	return (unsigned)(worth * 1000 / most);
}

static struct dmt_guess
guess(const struct dmt_sight *sight, const struct dmtrace_layout *layout,
    unsigned offset)
{
	struct dmt_guess made = { .layout = *layout, .offset = offset };

	made.valid = offset >= DMT_HEADER_MIN && offset <= sight->len;
	made.score = made.valid ? score(sight, &made) : 0;
	return made;
}

bool
dmt_guess_is_sure(const struct dmt_sight *sight,
    const struct dmtrace_layout *layout)
{
	const struct dmt_guess as_is = { .layout = *layout };

	return score(sight, &as_is) >= 1000 - DMT_SENSE_MORE;
}

struct dmt_guess
dmt_guess_own(const struct dmt_sight *sight)
{
	const uint8_t *const in = sight->bytes;
	const enum dmtrace_clock clock = dmtrace_key_clock(sight->key);
	struct dmt_guess own = { .valid = false };
	struct dmtrace_layout layout;
	uint16_t size = 0;

	if (sight->len < DMT_HEADER_MIN)
		return own;
	const unsigned version = dmt_get_le16(in + DMT_HEADER_VERSION);
	const unsigned offset = dmt_get_le16(in + DMT_HEADER_OFFSET);
	if (dmt_header_is_sized(version, offset) &&
	    sight->len >= DMT_HEADER_SIZED_MIN)
		size = dmt_get_le16(in + DMT_HEADER_RECORD_SIZE);
	if (dmt_header_is_sized(version, offset) && size == 0)
		return own;
	if (!dmt_layout_resolve(&layout, version, clock, size))
		return own;
	own = guess(sight, &layout, offset);
	if (own.valid && version == dmt_layout_preview.version &&
	    layout.record_size == dmt_layout_preview.record_size) {
		const struct dmt_guess wide =
		    guess(sight, &dmt_layout_preview, offset);
		if (wide.score > own.score)
			own = wide;
	}
	return own;
}

/* As long as another is not clearly better, the first one stays. */
static void
prefer(struct dmt_guess *best, const struct dmt_guess *other, unsigned by)
{
	if (other->valid && (!best->valid || other->score > best->score + by))
		*best = *other;
}

/* Where there is no record there is no sense in it. */
static void
try(const struct dmt_sight *sight, struct dmt_guess *best,
    const struct dmtrace_layout *layout, unsigned offset)
{
	if (offset + layout->record_size > sight->len)
		return;
	const struct dmt_guess made = guess(sight, layout, offset);
	prefer(best, &made, 0);
}

/* Where records may begin, the usual places first. */
static void
try_offsets(const struct dmt_sight *sight, struct dmt_guess *best,
    const struct dmtrace_layout *layout, unsigned own)
{
	static const unsigned offsets[] =
	    { 32, 16, 18, 20, 24, 28, 36, 40, 48, 64 };
	try(sight, best, layout, own);
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		try(sight, best, layout, offsets[i]);
}

/* The layouts there are: that of the key's version first. */
static struct dmt_guess
try_layouts(const struct dmt_sight *sight, unsigned offset)
{
	const unsigned named = dmtrace_key_version(sight->key);
	const unsigned versions[] = { named, 2, 1, 3 };
	const enum dmtrace_clock clock = dmtrace_key_clock(sight->key);
	const enum dmtrace_clock single =
	    clock == DMTRACE_CLOCK_DUAL ? DMTRACE_CLOCK_MISSING : clock;
	struct dmt_guess best = { .valid = false };

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		const struct dmtrace_layout *const layouts[] = {
			dmtrace_layout_find(versions[i], DMTRACE_CLOCK_DUAL),
			dmtrace_layout_find(versions[i], single),
		};

		for (size_t j = 0; j < 2; j++)
			if (layouts[j] != NULL)
				try_offsets(sight, &best, layouts[j], offset);
	}
	return best;
}

struct dmt_guess
dmt_guess_best(const struct dmt_sight *sight, const struct dmt_guess *own)
{
	const unsigned offset = sight->len < DMT_HEADER_MIN ? 0 :
	    dmt_get_le16(sight->bytes + DMT_HEADER_OFFSET);
	struct dmt_guess best = *own;

	/* what makes sense by itself needs no other */
	if (own->valid && own->score >= 1000 - DMT_SENSE_MORE)
		return best;
	const struct dmt_guess other = try_layouts(sight, offset);
	prefer(&best, &other, own->valid ? DMT_SENSE_MORE : 0);
	return best;
}
