/* dmtracedump_methods.c - parses and sorts methods as dmtracedump does */

#include "report/dmtracedump.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"
#include "private/key.h"

enum { TOP_ID = -2, UNKNOWN_ID = -1, FIRST_ROW = 2 };

struct dmtrace_profile_options
dmtracedump_options(void)
{
	struct dmtrace_profile_options options = { 0 };

	options.keep = DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_AS_DMTRACEDUMP;
	options.by = DMTRACE_PROFILE_BY_ROW;
	return options;
}

/* Offsets in the text, which may still move; 0: none. */
struct place {
	size_t class_name, name, signature;
};

static void
put_terminated(struct dmt_output *text, const char *bytes, size_t len)
{
	dmt_output_write(text, bytes, len);
	dmt_output_write(text, "", 1);
}

/* Returns the length of the column at in if it is not empty and a TAB follows,
 * else 0. */
static size_t
measure_column(const char *in, const char *end)
{
	const char *tab = memchr(in, '\t', (size_t)(end - in));

	return tab == NULL ? 0 : (size_t)(tab - in);
}

/* Adds what follows the id. It is split if there are a class and a name; the
 * file is removed from the signature if a line number or a TAB follows. */
static struct place
put_line_columns(struct dmt_output *text, const char *in, const char *end)
{
	struct place place = { .class_name = text->len };
	const size_t class_len = measure_column(in, end);
	const size_t name_len = class_len == 0 ? 0 :
	    measure_column(in + class_len + 1, end);

	if (name_len == 0) {
		put_terminated(text, in, (size_t)(end - in));
		return place;
	}
	put_terminated(text, in, class_len);
	in += class_len + 1;
	place.name = text->len;
	put_terminated(text, in, name_len);
	in += name_len + 1;
	place.signature = text->len;
	const size_t len = measure_column(in, end);
	put_terminated(text, in, len > 0 && measure_column(in + len + 1,
	    end) > 0 ? len :
	    (size_t)(end - in));
	return place;
}

/* Adds the columns of a row's line or, if that has no TABs, the columns that
 * it would have. */
static struct place
put_row_columns(struct dmt_output *text, const struct dmtrace_key *key,
    size_t index)
{
	const struct dmtrace_text line = dmt_key_method_line(key, index);
	const char *const tab = line.len == 0 ? NULL :
	    memchr(line.bytes, '\t', line.len);

	if (tab != NULL)
		return put_line_columns(text, tab + 1, line.bytes + line.len);

	const struct dmtrace_method *const row =
	    dmtrace_key_method_get(key, index);
	const struct dmtrace_text parts[] =
	    { row->class_name, row->name, row->signature };
	struct dmt_output made = { 0 };
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].len > 0)
			dmt_output_write(&made, parts[i].bytes, parts[i].len);
		dmt_put(&made, "\t");
	}
	struct place place = { 0 };
	if (dmt_output_failed(&made))
		dmt_output_fail_memory(text);
	else
		place = put_line_columns(text, made.bytes,
		    made.bytes + made.len - 1);
	dmt_output_fini(&made);
	return place;
}

static const char *
text_at(const struct dmt_output *text, size_t place)
{
	return place == 0 ? NULL : text->bytes + place;
}

static int
compare_method_ids(const struct dump_method *a, const struct dump_method *b)
{
	return (a->id > b->id) - (a->id < b->id);
}

/* Sets ids and names. The first byte of the text belongs to no name, as offset
 * 0 means none. */
static bool
name_dump_methods(struct dump_methods *methods, const struct dmtrace_key *key)
{
	struct dmt_output *text = &methods->text;
	struct place *const places = calloc(methods->count, sizeof(*places));

	if (places == NULL)
		return false;
	dmt_output_write(text, "", 1);
	for (size_t i = 0; i < methods->count; i++) {
		struct dump_method *const method = &methods->items[i];

		method->profile_index = i;
		if (i < FIRST_ROW) {
			const char *const name = i == 0 ? "(toplevel)" :
			    "(unknown)";

			method->id = i == 0 ? TOP_ID : UNKNOWN_ID;
			places[i].class_name = text->len;
			put_terminated(text, name, strlen(name));
		} else {
			method->id = (int64_t)dmtrace_key_method_get(key,
			    i - FIRST_ROW)->id;
			places[i] = put_row_columns(text, key, i - FIRST_ROW);
		}
	}
	for (size_t i = 0; i < methods->count && !dmt_output_failed(text);
	    i++) {
		struct dump_method *const method = &methods->items[i];

		method->class_name = text_at(text, places[i].class_name);
		method->name = text_at(text, places[i].name);
		method->signature = text_at(text, places[i].signature);
	}
	free(places);
	return !dmt_output_failed(text);
}

