/* diff_rule.c - parses and judges the rules of --fail-if */

/*
 * A rule is FIGURE(PATTERN) or "total", an operator < > <= or >=, and a limit:
 * a percentage or a signed amount limits the change, an amount without a sign
 * limits the new value. After "and", there may be another operator and limit,
 * which must hold, too. It is judged for each method that matches, and the
 * worst of those for which it holds are reported. A rule that can never hold is
 * refused: with too few runs, no change is significant.
 */

#include "diff/diff_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/decimal.h"
#include "cli/method_name.h"
#include "cli/msg.h"
#include "cli/suggestion.h"
#include "private/verify.h"

static const char *const words_of[] = {
	[DIFF_COLUMN_INCLUSIVE] = "inclusive",
	[DIFF_COLUMN_EXCLUSIVE] = "exclusive",
	[DIFF_COLUMN_CALLS] = "calls",
};

bool
diff_number(const char *text, double *number)
{
	double value = 0, place = 1;
	size_t digits = 0;

	for (; *text >= '0' && *text <= '9'; digits++)
		value = value * 10 + (*text++ - '0');
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9'; digits++)
			value += (*text++ - '0') * (place /= 10);
	if (digits == 0 || digits > 15 || *text != '\0')
		return false;
	*number = value;
	return true;
}

static bool
is_rule_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static const char *
skip_rule_blanks(const char *in)
{
	while (is_rule_blank(*in))
		in++;
	return in;
}

/* Returns the end of the text without trailing blanks. */
static const char *
end_of(const char *begin, const char *end)
{
	while (end > begin && is_rule_blank(end[-1]))
		end--;
	return end;
}

/* Parses "inclusive(PATTERN)" or "total", up to end. false: it is neither. */
static bool
parse_figure(struct diff_rule *rule, const char *in, const char *end)
{
	const size_t len = (size_t)(end - in);

	if (len == 5 && memcmp(in, "total", 5) == 0)
		return true;
	for (int i = 0; i < DIFF_COLUMNS; i++) {
		const size_t word = strlen(words_of[i]);

		if (len <= word || memcmp(in, words_of[i], word) != 0)
			continue;
		const char *const open = skip_rule_blanks(in + word);
		if (*open != '(' || end - open < 3 || end[-1] != ')')
			continue;
		rule->column = (enum diff_column)i;
		rule->method = strndup(open + 1, (size_t)(end - open) - 2);
		rule->rule.method = rule->method;
		return rule->method != NULL;
	}
	return false;
}

/* A percentage is a change, with a sign or without; an amount is a change if
 * it has a sign, otherwise a new value. */
static bool
parse_limit(const struct diff_rule *of, struct dmt_diff_rule *rule,
    const char *in)
{
	const bool has_sign = *in == '+' || *in == '-';
	const char *end = end_of(in, in + strlen(in));
	const bool is_percent = end > in && end[-1] == '%';
	char amount[32];
	int64_t ns;

	if (is_percent)
		end = end_of(in, end - 1);
	if ((size_t)(end - in) >= sizeof(amount))
		return false;
	memcpy(amount, in, (size_t)(end - in));
	amount[end - in] = '\0';
	rule->measure = is_percent ? DMT_DIFF_PERCENT :
	    has_sign ? DMT_DIFF_SHIFT : DMT_DIFF_VALUE;
	if (!is_percent && of->column != DIFF_COLUMN_CALLS) {
		if (!duration_parse(amount, &ns))
			return false;
		rule->limit = (double)ns;
		return true;
	}
	if (!diff_number(amount + has_sign, &rule->limit))
		return false;
	if (*in == '-')
		rule->limit = -rule->limit;
	return true;
}

/* Parses an operator and a limit. */
static bool
parse_comparison(const struct diff_rule *of, struct dmt_diff_rule *rule,
    const char *in)
{
	rule->below = *in == '<';
	rule->or_equal = in[1] == '=';
	return parse_limit(of, rule, skip_rule_blanks(in + 1 +
	    rule->or_equal));
}

/* Finds the last "and" that an operator follows; NULL: there is none. */
static char *
find_rule_and(char *text)
{
	char *found = NULL;

	for (char *at = text; (at = strstr(at, " and ")) != NULL; at++) {
		const char next = *skip_rule_blanks(at + 5);

		if (next == '<' || next == '>')
			found = at;
	}
	return found;
}

