/* cmd_report.c - where the time of traces went */

#include <dmtrace.h>

#include <stdlib.h>

#include "dmtracedump.h"
#include "files.h"
#include "gather.h"
#include "msg.h"
#include "report.h"
#include "traceview.h"

/* The words of --by, and what each takes together. */
enum { BY_THREAD = 4 };
static const char *const by_words[] = {
	"method", "name", "class", "package", "thread", NULL
};
static const enum dmtrace_profile_by bys[] = {
	DMTRACE_PROFILE_BY_METHOD, DMTRACE_PROFILE_BY_NAME,
	DMTRACE_PROFILE_BY_CLASS, DMTRACE_PROFILE_BY_PACKAGE,
	DMTRACE_PROFILE_BY_METHOD
};

static const char *const sort_words[] = {
	[REPORT_SORT_INCLUSIVE] = "inclusive",
	[REPORT_SORT_EXCLUSIVE] = "exclusive",
	[REPORT_SORT_CALLS] = "calls",
	[REPORT_SORT_PER_CALL] = "per-call",
	[REPORT_SORT_OFF_CPU] = "off-cpu",
	[REPORT_SORT_NAME] = "name",
	[REPORT_SORT_NAME + 1] = NULL
};

/* The clock that is asked for; the last word is: what there is. */
enum { CLOCK_ANY = DMTRACE_PROFILE_CLOCKS };
static const char *const clock_words[] = { "cpu", "wall", NULL };

struct options {
	unsigned form, by, sort, clock;
	const char *output;
	uint64_t top, threshold;
	bool callers, callees, tree, bottom_up, calls, per_thread;
	bool compensate, quiet, progress;
	bool dmtracedump, traceview;
	struct selection selection;
};

static unsigned
things_to_keep(const struct options *options)
{
	return (options->callers || options->callees ?
	    DMTRACE_PROFILE_EDGES : 0) |
	    (options->tree || options->bottom_up ?
	    DMTRACE_PROFILE_TREE : 0) |
	    (options->calls ? DMTRACE_PROFILE_CALLS : 0) |
	    (options->per_thread ? DMTRACE_PROFILE_THREADS : 0) |
	    (options->compensate ? DMTRACE_PROFILE_COMPENSATE : 0);
}

/* Statistics of single calls need to know the clock beforehand. */
static struct dmtrace_profile *
make_profile(const struct options *options)
{
	struct dmtrace_profile_options wanted;

	dmtrace_profile_options_init(&wanted);
	wanted.keep = things_to_keep(options);
	wanted.by = bys[options->by];
	if (options->dmtracedump)
		wanted = dmtracedump_options();
	if (options->clock != CLOCK_ANY)
		wanted.clock = (enum dmtrace_profile_clock)options->clock;
	struct dmtrace_profile *profile = dmtrace_profile_new(&wanted);
	if (profile == NULL)
		msg_memory();
	return profile;
}

static int
choose_clock(struct report *report, unsigned choice)
{
	const int *has_clock = report->summary.has_clock;

	report->both = has_clock[0] && has_clock[1];
	report->clock = has_clock[DMTRACE_PROFILE_WALL] ?
	    DMTRACE_PROFILE_WALL : DMTRACE_PROFILE_CPU;
	if (choice != CLOCK_ANY)
		report->clock = (enum dmtrace_profile_clock)choice;
	if (has_clock[report->clock])
		return CMD_OK;
	if (choice == CLOCK_ANY)
		msg_error("the traces have no clock in common");
	else
		msg_error("--clock: there is no %s time in all traces",
		    clock_words[choice]);
	return CMD_TROUBLE;
}

/* dmtracedump reads the first time of a record. */
static unsigned
first_clock(const struct report *report)
{
	return report->summary.has_clock[DMTRACE_PROFILE_CPU] ?
	    DMTRACE_PROFILE_CPU : DMTRACE_PROFILE_WALL;
}

static int
put(struct report *report, const struct options *options,
    const struct gather *gather, struct out *out)
{
	report->form = (enum form)options->form;
	report->sort = (enum report_sort)options->sort;
	report->top = options->top == 0 || options->top > SIZE_MAX ?
	    SIZE_MAX : (size_t)options->top;
	report->threshold = (double)options->threshold;
	report->threads = options->by == BY_THREAD;
	report->callers = options->callers;
	report->callees = options->callees;
	report->tree = options->tree;
	report->bottom_up = options->bottom_up;
	report->calls = options->calls;
	report->per_thread = options->per_thread;
	report->out = out;
	bool fine;
	if (options->dmtracedump)
		fine = dmtracedump_put(report,
		    dmtrace_reader_key(gather->reader));
	else if (report->form == FORM_TEXT)
		fine = report_text(report);
	else
		fine = report_cells(report);
	buffer_fini(&report->buffer);
	return fine ? CMD_OK : CMD_TROUBLE;
}

static int
choose_and_put(struct report *report, const struct options *options,
    const struct gather *gather, struct out *out)
{
	const int status = choose_clock(report, options->dmtracedump ?
	    first_clock(report) : options->clock);

	return status == CMD_OK ? put(report, options, gather, out) : status;
}

static int
worse(int a, int b)
{
	return a > b ? a : b;
}

/* What could be read is reported, even if another trace could not be. */
static int
gather_and_put(const struct options *options,
    struct dmtrace_profile *profile, struct selection *selection,
    struct out *out, char **files)
{
	struct report report = { .profile = profile };
	struct gather gather = {
		.profile = profile, .selection = selection,
		.out = &out->file, .quiet = options->quiet,
		.keeps_reader = options->dmtracedump
	};
	int status = CMD_OK;

