/* traits_records.c - what readers stumble over in records */

/*
 * Which threads and methods the records have, the indexes of their source say
 * when it has come to its end.
 * Where the data header leads nowhere, this program has no records, but
 * other readers do: each begins somewhere and goes on by its own step. What
 * they then find decides whether they show it, refuse it, or crash.
 */

#include "verify/traits_key.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "events/callstacks.h"
#include "format/header.h"

#define SEEN_MAX (1024 * 1024)	/* bytes of records that lead nowhere */
#define NS_MAX_US ((UINT64_C(1) << 63) / 1000)	/* nanoseconds that fit */

void
dmt_look_init(struct dmt_look *look, struct dmt_traits *traits)
{
	*look = (struct dmt_look){ .traits = traits };
}

void
dmt_look_fini(struct dmt_look *look)
{
	dmt_idmap_fini(&look->uses);
	dmt_idmap_fini(&look->firefox_threads);
	free(look->threads.items);
	free(look->classes.items);
	free(look->methods.items);
}

static void
meet_uses(struct dmt_look *look, uint64_t id)
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
	const uint32_t *const uses = dmt_idmap_find(&look->uses, id);

	if (uses == NULL)
		return;
	for (size_t i = 0; i < sizeof(met) / sizeof(met[0]); i++)
		if ((*uses & met[i].use) != 0)
			dmt_trait_set(look->traits, met[i].trait,
			    met[i].readers);
}

void
dmt_look_end(struct dmt_look *look, const struct dmtrace_reader *reader,
    const struct dmt_indexes *indexes, uint64_t latest_ns)
{
	struct dmt_traits *const traits = look->traits;
	const uint64_t start = reader->header.start;
	/* as a field of a record holds it */
	const uint64_t latest_us = latest_ns / 1000 < UINT32_MAX ?
	    latest_ns / 1000 : UINT32_MAX;

	for (size_t i = 0; i < indexes->thread_count; i++) {
		const struct dmt_indexed_thread *const thread =
		    &indexes->threads[i];

		if (dmt_idmap_find(&look->firefox_threads, thread->number) ==
		    NULL)
			dmt_trait_set(traits, DMT_THREAD_UNLISTED,
			    DMT_BY_FIREFOX);
		dmt_trait_set_if(traits, DMT_THREAD_MODULO,
		    thread->row != NULL && thread->row->id != thread->number);
	}
	for (size_t i = 0; i < indexes->method_count; i++) {
		const uint64_t id = indexes->methods[i].id;

		dmt_trait_set_if(traits, DMT_METHOD_ID_HIGH, id >> 31 != 0);
		meet_uses(look, id);
	}
	dmt_trait_set_if(traits, DMT_START_HIGH, indexes->thread_count > 0 &&
	    (start > NS_MAX_US || start + latest_us > NS_MAX_US));
}

/* Bytes from the key on, at is relative to the magic. */
struct elsewhere {
	struct dmt_look *look;
	const struct dmtrace_key *trace_key;
	struct dmtrace_text key;	/* its text */
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

/* Takes the next record. false: no memory, or too many open calls. */
static bool
find_record(struct elsewhere *in, struct dmt_indexes *indexes,
    struct dmt_callstacks *stacks, int64_t at, struct found *found)
{
	const struct dmtrace_event event = take_record(in, at);
	const bool reserved = event.action == DMTRACE_RESERVED;
	const uint32_t thread = dmt_thread_index(indexes, event.thread);
	const uint32_t method = dmt_method_index(indexes, event.method);
	struct dmt_step step;

	found->records++;
	found->beyond |= event.thread > DMT_DUMP_THREADS && !found->mismatch;
	found->unlisted |= dmt_idmap_find(&in->look->firefox_threads,
	    event.thread) == NULL;
	found->reserved |= reserved;
	if (indexes->failed ||
	    !dmt_callstacks_reserve(stacks, indexes->thread_count) ||
	    dmt_callstack_step(stacks, &stacks->items[thread], method,
	    reserved ? DMTRACE_EXIT : event.action, &step) != DMTRACE_OK)
		return false;
	found->mismatch |= step.kind == DMT_STEP_UNWOUND ||
	    step.kind == DMT_STEP_STRAY;
	return true;
}

/* Records from a place on, step bytes apart, each of them needing some. */
static struct found
find_records(struct elsewhere *in, int64_t from, size_t step, size_t need)
{
	struct found found = { .records = 0 };
	struct dmt_callstacks stacks;
	struct dmt_indexes indexes;
	int64_t at = from;

	dmt_callstacks_init(&stacks, sizeof(struct dmt_call_frame));
	if (!dmt_indexes_init(&indexes, in->trace_key,
	    dmtrace_layout_find(2, DMTRACE_CLOCK_WALL)))
		in->look->no_memory = true;
	for (; !in->look->no_memory && at + (int64_t)need <= (int64_t)in->len;
	    at += (int64_t)step)
		if (!find_record(in, &indexes, &stacks, at, &found))
			break;
	found.partial = in->whole && at < (int64_t)in->len;
	dmt_callstacks_fini(&stacks);
	dmt_indexes_fini(&indexes);
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
    const struct dmtrace_reader *reader, struct dmt_input *input,
    struct dmtrace_text key)
{
	const bool dual = dmtrace_key_clock(reader->key) ==
	    DMTRACE_CLOCK_DUAL;
	struct elsewhere in = {
		.look = look, .trace_key = reader->key, .key = key
	};
	const size_t len = dmt_input_peek(input, SEEN_MAX, &in.bytes);

	in.len = len < SEEN_MAX ? len : SEEN_MAX;
	in.whole = input->ended && len <= SEEN_MAX;
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
