/* cmd_corrupt.c - damage a trace, to test what reads it */

#include <dmtrace.h>

#include <stdio.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "cli/table.h"
#include "private/ops.h"
#include "private/suggestion.h"

struct corrupt {
	struct job job;
	struct table table;		/* a row for each damage */
	struct dmtrace_file in;
	bool to_messages;		/* standard output is used for the
					   trace */
	struct dmtrace_corrupt_options options;
};

/* Prints all damages before the trace is published: nothing can fail after
 * that. */
static int
print_damages(struct corrupt *corrupt)
{
	struct table *const table = &corrupt->table;

	if (corrupt->to_messages ||
	    (corrupt->job.quiet && table->form == FORM_TEXT))
		return CMD_OK;
	if (dmt_output_failed(&table->buffer))
		return msg_fail_memory();
	progress_erase(&corrupt->job.progress);
	return table_print(table, CMD_OK);
}

/* A dmtrace_damage_fn. */
static int
add_damage(void *context, const struct dmtrace_damage *damage)
{
	struct corrupt *const corrupt = context;
	struct table *const table = &corrupt->table;
	char at[COUNT_MAX], len[COUNT_MAX], new_at[COUNT_MAX];
	char new_len[COUNT_MAX];
	int unused;

	if (damage == NULL)
		return print_damages(corrupt);
	const char *const name = dmtrace_damage_name(damage->kind);
	const char *const text = dmt_damage_text(damage->kind, &unused);
	if (!corrupt->to_messages && table->form != FORM_TEXT) {
		table_string(table, name);
		table_number(table, damage->at);
		table_number(table, damage->len);
		table_number(table, damage->new_at);
		table_number(table, damage->new_len);
		table_end_row(table);
		return 0;
	}
	count_format(at, damage->at);
	count_format(len, damage->len);
	count_format(new_at, damage->new_at);
	count_format(new_len, damage->new_len);
	if (!corrupt->to_messages) {
		dmt_put_format(&table->buffer, "%-11s %12s %7s %12s %7s  %s\n",
		    name, at, len, new_at, new_len, text);
	} else if (!corrupt->job.quiet) {
		progress_erase(&corrupt->job.progress);
		msg_note("%s: byte %s: %s: %s: %s %s, now %s at byte %s",
		    files_name(&corrupt->in), at, name, text, len,
		    damage->len == 1 ? "byte" : "bytes", new_len, new_at);
	}
	return 0;
}

/* Adds the findings that a kind may cause: an array in JSON, else a list. */
static void
put_findings(struct table *table, enum dmtrace_damage_kind kind)
{
	const bool json = form_is_json(table->form);
	const char *const comma = table->form == FORM_TEXT ? ", " : ",";
	struct dmt_output list = { .bytes = NULL };
	const char *name;

	for (size_t i = 0; (name = dmt_damage_finding(kind, i)) != NULL; i++)
		dmt_put_format(&list, json ? "%s\"%s\"" : "%s%s",
		    i > 0 ? comma : json ? "[" : "",
		    name[0] == '\0' ? "any" : name);
	if (json)
		dmt_put(&list, list.len == 0 ? "[]" : "]");
	if (json)
		table_json(table, &list);
	else if (table->form != FORM_TEXT)
		table_text(table, list.bytes, list.len);
	else if (list.len == 0)
		dmt_put(&table->buffer, "none");
	else
		dmt_output_write(&table->buffer, list.bytes, list.len);
	if (dmt_output_failed(&list))
		dmt_output_fail_memory(&table->buffer);
	dmt_output_fini(&list);
}

/* --list: the kinds, and the findings that each may cause. */
static int
list_kinds(struct corrupt *corrupt)
{
	static const char *const columns[] =
	    { "kind", "damage", "refused", "findings", NULL };
	struct table *const table = &corrupt->table;
	int refused;

	if (!table_open(table, corrupt->job.output))
		return CMD_TROUBLE;
	table_set_columns(table, columns);
	for (unsigned i = 0; dmt_damage_names[i] != NULL; i++) {
		const enum dmtrace_damage_kind kind =
		    (enum dmtrace_damage_kind)i;
		const char *const text = dmt_damage_text(kind, &refused);

		if (table->form == FORM_TEXT) {
			dmt_put_format(&table->buffer, "%-11s %s\n%12s",
			    dmt_damage_names[i], text, "");
			put_findings(table, kind);
			dmt_put(&table->buffer, refused ?
			    "; or it cannot be read\n" : "\n");
			continue;
		}
		table_string(table, dmt_damage_names[i]);
		table_string(table, text);
		table_truth(table, refused);
		put_findings(table, kind);
		table_end_row(table);
	}
	return table_close(table, CMD_OK);
}

