/* piece_name.c - names of the files of pieces */

/*
 * Pieces are named by number or by thread: the thread's name, in which all
 * characters except letters, digits and a few signs become "_". Names that are
 * then equal, ignoring case, get the thread's number appended; sorting finds
 * them. A name with a number may equal that of another thread, so this is
 * repeated until all names differ, at the latest when all have numbers.
 */

#include "ops/split/piece_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NAME_LEN 100		/* bytes of a thread's name that are used */
#define WHAT_MAX (NAME_LEN + 24)

/* The part of a file name that identifies the piece. */
struct label {
	size_t piece;
	uint32_t thread;
	bool numbered;			/* it ends with "-TID" */
	char what[WHAT_MAX];
};

static void
add_thread_number(struct label *label)
{
	const size_t len = strlen(label->what);

	snprintf(label->what + len, sizeof(label->what) - len, "-%" PRIu32,
	    label->thread);
	label->numbered = true;
}

/* first: the label begins a file name, which must not look like an option or
 * be hidden. */
static void
label_piece(struct label *label, struct dmtrace_text name, bool first)
{
	size_t len = 0;

	for (; len < name.len && len < NAME_LEN; len++) {
		const char byte = name.bytes[len];
		const bool plain = (byte >= 'A' && byte <= 'Z') ||
		    (byte >= 'a' && byte <= 'z') ||
		    (byte >= '0' && byte <= '9') || byte == '.' ||
		    byte == '_' || byte == '-';

		label->what[len] = plain ? byte : '_';
	}
	label->what[len] = '\0';
	if (len == 0 || label->what[0] == '.')
		add_thread_number(label);
	if (first && label->what[0] == '-')
		label->what[0] = '_';
}

static int
fold_case(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte;
}

/* Ignores case, as some file systems do. */
static int
compare_piece_names(const void *left, const void *right)
{
	const char *a = ((const struct label *)left)->what;
	const char *b = ((const struct label *)right)->what;

	while (*a != '\0' && fold_case(*a) == fold_case(*b)) {
		a++;
		b++;
	}
	return fold_case(*a) - fold_case(*b);
}

/* Sorts the labels, and appends numbers to those that are equal and have none.
 * Returns true if there were any: a label with a number may equal another
 * one. */
static bool
separate_labels(struct label *labels, size_t count)
{
	bool changed = false;

	qsort(labels, count, sizeof(*labels), compare_piece_names);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count &&
		    compare_piece_names(&labels[i], &labels[end]) == 0; end++)
			continue;
		for (size_t j = i; end - i > 1 && j < end; j++)
			if (!labels[j].numbered) {
				add_thread_number(&labels[j]);
				changed = true;
			}
	}
	return changed;
}

/* false: no memory. */
static bool
set_piece_path(struct dmt_piece_set *set, size_t piece, const char *what)
{
	const char *const before = set->options->before;
	const char *const after = set->options->after;
	const size_t size = strlen(before) + strlen(what) + strlen(after) + 1;
	char *const path = dmt_array_new(size, 1);

	if (path != NULL)
		snprintf(path, size, "%s%s%s", before, what, after);
	set->items[piece]->path = path;
	return path != NULL;
}

bool
dmt_piece_set_name(struct dmt_piece_set *set)
{
	const char *const before = set->options->before;
	const size_t len = strlen(before);
	const bool first = len == 0 || before[len - 1] == '/';
	bool done = true;
	char number[24];

	/* A trace without records has one piece, which belongs to no thread. */
	if (set->options->by != DMTRACE_PIECES_THREAD ||
	    (set->count == 1 && set->items[0]->facts.records == 0)) {
		for (size_t i = 0; done && i < set->count; i++) {
			snprintf(number, sizeof(number), "%04zu", i + 1);
			done = set_piece_path(set, i, number);
		}
		return done;
	}

	struct label *const labels = dmt_array_new(set->count,
	    sizeof(*labels));
	if (labels == NULL)
		return false;
	for (size_t i = 0; i < set->count; i++) {
		labels[i].piece = i;
		labels[i].thread = set->items[i]->thread;
		label_piece(&labels[i], set->items[i]->name, first);
	}
	while (separate_labels(labels, set->count))
		continue;
	for (size_t i = 0; done && i < set->count; i++)
		done = set_piece_path(set, labels[i].piece, labels[i].what);
	free(labels);
	return done;
}
