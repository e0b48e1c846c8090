/* traits_records.c - what readers stumble over in records */

/*
 * The records are looked at once, as they are in the file: which threads
 * come, whether a method with a use (see traits.h) does, the latest time.
 * Where the data header leads nowhere, this program has no records, but
 * other readers do: each begins somewhere and goes on by its own step. What
 * they then find decides whether they show it, refuse it, or crash.
 */

#include "verify/traits_key.h"

#include <dmtrace/stack.h>

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "data/record.h"
#include "format/header.h"

#define THREADS 65536
#define SEEN_MAX (1024 * 1024)	/* bytes of records that lead nowhere */
#define NS_MAX_US ((UINT64_C(1) << 63) / 1000)	/* nanoseconds that fit */

void
dmt_look_init(struct dmt_look *look, struct dmt_traits *traits)
{
	*look = (struct dmt_look){ .traits = traits };
	look->thread_came = dmt_array_new(THREADS,
	    sizeof(*look->thread_came));
	look->no_memory = look->thread_came == NULL;
}

void
dmt_look_fini(struct dmt_look *look)
{
	dmt_idmap_fini(&look->uses);
	dmt_idmap_fini(&look->firefox_threads);
	free(look->threads.items);
	free(look->classes.items);
	free(look->methods.items);
	free(look->thread_came);
}

static void
meet_uses(struct dmt_look *look, uint64_t word)
{
	static const struct {
		uint32_t use;
		unsigned trait;
		unsigned readers;
	} met[] = {
		{ DMT_USE_LOW_BITS, DMT_METHOD_ID_LOW_BITS, DMT_BY_ALL },
		{ DMT_USE_COLUMNS_2, DMT_METHOD_COLUMNS_2, DMT_BY_DUMP },
		{ DMT_USE_COLUMNS_3, DMT_METHOD_COLUMNS_3, DMT_BY_DUMP },
		{ DMT_USE_COLUMNS_5, DMT_METHOD_COLUMNS_5, DMT_BY_DUMP },
		{ DMT_USE_COLUMN_EMPTY, DMT_METHOD_COLUMN_EMPTY, DMT_BY_DUMP },
		{ DMT_USE_NAME_EMPTY, DMT_METHOD_NAME_EMPTY, DMT_BY_DUMP },
		{ DMT_USE_SIGNATURE_LAST, DMT_METHOD_SIGNATURE_LAST,
		    DMT_BY_DUMP },
		{ DMT_USE_FILE_LINE, DMT_METHOD_FILE_LINE, DMT_BY_DUMP },
		{ DMT_USE_NAMES_OTHER, DMT_METHOD_NAMES_OTHER,
		    DMT_BY_PERFETTO },
		{ DMT_USE_ID_DECIMAL, DMT_METHOD_ID_DECIMAL, DMT_BY_PERFETTO },
		{ DMT_USE_ID_WIDE, DMT_METHOD_ID_WIDE, DMT_BY_PERFETTO },
		{ DMT_USE_REPEATED, DMT_METHOD_REPEATED, DMT_BY_DUMP },
	};
	const uint32_t *const uses =
	    dmt_idmap_find(&look->uses, word & ~UINT64_C(3));

	if (uses == NULL || (*uses & look->awaited) == 0)
		return;
	for (size_t i = 0; i < sizeof(met) / sizeof(met[0]); i++)
		if ((*uses & met[i].use) != 0)
			dmt_trait_set(look->traits, met[i].trait,
			    met[i].readers);
	look->awaited &= ~*uses;
}

void
dmt_look_records(struct dmt_look *look,
    const struct dmtrace_reader *reader, size_t count)
{
	const struct dmtrace_layout *const layout = &reader->layout;
	const struct dmt_field time =
	    layout->wall.width != 0 ? layout->wall : layout->cpu;
	const uint8_t *in = reader->records;

	for (size_t i = 0; i < count; i++, in += layout->record_size) {
		const uint64_t word = dmt_field_get(layout->method, in);
		const uint64_t time_us = dmt_field_get(time, in);

		look->thread_came[dmt_field_get(layout->thread, in) %
		    THREADS] = true;
		look->came_high |= (word >> 31) != 0;
		if (time_us > look->latest_us)
			look->latest_us = time_us;
		if (look->awaited != 0)
			meet_uses(look, word);
	}
}

