/* record_list.c - an array of records of one layout */

#include "data/record_list.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/bytes.h"
#include "private/event.h"

bool
dmt_record_list_init(struct dmt_record_list *list,
    const struct dmt_layout *layout, size_t capacity)
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

void
dmt_layout_add_numbers(struct dmt_layout *layout)
{
	layout->record_size += 2 * sizeof(uint32_t);
}

void
dmt_records_add_numbers(uint8_t *out, const struct dmt_layout *layout,
    const uint8_t *records, const uint32_t *methods, const uint32_t *names,
    size_t count)
{
	const size_t size = layout->record_size;

	for (size_t i = 0; i < count; i++) {
		out = dmt_put_bytes(out, records + i * size, size);
		dmt_put_le32(out, methods[i]);
		dmt_put_le32(out + sizeof(uint32_t),
		    names == NULL ? 0 : names[i]);
		out += 2 * sizeof(uint32_t);
	}
}

void
dmt_records_take_numbers(uint8_t *records, uint32_t *methods, uint32_t *names,
    const struct dmt_layout *layout, const uint8_t *in, size_t count)
{
	const size_t size = layout->record_size;

	for (size_t i = 0; i < count; i++) {
		records = dmt_put_bytes(records, in, size);
		methods[i] = dmt_get_le32(in + size);
		names[i] = dmt_get_le32(in + size + sizeof(uint32_t));
		in += size + 2 * sizeof(uint32_t);
	}
}
