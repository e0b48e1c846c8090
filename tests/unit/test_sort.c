/* test_sort.c - events sorted by time, and failures on the way */

#include "helpers/changes.h"

#include "helpers/cancel.h"
#include "helpers/drip.h"
#include "helpers/failing.h"
#include "helpers/op.h"
#include "helpers/unit.h"

#define LEAST DMTRACE_SORT_MEMORY_MIN

#define KEY(clock, rest) "*version\n2\nclock=" clock "\n" rest \
	"*threads\n1\tmain\n*methods\n0x4\tA\tm\t()V\n*end\n"
#define HEADER "SLOW\2\0\x20\0" "\1\2\3\4\5\6\7\0" "\0\0\0\0\0\0\0\0" \
	"\0\0\0\0\0\0\0\0"
#define FRONT KEY("wall", "") HEADER

/* Records of version 2: thread, method, time. */
#define R(thread, method, t0, t3) \
	thread "\0" method "\0\0\0" t0 "\0\0" t3

#define ROW(label, in, out) { label, FRONT in, sizeof(FRONT in) - 1, \
	FRONT out, sizeof(FRONT out) - 1 }

/* The same, of a trace to which records were added. */
#define ADDED(opened, closed) KEY("wall", "dmtrace-opened=" opened "\n" \
	"dmtrace-closed=" closed "\n") HEADER
#define ADDED_ROW(label, opened, closed, in, out) { label, \
	ADDED(opened, closed) in, sizeof(ADDED(opened, closed) in) - 1, \
	ADDED(opened, closed) out, sizeof(ADDED(opened, closed) out) - 1 }

/* The letters of methods tell records apart. */
static const struct {
	const char *label;
	const char *in;
	size_t in_len;
	const char *out;
	size_t out_len;
} small[] = {
	ROW("no record", "", ""),
	ROW("one", R("\1", "a", "\1", "\0"), R("\1", "a", "\1", "\0")),
	ROW("in order",
	    R("\1", "a", "\1", "\0") R("\2", "b", "\1", "\0")
	    R("\1", "c", "\2", "\0"),
	    R("\1", "a", "\1", "\0") R("\2", "b", "\1", "\0")
	    R("\1", "c", "\2", "\0")),
	ROW("a block of each thread",
	    R("\1", "a", "\1", "\0") R("\1", "b", "\5", "\0")
	    R("\2", "c", "\0", "\0") R("\2", "d", "\3", "\0"),
	    R("\2", "c", "\0", "\0") R("\1", "a", "\1", "\0")
	    R("\2", "d", "\3", "\0") R("\1", "b", "\5", "\0")),
	ROW("the same time: as in the file",
	    R("\3", "a", "\2", "\0") R("\1", "b", "\1", "\0")
	    R("\2", "c", "\2", "\0") R("\1", "d", "\2", "\0"),
	    R("\1", "b", "\1", "\0") R("\3", "a", "\2", "\0")
	    R("\2", "c", "\2", "\0") R("\1", "d", "\2", "\0")),
	ROW("a thread's times step back: its events stay in order",
	    R("\1", "a", "\1", "\0") R("\1", "b", "\5", "\0")
	    R("\1", "c", "\2", "\0") R("\1", "d", "\6", "\0")
	    R("\2", "e", "\3", "\0") R("\2", "f", "\5", "\0"),
	    R("\1", "a", "\1", "\0") R("\2", "e", "\3", "\0")
	    R("\1", "b", "\5", "\0") R("\1", "c", "\2", "\0")
	    R("\2", "f", "\5", "\0") R("\1", "d", "\6", "\0")),
	ROW("a time that wraps is a late one",
	    R("\1", "a", "\1", "\xff") R("\1", "b", "\1", "\0")
	    R("\2", "c", "\2", "\x20") R("\2", "d", "\2", "\x90")
	    R("\2", "e", "\3", "\xff") R("\2", "f", "\0", "\0"),
	    R("\2", "c", "\2", "\x20") R("\2", "d", "\2", "\x90")
	    R("\1", "a", "\1", "\xff") R("\2", "e", "\3", "\xff")
	    R("\2", "f", "\0", "\0") R("\1", "b", "\1", "\0")),
	ADDED_ROW("records that were added stay first and last", "2", "1",
	    R("\1", "a", "\5", "\0") R("\2", "b", "\4", "\0")
	    R("\1", "c", "\5", "\0") R("\2", "d", "\4", "\0")
	    R("\3", "e", "\1", "\0") R("\3", "f", "\2", "\0"),
	    R("\1", "a", "\5", "\0") R("\2", "b", "\4", "\0")
	    R("\3", "e", "\1", "\0") R("\2", "d", "\4", "\0")
	    R("\1", "c", "\5", "\0") R("\3", "f", "\2", "\0")),
	ADDED_ROW("a time that wraps after a record that was added",
	    "1", "0",
	    R("\1", "a", "\1", "\xff") R("\1", "b", "\1", "\0")
	    R("\2", "c", "\2", "\x20"),
	    R("\1", "a", "\1", "\xff") R("\2", "c", "\2", "\x20")
	    R("\1", "b", "\1", "\0")),
	ADDED_ROW("more records were added than there are", "9", "9",
	    R("\1", "a", "\2", "\0") R("\2", "b", "\1", "\0"),
	    R("\1", "a", "\2", "\0") R("\2", "b", "\1", "\0")),
	ADDED_ROW("all of them at the end", "0", "9",
	    R("\1", "a", "\2", "\0") R("\2", "b", "\1", "\0"),
	    R("\1", "a", "\2", "\0") R("\2", "b", "\1", "\0")),
	ROW("stray bytes stay at the end",
	    R("\1", "a", "\2", "\0") R("\2", "b", "\1", "\0") "stray",
	    R("\2", "b", "\1", "\0") R("\1", "a", "\2", "\0") "stray"),
};

