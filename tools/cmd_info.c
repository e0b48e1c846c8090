/* cmd_info.c - tell what traces are and hold */

#include <stdbool.h>
#include <stddef.h>

#include "facts.h"
#include "files.h"
#include "form.h"
#include "msg.h"
#include "out.h"

static void
put_facts(struct buffer *buffer, enum form form, const struct facts *facts)
{
	if (form == FORM_TEXT)
		facts_put_text(buffer, facts);
	else
		facts_put_row(buffer, form, facts);
}

/* Facts of files behind the first one have a blank line before them. The text
 * is for people, who find the errors in it. */
static int
tell(struct out *out, enum form form, const char *file, bool quiet)
{
	struct buffer buffer = { 0 };
	struct facts facts;
	int status = facts_gather(&facts, file);

	if (status != CMD_TROUBLE) {
		if (form == FORM_TEXT && out->at != NULL)
			buffer_string(&buffer, "\n");
		put_facts(&buffer, form, &facts);
		out_put(out, buffer.bytes, buffer.len);
		msg_errors(file, facts.reader, quiet || form == FORM_TEXT);
	}
	if (buffer.failed)
		msg_memory();
	if (buffer.failed ||
	    files_clash_trace(facts.reader, file, &out->file))
		status = CMD_TROUBLE;
	buffer_fini(&buffer);
	facts_fini(&facts);
	return status;
}

static void
put_names(struct out *out, enum form form)
{
	struct buffer buffer = { 0 };

	if (form == FORM_TSV || form == FORM_CSV)
		facts_put_names(&buffer, form);
	out_put(out, buffer.bytes, buffer.len);
	buffer_fini(&buffer);
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	unsigned form = FORM_TEXT;
	const char *output = NULL;
	bool quiet = false;
	const struct opt options[] = {
		OPT_FORM(&form),
		OPT_OUTPUT(&output),
		OPT_QUIET(&quiet),
		OPT_END
	};
	struct out out;
	int status = opt_parse(cmd, options, &argc, argv);

	if (status != OPT_GO)
		return status;
	if (argc == 0)
		return opt_usage(cmd, "no file is named");
	if (!out_open(&out, output))
		return CMD_TROUBLE;
	status = CMD_OK;
	put_names(&out, (enum form)form);
	for (int i = 0; i < argc; i++)
		status = cmd_worse(status,
		    tell(&out, (enum form)form, argv[i], quiet));
	return out_close(&out, status);
}

const struct cmd cmd_info = {
	.name = "info",
	.group = "look",
	.synopsis = "[-q] [-f FORM] [-o FILE] FILE...",
	.summary = "tell what traces are and hold",
	.run = run,
};
