/* report_html.c - a report as a page */

#include "report/report.h"

#include "cli/clock_option.h"
#include "cli/msg.h"
#include "private/export.h"

static const enum dmt_html_sort sorts[] = {
	[REPORT_SORT_INCLUSIVE] = DMT_HTML_INCLUSIVE,
	[REPORT_SORT_EXCLUSIVE] = DMT_HTML_EXCLUSIVE,
	[REPORT_SORT_CALLS] = DMT_HTML_CALLS,
	[REPORT_SORT_PER_CALL] = DMT_HTML_PER_CALL,
	[REPORT_SORT_OFF_CPU] = DMT_HTML_OFF_CPU,
	[REPORT_SORT_NAME] = DMT_HTML_NAME,
};

/* "unreadable: b.trace: cannot open b.trace; c.trace: ..." */
static void
put_note(struct strbuf *note, const struct report *report)
{
	const char *separator = "unreadable: ";

	for (size_t i = 0; i < report->unreadable_count; i++) {
		const struct report_unreadable *one = &report->unreadable[i];

		strbuf_printf(note, "%s%s: %s", separator, one->file,
		    one->error.message);
		separator = "; ";
	}
	strbuf_put(note, "", 1);
}

bool
report_html(const struct report *report)
{
	struct dmt_html_options options = { 0 };
	struct strbuf note = { 0 };

	options.title = report->title;
	options.clock = clock_of_profile(report->clock);
	options.sort = sorts[report->sort];
	options.per_thread = report->per_thread;
	options.calls = report->calls;
	options.threshold = report->threshold;
	options.top = report->top;
	put_note(&note, report);
	if (report->unreadable_count > 0)
		options.note = note.bytes;
	const bool fine = !note.failed && dmt_export_html(report->profile,
	    &options, report->table.out.sink) == DMTRACE_OK;
	strbuf_fini(&note);
	if (!fine)
		msg_memory();
	return fine;
}
