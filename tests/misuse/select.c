/* select.c - selections that are misused */

#include "misuse.h"

/* What the first read of the selection returns. */
static int
first_read(const struct dmtrace_select_options *options)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;

	make_trace("x.trace");
	OK(dmtrace_reader_open_path(reader, "x.trace"));
	struct dmtrace_source *const source =
	    dmtrace_select(dmtrace_source_new(reader), options);
	const int status = dmtrace_source_next(source, &event);
	IS(dmtrace_source_error(source)->status,
	    status == DMTRACE_END ? DMTRACE_OK : status);
	HOLDS(status == DMTRACE_OK || status == DMTRACE_END ||
	    dmtrace_source_next(source, &event) == (enum dmtrace_status)
	    status);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	return status;
}

/* The lists, and the strings in them, are gone at the first read. */
static void
options_are_copied(void)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;
	char *const name = strdup("ma?n,1"), *const method = strdup("/a.*b/");
	const char **const threads = (const char **)calloc(2, sizeof(*threads));
	const char **const methods = (const char **)calloc(2, sizeof(*methods));
	struct dmtrace_select_options *const options =
	    (struct dmtrace_select_options *)calloc(1, sizeof(*options));

	make_trace("x.trace");
	OK(dmtrace_reader_open_path(reader, "x.trace"));
	threads[0] = name;
	methods[0] = method;
	options->threads = threads;
	options->methods = options->under = methods;
	struct dmtrace_source *const source =
	    dmtrace_select(dmtrace_source_new(reader), options);
	memset(name, '?', 6);
	memset(method, '?', 6);
	free(name);
	free(method);
	free(threads);
	free(methods);
	free(options);
	OK(dmtrace_source_next(source, &event));
	OK(dmtrace_source_next(source, &event));
	IS(dmtrace_source_next(source, &event), DMTRACE_END);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
}

static void
malformed_conditions_are_refused(void)
{
	static const char *const expression[] = { "/(/", NULL };
	static const struct dmtrace_select_options rows[] = {
		{ .methods = expression }, { .hidden = expression },
		{ .under = expression }, { .threads = expression },
		{ .from_ns = 5000, .to_ns = 1000 },
		{ .from_ns = 5000, .invert = 1 },
		{ .first_depth = 5, .last_depth = 3 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		IS(first_read(&rows[i]), DMTRACE_ERR_RANGE);
}

static void
numbers_without_a_limit_select_nothing_or_all(void)
{
	static const struct {
		struct dmtrace_select_options options;
		enum dmtrace_status status;
	} rows[] = {
		{ { .to_ns = UINT64_MAX }, DMTRACE_OK },
		{ { .from_ns = UINT64_MAX - 1 }, DMTRACE_END },
		{ { .min_ns = UINT64_MAX }, DMTRACE_END },
		{ { .first_depth = UINT32_MAX }, DMTRACE_END },
		{ { .last_depth = UINT32_MAX }, DMTRACE_OK },
		{ { .invert = -77 }, DMTRACE_END },
		{ { .raw = -77, .invert = 5, .from_ns = UINT64_MAX - 1 },
		    DMTRACE_OK },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		IS(first_read(&rows[i].options), rows[i].status);
}

/* A list without an item, or with an empty one. */
static void
empty_lists_and_items_end_in_a_status(void)
{
	static const char *const none[] = { NULL };
	static const char *const odd[] = { "", "!", "//", "/", ",", ",,", "!,",
		"!!", "0x", "-1", "99999999999999999999", "\\", "[", "*", "?",
		"\xff\xfe" };

	first_read(&(struct dmtrace_select_options){ .threads = none });
	first_read(&(struct dmtrace_select_options){ .methods = none });
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		const char *const list[] = { odd[i], NULL };

		first_read(&(struct dmtrace_select_options){
		    .threads = list });
		first_read(&(struct dmtrace_select_options){
		    .methods = list });
		first_read(&(struct dmtrace_select_options){
		    .under = list });
		first_read(&(struct dmtrace_select_options){
		    .hidden = list });
	}
}

/* A pattern that backtracks, against a long name. */
static void
a_pattern_of_stars_does_not_take_for_ever(void)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	const char *const list[] = {
		"*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", NULL
	};
	struct dmtrace_event event;
	char *const name = letters(5000);

	dmtrace_writer_open_path(writer, "long.trace");
	dmtrace_writer_add_thread(writer, 1, name);
	dmtrace_writer_add_method(writer, 4, name, name);
	dmtrace_writer_enter(writer, 1, 4, 0);
	OK(dmtrace_writer_close(writer));
	OK(dmtrace_reader_open_path(reader, "long.trace"));
	struct dmtrace_source *const source =
	    dmtrace_select(dmtrace_source_new(reader),
		&(struct dmtrace_select_options){ .threads = list,
		    .methods = list, .under = list });
	IS(dmtrace_source_next(source, &event), DMTRACE_END);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
	free(name);
}

/* A selection of a selection of ... */
static void
selections_can_be_stacked(void)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;

	make_trace("x.trace");
	OK(dmtrace_reader_open_path(reader, "x.trace"));
	struct dmtrace_source *source = dmtrace_source_new(reader);
	for (int i = 0; i < 200; i++)
		source = dmtrace_select(source,
		    &(struct dmtrace_select_options){ .min_ns = 1 });
	OK(dmtrace_source_next(source, &event));
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
}

static const struct misuse cases[] = {
	CASE(options_are_copied),
	CASE(malformed_conditions_are_refused),
	CASE(numbers_without_a_limit_select_nothing_or_all),
	CASE(empty_lists_and_items_end_in_a_status),
	CASE(a_pattern_of_stars_does_not_take_for_ever),
	CASE(selections_can_be_stacked)
};

MISUSE_MAIN(cases)