/* Sets the kinds of --kind. Returns OPT_GO, or CMD_TROUBLE, which was
 * reported. */
static int
set_kinds(struct corrupt *corrupt, const struct opt_list *lists)
{
	for (size_t i = 0; i < lists->count; i++) {
		const char *at = lists->items[i];

		for (;;) {
			const size_t len = strcspn(at, ",");
			char word[64], similar[DMT_SUGGESTION_TEXT_MAX];
			struct dmt_suggestion suggestion = { .wanted = word };
			unsigned kind = 0;

			snprintf(word, sizeof(word), "%.*s", (int)len, at);
			while (dmt_damage_names[kind] != NULL &&
			    strcmp(dmt_damage_names[kind], word) != 0)
				dmt_suggestion_offer(&suggestion,
				    dmt_damage_names[kind++]);
			if (dmt_damage_names[kind] == NULL) {
				msg_error("--kind: no kind of damage \"%s\"%s;"
				    " see --list", word, dmt_suggestion_text(
				    &suggestion, "", similar));
				return CMD_TROUBLE;
			}
			corrupt->options.kinds |= DMTRACE_DAMAGE_BIT(kind);
			if (at[len] == '\0')
				break;
			at += len + 1;
		}
	}
	return OPT_GO;
}

static int
corrupt_trace(struct corrupt *corrupt, const char *operand)
{
	static const char *const columns[] =
	    { "kind", "byte", "length", "new_byte", "new_length", NULL };
	struct job *const job = &corrupt->job;

	if (files_clash_operand(operand, &job->out) ||
	    files_terminal(&job->out) || !job_begin(job))
		return CMD_TROUBLE;
	corrupt->in = files_input(operand);
	corrupt->options.damage = add_damage;
	corrupt->options.context = corrupt;
	corrupt->options.flags = job->sync ? DMTRACE_SYNC : 0;
	table_set_columns(&corrupt->table, columns);
	if (corrupt->table.form == FORM_TEXT)
		dmt_put_format(&corrupt->table.buffer,
		    "%-11s %12s %7s %12s %7s\n", "kind", "byte", "bytes",
		    "now byte", "bytes");
	job->target = &job->out;
	const int status = job_end(job, dmtrace_corrupt(job->op, &corrupt->in,
	    &job->out, &corrupt->options));
	return status == CMD_TROUBLE && !corrupt->to_messages ?
	    table_print(&corrupt->table, status) : status;
}

static int
run_corrupt(const struct cmd *cmd, int argc, char **argv)
{
	uint64_t seed = 1, count = 1;
	struct opt_list kinds = { .items = NULL };
	struct corrupt corrupt = { .to_messages = false };
	bool list = false;
	const struct opt options[] = {
		OPT_UINT(0, "seed", "N", &seed,
		    "seed of the random numbers [1]"),
		OPT_LIST_LIKE(0, "kind", "LIST", &kinds, dmt_damage_names,
		    "kinds to choose from [all]"),
		OPT_RANGE(0, "count", "N", &count, 1, 65536,
		    "number of damages [1]"),
		OPT_FLAG(0, "list", &list,
		    "print the kinds, and the findings they may cause"),
		OPT_FORM(&corrupt.table.form),
		OPT_REFUSED('d', "dialect",
		    "the bytes between the damages are kept; use "
		    "\"dmtrace convert -d\" before"),
		OPT_JOB_OUTPUT(&corrupt.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	corrupt.job.out = files_output(corrupt.job.output);
	corrupt.to_messages = corrupt.job.out.path == NULL;
	corrupt.options.seed = seed;
	corrupt.options.count = (uint32_t)count;
	if (status == OPT_GO && list && argc > 0)
		status = opt_usage(cmd, "--list reads no file");
	else if (status == OPT_GO && list)
		status = list_kinds(&corrupt);
	if (status == OPT_GO)
		status = job_check_operand(cmd, argc, "file");
	if (status == OPT_GO && corrupt.to_messages &&
	    corrupt.table.form != FORM_TEXT)
		status = opt_usage(cmd, "-f needs -o: the trace goes to"
		    " standard output");
	if (status == OPT_GO)
		status = set_kinds(&corrupt, &kinds);
	if (status == OPT_GO)
		status = corrupt_trace(&corrupt, argv[0]);
	opt_list_fini(&kinds);
	dmt_output_fini(&corrupt.table.buffer);
	return status;
}

const struct cmd cmd_corrupt = {
	.name = "corrupt",
	.group = "create",
	.synopsis = "[OPTION]... [-o FILE] FILE",
	.summary = "damage a trace, to test what reads it",
	.examples = {
		"dmtrace corrupt --list",
		"dmtrace corrupt --seed=7 -o bad.trace app.trace",
	},
	.run = run_corrupt,
};
