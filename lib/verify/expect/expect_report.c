/* expect_report.c - reports what was expected and what was found */

/*
 * Every rule is an expectation, and so is every line "thread" that has a tree
 * or is not met. They are reported in the order of the lines. An expectation
 * that is not met has what was expected and what was found as text, and the
 * place in the trace. A tree also has rows: the calls around the first
 * difference, expected and found side by side. Texts are kept in an arena until
 * the next expectation begins, so that the callback can use them while it runs.
 * Names are written as tokens that a specification can have.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/escape.h"
#include "key/line_text.h"
#include "private/suggestion.h"
#include "verify/expect/expect_state.h"

#define ROWS_MAX (DMT_CALLS_BEFORE + 1 + DMT_CALLS_AFTER)

struct expect_report {
	struct dmt_expect *expect;
	dmtrace_expectation_fn *report;	/* NULL: expectations are only
					   counted */
	void *context;
	struct dmt_name_use *names;	/* by pattern */
	struct dmt_arena arena;		/* texts of the current expectation */
	struct dmtrace_expectation about;	/* the current expectation */
	struct dmtrace_expect_row rows[ROWS_MAX];
	uint64_t unmet;
	uint64_t count;
};

/* Text */

/* Returns true if a name can be written without quotes. */
static bool
needs_no_quotes(const char *bytes, size_t len, bool glob)
{
	if (len == 0 || bytes[0] == '#' || (!glob &&
	    !dmt_pattern_is_name((struct dmtrace_text){ bytes, len })))
		return false;
	for (size_t i = 0; i < len;) {
		char unit[DMT_UNIT_MAX + 1];
		size_t used;
		const size_t size = dmt_escape_first(unit, &used, bytes + i,
		    len - i);

		if (used != size || unit[0] != bytes[i] ||
		    bytes[i] == ' ' || bytes[i] == '"')
			return false;
		i += size;
	}
	return true;
}

void
dmt_put_token(struct dmt_output *buffer, const char *bytes, size_t len,
    bool glob)
{
	if (needs_no_quotes(bytes, len, glob)) {
		dmt_output_write(buffer, bytes, len);
		return;
	}
	dmt_put(buffer, "\"");
	for (size_t i = 0; i < len;) {
		char unit[DMT_UNIT_MAX + 1];
		size_t used;

		if (bytes[i] == '"')
			dmt_put(buffer, "\\");
		i += dmt_escape_first(unit, &used, bytes + i, len - i);
		dmt_output_write(buffer, unit, used);
	}
	dmt_put(buffer, "\"");
}

void
dmt_put_pattern(struct dmt_output *buffer,
    const struct dmt_name_pattern *pattern)
{
	const struct dmt_token *const token = &pattern->token;

	if (pattern->is_name)
		dmt_put_token(buffer, token->bytes, token->len, false);
	else
		dmt_output_write(buffer, token->bytes, token->len);
}

/* Appends the name of a method: see dmt_expect_methods_put. */
static void
put_method_name(struct dmt_output *buffer, const struct dmtrace_method *row,
    uint64_t id, bool signature)
{
	struct dmt_method_text text = { .bytes = NULL };

	if (!dmt_method_text_make(&text, row, id)) {
		dmt_output_fail_memory(buffer);
		return;
	}
	for (size_t i = 0; i < text.class_len; i++)
		if (text.bytes[i] == '/')
			text.bytes[i] = '.';
	dmt_put_token(buffer, text.bytes,
	    signature ? text.len : text.name_end, false);
	free(text.bytes);
}

void
dmt_expect_methods_put(const struct dmt_expect_methods *methods,
    struct dmt_output *buffer, uint32_t index, bool signature)
{
	const struct dmt_indexed_method *const method =
	    &methods->indexes->methods[index];

	put_method_name(buffer, method->row, method->id, signature);
}

/* Expectations */

/* Returns the text of a buffer, which is emptied. Without memory returns "" and
 * sets the error. */
static const char *
keep_expect_text(struct expect_report *report, struct dmt_output *buffer)
{
	char *const kept = dmt_output_failed(buffer) ? NULL :
	    dmt_arena_alloc(&report->arena, buffer->len + 1);

	if (kept == NULL) {
		dmt_error_memory(&report->expect->error);
	} else {
		memcpy(kept, dmt_output_text(buffer).bytes, buffer->len);
		kept[buffer->len] = '\0';
	}
	dmt_output_fini(buffer);
	return kept == NULL ? "" : kept;
}

static void
put_pattern(const struct expect_report *report, struct dmt_output *buffer,
    uint32_t pattern)
{
	dmt_put_pattern(buffer, &report->expect->spec->patterns[pattern]);
}

