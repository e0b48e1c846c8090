/* rule_options.h - the rules of a validation, as the command line sets them */
#ifndef RULE_OPTIONS_H
#define RULE_OPTIONS_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/opt.h"
#include "private/verify.h"

/* One of them, and what it found in the trace that is read. */
struct rule_option {
	struct dmt_rule_info row;	/* its severity may be changed */
	bool disabled;
	uint64_t count;
	struct dmtrace_finding first;	/* its message is in words */
	char words[DMTRACE_MESSAGE_MAX];
};

struct rule_options {
	struct rule_option *items;
	size_t count;
};

/* False, which is reported: no memory. */
bool
rule_options_init(struct rule_options *rules);

void
rule_options_fini(struct rule_options *rules);

/* Takes the values of --disable, names, and of --severity, NAME=SEVERITY.
 * False, which is reported: one of them is none. */
bool
rule_options_disable(struct rule_options *rules, const struct opt_list *names);
bool
rule_options_set_severity(struct rule_options *rules,
    const struct opt_list *pairs);

/* Counts a finding with its rule, which is returned; NULL: it is disabled. */
struct rule_option *
rule_options_count(struct rule_options *rules,
    const struct dmtrace_finding *finding);

/* Forgets the findings of the trace before. */
void
rule_options_reset(struct rule_options *rules);

#endif
