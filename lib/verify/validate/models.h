/* models.h - the other readers: functions that read as each of them does */
#ifndef DMT_VERIFY_MODELS_H
#define DMT_VERIFY_MODELS_H

#include "key/parse.h"
#include "verify/validate/quirks.h"

/* What a reader makes of the line of a thread or a method. Quirks are 0 for
 * none. */
struct dmt_reading {
	enum { DMT_READS_NOTHING, DMT_READS_ROW, DMT_READS_FAILS } result;
	uint64_t id;
	bool negative;
	struct dmtrace_text class_name;
	struct dmtrace_text name;	/* of a thread: all that follows the id;
					   a TAB in it is another quirk */
	struct dmtrace_text signature;
	unsigned why;			/* the quirk by which it fails, or shows
					   something else than this row */
	unsigned why_used;		/* the same, if the method has events */
};

/* The data header and the clock, as far as they say where records are. */
struct dmt_data_front {
	unsigned version;
	uint16_t offset;
	uint16_t record_size;
	const struct dmt_layout *layout;	/* of records with one time */
	size_t fields;			/* size of those that the last clock
					   line promises */
};

/* Where a reader finds records: how far from the magic, how far apart, and how
 * many bytes there must be for another one. */
struct dmt_records_place {
	int64_t from;
	size_t step;
	size_t need;
};

/* What may be wrong with records at such a place, as bits. */
enum {
	DMT_FOUND_RESERVED = 1,		/* a reserved action */
	DMT_FOUND_MISMATCH = 2,		/* an exit not of the innermost call */
	DMT_FOUND_PARTIAL = 4,		/* part of a record at the end */
	DMT_FOUND_UNLISTED = 8,		/* a thread not in firefox_threads */
	DMT_FOUND_BEFORE = 16,		/* they begin before the file, */
	DMT_FOUND_AFTER = 32,		/* or after its end */
	DMT_FOUND_BEYOND = 64		/* a thread beyond DMT_DUMP_THREADS */
};

/* A reader. The functions that are called take, knows, keep and end may be
 * NULL. */
struct dmt_model {
	/* It reads the key as a Java program: a line ends at a CR, too, and
	 * only three headings begin a section. */
	bool java;
	/* It accepts the line after "*version". */
	bool (*takes_number)(struct dmtrace_text line);
	/* It knows a heading, although dmtrace may not. */
	bool (*knows_heading)(struct dmtrace_text line);
	/* The quirk of a line that ends in CR LF, which is given without them.
	 * 0: none. NULL: DMT_KEY_CRLF. */
	unsigned (*read_crlf)(const struct dmt_parse *parse,
	    struct dmtrace_text line);

	/* Read a line that is not empty to a zeroed *reading. */
	void (*read_thread)(struct dmt_reading *reading,
	    struct dmtrace_text line);
	void (*read_method)(struct dmt_reading *reading,
	    struct dmtrace_text line);
	/* A wrong row of a method matters only if the method has events, and a
	 * row that dmtrace does not have does not matter. */
	bool if_used;
	/* The quirk if it has other names; 0: DMT_METHOD_FILE_LINE. */
	unsigned other_names;

	/* What depends on all lines: keep what was read, and search it at the
	 * end of the key. */
	void (*keep_thread)(struct dmt_quirk_search *search,
	    const struct dmt_reading *reading);
	void (*keep_method)(struct dmt_quirk_search *search,
	    const struct dmt_reading *reading);
	void (*end_key)(struct dmt_quirk_search *search);

	bool ignores_magic;
	/* Where it finds records, and what makes it refuse them: bits of
	 * DMT_FOUND_... false: it finds none. */
	bool (*find_records)(struct dmt_records_place *place,
	    const struct dmt_data_front *front);
	unsigned refuses;
};

/* By enum dmtrace_other_reader. */
extern const struct dmt_model dmt_models[DMTRACE_READERS];

/* Returns true if the text is digits, of any number, and a minus before them or
 * not. */
bool
dmt_text_is_integer(struct dmtrace_text text);

/* Returns true if it begins with a 0 that makes a number octal in C. */
bool
dmt_text_is_octal(struct dmtrace_text text);

/* Keeps a name with its place among the others. */
void
dmt_name_keep(struct dmt_quirk_search *search, struct dmt_names_seen *names,
    uint64_t id, struct dmtrace_text name);

/* Compares struct dmt_name_seen for qsort(): by id, those of the same id by
 * order. */
int
dmt_compare_seen_ids(const void *a, const void *b);

#endif
