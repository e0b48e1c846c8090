/* view_slices.c - sums of calls by method and by slice of time */

/*
 * Calls that a page does not show one by one are counted by method and by slice
 * of time, so that the page can compute figures of a range: what ends in slices
 * inside it is known, and the slices at its edges are the distance between two
 * bounds. For bounds that are close, slices have to be narrow: a twentieth of a
 * hundredth of the trace has room for no more than a two-thousandth at each
 * edge. So many exact sums have no room on a page; but they need not be exact.
 *
 * Of each row (a method in a thread) a page has exact sums over the trace, and
 * at the end of each slice how many whole quanta the sum up to there has. A
 * quantum is the share of the row's sum that a slice has on average, halved; of
 * inclusive times, of which most is in calls that the page shows, this is much
 * more than the sum here: most slices have a quantum less than before, or none.
 * Differences of this kind are coded in one to three bits. What a range has is
 * known but for a quantum, and the slices, at each edge.
 *
 * The first pass notes what each row has in all; then slices and quanta are
 * chosen for the memory that there is, from the rows of least time on: a row
 * with a hundredth of the time has the narrowest ones. In the end slices are
 * made wider in the same order, until the page is small enough.
 *
 * Times are those that passed in a slice, as far as a call's time is known at
 * its begin; calls are counted where they end. Calls may come out of order:
 * those of threads that are counted together, or when a clock was set back.
 * Quanta are counted as calls come, so each time that calls come again from
 * before the slice before the last one makes sums wrong by less than a quantum.
 * The largest number of such times is written.
 *
 * The text has the time of the first slice, the number of the narrowest slices,
 * their width, by how much times may be in too late a slice, and the number of
 * rows; for each row the method, how often its slices are twice as wide, the
 * number of slices with calls if only these follow, or 0, the number of its
 * bits below, the slice of the first partial time plus 1, or 0, the number
 * of times out of order, and the parameter of the numbers of slices that are
 * skipped. Then of each sum, calls, recursive calls, inclusive and
 * exclusive wall time, and the same of CPU time: the sum, what is subtracted
 * from it, and, unless both are 0, the quantum and the parameter of its
 * differences.
 *
 * After all rows there are bits, 13 in two digits of base 92: of each slice
 * the differences of those sums that are not 0, before them the number of
 * slices without calls, if these are skipped. Numbers are Rice codes with the
 * parameter k: a 1 for each 2^k, a 0, and the rest in k bits; after UNARY_MOST
 * ones the number follows in 16 bits.
 */

#include "export/view_slices.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "export/view_page.h"

#define SLICES UINT32_C(16384)		/* at most */
#define QUANTA 2			/* in a slice */
#define UNARY_MOST 12
#define BACK_MOST 32			/* slices: calls that end before are
					   counted for all */
#define ROW_BYTES 60			/* of its numbers */
#define SUMS DMT_SLICE_SUMS

struct dmt_slice_row {
	uint32_t thread;
	uint32_t method;
	uint64_t whole[SUMS];		/* of all calls that were noted */
	uint64_t sum[SUMS];		/* of those added, but for */
	uint64_t below[SUMS];		/* the sum of values below 0 */
	uint64_t quantum[SUMS];
	uint64_t rest[SUMS];		/* before the latest slice: less than
					   a quantum */
	uint64_t now[SUMS];		/* of the latest slice */
	unsigned wide;			/* slices are 2^wide of the narrowest */
	uint32_t count;			/* of slices; 0: no calls */
	uint32_t latest;
	uint32_t partial;		/* first slice with one, + 1; 0: none */
	uint64_t far_back;		/* calls much before the latest */
	uint8_t (*quanta)[SUMS];	/* by slice; NULL: no calls */
	uint8_t (*more)[SUMS];		/* in units of 256; NULL: none */
	uint8_t *back;			/* by slice: times that calls came from
					   before it again */
};

/* How the differences of a row are coded. */
struct row_code {
	bool sparse;			/* slices without calls are skipped */
	uint32_t cells;			/* slices that are not */
	unsigned skip;			/* Rice parameters */
	unsigned rice[SUMS];
	size_t bits;
};

