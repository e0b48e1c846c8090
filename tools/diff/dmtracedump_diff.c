/* dmtracedump_diff.c - prints what dmtracedump -d printed */

/*
 * Each method of the first trace, by inclusive time, is paired with the first
 * method of the second trace, by inclusive time, that has the same names and
 * is not paired yet. If one of the two has no name, class and id are compared.
 * Then the pairs are printed twice, by the difference of exclusive and of
 * inclusive time, and the methods that only one of the traces has.
 *
 * dmtracedump searched all methods for each method. Here the methods of the
 * second trace are sorted, so that matching ones are adjacent and found by
 * binary search; the number of methods that are already paired is stored with
 * the first one of a group.
 */

#include "diff/diff_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"
#include "report/dmtracedump.h"

/* One of the two traces. */
struct dump_side {
	struct dmtrace_profile *profile;
	struct dump_methods methods;	/* by inclusive time, which gives their
					   index */
	bool *used;			/* by index */
};

/* Methods sorted so that matching ones are adjacent, and by index within such
 * a group: the first skip[i] methods of the group that begins at i are
 * paired. */
struct list {
	struct dump_method **items;
	size_t *skip;
	size_t count;
	dump_compare *compare;
};

/* A method that is in both traces. */
struct pair {
	const struct dump_method *one, *two;
	int64_t key;			/* difference to sort by */
	size_t order;			/* original position, if keys are
					   equal */
};

/* The two traces, and the pairs of methods. */
struct match {
	struct dump_side sides[2];
	struct list named;		/* by all names */
	struct list nameless;		/* by class and id, as the next one */
	struct list all;
	struct pair *pairs;
	size_t pair_count;
	bool different;
};

static int
read_side(struct diff *diff, struct dump_side *side, const char *operand)
{
	const struct dmtrace_profile_options options = dmtracedump_options();
	struct dmtrace_profile_summary summary;

	side->profile = dmtrace_profile_new(&options);
	if (side->profile == NULL)
		return msg_fail_memory();
	diff->events.profile = side->profile;
	const int status = diff_read_operand(diff, operand);
	if (status == CMD_TROUBLE)
		return status;
	dmtrace_profile_summary_get(side->profile, &summary);
	if (!dump_methods_init(&side->methods,
	    dmtrace_reader_key(diff->job->io.reader)))
		return CMD_TROUBLE;
	struct dump_methods *const methods = &side->methods;
	dump_methods_profile(methods, side->profile,
	    summary.has_clock[DMTRACE_PROFILE_CPU] ? DMTRACE_PROFILE_CPU :
	    DMTRACE_PROFILE_WALL);

	side->used = calloc(methods->count + 1, sizeof(*side->used));
	if (side->used == NULL)
		return msg_fail_memory();
	if (!dump_sort(methods->sorted, methods->count, dump_by_inclusive))
		return CMD_TROUBLE;
	for (size_t i = 0; i < methods->count; i++)
		methods->sorted[i]->index = i;
	return status;
}

static int
compare_all_names(const struct dump_method *a, const struct dump_method *b)
{
	int order = strcmp(a->name, b->name);

	if (order == 0)
		order = strcmp(a->signature, b->signature);
	return order != 0 ? order : strcmp(a->class_name, b->class_name);
}

/* Lists the methods that have a name, that have none, or both. Sorting is
 * stable: methods that match stay in the order of their indexes. */
static bool
make_match_list(struct list *list, const struct dump_methods *methods,
    dump_compare *compare, bool named, bool nameless)
{
	*list = (struct list){
		.items = calloc(methods->count + 1, sizeof(*list->items)),
		.skip = calloc(methods->count + 1, sizeof(*list->skip)),
		.compare = compare
	};
	if (list->items == NULL || list->skip == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < methods->count; i++)
		if (methods->sorted[i]->name != NULL ? named : nameless)
			list->items[list->count++] = methods->sorted[i];
	return dump_sort(list->items, list->count, compare);
}

static void
free_match_list(struct list *list)
{
	free(list->items);
	free(list->skip);
}

