/* expect_report.c - what was expected and what was found */

#include <inttypes.h>
#include <string.h>

#include "verify/expect/expect.h"

const char *
dmt_telling_keep(struct dmt_telling *telling, struct dmt_buf *buf)
{
	char *const kept = buf->failed ? NULL :
	    dmt_arena_alloc(&telling->arena, buf->len + 1);

	if (kept == NULL)
		dmt_error_memory(&telling->expect->error);
	else
		memcpy(kept, buf->len == 0 ? "" : buf->bytes, buf->len + 1);
	dmt_buf_fini(buf);
	return kept == NULL ? "" : kept;
}

/* The line as it stands in the spec, from its first word on. */
static const char *
keep_line(struct dmt_telling *telling, uint64_t line)
{
	const struct dmt_span *const span =
	    &telling->expect->spec->lines[line - 1];
	struct dmt_buf buf = { .bytes = NULL };
	size_t begin = 0, end = span->len;

	while (begin < end && strchr(" \t", span->bytes[begin]) != NULL)
		begin++;
	while (end > begin && strchr(" \t", span->bytes[end - 1]) != NULL)
		end--;
	dmt_buf_put(&buf, span->bytes + begin, end - begin);
	return dmt_telling_keep(telling, &buf);
}

void
dmt_telling_put_pattern(const struct dmt_telling *telling, struct dmt_buf *buf,
    uint32_t pattern)
{
	const struct dmt_wanted *const wanted =
	    &telling->expect->spec->patterns[pattern];

	dmt_buf_put_word(buf, wanted->word.bytes, wanted->word.len,
	    !wanted->word.quoted);
}

void
dmt_telling_set_place(struct dmt_telling *telling,
    const struct dmt_place *place)
{
	struct dmtrace_expectation *const about = &telling->about;
	struct dmt_buf buf = { .bytes = NULL };

	about->record = place->record;
	about->at = place->at;
	about->time_ns = place->time_ns;
	if (place->lane == DMT_NONE)
		return;
	const struct dmt_expect_lane *const lane =
	    &telling->expect->lanes[place->lane];
	const struct dmtrace_text name =
	    dmt_expect_thread_name(telling->expect, lane);
	about->thread = lane->thread;
	if (name.len > 0)
		dmt_buf_put_word(&buf, name.bytes, name.len, true);
	about->thread_name = dmt_telling_keep(telling, &buf);
}

/* A new one, which is met so far. */
static void
begin_expectation(struct dmt_telling *telling, uint64_t line)
{
	dmt_arena_fini(&telling->arena);
	telling->about = (struct dmtrace_expectation){
		.line = line, .met = 1, .expected = "", .found = "",
		.time_ns = DMTRACE_NO_TIME
	};
	telling->about.words = keep_line(telling, line);
}

static void
end_expectation(struct dmt_telling *telling)
{
	telling->count++;
	telling->unmet += !telling->about.met;
	if (telling->told != NULL &&
	    telling->expect->error.status == DMTRACE_OK)
		telling->told(telling->context, &telling->about);
}

static void
tell_block(struct dmt_telling *telling, size_t index)
{
	const struct dmt_expect *const expect = telling->expect;
	const struct dmt_spec_block *const block = &expect->spec->blocks[index];
	const uint32_t lane = expect->lane_of_block[index];
	const bool rules = block->kind == DMT_BLOCK_RULES;

	if (rules && (expect->block_came[index] || block->counts_threads))
		return;
	begin_expectation(telling, block->line);
	if (!rules && lane != 0) {
		dmt_tell_match(telling, expect->lanes[lane - 1].match);
	} else {
		telling->about.met = 0;
		telling->about.expected = "a thread of that name";
		telling->about.found = rules ? "none" :
		    "none, or no other one";
	}
	end_expectation(telling);
}

static void
put_ms(struct dmt_buf *buf, int64_t ns)
{
	const uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	dmt_buf_printf(buf, "%s%" PRIu64 ".%03" PRIu64 "ms",
	    ns < 0 ? "-" : "", size / 1000000, size / 1000 % 1000);
}

static void
put_count(struct dmt_buf *buf, uint64_t count, const char *what)
{
	dmt_buf_printf(buf, "%" PRIu64 " %s%s", count, what,
	    count == 1 ? "" : "s");
}

static void
put_uncalled(struct dmt_telling *telling, struct dmt_buf *buf, uint32_t pattern)
{
	dmt_buf_put(buf, "no call of ", 11);
	dmt_telling_put_pattern(telling, buf, pattern);
}

static void
put_relation(struct dmt_telling *telling, struct dmt_buf *buf,
    const struct dmt_rule *rule, const struct dmt_verdict *verdict)
{
	if (verdict->count == 0) {
		put_uncalled(telling, buf, rule->patterns[0]);
	} else if (rule->kind == DMT_RULE_BEFORE &&
	    verdict->count_other == 0) {
		put_uncalled(telling, buf, rule->patterns[1]);
	} else if (rule->kind == DMT_RULE_BEFORE) {
		dmt_telling_put_pattern(telling, buf, rule->patterns[1]);
		dmt_buf_put(buf, " before it", 10);
	} else if (verdict->method == DMT_NONE) {
		dmt_buf_put(buf, "a call that nobody made", 23);
	} else {
		dmt_buf_put(buf, "a call by ", 10);
		dmt_matches_put(&telling->expect->names, buf, verdict->method,
		    false);
	}
}