static struct dmtrace_sort_options
options_of(uint64_t memory)
{
	struct dmtrace_sort_options options = { 0 };

	options.memory = memory;
	return options;
}

/* Sorts what the reader has open; frees it. */
static struct made
sort(struct dmtrace_reader *reader, uint64_t memory)
{
	const struct dmtrace_sort_options options = options_of(memory);
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	ck_assert_int_eq(dmtrace_writer_set_like(writer, reader), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_sort(op, reader, writer, &options),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	const struct made sorted = made_copy(writer);

	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	return sorted;
}

static void
assert_made(const struct made *made, const void *bytes, size_t len)
{
	ck_assert_uint_eq(made->len, len);
	ck_assert_int_eq(memcmp(made->bytes, bytes, len), 0);
}

START_TEST(sorts_these_bytes)
{
	struct made sorted = sort(made_open(small[_i].in, small[_i].in_len),
	    LEAST);

	assert_made(&sorted, small[_i].out, small[_i].out_len);
	free(sorted.bytes);

	/* what is sorted is a copy */
	sorted = sort(made_open(small[_i].out, small[_i].out_len), LEAST);
	assert_made(&sorted, small[_i].out, small[_i].out_len);
	free(sorted.bytes);
}
END_TEST

START_TEST(bytes_that_no_field_holds_go_along)
{
	static const char front[] = "*version\n3\nclock=dual\n*end\n"
	    "SLOW\3\0\x20\0" "\1\2\3\4\5\6\7\0" "\x10\0\0\0\0\0\0\0"
	    "\0\0\0\0\0\0\0\0";
	static const char a[] = "\1\0\4\0\0\0\1\0\0\0\7\0\0\0AB";
	static const char b[] = "\2\0\4\0\0\0\1\0\0\0\6\0\0\0CD";
	char bytes[sizeof(front) + 32];
	const size_t at = sizeof(front) - 1;

	memcpy(bytes, front, at);
	memcpy(bytes + at, a, 16);
	memcpy(bytes + at + 16, b, 16);
	struct made sorted = sort(made_open(bytes, at + 32), LEAST);

	memcpy(bytes + at, b, 16);
	memcpy(bytes + at + 16, a, 16);
	assert_made(&sorted, bytes, at + 32);
	free(sorted.bytes);
}
END_TEST

/* A dmtrace_finding_fn. */
static void
count_finding(void *context, const struct dmtrace_finding *finding)
{
	unsigned *const counts = context;

	counts[0] += strcmp(finding->name, "time-back") == 0;
	counts[1] += strcmp(finding->name, "record-reserved") == 0;
	counts[2] += strcmp(finding->name, "time-wrapped") == 0;
}

#define D(method, cpu, wall) "\1\0" method "\0\0\0" cpu "\0\0\0" \
	wall "\0\0\0"

/* Wall times are in order, or not. CPU times that step back, and a reserved
 * action, do not matter to it. */
START_TEST(reports_steps_back_of_its_clock)
{
#define DUAL "*version\n3\nclock=dual\n*end\nSLOW\3\0\x20\0" \
	"\1\2\3\4\5\6\7\0" "\x0e\0\0\0\0\0\0\0" "\0\0\0\0\0\0\0\0" \
	D("\4", "\1", "\1") D("\4", "\5", "\2") D("\4", "\4", "\3") \
	D("\7", "\6", "\4") D("\4", "\7", "\5")
	static const char ordered[] = DUAL;
	static const char back[] = DUAL D("\4", "\x08", "\4");
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	unsigned counts[3] = { 0 };

	dmtrace_reader_set_report(reader, count_finding, counts);
	ck_assert_int_eq(dmtrace_reader_open_memory(reader,
	    _i == 0 ? ordered : back,
	    (_i == 0 ? sizeof(ordered) : sizeof(back)) - 1), DMTRACE_OK);
	struct made sorted = sort(reader, LEAST);

	ck_assert_uint_eq(counts[0], _i);
	ck_assert_uint_eq(counts[1], 0);
	ck_assert_uint_eq(counts[2], 0);
	free(sorted.bytes);
}
END_TEST

START_TEST(every_prefix_is_sorted_or_refused)
{
	const char *const bytes = small[5].in;

	for (size_t len = 0; len <= small[5].in_len; len++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();

		if (dmtrace_reader_open_memory(reader, bytes, len) !=
		    DMTRACE_OK) {
			dmtrace_reader_free(reader);
			continue;
		}
		struct made sorted = sort(reader, LEAST);

		ck_assert_uint_eq(sorted.len, len);
		free(sorted.bytes);
	}
}
END_TEST

/* What a record is sorted by, found the plain way. */
struct item {
	uint64_t key;
	size_t index;
};

static int
compare(const void *a, const void *b)
{
	const struct item *const left = a, *const right = b;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	return left->index < right->index ? -1 : 1;
}

static void
find_items(const struct made *made, struct item *items, size_t count)
{
	uint64_t *const tops = calloc(65536, sizeof(*tops));
	struct dmtrace_reader *const reader =
	    made_open(made->bytes, made->len);
	struct dmtrace_event event;

	for (size_t i = 0; i < count; i++) {
		ck_assert_int_eq(dmtrace_reader_next(reader, &event),
		    DMTRACE_OK);
		if (event.wall_ns > tops[event.thread])
			tops[event.thread] = event.wall_ns;
		items[i] = (struct item){ tops[event.thread], i };
	}
	dmtrace_reader_free(reader);
	free(tops);
}

static struct made
sort_plainly(const struct made *made)
{
	const size_t size = made->record_size;
	const size_t count = (made->len - made->records_at) / size;
	struct item *const items = calloc(count, sizeof(*items));
	struct made sorted = *made;

	find_items(made, items, count);
	qsort(items, count, sizeof(*items), compare);
	sorted.bytes = malloc(made->len);
	memcpy(sorted.bytes, made->bytes, made->records_at);
	for (size_t i = 0; i < count; i++)
		memcpy(sorted.bytes + made->records_at + i * size,
		    made->bytes + made->records_at + items[i].index * size,
		    size);
	free(items);
	return sorted;
}

static const struct {
	unsigned version;
	enum dmtrace_clock clock;
	size_t records;
	uint32_t threads;
	size_t longest;			/* of the stretches that are moved */
} shuffled[] = {
	{ 1, DMTRACE_CLOCK_WALL, 200, 3, 20 },
	{ 2, DMTRACE_CLOCK_WALL, 2000, 9, 300 },
	{ 2, DMTRACE_CLOCK_WALL, 120000, 50, 9000 },
	{ 3, DMTRACE_CLOCK_WALL, 500, 1, 100 },
	{ 3, DMTRACE_CLOCK_DUAL, 90000, 4, 50000 },
	{ 3, DMTRACE_CLOCK_DUAL, 300, 40, 2 },
};

/* Version 1 as Dalvik's is not comparable; without its vm it is. */
static void
hide_vm(struct made *made)
{
	char *const vm = strstr(made->bytes, "vm=dalvik");

	made->bytes[made->len] = '\0';
	if (vm != NULL)
		memcpy(vm, "vm=others", 9);
}

START_TEST(sorts_like_a_plain_sort)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		if (shuffled[_i].records > 10000 && seed > 2)
			break;
		struct made made = made_generate(shuffled[_i].version,
		    shuffled[_i].clock, seed, shuffled[_i].records,
		    shuffled[_i].threads);

		hide_vm(&made);
		made_shuffle(&made, seed, shuffled[_i].longest);
		struct made plain = sort_plainly(&made);
		struct made sorted = sort(made_open(made.bytes, made.len),
		    LEAST);
		struct made roomy = sort(made_open(made.bytes, made.len),
		    1 << 28);

		assert_made(&sorted, plain.bytes, plain.len);
		assert_made(&roomy, plain.bytes, plain.len);
		free(roomy.bytes);
		free(sorted.bytes);
		free(plain.bytes);
		free(made.bytes);
	}
}
END_TEST

