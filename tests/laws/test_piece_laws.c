/* test_piece_laws.c - every trace is split into pieces and joined again */

#include <dmtrace.h>
#include <stdbool.h>

#include "helpers/id_stacks.h"
#include "helpers/op.h"
#include "helpers/pieces.h"
#include "helpers/samples.h"
#include "helpers/unit.h"

#define MAX_PIECES 60
#define SEEDS 100		/* generated traces of each layout */
#define BATCH 20		/* of them in a case with DMTRACE_MORE */
#define BATCH_NORMAL 3
#define BATCH_SANITIZED 2	/* there each takes ten times as long */

/* What an operation left, named by fixed names and gone in the next one. */
struct whole {
	const uint8_t *bytes;
	size_t len;
	size_t front;			/* up to the first record */
	size_t record_size;
	uint64_t records;
	uint64_t last_ns;
};

/* false: it cannot be opened, or has no key before its records. */
static bool
measure(struct whole *whole, const uint8_t *bytes, size_t len)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	bool opens =
	    dmtrace_reader_open_memory(reader, bytes, len) == DMTRACE_OK &&
	    dmt_reader_container(reader) == DMTRACE_CONTAINER_JOINED;
	struct dmtrace_event event;

	*whole = (struct whole){ .bytes = bytes, .len = len };
	while (opens && dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		const uint64_t now = event.wall_ns != DMTRACE_NO_TIME ?
		    event.wall_ns : event.cpu_ns;

		if (now > whole->last_ns)
			whole->last_ns = now;
		whole->records++;
	}
	if (opens) {
		whole->record_size = dmt_layout_record_size(
		    dmt_reader_layout(reader));
		whole->front = dmt_key_encoded_size(
		    dmtrace_reader_key(reader));
		while (whole->front + 4 <= len &&
		    memcmp(bytes + whole->front, "SLOW", 4) != 0)
			whole->front++;
		/* Records in base64 have no magic of their own. */
		opens = whole->front + 4 <= len;
		whole->front += dmt_reader_header(reader)->data_offset;
	}
	dmtrace_reader_free(reader);
	return opens;
}

static enum dmtrace_status
split(const struct whole *whole, enum dmtrace_pieces_by by, uint64_t amount,
    uint64_t *count)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_pieces_options options = { 0 };

	options.by = by;
	options.amount = amount;
	options.before = "p/";
	options.after = ".trace";
	options.max_files = by == DMTRACE_PIECES_THREAD ? 65536 : MAX_PIECES;
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, whole->bytes,
	    whole->len), DMTRACE_OK);
	const enum dmtrace_status status =
	    dmtrace_split_pieces(op, reader, &options, count);
	dmtrace_reader_free(reader);
	return status;
}

static uint64_t
option(struct dmtrace_reader *reader, const char *name)
{
	const struct dmtrace_option *const row =
	    dmtrace_key_option_find(dmtrace_reader_key(reader), name);
	uint64_t number = 0;

	for (size_t i = 0; row != NULL && i < row->value.len; i++)
		number = number * 10 + (uint64_t)(row->value.bytes[i] - '0');
	return number;
}

/* A piece is read without an error that the whole has not; every frame that
 * it opens it closes. Returns the records that were not added. */
static uint64_t
check_piece(const char *path, bool balanced)
{
	struct id_stacks *const stacks = id_stacks_new();
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;
	struct dmt_step step;
	int64_t open = 0;

	ck_assert_int_eq(dmtrace_reader_open_path(reader, path), DMTRACE_OK);
	const uint64_t added = option(reader, "dmtrace-opened") +
	    option(reader, "dmtrace-closed");
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		ck_assert_int_eq(id_stacks_step(stacks, &event, &step),
		    DMTRACE_OK);
		if (step.kind == DMT_STEP_ENTERED)
			open++;
		else if (step.kind == DMT_STEP_LEFT ||
		    step.kind == DMT_STEP_UNWOUND)
			open -= 1 + step.dropped;
	}
	if (balanced)
		ck_assert_int_eq(open, 0);
	const uint64_t records = dmt_reader_position(reader);
	if (dmtrace_key_option_find(dmtrace_reader_key(reader),
	    "num-method-calls") != NULL)
		ck_assert_uint_eq(option(reader, "num-method-calls"),
		    records);
	id_stacks_free(stacks);
	dmtrace_reader_free(reader);
	ck_assert_uint_le(added, records);
	return records - added;
}

