/* key_without.c - a key without some of its rows */

#include "key/key.h"

#include <stdlib.h>
#include <string.h>

#include "key/line_decode.h"
#include "key/lines.h"

/* A walk over the lines of a key. Those that stay go to out, which is the
 * same text: never further than the walk is. */
struct walk {
	const struct dmt_rows_kept *kept;
	struct dmt_lines lines;
	struct dmt_findings findings;	/* the key's own, told before */
	enum dmt_section section;
	char *out;
	size_t len;
};

/* What is no row that can be read stays. */
static bool
is_kept(struct walk *walk)
{
	struct dmtrace_thread thread;
	struct dmtrace_method method;

	switch (walk->section) {
	case DMT_SECTION_THREADS:
		return !dmt_thread_decode(&thread, &walk->lines.line) ||
		    walk->kept->has_thread(walk->kept->context, thread.id);
	case DMT_SECTION_METHODS:
		return !dmt_method_decode(&method, &walk->lines.line) ||
		    walk->kept->has_method(walk->kept->context, method.id);
	default:
		return true;
	}
}

/* The bytes from the end of the last line up to that of this one. */
static void
put(struct walk *walk, size_t from, size_t to)
{
	memmove(walk->out + walk->len, walk->lines.text.bytes + from,
	    to - from);
	walk->len += to - from;
}

/* Blank lines, which the walk skips, stay too. */
static void
put_lines(struct walk *walk)
{
	size_t done = 0;
	bool begun = false;

	while (walk->section != DMT_SECTION_END &&
	    dmt_lines_next(&walk->lines)) {
		if (walk->lines.line.text.bytes[0] == '*')
			walk->section = !begun ? DMT_SECTION_VERSION :
			    dmt_section_find(walk->lines.line.text);
		else if (!is_kept(walk)) {
			put(walk, done, walk->lines.at);
			done = walk->lines.next;
		}
		begun = true;
	}
	put(walk, done, walk->lines.text.len);
}

struct dmtrace_key *
dmt_key_without(const struct dmtrace_key *key,
    const struct dmt_rows_kept *kept)
{
	const size_t size = dmtrace_key_encoded_size(key);
	char *const bytes = malloc(size);
	struct walk walk = {
		.kept = kept, .section = DMT_SECTION_UNKNOWN,
		.lines.text = { bytes, size }
	};

	if (bytes == NULL)
		return NULL;
	dmtrace_key_encode(key, bytes, size);
	walk.lines.line.findings = &walk.findings;
	walk.out = bytes;
	put_lines(&walk);
	struct dmtrace_key *const rest = dmt_key_make(key, walk.out,
	    walk.len);
	free(bytes);
	return rest;
}
