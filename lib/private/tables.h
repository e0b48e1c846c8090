/* tables.h - arrays by thread or method index, which grow with the indexes */
/* layer: events */
#ifndef DMT_PRIVATE_TABLES_H
#define DMT_PRIVATE_TABLES_H

#include <dmtrace/select.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dmt_index_kind { DMT_BY_THREAD, DMT_BY_METHOD };

struct dmt_table {
	enum dmt_index_kind by;
	size_t item_size;		/* in bytes; 0: the owner keeps its
					   own array, and init grows it */
	/* Begins a new item, which is zero. false: no memory, and fini is
	 * called in this case, too. NULL: it begins as zero. */
	bool (*init)(void *owner, uint32_t index, void *item);
	void (*fini)(void *item);	/* frees what it owns; NULL: nothing */
	void *owner;
};

/*
 * Gives a stage or a sink an array with an item for each index of the source
 * that it pulls from. items is the address of a pointer of the owner. From now
 * on it points to an array that has room for all indexes of the batch that the
 * owner holds, and after the last batch for all indexes: it may move in each
 * pull. The array is freed with the source. A failure is one of the source:
 * its next pull returns it.
 */
void
dmt_attach(struct dmtrace_source *source, void *items,
    const struct dmt_table *table);

/* Frees the arrays, for a sink that ends while its source goes on: other
 * sinks may pull from it. */
void
dmt_detach(struct dmtrace_source *source);

/* Returns how many indexes there are: the length of an array after a batch. */
size_t
dmt_index_count(const struct dmtrace_source *source, enum dmt_index_kind by);

#endif
