/* exports.h - what a profile is exported as, in memory */

#ifndef EXPORTS_H
#define EXPORTS_H

#include <stdio.h>

#include "helpers/failing.h"
#include "helpers/profiles.h"
#include "private/key.h"
#include "private/output.h"

#define EXPORT_MAX (1 << 20)

/* What was written to a file, from its beginning, as a string; free it. */
static inline char *
text_of(FILE *file)
{
	char *text = malloc(EXPORT_MAX);
	size_t len;

	ck_assert_ptr_nonnull(text);
	rewind(file);
	len = fread(text, 1, EXPORT_MAX - 1, file);
	text[len] = '\0';
	fclose(file);
	return text;
}

static inline struct dmt_output
sink_to(FILE *file)
{
	struct dmt_output sink;

	ck_assert_ptr_nonnull(file);
	dmt_output_open_fd(&sink, fileno(file));
	return sink;
}

/* Exports a profile; options are those of the form. */
typedef enum dmtrace_status
export_fn(const struct dmtrace_profile *profile, const void *options,
    struct dmt_output *sink);

/* What it comes to, to be freed. */
static inline char *
export_text(export_fn *export, const struct dmtrace_profile *profile,
    const void *options)
{
	FILE *file = tmpfile();
	struct dmt_output sink = sink_to(file);

	ck_assert_int_eq(export(profile, options, &sink), DMTRACE_OK);
	ck_assert_int_eq(dmt_output_close(&sink), DMTRACE_OK);
	dmt_output_fini(&sink);
	return text_of(file);
}

/* The failure of the export, else that of the close. nth: what of that kind
 * fails from the export on; 0: nothing does. */
static inline enum dmtrace_status
export_with_fault(export_fn *export, const struct dmtrace_profile *profile,
    const void *options, enum fault kind, unsigned nth)
{
	FILE *file = tmpfile();
	struct dmt_output sink = sink_to(file);

	if (nth > 0)
		fault_arm(kind, nth);
	const enum dmtrace_status status = export(profile, options, &sink);
	const enum dmtrace_status closed = dmt_output_close(&sink);
	dmt_output_fini(&sink);
	fclose(file);
	return status != DMTRACE_OK ? status : closed;
}

static inline enum dmtrace_status
export_status(export_fn *export, const struct dmtrace_profile *profile,
    const void *options)
{
	return export_with_fault(export, profile, options, FAULT_ALLOC, 0);
}

/* With each allocation failing in turn. */
static inline void
assert_tells_no_memory(export_fn *export,
    const struct dmtrace_profile *profile, const void *options)
{
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		failing.nth++;
		failing_reported(&failing, export_with_fault(export, profile,
		    options, failing.kind, failing.nth));
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
}

/* A method of any name, entered at 1 us and left at 3 us. */
static inline struct dmtrace_profile *
profile_of_name(const char *bytes, size_t len, unsigned keep)
{
	struct dmtrace_key *key = dmt_key_new();
	const struct dmtrace_method method = {
		.id = 4, .class_name = { "p/K", 3 }, .name = { bytes, len },
		.signature = { "()V", 3 }, .file = { "", 0 },
		.line = DMTRACE_NO_LINE
	};
	struct dmtrace_profile_options options = { 0 };

	ck_assert_int_eq(dmtrace_key_method_add(key, &method), DMTRACE_OK);
	options.keep = keep;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	ck_assert_ptr_nonnull(profile);
	profile_add(profile, key, "1+A1 1-A3");
	dmt_key_free(key);
	return profile;
}

#define LONG_NAME 20000

/* Of so many letters, which are put to name. */
static inline struct dmtrace_profile *
profile_of_long_name(char name[LONG_NAME + 1])
{
	memset(name, 'x', LONG_NAME);
	name[LONG_NAME] = '\0';
	return profile_of_name(name, LONG_NAME,
	    DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_TREE);
}

#endif
