/* files.h - a folder for each test, and whole files in it */

#ifndef FILES_H
#define FILES_H

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A checked fixture: each test begins in an empty folder of its own. */
static inline void
folder_enter(void)
{
	char name[] = "XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(name));
	ck_assert_int_eq(chdir(name), 0);
}

static inline void
folder_leave(void)
{
	ck_assert_int_eq(chdir(".."), 0);
}

static inline void
file_put(const char *name, const void *bytes, size_t len)
{
	FILE *file = fopen(name, "wb");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
	ck_assert_int_eq(fclose(file), 0);
}

/* The caller frees it; NULL if there is no such file. */
static inline void *
file_get(const char *name, size_t *len)
{
	FILE *file = fopen(name, "rb");
	char *bytes = NULL;
	size_t got;

	*len = 0;
	if (file == NULL)
		return NULL;
	do {
		bytes = realloc(bytes, *len + 65536);
		ck_assert_ptr_nonnull(bytes);
		got = fread(bytes + *len, 1, 65536, file);
		*len += got;
	} while (got > 0);
	fclose(file);
	return bytes;
}

static inline void
assert_file(const char *name, const void *bytes, size_t len)
{
	size_t got;
	void *found = file_get(name, &got);

	ck_assert_msg(found != NULL, "there is no %s", name);
	ck_assert_uint_eq(got, len);
	ck_assert_int_eq(memcmp(found, bytes, len), 0);
	free(found);
}

/* How many files are in the folder, hidden ones too. */
static inline unsigned
file_count(const char *folder)
{
	DIR *dir = opendir(folder);
	unsigned count = 0;

	ck_assert_ptr_nonnull(dir);
	for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
		count += strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0;
	closedir(dir);
	return count;
}

#endif
