/* cmd_shift.c - shift and scale the times of a trace */

#include <dmtrace.h>

#include <errno.h>
#include <stdlib.h>

#include "cli/decimal.h"
#include "cli/msg.h"
#include "cli/job.h"

#define SCALE_MAX 1000000000

/* The arguments as typed; NULL: not given. */
struct shift_arguments {
	const char *by;
	const char *scale;
	const char *start;
};

static uint64_t
greatest_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Parses a decimal fraction, and reduces it. */
static bool
parse_scale(const char *text, uint64_t *up, uint64_t *down)
{
	bool fraction = false;
	size_t digits = 0;

	*up = 0;
	*down = 1;
	for (; *text != '\0'; text++) {
		if (*text == '.' && !fraction) {
			fraction = true;
			continue;
		}
		if (*text < '0' || *text > '9' || ++digits > 18)
			return false;
		*up = *up * 10 + (uint64_t)(*text - '0');
		if (fraction)
			*down *= 10;
	}
	const uint64_t common = greatest_divisor(*up, *down);
	*up /= common;
	*down /= common;
	return digits > 0 && *up > 0 && *up <= SCALE_MAX &&
	    *down <= SCALE_MAX;
}

/* Parses a start time: a date, or a number as in the header. */
static bool
parse_start(const char *text, uint64_t *start)
{
	char *end;

	if (date_parse(text, start))
		return true;
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	const unsigned long long number = strtoull(text, &end, 10);
	*start = number;
	return errno == 0 && *end == '\0';
}

/* false: a value is wrong, which was reported. */
static bool
parse_arguments(const struct shift_arguments *arguments,
    struct dmtrace_shift_options *options, uint64_t *start)
{
	if (arguments->by != NULL &&
	    (!duration_parse(arguments->by, &options->by_ns) ||
	    options->by_ns % 1000 != 0)) {
		msg_error("--by: \"%s\" is not a number of whole "
		    "microseconds with a unit (" DURATION_UNITS "), such as "
		    "1.5ms", arguments->by);
		return false;
	}
	if (arguments->scale != NULL && !parse_scale(arguments->scale,
	    &options->scale_up, &options->scale_down)) {
		msg_error("--scale: \"%s\" is not a number above 0, of up to "
		    "nine digits, such as 0.001", arguments->scale);
		return false;
	}
	if (arguments->start != NULL && !parse_start(arguments->start, start)) {
		msg_error("--start: \"%s\" is neither microseconds, a number "
		    "below 2^64, nor a date such as "
		    "2026-01-31T23:59:59.000001Z", arguments->start);
		return false;
	}
	return true;
}

static int
run_shift(const struct cmd *cmd, int argc, char **argv)
{
	struct job job = { .output = NULL };
	struct dmtrace_shift_options settings = { 0 };
	struct shift_arguments arguments = { NULL, NULL, NULL };
	bool to_zero = false;
	uint64_t start;
	const struct opt options[] = {
		OPT_STRING(0, "by", "TIME", &arguments.by,
		    "add TIME to all times; it may be negative"),
		OPT_STRING(0, "scale", "X", &arguments.scale,
		    "multiply all times by X"),
		OPT_STRING(0, "start", "TIME", &arguments.start,
		    "set the start time in the header"),
		OPT_FLAG(0, "to-zero", &to_zero, "make the first time 0"),
		OPT_JOB_DIALECT(&job),
		OPT_JOB_OUTPUT(&job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	settings.to_zero = to_zero;
	if (status == OPT_GO && arguments.by == NULL &&
	    arguments.scale == NULL && arguments.start == NULL && !to_zero)
		status = opt_usage(cmd, "no shift is named: use --by, "
		    "--scale, --start or --to-zero");
	if (status == OPT_GO &&
	    !parse_arguments(&arguments, &settings, &start))
		status = CMD_TROUBLE;
	if (status == OPT_GO)
		status = job_check_operand(cmd, argc, "trace");
	if (status == OPT_GO && job_begin_rewrite(&job, argv[0]) != CMD_OK)
		status = CMD_TROUBLE;
	if (status == OPT_GO && arguments.start != NULL)
		dmtrace_writer_set_start(job.writer, start);
	if (status == OPT_GO && job_open_writer(&job) != CMD_OK)
		status = CMD_TROUBLE;
	if (status == OPT_GO)
		status = job_close(&job, dmtrace_shift(job.op, job.reader,
		    job.writer, &settings));
	job_fini(&job);
	return status;
}

const struct cmd cmd_shift = {
	.name = "shift",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] TRACE",
	.summary = "shift or scale the times of a trace",
	.examples = {
		"dmtrace shift --to-zero -o zero.trace app.trace",
		"dmtrace shift --by=-1.5s -o earlier.trace app.trace",
	},
	.run = run_shift,
};