/* Blocks of each thread, a block being all of it in a turn: no step back, so
 * the runs of the file itself are merged. */
static struct made
made_blocks(size_t records, uint32_t threads, size_t longest)
{
	const struct made made = made_generate(2, DMTRACE_CLOCK_WALL, 7,
	    records, threads);
	struct made blocks = made;
	char *const in = made.bytes + made.records_at;
	size_t at = made.records_at;

	blocks.bytes = malloc(made.len + 1);
	memcpy(blocks.bytes, made.bytes, made.records_at);
	for (size_t from = 0; from < records; from += longest)
		for (uint32_t thread = 1; thread <= threads; thread++)
			for (size_t i = from; i < from + longest &&
			    i < records; i++)
				if ((uint8_t)in[i * 10] == thread) {
					memcpy(blocks.bytes + at, in + i * 10,
					    10);
					at += 10;
				}
	ck_assert_uint_eq(at, made.len);
	free(made.bytes);
	return blocks;
}

START_TEST(merges_blocks_of_threads)
{
	static const size_t longest[] = { 100000, 9000, 700 };
	struct made made = made_blocks(100000, 30, longest[_i]);
	struct made plain = sort_plainly(&made);
	struct made sorted = sort(made_open(made.bytes, made.len), LEAST);

	assert_made(&sorted, plain.bytes, plain.len);
	free(sorted.bytes);
	free(plain.bytes);
	free(made.bytes);
}
END_TEST