/* Returns how many slices a row has that are 2^wide of the narrowest. */
static uint32_t
count_slices(const struct dmt_slices *slices, unsigned wide)
{
	return ((slices->count - 1) >> wide) + 1;
}

/* Returns the row of a key, which is added if it is new. NULL: no memory. */
static struct dmt_slice_row *
row_at(struct dmt_slices *slices, uint32_t thread, uint32_t method)
{
	const uint64_t key = (uint64_t)thread << 32 | method;
	const uint32_t *const found = dmt_idmap_find(&slices->by_key, key);

	if (found != NULL)
		return &slices->rows[*found];
	const uint32_t index = (uint32_t)slices->row_count;
	struct dmt_slice_row *const rows = dmt_array_grow(slices->rows,
	    &slices->row_capacity, slices->row_count + 1, sizeof(*rows));
	if (rows == NULL)
		return NULL;
	slices->rows = rows;
	if (!dmt_idmap_add(&slices->by_key, key, index))
		return NULL;
	rows[slices->row_count++] = (struct dmt_slice_row){
		.thread = thread, .method = method
	};
	return &rows[index];
}

bool
dmt_slices_note(struct dmt_slices *slices, const struct dmt_slice_call *call)
{
	struct dmt_slice_row *const row = row_at(slices, call->thread,
	    call->method);

	if (row == NULL)
		return false;
	for (int i = 0; i < SUMS; i++)
		if (call->sums[i] > 0)
			row->whole[i] += (uint64_t)call->sums[i];
	return true;
}

bool
dmt_slices_rename(struct dmt_slices *slices, const uint32_t *methods)
{
	struct dmt_slices renamed = { .rows = NULL };
	bool done = true;

	for (size_t i = 0; done && i < slices->row_count; i++) {
		const struct dmt_slice_row *const old = &slices->rows[i];
		struct dmt_slice_row *const row = row_at(&renamed, old->thread,
		    methods[old->method]);

		done = row != NULL;
		for (int sum = 0; done && sum < SUMS; sum++)
			row->whole[sum] += old->whole[sum];
	}
	dmt_slices_fini(done ? slices : &renamed);
	if (done)
		*slices = renamed;
	return done;
}

/* A row by its time, for the order in which slices are made wider. */
struct row_time {
	uint64_t ns;
	uint32_t row;
};

static int
compare_times(const void *a, const void *b)
{
	const struct row_time *const one = a, *const other = b;

	return one->ns != other->ns ? (one->ns < other->ns ? -1 : 1) :
	    (one->row > other->row) - (one->row < other->row);
}

/* Returns the rows with calls from the shortest time on. NULL: no memory. */
static struct row_time *
order_rows(const struct dmt_slices *slices, int clock, size_t *count)
{
	struct row_time *const order = dmt_array_new(slices->row_count,
	    sizeof(*order));

	*count = 0;
	for (size_t i = 0; order != NULL && i < slices->row_count; i++)
		if (slices->rows[i].whole[DMT_SLICE_CALLS] > 0)
			order[(*count)++] = (struct row_time){
				.ns = slices->rows[i].whole[
				    DMT_SLICE_INCLUSIVE + clock],
				.row = (uint32_t)i
			};
	if (*count > 0)
		qsort(order, *count, sizeof(*order), compare_times);
	return order;
}

/* Chooses how many slices a row could use: the most for a hundredth of the
 * time, fewer in proportion, and about one for each call. */
static void
choose_slices(struct dmt_slice_row *row, uint64_t ns, uint64_t hundredth_ns)
{
	row->wide = 0;
	while (row->wide < 8 && ns < hundredth_ns >> row->wide)
		row->wide++;
	while (SLICES >> row->wide > 1 &&
	    SLICES >> row->wide >> 2 >= row->whole[DMT_SLICE_CALLS])
		row->wide++;
}

static uint64_t
quantum_of(const struct dmt_slice_row *row, int sum, uint32_t count)
{
	return row->whole[sum] / (QUANTA * count) + 1;
}

/* Makes slices wider, from the rows of least time on, until there are at most
 * twice the cells that have room; then all slices can be less than twice as
 * wide, unless their number is given. */
