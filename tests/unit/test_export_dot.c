/* test_export_dot.c - call graphs of traces small enough to be drawn by hand */

#include "helpers/exports.h"
#include "private/export.h"

static struct dmt_dot_options
dot_options(void)
{
	struct dmt_dot_options options = { 0 };

	options.clock = DMTRACE_CLOCK_THREAD_CPU;
	return options;
}

static struct dmt_dot_size last_size;

static enum dmtrace_status
put_dot(const struct dmtrace_profile *profile, const void *options,
    struct dmt_output *sink)
{
	return dmt_export_dot(profile, options, sink, &last_size);
}

static char *
dot_of(const struct dmtrace_profile *profile,
    const struct dmt_dot_options *options)
{
	return export_text(put_dot, profile, options);
}

/* "0 1 0>1": the nodes and edges in the order of the lines. */
static void
summarise(char out[TEXT_MAX], const char *dot)
{
	size_t used = 0;
	char from[32], to[32];

	out[0] = '\0';
	for (const char *line = dot; line != NULL; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (sscanf(line, "%31[a-z0-9] -> %31s", from, to) == 2)
			used += (size_t)snprintf(out + used, TEXT_MAX - used,
			    "%s>%s ", strstr(from, "node") + 4,
			    strstr(to, "node") + 4);
		else if (sscanf(line, "%31[a-z0-9] [label%1[=]", from,
		    to) == 2)
			used += (size_t)snprintf(out + used, TEXT_MAX - used,
			    "%s ", strstr(from, "node") + 4);
	}
}

START_TEST(writes_what_was_computed_by_hand)
{
	static const char expected[] =
	    "digraph dmtrace {\n"
	    "graph [charset=\"UTF-8\", fontname=\"sans-serif\", fontsize=9];\n"
	    "node [shape=box, style=filled, fontname=\"sans-serif\", "
	    "fontsize=10];\n"
	    "edge [fontname=\"sans-serif\", fontsize=8, "
	    "color=\"#606060\"];\n"
	    "label=\"box: method, inclusive CPU time, exclusive (self) time, "
	    "calls; redder: more exclusive time\\n"
	    "arrow: calls and their time; wider: more calls\\n"
	    "percentages are of 10.0 ms, the time of 1 thread; methods below "
	    "19.00 % are left out\";\n"
	    "node0 [label=\"(toplevel)\\n10.0 ms (100.0 %)\\n"
	    "self 0 s (0.0 %)\", "
	    "tooltip=\"(toplevel)\", fillcolor=\"0.050 0.000 1.000\"];\n"
	    "node1 [label=\"p.K.A\\n10.0 ms (100.0 %)\\n"
	    "self 8.03 ms (80.0 %)\\n1 call\", "
	    "tooltip=\"p.K.A ()V\", fillcolor=\"0.050 0.700 1.000\"];\n"
	    "node2 [label=\"p.K.B\\n2.00 ms (20.0 %)\\n"
	    "self 2.00 ms (20.0 %)\\n2 calls\", "
	    "tooltip=\"p.K.B ()V\", fillcolor=\"0.050 0.399 1.000\"];\n"
	    "node0 -> node1 [label=\"1 call\\n10.0 ms (100.0 %)\", "
	    "penwidth=1.0];\n"
	    "node1 -> node2 [label=\"2 calls\\n2.00 ms (20.0 %)\", "
	    "penwidth=5.0];\n"
	    "}\n";
	struct dmtrace_profile *profile = profile_of(
	    "1+A0 1+B500 1-B501 1+B1000 1-B3000 1-A10030",
	    DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD);
	struct dmt_dot_options options = dot_options();

	options.threshold = 19;
	char *dot = dot_of(profile, &options);
	ck_assert_str_eq(dot, expected);
	ck_assert_uint_eq(last_size.methods, 2);
	free(dot);
	dmtrace_profile_free(profile);
}
END_TEST

#define CHAIN "1+A0 1+B10 1+C20 1+D30 1-D40 1-C50 1-B60 1-A70"