static void
put_found(struct dmt_telling *telling, struct dmt_buf *buf,
    const struct dmt_rule *rule, const struct dmt_verdict *verdict)
{
	switch (rule->kind) {
	case DMT_RULE_CALLS:
	case DMT_RULE_NEVER:
		put_count(buf, verdict->count, "call");
		break;
	case DMT_RULE_DEPTH:
		dmt_buf_printf(buf, "depth %" PRIu64, verdict->count);
		break;
	case DMT_RULE_THREADS:
		put_count(buf, verdict->count, "thread");
		break;
	case DMT_RULE_NO_OTHERS:
		dmt_buf_printf(buf, "another thread");
		break;
	case DMT_RULE_BEFORE:
	case DMT_RULE_UNDER:
		put_relation(telling, buf, rule, verdict);
		break;
	case DMT_RULE_INCLUSIVE:
	case DMT_RULE_EXCLUSIVE:
		if (dmt_rule_time(telling->expect, rule) == DMT_TIME_ANY) {
			dmt_buf_printf(buf, "no such times in the trace");
			break;
		}
		put_ms(buf, verdict->total_ns);
		dmt_buf_put(buf, " in ", 4);
		put_count(buf, verdict->count, "call");
		break;
	}
}

static void
tell_rule(struct dmt_telling *telling, size_t index)
{
	const struct dmt_expect *const expect = telling->expect;
	const struct dmt_rule *const rule = &expect->spec->rules[index];
	struct dmt_buf buf = { .bytes = NULL };

	begin_expectation(telling, rule->line);
	if (!dmt_rule_is_met(expect, index)) {
		telling->about.met = 0;
		telling->about.expected = telling->about.words;
		put_found(telling, &buf, rule, &expect->verdicts[index]);
		telling->about.found = dmt_telling_keep(telling, &buf);
		dmt_telling_set_place(telling, &expect->verdicts[index].place);
	}
	end_expectation(telling);
}

/* In the order of their lines. */
uint64_t
dmt_expect_tell(struct dmt_expect *expect, dmtrace_expectation_fn *told,
    void *context, uint64_t *count)
{
	const struct dmtrace_spec *const spec = expect->spec;
	struct dmt_telling telling = { .expect = expect, .told = told,
	    .context = context };
	size_t rule = 0, block = 0;

	while (rule < spec->rule_count || block < spec->block_count) {
		if (block == spec->block_count || (rule < spec->rule_count &&
		    spec->rules[rule].line < spec->blocks[block].line))
			tell_rule(&telling, rule++);
		else
			tell_block(&telling, block++);
	}
	dmt_arena_fini(&telling.arena);
	*count = telling.count;
	return telling.unmet;
}

static bool
has_signature(const struct dmt_telling *telling, uint32_t node)
{
	const struct dmtrace_spec *const spec = telling->expect->spec;
	const struct dmt_word *const word = node == 0 ? NULL :
	    &spec->patterns[spec->nodes[node].pattern].word;

	return word != NULL && word->len > 0 &&
	    memchr(word->bytes, '(', word->len) != NULL;
}

/* A call of the tree: which one, of several. */
static const char *
keep_node(struct dmt_telling *telling, uint32_t node, uint64_t repeat)
{
	const struct dmt_spec_node *const call =
	    &telling->expect->spec->nodes[node];
	struct dmt_buf buf = { .bytes = NULL };

	dmt_telling_put_pattern(telling, &buf, call->pattern);
	if (call->count > 1)
		dmt_buf_printf(&buf, " (%" PRIu64 " of %" PRIu64 ")",
		    repeat + 1, call->count);
	return dmt_telling_keep(telling, &buf);
}

static const char *
keep_method(struct dmt_telling *telling, uint32_t method, bool signature,
    const char *behind)
{
	struct dmt_buf buf = { .bytes = NULL };

	dmt_matches_put(&telling->expect->names, &buf, method, signature);
	dmt_buf_put(&buf, behind, strlen(behind));
	return dmt_telling_keep(telling, &buf);
}

static struct dmtrace_expect_row *
add_row(struct dmt_telling *telling)
{
	struct dmtrace_expect_row *const row =
	    &telling->rows[telling->about.row_count++];

	*row = (struct dmtrace_expect_row){ .line = 0 };
	return row;
}

static void
set_expected(struct dmt_telling *telling, struct dmtrace_expect_row *row,
    uint32_t node, uint64_t repeat)
{
	const struct dmt_spec_node *const call =
	    &telling->expect->spec->nodes[node];

	row->line = call->line;
	row->expected = keep_node(telling, node, repeat);
	row->expected_depth = call->depth;
}

