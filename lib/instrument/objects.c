/* objects.c - the program and its shared objects: addresses and symbols */

#define _GNU_SOURCE		/* dl_iterate_phdr */

#include "instrument/objects.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record/system.h"

/*
 * This is a list of the objects (the program and its shared objects) that were
 * seen, each with its range of addresses and, once one of its functions has
 * been looked up, its symbols. dl_iterate_phdr is called only for an address
 * that is in none of them, and before and after a dlclose: dmt_objects_gone
 * returns what was unloaded, so that its functions get their names before
 * another object uses the same addresses. An object is recognised by its range
 * and the hash of its program headers.
 *
 * The C library's dladdr is not enough: it only knows exported symbols.
 */

struct loaded_object {
	struct loaded_object *next;
	struct dmt_range range;
	uintptr_t bias;			/* loaded address minus address in
					   file */
	uint64_t identity;
	bool present;			/* it was in the last list of the
					   system */
	bool read;
	struct dmt_symbols symbols;
	char path[PATH_MAX];
};

static pthread_mutex_t objects_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct dmt_guard objects_guard;		/* taken by the holder of the
						   lock */
static struct loaded_object *loaded_objects;

static void
lock_objects(void)
{
	struct dmt_guard guard;

	dmt_lock(&objects_mutex, &guard);
	objects_guard = guard;
}

void
dmt_objects_unlock(void)
{
	const struct dmt_guard guard = objects_guard;

	dmt_unlock(&objects_mutex, &guard);
}

/* A relative name is enough until the process changes its directory. */
static void
set_object_path(struct loaded_object *object, const char *name)
{
	ssize_t len = -1;

	if (name[0] == '\0')
		len = readlink("/proc/self/exe", object->path,
		    sizeof(object->path) - 1);
	if (len > 0)
		object->path[len] = '\0';
	else if (name[0] == '/' || strchr(name, '/') == NULL ||
	    getcwd(object->path, sizeof(object->path) / 2) == NULL)
		snprintf(object->path, sizeof(object->path), "%s", name);
	else
		snprintf(object->path + strlen(object->path),
		    sizeof(object->path) / 2, "/%s", name);
}

static struct dmt_range
address_range(const struct dl_phdr_info *info)
{
	struct dmt_range range = { UINTPTR_MAX, 0 };

	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		const uintptr_t first = info->dlpi_addr + part->p_vaddr;
		if (part->p_type != PT_LOAD || part->p_memsz == 0)
			continue;
		if (first < range.first)
			range.first = first;
		if (first + part->p_memsz - 1 > range.last)
			range.last = first + part->p_memsz - 1;
	}
	return range;
}

static void
free_object_at(struct loaded_object **link)
{
	struct loaded_object *object = *link;

	*link = object->next;
	dmt_symbols_fini(&object->symbols);
	dmt_mapped_free(object, sizeof(*object));
}

/* If the range of another object overlaps, that object was unloaded
 * unnoticed. */
static struct loaded_object *
find_noted_object(const struct dmt_range *range, uint64_t identity)
{
	struct loaded_object **link = &loaded_objects;

	while (*link != NULL) {
		if ((*link)->range.first == range->first &&
		    (*link)->range.last == range->last &&
		    (*link)->identity == identity)
			return *link;
		if ((*link)->range.first <= range->last &&
		    range->first <= (*link)->range.last)
			free_object_at(link);
		else
			link = &(*link)->next;
	}
	return NULL;
}

static int
note_object(struct dl_phdr_info *info, size_t size, void *unused)
{
	const struct dmt_range range = address_range(info);
	const uint64_t identity = dmt_symbols_identity(info->dlpi_phdr,
	    info->dlpi_phnum * sizeof(*info->dlpi_phdr));

	(void)size;
	(void)unused;
	if (range.first > range.last)
		return 0;
	struct loaded_object *object = find_noted_object(&range, identity);
	if (object == NULL) {
		object = dmt_mapped_new(sizeof(*object));
		if (object == NULL)
			return 1;
		object->range = range;
		object->bias = info->dlpi_addr;
		object->identity = identity;
		set_object_path(object, info->dlpi_name);
		object->next = loaded_objects;
		loaded_objects = object;
	}
	object->present = true;
	return 0;
}

static void
note_all_objects(void)
{
	for (struct loaded_object *object = loaded_objects; object != NULL;
	    object = object->next)
		object->present = false;
	dl_iterate_phdr(note_object, NULL);
}

static struct loaded_object *
find_object(uintptr_t address)
{
	struct loaded_object *object = loaded_objects;

	while (object != NULL && (address < object->range.first ||
	    address > object->range.last))
		object = object->next;
	return object;
}

bool
dmt_objects_find(struct dmt_object_place *place, uintptr_t address)
{
	lock_objects();
	struct loaded_object *object = find_object(address);
	if (object == NULL) {
		note_all_objects();
		object = find_object(address);
	}
	if (object == NULL)
		return false;
	if (!object->read)
		dmt_symbols_read(&object->symbols, object->path,
		    object->identity);
	object->read = true;
	const char *const slash = strrchr(object->path, '/');
	place->file = slash != NULL ? slash + 1 : object->path;
	place->offset = address - object->bias;
	place->symbol = dmt_symbols_find(&object->symbols, place->offset);
	return true;
}

void
dmt_objects_note(void)
{
	lock_objects();
	note_all_objects();
	dmt_objects_unlock();
}

size_t
dmt_objects_gone(struct dmt_range *ranges, size_t max)
{
	size_t count = 0;

	lock_objects();
	note_all_objects();
	for (struct loaded_object *object = loaded_objects; object != NULL &&
	    count < max;
	    object = object->next)
		if (!object->present)
			ranges[count++] = object->range;
	dmt_objects_unlock();
	return count;
}

void
dmt_objects_forget(const struct dmt_range *range)
{
	struct loaded_object **link = &loaded_objects;

	lock_objects();
	while (*link != NULL && ((*link)->present ||
	    (*link)->range.first != range->first))
		link = &(*link)->next;
	if (*link != NULL)
		free_object_at(link);
	dmt_objects_unlock();
}

void
dmt_objects_after_fork(void)
{
	pthread_mutex_init(&objects_mutex, NULL);
}
