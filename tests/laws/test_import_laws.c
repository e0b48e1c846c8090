/* test_import_laws.c - whatever import writes is valid, and all can read it */

#include <dmtrace.h>

#include <dmtrace/check.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "helpers/op.h"
#include "helpers/random.h"
#include "helpers/unit.h"

#define CHROME DMTRACE_IMPORT_CHROME
#define COLLAPSED DMTRACE_IMPORT_COLLAPSED
#define FTRACE DMTRACE_IMPORT_FTRACE
#define TSV DMTRACE_IMPORT_TSV
#define LINES DMTRACE_IMPORT_LINES

/* perflib 2016 finds threads by their names, and Traceview reads ASCII: nothing
 * can be done about that. */
static bool
reads_all(const struct dmtrace_verdict *verdict)
{
	return verdict->reception == DMTRACE_READS ||
	    (verdict->reception == DMTRACE_MISREADS &&
	    (strcmp(verdict->rule, "thread-name-shared") == 0 ||
	    strcmp(verdict->rule, "key-not-ascii") == 0));
}

/* Imports the file "in", of which the law holds if it can be read. Events that
 * are taken as they are may be what validate and others warn of. */
static bool
import_is_valid(enum dmtrace_import_format format, int per_thread)
{
	const bool is_lines = format == LINES;
	const struct dmtrace_import_options options = {
		.format = format, .per_thread = per_thread,
		.lines = is_lines ? "^([-0-9.]+) ([^ ]*) ([^ ]+)( .*)?$" :
		    NULL,
		.fields = is_lines ? "time,thread,action,method" : NULL
	};
	const struct dmtrace_file in = { .path = "in" };
	const struct dmtrace_file out = { .path = "out.trace" };
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmtrace_import_result result;
	struct dmtrace_validity validity;

	unlink("out.trace");
	if (dmtrace_import(op, &in, &out, &options, &result) != DMTRACE_OK)
		return false;
	ck_assert_trace_valid("out.trace");
	if (format == TSV || result.events == 0)
		return true;		/* not all read a trace of nothing */
	ck_assert_trace_strict("out.trace");
	ck_assert_int_eq(dmtrace_judge(op, &out, verdicts, &validity),
	    DMTRACE_OK);
	for (int i = 0; i < DMTRACE_READERS; i++)
		ck_assert_msg(reads_all(&verdicts[i]), "%s: %s: %s",
		    dmtrace_other_reader_name(
			(enum dmtrace_other_reader)i),
		    verdicts[i].rule, verdicts[i].message);
	return true;
}

static const struct {
	const char *label;
	enum dmtrace_import_format format;
	const char *text;
} texts[] = {
	{ "chrome: what a script writes", CHROME,
	    "[{\"name\":\"f\",\"ph\":\"B\",\"ts\":1,\"pid\":0,\"tid\":0},"
	    "{\"name\":\"f\",\"ph\":\"E\",\"ts\":4,\"pid\":0,\"tid\":0}]" },
	{ "chrome: a CPU time of a call of no duration, before that of a "
	    "long call at the same time", CHROME,
	    "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":10,\"dur\":0,\"tts\":5,"
	    "\"tdur\":1},{\"name\":\"b\",\"ph\":\"X\",\"ts\":10,\"dur\":9,"
	    "\"tts\":7,\"tdur\":2}]" },
	{ "chrome: CPU times that go back", CHROME,
	    "[{\"name\":\"a\",\"ph\":\"B\",\"ts\":1,\"tts\":9},"
	    "{\"name\":\"a\",\"ph\":\"E\",\"ts\":2,\"tts\":5}]" },
	{ "chrome: threads named by text, by blanks and not at all", CHROME,
	    "[{\"name\":\"a\",\"ph\":\"B\",\"ts\":1,\"tid\":\"io\"},"
	    "{\"name\":\"a\",\"ph\":\"B\",\"ts\":1,\"tid\":9},"
	    "{\"name\":\"thread_name\",\"ph\":\"M\",\"tid\":9,"
	    "\"args\":{\"name\":\"  \"}},"
	    "{\"name\":\"a\",\"ph\":\"B\",\"ts\":1}]" },
	{ "collapsed: C and Java", COLLAPSED,
	    "main;a.b.C.d;x::y;x::y::z 2000\n" },
	{ "ftrace: a module, arguments, an operator", FTRACE,
	    "1.5 us [ 12] | f(1, 2);\n [ 12] | g [m]() {\n"
	    " 2 us [ 12] | } /* g */\n [ 12] | a::operator()() {\n" },
	{ "tsv: classes, ids and threads that no key has", TSV,
	    "thread\taction\tid\ttime_ns\tclass\tname\tsignature\n"
	    "70000\tenter\t3\t1\t\tf\t(I)V\nio\texit\t0x100000004\t1\t"
	    "A\t\t\n-1\tunroll\t4\t0\t\t\t\n" },
	{ "lines: ends without a name, calls that overlap", LINES,
	    "1 io > a\n2 io <\n2 io <\n" },
};

