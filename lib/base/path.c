/* path.c - file names, and messages about files */

#include "base/path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/packing.h"
#include "private/output.h"

#define LINKS_MAX 40		/* as in Linux */
#define SHOWN_MAX 160		/* bytes of a path in a message */

static char *
concat_parts(const char *first, size_t first_len, const char *second)
{
	const size_t second_size = strlen(second) + 1;
	char *both = malloc(first_len + second_size);

	if (both == NULL)
		return NULL;
	memcpy(both, first, first_len);
	memcpy(both + first_len, second, second_size);
	return both;
}

char *
dmt_path_concat(const char *first, const char *second)
{
	return concat_parts(first, strlen(first), second);
}

char *
dmt_path_beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	return concat_parts(path,
	    slash == NULL ? 0 : (size_t)(slash - path) + 1, name);
}

bool
dmt_path_ends(const char *path, const char *suffix)
{
	const size_t len = path == NULL ? 0 : dmt_packing_stem(path);
	const size_t suffix_len = strlen(suffix);

	return len >= suffix_len &&
	    memcmp(path + len - suffix_len, suffix, suffix_len) == 0;
}

char *
dmt_path_name(const char *path, unsigned which)
{
	static const char *const suffixes[] =
	    { "", ".trace", ".key", ".data" };

	if (which < DMT_PATH_PLAIN_NAMES)
		return dmt_path_concat(path, suffixes[which]);
	which -= DMT_PATH_PLAIN_NAMES;
	char *const name = dmt_path_concat(path, suffixes[1 + which % 3]);
	char *const packed = name == NULL ? NULL : dmt_path_concat(name,
	    dmt_packing_get(which / 3)->suffix);
	free(name);
	return packed;
}

char *
dmt_path_partner(const char *path, unsigned which)
{
	const size_t stem = dmt_packing_stem(path);
	const bool is_key = dmt_path_ends(path, ".key");
	char *const plain = concat_parts(path, stem - strlen(is_key ? ".key" :
	    ".data"), is_key ? ".data" : ".key");
	char *const partner = plain == NULL ? NULL : dmt_path_concat(plain,
	    which == 0 ? path + stem : which == 1 ? "" :
	    dmt_packing_get(which - 2)->suffix);

	free(plain);
	return partner;
}

char *
dmt_path_resolve(const char *path)
{
	char target[PATH_MAX];

	if (path[0] == '\0') {
		errno = ENOENT;
		return NULL;
	}
	char *at = dmt_path_concat(path, "");
	for (int links = 0; at != NULL && links < LINKS_MAX; links++) {
		const ssize_t len = readlink(at, target, sizeof(target) - 1);
		if (len < 0)
			return at;
		target[len] = '\0';
		char *next = target[0] == '/' ? dmt_path_concat(target, "") :
		    dmt_path_beside(at, target);
		free(at);
		at = next;
	}
	if (at == NULL)
		return NULL;
	free(at);
	errno = ELOOP;
	return NULL;
}

char *
dmt_path_anchor(char *path)
{
	char folder[PATH_MAX];

	if (path[0] == '/' || getcwd(folder, sizeof(folder)) == NULL ||
	    strlen(folder) + 1 + strlen(path) >= PATH_MAX)
		return path;
	char *const slash = dmt_path_concat(folder, "/");
	char *const anchored = slash == NULL ? NULL :
	    dmt_path_concat(slash, path);
	free(slash);
	free(path);
	return anchored;
}

const char *
dmt_path_shown(const char *path)
{
	char folder[PATH_MAX];

	if (getcwd(folder, sizeof(folder)) == NULL)
		return path;
	const size_t len = strlen(folder);
	return strncmp(path, folder, len) == 0 && path[len] == '/' ?
	    path + len + 1 : path;
}

bool
dmt_path_is_template(const char *name)
{
	for (; (name = strchr(name, '%')) != NULL; name += 2)
		if (name[1] != 'p' && name[1] != 'n' && name[1] != '%')
			return false;
	return true;
}

enum dmtrace_status
dmt_path_failed(struct dmtrace_error *error, const char *what,
    const char *path)
{
	const int saved = errno;
	char shown[SHOWN_MAX];
	char tried[SHOWN_MAX + 40];

	if (path == NULL) {
		snprintf(tried, sizeof(tried), "%s", what);
	} else {
		dmt_escape(shown, sizeof(shown), path, strlen(path));
		snprintf(tried, sizeof(tried), "%s %s", what, shown);
	}
	errno = saved;
	return dmt_error_system(error, tried);
}