	progress_init(&gather.progress, options->quiet, options->progress);
	for (; *files != NULL; files++)
		status = worse(status, gather_add(&gather, *files));
	dmtrace_profile_summary_get(profile, &report.summary);
	if (report.summary.traces > 0 &&
	    dmtrace_profile_error(profile)->status == DMTRACE_OK)
		status = worse(status, choose_and_put(&report, options,
		    &gather, out));
	dmtrace_reader_free(gather.reader);
	return report.summary.records == 0 &&
	    !dmtrace_selection_is_all(selection->asked) ?
	    worse(status, CMD_NO) : status;
}

static int
report(struct options *options, char **files)
{
	struct dmtrace_profile *profile = make_profile(options);
	struct out out;
	int status = selection_begin(&options->selection);

	if (status == OPT_GO && profile == NULL)
		status = CMD_TROUBLE;
	if (status == OPT_GO && !out_open(&out, options->output))
		status = CMD_TROUBLE;
	if (status == OPT_GO)
		status = out_close(&out, gather_and_put(options, profile,
		    &options->selection, &out, files));
	selection_end(&options->selection);
	dmtrace_profile_free(profile);
	return status;
}

static int
read_and_view(const struct options *options, struct dmtrace_reader *reader,
    const char *name, struct out *out)
{
	struct progress progress;
	struct view view;
	bool fine = view_init(&view, reader);

	if (!fine)
		msg_memory();
	progress_init(&progress, options->quiet, options->progress);
	fine = fine && view_read(&view, reader, name, &progress) &&
	    view_put(&view, out);
	view_fini(&view);
	if (!fine)
		return CMD_TROUBLE;
	return msg_errors(name, reader, options->quiet) ? CMD_NO : CMD_OK;
}

static int
view_file(const struct options *options, struct dmtrace_reader *reader,
    struct out *out, const char *operand)
{
	const struct dmtrace_file in = files_input(operand);

	if (reader == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	if (files_open(reader, operand) != DMTRACE_OK) {
		msg_failure(files_name(&in), dmtrace_reader_error(reader));
		return CMD_TROUBLE;
	}
	return files_clash_trace(reader, operand, &out->file) ? CMD_TROUBLE :
	    read_and_view(options, reader, files_name(&in), out);
}

static int
view(const struct options *options, const char *operand)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct out out;
	int status = CMD_TROUBLE;

	if (out_open(&out, options->output))
		status = out_close(&out, view_file(options, reader, &out,
		    operand));
	dmtrace_reader_free(reader);
	return status;
}

static int
check_usage(const struct cmd *cmd, const struct options *options, int argc)
{
	const bool more = options->callers || options->callees ||
	    options->tree || options->bottom_up || options->calls ||
	    options->per_thread;

	if (argc == 0)
		return opt_usage(cmd, "no file is named");
	if (options->by == BY_THREAD && more)
		return opt_usage(cmd, "--by=thread has no methods to tell of");
	return OPT_GO;
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	struct options options = {
		.clock = CLOCK_ANY, .selection = SELECTION
	};
	const struct opt rows[] = {
		OPT_CHOICE(0, "by", "WHAT", &options.by, by_words,
		    "method, name, class, package or thread [method]"),
		OPT_FLAG(0, "callers", &options.callers,
		    "with who called each"),
		OPT_FLAG(0, "callees", &options.callees,
		    "with whom each called"),
		OPT_FLAG(0, "tree", &options.tree, "the tree of calls"),
		OPT_FLAG(0, "bottom-up", &options.bottom_up,
		    "the same from below: methods, and who called them"),
		OPT_FLAG(0, "calls", &options.calls,
		    "with the shortest, longest and usual call"),
		OPT_FLAG(0, "per-thread", &options.per_thread,
		    "a table for each thread"),
		OPT_CHOICE(0, "sort", "KEY", &options.sort, sort_words,
		    "inclusive, exclusive, calls, per-call, off-cpu, name"),
		OPT_UINT(0, "top", "N", &options.top,
		    "the first N of a table or branch [all]"),
		OPT_RANGE(0, "threshold", "PERCENT", &options.threshold, 0,
		    100, "only what takes that much of the total [0]"),
		OPT_CHOICE(0, "clock", "CLOCK", &options.clock, clock_words,
		    "cpu or wall [wall if there is one]"),
		OPT_FLAG(0, "compensate", &options.compensate,
		    "subtract what reading the clock took"),
		OPT_FLAG(0, "dmtracedump", &options.dmtracedump,
		    "the report of dmtracedump"),
		OPT_FLAG(0, "traceview", &options.traceview,
		    "the tables of traceview -r"),
		OPT_SELECTION(&options.selection),
		OPT_FORM(&options.form),
		OPT_OUTPUT(&options.output),
		OPT_QUIET(&options.quiet),
		OPT_FLAG(0, "progress", &options.progress,
		    "tell the progress, also if it is not to a terminal"),
		OPT_END
	};
	int status = opt_parse(cmd, rows, &argc, argv);

	if (status == OPT_GO)
		status = check_usage(cmd, &options, argc);
	if (status != OPT_GO) {
		selection_end(&options.selection);
		return status;
	}
	if (options.traceview)
		return view(&options, argv[0]);
	argv[argc] = NULL;
	return report(&options, argv);
}

const struct cmd cmd_report = {
	.name = "report",
	.group = "profile",
	.synopsis = "[OPTION]... FILE...",
	.summary = "tell where the time of traces went",
	.run = run,
};
