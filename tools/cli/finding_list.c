/* finding_list.c - an operation's findings, each name once with its count */

#include "cli/finding_list.h"

#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"
#include "cmd.h"

/* All of one name in a file; place and words are the first's. */
struct finding_row {
	struct finding_row *next;
	struct dmtrace_finding finding;
	char words[DMTRACE_WORDS_MAX];
	char file[];
};

/* Names are the library's own, one string each. */
static bool
is_of_row(const struct finding_row *row, const char *file,
    const struct dmtrace_finding *finding)
{
	return row->finding.name == finding->name &&
	    strcmp(row->file, file) == 0;
}

static struct finding_row *
new_row(const char *file, const struct dmtrace_finding *finding)
{
	struct finding_row *const row =
	    malloc(sizeof(*row) + strlen(file) + 1);

	if (row == NULL)
		return NULL;
	row->next = NULL;
	row->finding = *finding;
	row->finding.words = strcpy(row->words, finding->words);
	strcpy(row->file, file);
	return row;
}

void
finding_list_add(struct finding_list *findings, const char *file,
    const struct dmtrace_finding *finding)
{
	struct finding_row **at = &findings->rows;

	if (findings->recent == NULL ||
	    !is_of_row(findings->recent, file, finding)) {
		while (*at != NULL && !is_of_row(*at, file, finding))
			at = &(*at)->next;
		findings->recent = *at;
	}
	if (findings->recent != NULL) {
		findings->recent->finding.count += finding->count;
		return;
	}
	*at = new_row(file, finding);
	findings->recent = *at;
	findings->failed |= *at == NULL;
}

int
finding_list_report(struct finding_list *findings, bool quiet)
{
	int status = CMD_OK;

	if (findings->failed) {
		msg_memory();
		status = CMD_TROUBLE;
	}
	while (findings->rows != NULL) {
		struct finding_row *const row = findings->rows;
		const bool error = row->finding.severity == DMTRACE_ERROR;

		if (error || !quiet)
			msg_finding(row->file, &row->finding);
		if (error)
			status = cmd_worse(status, CMD_NO);
		findings->rows = row->next;
		free(row);
	}
	*findings = (struct finding_list){ .rows = NULL };
	return status;
}
