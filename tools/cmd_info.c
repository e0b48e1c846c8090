/* cmd_info.c - tell what traces are and hold */

#include <stdbool.h>
#include <stddef.h>

#include "cli/cli_files.h"
#include "cli/merge_operands.h"
#include "cli/msg.h"
#include "cli/out.h"
#include "cli/table.h"
#include "info/trace_info.h"

static void
put_facts(struct strbuf *buffer, enum form form, const struct trace_info *facts)
{
	if (form == FORM_TEXT)
		trace_info_put_text(buffer, facts);
	else
		trace_info_put_row(buffer, form, facts);
}

struct info {
	struct out out;
	unsigned form;
	bool quiet;
	bool lost;			/* the report is not whole */
};

/* A text after the first one has a blank line before it. The text is for
 * people, who find the errors in it. */
static int
tell(struct info *info, const char *file)
{
	const enum form form = (enum form)info->form;
	struct strbuf buffer = { 0 };
	struct trace_info facts;

	if (files_clash_operand(file, &info->out.file)) {
		info->lost = true;
		return CMD_TROUBLE;
	}
	int status = trace_info_gather(&facts, file);
	if (form == FORM_TEXT && info->out.at != NULL)
		strbuf_string(&buffer, "\n");
	put_facts(&buffer, form, &facts);
	out_put(&info->out, buffer.bytes, buffer.len);
	if (status != CMD_TROUBLE)
		msg_errors(file, facts.reader,
		    info->quiet || form == FORM_TEXT);
	if (buffer.failed) {
		msg_memory();
		info->lost = true;
		status = CMD_TROUBLE;
	}
	strbuf_fini(&buffer);
	trace_info_fini(&facts);
	return status;
}

static void
put_names(struct out *out, enum form form)
{
	struct strbuf buffer = { 0 };

	if (form == FORM_TSV || form == FORM_CSV)
		trace_info_put_names(&buffer, form);
	out_put(out, buffer.bytes, buffer.len);
	strbuf_fini(&buffer);
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	struct info info = { .form = FORM_TEXT };
	const char *output = NULL;
	const struct opt options[] = {
		OPT_FORM(&info.form),
		OPT_OUTPUT(&output),
		OPT_QUIET(&info.quiet),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status != OPT_GO)
		return status;
	if (argc == 0)
		return opt_usage(cmd, "no file is named");
	if (!out_open(&info.out, output))
		return CMD_TROUBLE;
	status = CMD_OK;
	put_names(&info.out, (enum form)info.form);
	for (int i = 0; i < argc; i++)
		status = cmd_worse(status, tell(&info, argv[i]));
	return out_close_report(&info.out, status, !info.lost);
}

const struct cmd cmd_info = {
	.name = "info",
	.group = "look",
	.synopsis = "[-q] [-f FORM] [-o FILE] FILE...",
	.summary = "tell what traces are and hold",
	.run = run,
};
