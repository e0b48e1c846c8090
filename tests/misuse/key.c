/* key.c - keys that are misused */

#include "misuse.h"

static void
an_index_past_the_end_has_no_row(void)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	const struct dmtrace_key *const key = dmtrace_writer_key(writer);

	for (size_t i = 0; i < 3; i++) {
		static const size_t indexes[] = { 1000, SIZE_MAX,
			SIZE_MAX / 2 };

		HOLDS(dmtrace_key_option_get(key, indexes[i]) == NULL);
		HOLDS(dmtrace_key_thread_get(key, indexes[i]) == NULL);
		HOLDS(dmtrace_key_method_get(key, indexes[i]) == NULL);
	}
	HOLDS(dmtrace_key_option_find(key, "") == NULL);
	HOLDS(dmtrace_key_thread_find(key, UINT32_MAX) == NULL);
	HOLDS(dmtrace_key_method_find(key, UINT64_MAX) == NULL);
	dmtrace_writer_free(writer);
}

/* A row is copied in, and its names are those of the key itself. */
static void
a_row_of_the_key_can_be_added_again(void)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_key *const key = dmtrace_writer_key(writer);

	OK(dmtrace_writer_add_thread(writer, 1, "the first thread"));
	OK(dmtrace_writer_add_method(writer, 4, "the.first.Class", "method"));
	for (uint32_t i = 2; i < 5000; i++) {
		struct dmtrace_thread thread = *dmtrace_key_thread_get(key, 0);
		struct dmtrace_method method = *dmtrace_key_method_get(key, 0);

		thread.id = i;
		method.id = 4 * i;
		OK(dmtrace_key_thread_add(key, &thread));
		OK(dmtrace_key_method_add(key, &method));
	}
	HOLDS(memcmp(dmtrace_key_thread_find(key, 4999)->name.bytes,
	    "the first thread", 16) == 0);
	HOLDS(memcmp(dmtrace_key_method_find(key, 19996)->class_name.bytes,
	    "the.first.Class", 15) == 0);
	dmtrace_writer_free(writer);
}

static void
a_row_that_is_there_is_refused(void)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();
	struct dmtrace_key *key = dmtrace_writer_key(writer);

	OK(dmtrace_writer_add_thread(writer, 1, "main"));
	IS(dmtrace_key_thread_add(key, dmtrace_key_thread_get(key, 0)),
	    DMTRACE_ERR_RANGE);
	HOLDS(dmtrace_key_thread_count(key) == 1);
	dmtrace_writer_free(writer);
	writer = dmtrace_writer_new();
	key = dmtrace_writer_key(writer);
	OK(dmtrace_writer_add_method(writer, 4, "a", "b"));
	IS(dmtrace_key_method_add(key, dmtrace_key_method_get(key, 0)),
	    DMTRACE_ERR_RANGE);
	HOLDS(dmtrace_key_method_count(key) == 1);
	dmtrace_writer_free(writer);
}

/* The caller's strings are gone when they are written. */
static void
names_of_the_caller_are_copied(void)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_key *const key = dmtrace_writer_key(writer);
	char *const name = letters(1000);
	const struct dmtrace_method method = {
		.id = 8, .class_name = { name, 10 }, .name = { name, 11 },
		.signature = { name, 12 }, .file = { name, 13 }, .line = 5
	};
	size_t len;

	OK(dmtrace_writer_open_memory(writer));
	OK(dmtrace_writer_add_thread(writer, 1, name));
	OK(dmtrace_writer_add_method(writer, 4, name, name));
	OK(dmtrace_key_method_add(key, &method));
	OK(dmtrace_key_option_set(key, name, name));
	free(name);
	OK(dmtrace_writer_close(writer));
	const char *const bytes = (const char *)
	    dmtrace_writer_memory(writer, &len);
	HOLDS(bytes != NULL && memchr(bytes, 'Z', len) == NULL);
	HOLDS(strstr(bytes, "\t5\n") != NULL);
	dmtrace_writer_free(writer);
}

