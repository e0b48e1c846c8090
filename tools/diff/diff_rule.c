/* diff_rule.c - parses and judges the rules of --fail-if */

/*
 * The library parses and applies a rule: it is judged for each method that
 * matches, and the worst of those for which it holds are reported. A rule that
 * can never hold, or whose figures are not known, is refused: with too few
 * runs, no change is significant.
 */

#include "diff/diff_run.h"

#include <stdlib.h>
#include <string.h>

#include "cli/clock_option.h"
#include "cli/decimal.h"
#include "cli/method_name.h"
#include "cli/msg.h"
#include "private/suggestion.h"
#include "private/verify.h"

int
diff_rules_begin(struct diff *diff)
{
	const struct opt_list *const list = &diff->job->rules;
	struct dmtrace_error error;

	diff->rules = calloc(list->count + 1, sizeof(*diff->rules));
	if (diff->rules == NULL)
		return msg_fail_memory();
	for (size_t i = 0; i < list->count; i++) {
		struct diff_rule *const rule = &diff->rules[i];

		rule->text = list->items[i];
		if (dmt_diff_rule_parse(&rule->rule, rule->text, &error) ==
		    DMTRACE_OK)
			continue;
		if (error.status == DMTRACE_ERR_MEMORY)
			return msg_fail_memory();
		msg_error("--fail-if: \"%s\" is not a rule, such as"
		    " 'inclusive(Foo.bar) > +5%% and > +1ms': %s",
		    rule->text, error.message);
		return CMD_TROUBLE;
	}
	return OPT_GO;
}

void
diff_rules_end(struct diff *diff)
{
	for (size_t i = 0; diff->rules != NULL &&
	    i < diff->job->rules.count; i++)
		dmt_diff_rule_fini(&diff->rules[i].rule);
	free(diff->rules);
}

/* The clock of a rule: its own, or that of the rows. */
static enum dmtrace_profile_clock
rule_clock(const struct diff *diff, const struct diff_rule *rule)
{
	return rule->rule.clock == DMT_TIME_ANY ? diff->clock :
	    rule->rule.clock == DMT_TIME_CPU ? DMTRACE_PROFILE_CPU :
	    DMTRACE_PROFILE_WALL;
}

static bool
is_of_calls(const struct diff_rule *rule)
{
	return rule->rule.subject == DMT_DIFF_OF_CALLS;
}

/* A method for which a rule holds. */
struct rule_hit {
	size_t index;
	struct dmtrace_diff_change change;
	double weight;			/* the figure that the rule limits */
};

/* The state of judging a rule. */
struct verdict {
	struct diff *diff;
	const struct diff_rule *rule;
	struct rule_hit *hits;		/* space for all methods */
	size_t count;
};

/* Writes an amount exactly, as in the limit: a rounded one might seem to meet
 * it. */
static void
put_amount(struct dmt_output *buffer, const struct diff_rule *rule,
    double amount)
{
	char text[DURATION_MAX];

	if (is_of_calls(rule))
		dmt_put_format(buffer, amount == (double)(int64_t)amount ?
		    "%.0f" : "%.1f", amount);
	else if (amount < 0)
		dmt_put_format(buffer, "-%s",
		    duration_format(text, (uint64_t)-amount));
	else
		dmt_put(buffer, duration_format(text, (uint64_t)amount));
}

/* Returns true if the change is below --threshold; that of a number of calls is
 * if those of both times of the method are. */
static bool
is_below_threshold(const struct verdict *verdict, size_t index,
    const struct dmtrace_diff_change *change)
{
	const struct diff *const diff = verdict->diff;
	const enum dmtrace_profile_clock clock =
	    rule_clock(diff, verdict->rule);
	const bool of_calls = is_of_calls(verdict->rule);
	struct dmtrace_diff_change total, times[2] = { *change, *change };

	for (int i = 0; of_calls && i < 2; i++)
		dmtrace_diff_change_get(diff->diff, index, diff_figure(clock,
		    i == 0 ? DIFF_COLUMN_INCLUSIVE : DIFF_COLUMN_EXCLUSIVE),
		    &times[i]);
	dmtrace_diff_change_get(diff->diff, DMTRACE_PROFILE_TOP,
	    diff_figure(clock, DIFF_COLUMN_INCLUSIVE), &total);
	const double least = diff->job->threshold *
	    total.medians[DMTRACE_DIFF_BASE] / 100;
	for (int i = 0; i < 2; i++)
		if (times[i].shift >= least || -times[i].shift >= least)
			return false;
	return true;
}

