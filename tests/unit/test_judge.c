/* test_judge.c - the verdicts for dmtracedump are what dmtracedump does */

#include <dmtrace.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "helpers/damages.h"
#include "helpers/files.h"
#include "helpers/unit.h"

enum { SEEDS = 10 };

/* Changes of the key only, at one place or everywhere, one or several at a
 * time. */
static const struct edit {
	const char *from;
	const char *to;
	bool all;
} edits[] = {
	{ "*threads", "*thread", false },
	{ "*methods\n", "*methods \n", false },
	{ "*end\n", "*ending\n", false },
	{ "*end\n", "*end", false },
	{ "clock=", "clokk=", false },
	{ "\t", " ", true },
	{ "\t1", "", true },		/* a line number, or its beginning */
	{ "0x", "0X", true },
	{ "(", "\t(", false },
	{ ".java\t", ".java", true },
};

enum { CASES = DAMAGES + ROWS(edits) };

/* What it printed: "-o", then the exit status of the report. */
static char said[1 << 20];

static void
run(void)
{
	FILE *const pipe = popen("dmtracedump -o x.trace 2>/dev/null;"
	    " dmtracedump x.trace >/dev/null 2>&1; echo rc=$?", "r");

	ck_assert_ptr_nonnull(pipe);
	const size_t len = fread(said, 1, sizeof(said) - 1, pipe);
	ck_assert_uint_lt(len, sizeof(said) - 1);
	pclose(pipe);
	for (size_t i = 0; i < len; i++)
		if (said[i] == '\0')
			said[i] = '?';
	said[len] = '\0';
}

/* The lines after "Trace (...):", without what stands before the names: dots,
 * by the depth, or "-" where that is below 0. */
static size_t
take_listing(char *out)
{
	const char *line = strstr(said, "Trace (threadID");
	char *const begin = out;

	line = line == NULL ? NULL : strchr(line, '\n');
	while (line != NULL && strncmp(++line, "rc=", 3) != 0) {
		const char *const end = strchr(line, '\n');
		unsigned thread, usecs;
		char action[4];
		int at = 0;

		if (sscanf(line, "%u %3s %u %n", &thread, action, &usecs,
		    &at) == 3) {
			const char *name = line + at;

			name += strspn(name, ".-");
			out += sprintf(out, "%u %s %u %.*s\n", thread, action,
			    usecs, (int)(end - name), name);
		}
		line = end;
	}
	*out = '\0';
	return (size_t)(out - begin);
}

static char *
put_text(char *out, struct dmtrace_text text, const char *end)
{
	for (size_t i = 0; i < text.len; i++)
		*out++ = text.bytes[i] == '\0' ? '?' : text.bytes[i];
	return out + sprintf(out, "%s", end);
}

static char *
put_name(char *out, const struct dmtrace_method *method)
{
	if (method == NULL)
		return out + sprintf(out, "(not listed)");
	out = put_text(out, method->class_name, ".");
	out = put_text(out, method->name, " ");
	return put_text(out, method->signature, "");
}

/* dmtracedump has an array for so many threads. It does not crash on every
 * number beyond that. */
#define THREADS 32768

static uint32_t highest;		/* thread number of the trace */

/* What it should list; false: it cannot be read. */
static bool
list(char *out, char *threads)
{
	static const char *const words[] = { "ent", "xit", "unr", "???" };
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;
	const bool opened =
	    dmtrace_reader_open_path(reader, "x.trace") == DMTRACE_OK;
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);

	*out = *threads = '\0';
	highest = 0;
	if (opened)
		threads += sprintf(threads, "\nThreads (%zu):\n",
		    dmtrace_key_thread_count(key));
	for (size_t i = 0; opened && i < dmtrace_key_thread_count(key); i++) {
		const struct dmtrace_thread *const row =
		    dmtrace_key_thread_get(key, i);

		threads += sprintf(threads, "\n%2" PRIu32 " ", row->id);
		threads = put_text(threads, row->name, "\n");
	}
	while (opened && dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		highest = event.thread > highest ? event.thread : highest;
		const uint64_t time_ns = event.cpu_ns != DMTRACE_NO_TIME ?
		    event.cpu_ns : event.wall_ns;

		out += sprintf(out, "%" PRIu32 " %s %" PRIu32 " ",
		    event.thread, words[event.action],
		    (uint32_t)(time_ns / 1000));
		out = put_name(out, dmtrace_key_method_find(key,
		    event.method));
		out += sprintf(out, "\n");
	}
	dmtrace_reader_free(reader);
	return opened;
}

