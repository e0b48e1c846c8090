/* record_list.c - records of one layout, side by side in memory */

#include "data/record_list.h"

#include <stdlib.h>

#include "base/array.h"
#include "private/event.h"

bool
dmt_record_list_init(struct dmt_record_list *list,
    const struct dmtrace_layout *layout, size_t capacity)
{
	*list = (struct dmt_record_list){
		.size = layout->record_size,
		.bytes = dmt_array_new(capacity, layout->record_size),
		.capacity = capacity
	};
	return list->bytes != NULL;
}

void
dmt_record_list_fini(struct dmt_record_list *list)
{
	free(list->bytes);
	*list = (struct dmt_record_list){ 0 };
}
