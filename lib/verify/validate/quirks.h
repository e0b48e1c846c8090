/* quirks.h - which findings a reader meets in a trace */
#ifndef DMT_VERIFY_QUIRKS_H
#define DMT_VERIFY_QUIRKS_H

#include <dmtrace/key.h>
#include <dmtrace/verify.h>

#include "base/idmap.h"
#include "events/indexes.h"
#include "format/finding.h"
#include "key/line_text.h"
#include "trace/reader.h"

enum { DMT_DUMP_THREADS = 49152 };	/* that dmtracedump takes */

/* Readers, as bits: two that are alike in much, and all. */
enum {
	DMT_BY_DUMP = 1 << DMTRACE_READER_DMTRACEDUMP,
	DMT_BY_VIEW = 1 << DMTRACE_READER_TRACEVIEW,
	DMT_BY_2016 = 1 << DMTRACE_READER_PERFLIB2016,
	DMT_BY_STUDIO = 1 << DMTRACE_READER_STUDIO,
	DMT_BY_FIREFOX = 1 << DMTRACE_READER_FIREFOX,
	DMT_BY_PERFETTO = 1 << DMTRACE_READER_PERFETTO,
	DMT_BY_PERFLIB = DMT_BY_2016 | DMT_BY_STUDIO,
	DMT_BY_JAVA = DMT_BY_VIEW | DMT_BY_PERFLIB,
	DMT_BY_ALL = (1 << DMTRACE_READERS) - 1
};

/* The readers for which the trace has each quirk: the same line can be
 * harmless to one and a problem to the next. */
struct dmt_quirks {
	uint8_t has[DMT_ROW_COUNT];
};

static inline void
dmt_quirk_set(struct dmt_quirks *quirks, unsigned quirk, unsigned readers)
{
	quirks->has[quirk] |= (uint8_t)readers;
}

static inline void
dmt_quirk_set_if(struct dmt_quirks *quirks, unsigned quirk, bool holds)
{
	if (holds)
		dmt_quirk_set(quirks, quirk, DMT_BY_ALL);
}

/* A thread's line, as the readers take it that keep threads by number. */
struct dmt_thread_seen {
	int64_t id;
	size_t order;			/* of its line */
	struct dmtrace_text name;
};

struct dmt_threads_seen {
	struct dmt_thread_seen *items;
	size_t count, capacity;
};

/* A row of methods, in its order. */
struct dmt_method_seen {
	uint64_t id;			/* for dmtracedump */
	struct dmtrace_text line;	/* after the id */
};

struct dmt_methods_seen {
	struct dmt_method_seen *items;
	size_t count, capacity;
};

/*
 * What is known of a trace while it is judged. Most of what is unusual about a
 * method matters only to a reader that shows it, in an event: uses has what
 * that would be, as bits of enum dmt_use, by method id.
 */
struct dmt_quirk_search {
	struct dmt_quirks *quirks;
	bool no_memory;
	enum dmtrace_clock clock;	/* the last one named */
	unsigned elsewhere;		/* readers that meet other records */
	struct dmt_idmap uses;
	struct dmt_threads_seen threads;	/* of perflib */
	struct dmt_idmap firefox_threads;
	struct dmt_idmap renamed;		/* threads whose first name is
						   not the last */
	struct dmt_methods_seen methods;
	struct dmt_threads_seen classes;	/* first parts of their names,
						   in name; id is not used */
};

void
dmt_quirk_search_init(struct dmt_quirk_search *search,
    struct dmt_quirks *quirks);
void
dmt_quirk_search_fini(struct dmt_quirk_search *search);

/* What a reader was opened with, or why it was not; before its records are
 * read. text is that of its key, empty if it has none. It stays until the
 * end. */
void
dmt_search_front(struct dmt_quirk_search *search,
    struct dmtrace_reader *reader, enum dmtrace_status opened,
    struct dmtrace_text text);

/* When all records were read: indexes are of their source, and latest_ns
 * is the latest time. */
void
dmt_search_events(struct dmt_quirk_search *search,
    const struct dmtrace_reader *reader, const struct dmt_indexes *indexes,
    uint64_t latest_ns);

/* What the text of a key has. */
void
dmt_search_key(struct dmt_quirk_search *search, struct dmtrace_text text);

#endif
