/* objects.c - the program and its shared objects, where they are loaded */

#define _GNU_SOURCE		/* dl_iterate_phdr */

#include "instrument/objects.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record/system.h"

struct object {
	struct object *next;
	struct dmt_range range;
	uintptr_t bias;			/* loaded address - the file's */
	uint64_t identity;
	bool present;			/* in the list of a moment ago */
	bool read;
	struct dmt_symbols symbols;
	char path[PATH_MAX];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct dmt_guard holder;		/* of whoever has the lock */
static struct object *objects;

static void
lock(void)
{
	struct dmt_guard guard;

	dmt_lock(&mutex, &guard);
	holder = guard;
}

void
dmt_objects_unlock(void)
{
	const struct dmt_guard guard = holder;

	dmt_unlock(&mutex, &guard);
}

/* Until the process changes its folder, a relative name will do. */
static void
set_path(struct object *object, const char *name)
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
range_of(const struct dl_phdr_info *info)
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
remove_object(struct object **link)
{
	struct object *object = *link;

	*link = object->next;
	dmt_symbols_fini(&object->symbols);
	dmt_pages_free(object, sizeof(*object));
}

static bool
overlaps(const struct dmt_range *a, const struct dmt_range *b)
{
	return a->first <= b->last && b->first <= a->last;
}

/* What has another object in its place has gone unseen. */
static struct object *
find_noted(const struct dmt_range *range, uint64_t identity)
{
	struct object **link = &objects;

	while (*link != NULL) {
		if ((*link)->range.first == range->first &&
		    (*link)->range.last == range->last &&
		    (*link)->identity == identity)
			return *link;
		if (overlaps(&(*link)->range, range))
			remove_object(link);
		else
			link = &(*link)->next;
	}
	return NULL;
}

static int
note(struct dl_phdr_info *info, size_t size, void *unused)
{
	const struct dmt_range range = range_of(info);
	const uint64_t identity = dmt_symbols_identity(info->dlpi_phdr,
	    info->dlpi_phnum * sizeof(*info->dlpi_phdr));

	(void)size;
	(void)unused;
	if (range.first > range.last)
		return 0;
	struct object *object = find_noted(&range, identity);
	if (object == NULL) {
		object = dmt_pages_new(sizeof(*object));
		if (object == NULL)
			return 1;
		object->range = range;
		object->bias = info->dlpi_addr;
		object->identity = identity;
		set_path(object, info->dlpi_name);
		object->next = objects;
		objects = object;
	}
	object->present = true;
	return 0;
}

static void
note_all(void)
{
	for (struct object *object = objects; object != NULL;
	    object = object->next)
		object->present = false;
	dl_iterate_phdr(note, NULL);
}

static struct object *
find(uintptr_t address)
{
	struct object *object = objects;

	while (object != NULL && (address < object->range.first ||
	    address > object->range.last))
		object = object->next;
	return object;
}

static const char *
without_folders(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

bool
dmt_objects_find(struct dmt_object_place *place, uintptr_t address)
{
	lock();
	struct object *object = find(address);
	if (object == NULL) {
		note_all();
		object = find(address);
	}
	if (object == NULL)
		return false;
	if (!object->read)
		dmt_symbols_read(&object->symbols, object->path,
		    object->identity);
	object->read = true;
	place->file = without_folders(object->path);
	place->offset = address - object->bias;
	place->symbol = dmt_symbols_find(&object->symbols, place->offset);
	return true;
}

void
dmt_objects_note(void)
{
	lock();
	note_all();
	dmt_objects_unlock();
}

size_t
dmt_objects_gone(struct dmt_range *ranges, size_t max)
{
	size_t count = 0;

	lock();
	note_all();
	for (struct object *object = objects; object != NULL && count < max;
	    object = object->next)
		if (!object->present)
			ranges[count++] = object->range;
	dmt_objects_unlock();
	return count;
}

void
dmt_objects_forget(const struct dmt_range *range)
{
	struct object **link = &objects;

	lock();
	while (*link != NULL && ((*link)->present ||
	    (*link)->range.first != range->first))
		link = &(*link)->next;
	if (*link != NULL)
		remove_object(link);
	dmt_objects_unlock();
}

void
dmt_objects_after_fork(void)
{
	pthread_mutex_init(&mutex, NULL);
}
