/* change_report.c - what was changed in a trace */

#include "cli/change_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/cli_files.h"
#include "cli/msg.h"
#include "cli/out.h"

/* "line 12" or "byte 64"; "" for the trace as a whole. */
static const char *
place(char text[32], const struct dmtrace_change *change)
{
	text[0] = '\0';
	if (change->place != DMTRACE_PLACE_NONE)
		snprintf(text, 32, "%s %" PRIu64,
		    change->place == DMTRACE_PLACE_LINE ? "line" : "byte",
		    change->at);
	return text;
}

static void
put_row(struct change_report *account, const struct dmtrace_change *change)
{
	struct row row;
	char first[32];

	row_begin(&row, &account->rows, account->form);
	row_string(&row, "name", change->name);
	row_string(&row, "kind", dmtrace_change_kind_name(change->kind));
	row_number(&row, "count", change->count);
	if (place(first, change)[0] == '\0')
		row_absent(&row, "first");
	else
		row_string(&row, "first", first);
	row_string(&row, "words", change->words);
	row_line(&row);
}

static void
put_text(struct change_report *account, const struct dmtrace_change *change)
{
	char line[DMTRACE_WORDS_MAX + 128], first[32];

	place(first, change);
	snprintf(line, sizeof(line), "%-8s %8" PRIu64 "  %s: %s%s%s%s\n",
	    dmtrace_change_kind_name(change->kind), change->count,
	    change->name, change->words, first[0] == '\0' ? "" : " (",
	    first, first[0] == '\0' ? "" : change->count == 1 ? ")" :
	    " first)");
	strbuf_string(&account->rows, line);
}

static void
say(struct change_report *account, const struct dmtrace_change *change)
{
	char first[32];

	place(first, change);
	progress_erase(&account->job->progress);
	msg_error("%s: %s%s%s: %" PRIu64 " %s", files_name(&account->in),
	    first, first[0] == '\0' ? "" : ": ", change->words,
	    change->count, dmtrace_change_kind_name(change->kind));
}

/* All of it is written before the trace gets its name: nothing can fail after
 * that. */
static int
print(struct change_report *account)
{
	struct out out;

	if (account->to_messages ||
	    (account->job->quiet && account->form == FORM_TEXT))
		return CMD_OK;
	if (account->form == FORM_TEXT && account->count == 0)
		strbuf_string(&account->rows, account->nothing);
	if (account->rows.failed) {
		msg_memory();
		return CMD_TROUBLE;
	}
	progress_erase(&account->job->progress);
	if (!out_open(&out, NULL))
		return CMD_TROUBLE;
	out_put(&out, account->rows.bytes, account->rows.len);
	return out_close(&out, CMD_OK);
}

int
change_report_add(void *context, const struct dmtrace_change *change)
{
	struct change_report *const account = context;

	if (change == NULL)
		return print(account);
	account->count++;
	if (account->to_messages) {
		if (!account->job->quiet)
			say(account, change);
	} else if (account->form == FORM_TEXT) {
		put_text(account, change);
	} else {
		put_row(account, change);
	}
	return 0;
}

void
change_report_begin(struct change_report *account)
{
	static const char *const names[] =
	    { "name", "kind", "count", "first", "words" };
	struct row row;

	if (account->form != FORM_TSV && account->form != FORM_CSV)
		return;
	row_begin(&row, &account->rows, account->form);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		row_string(&row, names[i], names[i]);
	row_line(&row);
}

void
change_report_fini(struct change_report *account)
{
	strbuf_fini(&account->rows);
}
