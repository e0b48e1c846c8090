/* text_names.c - short names of methods, each for one id */

/*
 * A line of an event names its method by the shortest form that stands for one
 * method among those that were defined before the line. The table has every
 * form of every name and the id that owns it; a form with two owners is not
 * used. Dump and undump add the same methods at the same places, so that a
 * form means the same to both.
 */

#include "text/text_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/bytes.h"
#include "private/utf8.h"

static bool
is_printable(struct dmtrace_text text, bool spaces)
{
	for (size_t i = 0; i < text.len; ) {
		uint32_t code;
		const size_t used =
		    dmt_utf8_decode(&code, text.bytes + i, text.len - i);

		if (used == 0 || code < ' ' || dmt_utf8_is_unsafe(code))
			return false;
		if (code == ' ' && (!spaces || i == 0 || i + 1 == text.len ||
		    text.bytes[i - 1] == ' '))
			return false;
		i += used;
	}
	return text.len > 0 && text.bytes[0] != '"';
}

bool
dmt_text_is_word(struct dmtrace_text text)
{
	return is_printable(text, false);
}

bool
dmt_text_is_words(struct dmtrace_text text)
{
	return is_printable(text, true);
}

/* NULL: no memory. */
static struct text_owner *
get_owner(struct text_names *names, struct dmtrace_text name)
{
	struct text_owner *const owners = dmt_array_grow_zero(names->owners,
	    &names->owners_capacity, names->table.count + 1, sizeof(*owners));

	if (owners == NULL)
		return NULL;
	names->owners = owners;
	const uint32_t index = dmt_name_table_intern(&names->table,
	    &(struct dmt_name){ .name = name });
	return index == DMT_NO_NAME ? NULL : &owners[index];
}

struct text_owner
dmt_text_names_find(const struct text_names *names, struct dmtrace_text name)
{
	const uint32_t index = dmt_name_table_find(&names->table,
	    &(struct dmt_name){ .name = name });

	return index == DMT_NO_NAME ?
	    (struct text_owner){ 0, TEXT_OWNER_NONE } : names->owners[index];
}

bool
dmt_text_names_alias(struct text_names *names, struct dmtrace_text name,
    uint64_t id)
{
	struct text_owner *const owner = get_owner(names, name);

	if (owner == NULL)
		return false;
	if (owner->owners == TEXT_OWNER_NONE)
		*owner = (struct text_owner){ id, TEXT_OWNER_ONE };
	else if (owner->id != id)
		owner->owners = TEXT_OWNER_SEVERAL;
	return true;
}

/* The i-th form of the name of a method, the shortest first. */
static struct dmtrace_text
get_form(const struct text_method *method, unsigned i)
{
	const size_t from = i < 2 ? method->simple : 0;
	const size_t to = i % 2 == 0 ? method->bare : method->name.len;

	return (struct dmtrace_text){ method->name.bytes + from, to - from };
}

enum { FORMS = 4 };

/* Sets the name of a method, if it is one that can be shown. false: no
 * memory. */
static bool
set_name(struct text_names *names, struct text_method *method,
    const struct dmtrace_method *row)
{
	const size_t class_len = row->class_name.len;
	const size_t dot = class_len > 0;
	const size_t len = class_len + dot + row->name.len +
	    row->signature.len;
	char *const name = dmt_arena_alloc(&names->table.arena, len + 1);

	if (name == NULL)
		return false;
	uint8_t *at = dmt_put_bytes((uint8_t *)name, row->class_name.bytes,
	    class_len);
	at = dmt_put_bytes(at, ".", dot);
	at = dmt_put_bytes(at, row->name.bytes, row->name.len);
	dmt_put_bytes(at, row->signature.bytes, row->signature.len);

	/* Signs, numbers and quotes begin other things in a line, and "-" is
	 * the innermost call. */
	if (len == 0 || !dmt_text_is_word((struct dmtrace_text){ name, len }))
		return true;
	const size_t package = dmt_class_package(row->class_name).len;
	size_t simple = package > 0 && package < class_len ? package + 1 : 0;
	if (strchr("<>!?#*=0123456789", name[simple]) != NULL)
		simple = 0;
	const size_t bare = len > row->signature.len ?
	    len - row->signature.len : len;	/* a signature alone */
	if (strchr("<>!?#*=0123456789", name[0]) != NULL ||
	    (name[0] == '-' && bare == 1))
		return true;
	method->name = (struct dmtrace_text){ name, len };
	method->simple = simple;
	method->bare = bare;
	return true;
}

bool
dmt_text_names_add(struct text_names *names, uint64_t id,
    const struct dmtrace_method *row)
{
	struct text_method *const methods = dmt_array_grow(names->methods,
	    &names->capacity, names->count + 1, sizeof(*methods));

	if (methods == NULL)
		return false;
	names->methods = methods;
	struct text_method *const method = &methods[names->count];
	*method = (struct text_method){ .simple = 0 };
	if (!set_name(names, method, row))
		return false;
	uint32_t *const index = dmt_idmap_at(&names->by_id, id);
	if (index == NULL)
		return false;
	*index = (uint32_t)names->count++;
	names->version++;
	if (method->name.len == 0)
		return true;
	for (unsigned i = 0; i < FORMS; i++)
		if (!dmt_text_names_alias(names, get_form(method, i), id))
			return false;
	return true;
}

struct dmtrace_text
dmt_text_names_show(struct text_names *names, uint64_t id)
{
	const uint32_t *const index = dmt_idmap_find(&names->by_id, id);
	struct text_method *const method =
	    index == NULL ? NULL : &names->methods[*index];

	if (method != NULL && method->version == names->version)
		return method->shown;
	for (unsigned i = 0; method != NULL && method->name.len > 0 &&
	    i < FORMS; i++) {
		const struct dmtrace_text form = get_form(method, i);
		const struct text_owner owner =
		    dmt_text_names_find(names, form);

		if (owner.owners != TEXT_OWNER_ONE || owner.id != id)
			continue;
		method->shown = form;
		method->version = names->version;
		return form;
	}
	const int len = snprintf(names->number, sizeof(names->number),
	    "0x%" PRIx64, id);
	return (struct dmtrace_text){ names->number, (size_t)len };
}

void
dmt_text_names_fini(struct text_names *names)
{
	dmt_name_table_fini(&names->table);
	dmt_idmap_fini(&names->by_id);
	free(names->owners);
	free(names->methods);
}