bool
dump_methods_init(struct dump_methods *methods,
    const struct dmtrace_key *key)
{
	const size_t count = dmtrace_key_method_count(key) + FIRST_ROW;

	*methods = (struct dump_methods){
		.items = calloc(count, sizeof(*methods->items)),
		.sorted = calloc(count, sizeof(*methods->sorted)),
		.count = count
	};
	if (methods->items == NULL || methods->sorted == NULL ||
	    !name_dump_methods(methods, key)) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < count; i++)
		methods->sorted[i] = &methods->items[i];
	return dump_sort(methods->sorted, count, compare_method_ids);
}

void
dump_methods_profile(struct dump_methods *methods,
    const struct dmtrace_profile *profile, enum dmtrace_profile_clock clock)
{
	for (size_t i = 0; i < methods->count; i++) {
		struct dump_method *const method = &methods->items[i];
		struct dmtrace_profile_method from;

		dmtrace_profile_method_get(profile, 0, method->profile_index,
		    &from);
		method->inclusive_us = from.inclusive_ns[clock] / 1000;
		method->exclusive_us = from.exclusive_ns[clock] / 1000;
		method->outer_us = from.outer_ns[clock] / 1000;
		method->calls = from.calls;
		method->recursive_calls = from.recursive_calls;
	}
}

void
dump_methods_fini(struct dump_methods *methods)
{
	free(methods->items);
	free(methods->sorted);
	dmt_output_fini(&methods->text);
}

static void
merge_sort_methods(struct dump_method **methods, size_t count,
    struct dump_method **room, dump_compare *compare)
{
	const size_t half = count / 2;
	size_t left = 0, right = half, to = 0;

	if (count < 2)
		return;
	merge_sort_methods(methods, half, room, compare);
	merge_sort_methods(methods + half, count - half, room, compare);
	while (left < half && right < count)
		room[to++] = compare(methods[left], methods[right]) <= 0 ?
		    methods[left++] : methods[right++];
	memcpy(room + to, methods + left, (half - left) * sizeof(*room));
	memcpy(methods, room, (to + half - left) * sizeof(*room));
}

bool
dump_sort(struct dump_method **methods, size_t count, dump_compare *compare)
{
	struct dump_method **room = calloc(count + 1, sizeof(*room));

	if (room == NULL) {
		msg_memory();
		return false;
	}
	merge_sort_methods(methods, count, room, compare);
	free(room);
	return true;
}

static int
compare_dump_names(const struct dump_method *a, const struct dump_method *b)
{
	int order = strcmp(a->class_name, b->class_name);

	if (order != 0)
		return order;
	if (a->name == NULL || b->name == NULL)
		return compare_method_ids(a, b);
	order = strcmp(a->name, b->name);
	return order != 0 ? order : strcmp(a->signature, b->signature);
}

int
dump_by_inclusive(const struct dump_method *a, const struct dump_method *b)
{
	if (a->inclusive_us != b->inclusive_us)
		return a->inclusive_us < b->inclusive_us ? 1 : -1;
	return compare_dump_names(a, b);
}

int
dump_by_exclusive(const struct dump_method *a, const struct dump_method *b)
{
	if (a->exclusive_us != b->exclusive_us)
		return a->exclusive_us < b->exclusive_us ? 1 : -1;
	return compare_dump_names(a, b);
}

int
dump_by_class(const struct dump_method *a, const struct dump_method *b)
{
	const int order = strcmp(a->class_name, b->class_name);

	return order != 0 ? order : compare_method_ids(a, b);
}

int
dump_by_name(const struct dump_method *a, const struct dump_method *b)
{
	if (a->name == NULL || b->name == NULL)
		return dump_by_class(a, b);
	const int order = strcmp(a->name, b->name);
	return order != 0 ? order : dump_by_class(a, b);
}