static void
limit_cells(struct dmt_slices *slices, const struct row_time *order,
    size_t count, const struct dmt_slices_plan *plan)
{
	const size_t most = plan->cells / (plan->slices == 0 ? 1 : 2);
	size_t cells = 0;
	bool narrow = true;

	slices->count = plan->slices == 0 ? SLICES : plan->slices;
	for (size_t i = 0; i < count; i++)
		cells += count_slices(slices,
		    slices->rows[order[i].row].wide);
	while (narrow && cells > 2 * most) {
		narrow = false;
		for (size_t i = 0; i < count && cells > 2 * most; i++) {
			struct dmt_slice_row *const row =
			    &slices->rows[order[i].row];
			const uint32_t before = count_slices(slices, row->wide);

			if (before == 1)
				continue;
			cells -= before - count_slices(slices, ++row->wide);
			narrow = true;
		}
	}
	if (plan->slices == 0 && cells > most)
		slices->count = (uint32_t)(SLICES * most / cells);
	if (plan->slices == 0 && slices->count < SLICES / 2)
		slices->count = SLICES / 2;
}

bool
dmt_slices_begin(struct dmt_slices *slices, const struct dmt_slices_plan *plan)
{
	const uint64_t length_ns = plan->to_ns - plan->from_ns;
	uint64_t inside_ns = 0;
	size_t count;

	struct row_time *const order = order_rows(slices, plan->clock, &count);
	if (order == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		inside_ns += slices->rows[order[i].row].whole[
		    DMT_SLICE_EXCLUSIVE + plan->clock] / plan->threads;
	for (size_t i = 0; i < count; i++)
		choose_slices(&slices->rows[order[i].row], order[i].ns,
		    inside_ns / 100);
	limit_cells(slices, order, count, plan);
	slices->from_ns = plan->from_ns;
	slices->width_ns = (length_ns / slices->count / plan->scale_ns + 1) *
	    plan->scale_ns;
	for (size_t i = 0; i < count; i++) {
		struct dmt_slice_row *const row = &slices->rows[order[i].row];

		row->count = count_slices(slices, row->wide);
		for (int sum = 0; sum < SUMS; sum++) {
			if (sum >= DMT_SLICE_INCLUSIVE)
				row->whole[sum] /= plan->scale_ns;
			row->quantum[sum] = quantum_of(row, sum, row->count);
		}
	}
	free(order);
	return true;
}

uint32_t
dmt_slices_place(const struct dmt_slices *slices, uint64_t ns)
{
	const uint64_t passed = ns < slices->from_ns ? 0 :
	    (ns - slices->from_ns) / slices->width_ns;

	return passed < slices->count ? (uint32_t)passed : slices->count - 1;
}

static bool
make_cells(struct dmt_slice_row *row)
{
	row->quanta = dmt_array_new(row->count, sizeof(*row->quanta));
	row->back = dmt_array_new(row->count, 1);
	if (row->quanta == NULL || row->back == NULL)
		return false;
	return true;
}

static unsigned
quanta_of(const struct dmt_slice_row *row, uint32_t slice, int sum)
{
	return row->quanta[slice][sum] +
	    (row->more == NULL ? 0U : row->more[slice][sum] * 256U);
}

/* false: no memory. */
static bool
set_quanta(struct dmt_slice_row *row, uint32_t slice, int sum, unsigned quanta)
{
	if (quanta > UINT8_MAX && row->more == NULL) {
		row->more = dmt_array_new(row->count, sizeof(*row->more));
		if (row->more == NULL)
			return false;
	}
	row->quanta[slice][sum] = (uint8_t)quanta;
	if (row->more != NULL)
		row->more[slice][sum] = (uint8_t)(quanta >> 8);
	return true;
}

/* Counts the quanta of what was added before the latest slice as part of a
 * slice. false: no memory. */
static bool
count_quanta(struct dmt_slice_row *row, uint32_t slice)
{
	for (int i = 0; i < SUMS; i++) {
		if (row->rest[i] < row->quantum[i])
			continue;
		if (!set_quanta(row, slice, i, quanta_of(row, slice, i) +
		    (unsigned)(row->rest[i] / row->quantum[i])))
			return false;
		row->rest[i] %= row->quantum[i];
	}
	return true;
}

static bool
end_slice(struct dmt_slice_row *row)
{
	for (int i = 0; i < SUMS; i++) {
		row->rest[i] += row->now[i];
		row->now[i] = 0;
	}
	return count_quanta(row, row->latest);
}

/* Notes that calls come again from before the end of a slice: the sums before
 * the latest one stay right, those before slices between them do not. */
static void
note_back(struct dmt_slice_row *row, uint32_t slice)
{
	if (row->latest - slice > BACK_MOST) {
		row->far_back++;
		return;
	}
	for (uint32_t at = slice + 1; at < row->latest; at++) {
		if (row->back[at] == UINT8_MAX)
			row->far_back++;
		else
			row->back[at]++;
	}
}

bool
dmt_slices_add(struct dmt_slices *slices, const struct dmt_slice_call *call)
{
	struct dmt_slice_row *const row = &slices->rows[*dmt_idmap_find(
	    &slices->by_key, (uint64_t)call->thread << 32 | call->method)];
	const uint32_t slice = call->slice >> row->wide;
	uint64_t sums[SUMS];

	if (row->quanta == NULL && !make_cells(row))
		return false;
	if (call->partial && (row->partial == 0 || slice < row->partial))
		row->partial = slice + 1;
	for (int i = 0; i < SUMS; i++) {
		sums[i] = call->sums[i] > 0 ? (uint64_t)call->sums[i] : 0;
		row->sum[i] += sums[i];
		if (call->sums[i] < 0)
			row->below[i] -= (uint64_t)call->sums[i];
	}
	if (slice < row->latest) {
		for (int i = 0; i < SUMS; i++)
			row->rest[i] += sums[i];
		note_back(row, slice);
		return count_quanta(row, slice);
	}
	if (slice > row->latest && !end_slice(row))
		return false;
	row->latest = slice;
	for (int i = 0; i < SUMS; i++)
		row->now[i] += sums[i];
	return true;
}

/* Makes the slices of a row twice as wide, and quanta where they would be
 * small. false: no memory. */
static bool
widen_row(const struct dmt_slices *slices, struct dmt_slice_row *row)
{
	const uint32_t count = count_slices(slices, ++row->wide);
	unsigned odd[SUMS] = { 0 };	/* half quanta so far */
	bool twice[SUMS];

	row->partial = row->partial == 0 ? 0 : (row->partial - 1) / 2 + 1;
	for (int i = 0; i < SUMS; i++) {
		twice[i] = row->quantum[i] * 2 <= quantum_of(row, i, count);
		row->quantum[i] *= twice[i] ? 2 : 1;
	}
	for (uint32_t at = 0; at < count; at++) {
		for (int i = 0; i < SUMS; i++) {
			const unsigned both = quanta_of(row, 2 * at, i) +
			    (2 * at + 1 < row->count ?
			    quanta_of(row, 2 * at + 1, i) : 0) + odd[i];

			if (!set_quanta(row, at, i, both >> twice[i]))
				return false;
			odd[i] = twice[i] ? both & 1 : 0;
		}
		row->back[at] = row->back[2 * at];
	}
	row->count = count;
	return true;
}

static bool
is_used(const struct dmt_slice_row *row, int sum)
{
	return row->sum[sum] > 0 || row->below[sum] > 0;
}

static bool
is_empty(const struct dmt_slice_row *row, uint32_t slice)
{
	unsigned any = 0;

	for (int i = 0; i < SUMS; i++)
		any |= quanta_of(row, slice, i);
	return any == 0;
}

/* Returns a parameter for numbers of a sum, and adds about the number of their
 * bits. */
static unsigned
choose_rice(uint64_t sum, uint64_t count, size_t *bits)
{
	unsigned rice = 0;

	while (rice < 15 && sum >> rice > count)
		rice++;
	*bits += count * (1 + rice) + (sum >> rice);
	return rice;
}

static struct row_code
choose_code(const struct dmt_slice_row *row)
{
	struct row_code code = { .cells = 0 };
	uint64_t sums[SUMS] = { 0 };
	size_t dense = 0, sparse = 0;

	if (row->quanta == NULL)
		return code;
	for (uint32_t at = 0; at < row->count; at++) {
		code.cells += !is_empty(row, at);
		for (int i = 0; i < SUMS; i++)
			sums[i] += quanta_of(row, at, i);
	}
	code.skip = choose_rice(row->count - code.cells, code.cells,
	    &sparse);
	for (int i = 0; i < SUMS; i++)
		if (is_used(row, i)) {
			choose_rice(sums[i], code.cells, &sparse);
			choose_rice(sums[i], row->count, &dense);
		}
	code.sparse = sparse < dense;
	for (int i = 0; i < SUMS; i++)
		code.rice[i] = choose_rice(sums[i], code.sparse ? code.cells :
		    row->count, &(size_t){ 0 });
	code.bits = code.sparse ? sparse : dense;
	return code;
}

/* Returns how many bytes a row has at most. */
static size_t
bytes_of(const struct dmt_slice_row *row)
{
	return row->quanta == NULL ? 0 :
	    ROW_BYTES + choose_code(row).bits * 2 / 13;
}

bool
dmt_slices_fit(struct dmt_slices *slices, size_t most)
{
	size_t count, bytes = 0;
	struct row_time *const order = order_rows(slices,
	    DMTRACE_PROFILE_WALL, &count);
	bool narrow = order != NULL, done = order != NULL;

	for (size_t i = 0; i < slices->row_count; i++) {
		if (slices->rows[i].quanta != NULL)
			done = done && end_slice(&slices->rows[i]);
		bytes += bytes_of(&slices->rows[i]);
	}
	while (done && narrow && bytes > most) {
		narrow = false;
		for (size_t i = 0; done && i < count && bytes > most; i++) {
			struct dmt_slice_row *const row =
			    &slices->rows[order[i].row];

			if (row->quanta == NULL || row->count == 1)
				continue;
			bytes -= bytes_of(row);
			done = widen_row(slices, row);
			bytes += bytes_of(row);
			narrow = true;
		}
	}
	free(order);
	return done;
}

uint32_t
dmt_slices_mean(const struct dmt_slices *slices)
{
	uint64_t cells = 0;

	for (size_t i = 0; i < slices->row_count; i++)
		cells += slices->rows[i].count;
	return slices->row_count == 0 ? 0 :
	    (uint32_t)(cells / slices->row_count);
}

/* Bits on the way to an output, by 13. */
struct bits {
	struct dmt_output *out;		/* NULL: they are only counted */
	uint64_t value;
	unsigned count;
	size_t len;			/* of all that were put */
};

static void
put_bits(struct bits *bits, uint32_t value, unsigned count)
{
	bits->value = bits->value << count | value;
	bits->count += count;
	bits->len += count;
	while (bits->count >= 13) {
		bits->count -= 13;
		if (bits->out == NULL)
			continue;
		const unsigned pair = bits->value >> bits->count & 0x1fff;
		const unsigned digits[2] = { pair / 92, pair % 92 };
		char text[2];

		for (int i = 0; i < 2; i++)
			text[i] = dmt_view_digit(digits[i]);
		dmt_output_write(bits->out, text, 2);
	}
}

static void
put_rice(struct bits *bits, uint32_t number, unsigned rice)
{
	const uint32_t ones = number >> rice;

	if (ones >= UNARY_MOST) {
		put_bits(bits, (1U << UNARY_MOST) - 1, UNARY_MOST);
		put_bits(bits, number, 16);
	} else {
		put_bits(bits, (2U << ones) - 2, ones + 1);
		put_bits(bits, number & ((1U << rice) - 1), rice);
	}
}

/* The sums that are written. */
struct sum_order {
	int sums[SUMS];
	int count;
};

static void
put_row_bits(struct bits *bits, const struct dmt_slice_row *row,
    const struct row_code *code, const struct sum_order *order)
{
	uint32_t skipped = 0;

	for (uint32_t at = 0; at < row->count; at++) {
		if (code->sparse && is_empty(row, at)) {
			skipped++;
			continue;
		}
		if (code->sparse)
			put_rice(bits, skipped, code->skip);
		skipped = 0;
		for (int n = 0; n < order->count; n++)
			if (is_used(row, order->sums[n]))
				put_rice(bits, quanta_of(row, at,
				    order->sums[n]),
				    code->rice[order->sums[n]]);
	}
}

static uint64_t
times_back(const struct dmt_slice_row *row)
{
	uint64_t most = 0;

	for (uint32_t at = 0; at < row->count; at++)
		if (row->back[at] > most)
			most = row->back[at];
	return most + row->far_back;
}

static void
put_row_numbers(struct dmt_output *out, const struct dmt_slice_row *row,
    const struct row_code *code, const struct sum_order *order)
{
	struct bits bits = { .out = NULL };
	char text[(7 + 4 * SUMS) * DMT_VIEW_NUMBER_MAX];
	char *at = dmt_view_code(text, row->method);

	put_row_bits(&bits, row, code, order);
	at = dmt_view_code(at, row->wide);
	at = dmt_view_code(at, code->sparse ? code->cells : 0);
	at = dmt_view_code(at, bits.len);
	at = dmt_view_code(at, row->partial);
	at = dmt_view_code(at, times_back(row));
	at = dmt_view_code(at, code->skip);
	for (int n = 0; n < order->count; n++) {
		const int sum = order->sums[n];

		at = dmt_view_code(at, row->sum[sum]);
		at = dmt_view_code(at, row->below[sum]);
		if (!is_used(row, sum))
			continue;
		at = dmt_view_code(at, row->quantum[sum]);
		at = dmt_view_code(at, code->rice[sum]);
	}
	dmt_output_write(out, text, (size_t)(at - text));
}

static struct sum_order
order_sums(const bool has_clock[DMTRACE_PROFILE_CLOCKS])
{
	static const int clocks[] = { DMTRACE_PROFILE_WALL,
	    DMTRACE_PROFILE_CPU };
	struct sum_order order = {
		.sums = { DMT_SLICE_CALLS, DMT_SLICE_RECURSIVE }, .count = 2
	};

	for (int n = 0; n < DMTRACE_PROFILE_CLOCKS; n++) {
		if (!has_clock[clocks[n]])
			continue;
		order.sums[order.count++] = DMT_SLICE_INCLUSIVE + clocks[n];
		order.sums[order.count++] = DMT_SLICE_EXCLUSIVE + clocks[n];
	}
	return order;
}

void
dmt_slices_put(const struct dmt_slices *slices, struct dmt_output *out,
    uint32_t thread, const bool has_clock[DMTRACE_PROFILE_CLOCKS],
    uint64_t origin_ns, uint64_t late_ns)
{
	const struct sum_order order = order_sums(has_clock);
	struct bits bits = { .out = out };
	char text[5 * DMT_VIEW_NUMBER_MAX];
	size_t count = 0;

	for (size_t i = 0; i < slices->row_count; i++)
		count += slices->rows[i].thread == thread &&
		    slices->rows[i].quanta != NULL;
	char *at = dmt_view_code(text, slices->from_ns - origin_ns);
	at = dmt_view_code(at, slices->count);
	at = dmt_view_code(at, slices->width_ns);
	at = dmt_view_code(at, late_ns);
	at = dmt_view_code(at, count);
	dmt_output_write(out, text, (size_t)(at - text));
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < slices->row_count; i++) {
			const struct dmt_slice_row *const row =
			    &slices->rows[i];

			if (row->thread != thread || row->quanta == NULL)
				continue;
			const struct row_code code = choose_code(row);
			if (pass == 0)
				put_row_numbers(out, row, &code, &order);
			else
				put_row_bits(&bits, row, &code, &order);
		}
	put_bits(&bits, 0, 12);
}

void
dmt_slices_fini(struct dmt_slices *slices)
{
	for (size_t i = 0; i < slices->row_count; i++) {
		free(slices->rows[i].quanta);
		free(slices->rows[i].more);
		free(slices->rows[i].back);
	}
	free(slices->rows);
	dmt_idmap_fini(&slices->by_key);
	*slices = (struct dmt_slices){ .rows = NULL };
}
