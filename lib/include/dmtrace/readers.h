/* dmtrace/readers.h - what other programs make of a trace */
#ifndef DMTRACE_READERS_H
#define DMTRACE_READERS_H

#include <dmtrace/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As measured; see dmtrace-validate.1. */
enum dmtrace_other_reader {
	DMTRACE_READER_DMTRACEDUMP = 0,	/* of Android 11 */
	DMTRACE_READER_TRACEVIEW = 1,	/* of SDK tools r22.2 */
	DMTRACE_READER_PERFLIB2016 = 2,
	DMTRACE_READER_STUDIO = 3,	/* perflib of November 2024 */
	DMTRACE_READER_FIREFOX = 4,	/* profiler, of August 2026 */
	DMTRACE_READER_PERFETTO = 5,	/* trace_processor, August 2026 */
	DMTRACE_READERS = 6
};

/* What a reader does, the worst last. */
enum dmtrace_reception {
	DMTRACE_READS = 0,		/* what is there, and no more */
	DMTRACE_DUMP_ONLY = 1,		/* lists records, fails to sum up */
	DMTRACE_MISREADS = 2,		/* opens it, and shows other things */
	DMTRACE_REFUSES = 3,
	DMTRACE_CRASHES = 4		/* or takes all memory */
};

struct dmtrace_verdict {
	enum dmtrace_reception reception;
	const char *rule;	/* the finding or quirk that decides, or NULL */
	const char *words;	/* for people; NULL where rule is */
};

/* "dmtracedump", "traceview", "perflib2016", "studio", "firefox" or
 * "perfetto"; "" for another number. Thread-safe. */
DMTRACE_API const char *
dmtrace_other_reader_name(enum dmtrace_other_reader reader);

/* "reads", "dump-only", "misreads", "refuses" or "crashes"; "" for another
 * number. Thread-safe. */
DMTRACE_API const char *
dmtrace_reception_name(enum dmtrace_reception reception);

/* Each reader's reception of a trace that has a property, and no other. */
struct dmtrace_reader_rule {
	const char *name;
	const char *words;
	enum dmtrace_reception receptions[DMTRACE_READERS];
	int measured;		/* 0: it is what is known of the readers */
};

/* The table of the verdicts, by index from 0; its strings live as long as
 * the program. Returns 0, or 1 past the last one, and then *rule is as it
 * was. Thread-safe. */
DMTRACE_API int
dmtrace_reader_rule_get(size_t index, struct dmtrace_reader_rule *rule);

/*
 * Validates as dmtrace_validate does, and says what each reader makes of the
 * file: for several quirks at once, the worst. *validity is all zero where
 * no record could be read. The strings live as long as the program.
 *
 * Returns DMTRACE_OK, also for what is no trace and for ART streaming and
 * format V2; DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, DMTRACE_ERR_CANCELLED or
 * DMTRACE_ERR_LIMIT; then *verdicts and *validity are as they were
 */
DMTRACE_API enum dmtrace_status
dmtrace_judge(struct dmtrace_op *op, const struct dmtrace_file *file,
    struct dmtrace_verdict verdicts[DMTRACE_READERS],
    struct dmtrace_validity *validity);

#ifdef __cplusplus
}
#endif

#endif