/* From a file, from a pipe, and to a pipe. */
static enum dmtrace_status
sort_between(int way, uint64_t memory)
{
	const struct dmtrace_sort_options options = options_of(memory);
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	size_t len;
	char *const bytes = way == 0 ? NULL : file_get("in", &len);
	struct drip drip = { bytes, way == 0 ? 0 : len, 7 };
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	if (reader != NULL && writer != NULL)
		status = way == 0 ? dmtrace_reader_open_path(reader, "in") :
		    dmtrace_reader_open_input(reader,
		    &(struct dmtrace_input){ drip_read, &drip });
	if (status == DMTRACE_OK)
		status = dmtrace_writer_set_like(writer, reader);
	if (status == DMTRACE_OK)
		status = dmtrace_writer_open_path(writer, "out");
	if (status == DMTRACE_OK)
		status = dmtrace_sort(op, reader, writer, &options);
	if (status == DMTRACE_OK)
		status = dmtrace_writer_close(writer);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	free(bytes);
	return status;
}

START_TEST(a_file_and_a_pipe_come_out_the_same)
{
	struct made made = made_blocks(3000, 5, 3000);
	struct made plain = sort_plainly(&made);

	file_put("in", made.bytes, made.len);
	ck_assert_int_eq(sort_between(_i, LEAST), DMTRACE_OK);
	assert_file("out", plain.bytes, plain.len);
	ck_assert_uint_eq(file_count("."), 2);
	file_put("in", plain.bytes, plain.len);
	ck_assert_int_eq(sort_between(_i, LEAST), DMTRACE_OK);
	assert_file("out", plain.bytes, plain.len);
	free(plain.bytes);
	free(made.bytes);
}
END_TEST

static const enum fault faults[] = {
	FAULT_ALLOC, FAULT_READ, FAULT_WRITE, FAULT_CLOSE, FAULT_NAME
};

