/* reader_verdicts.c - prints what other programs do with traces, for --for */

#include "validate/reader_verdicts.h"

#include <string.h>

#include "cli/escapes.h"
#include "cli/msg.h"
#include "private/suggestion.h"
#include "private/text.h"
#include "private/verify.h"

static bool
refuse_reader(const char *name, size_t len)
{
	char wanted[64], similar[DMT_SUGGESTION_TEXT_MAX];
	struct dmt_suggestion suggestion = { .wanted = wanted };

	if (len >= sizeof(wanted))
		len = sizeof(wanted) - 1;
	memcpy(wanted, name, len);
	wanted[len] = '\0';
	dmt_suggestion_offer(&suggestion, "all");
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		dmt_suggestion_offer(&suggestion, dmtrace_other_reader_name(
		    (enum dmtrace_other_reader)i));
	struct dmt_output list = { 0 };
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		dmt_put_format(&list, ", %s", dmtrace_other_reader_name(
		    (enum dmtrace_other_reader)i));
	msg_error("--for: no reader \"%s\"%s; the readers are all%.*s",
	    wanted, dmt_suggestion_text(&suggestion, "", similar),
	    (int)list.len, list.bytes);
	dmt_output_fini(&list);
	return false;
}

bool
reader_verdicts_add(struct reader_verdicts *readers,
    const struct opt_list *names)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *at = names->items[i];

		for (size_t len; at != NULL;
		    at = at[len] == '\0' ? NULL : at + len + 1) {
			len = strcspn(at, ",");
			const struct dmtrace_text name = { at, len };
			const bool all = dmt_text_is(name, "all");
			bool found = all;

			for (unsigned j = 0; j < DMTRACE_READERS; j++)
				if (all || dmt_text_is(name,
				    dmtrace_other_reader_name(
				    (enum dmtrace_other_reader)j)))
					found = readers->asked[j] = true;
			readers->any |= found;
			if (!found)
				return refuse_reader(at, len);
		}
	}
	return true;
}

const char *const reader_verdicts_columns[] =
    { "file", "reader", "verdict", "finding", "message", NULL };

static void
put_verdict_text(struct dmt_output *buffer, const char *file,
    const char *reader, const struct dmtrace_verdict *verdict)
{
	escape_put(buffer, escape_message, file, strlen(file));
	dmt_put_format(buffer, ": %s: %s", reader,
	    dmtrace_reception_name(verdict->reception));
	if (verdict->rule != NULL) {
		dmt_put_format(buffer, ": %s: ", verdict->rule);
		escape_put(buffer, escape_message, verdict->message,
		    strlen(verdict->message));
	}
	dmt_put(buffer, "\n");
}

static void
put_verdict_row(struct table *table, const char *file, const char *reader,
    const char *verdict, const char *rule, const char *message)
{
	table_string(table, file);
	table_string(table, reader);
	table_string(table, verdict);
	table_string(table, rule);
	table_string(table, message);
	table_end_row(table);
}

void
reader_verdicts_put_unreadable(struct table *table, const char *file,
    const char *message)
{
	put_verdict_row(table, file, NULL, "unreadable", NULL, message);
	table_flush(table);
}

/* A reader that cannot read the file is the message of the failed test case. */
bool
reader_verdicts_put(struct check_report *report, bool quiet,
    const struct reader_verdicts *readers, const char *file,
    const struct dmtrace_verdict verdicts[DMTRACE_READERS])
{
	struct table *const table = &report->table;
	struct dmt_output lines = { 0 }, refused = { 0 };
	bool all = true;

	for (unsigned i = 0; i < DMTRACE_READERS; i++) {
		const char *const reader = dmtrace_other_reader_name(
		    (enum dmtrace_other_reader)i);
		const bool reads = verdicts[i].reception == DMTRACE_READS;

		if (!readers->asked[i])
			continue;
		all &= reads;
		if (quiet && reads)
			continue;
		if (table_has_rows(table)) {
			put_verdict_row(table, file, reader,
			    dmtrace_reception_name(verdicts[i].reception),
			    verdicts[i].rule, verdicts[i].message);
			continue;
		}
		put_verdict_text(&lines, file, reader, &verdicts[i]);
		if (!reads)
			put_verdict_text(&refused, file, reader, &verdicts[i]);
	}
	check_report_set_message(report, &refused);
	dmt_output_fini(&refused);
	check_report_put_lines(report, &lines);
	return all;
}

/* Prints the row of a rule. In text: the readers that it matters to, and
 * how. */
static void
put_reader_rule(struct table *table, const struct reader_verdicts *readers,
    const struct dmt_reader_rule *rule)
{
	const bool has_rows = table_has_rows(table);

	if (has_rows)
		table_string(table, rule->name);
	else
		dmt_put_format(&table->buffer, "%s: %s%s\n", rule->name,
		    rule->description,
		    rule->measured ? "" : " (not measured)");
	for (unsigned i = 0; i < DMTRACE_READERS; i++) {
		const char *const reception =
		    dmtrace_reception_name(rule->receptions[i]);

		if (!readers->asked[i])
			continue;
		if (has_rows)
			table_string(table, reception);
		else if (rule->receptions[i] != DMTRACE_READS)
			dmt_put_format(&table->buffer, "    %s: %s\n",
			    dmtrace_other_reader_name(
			    (enum dmtrace_other_reader)i), reception);
	}
	if (!has_rows)
		return;
	table_string(table, rule->measured ? "yes" : "no");
	table_string(table, rule->description);
	table_end_row(table);
}

void
reader_verdicts_put_rules(struct table *table,
    const struct reader_verdicts *readers)
{
	const char *columns[DMTRACE_READERS + 4] = { "finding" };
	struct dmt_reader_rule rule;
	size_t count = 1;

	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		if (readers->asked[i])
			columns[count++] = dmtrace_other_reader_name(
			    (enum dmtrace_other_reader)i);
	columns[count++] = "measured";
	columns[count++] = "description";
	columns[count] = NULL;
	table_set_columns(table, columns);
	for (size_t i = 0; dmt_reader_rule_get(i, &rule) == 0; i++) {
		bool minds = false;

		for (unsigned j = 0; j < DMTRACE_READERS; j++)
			minds |= readers->asked[j] &&
			    rule.receptions[j] != DMTRACE_READS;
		if (minds)
			put_reader_rule(table, readers, &rule);
	}
	table_flush(table);
}