/* All that is listed as it should be: as many threads, in any order. */
static bool
is_right(const char *listing, const char *wanted, char *threads)
{
	char *line = threads;

	if (strcmp(listing, wanted) != 0)
		return false;
	while (*line != '\0') {
		char *const end = strchr(line + 1, '\n') + 1;
		const char after = *end;

		*end = '\0';
		const bool found = strstr(said, line) != NULL;
		*end = after;
		if (!found)
			return false;
		line = end;
	}
	return true;
}

static const char *
judge(char *rule)
{
	const struct dmtrace_file file = { "x.trace", -1 };
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_validity validity;

	ck_assert_int_eq(dmtrace_judge(op, &file, verdicts, &validity),
	    DMTRACE_OK);
	const struct dmtrace_verdict *const verdict =
	    &verdicts[DMTRACE_READER_DMTRACEDUMP];
	strcpy(rule, verdict->rule == NULL ? "" : verdict->rule);
	dmtrace_op_free(op);
	return dmtrace_reception_name(verdict->reception);
}

/* What is there shows as "reads"; a report that fails shows only where the
 * list is right. */
static const char *
observe(void)
{
	static char listing[1 << 20], wanted[1 << 20], threads[1 << 16];
	const int status = atoi(strstr(said, "rc=") + 3);
	const size_t len = take_listing(listing);
	const bool opened = list(wanted, threads);

	if (status > 1)
		return "crashes";
	if (len == 0 && !(opened && wanted[0] == '\0' && status == 0))
		return "refuses";
	if (!opened)
		return "lists what nobody can judge";
	if (!is_right(listing, wanted, threads))
		return "misreads";
	return status == 0 ? "reads" : "dump-only";
}

/* A key whose end is odd, or that is not UTF-8, was held to be misread by
 * those who measured; and a method that is listed, and not called, shows
 * nowhere. */
static bool
agrees(const char *verdict, const char *rule, const char *did)
{
	if (strcmp(verdict, did) == 0 || highest >= THREADS)
		return true;
	if (strncmp(did, "lists", 5) == 0)
		return strcmp(verdict, "refuses") != 0;
	return strcmp(verdict, "misreads") == 0 &&
	    (strcmp(rule, "key-end-extra") == 0 ||
	    strcmp(rule, "key-not-utf8") == 0 ||
	    strncmp(rule, "method-", 7) == 0) &&
	    (strcmp(did, "reads") == 0 || strcmp(did, "dump-only") == 0);
}

static void
edit(struct made *made, const struct edit *row)
{
	const size_t len = strlen(row->from);

	for (size_t i = damage_key_len(made) - len; i > 8; i--) {
		if (memcmp(made->bytes + i, row->from, len) != 0)
			continue;
		damage_cut(made, i + 1, len - 1);
		if (row->to[0] == '\0')
			damage_cut(made, i, 1);
		else
			damage_put(made, i, row->to, strlen(row->to));
		made->records_at = made->records_at + strlen(row->to) - len;
		if (!row->all)
			break;
	}
}

/* Every third has another damage to its key, too. */
static struct made
make(int which, uint64_t seed)
{
	const unsigned version = (unsigned)(seed % 3 + 1);
	struct made made = made_generate(version, version == 3 ?
	    DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_WALL, seed, 120, 3);

	if (which >= DAMAGES)
		edit(&made, &edits[which - DAMAGES]);
	else
		damage(&made, (enum damage)which, seed);
	if (seed % 3 == 0 && which != DAMAGE_NONE && which != DAMAGE_CRLF &&
	    made.len > damage_key_len(&made))
		edit(&made, &edits[seed / 3 % ROWS(edits)]);
	return made;
}