START_TEST(what_is_imported_is_valid)
{
	file_put("in", texts[_i].text, strlen(texts[_i].text));
	ck_assert(import_is_valid(texts[_i].format, 0));
}
END_TEST

/* As text of JSON, and as bytes. */
static const struct {
	const char *json, *text;
} names[] = {
	{ "a.b.C.run", "a.b.C.run" },
	{ "f", "f" },
	{ "a::b::f", "a::b::f" },
	{ "", "" },
	{ " ", " " },
	{ " a", " a" },
	{ "a ", "a " },
	{ ".", "." },
	{ "..", ".." },
	{ ".a", ".a" },
	{ "a.", "a." },
	{ " . ", " . " },
	{ "a . b", "a . b" },
	{ "::", "::" },
	{ "a::", "a::" },
	{ "\\t", "\t" },
	{ "a\\tb.c", "a\tb.c" },
	{ "\\n*end", "*end" },
	{ "\\u0000", "\\x00" },
	{ "a.\\u0001", "a.\x01" },
	{ "\\u007f", "\x7f" },
	{ "\\ud800", "\xed\xa0\x80" },
	{ "\\u0085.\\u2028", "\xc2\x85.\xe2\x80\xa8" },
	{ "\\ufeff", "\xef\xbb\xbf" },
	{ "\xff", "\xff" },
	{ "a.\xc3(", "a.\xc3(" },
	{ "\\ud83d\\ude00", "\xf0\x9f\x98\x80" },
	{ "*methods", "*methods" },
	{ "0x4", "0x4" },
	{ "-1", "-1" },
	{ "a()V", "a()V" },
	{ "(", "(" },
	{ "[", "[" },
	{ "[a.so]", "[a.so]" },
	{ "native", "native" },
	{ "native.f", "native.f" },
	{ "a.b\\t()V\\tA.java\\t7", "a.b()V\tA.java\t7" },
	{ "\\\\x3b\\\\x09", "\\x3b\\x09" },
	{ "\\u00a0", "\xc2\xa0" },
	{ "\\u3000.\\u3000", "\xe3\x80\x80.\xe3\x80\x80" },
	{ "/", "/" },
	{ "a/b.c", "a/b.c" },
	{ "\\\"", "\"" },
};

/* A time of 0 to 7 us, perhaps below 0 and with a fraction. */
static const char *
random_time(uint64_t *seed, char text[32])
{
	snprintf(text, 32, "%s%u%s", next_random(seed) % 16 == 0 ? "-" : "",
	    (unsigned)(next_random(seed) % 8),
	    next_random(seed) % 8 == 0 ? ".25" : "");
	return text;
}

static void
put_random_chrome(FILE *out, uint64_t *seed)
{
	const unsigned cpu = (unsigned)(next_random(seed) % 3);
	const unsigned count = (unsigned)(next_random(seed) % 24);
	char time[32];

	fputs("[", out);
	for (unsigned i = 0; i < count; i++) {
		const char phase = "BBBEEXXXXMiC"[next_random(seed) % 12];
		const unsigned tid = (unsigned)(next_random(seed) % 4);

		fprintf(out, "%s\n{\"ph\":\"%c\",\"ts\":%s,\"pid\":%u,"
		    "\"tid\":%s", i > 0 ? "," : "", phase,
		    random_time(seed, time), (unsigned)(next_random(seed) % 2),
		    tid == 3 ? "\"io\"" : tid == 2 ? "99999999" :
		    tid == 1 ? "1" : "0");
		const char *const name =
		    names[next_random(seed) % ROWS(names)].json;
		if (phase == 'M')
			fprintf(out, ",\"name\":\"%s_name\",\"args\":{"
			    "\"name\":\"%s\"}", next_random(seed) % 2 == 0 ?
			    "thread" : "process", name);
		else if (phase != 'E' || next_random(seed) % 2 == 0)
			fprintf(out, ",\"name\":\"%s\"", name);
		if (phase == 'X')
			fprintf(out, ",\"dur\":%u,\"tdur\":%u",
			    (unsigned)(next_random(seed) % 5),
			    (unsigned)(next_random(seed) % 5));
		if (cpu == 1 || (cpu == 2 && next_random(seed) % 2 == 0))
			fprintf(out, ",\"tts\":%s", random_time(seed, time));
		fputs("}", out);
	}
	fputs(next_random(seed) % 4 == 0 ? "" : "]", out);
}