/* References are ranks: of the chain, A is 1 and D is 4. */
static const struct {
	const char *label;
	const char *events;
	double threshold;
	char around;			/* 0: none */
	uint32_t hops;
	const char *graph;
} graphs[] = {
	{ "all of it", CHAIN, DMT_DOT_ALL, 0, 0,
	    "0 1 2 3 4 0>1 1>2 2>3 3>4 " },
	{ "D has 10 of 70 us", CHAIN, 14, 0, 0,
	    "0 1 2 3 4 0>1 1>2 2>3 3>4 " },
	{ "which is less than 15 %", CHAIN, 15, 0, 0,
	    "0 1 2 3 0>1 1>2 2>3 " },
	{ "all but the top has less than all", CHAIN, 100, 0, 0,
	    "0 1 0>1 " },
	{ "around one, nothing else", CHAIN, DMT_DOT_ALL, 'C',
	    DMTRACE_NONE, "3 " },
	{ "around one, its caller and callee", CHAIN, DMT_DOT_ALL, 'C', 1,
	    "2 3 4 2>3 3>4 " },
	{ "around one, two calls away", CHAIN, DMT_DOT_ALL, 'C', 2,
	    "1 2 3 4 1>2 2>3 3>4 " },
	{ "around one, as far as the top", CHAIN, DMT_DOT_ALL, 'C', 3,
	    "0 1 2 3 4 0>1 1>2 2>3 3>4 " },
	{ "around one, without those that are short", CHAIN, 15, 'C', 9,
	    "0 1 2 3 0>1 1>2 2>3 " },
	{ "the one itself may be short", CHAIN, 60, 'D', 9, "4 " },
	{ "no way leads over what is short",
	    "1+A0 1+B10 1+C11 1+A12 1-A13 1-C14 1-B15 1-A70", 50, 'C', 1,
	    "1 3 3>1 " },
	{ "no way leads over the top", "1+A0 1-A10 1+B10 1-B15",
	    DMT_DOT_ALL, 'A', 9,
	    "0 1 0>1 " },
	{ "what is not called has no node", CHAIN, DMT_DOT_ALL, 'E', 9,
	    "" },
	{ "no time at all", "1+A5 1-A5", 20, 0, 0, "0 " },
	{ "no time at all, and none wanted", "1+A5 1-A5", DMT_DOT_ALL, 0, 0,
	    "0 1 0>1 " },
	{ "equal times, by names", "1+B0 1-B5 1+A5 1-A10", DMT_DOT_ALL, 0,
	    0, "0 1 2 0>1 0>2 " },
	{ "recursion, one edge for all of it",
	    "1+A0 1+A10 1+A15 1-A20 1-A30 1-A50", DMT_DOT_ALL, 0, 0,
	    "0 1 0>1 1>1 " },
	{ "no event", "", 0, 0, 0, "0 " },
};

START_TEST(has_the_nodes_and_edges_that_are_asked_for)
{
	struct dmtrace_profile *profile = profile_of(graphs[_i].events,
	    DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD);
	struct dmt_dot_options options = dot_options();
	const uint32_t around = (uint32_t)(graphs[_i].around - 'A' + 1);
	char text[TEXT_MAX];

	options.threshold = graphs[_i].threshold;
	options.around = graphs[_i].around == 0 ? NULL : &around;
	options.around_count = graphs[_i].around != 0;
	options.hops = graphs[_i].hops;
	char *dot = dot_of(profile, &options);
	summarise(text, dot);
	ck_assert_msg(strcmp(text, graphs[_i].graph) == 0, "%s: %s",
	    graphs[_i].label, text);
	free(dot);
	dmtrace_profile_free(profile);
}
END_TEST

/* An edge has the calls and times of all its calls. The time of calls inside
 * other calls of the callee is not counted twice. */