static void
set_place(struct expect_report *report, const struct dmt_place *place)
{
	struct dmtrace_expectation *const about = &report->about;
	const struct dmt_expect *const expect = report->expect;
	struct dmt_output buffer = { 0 };

	about->record = place->record;
	about->at = place->at;
	about->time_ns = place->time_ns;
	if (place->thread == DMT_NONE)
		return;
	const struct dmtrace_text name =
	    dmt_expect_thread_name(expect, place->thread);
	about->thread = expect->source->indexes->threads[place->thread].number;
	dmt_output_write(&buffer, name.bytes, name.len);
	about->thread_name = keep_expect_text(report, &buffer);
}

/* Writes a line of the specification without the blanks around it. */
static void
put_rule_line(const struct expect_report *report, struct dmt_output *buffer,
    uint64_t number)
{
	const struct dmtrace_text line = dmt_text_trim(
	    report->expect->spec->lines[number - 1]);

	dmt_output_write(buffer, line.bytes, line.len);
}

/* Begins an expectation that is met. Its text is its line in the specification;
 * that of a rule about threads follows the thread's name, as threads may have
 * equal rules. */
static void
begin_expectation(struct expect_report *report, uint64_t number,
    uint32_t block)
{
	struct dmt_output buffer = { 0 };

	dmt_arena_fini(&report->arena);
	report->about = (struct dmtrace_expectation){
		.line = number, .met = 1, .expected = "", .found = "",
		.time_ns = DMTRACE_NO_TIME
	};
	if (block != DMT_NONE) {
		dmt_put(&buffer, "thread ");
		dmt_put_pattern(&buffer,
		    &report->expect->spec->blocks[block].name);
		dmt_put(&buffer, ": ");
	}
	put_rule_line(report, &buffer, number);
	report->about.text = keep_expect_text(report, &buffer);
}

/* Passes the expectation that is complete in report->about to the caller. */
static void
end_expectation(struct expect_report *report)
{
	report->count++;
	report->unmet += !report->about.met;
	if (report->report != NULL &&
	    report->expect->error.status == DMTRACE_OK)
		report->report(report->context, &report->about);
}

static void
put_count(struct dmt_output *buffer, uint64_t count, const char *what)
{
	dmt_put_format(buffer, "%" PRIu64 " %s%s", count, what,
	    count == 1 ? "" : "s");
}

/* Describes what was found instead of "A before C" or "A under C". */
static void
put_relation(const struct expect_report *report, struct dmt_output *buffer,
    const struct dmt_rule *rule, const struct dmt_rule_state *state)
{
	const bool before = rule->kind == DMT_RULE_BEFORE;

	if (state->count == 0 || (before && state->count_other == 0)) {
		dmt_put(buffer, "no call of ");
		put_pattern(report, buffer,
		    rule->patterns[state->count == 0 ? 0 : 1]);
	} else if (before) {
		put_pattern(report, buffer, rule->patterns[1]);
		dmt_put(buffer, " before it");
	} else if (state->caller == DMT_NONE) {
		dmt_put(buffer, "a call without a caller");
	} else {
		dmt_put(buffer, "a call by ");
		dmt_expect_methods_put(&report->expect->methods, buffer,
		    state->caller, false);
	}
}

static void
put_rule_time(const struct expect_report *report, struct dmt_output *buffer,
    const struct dmt_rule *rule, const struct dmt_rule_state *state)
{
	const int64_t ns = state->total_ns;
	const uint64_t size_ns = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	char time[DMT_DURATION_MAX];

	if (dmt_rule_time(report->expect, rule) == DMT_TIME_ANY) {
		dmt_put(buffer, rule->time == DMT_TIME_CPU ?
		    "no CPU times in the trace" : "no wall times in the trace");
		return;
	}
	dmt_put_format(buffer, "%s%s%s in ", state->partial ? "at least " : "",
	    ns < 0 ? "-" : "", dmt_duration_exact(time, size_ns));
	put_count(buffer, state->count, "call");
}

