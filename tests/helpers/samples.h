/* samples.h - the traces that the laws of reading and writing hold for */

#ifndef SAMPLES_H
#define SAMPLES_H

#include <dmtrace.h>
#include <stdbool.h>

struct sample {
	char *name;
	uint8_t *bytes;
	size_t len;
	bool damaged;			/* of DMTRACE_DEFECTS */
};

/*
 * Loads the joined ones of tests/data, those where DMTRACE_CORPUS points,
 * those of DMTRACE_DEFECTS (one of four, unless there are to be more cases),
 * and generated ones. Call it before the suite is made; they live as long as
 * the program.
 */
void
samples_load(void);

size_t
samples_count(void);

const struct sample *
sample_get(int index);

/*
 * All that reading bytes came to, in one number. piece: how many of them one
 * read gives at most; 0: they are read as memory.
 */
uint64_t
sample_digest(const uint8_t *bytes, size_t len, size_t piece);

/*
 * Reads bytes and asserts what must hold whatever they are: a status that
 * can be; if they open, an event for every whole record and a finding for
 * the rest. copy: they are written again, the same.
 */
void
sample_check(const uint8_t *bytes, size_t len, bool copy);

/* Checks what became of the bytes of a trace of that container: they are the
 * same, or those of a stream have the same events. */
void
sample_check_copy(enum dmtrace_container container, const uint8_t *bytes,
    size_t len, const uint8_t *again, size_t again_len);

/* Whether the reader has that finding. */
bool
sample_has_finding(struct dmtrace_reader *reader, const char *name);

#endif