START_TEST(agrees_with_dmtracedump)
{
	char rule[64];

	folder_enter();
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct made made = make(_i, seed);

		file_put("x.trace", made.bytes, made.len);
		free(made.bytes);
		run();
		const char *const did = observe();
		const char *const verdict = judge(rule);
		ck_assert_msg(agrees(verdict, rule, did),
		    "case %d, seed %u: %s %s, and it %s", _i, (unsigned)seed,
		    verdict, rule, did);
	}
	folder_leave();
}
END_TEST

#define M "0x4\tA\tm\t()V\n"
#define HEADER "SLOW\2\0\x20\0\0\0\0\0\0\0\0\0" \
	"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define CALL HEADER "\1\0\4\0\0\0\1\0\0\0" "\1\0\5\0\0\0\2\0\0\0"

/* A call of A.m, and lines of a key that are odd in one way or two. */
static const struct lines {
	const char *threads;
	const char *methods;
	size_t methods_len;
	const char *options;
} lines[] = {
#define LINES(threads, methods, options) \
	{ threads, methods, sizeof(methods) - 1, options }
	LINES("1\tmain\n", "0x4\tA\tm\t\tA.java\t5\n", ""),
	LINES("1\tmain\n", "0x4\tA\tm\t\tA.java\n", ""),
	LINES("1\tmain\n", "0x4\tA\tm\t\t()V\tA.java\t5\n", ""),
	LINES("1\tmain\n", "0x4\tA\t\t()V\tA.java\t5\n", ""),
	LINES("1\tmain\n", "0x4\t\tm\t()V\tA.java\t5\n", ""),
	LINES("1\tmain\n", "0x4\tA\tm\t()V\t\t5\n", ""),
	LINES("1\tmain\n", "0x4\tA\tm\t()V\t\t\n", ""),
	LINES("1\tmain\n", "0x4\tA\tm\t()V\t\n", ""),
	LINES("1\tmain\n", "0x4\tA\tm\t()V\tA.java\tx\n", ""),
	LINES("1\tmain\n", "0x4\tA\tm\tfoo\n", ""),
	LINES("1\tmain\n", "0x4\tA\tm\n", ""),
	LINES("1\tmain\n", "0x4\tA.m\n", ""),
	LINES("1\tmain\n", "0x4\n", ""),
	LINES("1\tmain\n", " 0x4\tA\tm\t()V\n", ""),
	LINES("1\tmain\n", "4\tA\tm\t()V\n", ""),
	LINES("1\tmain\n", "0X04\tA\tm\t()V\n", ""),
	LINES("1\tmain\n", "0x5\tA\tm\t()V\n", ""),
	LINES("1\tmain\n", "(nil)\tA\tm\t()V\n" M, ""),
	LINES("1\tmain\n", "0xzz\tA\tm\t()V\n" M, ""),
	LINES("1\tmain\n", "a4\tA\tm\t()V\n" M, ""),
	LINES("1\tmain\n", "0x4 \tA\tm\t()V\n", ""),
	LINES("1\tmain\n", "08\tA\tm\t()V\n" M, ""),
	LINES("1\tmain\n", "+0x4\tA\tm\t()V\n", ""),
	LINES("1\tmain\n", "-4\tA\tm\t()V\n" M, ""),
	LINES("1\tmain\n", "\tA\tm\t()V\n" M, ""),
	LINES("1\tmain\n", "99999999999999999999\tA\tm\t()V\n" M, ""),
	LINES("1\tmain\n", M "\n", ""),
	LINES("1\tmain\n", M "*methods\n", ""),
	LINES("1\tmain\n", "0x4\tA\0B\tm\t()V\n", ""),
	LINES("1\tmain\n", "0x4 A m ()V\n", ""),
	LINES("1\tmain\n", "*methods\n" M, ""),
	LINES("1\tmain\n", "", ""),
	LINES("", M, ""),
	LINES(" 1\tmain\n", M, ""),
	LINES("01\tmain\n", M, ""),
	LINES("0x1\tmain\n", M, ""),
	LINES("x\tmain\n1\tm\n", M, ""),
	LINES("1 main\n", M, ""),
	LINES("1\t\n", M, ""),
	LINES("1\tma\tin\n", M, ""),
	LINES("\n1\tmain\n", M, ""),
	LINES("1\tmain\n*foo\nbar\n", M, ""),
	LINES("2\tother\n65537\tmain\n", M, ""),
	LINES("1\tmain\n", M, "\n"),
	LINES("1\tmain\n", M, "clock=dual\n"),
	LINES("1\tmain\n", M, "hello\na=\n=b\n"),
	LINES("1\tmain\n", M, "*foo\nbar\n"),
	/* two at once: the worse one counts */
	LINES("1 main\n", "0x4\tA\tm\t()V\tA.java\n", "*foo\n"),
	LINES("0x1\tmain\n", "0x4\tA\tm\n" "0x8\n", ""),
	LINES("1 main\n", "0x5\tA\tm\t()V\n", "clock=dual\n"),
};

