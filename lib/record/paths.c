/* paths.c - the names of the files of a trace, without malloc */

#include "record/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINKS_MAX 40		/* as Linux has it */

static const char *const suffixes[] = { ".trace", ".key", ".data" };

enum { SUFFIXES = sizeof(suffixes) / sizeof(suffixes[0]) };

size_t
dmt_files_stem(const char *path)
{
	const size_t len = strlen(path);

	for (size_t i = 0; i < SUFFIXES; i++) {
		const size_t tail = strlen(suffixes[i]);
		if (len > tail &&
		    strcmp(path + len - tail, suffixes[i]) == 0)
			return len - tail;
	}
	return len;
}

static bool
is_pair(const char *path)
{
	const char *suffix = path + dmt_files_stem(path);

	return strcmp(suffix, ".key") == 0 || strcmp(suffix, ".data") == 0;
}

/* What snprintf says of a name of PATH_MAX bytes. */
static bool
has_room(int len)
{
	if (len >= 0 && len < PATH_MAX)
		return true;
	errno = ENAMETOOLONG;
	return false;
}

/* "X.trace" as it is, "X-0002.trace" for the second. */
static bool
set_whole(struct dmt_paths *paths, const char *path, unsigned number)
{
	if (number <= 1)
		return has_room(snprintf(paths->whole, PATH_MAX, "%s", path));
	return has_room(snprintf(paths->whole, PATH_MAX, "%.*s-%04u%s",
	    (int)dmt_files_stem(path), path, number, path +
	    dmt_files_stem(path)));
}

bool
dmt_paths_set(struct dmt_paths *paths, const char *path, unsigned number)
{
	if (strlen(path) >= PATH_MAX)
		return has_room(PATH_MAX);
	paths->joined = !is_pair(path);
	if (!set_whole(paths, path, number))
		return false;
	const int base = (int)(paths->joined ? strlen(paths->whole) :
	    dmt_files_stem(paths->whole));
	return has_room(snprintf(paths->key, PATH_MAX, "%.*s.key", base,
	    paths->whole)) && has_room(snprintf(paths->data, PATH_MAX,
	    "%.*s.data", base, paths->whole));
}

const char *
dmt_paths_last(const struct dmt_paths *paths)
{
	return paths->joined ? paths->whole : paths->key;
}

/* Bytes of path with its last slash. */
static int
folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? 0 : (int)(slash - path) + 1;
}

/* Until there are no temporaries, one of them is room for where a link leads
 * from its folder. */
bool
dmt_paths_resolve(struct dmt_paths *paths)
{
	char *link = paths->temporary;

	strcpy(paths->target, dmt_paths_last(paths));
	for (int links = 0; links < LINKS_MAX; links++) {
		const ssize_t len = readlink(paths->target, link,
		    PATH_MAX - 1);
		if (len < 0)
			return true;
		link[len] = '\0';
		const int at = link[0] == '/' ? 0 : folder(paths->target);
		if (!has_room(snprintf(paths->target + at,
		    (size_t)(PATH_MAX - at), "%s", link) + at))
			return false;
	}
	errno = ELOOP;
	return false;
}

bool
dmt_paths_may_create(const struct dmt_paths *paths)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.*s.", folder(paths->target),
	    paths->target);
	return faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0;
}

bool
dmt_paths_try(struct dmt_paths *paths, unsigned number)
{
	return has_room(snprintf(paths->temporary, PATH_MAX,
	    "%.*s.dmtrace-%ld-%u.tmp", folder(paths->target), paths->target,
	    (long)getpid(), number));
}