/* Says what is missing in the figure of a rule. */
static const char *
describe_figure(const char *begin)
{
	for (int i = 0; i < DIFF_COLUMNS; i++) {
		const size_t len = strlen(words_of[i]);

		if (strncmp(begin, words_of[i], len) == 0 &&
		    *skip_rule_blanks(begin + len) != '(')
			return "the brackets around the method are missing";
		if (strncmp(begin, words_of[i], len) == 0)
			return "the brackets are empty or not closed";
	}
	return "it does not begin with inclusive, exclusive or calls and a "
	    "method in brackets, or total";
}

/* Parses a copy of the rule. Returns NULL, or what is wrong. */
static const char *
read_fail_rule(struct diff_rule *rule, char *text)
{
	char *const and = find_rule_and(text);

	if (and != NULL)
		*and = '\0';
	/* Search from the end, as names may contain "<init>". */
	const char *const less = strrchr(text, '<');
	const char *const more = strrchr(text, '>');
	const char *const operator = less == NULL ||
	    (more != NULL && more > less) ? more : less;
	const char *const begin = skip_rule_blanks(text);

	if (operator == NULL)
		return "the operator is missing: <, <=, > or >=";
	if (!parse_figure(rule, begin, end_of(begin, operator)))
		return describe_figure(begin);
	rule->has_also = and != NULL;
	if (!parse_comparison(rule, &rule->rule, operator) ||
	    (and != NULL && !parse_comparison(rule, &rule->also,
	    skip_rule_blanks(and + 5))))
		return rule->column == DIFF_COLUMN_CALLS ?
		    "the limit is not a number or percentage, such as 3, +10 "
		    "or +5%" : "the limit is not a time or percentage, such "
		    "as 20ms, +1.5ms or +5%";
	return NULL;
}

int
diff_rules_begin(struct diff *diff)
{
	const struct opt_list *const list = &diff->job->rules;

	diff->rules = calloc(list->count + 1, sizeof(*diff->rules));
	if (diff->rules == NULL)
		return msg_fail_memory();
	for (size_t i = 0; i < list->count; i++) {
		char *const copy = strdup(list->items[i]);

		if (copy == NULL)
			return msg_fail_memory();
		diff->rules[i].text = list->items[i];
		const char *wrong = read_fail_rule(&diff->rules[i], copy);
		free(copy);
		struct dmtrace_error error;
		if (wrong == NULL && diff->rules[i].method != NULL &&
		    dmt_pattern_check(diff->rules[i].method, &error) !=
		    DMTRACE_OK)
			wrong = error.message;
		if (wrong == NULL)
			continue;
		msg_error("--fail-if: \"%s\" is not a rule, such as"
		    " 'inclusive(Foo.bar) > +5%% and > +1ms': %s",
		    list->items[i], wrong);
		return CMD_TROUBLE;
	}
	return OPT_GO;
}

void
diff_rules_end(struct diff *diff)
{
	for (size_t i = 0; diff->rules != NULL &&
	    i < diff->job->rules.count; i++)
		free(diff->rules[i].method);
	free(diff->rules);
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

	if (rule->column == DIFF_COLUMN_CALLS)
		dmt_put_format(buffer, amount == (double)(int64_t)amount ?
		    "%.0f" : "%.1f", amount);
	else if (amount < 0)
		dmt_put_format(buffer, "-%s",
		    duration_format(text, (uint64_t)-amount));
	else
		dmt_put(buffer, duration_format(text, (uint64_t)amount));
}

/* Compares a change with the limit after "and", as the library does with the
 * first one. */
static bool
limit_holds(const struct dmt_diff_rule *rule,
    const struct dmtrace_diff_change *change)
{
	const double base = change->medians[DMTRACE_DIFF_BASE];
	const double figure = rule->measure == DMT_DIFF_SHIFT ?
	    change->shift : rule->measure == DMT_DIFF_VALUE ?
	    change->medians[DMTRACE_DIFF_NEW] : base != 0 ? change->percent :
	    change->shift == 0 ? 0 : change->shift > 0 ? HUGE_VAL : -HUGE_VAL;

	return (rule->or_equal && figure == rule->limit) ||
	    (rule->below ? figure < rule->limit : figure > rule->limit);
}