/* The trace is there. */
static void
check(void)
{
	char rule[64];

	run();
	const char *const did = observe();
	const char *const verdict = judge(rule);
	ck_assert_msg(agrees(verdict, rule, did), "%s %s, and it %s", verdict,
	    rule, did);
}

START_TEST(agrees_about_lines)
{
	const struct lines *const row = &lines[_i];
	char bytes[512];
	size_t len = (size_t)sprintf(bytes, "*version\n2\nclock=wall\n%s"
	    "*threads\n%s*methods\n", row->options, row->threads);

	memcpy(bytes + len, row->methods, row->methods_len);
	len += row->methods_len;
	memcpy(bytes + len, "*end\n" CALL, sizeof("*end\n" CALL) - 1);
	len += sizeof("*end\n" CALL) - 1;
	folder_enter();
	file_put("x.trace", bytes, len);
	check();
	folder_leave();
}
END_TEST

/* Keys without a section, and without any. */
static const struct {
	const char *sections;
} missing[] = {
	{ "*methods\n" M },
	{ "*threads\n1\tmain\n" },
	{ "" },
};

START_TEST(agrees_about_missing_sections)
{
	char bytes[512];
	size_t len = (size_t)sprintf(bytes, "*version\n2\nclock=wall\n%s",
	    missing[_i].sections);

	memcpy(bytes + len, "*end\n" CALL, sizeof("*end\n" CALL) - 1);
	folder_enter();
	file_put("x.trace", bytes, len + sizeof("*end\n" CALL) - 1);
	check();
	folder_leave();
}
END_TEST

/* Method words of one thread. */
static const struct {
	size_t count;
	uint8_t words[6];
} words[] = {
	{ 3, { 4, 7, 5 } },		/* reserved: it ends the call */
	{ 5, { 4, 8, 11, 9, 5 } },
	{ 5, { 4, 8, 7, 9, 5 } },
	{ 4, { 4, 8, 11, 5 } },
	{ 6, { 4, 8, 11, 11, 9, 5 } },
	{ 3, { 7, 4, 5 } },
};

START_TEST(agrees_about_the_reserved_action)
{
	static const char key[] = "*version\n2\nclock=wall\n*threads\n"
	    "1\tmain\n*methods\n" M "0x8\tB\tn\t()V\n*end\n" HEADER;
	uint8_t bytes[512];
	size_t len = sizeof(key) - 1;

	memcpy(bytes, key, len);
	for (size_t i = 0; i < words[_i].count; i++) {
		const uint8_t record[10] = { 1, 0, words[_i].words[i], 0, 0,
		    0, (uint8_t)(i + 1), 0, 0, 0 };

		memcpy(bytes + len, record, sizeof(record));
		len += sizeof(record);
	}
	folder_enter();
	file_put("x.trace", bytes, len);
	check();
	folder_leave();
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("judge");
	TCase *tcase = unit_tcase(suite, "judge");

	if (system("command -v dmtracedump >/dev/null") != 0)
		return unit_skip("no dmtracedump here");
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, agrees_with_dmtracedump, 0, CASES);
	ADD_CASES(tcase, agrees_about_lines, lines);
	ADD_CASES(tcase, agrees_about_missing_sections, missing);
	ADD_CASES(tcase, agrees_about_the_reserved_action, words);
	return unit_main(suite);
}
