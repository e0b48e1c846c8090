/* call_lines.c - what differs between two sequences of calls, line by line */

/*
 * Both windows begin with the same calls. From the first difference on, at most
 * 256 calls of each side are compared. A table has, for each pair of positions,
 * the length of the longest common subsequence of the calls from there on; a
 * walk through it writes the lines. Changes are shown with some lines of
 * context, and the first change also with the calls that it is in.
 */

#include "verify/diff/call_lines.h"

#include <stdlib.h>

#include "base/array.h"
#include "private/verify.h"

enum {
	REACH = 256,			/* calls that are compared */
	CALLERS = 4			/* callers that are shown */
};

/* Calls of both sides, from the first difference on. */
struct script {
	const struct dmt_call_diff_options *options;
	const struct dmt_call_window *windows[DMTRACE_DIFF_SIDES];
	size_t same;			/* calls of the windows before the first
					   difference */
	size_t counts[DMTRACE_DIFF_SIDES];	/* at most REACH */
	bool cut[DMTRACE_DIFF_SIDES];	/* there are more calls than that */
	uint16_t (*longest)[REACH + 1];	/* the table: see above */
	struct dmt_call_line *lines;	/* all lines, shown or not */
	size_t count;
};

static bool
same_call(struct dmt_call a, struct dmt_call b)
{
	return a.depth == b.depth && a.token == b.token;
}

static struct dmt_call
call_at(const struct script *script, int side, size_t index)
{
	return script->windows[side]->calls[script->same + index];
}

static void
skip_same(struct script *script)
{
	const struct dmt_call_window *const a = script->windows[0];
	const struct dmt_call_window *const b = script->windows[1];

	while (script->same < a->count && script->same < b->count &&
	    same_call(a->calls[script->same], b->calls[script->same]))
		script->same++;
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		const struct dmt_call_window *const window =
		    script->windows[side];
		const size_t rest = window->count - script->same;

		script->counts[side] = rest < REACH ? rest : REACH;
		script->cut[side] = rest > REACH ||
		    window->count == window->room;
	}
}

static void
fill_longest(struct script *script)
{
	for (size_t i = script->counts[0]; i-- > 0; )
		for (size_t j = script->counts[1]; j-- > 0; ) {
			const uint16_t down = script->longest[i + 1][j];
			const uint16_t right = script->longest[i][j + 1];

			script->longest[i][j] = same_call(
			    call_at(script, 0, i), call_at(script, 1, j)) ?
			    (uint16_t)(script->longest[i + 1][j + 1] + 1) :
			    down > right ? down : right;
		}
}

static void
add_line(struct script *script, enum dmt_call_diff_kind kind,
    struct dmt_call call, size_t i, size_t j)
{
	const uint64_t from = script->windows[0]->from + script->same + 1;

	script->lines[script->count++] = (struct dmt_call_line){
		.kind = kind, .call = call, .next = { from + i, from + j }
	};
}

/* Returns true if the script ends at these positions. If a side has more calls
 * than are compared, it ends after the last common call: the calls after that
 * may be equal to some that are not compared. */
static bool
script_ends(const struct script *script, size_t i, size_t j)
{
	return script->longest[i][j] == 0 && (i > 0 || j > 0) &&
	    script->longest[0][0] > 0 && (script->cut[0] || script->cut[1]);
}

static void
write_script(struct script *script)
{
	size_t i = 0, j = 0;

	while ((i < script->counts[0] || j < script->counts[1]) &&
	    !script_ends(script, i, j)) {
		const bool base = i < script->counts[0];
		const bool new = j < script->counts[1];

		if (base && new && same_call(call_at(script, 0, i),
		    call_at(script, 1, j))) {
			add_line(script, DMT_CALL_DIFF_SAME,
			    call_at(script, 0, i), i, j);
			i++;
			j++;
		} else if (base && (!new || script->longest[i + 1][j] >=
		    script->longest[i][j + 1])) {
			add_line(script, DMT_CALL_DIFF_BASE,
			    call_at(script, 0, i), i, j);
			i++;
		} else {
			add_line(script, DMT_CALL_DIFF_NEW,
			    call_at(script, 1, j), i, j);
			j++;
		}
	}
}

