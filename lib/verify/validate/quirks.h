/* quirks.h - the findings and quirks of a trace that matter to each reader */
#ifndef DMT_VERIFY_QUIRKS_H
#define DMT_VERIFY_QUIRKS_H

#include <dmtrace/key.h>
#include <dmtrace/verify.h>

#include "base/idmap.h"
#include "events/indexes.h"
#include "format/finding.h"
#include "key/line_text.h"
#include "trace/reader.h"

enum { DMT_DUMP_THREADS = 49152 };	/* greatest thread number that
					   dmtracedump accepts */

/* Readers, as bits: each one, groups that behave alike, and all. */
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

/* For each quirk, the readers that it affects, as bits: a line can be harmless
 * to one reader and a problem to another. */
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

/* A thread's line, as it is read by the readers that keep threads by number. */
struct dmt_thread_seen {
	int64_t id;
	size_t order;			/* place of its line in the section */
	struct dmtrace_text name;
};

struct dmt_threads_seen {
	struct dmt_thread_seen *items;
	size_t count, capacity;
	struct dmt_thread_seen spare;	/* as in all lists for dmt_push */
};

/* A row of methods. */
struct dmt_method_seen {
	uint64_t id;			/* as dmtracedump reads it */
	struct dmtrace_text line;	/* what follows the id */
};

struct dmt_methods_seen {
	struct dmt_method_seen *items;
	size_t count, capacity;
	struct dmt_method_seen spare;
};

/*
 * The state of the search for quirks in a trace. Most unusual properties of a
 * method's line matter only if the method has an event. Until that is known,
 * they are kept in uses, by method id, as bits of enum dmt_use.
 */
struct dmt_quirk_search {
	struct dmt_quirks *quirks;
	bool no_memory;
	enum dmtrace_clock clock;	/* that of the last clock line */
	unsigned elsewhere;		/* readers that find records at other
					   places */
	struct dmt_idmap uses;
	struct dmt_threads_seen rows;		/* as dmtrace reads them */
	struct dmt_threads_seen threads;	/* as perflib reads them */
	struct dmt_idmap firefox_threads;
	struct dmt_idmap renamed;		/* threads whose first name is
						   not the last */
	struct dmt_idmap last_rows;		/* by redefined id: its last row
						   in the key */
	struct dmt_methods_seen methods;
	struct dmt_threads_seen classes;	/* name is the first part of a
						   class; id is not used */
};

void
dmt_quirk_search_init(struct dmt_quirk_search *search,
    struct dmt_quirks *quirks);
void
dmt_quirk_search_fini(struct dmt_quirk_search *search);

/* Searches the key and the header of a reader after its open, which returned
 * opened, and before its records are read. text is the text of its key, empty
 * if it has none, and must live until the end of the search. */
void
dmt_search_front(struct dmt_quirk_search *search,
    struct dmtrace_reader *reader, enum dmtrace_status opened,
    struct dmtrace_text text);

/* Searches the threads and methods of the records, after all are read. indexes
 * are those of the source; latest_ns is the latest time. */
void
dmt_search_events(struct dmt_quirk_search *search,
    const struct dmtrace_reader *reader, const struct dmt_indexes *indexes,
    uint64_t latest_ns);

/* Searches the text of a key. */
void
dmt_search_key(struct dmt_quirk_search *search, struct dmtrace_text text);

#endif