/* A dmt_diff_fn. If the base is 0, any percentage is exceeded. */
static void
keep_rule_hit(void *context, size_t index,
    const struct dmtrace_diff_change *change)
{
	struct verdict *const verdict = context;
	const struct dmt_diff_rule *const rule = &verdict->rule->rule;
	const double size = change->shift < 0 ? -change->shift : change->shift;
	struct dmtrace_diff_change total;

	if (verdict->rule->has_also &&
	    !limit_holds(&verdict->rule->also, change))
		return;
	dmtrace_diff_change_get(verdict->diff->diff, DMTRACE_PROFILE_TOP,
	    diff_figure(verdict->diff, DIFF_COLUMN_INCLUSIVE), &total);
	if (rule->measure != DMT_DIFF_VALUE &&
	    verdict->rule->column != DIFF_COLUMN_CALLS && 100 * size <
	    verdict->diff->job->threshold * total.medians[DMTRACE_DIFF_BASE])
		return;
	const double weight = rule->measure == DMT_DIFF_SHIFT ?
	    change->shift : rule->measure == DMT_DIFF_VALUE ?
	    change->medians[DMTRACE_DIFF_NEW] :
	    change->medians[DMTRACE_DIFF_BASE] == 0 ?
	    HUGE_VAL : change->percent;

	verdict->hits[verdict->count++] = (struct rule_hit){
		.index = index, .change = *change,
		.weight = rule->below ? -weight : weight
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
		dmt_put(&buffer, "\n");
		check_report_put_lines(checks, &buffer);
		return;
	}
	dmt_output_write(&buffer, "", 1);
	if (!dmt_output_failed(&buffer))
		msg_error("%s: %s", verdict->rule->text, buffer.bytes);
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
	if (verdict->count > most && !quiet)
		msg_note("%s: %zu more method%s (--top=all)",
		    verdict->rule->text, verdict->count - most,
		    verdict->count - most == 1 ? "" : "s");
}

/* Reports that no method matches the rule, with similar names if it has a
 * name. */
static int
report_unmatched_rule(const struct diff *diff, const struct diff_rule *rule)
{
	const bool is_name = dmt_pattern_is_name((struct dmtrace_text){
	    rule->method, strlen(rule->method) });
	struct suggestion suggestion = { .wanted = rule->method };
	char similar[SUGGESTION_TEXT_MAX];

	for (size_t i = 1; is_name &&
	    i < dmtrace_diff_method_count(diff->diff); i++) {
		struct dmtrace_diff_method method;
		char name[SUGGESTION_LENGTH];

		dmtrace_diff_method_get(diff->diff, i, &method);
		method_name_bare(name, sizeof(name), method.class_name,
		    method.name, method.signature);
		suggestion_offer(&suggestion, name);
	}
	msg_error("--fail-if: no trace calls \"%s\"%s", rule->method,
	    suggestion_text(&suggestion, "", similar));
	return CMD_TROUBLE;
}

/* Returns true if the rule can never hold, which would give false
 * confidence. */
static bool
is_in_vain(const struct diff *diff, const struct diff_rule *rule)
{
	const size_t *const runs = diff->summary.runs;
	size_t enough = 2;

	if (!diff->summary.tested || rule->column == DIFF_COLUMN_CALLS ||
	    rule->rule.measure == DMT_DIFF_VALUE ||
	    dmt_diff_least_p(runs[0], runs[1]) <= diff->alpha)
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

	if (!diff->summary.tested || rule->column == DIFF_COLUMN_CALLS ||
	    rule->rule.measure == DMT_DIFF_VALUE || diff->job->io.quiet ||
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
	size_t matches = 0, holds = 0;

	if (is_in_vain(diff, rule))
		return CMD_TROUBLE;
	rule->rule.figure = diff_figure(diff, rule->column);
	verdict.hits = calloc(dmtrace_diff_method_count(diff->diff),
	    sizeof(*verdict.hits));
	if (verdict.hits != NULL)
		judged = dmt_diff_judge(diff->diff, &rule->rule,
		    keep_rule_hit, &verdict, &matches, &holds);
	if (judged == DMTRACE_OK)
		report_rule_hits(&verdict);
	free(verdict.hits);
	if (judged != DMTRACE_OK)
		return msg_fail_memory();
	if (matches == 0)
		return report_unmatched_rule(diff, rule);
	if (holds == 0)
		warn_of_many_methods(diff, rule, matches);
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
