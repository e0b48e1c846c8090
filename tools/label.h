/* label.h - what "dump" prints of threads and methods, prepared once */
#ifndef LABEL_H
#define LABEL_H

#include <dmtrace.h>
#include <stdbool.h>
#include <string.h>

#include "buffer.h"
#include "form.h"

/* Labels are copied in steps of so many bytes: so many may be read behind
 * their end, and written behind that of the copy. One step is to be enough
 * for most: how many it takes is hard to foretell. */
#define LABEL_STEP 32
#define LABEL_STEP_LONG 128	/* for class, name and signature */

static inline char *
label_put(char *out, const char *bytes, size_t len, size_t step)
{
	for (size_t i = 0; i < len; i += step)
		memcpy(out + i, bytes + i, step);
	return out + len;
}

/* The cells of a line, and its end. */
enum cell {
	CELL_THREAD,
	CELL_ACTION,
	CELL_METHOD,
	CELL_CPU,
	CELL_WALL,
	CELL_DEPTH,
	CELL_CLASS,
	CELL_NAME,
	CELL_SIGNATURE,
	CELL_END
};

/* What stands before each of them, how names are escaped, and an absent
 * time. */
struct frame {
	const char *before[CELL_END + 1];
	text_fn *text;
	const char *absent;
};

/* By enum form. */
extern const struct frame label_frames[];

/*
 * A method: head is the cell of its id with what stands before the next one,
 * tail what stands before its names, they, and the line's end. In text there
 * is no head.
 */
struct method_label {
	uint64_t id;
	size_t at;			/* in the buffer: head, then tail */
	uint32_t head_len;
	uint32_t tail_len;
};

/* The methods of a key. */
struct method_labels {
	enum form form;
	struct buffer bytes;
	struct method_label *items;	/* by rising id, first rows first */
	size_t count;
	struct method_label unlisted;	/* the last one that was asked for */
	struct method_label *recent;	/* copies, by bits of their ids */
	unsigned recent_bits;
};

/* False: no memory. In any case end them with method_labels_fini. */
bool
method_labels_init(struct method_labels *labels, enum form form,
    const struct dmtrace_key *key);

/* The label of id, or one made of its number; until the next call. */
const struct method_label *
method_labels_find(struct method_labels *labels, uint64_t id);

void
method_labels_fini(struct method_labels *labels);

#define THREAD_LABELS 256	/* a power of two */
#define THREAD_LABEL_MAX 128	/* bytes, with LABEL_STEP to spare */

/* The cell of a thread with what stands before it and the next one. In text,
 * number and name as columns. */
struct thread_label {
	uint32_t thread;
	size_t len;			/* 0: no thread */
	char bytes[THREAD_LABEL_MAX];
};

/* Those of the last threads: no more, however many threads there are. */
struct thread_labels {
	enum form form;
	const struct dmtrace_key *key;
	const struct dmtrace_layout *layout;
	int number_width;		/* in columns */
	int name_width;
	struct thread_label recent[THREAD_LABELS];
};

void
thread_labels_init(struct thread_labels *labels, enum form form,
    const struct dmtrace_key *key, const struct dmtrace_layout *layout);

const struct thread_label *
thread_labels_find(struct thread_labels *labels, uint32_t thread);

#endif
