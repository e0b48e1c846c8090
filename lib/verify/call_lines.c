/* call_lines.c - what is different between two sequences of calls */

#include "verify/call_diff.h"

#include <stdlib.h>

#include "base/array.h"

enum {
	REACH = 256,			/* calls that are compared */
	CALLERS = 4			/* that are told */
};

/* Calls of both sides, from the first ones that are not the same. */
struct script {
	struct dmtrace_call_diff *diff;
	struct dmt_call_pair *pair;
	const struct dmt_window *windows[DMTRACE_DIFF_SIDES];
	size_t same;			/* calls of the windows before */
	size_t counts[DMTRACE_DIFF_SIDES];	/* at most REACH */
	bool cut[DMTRACE_DIFF_SIDES];	/* there are more */
	uint16_t (*longest)[REACH + 1];	/* that are the same, from here on */
	struct dmt_call_line *lines;
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
	const struct dmt_window *const a = script->windows[0];
	const struct dmt_window *const b = script->windows[1];

	while (script->same < a->count && script->same < b->count &&
	    same_call(a->calls[script->same], b->calls[script->same]))
		script->same++;
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		const struct dmt_window *const window =
		    script->windows[side];
		const size_t rest = window->count - script->same;

		script->counts[side] = rest < REACH ? rest : REACH;
		script->cut[side] = rest > REACH ||
		    window->count == window->room;
	}
}

static void
measure(struct script *script)
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
add(struct script *script, enum dmtrace_call_diff_kind kind,
    struct dmt_call call, size_t i, size_t j)
{
	const uint64_t from = script->windows[0]->from + script->same + 1;

	script->lines[script->count++] = (struct dmt_call_line){
		.kind = kind, .call = call, .next = { from + i, from + j }
	};
}

/* Where the calls go on beyond what is compared, nobody knows what becomes of
 * those behind the last that are the same. */
static bool
ends(const struct script *script, size_t i, size_t j)
{
	return script->longest[i][j] == 0 && (i > 0 || j > 0) &&
	    script->longest[0][0] > 0 && (script->cut[0] || script->cut[1]);
}

static void
write_script(struct script *script)
{
	size_t i = 0, j = 0;

	while ((i < script->counts[0] || j < script->counts[1]) &&
	    !ends(script, i, j)) {
		const bool base = i < script->counts[0];
		const bool new = j < script->counts[1];

		if (base && new && same_call(call_at(script, 0, i),
		    call_at(script, 1, j))) {
			add(script, DMTRACE_CALL_DIFF_SAME,
			    call_at(script, 0, i), i, j);
			i++;
			j++;
		} else if (base && (!new || script->longest[i + 1][j] >=
		    script->longest[i][j + 1])) {
			add(script, DMTRACE_CALL_DIFF_BASE,
			    call_at(script, 0, i), i, j);
			i++;
		} else {
			add(script, DMTRACE_CALL_DIFF_NEW,
			    call_at(script, 1, j), i, j);
			j++;
		}
	}
}

/* What the first call that is different lies in, the innermost first. */
static size_t
find_callers(const struct script *script, struct dmt_call *callers)
{
	const struct dmt_window *const window =
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

/* Those that the context does not show anyway. */
static void
write_callers(struct script *script)
{
	const uint32_t context = script->diff->options.context;
	const size_t shown = script->same < context ? script->same : context;
	const uint64_t from = script->windows[0]->from + script->same + 1;
	struct dmt_call callers[CALLERS];
	size_t count = find_callers(script, callers);

	while (count-- > 0) {
		bool near = false;

		for (size_t i = script->same - shown; i < script->same; i++)
			near |= same_call(callers[count],
			    script->windows[0]->calls[i]);
		if (near)
			continue;
		script->lines[script->count++] = (struct dmt_call_line){
			.kind = DMTRACE_CALL_DIFF_CALLER,
			.call = callers[count], .next = { from - shown,
			    from - shown }
		};
	}
	for (size_t i = shown; i > 0; i--) {
		const size_t at = script->same - i;

		add(script, DMTRACE_CALL_DIFF_SAME,
		    script->windows[0]->calls[at], 0, 0);
		for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
			script->lines[script->count - 1].next[side] -= i;
	}
}

static bool
is_change(const struct dmt_call_line *line)
{
	return line->kind == DMTRACE_CALL_DIFF_BASE ||
	    line->kind == DMTRACE_CALL_DIFF_NEW;
}

/* Whether a change is near, among the first of them. */
static bool
is_shown(const struct script *script, size_t index, size_t end)
{
	const size_t context = script->diff->options.context;
	const size_t first = index < context ? 0 : index - context;

	for (size_t i = first; i <= index + context && i < end; i++)
		if (is_change(&script->lines[i]))
			return true;
	return script->lines[index].kind == DMTRACE_CALL_DIFF_CALLER;
}

/* Behind the last change that is told. */
static size_t
find_end(const struct script *script)
{
	uint32_t changes = 0;

	for (size_t i = 0; i < script->count; i++)
		if (is_change(&script->lines[i]) &&
		    changes++ == script->diff->options.lines)
			return i;
	return script->count;
}

static void
leave_out(struct script *script)
{
	const size_t end = find_end(script);
	size_t used = 0;
	bool first = true;

	for (size_t i = 0; i < end; i++) {
		if (!is_shown(script, i, end)) {
			first = true;
			continue;
		}
		script->lines[i].first = first;
		first = false;
		script->pair->lines[used++] = script->lines[i];
	}
	script->pair->line_count = used;
}

bool
dmt_call_lines_make(struct dmtrace_call_diff *diff,
    struct dmt_call_pair *pair)
{
	struct script script = { .diff = diff, .pair = pair };
	const size_t room = 2 * REACH + CALLERS + diff->options.context;

	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		script.windows[side] =
		    diff->sides[side].lanes[pair->lanes[side]].window;
	skip_same(&script);
	script.longest = dmt_array_new(REACH + 1, sizeof(*script.longest));
	script.lines = dmt_array_new(room, sizeof(*script.lines));
	pair->lines = dmt_array_new(room, sizeof(*pair->lines));
	const bool fine = script.longest != NULL && script.lines != NULL &&
	    pair->lines != NULL;
	if (fine && script.counts[0] + script.counts[1] > 0) {
		measure(&script);
		write_callers(&script);
		write_script(&script);
		leave_out(&script);
	}
	free(script.longest);
	free(script.lines);
	return fine;
}

int
dmtrace_call_diff_line_get(const struct dmtrace_call_diff *diff,
    size_t thread, size_t index, struct dmtrace_call_diff_line *line)
{
	const struct dmt_call_pair *const pair = &diff->pairs[thread];

	if (index >= pair->line_count)
		return 1;
	const struct dmt_call_line *const from = &pair->lines[index];
	const struct dmt_name *const name =
	    &diff->methods.items[from->call.token / 2];
	const bool in_base = from->kind == DMTRACE_CALL_DIFF_SAME ||
	    from->kind == DMTRACE_CALL_DIFF_BASE;
	const bool in_new = from->kind == DMTRACE_CALL_DIFF_SAME ||
	    from->kind == DMTRACE_CALL_DIFF_NEW;
	*line = (struct dmtrace_call_diff_line){
		.kind = from->kind, .first = from->first,
		.depth = from->call.depth, .before = from->call.token & 1,
		.class_name = name->class_name, .name = name->name,
		.signature = name->signature, .listed = name->listed,
		.at = { in_base ? from->next[0] : 0,
		    in_new ? from->next[1] : 0 },
		.next = { from->next[0], from->next[1] }
	};
	return 0;
}
