/* test_filter_laws.c - laws that hold for filters of every trace */

#include "helpers/asks.h"
#include "helpers/id_stacks.h"
#include "helpers/samples.h"
#include "trace/reader.h"

#define THREADS 8		/* of a sample, that are filtered by, */
#define WINDOWS 5		/* and places where a window begins */
#define SEEDS 5			/* generated traces of each kind */
#define SEEDS_MORE 84		/* and with DMTRACE_MORE */

/* There each takes ten times as long. */
#define THREADS_SANITIZED 2
#define WINDOWS_SANITIZED 1
#define SEEDS_SANITIZED 5

/* A trace as its parts: what its reader says, and every record's bytes. */
struct parts {
	struct dmtrace_reader *reader;
	struct dmtrace_event *events;
	uint8_t *records;
	size_t count;
	size_t size;			/* of a record */
};

/* false: it cannot be opened, or is of a format that is not written. */
static bool
take_apart(struct parts *parts, const struct whole *whole)
{
	size_t count;

	*parts = (struct parts){ .reader = dmtrace_reader_new() };
	if (dmtrace_reader_open_memory(parts->reader, whole->bytes,
	    whole->len) != DMTRACE_OK ||
	    dmt_reader_container(parts->reader) ==
	    DMTRACE_CONTAINER_PACKETS ||
	    sample_has_finding(parts->reader, "data-base64")) {
		dmtrace_reader_free(parts->reader);
		return false;
	}
	parts->size = dmt_layout_record_size(
	    dmt_reader_layout(parts->reader));
	const size_t most = whole->len / parts->size + 1;
	parts->events = malloc(most * sizeof(*parts->events));
	parts->records = malloc(most * parts->size);
	do {
		/* Of a stream, up to the next packet. */
		ck_assert_int_eq(dmtrace_reader_read(parts->reader,
		    parts->events + parts->count, most - parts->count,
		    &count), DMTRACE_OK);
		if (count > 0)
			memcpy(parts->records + parts->count * parts->size,
			    dmt_reader_records(parts->reader),
			    count * parts->size);
		parts->count += count;
	} while (count > 0);
	return true;
}

static void
free_parts(struct parts *parts)
{
	free(parts->records);
	free(parts->events);
	dmtrace_reader_free(parts->reader);
}

static struct whole
filter(const struct whole *in, struct ask asked, bool piped)
{
	struct whole out;

	asked.allow_empty = 1;
	const enum dmtrace_status status = filter_bytes(in->bytes, in->len,
	    piped ? 4093 : 0, &asked, &out);
	ck_assert_msg(status == DMTRACE_OK || status == DMTRACE_END,
	    "%s", dmtrace_strerror(status));
	return out;
}

static void
assert_same(const struct whole *a, const struct whole *b)
{
	ck_assert_uint_eq(a->len, b->len);
	ck_assert_int_eq(memcmp(a->bytes, b->bytes, a->len), 0);
}

/* Frees both. */
static void
assert_same_and_free(struct whole a, struct whole b)
{
	assert_same(&a, &b);
	free(a.bytes);
	free(b.bytes);
}

static void
check_copy(const struct whole *in)
{
	for (int piped = 0; piped < 2; piped++) {
		const struct whole out = filter(in, (struct ask){ .raw = 1 },
		    piped);

		assert_same(in, &out);
		free(out.bytes);
	}
}

/* The records of the thread, in their order, and no others. */
static size_t
check_thread(const struct whole *in, const struct parts *parts,
    uint32_t thread)
{
	char number[16];
	const struct ask asked = { .threads = { number },
	    .keep_tables = thread % 2 };
	struct parts of_thread;
	size_t found = 0;

	snprintf(number, sizeof(number), "%u", (unsigned)thread);
	struct whole out = filter(in, asked, thread % 3 == 0);
	ck_assert(take_apart(&of_thread, &out));
	for (size_t i = 0; i < parts->count; i++) {
		if (parts->events[i].thread != thread)
			continue;
		ck_assert_uint_lt(found, of_thread.count);
		ck_assert_int_eq(memcmp(parts->records + i * parts->size,
		    of_thread.records + found++ * parts->size, parts->size),
		    0);
	}
	ck_assert_uint_eq(found, of_thread.count);
	free_parts(&of_thread);
	free(out.bytes);
	return found;
}

