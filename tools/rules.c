/* rules.c - the rules of a validation, as the command line sets them */

#include "rules.h"

#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "near.h"

static size_t
count_rows(void)
{
	struct dmtrace_rule row;
	size_t count = 0;

	while (dmtrace_rule_get(count, &row) == 0)
		count++;
	return count;
}

bool
rules_init(struct rules *rules)
{
	rules->count = count_rows();
	rules->items = calloc(rules->count, sizeof(*rules->items));
	if (rules->items == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < rules->count; i++)
		dmtrace_rule_get(i, &rules->items[i].row);
	return true;
}

void
rules_fini(struct rules *rules)
{
	free(rules->items);
}

/* The first len bytes of text are a name. */
static struct rule *
find(const struct rules *rules, const char *text, size_t len)
{
	for (size_t i = 0; i < rules->count; i++) {
		const char *const name = rules->items[i].row.name;

		if (strncmp(name, text, len) == 0 && name[len] == '\0')
			return &rules->items[i];
	}
	return NULL;
}

static bool
refuse(const struct rules *rules, const char *option, const char *text,
    size_t len)
{
	char name[64], words[NEAR_WORDS_MAX];
	struct near near = { .wanted = name };

	if (len >= sizeof(name))
		len = sizeof(name) - 1;
	memcpy(name, text, len);
	name[len] = '\0';
	for (size_t i = 0; i < rules->count; i++)
		near_offer(&near, rules->items[i].row.name);
	msg_error("%s: no rule \"%s\"%s; see --rules", option, name,
	    near_words(&near, "", words));
	return false;
}

bool
rules_disable(struct rules *rules, const struct opt_list *names)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *const name = names->items[i];
		struct rule *const rule = find(rules, name, strlen(name));

		if (rule == NULL)
			return refuse(rules, "--disable", name, strlen(name));
		rule->disabled = true;
	}
	return true;
}

static bool
set_severity(struct rule *rule, const char *word)
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
rules_set_severity(struct rules *rules, const struct opt_list *pairs)
{
	for (size_t i = 0; i < pairs->count; i++) {
		const char *const pair = pairs->items[i];
		const size_t len = strcspn(pair, "=");
		struct rule *const rule = find(rules, pair, len);

		if (rule == NULL)
			return refuse(rules, "--severity", pair, len);
		if (pair[len] == '=' && set_severity(rule, pair + len + 1))
			continue;
		msg_error("--severity: \"%s\" is not of the form "
		    "NAME=note, warning or error", pair);
		return false;
	}
	return true;
}

struct rule *
rules_count(struct rules *rules, const struct dmtrace_finding *finding)
{
	struct rule *const rule = find(rules, finding->name,
	    strlen(finding->name));

	if (rule == NULL || rule->disabled)
		return NULL;
	if (rule->count++ == 0) {
		rule->first = *finding;
		strcpy(rule->words, finding->words);
		rule->first.words = rule->words;
	}
	return rule;
}

void
rules_reset(struct rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		rules->items[i].count = 0;
}