static void
put_random_collapsed(FILE *out, uint64_t *seed)
{
	const unsigned count = (unsigned)(next_random(seed) % 24);

	for (unsigned i = 0; i < count; i++) {
		const unsigned depth = (unsigned)(next_random(seed) % 5);

		for (unsigned j = 0; j <= depth; j++)
			fprintf(out, "%s%s", j > 0 ? ";" : "",
			    names[next_random(seed) % ROWS(names)].text);
		fprintf(out, " %u\n", (unsigned)(next_random(seed) % 3000));
	}
}

static void
put_random_ftrace(FILE *out, uint64_t *seed)
{
	const unsigned count = (unsigned)(next_random(seed) % 24);
	const bool times = next_random(seed) % 2 == 0;

	for (unsigned i = 0; i < count; i++) {
		const unsigned kind = (unsigned)(next_random(seed) % 8);
		const char *const name =
		    names[next_random(seed) % ROWS(names)].text;

		if (times)
			fprintf(out, "%u.%06u |", i / 3,
			    (unsigned)(next_random(seed) % 8));
		fprintf(out, " %u)", (unsigned)(next_random(seed) % 3));
		if (next_random(seed) % 4 == 0)
			fprintf(out, "  io-%u |",
			    (unsigned)(next_random(seed) % 3));
		if (next_random(seed) % 2 == 0)
			fprintf(out, " %u.5 us",
			    (unsigned)(next_random(seed) % 5));
		fprintf(out, kind < 3 ? " | %s() {\n" : kind < 6 ?
		    " | } /* %s */\n" : kind == 6 ? " | %s();\n" :
		    " => x-%s\n", name);
	}
}

static void
put_random_tsv(FILE *out, uint64_t *seed)
{
	static const char *const actions[] =
	    { "enter", "exit", "unroll", "enter", "exit", "reserved" };
	const unsigned count = (unsigned)(next_random(seed) % 24);

	fputs("thread\taction\tid\tcpu_ns\ttime_ns\tclass\tname\n", out);
	for (unsigned i = 0; i < count; i++)
		fprintf(out, "%u\t%s\t0x%x\t%u\t%u\tC%u\t%s\n",
		    (unsigned)(next_random(seed) % 3),
		    actions[next_random(seed) % ROWS(actions)],
		    (unsigned)(next_random(seed) % 9), i,
		    (unsigned)(next_random(seed) % 9999),
		    (unsigned)(next_random(seed) % 2),
		    names[next_random(seed) % 8].text);
}

static void
put_random_lines(FILE *out, uint64_t *seed)
{
	static const char *const actions[] =
	    { "enter", "exit", ">", "<", "B", "E", "wait" };
	const unsigned count = (unsigned)(next_random(seed) % 24);
	char time[32];

	for (unsigned i = 0; i < count; i++)
		fprintf(out, "%s %s %s %s\n", random_time(seed, time),
		    next_random(seed) % 2 == 0 ? "io" : "7",
		    actions[next_random(seed) % ROWS(actions)],
		    names[next_random(seed) % ROWS(names)].text);
}

static const struct {
	const char *label;
	enum dmtrace_import_format format;
	void (*put)(FILE *out, uint64_t *seed);
} generators[] = {
	{ "chrome", CHROME, put_random_chrome },
	{ "collapsed", COLLAPSED, put_random_collapsed },
	{ "ftrace", FTRACE, put_random_ftrace },
	{ "tsv", TSV, put_random_tsv },
	{ "lines", LINES, put_random_lines },
};

/* So that most files can be read, the random ones are tried by the hundred. */
START_TEST(random_input_is_refused_or_valid)
{
	uint64_t seed = 77 + (uint64_t)_i;
	const unsigned tries = unit_more() ? 5000 : 100;
	unsigned read = 0;

	for (unsigned i = 0; i < tries; i++) {
		FILE *const out = fopen("in", "wb");

		ck_assert_ptr_nonnull(out);
		generators[_i].put(out, &seed);
		ck_assert_int_eq(fclose(out), 0);
		read += import_is_valid(generators[_i].format,
		    next_random(&seed) % 2 == 0);
	}
	ck_assert_uint_gt(read, tries / 4);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("import laws");
	TCase *const tcase = unit_tcase(suite, "import laws");

	tcase_add_checked_fixture(tcase, op_begin, op_end);
	ADD_CASES(tcase, what_is_imported_is_valid, texts);
	ADD_CASES(tcase, random_input_is_refused_or_valid, generators);
	return unit_main(suite);
}
