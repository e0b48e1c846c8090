/* test_subsequence.c - a subsequence is found if there is one */

#include <dmtrace.h>

#include "helpers/expects.h"
#include "helpers/unit.h"

/* Small trees and traces of two methods, by a generator of the test's own,
 * against all ways to lay the one into the other. */
enum { CALLS_MAX = 9, NODES_MAX = 5 };

struct call {
	char method;
	unsigned parent;	/* index + 1; 0: none */
	unsigned end;		/* index of the first call after it */
};

static unsigned state;

static unsigned
pick(unsigned limit)
{
	state = state * 1103515245 + 12345;
	return (state >> 16 & 0x7fff) % limit;
}

/* A forest by parents, each of which is open: in order. */
static unsigned
grow(struct call *calls, unsigned most)
{
	const unsigned count = 1 + pick(most);

	for (unsigned i = 0; i < count; i++) {
		unsigned parent = i;

		while (parent > 0 && pick(3) == 0)
			parent = calls[parent - 1].parent;
		calls[i] = (struct call){ (char)('a' + pick(2)), parent,
		    count };
	}
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = i + 1; j < count; j++) {
			unsigned up = calls[j].parent;

			while (up > i + 1)
				up = calls[up - 1].parent;
			if (up != i + 1) {
				calls[i].end = j;
				break;
			}
		}
	return count;
}

static int
fits(const struct call *tree, unsigned nodes, const struct call *calls,
    unsigned count, unsigned node, unsigned first, unsigned *where)
{
	if (node == nodes)
		return 1;
	for (unsigned i = first; i < count; i++) {
		const unsigned within = tree[node].parent == 0 ? 0 :
		    where[tree[node].parent - 1] + 1;

		if (calls[i].method != tree[node].method || (within != 0 &&
		    (i < within || i >= calls[within - 1].end)))
			continue;
		where[node] = i;
		if (fits(tree, nodes, calls, count, node + 1, i + 1, where))
			return 1;
	}
	return 0;
}

static unsigned
depth_of(const struct call *calls, unsigned i)
{
	unsigned depth = 1;

	for (; calls[i].parent != 0; i = calls[i].parent - 1)
		depth++;
	return depth;
}

static void
put_events(char *out, const struct call *calls, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		out += sprintf(out, "1+%c ", calls[i].method);
		const unsigned next = i + 1 == count ? 0 :
		    depth_of(calls, i + 1);
		unsigned depth = depth_of(calls, i), at = i;
		for (; depth > 0 && depth >= next; depth--) {
			out += sprintf(out, "1-%c ", calls[at].method);
			at = calls[at].parent - 1;
		}
	}
}

START_TEST(finds_a_subsequence_wherever_there_is_one)
{
	unsigned met = 0;

	for (unsigned seed = 1; seed <= 1500; seed++) {
		struct call tree[NODES_MAX], calls[CALLS_MAX];
		unsigned where[NODES_MAX];
		char events[CALLS_MAX * 8 + 1] = "", text[512];

		state = seed;
		const unsigned nodes = grow(tree, NODES_MAX);
		const unsigned count = grow(calls, CALLS_MAX);
		char *out = text + sprintf(text,
		    "thread main subsequence\n");
		for (unsigned i = 0; i < nodes; i++)
			out += sprintf(out, "%*sp.K.%c\n",
			    (int)depth_of(tree, i), "", tree[i].method);
		put_events(events, calls, count);
		judge(events, text);
		const int wanted = fits(tree, nodes, calls, count, 0, 0,
		    where);
		ck_assert_msg((got[0] == '\0') == wanted, "%s\n%s%s", events,
		    text, got);
		met += (unsigned)wanted;
	}
	ck_assert_uint_gt(met, 150);
	ck_assert_uint_lt(met, 1350);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("subsequence");
	TCase *tcase = unit_tcase(suite, "subsequence");

	tcase_add_test(tcase, finds_a_subsequence_wherever_there_is_one);
	return unit_main(suite);
}
