/* checksum_rows.c - checksums by the names of threads */

#include "checksum/checksum_rows.h"

#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"

int
checksum_row_compare(const struct checksum_row *a, const struct checksum_row *b)
{
	if (a->name == NULL || b->name == NULL) {
		if (a->name != NULL || b->name != NULL)
			return a->name == NULL ? 1 : -1;
		return (a->thread > b->thread) - (a->thread < b->thread);
	}
	const size_t len = a->len < b->len ? a->len : b->len;
	const int order = memcmp(a->name, b->name, len);

	return order != 0 ? order : (a->len > b->len) - (a->len < b->len);
}

/* For qsort. */
static int
compare(const void *a, const void *b)
{
	return checksum_row_compare(a, b);
}

bool
sum_is_same(const struct dmtrace_sum *a, const struct dmtrace_sum *b)
{
	return a->high == b->high && a->low == b->low;
}

/* False: no memory. */
static bool
add_row(struct checksum_rows *sums, const struct dmtrace_thread_sum *thread)
{
	struct checksum_row *const row = &sums->rows[sums->count];

	*row = (struct checksum_row){
		.thread = thread->thread,
		.threads = 1,
		.records = thread->records,
		.sum = thread->sum,
	};
	if (thread->name.bytes != NULL) {
		row->name = malloc(thread->name.len + 1);
		if (row->name == NULL)
			return false;
		memcpy(row->name, thread->name.bytes, thread->name.len);
		row->len = thread->name.len;
	}
	sums->count++;
	return true;
}

/* Rows of one name, which stand side by side, become one. */
static void
unite(struct checksum_rows *sums)
{
	size_t used = 0;

	for (size_t i = 0; i < sums->count; i++) {
		struct checksum_row *const row = &sums->rows[i];
		struct checksum_row *const last =
		    used == 0 ? NULL : &sums->rows[used - 1];

		if (last == NULL || checksum_row_compare(last, row) != 0) {
			sums->rows[used++] = *row;
			continue;
		}
		last->threads += row->threads;
		last->records += row->records;
		dmtrace_sum_add(&last->sum, &row->sum);
		free(row->name);
	}
	sums->count = used;
}

static bool
add_rows(struct checksum_rows *sums, const struct dmtrace_checksum *checksum)
{
	struct checksum_row *const grown = realloc(sums->rows,
	    (sums->count + checksum->thread_count + 1) * sizeof(*grown));

	if (grown == NULL)
		return false;
	sums->rows = grown;
	for (size_t i = 0; i < checksum->thread_count; i++)
		if (!add_row(sums, &checksum->threads[i]))
			return false;
	qsort(sums->rows, sums->count, sizeof(*sums->rows), compare);
	unite(sums);
	return true;
}

bool
checksum_rows_add(struct checksum_rows *sums,
    const struct dmtrace_checksum *checksum)
{
	if (!add_rows(sums, checksum)) {
		msg_memory();
		return false;
	}
	dmtrace_sum_add(&sums->sum, &checksum->sum);
	sums->records += checksum->records;
	sums->added += checksum->added;
	return true;
}

void
checksum_rows_fini(struct checksum_rows *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		free(sums->rows[i].name);
	free(sums->rows);
	*sums = (struct checksum_rows){ .rows = NULL };
}
