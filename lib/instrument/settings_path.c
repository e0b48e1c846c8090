/* settings_path.c - the names of the files of several processes */

#include "instrument/settings.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NUMBERS_MAX 1000	/* of files of one name */

/* Of a name without folders; "a.out" if the system has none. */
static void
program_name(char name[PATH_MAX])
{
	const ssize_t len = readlink("/proc/self/exe", name, PATH_MAX - 1);

	name[len > 0 ? len : 0] = '\0';
	char *slash = strrchr(name, '/');
	if (slash != NULL)
		memmove(name, slash + 1, strlen(slash + 1) + 1);
	if (name[0] == '\0')
		strcpy(name, "a.out");
}

/* Bytes of path before its suffix. */
static size_t
stem(const char *path)
{
	static const char *const suffixes[] = { ".trace", ".key", ".data" };
	const size_t len = strlen(path);

	for (size_t i = 0; i < 3; i++) {
		const size_t tail = strlen(suffixes[i]);
		if (len > tail && strcmp(path + len - tail, suffixes[i]) == 0)
			return len - tail;
	}
	return len;
}

/* false: it does not fit. */
static bool
insert(char path[PATH_MAX], const char *text)
{
	const size_t at = stem(path), len = strlen(path), more = strlen(text);

	if (len + more >= PATH_MAX)
		return false;
	memmove(path + at + more, path + at, len - at + 1);
	memcpy(path + at, text, more);
	return true;
}

static bool
has_process(const char *template)
{
	for (; *template != '\0'; template++) {
		if (template[0] != '%')
			continue;
		if (template[1] == 'p')
			return true;
		template++;
	}
	return false;
}

static bool
append(char path[PATH_MAX], size_t *len, const char *text)
{
	const size_t more = strlen(text);

	if (*len + more >= PATH_MAX)
		return false;
	memcpy(path + *len, text, more + 1);
	*len += more;
	return true;
}

/* What stands for the character behind a "%". */
static void
translate(char c, char text[PATH_MAX])
{
	if (c == 'p')
		snprintf(text, PATH_MAX, "%ld", (long)getpid());
	else if (c == 'n')
		program_name(text);
	else
		strcpy(text, "%");
}

static bool
expand(const char *template, char path[PATH_MAX])
{
	char text[PATH_MAX];
	size_t len = 0;

	path[0] = '\0';
	for (; *template != '\0'; template++) {
		if (*template == '%')
			translate(*++template, text);
		else
			snprintf(text, sizeof(text), "%c", *template);
		if (!append(path, &len, text))
			return false;
	}
	return true;
}

/* Of a pair, either half counts. */
static bool
exists(const char *path)
{
	char half[PATH_MAX + 8];

	if (access(path, F_OK) == 0)
		return true;
	snprintf(half, sizeof(half), "%.*s.data", (int)stem(path), path);
	return access(half, F_OK) == 0;
}

/* "X-2.trace" where there is an X.trace. */
static bool
find_free(char path[PATH_MAX])
{
	char first[PATH_MAX], number[16];

	strcpy(first, path);
	for (unsigned i = 2; exists(path) && i < NUMBERS_MAX; i++) {
		strcpy(path, first);
		snprintf(number, sizeof(number), "-%u", i);
		if (!insert(path, number))
			return false;
	}
	return true;
}

bool
dmt_settings_heritage(const char *template, char heritage[PATH_MAX])
{
	snprintf(heritage, PATH_MAX, "%s", template);
	return has_process(template) || insert(heritage, "-%p");
}

bool
dmt_settings_path(const char *template, bool own, char path[PATH_MAX])
{
	char heritage[PATH_MAX];

	if (!own && !has_process(template))
		return expand(template, path);
	return dmt_settings_heritage(template, heritage) &&
	    expand(heritage, path) && find_free(path);
}
