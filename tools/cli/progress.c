/* progress.c - shows the progress of long commands on standard error */

#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/msg.h"

enum {
	FIRST_MS = 1000,		/* shorter commands show no progress */
	TERMINAL_MS = 100,		/* time between updates */
	LINES_MS = 1000
};

static int64_t
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void
progress_init(struct progress *progress, bool quiet, bool asked)
{
	const bool terminal = isatty(STDERR_FILENO);
	const int64_t now = now_ms();

	*progress = (struct progress){
		.wanted = asked || (terminal && !quiet),
		.terminal = terminal,
		.next_ms = now + FIRST_MS,
		.begun_ms = now
	};
}

/* Writes the time in seconds or, if it is long, in minutes or hours. */
static void
format_time_left(char *out, size_t size, double seconds)
{
	static const struct {
		double most, unit;
		const char *name;
	} rows[] = {
		{ 100, 1, "s" },
		{ 6000, 60, "min" },
		{ 1e12, 3600, "h" },
	};
	size_t i = 0;

	while (i < 2 && seconds > rows[i].most)
		i++;
	snprintf(out, size, ", %.0f %s left", seconds / rows[i].unit + 0.5,
	    rows[i].name);
}

/* Writes the percentage or, if the total is unknown, the amount; then the rate
 * since the beginning, and the time left at that rate. */
static void
format_progress(char *out, size_t size, const struct progress *progress,
    uint64_t done, uint64_t total, double seconds)
{
	const char *const unit = progress->files ? "files" :
	    progress->records ? "million events" : "MB";
	const double in_unit = progress->files ? 1 : 1e6;
	const bool ends = total > 0 && done <= total;
	int used = ends ? snprintf(out, size, "%.0f %%",
	    100.0 * (double)done / (double)total) :
	    snprintf(out, size, "%" PRIu64 " %s",
	    done / (uint64_t)in_unit, unit);

	if (seconds * 1000 < FIRST_MS || done == 0)
		return;
	const double rate = (double)done / seconds;
	used += snprintf(out + used, size - (size_t)used, ", %.1f %s/s",
	    rate / in_unit, unit);
	if (ends)
		format_time_left(out + used, size - (size_t)used,
		    (double)(total - done) / rate);
}

int
progress_show(void *context, uint64_t done, uint64_t total)
{
	struct progress *const progress = context;
	char text[128];

	if (!progress->wanted)
		return 0;
	const int64_t now = now_ms();
	if (done < progress->done)
		progress->begun_ms = now;
	progress->done = done;
	if (now < progress->next_ms)
		return 0;
	progress->next_ms = now + (progress->terminal ? TERMINAL_MS :
	    LINES_MS);
	format_progress(text, sizeof(text), progress, done, total,
	    (double)(now - progress->begun_ms) / 1000);
	if (progress->terminal)
		msg_progress(text);
	else
		msg_note("%s", text);
	progress->shown = progress->terminal;
	return 0;
}

void
progress_erase(struct progress *progress)
{
	if (progress->shown)
		msg_progress("");
	progress->shown = false;
}
