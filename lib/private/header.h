/* header.h - the data header, and what records are counted by */
/* layer: data */
#ifndef DMT_PRIVATE_HEADER_H
#define DMT_PRIVATE_HEADER_H

#include <dmtrace/trace.h>
#include <stdbool.h>

/* The header of the data (dmtrace.5, DATA HEADER). */
struct dmt_header {
	uint16_t version;	/* 1 to 3; 0xf1 to 0xf3 in a stream */
	uint16_t data_offset;	/* bytes from the magic to the first record */
	uint16_t record_size;	/* bytes; computed if the header has none */
	uint64_t start;		/* as stored; see dmt_header_start_kind */
};

/* Guesses the kind from the value. Thread-safe. */
enum dmtrace_start_kind
dmt_header_start_kind(const struct dmt_header *header);

/* Returns the start in microseconds, whatever its unit. Thread-safe. */
uint64_t
dmt_header_start_us(const struct dmt_header *header);

/* Sets *us to the start in microseconds since 1970. false: it is not such a
 * time. Thread-safe. */
bool
dmt_header_start_epoch(const struct dmt_header *header, uint64_t *us);

/* The counts of one thread. Times are in nanoseconds, of the wall clock if the
 * records have it, otherwise of the thread's CPU clock. */
struct dmt_thread_count {
	uint32_t thread;	/* the number in records */
	uint64_t records;
	uint64_t first_ns;
	uint64_t last_ns;	/* of its last record, unwrapped */
};

/* The counts of all records. Free with dmt_count_fini. */
struct dmt_count {
	uint64_t records;
	uint64_t actions[4];			/* by enum dmtrace_action */
	struct dmt_thread_count *threads;	/* by rising number */
	size_t thread_count;
};

/* Frees the threads. A zeroed count is allowed; afterwards the count is
 * zeroed. */
void
dmt_count_fini(struct dmt_count *count);

#endif