void
dmt_look_end(struct dmt_look *look, const struct dmtrace_reader *reader)
{
	struct dmt_traits *const traits = look->traits;
	const uint64_t start = reader->header.start;
	bool came = false;

	for (uint32_t i = 0; i < THREADS; i++) {
		if (!look->thread_came[i])
			continue;
		came = true;
		if (dmt_idmap_find(&look->firefox_threads, i) == NULL)
			dmt_trait_set(traits, DMT_THREAD_UNLISTED,
			    DMT_BY_FIREFOX);
	}
	dmt_trait_set_if(traits, DMT_METHOD_ID_HIGH, look->came_high);
	dmt_trait_set_if(traits, DMT_START_HIGH, came &&
	    (start > NS_MAX_US || start + look->latest_us > NS_MAX_US));
}

/* Bytes from the key on, at is relative to the magic. */
struct elsewhere {
	struct dmt_look *look;
	struct dmtrace_text key;
	const uint8_t *bytes;
	size_t len;
	bool whole;			/* nothing is behind them */
	unsigned version;
};

/* What a reader would find. */
struct found {
	size_t records;
	bool reserved;
	bool partial;
	bool mismatch;
	bool unlisted;			/* to Firefox */
	bool beyond;			/* what dmtracedump can take */
};

static uint8_t
byte_at(const struct elsewhere *in, int64_t at)
{
	if (at >= 0)
		return (size_t)at < in->len ? in->bytes[at] : 0;
	return (uint64_t)-at <= in->key.len ?
	    (uint8_t)in->key.bytes[in->key.len - (size_t)-at] : 0;
}

static struct dmtrace_event
take_record(const struct elsewhere *in, int64_t at)
{
	const size_t width = in->version == 1 ? 1 : 2;
	uint8_t fields[6] = { 0 };

	for (size_t i = 0; i < width + 4; i++)
		fields[i] = byte_at(in, at + (int64_t)i);
	const uint32_t word = (uint32_t)dmt_get_le(fields + width, 4);
	return (struct dmtrace_event){
		.thread = (uint32_t)dmt_get_le(fields, width),
		.method = word & ~UINT32_C(3),
		.action = (enum dmtrace_action)(word & 3)
	};
}

/* Records from a place on, step bytes apart, each of them needing some. */
static struct found
find_records(struct elsewhere *in, int64_t from, size_t step, size_t need)
{
	struct dmtrace_stacks *const stacks = dmtrace_stacks_new();
	struct found found = { .records = 0 };
	struct dmtrace_step made = { .depth = 0 };
	int64_t at = from;

	if (stacks == NULL) {
		in->look->no_memory = true;
		return found;
	}
	for (; at + (int64_t)need <= (int64_t)in->len;
	    at += (int64_t)step) {
		struct dmtrace_event event = take_record(in, at);

		found.records++;
		found.beyond |= event.thread > DMT_DUMP_THREADS &&
		    !found.mismatch;
		found.unlisted |= dmt_idmap_find(
		    &in->look->firefox_threads, event.thread) == NULL;
		found.reserved |= event.action == DMTRACE_RESERVED;
		if (event.action == DMTRACE_RESERVED)
			event.action = DMTRACE_EXIT;
		if (dmtrace_stacks_step(stacks, &event, &made) !=
		    DMTRACE_OK)
			break;
		found.mismatch |= made.kind == DMTRACE_STEP_UNWOUND ||
		    made.kind == DMTRACE_STEP_STRAY;
	}
	found.partial = in->whole && at < (int64_t)in->len;
	dmtrace_stacks_free(stacks);
	return found;
}