static bool
is_sanitized(void)
{
	const char *const sanitized = getenv("SANITIZED");

	return sanitized != NULL && strcmp(sanitized, "yes") == 0;
}

static void
check_partition(const struct whole *in, const struct parts *parts)
{
	const size_t most = is_sanitized() ? THREADS_SANITIZED : THREADS;
	uint8_t *const done = calloc(65536, 1);
	size_t sum = 0, threads = 0;

	for (size_t i = 0; i < parts->count && threads < most; i++) {
		const uint32_t thread = parts->events[i].thread;

		if (done[thread])
			continue;
		done[thread] = 1;
		threads++;
		sum += check_thread(in, parts, thread);
	}
	ck_assert(sum == parts->count || threads == most);
	free(done);
}

/* One after the other, the other way round, and both at once. */
static void
check_commute(const struct whole *in, const struct ask *one,
    const struct ask *other, const struct ask *both)
{
	struct whole first = filter(in, *one, false);
	struct whole last = filter(in, *other, true);

	assert_same_and_free(filter(&first, *other, true),
	    filter(&last, *one, false));
	assert_same_and_free(filter(&first, *other, false),
	    filter(in, *both, true));
	free(first.bytes);
	free(last.bytes);
}

static uint64_t
time_of(const struct dmtrace_event *event)
{
	return event->wall_ns != DMTRACE_NO_TIME ? event->wall_ns :
	    event->cpu_ns;
}

/* Whether times are below 2^32 us: of others a part has but the low bits. */
static bool
is_short(const struct parts *parts)
{
	for (size_t i = 0; i < parts->count; i++)
		if (time_of(&parts->events[i]) / 1000 > UINT32_MAX)
			return false;
	return true;
}

static void
check_commutes(const struct whole *in, const struct parts *parts)
{
	char number[16];

	if (parts->count == 0)
		return;
	const struct dmtrace_event *const middle =
	    &parts->events[parts->count / 2];
	const uint64_t from = time_of(middle) / 2, to = time_of(middle) + 1;
	const struct ask thread = { .threads = { number } };
	const struct ask method = { .methods = { "*e*" } };
	const struct ask window = { .from = from, .to = to, .raw = 1 };
	const struct ask thread_method = { .threads = { number },
	    .methods = { "*e*" } };
	const struct ask thread_window = { .threads = { number },
	    .from = from, .to = to, .raw = 1 };
	const struct ask method_window = { .methods = { "*e*" },
	    .from = from, .to = to, .raw = 1 };

	snprintf(number, sizeof(number), "%u", (unsigned)middle->thread);
	check_commute(in, &method, &method, &method);
	if (is_short(parts)) {
		check_commute(in, &method, &window, &method_window);
		check_commute(in, &window, &window, &window);
	}
	struct whole one = filter(in, thread, false);
	struct whole other = filter(in, thread_method, false);
	struct whole last = filter(&one, method, true);
	assert_same_and_free(last, other);
	if (is_short(parts))
		assert_same_and_free(filter(&one, window, true),
		    filter(in, thread_window, false));
	free(one.bytes);
}

/* Exits that match no frame, and frames that stay open or are dropped. */
static uint64_t
count_odd(const struct parts *parts)
{
	struct id_stacks *const stacks = id_stacks_new();
	struct dmt_step step;
	uint64_t odd = 0;

	for (size_t i = 0; i < parts->count; i++) {
		ck_assert_int_eq(id_stacks_step(stacks,
		    &parts->events[i], &step), DMTRACE_OK);
		odd += step.kind > DMT_STEP_LEFT;
	}
	odd += id_stacks_open_count(stacks);
	id_stacks_free(stacks);
	return odd;
}

/* If all calls of a trace nest and end, the calls of any window do, and no
 * record is outside of it. The same window with a condition that all depths
 * meet is filtered in another way, and must give the same bytes. */
static void
check_window(const struct whole *in, uint64_t from, uint64_t to)
{
	struct parts parts;
	struct whole out = filter(in, (struct ask){ .from = from, .to = to },
	    from % 2 == 0);

	ck_assert(take_apart(&parts, &out));
	ck_assert_uint_eq(count_odd(&parts), 0);
	for (size_t i = 0; i < parts.count; i++) {
		ck_assert_uint_ge(time_of(&parts.events[i]), from);
		ck_assert_uint_le(time_of(&parts.events[i]), to);
	}
	assert_same_and_free(out, filter(in, (struct ask){ .from = from,
	    .to = to, .first = 1, .last = UINT32_MAX }, false));
	free_parts(&parts);
}

