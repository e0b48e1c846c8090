/* reader_names.c - names of threads and methods, as C strings */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/reader.h"

/* Makes room for a name of so many bytes and its NUL. false: no memory. */
static bool
reserve_name(struct dmt_reader_name *name, size_t len)
{
	if (len < name->size)
		return true;
	char *const bytes = len > SIZE_MAX / 2 ? NULL :
	    realloc(name->bytes, len * 2 + 32);

	if (bytes == NULL)
		return false;
	name->bytes = bytes;
	name->size = len * 2 + 32;
	return true;
}

const char *
dmtrace_reader_thread_name(struct dmtrace_reader *reader, uint32_t thread)
{
	if (reader == NULL)
		return NULL;
	struct dmt_reader_name *const name = &reader->thread_name;
	const struct dmtrace_thread *const row = reader->has_key ?
	    dmtrace_key_thread_find(reader->key, thread) : NULL;

	if (!reserve_name(name, row == NULL ? 16 : row->name.len))
		return NULL;
	if (row == NULL)
		snprintf(name->bytes, name->size, "%" PRIu32, thread);
	else
		snprintf(name->bytes, name->size, "%.*s",
		    (int)row->name.len, row->name.bytes);
	return name->bytes;
}

const char *
dmtrace_reader_method_name(struct dmtrace_reader *reader, uint64_t method)
{
	if (reader == NULL)
		return NULL;
	struct dmt_reader_name *const name = &reader->method_name;
	const struct dmtrace_method *const row = reader->has_key ?
	    dmtrace_key_method_find(reader->key, method) : NULL;

	if (!reserve_name(name, row == NULL ? 24 :
	    row->class_name.len + row->name.len + 1))
		return NULL;
	if (row == NULL) {
		snprintf(name->bytes, name->size, "0x%" PRIx64,
		    method);
		return name->bytes;
	}
	snprintf(name->bytes, name->size, "%.*s%s%.*s",
	    (int)row->class_name.len, row->class_name.bytes,
	    row->class_name.len == 0 ? "" : ".",
	    (int)row->name.len, row->name.bytes);
	for (size_t i = 0; i < row->class_name.len; i++)
		if (name->bytes[i] == '/')
			name->bytes[i] = '.';
	return name->bytes;
}
