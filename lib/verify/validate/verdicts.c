/* verdicts.c - what other programs make of a trace that has some quirks */

#include "verify/validate/verdicts.h"

#include <string.h>

/* By enum dmtrace_reception. */
static const char letters[] = ".dmrc";

const char *
dmtrace_other_reader_name(enum dmtrace_other_reader reader)
{
	static const char *const names[DMTRACE_READERS] = { "dmtracedump",
	    "traceview", "perflib2016", "studio", "firefox", "perfetto" };

	return (unsigned)reader < DMTRACE_READERS ? names[reader] : "";
}

const char *
dmtrace_reception_name(enum dmtrace_reception reception)
{
	static const char *const names[] =
	    { "reads", "dump-only", "misreads", "refuses", "crashes" };

	return (size_t)reception < sizeof(names) / sizeof(names[0]) ?
	    names[reception] : "";
}

static enum dmtrace_reception
reception_of(const struct dmt_finding_row *row, unsigned reader)
{
	return (enum dmtrace_reception)
	    (strchr(letters, row->readers[reader]) - letters);
}

int
dmtrace_reader_rule_get(size_t index, struct dmtrace_reader_rule *rule)
{
	for (unsigned i = 0; i < DMT_ROW_COUNT; i++) {
		const struct dmt_finding_row *const row = &dmt_finding_rows[i];

		if (strspn(row->readers, ".") == DMTRACE_READERS ||
		    index-- > 0)
			continue;
		rule->name = row->name;
		rule->description = row->words;
		rule->measured = row->measured;
		for (unsigned j = 0; j < DMTRACE_READERS; j++)
			rule->receptions[j] = reception_of(row, j);
		return 0;
	}
	return 1;
}

static void
judge_reader(struct dmtrace_verdict *verdict, const struct dmt_quirks *quirks,
    unsigned reader)
{
	const struct dmt_finding_row *worst = NULL;

	*verdict = (struct dmtrace_verdict){ .reception = DMTRACE_READS };
	for (unsigned i = 0; i < DMT_ROW_COUNT; i++) {
		const enum dmtrace_reception reception =
		    reception_of(&dmt_finding_rows[i], reader);

		if ((quirks->has[i] & 1u << reader) == 0 ||
		    reception <= verdict->reception)
			continue;
		verdict->reception = reception;
		worst = &dmt_finding_rows[i];
	}
	if (worst == NULL)
		return;
	verdict->rule = worst->name;
	verdict->message = worst->words;
}

void
dmt_readers_judge(struct dmtrace_verdict verdicts[DMTRACE_READERS],
    const struct dmt_quirks *quirks)
{
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		judge_reader(&verdicts[i], quirks, i);
}

unsigned
dmt_readers_cures(const struct dmt_quirks *quirks, unsigned readers)
{
	unsigned cures = 0;

	for (unsigned i = 0; i < DMT_ROW_COUNT; i++)
		for (unsigned reader = 0; reader < DMTRACE_READERS; reader++)
			if ((quirks->has[i] & readers &
			    1u << reader) != 0 &&
			    reception_of(&dmt_finding_rows[i], reader) !=
			    DMTRACE_READS)
				cures |= dmt_finding_rows[i].cures;
	return cures;
}