static void
check_windows(const struct whole *in, const struct parts *parts, size_t step)
{
	if (count_odd(parts) > 0 || !is_short(parts))
		return;
	for (size_t i = 0; i < parts->count; i += step) {
		const uint64_t from = time_of(&parts->events[i]);
		const uint64_t to = time_of(
		    &parts->events[i + (parts->count - i) / 2]) + 1000;

		if (from < to)
			check_window(in, from, to);
	}
}

START_TEST(samples_keep_the_laws)
{
	const struct sample *const sample = sample_get(_i);
	const struct whole in = { sample->bytes, sample->len };
	const size_t windows = is_sanitized() ? WINDOWS_SANITIZED : WINDOWS;
	struct parts parts;

	if (!take_apart(&parts, &in))
		return;
	check_copy(&in);
	check_partition(&in, &parts);
	check_commutes(&in, &parts);
	check_windows(&in, &parts, parts.count / windows + 1);
	free_parts(&parts);
}
END_TEST

static const struct {
	unsigned version;
	enum dmtrace_clock clock;
} kinds[] = {
	{ 1, DMTRACE_CLOCK_THREAD_CPU }, { 1, DMTRACE_CLOCK_WALL },
	{ 2, DMTRACE_CLOCK_THREAD_CPU }, { 2, DMTRACE_CLOCK_WALL },
	{ 3, DMTRACE_CLOCK_WALL }, { 3, DMTRACE_CLOCK_DUAL },
};

static struct whole
generate(int row, uint64_t seed)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_generate_options options = { 0 };
	struct whole whole;

	options.seed = seed;
	options.records = 20 + seed * 7 % 180;
	options.threads = (uint32_t)(1 + seed % 5);
	options.methods = (uint32_t)(1 + seed * 3 % 20);
	options.max_depth = (uint32_t)(1 + seed * 11 % 12);
	dmt_writer_set_layout(writer, dmt_layout_find(
	    kinds[row].version, kinds[row].clock));
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_generate(op, writer, &options), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	const void *const bytes = dmtrace_writer_memory(writer, &whole.len);
	whole.bytes = memcpy(malloc(whole.len), bytes, whole.len);
	dmtrace_writer_free(writer);
	dmtrace_op_free(op);
	return whole;
}

static uint64_t
seeds(void)
{
	return unit_more() ? SEEDS_MORE :
	    is_sanitized() ? SEEDS_SANITIZED : SEEDS;
}

START_TEST(generated_traces_keep_the_laws)
{
	struct parts parts;

	for (uint64_t seed = 1; seed <= seeds(); seed++) {
		struct whole in = generate(_i, seed);

		ck_assert(take_apart(&parts, &in));
		ck_assert_uint_eq(count_odd(&parts), 0);
		check_copy(&in);
		check_partition(&in, &parts);
		check_commutes(&in, &parts);
		check_windows(&in, &parts, parts.count / 3 + 1);
		free_parts(&parts);
		free(in.bytes);
	}
}
END_TEST

/* Both edges at every record of a small trace. */
START_TEST(windows_begin_and_end_at_every_record)
{
	const size_t step = is_sanitized() ? 31 : 3;
	struct parts parts;
	struct whole in = generate(_i, 5);

	ck_assert(take_apart(&parts, &in));
	for (size_t i = 0; i < parts.count; i++)
		for (size_t j = i % step; j < parts.count; j += step) {
			const uint64_t from = time_of(&parts.events[i]);
			const uint64_t to = time_of(&parts.events[j]);

			if (from < to)
				check_window(&in, from, to);
		}
	free_parts(&parts);
	free(in.bytes);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("filter_laws");
	TCase *tcase = unit_tcase(suite, "laws");

	samples_load();
	printf("# %u generated traces\n", (unsigned)(seeds() * ROWS(kinds)));
	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, samples_keep_the_laws, 0,
	    (int)samples_count());
	ADD_CASES(tcase, generated_traces_keep_the_laws, kinds);
	ADD_CASES(tcase, windows_begin_and_end_at_every_record, kinds);
	return unit_main(suite);
}