/* Without memory for the order of the runs, a temporary will do. */
static void
fail_each(enum fault fault)
{
	struct failing failing = {
		.kind = fault,
		.harmless = fault == FAULT_ALLOC ? FAULT_ALLOC : FAULT_CLOSE
	};

	do {
		failing_arm(&failing);
		const bool reported =
		    failing_reported(&failing, sort_between(0, LEAST));
		ck_assert_uint_eq(file_count("."), reported ? 1 : 2);
		unlink("out");
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
}

/* Once by way of the runs of the file, once by way of a temporary. */
START_TEST(whatever_fails_leaves_all_or_nothing)
{
	struct made blocks = made_blocks(40000, 5, 40000);
	struct made stirred = made_blocks(40000, 5, 40000);

	made_shuffle(&stirred, 3, 30000);
	file_put("in", blocks.bytes, blocks.len);
	fail_each(faults[_i]);
	file_put("in", stirred.bytes, stirred.len);
	fail_each(faults[_i]);
	free(stirred.bytes);
	free(blocks.bytes);
}
END_TEST

#define REFUSED(label, key, data, status, message) \
	{ label, key data, sizeof(key data) - 1, status, message }

static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	enum dmtrace_status status;
	const char *message;
} clocks[] = {
	REFUSED("wall", KEY("wall", "vm=dalvik\n"), HEADER, DMTRACE_OK, ""),
	REFUSED("thread-cpu", KEY("thread-cpu", ""), HEADER,
	    DMTRACE_ERR_UNSUPPORTED, "clock \"thread-cpu\", version 2"),
	REFUSED("missing", "*version\n2\n*end\n", HEADER,
	    DMTRACE_ERR_UNSUPPORTED, "clock \"thread-cpu\", version 2"),
	REFUSED("global", KEY("global", ""), HEADER,
	    DMTRACE_ERR_UNSUPPORTED, "clock \"global\", version 2"),
	REFUSED("Dalvik's wall", "*version\n1\nclock=wall\nvm=dalvik\n*end\n",
	    "SLOW\1\0\x10\0" "\1\2\3\4\5\6\7\0", DMTRACE_ERR_UNSUPPORTED,
	    "clock \"wall\", version 1"),
	REFUSED("another's wall", "*version\n1\nclock=wall\n*end\n",
	    "SLOW\1\0\x10\0" "\1\2\3\4\5\6\7\0", DMTRACE_OK, ""),
};

