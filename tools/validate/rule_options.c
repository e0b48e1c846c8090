/* rule_options.c - the rules of a validation, as the command line sets them */

#include "validate/rule_options.h"

#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"
#include "cli/suggestion.h"
#include "private/verify.h"

bool
rule_options_init(struct rule_options *rules)
{
	struct dmt_rule_info row;

	rules->count = 0;
	while (dmt_rule_get(rules->count, &row) == 0)
		rules->count++;
	rules->items = calloc(rules->count, sizeof(*rules->items));
	if (rules->items == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < rules->count; i++)
		dmt_rule_get(i, &rules->items[i].row);
	return true;
}

void
rule_options_fini(struct rule_options *rules)
{
	free(rules->items);
}

/* The first len bytes of text are a name. */
static struct rule_option *
find_rule_option(const struct rule_options *rules, const char *text, size_t len)
{
	for (size_t i = 0; i < rules->count; i++) {
		const char *const name = rules->items[i].row.name;

		if (strncmp(name, text, len) == 0 && name[len] == '\0')
			return &rules->items[i];
	}
	return NULL;
}

static bool
report_no_rule(const struct rule_options *rules, const char *option,
    const char *text, size_t len)
{
	char name[64], similar[SUGGESTION_TEXT_MAX];
	struct suggestion suggestion = { .wanted = name };

	if (len >= sizeof(name))
		len = sizeof(name) - 1;
	memcpy(name, text, len);
	name[len] = '\0';
	for (size_t i = 0; i < rules->count; i++)
		suggestion_offer(&suggestion, rules->items[i].row.name);
	msg_error("%s: no rule \"%s\"%s; see --rules", option, name,
	    suggestion_text(&suggestion, "", similar));
	return false;
}

bool
rule_options_disable(struct rule_options *rules, const struct opt_list *names)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *const name = names->items[i];
		struct rule_option *const rule = find_rule_option(rules, name,
		    strlen(name));

		if (rule == NULL)
			return report_no_rule(rules, "--disable", name,
			    strlen(name));
		rule->disabled = true;
	}
	return true;
}

static bool
set_rule_severity(struct rule_option *rule, const char *word)
{
	for (unsigned i = DMTRACE_NOTE; i <= DMTRACE_ERROR; i++)
		if (strcmp(word, dmtrace_severity_name(
		    (enum dmtrace_severity)i)) == 0) {
			rule->row.severity = (enum dmtrace_severity)i;
			return true;
		}
	return false;
}

bool
rule_options_set_severity(struct rule_options *rules,
    const struct opt_list *pairs)
{
	for (size_t i = 0; i < pairs->count; i++) {
		const char *const pair = pairs->items[i];
		const size_t len = strcspn(pair, "=");
		struct rule_option *const rule = find_rule_option(rules, pair,
		    len);

		if (rule == NULL)
			return report_no_rule(rules, "--severity", pair, len);
		if (pair[len] == '=' && set_rule_severity(rule, pair + len + 1))
			continue;
		msg_error("--severity: \"%s\" is not of the form "
		    "NAME=note, warning or error", pair);
		return false;
	}
	return true;
}

struct rule_option *
rule_options_count(struct rule_options *rules,
    const struct dmtrace_finding *finding)
{
	struct rule_option *const rule = find_rule_option(rules, finding->name,
	    strlen(finding->name));

	if (rule == NULL || rule->disabled)
		return NULL;
	if (rule->count++ == 0) {
		rule->first = *finding;
		strcpy(rule->words, finding->message);
		rule->first.message = rule->words;
	}
	return rule;
}

void
rule_options_reset(struct rule_options *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		rules->items[i].count = 0;
}
