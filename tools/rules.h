/* rules.h - the rules of a validation, as the command line sets them */
#ifndef RULES_H
#define RULES_H

#include <dmtrace.h>
#include <stdbool.h>

#include "opt.h"

/* One of them, and what it found in the trace that is read. */
struct rule {
	struct dmtrace_rule row;	/* its severity may be changed */
	bool disabled;
	uint64_t count;
	struct dmtrace_finding first;	/* its words stand in words */
	char words[DMTRACE_WORDS_MAX];
};

struct rules {
	struct rule *items;
	size_t count;
};

/* False, which is said: no memory. */
bool
rules_init(struct rules *rules);

void
rules_fini(struct rules *rules);

/* Takes the values of --disable, names, and of --severity, NAME=SEVERITY.
 * False, which is said: one of them is none. */
bool
rules_disable(struct rules *rules, const struct opt_list *names);
bool
rules_set_severity(struct rules *rules, const struct opt_list *pairs);

/* Counts a finding with its rule, which is returned; NULL: it is disabled. */
struct rule *
rules_count(struct rules *rules, const struct dmtrace_finding *finding);

/* Forgets the findings of the trace before. */
void
rules_reset(struct rules *rules);

#endif
