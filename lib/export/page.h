/* page.h - the page of export_html.c: what it is about, its looks and moves */
#ifndef DMT_EXPORT_PAGE_H
#define DMT_EXPORT_PAGE_H

#include <dmtrace/export.h>

#include "profile/profile.h"

/* One page, as long as it is written. */
struct dmt_page {
	const struct dmtrace_profile *profile;
	const struct dmtrace_html_options *options;
	enum dmtrace_profile_clock clock;
	struct dmtrace_sink *sink;
	struct dmtrace_profile_summary summary;
	const uint32_t *references;	/* by method */
	bool off_cpu;			/* both clocks are there */
	size_t table;			/* the one under way */
	int64_t total_ns;
};

/* A table of methods: the top comes first, then those that the options leave,
 * in order. table is that of the profile: 0, or a thread's. false: no
 * memory. */
bool
dmt_page_put_table(struct dmt_page *page, size_t table);

/* Lines, up to NULL. */
extern const char *const dmt_page_style[];
extern const char *const dmt_page_script[];

#endif
