/* record_list.h - an array of records of one layout */
#ifndef DMT_DATA_RECORD_LIST_H
#define DMT_DATA_RECORD_LIST_H

#include <stdbool.h>
#include <string.h>

#include "format/layout.h"
#include "private/event.h"

struct dmt_record_list {
	size_t size;			/* bytes of a record */
	uint8_t *bytes;
	size_t count;
	size_t capacity;
};

/* Initialises an empty list with space for capacity records. false: no memory.
 * Call fini in any case. */
bool
dmt_record_list_init(struct dmt_record_list *list,
    const struct dmt_layout *layout, size_t capacity);

void
dmt_record_list_fini(struct dmt_record_list *list);

/* Appends count of the records, from the first-th on. The list must have
 * space. */
static inline void
dmt_record_list_append(struct dmt_record_list *list, const uint8_t *records,
    size_t first, size_t count)
{
	memcpy(list->bytes + list->count * list->size,
	    records + first * list->size, count * list->size);
	list->count += count;
}

/* Changes a layout to one of records that are each followed by two 32-bit
 * numbers: what packets say of an event, and its record does not. */
void
dmt_layout_add_numbers(struct dmt_layout *layout);

/* Copies count records of the original layout to out, each followed by its
 * numbers. names may be NULL: 0 for all. */
void
dmt_records_add_numbers(uint8_t *out, const struct dmt_layout *layout,
    const uint8_t *records, const uint32_t *methods, const uint32_t *names,
    size_t count);

/* The reverse: separates records and numbers. */
void
dmt_records_take_numbers(uint8_t *records, uint32_t *methods, uint32_t *names,
    const struct dmt_layout *layout, const uint8_t *in, size_t count);

#endif