static void
set_found(struct dmt_look *look, unsigned readers,
    const struct found *found, bool refuses)
{
	if (refuses)
		dmt_trait_set(look->traits, DMT_RECORDS_REFUSED,
		    readers);
	else if (found->records > 0)
		dmt_trait_set(look->traits, DMT_RECORDS_ELSEWHERE,
		    readers);
}

static size_t
greater(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* To the Java readers offset and size have a sign, and what they read of the
 * header is passed in any case. */
static void
look_as_java(struct elsewhere *in, int16_t offset, int16_t size, size_t fields)
{
	const int64_t least = in->version == 3 ? 18 : 16;
	const size_t step = greater(size < 0 ? 0 : (size_t)size, fields);
	const int64_t from = offset > least ? offset : least;

	if (from > (int64_t)in->len && in->whole) {
		dmt_trait_set(in->look->traits, DMT_OFFSET_BEYOND,
		    DMT_BY_JAVA);
		return;
	}
	const struct found found =
	    find_records(in, from, step, step);
	set_found(in->look, DMT_BY_VIEW, &found,
	    found.reserved || found.mismatch);
	set_found(in->look, DMT_BY_2016, &found,
	    found.reserved || found.mismatch || found.partial);
	set_found(in->look, DMT_BY_STUDIO, &found,
	    found.reserved || found.partial);
}

static void
look_as_firefox(struct elsewhere *in, uint16_t offset, uint16_t size,
    size_t fields)
{
	if (offset >= in->len || size == 0)
		return;
	const struct found found =
	    find_records(in, offset, size, fields);

	set_found(in->look, DMT_BY_FIREFOX, &found,
	    found.reserved || found.partial || found.unlisted);
}

/* It also goes back, into the key. */
static void
look_as_dmtracedump(struct elsewhere *in, int16_t offset, int16_t size)
{
	const size_t least = in->version == 1 ? 9 : 10;
	const size_t step = greater(size < 0 ? 0 : (size_t)size, least);

	if (offset > (int64_t)in->len) {
		dmt_trait_set(in->look->traits, DMT_OFFSET_BEYOND,
		    DMT_BY_DUMP);
		return;
	}
	const struct found found =
	    find_records(in, offset, step, step);
	set_found(in->look, DMT_BY_DUMP, &found,
	    offset < 0 && (uint64_t)-offset > in->key.len);
	if (found.beyond)
		dmt_trait_set(in->look->traits, DMT_RECORDS_CRASH,
		    DMT_BY_DUMP);
}

/* Perfetto takes no notice of the offset. */
static void
look_as_perfetto(struct elsewhere *in, uint16_t size)
{
	if (size == 0)
		return;
	const struct found found =
	    find_records(in, DMT_HEADER_SIZE, size, size);

	set_found(in->look, DMT_BY_PERFETTO, &found,
	    found.partial || in->len < DMT_HEADER_SIZE);
}

void
dmt_look_elsewhere(struct dmt_look *look,
    const struct dmtrace_reader *reader, struct dmt_source *source,
    struct dmtrace_text key)
{
	const bool dual = dmtrace_key_clock(reader->key) ==
	    DMTRACE_CLOCK_DUAL;
	struct elsewhere in = { .look = look, .key = key };
	const size_t len = dmt_source_peek(source, SEEN_MAX, &in.bytes);

	in.len = len < SEEN_MAX ? len : SEEN_MAX;
	in.whole = source->ended && len <= SEEN_MAX;
	in.version = dmt_get_le16(in.bytes + DMT_HEADER_VERSION);
	const uint16_t offset =
	    (uint16_t)dmt_get_le16(in.bytes + DMT_HEADER_OFFSET);
	const uint16_t size = in.version == 1 ? 9 : in.version == 2 ? 10 :
	    in.len >= 18 ? (uint16_t)dmt_get_le16(in.bytes + 16) : 0;
	const size_t fields = (in.version == 1 ? 9 : 10) + (dual ? 4 : 0);

	look_as_java(&in, (int16_t)offset, (int16_t)size, fields);
	look_as_firefox(&in, offset, size, fields);
	look_as_dmtracedump(&in, (int16_t)offset, (int16_t)size);
	look_as_perfetto(&in, size);
}