static void
add_before(struct dmt_telling *telling, const struct dmt_match *match)
{
	for (size_t i = 0; i < match->before_count; i++) {
		const struct dmt_met *const met = &match->before[i];
		struct dmtrace_expect_row *const row = add_row(telling);

		set_expected(telling, row, met->node, met->repeat);
		row->found = keep_method(telling, met->method,
		    has_signature(telling, met->node), "");
		row->found_depth = met->depth - 1;
	}
}

static const char *
keep_found(struct dmt_telling *telling, const struct dmt_match *match)
{
	const bool signature = has_signature(telling, match->missing);

	switch (match->found) {
	case DMT_FOUND_CALL:
		return keep_method(telling, match->method, signature, "");
	case DMT_FOUND_EXIT:
		return keep_method(telling, match->method, false, " ends");
	case DMT_FOUND_END:
	case DMT_FOUND_ALL:
		break;
	}
	return match->subsequence ? "no such call behind it" :
	    "the trace ends";
}

static void
add_difference(struct dmt_telling *telling, const struct dmt_match *match)
{
	const struct dmtrace_spec *const spec = telling->expect->spec;
	struct dmtrace_expect_row *const row = add_row(telling);

	row->differs = 1;
	row->found = keep_found(telling, match);
	if (match->missing != 0)
		set_expected(telling, row, match->missing,
		    match->missing_repeat);
	else
		row->expected = "no more calls";
	if (match->missing == 0 && match->within != 0)
		row->expected_depth = spec->nodes[match->within].depth + 1;
	row->found_depth = match->found == DMT_FOUND_END ?
	    row->expected_depth : match->depth - 1;
}

/* The call of the tree behind another one, or the innermost that goes on
 * behind it; 0: there is none. */
static uint32_t
node_behind(const struct dmtrace_spec *spec, uint32_t node, bool inside)
{
	if (inside && spec->nodes[node].child != 0)
		return spec->nodes[node].child;
	while (node != 0 && spec->nodes[node].next == 0)
		node = spec->nodes[node].parent;
	return node == 0 ? 0 : spec->nodes[node].next;
}

static void
add_after(struct dmt_telling *telling, const struct dmt_match *match)
{
	const struct dmtrace_spec *const spec = telling->expect->spec;
	uint32_t node = match->missing != 0 ?
	    node_behind(spec, match->missing, true) :
	    match->within != 0 ? node_behind(spec, match->within, false) : 0;

	for (size_t i = 0; i < DMT_AFTER; i++) {
		if (node == 0 && i >= match->after_count)
			return;
		struct dmtrace_expect_row *const row = add_row(telling);
		if (i < match->after_count) {
			row->found = keep_method(telling,
			    match->after[i].method, false, "");
			row->found_depth = match->after[i].depth - 1;
		}
		if (node != 0) {
			set_expected(telling, row, node, 0);
			node = node_behind(spec, node, true);
		}
	}
}

/* As far to the left as they go. */
static void
shift_rows(struct dmt_telling *telling)
{
	uint32_t least = UINT32_MAX;

	for (size_t i = 0; i < telling->about.row_count; i++) {
		const struct dmtrace_expect_row *const row =
		    &telling->rows[i];

		if (row->expected != NULL && row->expected_depth < least)
			least = row->expected_depth;
		if (row->found != NULL && row->found_depth < least)
			least = row->found_depth;
	}
	for (size_t i = 0; i < telling->about.row_count; i++) {
		if (telling->rows[i].expected != NULL)
			telling->rows[i].expected_depth -= least;
		if (telling->rows[i].found != NULL)
			telling->rows[i].found_depth -= least;
	}
}

static void
set_rows(struct dmt_telling *telling, const struct dmt_match *match)
{
	telling->about.rows = telling->rows;
	add_before(telling, match);
	add_difference(telling, match);
	add_after(telling, match);
	shift_rows(telling);
}

/* "no more calls in X", or the call that is missing. */
static const char *
keep_expected(struct dmt_telling *telling, const struct dmt_match *match)
{
	const struct dmtrace_spec *const spec = telling->expect->spec;
	struct dmt_buf buf = { .bytes = NULL };

	if (match->missing != 0)
		return keep_node(telling, match->missing,
		    match->missing_repeat);
	dmt_buf_put(&buf, "no more calls", 13);
	if (match->within != 0) {
		dmt_buf_put(&buf, " in ", 4);
		dmt_telling_put_pattern(telling, &buf,
		    spec->nodes[match->within].pattern);
	}
	return dmt_telling_keep(telling, &buf);
}

void
dmt_tell_match(struct dmt_telling *telling, const struct dmt_match *match)
{
	const struct dmt_spec_node *const nodes = telling->expect->spec->nodes;
	struct dmtrace_expectation *const about = &telling->about;

	if (match->found == DMT_FOUND_ALL)
		return;
	about->met = 0;
	if (match->missing != 0)
		about->line = nodes[match->missing].line;
	else if (match->within != 0)
		about->line = nodes[match->within].line;
	about->expected = keep_expected(telling, match);
	about->found = keep_found(telling, match);
	dmt_telling_set_place(telling, &match->place);
	set_rows(telling, match);
}
