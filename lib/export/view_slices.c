/* view_slices.c - sums of calls by method and by slice of time */

/*
 * Calls that a page does not show one by one are counted by method and by slice
 * of time, so that the page can compute figures of a range of time: the slices
 * inside it are exact, and those at its edges are the difference between two
 * bounds. A trace of one phase with few methods has room for narrow slices, one
 * with many methods in all slices has not. So the slices begin narrow; when
 * there are too many cells, all slices become twice as wide, and pairs of cells
 * become one. This takes time in proportion to the number of cells, and halves
 * it, unless methods are called in few slices.
 *
 * The cells of a row are a list, with the last one first, because nearly all
 * calls are added to the last cell or after it.
 */

#include "export/view_slices.h"

#include <stdlib.h>

#include "base/array.h"
#include "export/view_page.h"

#define SLICES 2048			/* at first */
#define NO_CELL UINT32_MAX

bool
dmt_slices_begin(struct dmt_slices *slices, uint64_t from_ns, uint64_t to_ns,
    size_t most, bool droppable)
{
	dmt_slices_fini(slices);
	*slices = (struct dmt_slices){
		.from_ns = from_ns, .most = most, .droppable = droppable,
		.width_ns = (to_ns - from_ns) / SLICES + 1
	};
	return true;
}

static void
add_cell_sums(struct dmt_cell_sums *to, const struct dmt_cell_sums *from)
{
	to->calls += from->calls;
	to->recursive += from->recursive;
	to->partial |= from->partial;
	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++) {
		to->inclusive[clock] += from->inclusive[clock];
		to->exclusive[clock] += from->exclusive[clock];
	}
}

/* Makes slices twice as wide. false: no memory. */
static bool
widen_slices(struct dmt_slices *slices)
{
	struct dmt_slice_cell *const cells = dmt_array_new(
	    slices->cell_capacity, sizeof(*cells));
	uint32_t count = 0;

	if (cells == NULL)
		return false;
	for (size_t i = 0; i < slices->row_count; i++) {
		struct dmt_slice_cell *made = NULL;
		uint32_t *link = &slices->rows[i].last;

		for (uint32_t at = *link; at != NO_CELL;
		    at = slices->cells[at].before) {
			const struct dmt_slice_cell *const cell =
			    &slices->cells[at];

			if (made != NULL && made->slice == cell->slice / 2) {
				add_cell_sums(&made->sums, &cell->sums);
				continue;
			}
			*link = count;
			made = &cells[count++];
			*made = *cell;
			made->slice /= 2;
			link = &made->before;
		}
		*link = NO_CELL;
	}
	free(slices->cells);
	slices->cells = cells;
	slices->cell_count = count;
	slices->width_ns *= 2;
	return true;
}

/* Makes space for one more cell. Sets dropped if there is none. false: no
 * memory. */
static bool
reserve_cell(struct dmt_slices *slices)
{
	while (slices->cell_count >= slices->most) {
		if (slices->cell_count > slices->row_count) {
			if (!widen_slices(slices))
				return false;
			continue;
		}
		if (slices->droppable) {
			dmt_slices_fini(slices);
			slices->dropped = true;
			return true;
		}
		slices->most *= 2;
	}
	struct dmt_slice_cell *const cells = dmt_array_grow(slices->cells,
	    &slices->cell_capacity, slices->cell_count + 1, sizeof(*cells));
	if (cells == NULL)
		return false;
	slices->cells = cells;
	return true;
}

/* Returns the index of a row, which is added if it is new; UINT32_MAX: no
 * memory. */
