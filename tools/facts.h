/* facts.h - what "dmtrace info" tells of one trace */
#ifndef FACTS_H
#define FACTS_H

#include <dmtrace.h>
#include <stdbool.h>

#include "buffer.h"
#include "form.h"

enum fact {
	FACT_VERSION,			/* of the data */
	FACT_VERSION_KEY,
	FACT_RECORD_SIZE,
	FACT_DATA_OFFSET,
	FACT_DURATION_NS,
	FACT_THREADS,			/* rows of the table */
	FACT_METHODS,
	FACT_RECORDS,
	FACT_ENTER,			/* and on, as in enum dmtrace_action */
	FACT_EXIT,
	FACT_UNROLL,
	FACT_RESERVED,
	FACT_COUNT
};

#define FACT_ABSENT UINT64_MAX

struct facts {
	const char *file;		/* the operand */
	struct dmtrace_reader *reader;
	const struct dmtrace_key *key;
	const struct dmtrace_header *header;	/* NULL: it cannot be read */
	struct dmtrace_count count;
	uint64_t numbers[FACT_COUNT];
	bool comparable;		/* times of different threads */
	bool overflow;
	bool is_read;			/* at least its key */
	const char *error;		/* why it cannot be read, or NULL */
};

/*
 * Reads all of the trace. Returns an exit status: CMD_NO if a finding is an
 * error, CMD_TROUBLE, which is said, if it cannot be read; then there is only
 * the error. In any case end them with facts_fini.
 */
int
facts_gather(struct facts *facts, const char *file);

void
facts_fini(struct facts *facts);

/* The value of an option of the key; bytes is NULL if there is none. */
struct dmtrace_text
facts_option(const struct facts *facts, const char *name);

/* The listed thread of a record's number, or NULL. */
const struct dmtrace_thread *
facts_thread(const struct facts *facts, uint32_t number);

/* Put the facts for people; the names of the columns; a row of them. */
void
facts_put_text(struct buffer *buffer, const struct facts *facts);
void
facts_put_names(struct buffer *buffer, enum form form);
void
facts_put_row(struct buffer *buffer, enum form form,
    const struct facts *facts);

#endif
