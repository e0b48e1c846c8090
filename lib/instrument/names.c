/* names.c - the words of a function, from its address */

#include "instrument/names.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/cxx_name.h"
#include "instrument/objects.h"
#include "record/system.h"

#define NUMBER_ROOM 32		/* "+0x", 16 digits and more */

typedef char *
demangle_fn(const char *mangled, char *out, size_t *len, int *status);

static bool
make_room(struct dmt_hook_name *name, size_t need)
{
	size_t size = 4096;

	if (need <= name->size)
		return true;
	while (size < need)
		size *= 2;
	char *text = dmt_pages_new(size);
	if (text == NULL)
		return false;
	dmt_pages_free(name->text, name->size);
	name->text = text;
	name->size = size;
	return true;
}

/* The file's name, and behind it room for more. NULL: no memory. */
static char *
put_file(struct dmt_hook_name *name, const struct dmt_object_place *place,
    size_t more)
{
	const size_t len = strlen(place->file) + 1;

	if (!make_room(name, len + more))
		return NULL;
	memcpy(name->text, place->file, len);
	name->words = (struct dmtrace_method_words){
		.class_name = name->text,
		.name = name->text + len
	};
	return name->text + len;
}

static bool
put_symbol(struct dmt_hook_name *name, const struct dmt_object_place *place)
{
	const size_t len = strlen(place->symbol) + 1;
	char *to = put_file(name, place, len);

	if (to != NULL)
		memcpy(to, place->symbol, len);
	return to != NULL;
}

static bool
put_offset(struct dmt_hook_name *name, const struct dmt_object_place *place)
{
	const size_t room = strlen(place->file) + NUMBER_ROOM;
	char *to = put_file(name, place, room);

	if (to != NULL)
		snprintf(to, room, "%s+0x%" PRIxPTR, place->file,
		    place->offset);
	return to != NULL;
}

/* One byte more than the text has is for the NUL that the split puts in. */
static bool
put_cxx(struct dmt_hook_name *name, const struct dmt_object_place *place,
    const char *demangled)
{
	const size_t len = strlen(demangled) + 1;
	char *to = put_file(name, place, len + 1);
	struct dmt_cxx_name parts;

	if (to == NULL)
		return false;
	memcpy(to, demangled, len);
	dmt_cxx_name_split(&parts, to);
	name->words.name = parts.name;
	name->words.signature = parts.signature;
	if (parts.scope != NULL)
		name->words.class_name = parts.scope;
	return true;
}

static demangle_fn *
find_demangler(void)
{
	void *const symbol = dlsym(RTLD_DEFAULT, "__cxa_demangle");
	demangle_fn *function;

	memcpy(&function, &symbol, sizeof(function));
	return function;
}

/* To be freed; NULL: it is no C++ name, or nobody can tell. */
static char *
demangle(const char *symbol)
{
	demangle_fn *const demangler = strncmp(symbol, "_Z", 2) == 0 ?
	    find_demangler() : NULL;
	int status = 0;

	return demangler == NULL ? NULL :
	    demangler(symbol, NULL, NULL, &status);
}

static bool
put_place(struct dmt_hook_name *name, const struct dmt_object_place *place)
{
	if (place->symbol == NULL)
		return put_offset(name, place);
	char *demangled = name->plain ? NULL : demangle(place->symbol);
	const bool done = demangled == NULL ? put_symbol(name, place) :
	    put_cxx(name, place, demangled);
	free(demangled);
	return done;
}

bool
dmt_name_find(struct dmt_hook_name *name, uintptr_t address)
{
	struct dmt_object_place place;
	const bool found = dmt_objects_find(&place, address) &&
	    put_place(name, &place);

	dmt_objects_unlock();
	return found;
}

int
dmt_name_supply(void *context, uint64_t key,
    struct dmtrace_method_words *words)
{
	struct dmt_hook_name *name = context;

	if (!dmt_name_find(name, (uintptr_t)key))
		return 0;
	*words = name->words;
	return 1;
}