static uint32_t
find_slice_row(struct dmt_slices *slices, uint32_t thread, uint32_t method)
{
	const uint64_t key = (uint64_t)thread << 32 | method;
	const uint32_t *const found = dmt_idmap_find(&slices->by_key, key);

	if (found != NULL)
		return *found;
	const uint32_t index = (uint32_t)slices->row_count;
	struct dmt_slice_row *const rows = dmt_array_grow(slices->rows,
	    &slices->row_capacity, slices->row_count + 1, sizeof(*rows));
	if (rows == NULL || !dmt_idmap_add(&slices->by_key, key, index))
		return UINT32_MAX;
	slices->rows = rows;
	rows[slices->row_count++] = (struct dmt_slice_row){
		.thread = thread, .method = method, .last = NO_CELL
	};
	return index;
}

bool
dmt_slices_add(struct dmt_slices *slices, uint32_t thread, uint32_t method,
    uint64_t time_ns, const struct dmt_cell_sums *sums)
{
	if (slices->dropped)
		return true;
	if (!reserve_cell(slices))
		return false;
	if (slices->dropped)
		return true;
	const uint32_t index = find_slice_row(slices, thread, method);
	if (index == UINT32_MAX)
		return false;

	const uint64_t passed = time_ns < slices->from_ns ? 0 :
	    (time_ns - slices->from_ns) / slices->width_ns;
	const uint32_t slice = passed < SLICES ? (uint32_t)passed : SLICES - 1;
	uint32_t *link = &slices->rows[index].last;
	while (*link != NO_CELL && slices->cells[*link].slice > slice)
		link = &slices->cells[*link].before;
	if (*link != NO_CELL && slices->cells[*link].slice == slice) {
		add_cell_sums(&slices->cells[*link].sums, sums);
		return true;
	}
	slices->cells[slices->cell_count] = (struct dmt_slice_cell){
		.sums = *sums, .slice = slice, .before = *link
	};
	*link = (uint32_t)slices->cell_count++;
	return true;
}

/* Returns a time in units of scale_ns; times below zero are modulo 2^64. */
static uint64_t
scale_time(uint64_t ns, uint64_t scale_ns)
{
	return (uint64_t)((int64_t)ns / (int64_t)scale_ns);
}

void
dmt_slices_put(const struct dmt_slices *slices, struct dmt_output *out,
    uint32_t thread, const bool has_clock[DMTRACE_PROFILE_CLOCKS],
    uint64_t scale_ns)
{
	static const int order[] = { DMTRACE_PROFILE_WALL,
	    DMTRACE_PROFILE_CPU };
	const struct dmt_slice_cell *list[SLICES];

	for (size_t i = 0; i < slices->row_count; i++) {
		const struct dmt_slice_row *const row = &slices->rows[i];
		char text[8 * DMT_VIEW_NUMBER_MAX];
		size_t count = 0;
		uint32_t slice = 0;

		if (row->thread != thread)
			continue;
		for (uint32_t at = row->last; at != NO_CELL;
		    at = slices->cells[at].before)
			list[count++] = &slices->cells[at];
		char *at = dmt_view_code(text, row->method);
		at = dmt_view_code(at, count);
		dmt_output_write(out, text, (size_t)(at - text));
		while (count > 0) {
			const struct dmt_slice_cell *const cell =
			    list[--count];
			const struct dmt_cell_sums *const sums = &cell->sums;

			at = dmt_view_code(text, cell->slice - slice);
			slice = cell->slice;
			at = dmt_view_code(at, sums->calls * 2 +
			    sums->partial);
			at = dmt_view_code(at, sums->recursive);
			for (int n = 0; n < 2; n++) {
				const int clock = order[n];

				if (!has_clock[clock])
					continue;
				at = dmt_view_code(at, dmt_view_fold(scale_time(
				    sums->inclusive[clock], scale_ns)));
				at = dmt_view_code(at, dmt_view_fold(scale_time(
				    sums->exclusive[clock], scale_ns)));
			}
			dmt_output_write(out, text, (size_t)(at - text));
		}
	}
}

void
dmt_slices_fini(struct dmt_slices *slices)
{
	free(slices->rows);
	free(slices->cells);
	dmt_idmap_fini(&slices->by_key);
	*slices = (struct dmt_slices){ .dropped = slices->dropped };
}