/* Finds the calls that the first difference is in, the innermost first. Returns
 * how many. */
static size_t
find_callers(const struct script *script, struct dmt_call *callers)
{
	const struct dmt_call_window *const window =
	    script->windows[script->counts[0] > 0 ? 0 : 1];
	uint32_t depth = window->calls[script->same].depth;
	size_t count = 0;

	for (size_t i = script->same; i-- > 0 && count < CALLERS &&
	    depth > 1; )
		if (window->calls[i].depth > 0 &&
		    window->calls[i].depth < depth) {
			callers[count] = window->calls[i];
			depth = callers[count++].depth;
		}
	while (depth > 1 && count < CALLERS) {
		depth--;
		if (depth > window->caller_count)
			continue;
		callers[count++] = (struct dmt_call){ depth,
		    window->callers[depth - 1] };
	}
	return count;
}

/* Writes the lines before the first difference: the callers that the context
 * does not show, then the context. */
static void
write_callers(struct script *script)
{
	const uint32_t context = script->options->context;
	const size_t shown = script->same < context ? script->same : context;
	const uint64_t from = script->windows[0]->from + script->same + 1;
	struct dmt_call callers[CALLERS];
	size_t count = find_callers(script, callers);

	while (count-- > 0) {
		bool shown_already = false;

		for (size_t i = script->same - shown; i < script->same; i++)
			shown_already |= same_call(callers[count],
			    script->windows[0]->calls[i]);
		if (shown_already)
			continue;
		script->lines[script->count++] = (struct dmt_call_line){
			.kind = DMT_CALL_DIFF_CALLER,
			.call = callers[count], .next = { from - shown,
			    from - shown }
		};
	}
	for (size_t i = shown; i > 0; i--) {
		const size_t at = script->same - i;

		add_line(script, DMT_CALL_DIFF_SAME,
		    script->windows[0]->calls[at], 0, 0);
		for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
			script->lines[script->count - 1].next[side] -= i;
	}
}

static bool
is_change(const struct dmt_call_line *line)
{
	return line->kind == DMT_CALL_DIFF_BASE ||
	    line->kind == DMT_CALL_DIFF_NEW;
}

/* Returns true if there is a change before end within the context of the
 * line. */
static bool
is_shown(const struct script *script, size_t index, size_t end)
{
	const size_t context = script->options->context;
	const size_t first = index < context ? 0 : index - context;

	for (size_t i = first; i <= index + context && i < end; i++)
		if (is_change(&script->lines[i]))
			return true;
	return script->lines[index].kind == DMT_CALL_DIFF_CALLER;
}

/* Keeps the lines that are shown, up to the limit of changes. */
static void
select_lines(const struct script *script, struct dmt_call_lines *lines)
{
	uint32_t changes = 0;
	size_t end = 0;
	bool first = true;

	while (end < script->count && (!is_change(&script->lines[end]) ||
	    changes++ < script->options->lines))
		end++;
	for (size_t i = 0; i < end; i++) {
		if (!is_shown(script, i, end)) {
			first = true;
			continue;
		}
		lines->items[lines->count] = script->lines[i];
		lines->items[lines->count++].first = first;
		first = false;
	}
}

bool
dmt_call_lines_make(struct dmt_call_lines *lines,
    const struct dmt_call_window *const windows[DMTRACE_DIFF_SIDES],
    const struct dmt_call_diff_options *options)
{
	struct script script = {
		.options = options, .windows = { windows[0], windows[1] }
	};
	const size_t room = 2 * REACH + CALLERS + options->context;

	skip_same(&script);
	script.longest = dmt_array_new(REACH + 1, sizeof(*script.longest));
	script.lines = dmt_array_new(room, sizeof(*script.lines));
	*lines = (struct dmt_call_lines){
		.items = dmt_array_new(room, sizeof(*lines->items))
	};
	const bool fine = script.longest != NULL && script.lines != NULL &&
	    lines->items != NULL;
	if (fine && script.counts[0] + script.counts[1] > 0) {
		fill_longest(&script);
		write_callers(&script);
		write_script(&script);
		select_lines(&script, lines);
	}
	free(script.longest);
	free(script.lines);
	return fine;
}