/* Returns the first matching method that is not paired; NULL: there is none. */
static const struct dump_method *
find_unused(struct list *list, const struct dump_method *wanted,
    const bool *used)
{
	size_t first = 0, end = list->count;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (list->compare(list->items[middle], wanted) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	for (size_t i = first + (first < list->count ? list->skip[first] : 0);
	    i < list->count && list->compare(list->items[i], wanted) == 0;
	    i++) {
		if (!used[list->items[i]->index])
			return list->items[i];
		list->skip[first] = i + 1 - first;
	}
	return NULL;
}

/* Finds the method of the other trace to pair with a method. If one of them
 * has no name, class and id are compared. */
static const struct dump_method *
find_match(struct match *match, const struct dump_method *wanted)
{
	const bool *const used = match->sides[1].used;

	if (wanted->name == NULL)
		return find_unused(&match->all, wanted, used);
	const struct dump_method *const a =
	    find_unused(&match->named, wanted, used);
	const struct dump_method *const b =
	    find_unused(&match->nameless, wanted, used);
	return a == NULL || (b != NULL && b->index < a->index) ? b : a;
}

static void
pair_all(struct match *match)
{
	struct dump_side *const sides = match->sides;

	for (size_t i = 0; i < sides[0].methods.count; i++) {
		const struct dump_method *const one =
		    sides[0].methods.sorted[i];
		const struct dump_method *const two = find_match(match, one);

		if (two == NULL)
			continue;
		sides[0].used[i] = sides[1].used[two->index] = true;
		match->pairs[match->pair_count] = (struct pair){
			.one = one, .two = two, .order = match->pair_count
		};
		match->pair_count++;
		match->different |= one->exclusive_us != two->exclusive_us ||
		    one->inclusive_us != two->inclusive_us ||
		    one->calls != two->calls ||
		    one->recursive_calls != two->recursive_calls;
	}
}

static int
compare_pairs(const void *left, const void *right)
{
	const struct pair *const a = left, *const b = right;

	return a->key != b->key ? (a->key < b->key) - (a->key > b->key) :
	    (a->order > b->order) - (a->order < b->order);
}

/* Writes text escaped as HTML, though the output is plain text, as dmtracedump
 * did. */
static void
put_html_escaped(struct dmt_output *buffer, const char *text)
{
	for (; *text != '\0'; text++)
		if (*text == '<')
			dmt_put(buffer, "&lt;");
		else if (*text == '>')
			dmt_put(buffer, "&gt;");
		else if (*text == '&')
			dmt_put(buffer, "&amp;");
		else
			dmt_output_write(buffer, text, 1);
}

static void
put_html_names(struct dmt_output *buffer, const struct dump_method *method)
{
	put_html_escaped(buffer, method->class_name);
	dmt_put(buffer, ".");
	put_html_escaped(buffer, method->name == NULL ? "(null)" :
	    method->name);
	dmt_put(buffer, " ");
}

/* Prints the pairs by the difference of a time, without those that have none.
 * The sort is stable. */
static bool
put_pairs(struct diff *diff, struct match *match, bool inclusive)
{
	struct dmt_output *const buffer = &diff->table.buffer;

	for (size_t i = 0; i < match->pair_count; i++) {
		struct pair *const pair = &match->pairs[i];
		const int64_t one = inclusive ? pair->one->inclusive_us :
		    pair->one->exclusive_us;
		const int64_t two = inclusive ? pair->two->inclusive_us :
		    pair->two->exclusive_us;

		pair->key = one == 0 ? 0 :
		    (int64_t)((uint64_t)two - (uint64_t)one);
		pair->order = i;
	}
	if (match->pair_count > 1)
		qsort(match->pairs, match->pair_count, sizeof(*match->pairs),
		    compare_pairs);

	for (size_t i = 0; i < match->pair_count; i++) {
		const struct pair *const pair = &match->pairs[i];
		const uint64_t one = (uint64_t)(inclusive ?
		    pair->one->inclusive_us : pair->one->exclusive_us);
		const uint64_t two = (uint64_t)(inclusive ?
		    pair->two->inclusive_us : pair->two->exclusive_us);

		put_html_names(buffer, pair->one);
		dmt_put_format(buffer, "%" PRIu64 " %" PRIu64 " %" PRIu64
		    " %.2f\n%" PRIu64 "\n%" PRIu64 "\n", one, two,
		    (uint64_t)pair->key,
		    one == 0 ? 0 : (double)two / (double)one * 100.0,
		    pair->one->calls, pair->two->calls);
	}
	return table_flush(&diff->table);
}

static bool
put_missing(struct diff *diff, struct match *match,
    const struct dump_side *side)
{
	for (size_t i = 0; i < side->methods.count; i++) {
		const struct dump_method *const method =
		    side->methods.sorted[i];

		if (side->used[i])
			continue;
		match->different = true;
		put_html_names(&diff->table.buffer, method);
		dmt_put_format(&diff->table.buffer, "%" PRIu64 " %" PRIu64 " %"
		    PRIu64 "\n", (uint64_t)method->exclusive_us,
		    (uint64_t)method->inclusive_us, method->calls);
	}
	return table_flush(&diff->table);
}

static int
compare_and_put(struct diff *diff, struct match *match)
{
	struct dump_side *const sides = match->sides;
	const struct dump_methods *const second = &sides[1].methods;

	match->pairs = calloc(sides[0].methods.count + 1,
	    sizeof(*match->pairs));
	if (match->pairs == NULL)
		return msg_fail_memory();
	if (!make_match_list(&match->named, second, compare_all_names, true,
	    false) ||
	    !make_match_list(&match->nameless, second, dump_by_class, false,
	    true) ||
	    !make_match_list(&match->all, second, dump_by_class, true, true))
		return CMD_TROUBLE;
	pair_all(match);
	if (!put_pairs(diff, match, false) || !put_pairs(diff, match, true) ||
	    !put_missing(diff, match, &sides[0]) ||
	    !put_missing(diff, match, &sides[1]))
		return CMD_TROUBLE;
	return match->different ? CMD_NO : CMD_OK;
}

int
diff_dmtracedump(struct diff *diff)
{
	struct match match = { .pairs = NULL };
	int status = CMD_OK;

	for (int i = 0; i < 2; i++)
		status = cmd_worse(status, read_side(diff, &match.sides[i],
		    diff->job->sides[i].items[0]));
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, selection_finish(
		    &diff->job->selection, NULL));
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, compare_and_put(diff, &match));
	for (int i = 0; i < 2; i++) {
		dmtrace_profile_free(match.sides[i].profile);
		dump_methods_fini(&match.sides[i].methods);
		free(match.sides[i].used);
	}
	free_match_list(&match.named);
	free_match_list(&match.nameless);
	free_match_list(&match.all);
	free(match.pairs);
	return status;
}
