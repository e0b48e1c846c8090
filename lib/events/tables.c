/* tables.c - arrays by thread or method index, which grow with the indexes */

/*
 * A source has a list of the arrays that were attached to it. After each batch
 * it compares how many threads and methods there are now with the length of
 * each array; only the first batches, and those that are the first to have a
 * thread or a method, take longer than that. So whoever pulls may use each
 * index of a batch without a check, and has no failure to handle.
 */

#include "events/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "events/pipeline.h"

struct dmt_attached {
	struct dmt_table table;
	void *pointer;			/* the owner's */
	char *items;
	size_t count;
	size_t capacity;
	struct dmt_attached *next;
};

static bool
fit_table(struct dmt_attached *attached, size_t count)
{
	const struct dmt_table *const table = &attached->table;
	const size_t size = table->item_size;

	if (attached->count >= count)
		return true;
	if (size > 0) {
		char *const items = dmt_array_grow_zero(attached->items,
		    &attached->capacity, count, size);

		if (items == NULL)
			return false;
		attached->items = items;
		/* The pointer's type is not known here. */
		memcpy(attached->pointer, &items, sizeof(items));
	}
	while (attached->count < count) {
		const size_t index = attached->count++;

		if (table->init != NULL && !table->init(table->owner,
		    (uint32_t)index, size == 0 ? NULL :
		    attached->items + index * size))
			return false;
	}
	return true;
}

size_t
dmt_index_count(const struct dmtrace_source *source, enum dmt_index_kind by)
{
	return by == DMT_BY_THREAD ? source->indexes->thread_count :
	    source->indexes->method_count;
}

bool
dmt_tables_fit(struct dmtrace_source *source)
{
	for (struct dmt_attached *i = source->tables; i != NULL; i = i->next)
		if (!fit_table(i, dmt_index_count(source, i->table.by)))
			return false;
	return true;
}

void
dmt_attach(struct dmtrace_source *source, void *items,
    const struct dmt_table *table)
{
	struct dmt_attached *const attached = calloc(1, sizeof(*attached));

	if (attached != NULL) {
		attached->table = *table;
		attached->pointer = items;
		struct dmt_attached **last = &source->tables;

		while (*last != NULL)
			last = &(*last)->next;
		*last = attached;
		if (table->item_size > 0)
			memcpy(items, &attached->items, sizeof(char *));
	}
	if (attached == NULL || !dmt_tables_fit(source))
		dmt_error_memory(&source->error);
}

void
dmt_detach(struct dmtrace_source *source)
{
	while (source->tables != NULL) {
		struct dmt_attached *const attached = source->tables;

		source->tables = attached->next;
		for (size_t i = 0; i < attached->count &&
		    attached->table.fini != NULL; i++)
			attached->table.fini(attached->items +
			    i * attached->table.item_size);
		free(attached->items);
		free(attached);
	}
}
