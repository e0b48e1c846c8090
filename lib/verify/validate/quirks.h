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
	DMT_BY_STUDIO = 1 << DMTRACE_READER_STUDIO,
	DMT_BY_FIREFOX = 1 << DMTRACE_READER_FIREFOX,
	DMT_BY_PERFETTO = 1 << DMTRACE_READER_PERFETTO,
	DMT_BY_JAVA = 1 << DMTRACE_READER_TRACEVIEW |
	    1 << DMTRACE_READER_PERFLIB2016 | DMT_BY_STUDIO,
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

/* A name in a line of the key, and the place of the line among others. */
struct dmt_name_seen {
	uint64_t id;
	size_t order;
	struct dmtrace_text name;
};

struct dmt_names_seen {
	struct dmt_name_seen *items;
	size_t count, capacity;
	struct dmt_name_seen spare;	/* as in all lists for dmt_push */
};

/* The state of the search for quirks in a trace. */
struct dmt_quirk_search {
	struct dmt_quirks *quirks;
	bool no_memory;
	enum dmtrace_clock clock;	/* that of the last clock line */
	unsigned elsewhere;		/* readers that find records at other
					   places */
	struct dmt_idmap used;		/* by method id: quirks that hold if
					   the method has an event, as bits */
	struct dmt_names_seen rows;	/* of threads, as dmtrace reads them */
	struct dmt_idmap renamed;	/* threads whose first name is not the
					   last */
	struct dmt_idmap last_rows;	/* by redefined id: its last row in the
					   key */

	/* What single readers keep: models.c. */
	struct dmt_names_seen dump_methods;	/* what it shows of each */
	struct dmt_names_seen perflib_threads;
	struct dmt_idmap firefox_threads;
	struct dmt_names_seen firefox_classes;	/* the part that it counts; id
						   is not used */
};

void
dmt_quirk_search_init(struct dmt_quirk_search *search,
    struct dmt_quirks *quirks);
void
dmt_quirk_search_fini(struct dmt_quirk_search *search);

/* Searches the key and the header of a reader after its open, which returned
 * opened, and before its records are read. The reader must live until the end
 * of the search. */
void
dmt_search_front(struct dmt_quirk_search *search,
    struct dmtrace_reader *reader, enum dmtrace_status opened);

/* Searches the threads and methods of the records, after all are read. indexes
 * are those of the source; latest_ns is the latest time. */
void
dmt_search_events(struct dmt_quirk_search *search,
    const struct dmtrace_reader *reader, const struct dmt_indexes *indexes,
    uint64_t latest_ns);

/* Sets a quirk of a method's line if the method has an event, which is known
 * when all records are read. */
void
dmt_quirk_if_used(struct dmt_quirk_search *search, uint64_t method,
    unsigned quirk);

/* Searches an option line, of a key or of a stream's summary. */
void
dmt_search_option(struct dmt_quirk_search *search, struct dmtrace_text line);

/* Searches the text of a key. */
void
dmt_search_key(struct dmt_quirk_search *search, struct dmtrace_text text);

#endif