static void
report_rule(struct expect_report *report, size_t index)
{
	const struct dmt_expect *const expect = report->expect;
	const struct dmt_rule *const rule = &expect->spec->rules[index];
	const struct dmt_rule_state *const state = &expect->rules[index];
	struct dmt_output found = { 0 };

	begin_expectation(report, rule->line, rule->block);
	const struct dmt_name_use *similar = NULL;
	const struct dmt_token *wrong = NULL;
	uint32_t missing = DMT_NONE;
	for (int role = 0; role < 2; role++) {
		const uint32_t pattern = rule->patterns[role];

		if (pattern == DMT_NONE)
			continue;
		if (report->names[pattern].state == DMT_NAME_SIMILAR) {
			similar = &report->names[pattern];
			wrong = &expect->spec->patterns[pattern].token;
		} else if (report->names[pattern].state ==
		    DMT_NAME_MISSING) {
			missing = pattern;
		}
	}
	if (similar == NULL && dmt_rule_is_met(expect, index)) {
		if (missing != DMT_NONE) {
			dmt_put(&found, "no method is named ");
			put_pattern(report, &found, missing);
			report->about.note = keep_expect_text(report, &found);
		}
		end_expectation(report);
		return;
	}
	report->about.met = 0;
	put_rule_line(report, &found, rule->line);
	report->about.expected = keep_expect_text(report, &found);
	if (similar != NULL) {
		dmt_put(&found, "no such method" DMT_DID_YOU_MEAN);
		put_method_name(&found, similar->similar,
		    similar->similar->id,
		    memchr(wrong->bytes, '(', wrong->len) != NULL);
		dmt_put(&found, DMT_DID_YOU_MEAN_END);
		report->about.found = keep_expect_text(report, &found);
		end_expectation(report);
		return;
	}
	switch (rule->kind) {
	case DMT_RULE_CALLS:
	case DMT_RULE_NEVER:
		put_count(&found, state->count, "call");
		break;
	case DMT_RULE_DEPTH:
		dmt_put_format(&found, "depth %" PRIu64, state->count);
		break;
	case DMT_RULE_THREADS:
		put_count(&found, state->count, "thread");
		break;
	case DMT_RULE_NO_OTHERS:
		dmt_put(&found, "another thread");
		break;
	case DMT_RULE_BEFORE:
	case DMT_RULE_UNDER:
		put_relation(report, &found, rule, state);
		break;
	case DMT_RULE_INCLUSIVE:
	case DMT_RULE_EXCLUSIVE:
		put_rule_time(report, &found, rule, state);
		break;
	}
	report->about.found = keep_expect_text(report, &found);
	set_place(report, &state->place);
	end_expectation(report);
}

/* Returns a call of an expected tree as text, such as "A.run (2 of 3)", which
 * lives as long as the expectation. */
static const char *
format_expected_call(struct expect_report *report, uint32_t index,
    uint64_t repeat)
{
	const struct dmt_spec_node *const node =
	    &report->expect->spec->nodes[index];
	struct dmt_output buffer = { 0 };

	put_pattern(report, &buffer, node->pattern);
	if (node->count > 1)
		dmt_put_format(&buffer, " (%" PRIu64 " of %" PRIu64 ")",
		    repeat + 1, node->count);
	return keep_expect_text(report, &buffer);
}

/* Returns a method of the trace as text, with its signature if the call of the
 * tree that is shown beside it has one. node is that call; 0: none. */
static const char *
keep_method(struct expect_report *report, uint32_t method, uint32_t node,
    const char *suffix)
{
	const struct dmtrace_spec *const spec = report->expect->spec;
	const struct dmt_token *const token = node == 0 ? NULL :
	    &spec->patterns[spec->nodes[node].pattern].token;
	const bool signature = token != NULL && token->len > 0 &&
	    memchr(token->bytes, '(', token->len) != NULL;
	struct dmt_output buffer = { 0 };

	dmt_expect_methods_put(&report->expect->methods, &buffer, method,
	    signature);
	dmt_put_format(&buffer, "%s", suffix);
	return keep_expect_text(report, &buffer);
}

static struct dmtrace_expect_row *
add_expect_row(struct expect_report *report)
{
	struct dmtrace_expect_row *const row =
	    &report->rows[report->about.row_count++];

	*row = (struct dmtrace_expect_row){ .line = 0 };
	return row;
}

static void
set_expected(struct expect_report *report, struct dmtrace_expect_row *row,
    uint32_t node, uint64_t repeat)
{
	row->line = report->expect->spec->nodes[node].line;
	row->expected = format_expected_call(report, node, repeat);
	row->expected_depth = report->expect->spec->nodes[node].depth;
}

/* Returns the call of the tree that follows a node in the text; below: it may
 * be a child of it. 0: there is none. */
static uint32_t
following_node(const struct dmtrace_spec *spec, uint32_t node, bool below)
{
	if (below && spec->nodes[node].child != 0)
		return spec->nodes[node].child;
	while (node != 0 && spec->nodes[node].next == 0)
		node = spec->nodes[node].parent;
	return node == 0 ? 0 : spec->nodes[node].next;
}

/* Adds rows for the calls before the difference, for the difference, and for
 * the calls after it on both sides. */