static int
is_name(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The paths of all pieces, to be freed with free_paths. */
static char **
list(size_t *count)
{
	struct dirent **entries;
	const int found = scandir("p", &entries, is_name, alphasort);

	ck_assert_int_gt(found, 0);
	char **const paths = calloc((size_t)found, sizeof(*paths));
	for (int i = 0; i < found; i++) {
		paths[i] = malloc(strlen(entries[i]->d_name) + 3);
		sprintf(paths[i], "p/%s", entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	*count = (size_t)found;
	return paths;
}

static void
free_paths(char **paths, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		unlink(paths[i]);
		free(paths[i]);
	}
	free(paths);
}

static uint64_t
hash_thread(const struct whole *whole, const uint8_t *bytes, unsigned thread)
{
	const bool wide = whole->record_size != 9;
	uint64_t hash = 14695981039346656037u;

	for (uint64_t i = 0; i < whole->records; i++) {
		const uint8_t *const record = bytes + whole->front +
		    i * whole->record_size;
		const unsigned number = wide ? record[0] | record[1] << 8 :
		    record[0];

		for (size_t j = 0; number == thread &&
		    j < whole->record_size; j++)
			hash = (hash ^ record[j]) * 1099511628211u;
	}
	return hash;
}

/* The same but for the order of the records of different threads. */
static void
compare_threads(const struct whole *whole, const uint8_t *bytes)
{
	const size_t after = whole->front +
	    whole->records * whole->record_size;
	static bool done[65536];

	ck_assert_int_eq(memcmp(bytes, whole->bytes, whole->front), 0);
	ck_assert_int_eq(memcmp(bytes + after, whole->bytes + after,
	    whole->len - after), 0);
	memset(done, 0, sizeof(done));
	for (uint64_t i = 0; i < whole->records; i++) {
		const uint8_t *const record = whole->bytes + whole->front +
		    i * whole->record_size;
		const unsigned thread = whole->record_size != 9 ?
		    record[0] | record[1] << 8 : record[0];

		if (done[thread])
			continue;
		done[thread] = true;
		ck_assert_uint_eq(hash_thread(whole, whole->bytes, thread),
		    hash_thread(whole, bytes, thread));
	}
}

static void
compare(const struct whole *whole, bool by_thread, int exact)
{
	size_t len;
	uint8_t *const bytes = file_get("out", &len);

	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_eq(len, whole->len);
	ck_assert(by_thread || exact);
	if (exact)
		ck_assert_int_eq(memcmp(bytes, whole->bytes, len), 0);
	else
		compare_threads(whole, bytes);
	free(bytes);
	unlink("out");
}

/* Also with the operands in another order. */
static void
rejoin(const struct whole *whole, bool by_thread, uint64_t added)
{
	const struct dmtrace_file out = { .path = "out" };
	uint64_t records = 0;
	size_t count;
	int exact = -1;
	char **const paths = list(&count);

	for (size_t i = 0; i < count; i++)
		records += check_piece(paths[i], !by_thread);
	ck_assert_uint_eq(records, whole->records - added);
	for (size_t i = 0; i < count / 2; i++) {
		char *const path = paths[i];

		paths[i] = paths[count - 1 - i];
		paths[count - 1 - i] = path;
	}
	ck_assert_msg(dmtrace_join_pieces(op, (const char *const *)paths, count,
	    &out, 0, &exact) == DMTRACE_OK, "%s",
	    dmtrace_op_error(op)->message);
	compare(whole, by_thread, exact);
	free_paths(paths, count);
}

/* Splits in that way and joins; false if there would be too many pieces. */
static bool
there_and_back(const struct whole *whole, enum dmtrace_pieces_by by,
    uint64_t amount)
{
	uint64_t count;
	const enum dmtrace_status status = split(whole, by, amount, &count);

	if (status == DMTRACE_ERR_LIMIT || status == DMTRACE_ERR_RANGE) {
		ck_assert_uint_eq(file_count("p"), 0);
		return false;
	}
	ck_assert_msg(status == DMTRACE_OK, "%s",
	    dmtrace_op_error(op)->message);
	ck_assert_uint_eq(file_count("p"), count);
	if (by == DMTRACE_PIECES_SIZE)
		for (uint64_t i = 1; i <= count; i++) {
			char path[32];
			size_t len;

			sprintf(path, "p/%04u.trace", (unsigned)i);
			free(file_get(path, &len));
			ck_assert_uint_le(len, amount);
		}
	rejoin(whole, by == DMTRACE_PIECES_THREAD, 0);
	return true;
}

/* The first one of a test in every way; few: pieces of one record or 1 us,
 * and as large as can be, are left out. */
static void
all_ways(const uint8_t *bytes, size_t len, bool few)
{
	struct whole whole;
	uint64_t amount;

	if (!measure(&whole, bytes, len))
		return;
	if (mkdir("p", 0777) == 0 && !few && whole.records <= MAX_PIECES) {
		ck_assert(there_and_back(&whole, DMTRACE_PIECES_RECORDS, 1));
		ck_assert(there_and_back(&whole, DMTRACE_PIECES_RECORDS,
		    UINT64_MAX));
		ck_assert(there_and_back(&whole, DMTRACE_PIECES_TIME, 1000));
		ck_assert(there_and_back(&whole, DMTRACE_PIECES_TIME,
		    UINT64_MAX));
	}
	ck_assert(there_and_back(&whole, DMTRACE_PIECES_THREAD, 0));
	ck_assert(there_and_back(&whole, DMTRACE_PIECES_RECORDS,
	    whole.records / 7 + 1));
	ck_assert(there_and_back(&whole, DMTRACE_PIECES_TIME,
	    whole.last_ns / 7 + 1));
	amount = whole.front + 300 + whole.records * whole.record_size / 9;
	while (!there_and_back(&whole, DMTRACE_PIECES_SIZE, amount))
		amount += amount / 8;
}

START_TEST(every_sample_comes_back)
{
	const struct sample *const sample = sample_get(_i);

	all_ways(sample->bytes, sample->len,
	    sample->damaged && !unit_more());
}
END_TEST

static const struct {
	const char *label;
	unsigned version;
	enum dmtrace_clock clock;
} layouts[] = {
	{ "version 1, thread CPU", 1, DMTRACE_CLOCK_THREAD_CPU },
	{ "version 1, wall",       1, DMTRACE_CLOCK_WALL       },
	{ "version 2",             2, DMTRACE_CLOCK_WALL       },
	{ "version 3, one clock",  3, DMTRACE_CLOCK_WALL       },
	{ "version 3",             3, DMTRACE_CLOCK_DUAL       },
};

static unsigned
batch_size(void)
{
	const char *const sanitized = getenv("SANITIZED");

	return sanitized != NULL && strcmp(sanitized, "yes") == 0 ?
	    BATCH_SANITIZED : unit_more() ? BATCH : BATCH_NORMAL;
}

START_TEST(every_generated_trace_comes_back)
{
	const unsigned row = (unsigned)_i / (SEEDS / BATCH);
	const unsigned first = (unsigned)_i % (SEEDS / BATCH) * BATCH;
	const unsigned end = first + batch_size();
	size_t len;

	for (unsigned seed = first; seed < end; seed++) {
		uint8_t *const bytes = make_trace(seed, dmt_layout_find(
		    layouts[row].version, layouts[row].clock),
		    2 + seed % 37 * 2, 1 + seed % 5, &len);

		all_ways(bytes, len, false);
		free(bytes);
	}
}
END_TEST

int
main(void)
{
	samples_load();

	Suite *const suite = suite_create("piece_laws");
	TCase *const tcase = unit_tcase(suite, "piece_laws");

	printf("# %u generated traces\n", (unsigned)(ROWS(layouts) *
	    (SEEDS / BATCH)) * batch_size());
	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, op_begin, op_end);
	tcase_add_loop_test(tcase, every_sample_comes_back, 0,
	    (int)samples_count());
	tcase_add_loop_test(tcase, every_generated_trace_comes_back, 0,
	    (int)ROWS(layouts) * (SEEDS / BATCH));
	return unit_main(suite);
}
