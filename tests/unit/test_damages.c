/* test_damages.c - damage of a trace is reported, or it is harmless */

#include <dmtrace.h>
#include <stdbool.h>
#include <string.h>

#include "helpers/damages.h"
#include "helpers/unit.h"

enum {
	SEEDS = 25,			/* of each kind: 325 traces in all */
	NUMBERS = 65536
};

static const struct {
	const char *label;
	enum damage kind;
	unsigned named;			/* at least so many of SEEDS are */
} rows[] = {
	{ "one bit of a record", DAMAGE_FLIP_RECORD, 10 },
	{ "one bit of the data header", DAMAGE_FLIP_HEADER, 10 },
	{ "one bit of the key", DAMAGE_FLIP_KEY, 5 },
	{ "a lost block", DAMAGE_BLOCK_LOST, SEEDS },
	{ "a block of zeros", DAMAGE_BLOCK_ZERO, SEEDS - 2 },
	{ "a cut tail", DAMAGE_TAIL_CUT, SEEDS },
	{ "LF to CR LF", DAMAGE_CRLF, SEEDS },
	{ "CR LF to LF", DAMAGE_LF, 0 },
	{ "bytes to EF BF BD", DAMAGE_REPLACED, SEEDS },
	{ "blanks for TABs", DAMAGE_BLANKS, SEEDS },
	{ "dropped exits", DAMAGE_EXITS_DROPPED, SEEDS },
	{ "a time that is lower", DAMAGE_TIME_BACK, SEEDS - 5 },
	{ "a step in a thread's time", DAMAGE_TIME_STEP, 5 },
};

/* A dmtrace_finding_fn. */
static void
count(void *context, const struct dmtrace_finding *finding)
{
	(void)finding;
	++*(unsigned *)context;
}

/* A failure names it, too. */
static unsigned
validate(const struct made *made)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_validity validity;
	unsigned findings = 0;

	dmtrace_op_set_report(op, count, &findings);
	const enum dmtrace_status status = dmtrace_validate_memory(op,
	    made->bytes, made->len, &validity);
	ck_assert_int_ne(status, DMTRACE_ERR_MEMORY);
	ck_assert_int_ne(status, DMTRACE_ERR_IO);
	dmtrace_op_free(op);
	return findings + (status != DMTRACE_OK);
}

static uint32_t
get(const unsigned char *in, unsigned width)
{
	uint32_t value = 0;

	while (width-- > 0)
		value = value << 8 | in[width];
	return value;
}

/* Whether a line of the key begins with it. */
static bool
is_listed(const char *key, size_t len, const char *begin)
{
	const size_t size = strlen(begin);

	for (size_t i = 0; i + size < len; i++)
		if (key[i] == '\n' && memcmp(key + i + 1, begin, size) == 0)
			return true;
	return false;
}

struct lane {
	uint32_t methods[256];
	unsigned depth;
	uint32_t last_us;
};

/* Whether the next record of its thread makes sense, by nothing but bytes. */
static bool
is_sound(const struct made *made, struct lane *lanes, uint64_t index)
{
	const unsigned thread = damage_thread(made, index);
	const unsigned char *const in =
	    (unsigned char *)damage_action(made, index);
	const uint32_t word = get(in, 4);
	const uint32_t time_us = get((unsigned char *)damage_record(made,
	    index) + made->record_size - 4, 4);
	struct lane *const lane = &lanes[thread];
	char begin[32];

	snprintf(begin, sizeof(begin), "%u\t", thread);
	if (!is_listed(made->bytes, damage_key_len(made), begin))
		return false;
	snprintf(begin, sizeof(begin), "0x%x\t", word & ~3u);
	if (!is_listed(made->bytes, damage_key_len(made), begin))
		return false;
	if (time_us < lane->last_us || (word & 3) == 3)
		return false;
	lane->last_us = time_us;
	if ((word & 3) == 0) {
		ck_assert_uint_lt(lane->depth, 256);
		lane->methods[lane->depth++] = word;
		return true;
	}
	return lane->depth > 0 &&
	    lane->methods[--lane->depth] == (word & ~3u);
}

/*
 * Not every damage can be seen. What is harmless is one after which nothing
 * is lost and nothing contradicts anything: there are as many records as in
 * the trace that was damaged, and as its key says; each thread and method is
 * listed; each exit is that of the innermost call; no call is left open; no
 * time of a thread goes back. Then the same calls come in the same order, but
 * for what no rule can know: a name, the value of an option, the start time,
 * which of two listed methods a pair of records had, and times that are as
 * good as those that were there.
 */
static bool
is_harmless(const struct made *made, const struct made *before)
{
	struct lane *const lanes = calloc(NUMBERS, sizeof(*lanes));
	bool sound = made->len == before->len &&
	    made->records_at == before->records_at;

	ck_assert_ptr_nonnull(lanes);
	for (uint64_t i = 0; sound && i < damage_count(made); i++)
		sound = is_sound(made, lanes, i);
	for (unsigned i = 0; sound && i < NUMBERS; i++)
		sound = lanes[i].depth == 0;
	free(lanes);
	return sound;
}

static struct made
make(uint64_t seed)
{
	static const struct {
		unsigned version;
		enum dmtrace_clock clock;
	} layouts[] = {
		{ 1, DMTRACE_CLOCK_WALL },
		{ 2, DMTRACE_CLOCK_WALL },
		{ 2, DMTRACE_CLOCK_THREAD_CPU },
		{ 3, DMTRACE_CLOCK_DUAL },
	};
	const unsigned row = (unsigned)(seed % 4);

	return made_generate(layouts[row].version, layouts[row].clock, seed,
	    400, 4);
}

START_TEST(every_damage_is_named_or_harmless)
{
	unsigned named = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct made before = make(seed), made = make(seed);

		ck_assert_uint_eq(validate(&before), 0);
		damage(&made, rows[_i].kind, seed);
		if (validate(&made) > 0)
			named++;
		else if (made.len != before.len || memcmp(made.bytes,
		    before.bytes, made.len) != 0)
			ck_assert_msg(is_harmless(&made, &before),
			    "%s, seed %u", rows[_i].label, (unsigned)seed);
		free(before.bytes);
		free(made.bytes);
	}
	ck_assert_msg(named >= rows[_i].named, "%s: %u", rows[_i].label,
	    named);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("damages");
	TCase *tcase = unit_tcase(suite, "damages");

	tcase_set_timeout(tcase, 60);
	ADD_CASES(tcase, every_damage_is_named_or_harmless, rows);
	return unit_main(suite);
}