static void
add_rows(struct expect_report *report, const struct dmt_tree_match *match)
{
	const struct dmtrace_spec *const spec = report->expect->spec;
	struct dmtrace_expect_row *row;

	for (size_t i = 0; i < match->before_count; i++) {
		const struct dmt_matched_call *const call = &match->before[i];

		row = add_expect_row(report);
		set_expected(report, row, call->node, call->repeat);
		row->found = keep_method(report, call->method, call->node,
		    "");
		row->found_depth = call->depth - 1;
	}

	row = add_expect_row(report);
	row->differs = 1;
	row->found = report->about.found;
	row->expected = "no more calls";
	if (match->missing != 0)
		set_expected(report, row, match->missing,
		    match->missing_repeat);
	else if (match->within != 0)
		row->expected_depth = spec->nodes[match->within].depth + 1;
	row->found_depth = match->difference == DMT_TRACE_ENDS ?
	    row->expected_depth : match->depth - 1;

	uint32_t node = match->missing != 0 ?
	    following_node(spec, match->missing, true) :
	    match->within != 0 ? following_node(spec, match->within, false) :
	    0;
	for (size_t i = 0; i < DMT_CALLS_AFTER; i++) {
		if (node == 0 && i >= match->after_count)
			break;
		row = add_expect_row(report);
		if (i < match->after_count) {
			row->found = keep_method(report,
			    match->after[i].method, 0, "");
			row->found_depth = match->after[i].depth - 1;
		}
		if (node != 0) {
			set_expected(report, row, node, 0);
			node = following_node(spec, node, true);
		}
	}
}

/* Moves both sides to the left by the same depth, as far as possible. */
static void
shift_rows(struct expect_report *report)
{
	uint32_t least = UINT32_MAX;

	for (size_t i = 0; i < report->about.row_count; i++) {
		const struct dmtrace_expect_row *const row = &report->rows[i];

		if (row->expected != NULL && row->expected_depth < least)
			least = row->expected_depth;
		if (row->found != NULL && row->found_depth < least)
			least = row->found_depth;
	}
	for (size_t i = 0; i < report->about.row_count; i++) {
		if (report->rows[i].expected != NULL)
			report->rows[i].expected_depth -= least;
		if (report->rows[i].found != NULL)
			report->rows[i].found_depth -= least;
	}
}

/* Sets an expectation that is not met: the calls of a thread do not match its
 * tree. */
static void
set_difference(struct expect_report *report,
    const struct dmt_tree_match *match)
{
	const struct dmt_spec_node *const nodes = report->expect->spec->nodes;
	struct dmtrace_expectation *const about = &report->about;
	struct dmt_output buffer = { 0 };

	about->met = 0;
	if (match->missing != 0) {
		about->line = nodes[match->missing].line;
		about->expected = format_expected_call(report, match->missing,
		    match->missing_repeat);
	} else if (match->within != 0) {
		about->line = nodes[match->within].line;
		dmt_put(&buffer, "no more calls in ");
		put_pattern(report, &buffer, nodes[match->within].pattern);
		about->expected = keep_expect_text(report, &buffer);
	} else {
		about->expected = "no more calls";
	}
	if (match->difference == DMT_ANOTHER_CALL)
		about->found = keep_method(report, match->method,
		    match->missing, "");
	else if (match->difference == DMT_CALL_ENDS)
		about->found = keep_method(report, match->method, 0, " ends");
	else
		about->found = match->subsequence ?
		    "no such call after it" : "the trace ends";
	set_place(report, &match->place);
	about->rows = report->rows;
	add_rows(report, match);
	shift_rows(report);
}

/* Reports a line "thread": its tree or, if it has only rules, a missing
 * thread. */
static void
report_block(struct expect_report *report, size_t index)
{
	const struct dmt_expect *const expect = report->expect;
	const struct dmt_spec_block *const block = &expect->spec->blocks[index];
	const uint32_t thread = expect->thread_of_tree[index];
	const bool rules = block->kind == DMT_BLOCK_RULES;

	if (rules && (expect->block_seen[index] || block->counts_threads))
		return;
	begin_expectation(report, block->line, DMT_NONE);
	if (thread == DMT_NONE) {
		report->about.met = 0;
		report->about.expected = "a thread of that name";
		report->about.found = rules ? "none" :
		    "none without another tree";
	} else if (expect->threads[thread].match->difference !=
	    DMT_NO_DIFFERENCE) {
		set_difference(report, expect->threads[thread].match);
	}
	end_expectation(report);
}

uint64_t
dmt_expect_report(struct dmt_expect *expect, dmtrace_expectation_fn *callback,
    void *context, uint64_t *count)
{
	const struct dmtrace_spec *const spec = expect->spec;
	struct expect_report report = { .expect = expect, .report = callback,
	    .context = context };
	size_t rule = 0, block = 0;

	report.names = dmt_expect_names(expect);
	if (report.names == NULL) {
		dmt_error_memory(&expect->error);
		return 0;
	}
	while (rule < spec->rule_count || block < spec->block_count) {
		if (block == spec->block_count || (rule < spec->rule_count &&
		    spec->rules[rule].line < spec->blocks[block].line))
			report_rule(&report, rule++);
		else
			report_block(&report, block++);
	}
	free(report.names);
	dmt_arena_fini(&report.arena);
	*count = report.count;
	return report.unmet;
}
