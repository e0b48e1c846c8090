/* reader_verdicts.c - what other programs do with traces, for --for */

#include "validate/reader_verdicts.h"

#include <string.h>

#include "cli/escapes.h"
#include "cli/msg.h"
#include "cli/suggestion.h"

static bool
refuse(const char *name, size_t len)
{
	char wanted[64], words[SUGGESTION_TEXT_MAX];
	struct suggestion near = { .wanted = wanted };

	if (len >= sizeof(wanted))
		len = sizeof(wanted) - 1;
	memcpy(wanted, name, len);
	wanted[len] = '\0';
	suggestion_offer(&near, "all");
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		suggestion_offer(&near, dmtrace_other_reader_name(
		    (enum dmtrace_other_reader)i));
	msg_error("--for: no reader \"%s\"%s", wanted,
	    suggestion_text(&near, "", words));
	return false;
}

static bool
is(const char *name, size_t len, const char *other)
{
	return len == strlen(other) && memcmp(name, other, len) == 0;
}

static bool
add(struct reader_verdicts *viewers, const char *name, size_t len)
{
	const bool all = is(name, len, "all");
	bool found = all;

	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		if (all || is(name, len, dmtrace_other_reader_name(
		    (enum dmtrace_other_reader)i)))
			found = viewers->asked[i] = true;
	viewers->any |= found;
	return found || refuse(name, len);
}

bool
reader_verdicts_add(struct reader_verdicts *viewers,
    const struct opt_list *names)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *name = names->items[i];

		for (;;) {
			const size_t len = strcspn(name, ",");

			if (!add(viewers, name, len))
				return false;
			if (name[len] == '\0')
				break;
			name += len + 1;
		}
	}
	return true;
}

static void
put_cells(struct strbuf *buffer, enum form form, const char *const *names,
    size_t count)
{
	struct row row;

	if (form != FORM_TSV && form != FORM_CSV)
		return;
	row_begin(&row, buffer, form);
	for (size_t i = 0; i < count; i++)
		row_string(&row, names[i], names[i]);
	row_line(&row);
}

void
reader_verdicts_put_names(struct strbuf *buffer, enum form form)
{
	static const char *const names[] =
	    { "file", "reader", "verdict", "rule", "words" };

	put_cells(buffer, form, names, sizeof(names) / sizeof(names[0]));
}

static void
put_text(struct strbuf *buffer, const char *file, const char *reader,
    const struct dmtrace_verdict *verdict)
{
	strbuf_text(buffer, escape_message, file, strlen(file));
	strbuf_printf(buffer, ": %s %s", reader,
	    dmtrace_reception_name(verdict->reception));
	if (verdict->rule != NULL)
		strbuf_printf(buffer, ": %s: %s", verdict->rule,
		    verdict->words);
	strbuf_string(buffer, "\n");
}

static void
put_optional(struct row *row, const char *name, const char *string)
{
	if (string == NULL)
		row_absent(row, name);
	else
		row_string(row, name, string);
}

static void
put_row(struct strbuf *buffer, enum form form, const char *file,
    const char *reader, const struct dmtrace_verdict *verdict)
{
	struct row row;

	row_begin(&row, buffer, form);
	row_string(&row, "file", file);
	row_string(&row, "reader", reader);
	row_string(&row, "verdict",
	    dmtrace_reception_name(verdict->reception));
	put_optional(&row, "rule", verdict->rule);
	put_optional(&row, "words", verdict->words);
	row_line(&row);
}

void
reader_verdicts_put_unreadable(struct strbuf *buffer, enum form form,
    const char *file, const char *words)
{
	struct row row;

	row_begin(&row, buffer, form);
	row_string(&row, "file", file);
	row_absent(&row, "reader");
	row_string(&row, "verdict", "unreadable");
	row_absent(&row, "rule");
	row_string(&row, "words", words);
	row_line(&row);
}

bool
reader_verdicts_put(struct strbuf *buffer, enum form form, bool quiet,
    const struct reader_verdicts *viewers, const char *file,
    const struct dmtrace_verdict verdicts[DMTRACE_READERS])
{
	bool all = true;

	for (unsigned i = 0; i < DMTRACE_READERS; i++) {
		const char *const reader = dmtrace_other_reader_name(
		    (enum dmtrace_other_reader)i);
		const bool reads = verdicts[i].reception == DMTRACE_READS;

		if (!viewers->asked[i])
			continue;
		all &= reads;
		if (quiet && reads)
			continue;
		if (form == FORM_TEXT)
			put_text(buffer, file, reader, &verdicts[i]);
		else
			put_row(buffer, form, file, reader, &verdicts[i]);
	}
	return all;
}

static bool
is_minded(const struct reader_verdicts *viewers,
    const struct dmtrace_reader_rule *rule)
{
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		if (viewers->asked[i] &&
		    rule->receptions[i] != DMTRACE_READS)
			return true;
	return false;
}

static void
put_rule_names(struct strbuf *buffer, enum form form,
    const struct reader_verdicts *viewers)
{
	const char *names[DMTRACE_READERS + 3] = { "rule" };
	size_t count = 1;

	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		if (viewers->asked[i])
			names[count++] = dmtrace_other_reader_name(
			    (enum dmtrace_other_reader)i);
	names[count++] = "measured";
	names[count++] = "words";
	put_cells(buffer, form, names, count);
}

static void
put_rule(struct strbuf *buffer, enum form form,
    const struct reader_verdicts *viewers,
    const struct dmtrace_reader_rule *rule)
{
	struct row row;

	row_begin(&row, buffer, form);
	row_string(&row, "rule", rule->name);
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		if (viewers->asked[i])
			row_string(&row, dmtrace_other_reader_name(
			    (enum dmtrace_other_reader)i),
			    dmtrace_reception_name(rule->receptions[i]));
	row_string(&row, "measured", rule->measured ? "yes" : "no");
	row_string(&row, "words", rule->words);
	row_line(&row);
}

/* People get the readers that mind, and how. */
static void
put_rule_text(struct strbuf *buffer, const struct reader_verdicts *viewers,
    const struct dmtrace_reader_rule *rule)
{
	strbuf_printf(buffer, "%s: %s%s\n", rule->name, rule->words,
	    rule->measured ? "" : " (not measured)");
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		if (viewers->asked[i] &&
		    rule->receptions[i] != DMTRACE_READS)
			strbuf_printf(buffer, "    %s %s\n",
			    dmtrace_other_reader_name(
			    (enum dmtrace_other_reader)i),
			    dmtrace_reception_name(rule->receptions[i]));
}

void
reader_verdicts_put_rules(struct strbuf *buffer, enum form form,
    const struct reader_verdicts *viewers)
{
	struct dmtrace_reader_rule rule;

	put_rule_names(buffer, form, viewers);
	for (size_t i = 0; dmtrace_reader_rule_get(i, &rule) == 0; i++) {
		if (!is_minded(viewers, &rule))
			continue;
		if (form == FORM_TEXT)
			put_rule_text(buffer, viewers, &rule);
		else
			put_rule(buffer, form, viewers, &rule);
	}
}