static const struct {
	const char *events;
	const char *edge;
} edges[] = {
	{ "1+A0 1+A10 1+A15 1-A20 1-A30 1-A50",
	    "node1 -> node1 [label=\"2 calls\\nrecursive\"" },
	{ "1+A0 1+B5 1+A10 1+B12 1-B15 1-A20 1-B30 1-A40",
	    "node1 -> node2 [label=\"2 calls\\n25.0 us (62.5 %)\"" },
	{ "1+A0 1+B5 1+A10 1+B12 1-B15 1-A20 1-B30 1-A40",
	    "node2 -> node1 [label=\"1 call\\nrecursive\"" },
	{ "1+B50 1+A45 1-A40 1-B60",
	    "node1 -> node2 [label=\"1 call\\n-5.00 us (-50.0 %)\"" },
};

START_TEST(reports_calls_and_times_of_edges)
{
	struct dmtrace_profile *profile = profile_of(edges[_i].events,
	    DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD);
	struct dmt_dot_options options = dot_options();

	options.threshold = DMT_DOT_ALL;
	char *dot = dot_of(profile, &options);
	ck_assert_msg(strstr(dot, edges[_i].edge) != NULL, "%s", dot);
	free(dot);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(puts_each_thread_into_a_cluster)
{
	struct dmtrace_profile *profile = profile_of(
	    "7+A0 7+B10 7-B90 7-A100 9+B0 9-B10",
	    DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_THREADS,
	    DMTRACE_PROFILE_BY_METHOD);
	struct dmt_dot_options options = dot_options();

	options.per_thread = 1;
	char *dot = dot_of(profile, &options);
	ck_assert_ptr_nonnull(strstr(dot, "subgraph cluster1 {\n"
	    "label=\"(7)\";\n"
	    "thread1node0 [label=\"(toplevel)\\n100 us (100.0 %)\\n"
	    "self 0 s (0.0 %)\""));
	ck_assert_ptr_nonnull(strstr(dot,
	    "thread1node1 -> thread1node2 [label=\"1 call\\n"
	    "80.0 us (80.0 %)\""));
	ck_assert_ptr_nonnull(strstr(dot, "}\nsubgraph cluster2 {\n"
	    "label=\"(9)\";\n"
	    "thread2node0 [label=\"(toplevel)\\n10.0 us (100.0 %)\\n"
	    "self 0 s (0.0 %)\""));
	ck_assert_ptr_nonnull(strstr(dot,
	    "thread2node2 [label=\"p.K.B\\n10.0 us (100.0 %)\\n"
	    "self 10.0 us (100.0 %)\\n1 call\""));
	ck_assert_uint_eq(last_size.methods, 3);
	free(dot);
	dmtrace_profile_free(profile);
}
END_TEST

static const struct {
	const char *name;
	const char *label;
} names[] = {
	{ "plain", "p.K.plain" },
	{ "a\"b", "p.K.a\\\"b" },
	{ "a\\", "p.K.a\\\\\\\\" },
	{ "\\\"];x[", "p.K.\\\\\\\\\\\"];x[" },
	{ "\x1b]0;x\x07", "p.K.\\\\x1b]0;x\\\\x07" },
	{ "\xff\xc3(", "p.K.\\\\xff\\\\xc3(" },
	{ "gr\xc3\xb6\xc3\x9f", "p.K.gr\xc3\xb6\xc3\x9f" },
	{ "\xe2\x80\xae", "p.K.\\\\xe2\\\\x80\\\\xae" },
	{ "&lt;<b>", "p.K.&amp;lt;<b>" },
	{ "$(x)`y`", "p.K.$(x)`y`" },
	{ "\\N\\G\\l", "p.K.\\\\\\\\N\\\\\\\\G\\\\\\\\l" },
	{ "{a|<b>}", "p.K.{a|<b>}" },
};

START_TEST(escapes_names)
{
	struct dmtrace_profile *profile = profile_of_name(names[_i].name,
	    strlen(names[_i].name), DMTRACE_PROFILE_EDGES);
	struct dmt_dot_options options = dot_options();
	char expected[256];

	char *dot = dot_of(profile, &options);
	snprintf(expected, sizeof(expected),
	    "node1 [label=\"%s\\n2.00 us (100.0 %%)\\nself 2.00 us (100.0 %%)"
	    "\\n1 call\", tooltip=\"%s ()V\", ",
	    names[_i].label, names[_i].label);
	ck_assert_msg(strstr(dot, expected) != NULL, "%s", dot);
	free(dot);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(cuts_long_names)
{
	char name[LONG_NAME + 1];
	struct dmtrace_profile *profile = profile_of_long_name(name);
	struct dmt_dot_options options = dot_options();
	char *dot = dot_of(profile, &options);

	name[1000] = '\0';
	const char *tooltip = strstr(dot, "tooltip=\"p.K.");
	ck_assert_ptr_nonnull(tooltip);
	ck_assert_int_eq(strncmp(tooltip + 13, name, 1000), 0);
	ck_assert_int_eq(strncmp(tooltip + 1013, "... ()V\"", 8), 0);
	const char *label = strstr(dot, "[label=\"p.K.") + 12;
	ck_assert_int_eq(strncmp(label, name, 160), 0);
	ck_assert_int_eq(strncmp(label + 160, "...\\n", 5), 0);
	free(dot);
	dmtrace_profile_free(profile);
}
END_TEST

static enum dmtrace_status
status_of(unsigned keep, const struct dmt_dot_options *options)
{
	struct dmtrace_profile *profile = profile_of("1+A0 1-A1", keep,
	    DMTRACE_PROFILE_BY_METHOD);
	const enum dmtrace_status status =
	    export_status(put_dot, profile, options);

	dmtrace_profile_free(profile);
	return status;
}

START_TEST(refuses_what_the_profile_does_not_have)
{
	struct dmt_dot_options options = dot_options();
	const uint32_t past = 6;

	ck_assert_int_eq(status_of(0, &options), DMTRACE_ERR_STATE);
	options.per_thread = 1;
	ck_assert_int_eq(status_of(DMTRACE_PROFILE_EDGES, &options),
	    DMTRACE_ERR_STATE);
	options.per_thread = 0;
	options.around = &past;
	options.around_count = 1;
	ck_assert_int_eq(status_of(DMTRACE_PROFILE_EDGES, &options),
	    DMTRACE_ERR_RANGE);
	options.around_count = 0;
	ck_assert_int_eq(status_of(DMTRACE_PROFILE_EDGES, &options),
	    DMTRACE_OK);
}
END_TEST

START_TEST(survives_every_failing_allocation)
{
	struct dmtrace_profile *profile = profile_of(CHAIN,
	    DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD);
	const struct dmt_dot_options options = dot_options();

	assert_tells_no_memory(put_dot, profile, &options);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(reports_a_failing_write_at_the_close)
{
	struct dmtrace_profile *profile = profile_of(CHAIN,
	    DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD);
	const struct dmt_dot_options options = dot_options();

	ck_assert_int_eq(export_with_fault(put_dot, profile, &options,
	    FAULT_WRITE, 1), DMTRACE_ERR_IO);
	ck_assert(fault_disarm());
	dmtrace_profile_free(profile);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("export_dot");
	TCase *tcase = unit_tcase(suite, "export_dot");

	tcase_add_test(tcase, writes_what_was_computed_by_hand);
	ADD_CASES(tcase, has_the_nodes_and_edges_that_are_asked_for, graphs);
	ADD_CASES(tcase, reports_calls_and_times_of_edges, edges);
	tcase_add_test(tcase, puts_each_thread_into_a_cluster);
	ADD_CASES(tcase, escapes_names, names);
	tcase_add_test(tcase, cuts_long_names);
	tcase_add_test(tcase, refuses_what_the_profile_does_not_have);
	tcase_add_test(tcase, survives_every_failing_allocation);
	tcase_add_test(tcase, reports_a_failing_write_at_the_close);
	return unit_main(suite);
}
