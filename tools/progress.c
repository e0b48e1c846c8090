/* progress.c - how far a long command is, on standard error */

#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "msg.h"

enum {
	FIRST_MS = 1000,		/* what is done by then needs none */
	TERMINAL_MS = 100,		/* between two */
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

	*progress = (struct progress){
		.wanted = asked || (terminal && !quiet),
		.terminal = terminal,
		.next_ms = now_ms() + FIRST_MS
	};
}

/* Percent or, of what has no known end, millions. */
static void
show(struct progress *progress, uint64_t done, uint64_t total)
{
	char words[32];

	if (total > 0 && done <= total)
		snprintf(words, sizeof(words), "%.0f %%",
		    100.0 * (double)done / (double)total);
	else
		snprintf(words, sizeof(words), "%" PRIu64 " million",
		    done / 1000000);
	if (progress->terminal)
		msg_progress(words);
	else
		msg_error("%s", words);
	progress->shown = progress->terminal;
}

int
progress_tell(void *context, uint64_t done, uint64_t total)
{
	struct progress *const progress = context;

	if (!progress->wanted)
		return 0;
	const int64_t now = now_ms();
	if (now < progress->next_ms)
		return 0;
	progress->next_ms = now + (progress->terminal ? TERMINAL_MS :
	    LINES_MS);
	show(progress, done, total);
	return 0;
}

void
progress_erase(struct progress *progress)
{
	if (progress->shown)
		msg_progress("");
	progress->shown = false;
}
