/* cmd_repair.c - make a valid trace of one that is broken */

#include <dmtrace.h>

#include <inttypes.h>
#include <stdio.h>

#include "files.h"
#include "form.h"
#include "job.h"
#include "msg.h"
#include "out.h"

static const char *const strategies[] = { "clamp", "shift", "drop", NULL };

struct repair {
	struct job job;
	struct dmtrace_repair_options options;
	const char *output;
	enum form form;
	bool dry_run;
	bool to_messages;		/* the trace has standard output */
	struct dmtrace_file in;
	struct dmtrace_file out;
	struct buffer account;		/* one row for each change */
	size_t rows;
};

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
put_row(struct repair *repair, const struct dmtrace_change *change)
{
	struct row row;
	char first[32];

	row_begin(&row, &repair->account, repair->form);
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
put_text(struct repair *repair, const struct dmtrace_change *change)
{
	char line[DMTRACE_WORDS_MAX + 128], first[32];

	place(first, change);
	snprintf(line, sizeof(line), "%-8s %8" PRIu64 "  %s: %s%s%s%s\n",
	    dmtrace_change_kind_name(change->kind), change->count,
	    change->name, change->words, first[0] == '\0' ? "" : " (",
	    first, first[0] == '\0' ? "" : change->count == 1 ? ")" :
	    " first)");
	buffer_string(&repair->account, line);
}

static void
say(struct repair *repair, const struct dmtrace_change *change)
{
	char first[32];

	place(first, change);
	progress_erase(&repair->job.progress);
	msg_error("%s: %s%s%s: %" PRIu64 " %s", files_name(&repair->in),
	    first, first[0] == '\0' ? "" : ": ", change->words,
	    change->count, dmtrace_change_kind_name(change->kind));
}

/* A dmtrace_change_fn. */
static void
tell_change(void *context, const struct dmtrace_change *change)
{
	struct repair *const repair = context;

	repair->rows++;
	if (repair->to_messages && !repair->job.quiet)
		say(repair, change);
	else if (repair->form == FORM_TEXT)
		put_text(repair, change);
	else
		put_row(repair, change);
}

static void
put_names(struct repair *repair)
{
	static const char *const names[] =
	    { "name", "kind", "count", "first", "words" };
	struct row row;

	if (repair->form != FORM_TSV && repair->form != FORM_CSV)
		return;
	row_begin(&row, &repair->account, repair->form);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		row_string(&row, names[i], names[i]);
	row_line(&row);
}

/* The account, where standard output is free for it. */
static int
print(struct repair *repair, int status)
{
	struct out out;

	if (repair->account.failed) {
		msg_memory();
		return CMD_TROUBLE;
	}
	if (repair->to_messages ||
	    (repair->job.quiet && repair->form == FORM_TEXT))
		return status;
	if (repair->form == FORM_TEXT && repair->rows == 0)
		buffer_string(&repair->account, repair->dry_run ?
		    "there is nothing to change\n" :
		    "there was nothing to change, the trace was copied\n");
	if (!out_open(&out, NULL))
		return CMD_TROUBLE;
	out_put(&out, repair->account.bytes, repair->account.len);
	return out_close(&out, status);
}

static int
repair_file(struct repair *repair)
{
	struct job *const job = &repair->job;
	struct dmtrace_repair_result result = { .changes = 0 };

	if (!job_begin(job))
		return CMD_TROUBLE;
	put_names(repair);
	job->out = repair->dry_run ? NULL : &repair->out;
	const int status = job_end(job, dmtrace_repair(job->op, &repair->in,
	    repair->dry_run ? NULL : &repair->out, &repair->options,
	    &result));
	if (status != CMD_OK)
		return status;
	return print(repair,
	    repair->dry_run && result.changes > 0 ? CMD_NO : CMD_OK);
}

static int
check_usage(const struct cmd *cmd, const struct repair *repair, int argc)
{
	if (argc != 1)
		return opt_usage(cmd, argc == 0 ? "no file is named" :
		    "more than one file");
	if (repair->dry_run && repair->output != NULL)
		return opt_usage(cmd, "--dry-run writes no output");
	if (repair->to_messages && repair->form != FORM_TEXT)
		return opt_usage(cmd, "-f needs -o, or --dry-run:"
		    " the trace goes to standard output");
	return OPT_GO;
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	unsigned strategy = DMTRACE_REPAIR_CLAMP, form = FORM_TEXT;
	bool sync = false;
	struct repair repair = { .output = NULL };
	const struct opt options[] = {
		OPT_STRING('o', "output", "FILE", &repair.output,
		    "write the trace to FILE"),
		OPT_FLAG(0, "dry-run", &repair.dry_run,
		    "tell what would be changed, write nothing"),
		OPT_CHOICE(0, "strategy", "HOW", &strategy, strategies,
		    "clamp, shift or drop times that go back [clamp]"),
		OPT_FORM(&form),
		OPT_SYNC(&sync),
		OPT_JOB(&repair.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status != OPT_GO)
		return status;
	repair.form = (enum form)form;
	repair.out = files_output(repair.output);
	repair.to_messages = !repair.dry_run && repair.out.path == NULL;
	status = check_usage(cmd, &repair, argc);
	if (status != OPT_GO)
		return status;
	repair.in = files_input(argv[0]);
	dmtrace_repair_options_init(&repair.options);
	repair.options.time = (enum dmtrace_repair_time)strategy;
	repair.options.flags = sync ? DMTRACE_SYNC : 0;
	repair.options.change = tell_change;
	repair.options.context = &repair;
	if (!repair.dry_run && files_terminal(&repair.out))
		return CMD_TROUBLE;
	status = repair_file(&repair);
	buffer_fini(&repair.account);
	return status;
}

const struct cmd cmd_repair = {
	.name = "repair",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] FILE",
	.summary = "make a valid trace of one that is broken",
	.run = run,
};
