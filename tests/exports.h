/* exports.h - what a profile is exported as, in memory */

#ifndef EXPORTS_H
#define EXPORTS_H

#include <stdio.h>

#include "profiles.h"

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

static inline struct dmtrace_sink *
sink_to(FILE *file)
{
	struct dmtrace_sink *sink = dmtrace_sink_new();

	ck_assert_ptr_nonnull(file);
	ck_assert_ptr_nonnull(sink);
	ck_assert_int_eq(dmtrace_sink_open_fd(sink, fileno(file)),
	    DMTRACE_OK);
	return sink;
}

/* A method of any name, entered at 1 us and left at 3 us. */
static inline struct dmtrace_profile *
profile_of_name(const char *bytes, size_t len, unsigned keep)
{
	struct dmtrace_key *key = dmtrace_key_new();
	const struct dmtrace_method method = {
		.id = 4, .class_name = { "p/K", 3 }, .name = { bytes, len },
		.signature = { "()V", 3 }, .file = { "", 0 },
		.line = DMTRACE_NO_LINE
	};
	struct dmtrace_profile_options options;

	ck_assert_int_eq(dmtrace_key_method_add(key, &method), DMTRACE_OK);
	dmtrace_profile_options_init(&options);
	options.keep = keep;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	ck_assert_ptr_nonnull(profile);
	profile_add(profile, key, "1+A1 1-A3");
	dmtrace_key_free(key);
	return profile;
}

#endif