START_TEST(refuses_clocks_that_threads_do_not_share)
{
	struct dmtrace_sort_options options = options_of(LEAST);
	struct dmtrace_reader *const reader =
	    made_open(clocks[_i].bytes, clocks[_i].len);
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	ck_assert_int_eq(dmtrace_writer_set_like(writer, reader), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_sort(op, reader, writer, &options),
	    clocks[_i].status);
	ck_assert_ptr_nonnull(strstr(dmtrace_op_error(op)->message,
	    clocks[_i].message));
	options.any_clock = 1;
	if (clocks[_i].status != DMTRACE_OK)
		ck_assert_int_eq(dmtrace_sort(op, reader, writer, &options),
		    DMTRACE_OK);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(refuses_calls_out_of_order)
{
	const struct dmtrace_sort_options options = options_of(LEAST);
	const struct dmtrace_sort_options little = options_of(LEAST - 1);
	struct dmtrace_reader *const reader =
	    made_open(small[1].in, small[1].in_len);
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_event event;

	ck_assert_int_eq(dmtrace_sort(op, reader, writer, &options),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_writer_set_like(writer, reader), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_sort(op, reader, writer, &options),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_sort(op, reader, writer, &little),
	    DMTRACE_ERR_RANGE);
	ck_assert_int_eq(dmtrace_reader_next(reader, &event), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_sort(op, reader, writer, &options),
	    DMTRACE_ERR_STATE);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(progress_can_cancel_anywhere)
{
	struct made made = made_blocks(60000, 5, 60000);
	enum dmtrace_status status = DMTRACE_ERR_CANCELLED;
	unsigned first;

	if (_i == 1)
		made_shuffle(&made, 3, 30000);
	file_put("in", made.bytes, made.len);
	for (first = 1; status != DMTRACE_OK; first++) {
		unsigned calls = first;

		dmtrace_op_set_progress(op, cancel_after, &calls);
		status = sort_between(0, LEAST);
		if (status != DMTRACE_OK) {
			ck_assert_int_eq(status, DMTRACE_ERR_CANCELLED);
			ck_assert_uint_eq(file_count("."), 1);
		}
	}
	ck_assert_uint_gt(first, 4);
	free(made.bytes);
}
END_TEST

/* What the file that is read becomes, at which call of a progress. */
struct change {
	const struct made *made;
	unsigned call;
};

/* A dmtrace_progress_fn. */
static int
change_file(void *context, uint64_t done, uint64_t total)
{
	struct change *const change = context;

	(void)done;
	(void)total;
	if (change->call-- == 1)
		file_put("in", change->made->bytes, change->made->len);
	return 0;
}

/* A batch in the first pass, and during the second one as much again; or a
 * batch in the first, and then half of it. */
START_TEST(a_file_that_changes_meanwhile_is_refused)
{
	const struct made made = made_blocks(3000, 5, 3000);
	struct made half = made;

	half.len -= 1500 * made.record_size;
	const struct made *const before = _i == 0 ? &half : &made;
	struct change change = { _i == 0 ? &made : &half, _i == 0 ? 2 : 1 };

	file_put("in", before->bytes, before->len);
	dmtrace_op_set_progress(op, change_file, &change);
	ck_assert_int_eq(sort_between(0, 1 << 28), DMTRACE_ERR_IO);
	ck_assert_str_eq(dmtrace_op_error(op)->message,
	    "the input changed while it was read");
	ck_assert_uint_eq(file_count("."), 1);
	free(made.bytes);
}
END_TEST

/* What a progress was reported. */
struct reported {
	double ratio;			/* done of total, the last time */
	unsigned calls;
	unsigned late;			/* calls in the last third */
};

static int
note_progress(void *context, uint64_t done, uint64_t total)
{
	struct reported *const reported = context;
	const double ratio = (double)done / (double)total;

	ck_assert(ratio >= reported->ratio && ratio <= 1);
	reported->ratio = ratio;
	reported->calls++;
	reported->late += ratio > 2.0 / 3;
	return 0;
}

/* 60,000 events are more than a block holds: 15 batches come of the runs. */
START_TEST(progress_goes_on_while_runs_are_merged)
{
	struct made made = made_generate(2, DMTRACE_CLOCK_WALL, 7, 60000, 5);
	struct reported reported = { .calls = 0 };

	if (_i == 1)
		made_shuffle(&made, 3, 30000);
	file_put("in", made.bytes, made.len);
	dmtrace_op_set_progress(op, note_progress, &reported);
	ck_assert_int_eq(sort_between(0, LEAST), DMTRACE_OK);
	ck_assert_uint_ge(reported.late, _i == 1 ? 15 : 1);
	ck_assert_uint_le(reported.late, reported.calls / 2);
	if (_i == 1)
		ck_assert(reported.ratio == 1);
	free(made.bytes);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("sort");
	TCase *const tcase = unit_tcase(suite, "sort");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, op_begin, op_end);
	ADD_CASES(tcase, sorts_these_bytes, small);
	tcase_add_test(tcase, bytes_that_no_field_holds_go_along);
	tcase_add_test(tcase, every_prefix_is_sorted_or_refused);
	tcase_add_loop_test(tcase, reports_steps_back_of_its_clock, 0, 2);
	ADD_CASES(tcase, sorts_like_a_plain_sort, shuffled);
	tcase_add_loop_test(tcase, merges_blocks_of_threads, 0, 3);
	tcase_add_loop_test(tcase, a_file_and_a_pipe_come_out_the_same, 0, 2);
	ADD_CASES(tcase, whatever_fails_leaves_all_or_nothing, faults);
	ADD_CASES(tcase, refuses_clocks_that_threads_do_not_share, clocks);
	tcase_add_test(tcase, refuses_calls_out_of_order);
	tcase_add_loop_test(tcase, progress_can_cancel_anywhere, 0, 2);
	tcase_add_loop_test(tcase, a_file_that_changes_meanwhile_is_refused,
	    0, 2);
	tcase_add_loop_test(tcase, progress_goes_on_while_runs_are_merged, 0,
	    2);
	return unit_main(suite);
}