/* A dmt_diff_fn. */
static void
keep_rule_hit(void *context, size_t index,
    const struct dmtrace_diff_change *change)
{
	struct verdict *const verdict = context;
	const struct dmt_diff_rule *const rule = &verdict->rule->rule;
	const struct dmt_diff_limit *const limit = &rule->limits[0];

	if (dmt_diff_rule_is_change(rule) &&
	    is_below_threshold(verdict, index, change))
		return;
	const double weight = dmt_diff_measured(limit->measure, change);

	verdict->hits[verdict->count++] = (struct rule_hit){
		.index = index, .change = *change,
		.weight = limit->compare == DMT_LESS ||
		    limit->compare == DMT_AT_MOST ? -weight : weight
	};
}

/* Sorts by falling distance from the limit. */
static int
compare_rule_hits(const void *left, const void *right)
{
	const struct rule_hit *const a = left, *const b = right;

	if (a->weight < b->weight || a->weight > b->weight)
		return a->weight < b->weight ? 1 : -1;
	return (a->index > b->index) - (a->index < b->index);
}

static void
report_rule_hit(struct verdict *verdict, const struct rule_hit *hit)
{
	struct check_report *const checks = &verdict->diff->checks;
	const struct dmtrace_diff_change *const change = &hit->change;
	struct dmtrace_diff_method method;
	struct dmt_output buffer = { 0 };

	dmtrace_diff_method_get(verdict->diff->diff, hit->index, &method);
	const struct method_name name = diff_method_name(&method);
	dmt_put(&buffer, verdict->rule->text);
	dmt_put(&buffer, ": ");
	if (hit->index == DMTRACE_PROFILE_TOP)
		dmt_put(&buffer, "the total");
	else
		method_name_put(&buffer, &name);
	dmt_put(&buffer, ": ");
	put_amount(&buffer, verdict->rule,
	    change->medians[DMTRACE_DIFF_BASE]);
	dmt_put(&buffer, " to ");
	put_amount(&buffer, verdict->rule, change->medians[DMTRACE_DIFF_NEW]);
	if (change->medians[DMTRACE_DIFF_BASE] != 0)
		dmt_put_format(&buffer, ", %+.2f %%", change->percent);
	if (verdict->diff->summary.tested)
		dmt_put_format(&buffer, ", p %.2g", change->p_adjusted);
	if (check_report_has_cases(checks)) {
		if (hit == verdict->hits)
			check_report_set_message(checks, &buffer);
		dmt_put(&buffer, "\n");
		check_report_put_lines(checks, &buffer);
		return;
	}
	dmt_output_write(&buffer, "", 1);
	if (!dmt_output_failed(&buffer))
		msg_error("%s", buffer.bytes);
	dmt_output_fini(&buffer);
}

/* With -q only the worst one. */
static void
report_rule_hits(struct verdict *verdict)
{
	const uint64_t top = verdict->diff->job->top;
	const bool quiet = verdict->diff->job->io.quiet;
	const size_t most = quiet ? 1 : top == DIFF_TOP_UNSET ? DIFF_RULE_TOP :
	    top == 0 || top > verdict->count ? verdict->count : (size_t)top;

	if (verdict->count > 1)
		qsort(verdict->hits, verdict->count, sizeof(*verdict->hits),
		    compare_rule_hits);
	for (size_t i = 0; i < verdict->count && i < most; i++)
		report_rule_hit(verdict, &verdict->hits[i]);
	if (verdict->count <= most || quiet)
		return;
	struct dmt_output line = { 0 };
	dmt_put_format(&line, "%s: %zu more method%s (--top=all)",
	    verdict->rule->text, verdict->count - most,
	    verdict->count - most == 1 ? "" : "s");
	if (check_report_has_cases(&verdict->diff->checks)) {
		dmt_put(&line, "\n");
		check_report_put_lines(&verdict->diff->checks, &line);
		return;
	}
	dmt_output_write(&line, "", 1);
	if (!dmt_output_failed(&line))
		msg_note("%s", line.bytes);
	dmt_output_fini(&line);
}

/* Reports that no method matches the rule, with similar names if it has a
 * name. */
static int
report_unmatched_rule(const struct diff *diff, const struct diff_rule *rule)
{
	const char *const wanted = rule->rule.method;
	const bool is_name = rule->rule.is_name || dmt_pattern_is_name(
	    (struct dmtrace_text){ wanted, strlen(wanted) });
	struct dmt_suggestion suggestion = { .wanted = wanted };
	char similar[DMT_SUGGESTION_TEXT_MAX];

	for (size_t i = 1; is_name &&
	    i < dmtrace_diff_method_count(diff->diff); i++) {
		struct dmtrace_diff_method method;
		char name[DMT_SUGGESTION_LENGTH];

		dmtrace_diff_method_get(diff->diff, i, &method);
		method_name_bare(name, sizeof(name), method.class_name,
		    method.name, method.signature);
		dmt_suggestion_offer(&suggestion, name);
	}
	msg_error("--fail-if: no trace calls \"%s\"%s", wanted,
	    dmt_suggestion_text(&suggestion, "", similar));
	return CMD_TROUBLE;
}