static void
names_that_no_line_can_hold_are_refused(void)
{
	static const char *const names[] = { "", "a\tb", "a\nb", "a\rb" };
	static const char *const options[] = { "", "*x", "a=b", "a b", "a\n",
		"\xc3\xa4" };

	for (size_t i = 0; i < 4; i++) {
		struct dmtrace_writer *writer = dmtrace_writer_new();

		IS(dmtrace_writer_add_method(writer, 4, "a", names[i]),
		    DMTRACE_ERR_RANGE);
		dmtrace_writer_free(writer);
		writer = dmtrace_writer_new();
		IS(dmtrace_writer_add_thread(writer, 1, names[i]),
		    i == 0 ? DMTRACE_OK : DMTRACE_ERR_RANGE);
		dmtrace_writer_free(writer);
	}
	for (size_t i = 0; i < 6; i++) {
		struct dmtrace_writer *const writer = dmtrace_writer_new();

		IS(dmtrace_key_option_set(dmtrace_writer_key(writer),
		    options[i], ""), DMTRACE_ERR_RANGE);
		dmtrace_writer_free(writer);
	}
}

static void
a_name_that_is_too_long_is_refused(void)
{
	char *const name = letters(17 << 20);	/* DMTRACE_LIMIT_LINE: 16 */
	struct dmtrace_writer *writer = dmtrace_writer_new();

	IS(dmtrace_writer_add_thread(writer, 1, name), DMTRACE_ERR_LIMIT);
	dmtrace_writer_free(writer);
	writer = dmtrace_writer_new();
	IS(dmtrace_writer_add_method(writer, 4, name, "a"),
	    DMTRACE_ERR_LIMIT);
	dmtrace_writer_free(writer);
	writer = dmtrace_writer_new();
	IS(dmtrace_key_option_set(dmtrace_writer_key(writer), "a", name),
	    DMTRACE_ERR_LIMIT);
	dmtrace_writer_free(writer);
	free(name);
}

/* A length without bytes; the rest is in test_misuse.c. */
static void
an_empty_text_may_be_null(void)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	const struct dmtrace_thread thread = { 1, { NULL, 0 } };
	const struct dmtrace_method method = {
		.id = 4, .name = DMTRACE_TEXT("a"), .line = DMTRACE_NO_LINE
	};

	OK(dmtrace_key_thread_add(dmtrace_writer_key(writer), &thread));
	OK(dmtrace_key_method_add(dmtrace_writer_key(writer), &method));
	OK(dmtrace_writer_open_memory(writer));
	OK(dmtrace_writer_close(writer));
	dmtrace_writer_free(writer);
}

/* The key lives as long as its writer, complete or not. */
static void
the_key_of_a_closed_writer_can_be_read(void)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_key *const key = dmtrace_writer_key(writer);
	const struct dmtrace_thread thread = { 2, DMTRACE_TEXT("late") };

	OK(dmtrace_writer_add_thread(writer, 1, "main"));
	OK(dmtrace_writer_open_memory(writer));
	OK(dmtrace_writer_close(writer));
	HOLDS(dmtrace_writer_key(writer) == NULL);
	HOLDS(dmtrace_key_thread_count(key) == 1);
	HOLDS(dmtrace_key_thread_find(key, 1)->name.len == 4);
	IS(dmtrace_key_thread_add(key, &thread), DMTRACE_ERR_STATE);
	HOLDS(dmtrace_key_thread_count(key) == 1);
	dmtrace_writer_free(writer);
}

static const struct misuse cases[] = {
	CASE(an_index_past_the_end_has_no_row),
	CASE(a_row_of_the_key_can_be_added_again),
	CASE(a_row_that_is_there_is_refused),
	CASE(names_of_the_caller_are_copied),
	CASE(names_that_no_line_can_hold_are_refused),
	CASE(a_name_that_is_too_long_is_refused),
	CASE(an_empty_text_may_be_null),
	CASE(the_key_of_a_closed_writer_can_be_read)
};

MISUSE_MAIN(cases)
