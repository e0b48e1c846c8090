/* method_names.c - the methods of several traces, by name */

#include "verify/diff/method_names.h"

#include <stdlib.h>

#include "base/array.h"
#include "ops/digest.h"
#include "private/text.h"

#define NAMES_MAX (UINT32_C(1) << 30)

/* Dalvik writes com/a/B, ART com.a.B. */
static char
class_byte(char byte)
{
	return byte == '.' ? '/' : byte;
}

static bool
same_name(const struct dmt_name *a, const struct dmt_name *b)
{
	size_t i = 0;

	if (a->listed != b->listed || !dmt_text_equal(a->name, b->name) ||
	    !dmt_text_equal(a->signature, b->signature) ||
	    a->class_name.len != b->class_name.len)
		return false;
	while (i < a->class_name.len && class_byte(a->class_name.bytes[i]) ==
	    class_byte(b->class_name.bytes[i]))
		i++;
	return i == a->class_name.len;
}

static uint64_t
add_text(uint64_t hash, struct dmtrace_text text, bool is_class)
{
	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (uint8_t)(is_class ? class_byte(text.bytes[i]) :
		    text.bytes[i])) * dmt_digest_low.step;
	return dmt_digest_mix(hash + text.len);
}

static bool
copy_text(struct dmt_arena *bytes, struct dmtrace_text *text)
{
	text->bytes = dmt_arena_copy(bytes, text->bytes, text->len);
	return text->bytes != NULL;
}

uint32_t
dmt_names_find(struct dmt_names *names, const struct dmt_name *wanted)
{
	uint64_t hash = (uintptr_t)names + wanted->listed;

	hash = add_text(hash, wanted->class_name, true);
	hash = add_text(hash, wanted->name, false);
	hash = add_text(hash, wanted->signature, false);
	uint32_t *const first = dmt_idmap_find(&names->by_hash, hash);
	for (uint32_t i = first == NULL ? 0 : *first; i != 0;
	    i = names->items[i - 1].next)
		if (same_name(&names->items[i - 1], wanted))
			return i - 1;

	const uint32_t index = (uint32_t)names->count;
	struct dmt_name *const items = index >= NAMES_MAX ? NULL :
	    dmt_array_grow(names->items, &names->capacity, names->count + 1,
	    sizeof(*items));
	if (items == NULL)
		return DMT_NO_NAME;
	names->items = items;
	struct dmt_name *const name = &items[index];
	*name = *wanted;
	name->next = first == NULL ? 0 : *first;
	if (!copy_text(&names->bytes, &name->class_name) ||
	    !copy_text(&names->bytes, &name->name) ||
	    !copy_text(&names->bytes, &name->signature))
		return DMT_NO_NAME;
	if (first != NULL)
		*first = index + 1;
	else if (!dmt_idmap_add(&names->by_hash, hash, index + 1))
		return DMT_NO_NAME;
	names->count++;
	return index;
}

void
dmt_names_fini(struct dmt_names *names)
{
	free(names->items);
	dmt_idmap_fini(&names->by_hash);
	dmt_arena_fini(&names->bytes);
}