/* Returns true if the rule can never hold, which would give false
 * confidence. */
static bool
is_in_vain(const struct diff *diff, const struct diff_rule *rule)
{
	const size_t *const runs = diff->summary.runs;
	size_t enough = 2;

	if (!diff->summary.tested || is_of_calls(rule) ||
	    !dmt_diff_rule_is_change(&rule->rule))
		return false;
	for (unsigned i = 0; i < rule->rule.limit_count; i++)
		if (rule->rule.limits[i].measure != DMT_DIFF_VALUE &&
		    rule->rule.limits[i].compare == DMT_EQUAL &&
		    rule->rule.limits[i].number == 0) {
			msg_error("%s: with several runs a change must be "
			    "significant, which a change of 0 never is",
			    rule->text);
			return true;
		}
	if (dmt_diff_least_p(runs[0], runs[1]) <= diff->alpha)
		return false;
	while (enough < 1000 &&
	    dmt_diff_least_p(enough, enough) > diff->alpha)
		enough++;
	msg_error("%s: of %zu and %zu runs p is %.2g at least, so nothing is"
	    " significant at --alpha=%g; %zu and %zu would do", rule->text,
	    runs[0], runs[1], dmt_diff_least_p(runs[0], runs[1]),
	    diff->alpha, enough, enough);
	return true;
}

/* Warns if a rule is about so many methods that more runs are needed. */
static void
warn_of_many_methods(const struct diff *diff, const struct diff_rule *rule,
    size_t matches)
{
	const size_t *const runs = diff->summary.runs;
	const double least = dmt_diff_least_p(runs[0], runs[1]);

	if (!diff->summary.tested || is_of_calls(rule) ||
	    !dmt_diff_rule_is_change(&rule->rule) || diff->job->io.quiet ||
	    least * (double)matches <= diff->alpha)
		return;
	msg_warning("%s: it is about %zu methods, too many for %zu and %zu runs"
	    " to show that one of them has changed", rule->text, matches,
	    runs[0], runs[1]);
}

static int
judge_rule(struct diff *diff, struct diff_rule *rule)
{
	struct verdict verdict = { .diff = diff, .rule = rule };
	enum dmtrace_status judged = DMTRACE_ERR_MEMORY;
	enum dmtrace_profile_clock clock = rule_clock(diff, rule);
	struct dmt_diff_verdict found = { .matches = 0 };

	if (!diff->summary.has_clock[clock]) {
		msg_error("%s: there is no %s time in all traces", rule->text,
		    clock_names[clock]);
		return CMD_TROUBLE;
	}
	if (is_in_vain(diff, rule))
		return CMD_TROUBLE;
	rule->rule.figure = diff_figure(clock, (enum diff_column)
	    rule->rule.subject);
	verdict.hits = calloc(dmtrace_diff_method_count(diff->diff),
	    sizeof(*verdict.hits));
	if (verdict.hits != NULL)
		judged = dmt_diff_judge(diff->diff, &rule->rule,
		    keep_rule_hit, &verdict, &found);
	if (judged == DMTRACE_OK)
		report_rule_hits(&verdict);
	free(verdict.hits);
	if (judged != DMTRACE_OK)
		return msg_fail_memory();
	if (found.matches == 0)
		return report_unmatched_rule(diff, rule);
	if (found.holds == 0)
		warn_of_many_methods(diff, rule, found.matches);
	if (verdict.count == 0 && found.unknown > 0) {
		msg_error("%s: the time of %zu of %zu methods is not known: a"
		    " window cuts their CPU time", rule->text, found.unknown,
		    found.matches);
		return CMD_TROUBLE;
	}
	return verdict.count > 0 ? CMD_NO : CMD_OK;
}

int
diff_rules_judge(struct diff *diff)
{
	const uint64_t *const records = diff->summary.records;
	int status = CMD_OK;

	if (records[0] == 0 || records[1] == 0) {
		msg_error("--fail-if: %s no events: there is nothing to "
		    "judge by", records[0] == records[1] ?
		    "both sides have" : records[0] == 0 ?
		    "the base has" : "the new side has");
		return CMD_TROUBLE;
	}
	for (size_t i = 0; i < diff->job->rules.count; i++) {
		const int one = judge_rule(diff, &diff->rules[i]);

		check_report_end_case(&diff->checks, diff->rules[i].text, one);
		status = one > status ? one : status;
	}
	return status;
}
