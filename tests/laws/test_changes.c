/* test_changes.c - every prefix and every changed byte ends in a status */

#include <dmtrace.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/samples.h"
#include "helpers/unit.h"
#include "private/key.h"

#define SMALL 1024		/* bytes; so far every place, in full */
#define AROUND 40		/* bytes before and after the key's end */
#define RECORDS 16
#define LARGE 8			/* there, one place of so many without more */
#define SEEDED 60		/* places of a large sample, and */
#define SEEDED_MORE 4000	/* with DMTRACE_MORE */
#define SANITIZED 10		/* one place of so many: each takes so long */
#define FEWER 3			/* without DMTRACE_MORE, and of damaged */
#define DAMAGED 4		/* ones: most differ in one byte */

#define ADD_SAMPLES(tcase, fn) \
	tcase_add_loop_test(tcase, fn, 0, (int)samples_count())

/* A sample, and a buffer of its size for a changed copy. */
struct copies {
	const uint8_t *bytes;
	uint8_t *room;
	size_t len;
	unsigned stride;		/* one place of so many is visited */
};

typedef void
visit_fn(const struct copies *copies, size_t place);

static size_t
key_len(const struct sample *sample)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	size_t len = 0;

	dmtrace_reader_open_memory(reader, sample->bytes, sample->len);
	if (dmtrace_reader_key(reader) != NULL)
		len = dmt_key_encoded_size(dmtrace_reader_key(reader));
	dmtrace_reader_free(reader);
	return len;
}

static unsigned
stride_of(const struct sample *sample)
{
	const char *sanitized = getenv("SANITIZED");

	return (sanitized != NULL && strcmp(sanitized, "yes") == 0 ?
	    SANITIZED : 1) * (unit_more() ? 1 :
	    sample->damaged ? DAMAGED : FEWER);
}

static void
visit_range(visit_fn *visit, const struct copies *copies, size_t from,
    size_t to)
{
	for (size_t place = from; place < to && place < copies->len;
	    place += copies->stride)
		visit(copies, place);
}

static void
visit_seeded(visit_fn *visit, const struct copies *copies)
{
	const unsigned places =
	    (unit_more() ? SEEDED_MORE : SEEDED) / copies->stride;
	uint32_t random = 20260101;

	for (unsigned i = 0; i < places; i++) {
		random = random * 1664525 + 1013904223;
		visit(copies, (size_t)((uint64_t)random * copies->len >> 32));
	}
}

static void
visit_places(visit_fn *visit, const struct sample *sample)
{
	const size_t key = key_len(sample);
	const struct copies copies = {
		.bytes = sample->bytes,
		.room = malloc(sample->len + 1),
		.len = sample->len,
		.stride = stride_of(sample) *
		    (sample->len <= SMALL || unit_more() ? 1 : LARGE)
	};

	memcpy(copies.room, sample->bytes, sample->len);
	if (sample->len <= SMALL) {
		visit_range(visit, &copies, 0, sample->len);
	} else {
		visit_range(visit, &copies, 0, AROUND);
		visit_range(visit, &copies,
		    key < 2 * AROUND ? AROUND : key - AROUND,
		    key + AROUND + RECORDS * 14);
		visit_seeded(visit, &copies);
	}
	free(copies.room);
}

/* At the end of the room, the sanitizers see a read after the prefix. */
static void
cut(const struct copies *copies, size_t place)
{
	uint8_t *prefix = copies->room + copies->len + 1 - place;

	memcpy(prefix, copies->bytes, place);
	sample_check(prefix, place, copies->len <= SMALL);
}

static void
change(const struct copies *copies, size_t place)
{
	uint8_t *byte = &copies->room[place];

	*byte ^= 1;
	sample_check(copies->room, copies->len, copies->len <= SMALL);
	*byte = copies->bytes[place] == '\n' ? '*' : '\n';
	sample_check(copies->room, copies->len, false);
	*byte = copies->bytes[place];
}

START_TEST(survives_every_prefix)
{
	visit_places(cut, sample_get(_i));
}
END_TEST

START_TEST(survives_every_changed_byte)
{
	visit_places(change, sample_get(_i));
}
END_TEST

int
main(void)
{
	samples_load();
	Suite *suite = suite_create("changes");
	TCase *tcase = unit_tcase(suite, "changes");

	ADD_SAMPLES(tcase, survives_every_prefix);
	ADD_SAMPLES(tcase, survives_every_changed_byte);
	return unit_main(suite);
}
