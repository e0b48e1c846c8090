/* test_expect_laws.c - a trace meets the specification that is made from it */

#include <dmtrace.h>
#include <string.h>

#include "helpers/samples.h"
#include "helpers/unit.h"
#include "private/output.h"
#include "private/verify.h"

static struct dmtrace_reader *
open_sample(const struct sample *sample)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	if (dmtrace_reader_open_memory(reader, sample->bytes, sample->len) ==
	    DMTRACE_OK)
		return reader;
	dmtrace_reader_free(reader);
	return NULL;
}

/* Writes the spec anew; the caller frees the text. NULL: too deep. */
static char *
update(const struct sample *sample, struct dmtrace_spec *spec,
    unsigned flags)
{
	struct dmtrace_reader *const reader = open_sample(sample);
	struct dmt_output sink = { 0 };
	struct dmtrace_op *const op = dmtrace_op_new();
	FILE *const file = tmpfile();
	char *text = NULL;

	dmt_output_open_fd(&sink, fileno(file));
	const enum dmtrace_status status = dmt_spec_update(op, spec,
	    reader, flags, &sink);
	if (status == DMTRACE_OK) {
		ck_assert_int_eq(dmt_output_close(&sink), DMTRACE_OK);
		const long len = ftell((fseek(file, 0, SEEK_END), file));
		rewind(file);
		text = calloc(1, (size_t)len + 1);
		ck_assert_uint_eq(fread(text, 1, (size_t)len, file),
		    (size_t)len);
	} else {
		ck_assert_int_eq(status, DMTRACE_ERR_LIMIT);
	}
	fclose(file);
	dmt_output_fini(&sink);
	dmtrace_op_free(op);
	dmtrace_reader_free(reader);
	return text;
}

static struct dmtrace_spec *
decode(const char *text)
{
	struct dmtrace_spec *const spec = dmtrace_spec_new();

	ck_assert_msg(dmtrace_spec_decode(spec, text, strlen(text)) ==
	    DMTRACE_OK, "%s", dmtrace_spec_error(spec)->message);
	return spec;
}

/* How much of the text is not met. */
static uint64_t
count_unmet(const struct sample *sample, const char *text)
{
	struct dmtrace_reader *const reader = open_sample(sample);
	struct dmtrace_spec *const spec = decode(text);
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_expected expected;

	ck_assert_int_eq(dmtrace_expect(op, spec, reader, NULL, NULL,
	    &expected), DMTRACE_OK);
	dmtrace_op_free(op);
	dmtrace_spec_free(spec);
	dmtrace_reader_free(reader);
	return expected.unmet;
}

/* The line of a call, one of many: an indented one. NULL: there is none. */
static char *
find_call(char *text, unsigned seed)
{
	const char *const end = text + strlen(text);
	char *found = NULL;

	for (char *at = text; at < end;
	    at = (char *)memchr(at, '\n', (size_t)(end - at)) + 1) {
		seed = seed * 1103515245 + 12345;
		if (*at == ' ' && (found == NULL || (seed >> 16) % 16 == 0))
			found = at;
	}
	return found;
}

/* A copy with words after the line of a call, or without that line. */
static char *
change(const char *text, size_t at, const char *after, bool drop)
{
	const size_t begin = at, end = at + strcspn(text + at, "\n");
	char *const changed = calloc(1, strlen(text) + strlen(after) + 1);

	memcpy(changed, text, drop ? begin : end);
	strcat(changed, after);
	strcat(changed, text + end + drop);
	return changed;
}

static void
assert_changes_tell(const struct sample *sample, char *text)
{
	char *const call = find_call(text, (unsigned)sample->len);

	if (call == NULL)
		return;
	const size_t at = (size_t)(call - text);
	const size_t columns = strspn(call, " ");
	const char *const after = strchr(call, '\n');
	const bool leaf = after == NULL || strspn(after + 1, " ") <= columns;
	char other[64] = "\n";

	memset(other + 1, ' ', columns < 32 ? columns : 32);
	strcat(other, "nowhere.none");
	char *const more = columns > 32 ? NULL :
	    change(text, at, other, false);
	if (more != NULL)
		ck_assert_uint_gt(count_unmet(sample, more), 0);
	if (leaf) {
		char *const less = change(text, at, "", true);
		ck_assert_uint_gt(count_unmet(sample, less), 0);
		free(less);
	}
	free(more);
}

START_TEST(what_is_written_is_met)
{
	const struct sample *const sample = sample_get(_i);
	struct dmtrace_reader *const reader = open_sample(sample);

	if (reader == NULL)
		return;
	dmtrace_reader_free(reader);
	for (unsigned flags = 0; flags <= DMT_SPEC_SIGNATURES; flags++) {
		struct dmtrace_spec *const none = dmtrace_spec_new();
		char *const text = update(sample, none, flags);

		dmtrace_spec_free(none);
		if (text == NULL)
			return;
		ck_assert_uint_eq(count_unmet(sample, text), 0);
		struct dmtrace_spec *const spec = decode(text);
		char *const again = update(sample, spec, flags);
		ck_assert_str_eq(again, text);
		dmtrace_spec_free(spec);
		assert_changes_tell(sample, text);
		free(again);
		free(text);
	}
}
END_TEST

int
main(void)
{
	samples_load();
	Suite *suite = suite_create("expect laws");
	TCase *tcase = unit_tcase(suite, "expect laws");

	tcase_add_loop_test(tcase, what_is_written_is_met, 0,
	    (int)samples_count());
	return unit_main(suite);
}
