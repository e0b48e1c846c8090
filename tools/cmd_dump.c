/* cmd_dump.c - print the records of a trace, one per line */

#include <dmtrace.h>

#include <inttypes.h>
#include <stdbool.h>

#include "dmtracedump.h"
#include "files.h"
#include "lines.h"
#include "msg.h"
#include "opt.h"
#include "out.h"

#define BATCH 2048		/* events */

struct dump {
	const char *name;		/* of the file, for messages */
	bool quiet;			/* no findings to standard error */
	bool dmtracedump;		/* the lines of dmtracedump -o */
	struct dmtrace_reader *reader;
	struct dmtrace_calls *calls;
	struct lines lines;
	struct out out;
};

static int
fail(const struct dump *dump)
{
	msg_failure(dump->name, dmtrace_reader_error(dump->reader));
	return CMD_TROUBLE;
}

/* record is the number of the event's, from 1. */
static int
fail_at(struct dump *dump, enum dmtrace_status status, uint64_t record,
    uint32_t thread)
{
	if (status == DMTRACE_ERR_LIMIT)
		msg_error("%s: record %" PRIu64 ": thread %" PRIu32 " has %"
		    PRIu32 " open frames, which is the limit", dump->name,
		    record, thread, dmtrace_stacks_depth(
		    dmtrace_calls_stacks(dump->calls), thread));
	else
		msg_memory();
	return CMD_TROUBLE;
}

static int
print_batch(struct dump *dump, const struct dmtrace_event *events,
    size_t count)
{
	const uint64_t first = dmtrace_reader_position(dump->reader) - count;
	const uint64_t offset = dmtrace_reader_offset(dump->reader);
	const size_t size = dmtrace_layout_record_size(
	    dmtrace_reader_layout(dump->reader));

	for (size_t i = 0; i < count; i++) {
		struct dmtrace_step step;
		const enum dmtrace_status status =
		    dmtrace_calls_step(dump->calls, &events[i],
		    offset + i * size, &step);

		if (status != DMTRACE_OK)
			return fail_at(dump, status, first + i + 1,
			    events[i].thread);
		lines_put(&dump->lines, &dump->out, &events[i], step.depth);
	}
	return CMD_OK;
}

/* Those of the file first, then those of its calls. */
static bool
tell_errors(const struct dump *dump)
{
	bool any = msg_errors(dump->name, dump->reader, dump->quiet);

	for (size_t i = 0; i < dmtrace_calls_finding_count(dump->calls); i++)
		any |= msg_error_finding(dump->name,
		    dmtrace_calls_finding_get(dump->calls, i), dump->quiet);
	return any;
}

/* Ends early when nobody reads what is written. */
static int
print_all(struct dump *dump)
{
	struct dmtrace_event events[BATCH];
	size_t count;

	lines_put_names(&dump->lines, &dump->out);
	do {
		if (dmtrace_reader_read(dump->reader, events, BATCH,
		    &count) != DMTRACE_OK)
			return fail(dump);
		const int status = print_batch(dump, events, count);
		if (status != CMD_OK)
			return status;
	} while (count > 0 && out_room(&dump->out, 1) != NULL);
	return tell_errors(dump) ? CMD_NO : CMD_OK;
}

static int
print_as_dmtracedump(struct dump *dump, const char *output)
{
	if (!out_open(&dump->out, output))
		return CMD_TROUBLE;
	int status = CMD_TROUBLE;
	if (dmtracedump_list(&dump->out, dump->reader, dump->name))
		status = msg_errors(dump->name, dump->reader, dump->quiet) ?
		    CMD_NO : CMD_OK;
	return out_close(&dump->out, status);
}

static int
print(struct dump *dump, enum form form, const char *output)
{
	const struct dmtrace_key *key = dmtrace_reader_key(dump->reader);
	const struct dmtrace_layout *layout =
	    dmtrace_reader_layout(dump->reader);

	dump->calls = dmtrace_calls_new(key, layout);
	if (!lines_init(&dump->lines, form, key, layout) ||
	    dump->calls == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	if (!out_open(&dump->out, output))
		return CMD_TROUBLE;
	return out_close(&dump->out, print_all(dump));
}

static int
open_and_print(struct dump *dump, const char *operand, enum form form,
    const char *output)
{
	const struct dmtrace_file in = files_input(operand);
	const struct dmtrace_file out = files_output(output);

	dump->name = files_name(&in);
	if (dump->reader == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	if (files_open(dump->reader, operand) != DMTRACE_OK)
		return fail(dump);
	if (files_clash_trace(dump->reader, operand, &out))
		return CMD_TROUBLE;
	if (dump->dmtracedump)
		return print_as_dmtracedump(dump, output);
	const int status = print(dump, form, output);
	lines_fini(&dump->lines);
	dmtrace_calls_free(dump->calls);
	return status;
}

static int
check_usage(const struct cmd *cmd, int argc, bool as_dmtracedump,
    enum form form)
{
	if (argc != 1)
		return opt_usage(cmd, argc == 0 ? "no file is named" :
		    "more than one file");
	if (as_dmtracedump && form != FORM_TEXT)
		return opt_usage(cmd, "--dmtracedump has no other form");
	return OPT_GO;
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	unsigned form = FORM_TEXT;
	const char *output = NULL;
	bool quiet = false, as_dmtracedump = false;
	const struct opt options[] = {
		OPT_FLAG(0, "dmtracedump", &as_dmtracedump,
		    "the lines of dmtracedump -o"),
		OPT_FORM(&form),
		OPT_OUTPUT(&output),
		OPT_QUIET(&quiet),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = check_usage(cmd, argc, as_dmtracedump,
		    (enum form)form);
	if (status != OPT_GO)
		return status;
	struct dump dump = {
		.quiet = quiet,
		.dmtracedump = as_dmtracedump,
		.reader = dmtrace_reader_new()
	};
	status = open_and_print(&dump, argv[0], (enum form)form, output);
	dmtrace_reader_free(dump.reader);
	return status;
}

const struct cmd cmd_dump = {
	.name = "dump",
	.group = "look",
	.synopsis = "[-q] [-f FORM] [-o FILE] FILE",
	.summary = "print the records of a trace, one per line",
	.run = run,
};
