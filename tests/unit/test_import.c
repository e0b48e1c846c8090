/* test_import.c - texts that import refuses, and failures on the way */

#include <dmtrace.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "helpers/cancel.h"
#include "helpers/failing.h"
#include "helpers/op.h"
#include "helpers/unit.h"

#define CHROME DMTRACE_IMPORT_CHROME
#define COLLAPSED DMTRACE_IMPORT_COLLAPSED
#define SIMPLEPERF DMTRACE_IMPORT_SIMPLEPERF
#define PERFETTO DMTRACE_IMPORT_PERFETTO
#define FTRACE DMTRACE_IMPORT_FTRACE
#define TSV DMTRACE_IMPORT_TSV
#define CSV DMTRACE_IMPORT_CSV
#define JSONL DMTRACE_IMPORT_JSONL
#define LINES DMTRACE_IMPORT_LINES

static enum dmtrace_status
import_file(enum dmtrace_import_format format, int per_thread)
{
	const bool is_lines = format == LINES;
	const struct dmtrace_import_options options = {
		.format = format, .per_thread = per_thread,
		.lines = is_lines ? "^([0-9]+) ([<>]) (.*)$" : NULL,
		.fields = is_lines ? "time,action,method" : NULL
	};

	return dmtrace_import(op, &(struct dmtrace_file){ .path = "in" },
	    &(struct dmtrace_file){ .path = "out" }, &options, NULL);
}

#define HEAD "thread\taction\ttime_ns\tname\n"

static const struct {
	const char *label;
	enum dmtrace_import_format format;
	const char *text;
	enum dmtrace_status status;
	uint64_t at;
	const char *message;
} refused[] = {
	{ "chrome: a value without its end", CHROME,
	    "{\"a\":[1", DMTRACE_ERR_TRUNCATED, 7,
	    "the text ends within a value" },
	{ "collapsed: a line without its end", COLLAPSED, "a 5",
	    DMTRACE_ERR_TRUNCATED, 1, "the file ends within its first line: "
	    "if it is complete, it needs a newline" },
	{ "chrome: an object without its end", CHROME,
	    "[{\"args\":{", DMTRACE_ERR_TRUNCATED, 10,
	    "the text ends within a value" },
	{ "chrome: an event without its end", CHROME,
	    "[{", DMTRACE_ERR_TRUNCATED, 2, "the text ends within a value" },
	{ "chrome: a time of 73 years or more", CHROME,
	    "[{\"ts\":2.3e15}]", DMTRACE_ERR_CORRUPT, 7,
	    "a time that is not below 2.3e15 microseconds" },
	{ "chrome: a pid that is null", CHROME, "[{\"pid\":null}]",
	    DMTRACE_ERR_CORRUPT, 8,
	    "a pid or tid that is neither a number nor a string" },
	{ "chrome: a ph of two letters", CHROME, "[{\"ph\":\"BE\"}]",
	    DMTRACE_ERR_CORRUPT, 7, "a \"ph\" that is not one letter" },
	{ "chrome: no ph", CHROME, "[{\"ts\":1}]", DMTRACE_ERR_CORRUPT, 8,
	    "an event without \"ph\"" },
	{ "chrome: no name", CHROME, "[{\"ph\":\"B\",\"name\":1,\"ts\":1}]",
	    DMTRACE_ERR_CORRUPT, 26, "a call without \"name\"" },
	{ "chrome: a call with a negative duration", CHROME,
	    "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":-1}]",
	    DMTRACE_ERR_CORRUPT, 37, "a call with a negative duration" },
	{ "chrome: an event that is a number", CHROME, "[1]",
	    DMTRACE_ERR_CORRUPT, 1, "an event that is not an object" },
	{ "chrome: a number", CHROME, "1", DMTRACE_ERR_CORRUPT, 0,
	    "neither an object nor an array" },
	{ "chrome: events that are no array", CHROME,
	    "{\"traceEvents\":1}", DMTRACE_ERR_CORRUPT, 15,
	    "\"traceEvents\" is not an array" },
	{ "collapsed: a value of 300 years", COLLAPSED,
	    "a 9000000000000000000\n", DMTRACE_ERR_CORRUPT, 1,
	    "the value is 9e18 ns or more" },
	{ "collapsed: 300 years in all", COLLAPSED,
	    "a 5000000000000000000\na 5000000000000000000\n",
	    DMTRACE_ERR_CORRUPT, 2, "values add up to 9e18 ns" },
	{ "collapsed: no frame", COLLAPSED, " 5\n", DMTRACE_ERR_CORRUPT, 1,
	    "a path without frames" },
	{ "tsv: no columns", TSV, "", DMTRACE_ERR_CORRUPT, 1,
	    "no line with names of columns" },
	{ "tsv: columns that say nothing", TSV, "thread\taction\n",
	    DMTRACE_ERR_CORRUPT, 1, "the first line does not name the columns "
	    "thread, action, time_ns or cpu_ns, and id or name" },
	{ "tsv: a cell too few", TSV, HEAD "1\tenter\t5\n",
	    DMTRACE_ERR_CORRUPT, 2, "3 columns, the first line names 4" },
	{ "tsv: a time that is a word", TSV, HEAD "1\tenter\tnow\tf\n",
	    DMTRACE_ERR_CORRUPT, 2, "a time that is not a number: now" },
	{ "tsv: another action", TSV, HEAD "1\twait\t5\tf\n",
	    DMTRACE_ERR_CORRUPT, 2,
	    "an action that is neither enter nor exit nor unroll: wait" },
	{ "csv: a time that others lack", CSV,
	    "thread,action,time_ns,cpu_ns,name\n1,enter,,5,f\n"
	    "1,exit,7,6,f\n", DMTRACE_ERR_CORRUPT, 3,
	    "an event with a time_ns, after others without" },
	{ "csv: no thread", CSV, "thread,action,time_ns,name\n,enter,5,f\n",
	    DMTRACE_ERR_CORRUPT, 2, "an event without a thread" },
	{ "jsonl: a list", JSONL, "[]", DMTRACE_ERR_CORRUPT, 0,
	    "a value that is not an object" },
	{ "jsonl: an id that is a word", JSONL,
	    "{\"thread\":1,\"action\":\"exit\",\"id\":\"x\"}",
	    DMTRACE_ERR_CORRUPT, 36, "an id that is not a number: x" },
	{ "jsonl: a line that is cut", JSONL, "{\"thread\":1",
	    DMTRACE_ERR_TRUNCATED, 11, "the text ends within a value" },
	{ "lines: a time that is a word", LINES, "99999999999999999999 > f\n",
	    DMTRACE_ERR_CORRUPT, 1,
	    "a time that is not a number: 99999999999999999999" },
	{ "simpleperf: a header that is cut", SIMPLEPERF, "SIMPLEPERF\1",
	    DMTRACE_ERR_TRUNCATED, 0, "the file ends in its header" },
	{ "perfetto: text", PERFETTO, "hello", DMTRACE_ERR_CORRUPT, 0,
	    "not a packet: field 1 with its length" },
	{ "perfetto: a packet of noise", PERFETTO, "\n\2\17\17",
	    DMTRACE_ERR_CORRUPT, 0, "a packet that is not a message" },
	{ "perfetto: a track of noise", PERFETTO, "\n\5\342\3\2\17\17",
	    DMTRACE_ERR_CORRUPT, 0, "a packet that is not a message" },
	{ "perfetto: a track whose process is noise", PERFETTO,
	    "\n\7\342\3\4\32\2\17\17", DMTRACE_ERR_CORRUPT, 0,
	    "a packet that is not a message" },
	{ "perfetto: compressed packets", PERFETTO, "\n\4\222\3\1x",
	    DMTRACE_ERR_UNSUPPORTED, 0, "compressed packets; \"traceconv "
	    "decompress_packets\" unpacks them" },
	{ "nothing that is known", DMTRACE_IMPORT_ANY, "hello\n",
	    DMTRACE_ERR_CORRUPT, 0,
	    "the format is not recognized: name it with --from-format" },
};

/* Whether the file "in" is refused at that place. */
static void
check_refused(enum dmtrace_import_format format, enum dmtrace_status status,
    uint64_t at, const char *message)
{
	ck_assert_int_eq(import_file(format, 0), status);
	const struct dmtrace_error *const error = dmtrace_op_error(op);
	ck_assert_str_eq(error->message, message);
	ck_assert_uint_eq(error->at, at);
	ck_assert_uint_eq(file_count("."), 1);
}

START_TEST(refuses_what_is_no_such_text)
{
	file_put("in", refused[_i].text, strlen(refused[_i].text));
	check_refused(refused[_i].format, refused[_i].status, refused[_i].at,
	    refused[_i].message);
}
END_TEST

static const struct {
	const char *label;
	enum dmtrace_import_format format;
	const char *bytes;
	enum dmtrace_status status;
	uint64_t at;
	const char *message;
	size_t len;
} refused_bytes[] = {
	{ "simpleperf: version 2", SIMPLEPERF, "SIMPLEPERF\2\0",
	    DMTRACE_ERR_UNSUPPORTED, 0,
	    "version 1 is read, this is another one", 12 },
	{ "simpleperf: other bytes", SIMPLEPERF, "SIMPLEPERX\1\0",
	    DMTRACE_ERR_CORRUPT, 0, "does not begin with \"SIMPLEPERF\"", 12 },
	{ "simpleperf: a record of 4 GB", SIMPLEPERF,
	    "SIMPLEPERF\1\0\377\377\377\377", DMTRACE_ERR_LIMIT, 12,
	    "a record of more than 16 MiB", 16 },
	{ "simpleperf: a record of noise", SIMPLEPERF,
	    "SIMPLEPERF\1\0\2\0\0\0\17\17", DMTRACE_ERR_CORRUPT, 12,
	    "a record that is not a message of samples", 18 },
};

START_TEST(refuses_what_is_no_such_file)
{
	file_put("in", refused_bytes[_i].bytes, refused_bytes[_i].len);
	check_refused(refused_bytes[_i].format, refused_bytes[_i].status,
	    refused_bytes[_i].at, refused_bytes[_i].message);
}
END_TEST

/* Names of threads and processes, a second method of one name, an id that is
 * text, calls of both kinds, and CPU times. */
static const char chrome[] = "[{\"ph\":\"M\",\"name\":\"thread_name\","
    "\"pid\":\"app\",\"tid\":5,\"args\":{\"name\":\"main\"}},"
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":\"app\","
    "\"args\":{\"name\":\"the app\"}},"
    "{\"ph\":\"B\",\"name\":\"a.b\",\"ts\":1,\"pid\":\"app\",\"tid\":5},"
    "{\"ph\":\"X\",\"name\":\"c\",\"ts\":2,\"dur\":3,\"pid\":\"app\","
    "\"tid\":5,\"args\":{\"x\":[1]}},"
    "{\"ph\":\"E\",\"ts\":9,\"pid\":\"app\",\"tid\":5},"
    "{\"ph\":\"X\",\"name\":\"a.b\",\"ts\":4,\"dur\":1,\"pid\":2,"
    "\"tts\":1,\"tdur\":1}]";
static const char collapsed[] = "main (1);a;b 2000\nmain (1);a 1000\n"
    "io;c 5\nio;(toplevel) 7000\r\n\n";


/* A thread of a process; a name, twice; another thread, its track and clock by
 * default, whose clock is incremental and in microseconds. */
static const char perfetto[] =
    "\012\027\342\003\020\010\007\042\014\010\011\020\005*\006workerP\001h"
    "\001\012\027@\001P\001h\002b\007\022\005\010\001\022\001fZ\006H\001P"
    "\001X\007\012\014@\003P\001h\002Z\004H\002X\007\012\042P\002h\001\332"
    "\003\007\320\003@Z\002X\0112\022\012\005\010\006\020\350\007\012\011"
    "\010@\020\000\030\001 \350\007\012\016P\002@\002h\002Z\006H\001\272\001"
    "\001g\012\012P\002@\003h\002Z\002H\002";

/* Signatures, interned and not, another argument, and a packet of ftrace. */
static const char perfetto_signed[] =
    "\0129@\350\007P\001h\001b!\022\005\010\001\022\001f\032\015\010\001"
    "\022\011signature\352\001\010\010\001\022\004(I)VZ\015\042\005\010"
    "\001\210\001\001H\001P\001X\001\012\015@\320\017P\001h\002Z\004H\002"
    "X\001\012+@\270\027P\001h\002Z\042\042\021R\011signature2\004(J)V"
    "\042\005R\001x\030\005H\001X\001\272\001\001g\012\015@\240\037P\001h"
    "\002Z\004H\002X\001\012\004\012\000\030\000";

/* A file with a symbol, a thread, and two samples of it. */
static const char simpleperf[] =
    "SIMPLEPERF\001\000\015\000\000\000*\013\012\011cpu-clock\022\000\000"
    "\000\012\020\010d\020\005\032\006\010\001\020\001\030\000 \012(\000\020"
    "\000\000\000\032\016\010\001\022\005a.dex\032\003A.f\012\000\000\000"
    "\042\010\010\005\020\005\032\002io\022\000\000\000\012\020\010n\020\005"
    "\032\006\010\001\020\001\030\002 \012(\000\000\000\000\000";

#define TEXT(label, format, text) { label, format, text, sizeof(text) - 1 }

static const struct {
	const char *label;
	enum dmtrace_import_format format;
	const char *text;
	size_t len;
} texts[] = {
	TEXT("chrome", CHROME, chrome),
	TEXT("collapsed", COLLAPSED, collapsed),
	TEXT("tsv", TSV, "thread\taction\tmethod\tcpu_ns\twall_ns\tclass\t"
	    "name\tsignature\n1\tenter\t0x4\t1000\t2000\tA\tf\t()V\n"
	    "1\tunroll\t0x4\t2000\t3000\tA\tf\\t\t()V\n"),
	TEXT("csv", CSV, "name,thread,time_ns,action\r\n"
	    "\"f(a, \"\"b\"\")\",io,5000,enter\r\nf,io,9000,exit\r\n"),
	TEXT("jsonl", JSONL, "{\"thread\":1,\"action\":\"enter\","
	    "\"id\":4,\"cpu_ns\":5,\"time_ns\":null,\"name\":\"f\"}\n"),
	TEXT("ftrace", FTRACE, "# tracer: function_graph\n"
	    " 0)               |  f() {\n 0)   1.5 us      |    g();\n"
	    " 0)   2.5 us      |  }\n 0)   a-1   =>   b-2\n"
	    " 0)   1 us        |  h [m]();\n"),
	TEXT("lines", LINES, "1 > f\nnoise\n2 < f\n"),
	{ "perfetto", PERFETTO, perfetto, sizeof(perfetto) - 1 },
	{ "perfetto, signatures", PERFETTO, perfetto_signed,
	    sizeof(perfetto_signed) - 1 },
	{ "simpleperf", SIMPLEPERF, simpleperf, sizeof(simpleperf) - 1 },
};

START_TEST(the_contents_show_the_format)
{
	const struct dmtrace_import_options options = { .flags = 0 };
	struct dmtrace_import_result result;

	if (texts[_i].format == LINES)
		return;
	file_put("in", texts[_i].text, texts[_i].len);
	ck_assert_int_eq(dmtrace_import(op, &(struct dmtrace_file){
	    .path = "in" }, &(struct dmtrace_file){ .path = "out" }, &options,
	    &result), DMTRACE_OK);
	ck_assert_int_eq(result.format, texts[_i].format);
	ck_assert_uint_gt(result.events, 0);
	ck_assert_uint_eq(result.undefined, 0);
	ck_assert_int_eq(result.truncated, 0);
}
END_TEST

START_TEST(every_prefix_ends_in_a_status)
{
	for (size_t len = texts[_i].len; len > 0; len--) {
		file_put("in", texts[_i].text, len - 1);
		import_file(texts[_i].format, 1);
		unlink("out");
		ck_assert_uint_eq(file_count("."), 1);
	}
}
END_TEST

START_TEST(every_changed_byte_ends_in_a_status)
{
	char text[1024];

	ck_assert_uint_le(texts[_i].len, sizeof(text));
	for (size_t i = 0; i < texts[_i].len * 8;
	    i += unit_stride()) {
		memcpy(text, texts[_i].text, texts[_i].len);
		text[i / 8] = (char)(text[i / 8] ^ 1 << i % 8);
		file_put("in", text, texts[_i].len);
		import_file(texts[_i].format, 0);
		unlink("out");
		ck_assert_uint_eq(file_count("."), 1);
	}
}
END_TEST

START_TEST(whatever_fails_leaves_all_or_nothing)
{
	for (size_t i = 0; i < ROWS(all_faults); i++) {
		struct failing failing = {
			.kind = all_faults[i], .harmless = FAULT_CLOSE
		};

		file_put("in", texts[_i].text, texts[_i].len);
		do {
			failing_arm(&failing);
			if (failing_reported(&failing,
			    import_file(texts[_i].format, 1)))
				ck_assert_uint_eq(file_count("."), 1);
			else
				unlink("out");
		} while (failing.failed);
		ck_assert(failing.reported > 0 ||
		    all_faults[i] == FAULT_SYNC);
	}
}
END_TEST

/* Longer than 1,024 events or lines: between are two numbers. */
static const struct {
	const char *label;
	enum dmtrace_import_format format;
	const char *first, *before, *between, *after, *last;
} long_texts[] = {
	{ "chrome", CHROME, "[{\"ph\":\"M\"}", ",{\"ph\":\"X\",\"name\":\"a",
	    "\",\"ts\":", ",\"dur\":0}", "]" },
	{ "collapsed", COLLAPSED, "", "a;b", " ", "\n", "" },
	{ "tsv", TSV, HEAD, "1\tenter\t", "\tf", "\n", "" },
	{ "jsonl", JSONL, "", "{\"thread\":1,\"action\":\"exit\",\"time_ns\":",
	    ",\"name\":\"f", "\"}\n", "" },
	{ "ftrace", FTRACE, "", " 0) ", " us | f", "();\n", "" },
	{ "lines", LINES, "", "", " > f", "\n", "" },
};

START_TEST(progress_can_cancel_anywhere)
{
	enum dmtrace_status status = DMTRACE_ERR_CANCELLED;
	FILE *const out = fopen("in", "w");
	unsigned first;

	ck_assert_ptr_nonnull(out);
	fputs(long_texts[_i].first, out);
	for (int i = 0; i < 2500; i++)
		fprintf(out, "%s%d%s%d%s", long_texts[_i].before, i,
		    long_texts[_i].between, i, long_texts[_i].after);
	ck_assert_int_eq(fputs(long_texts[_i].last, out) < 0 ||
	    fclose(out) != 0, 0);
	for (first = 1; status != DMTRACE_OK; first++) {
		unsigned calls = first;

		dmtrace_op_set_progress(op, cancel_after, &calls);
		status = import_file(long_texts[_i].format, 0);
		if (status != DMTRACE_OK) {
			ck_assert_int_eq(status, DMTRACE_ERR_CANCELLED);
			ck_assert_uint_eq(file_count("."), 1);
		}
	}
	ck_assert_uint_gt(first, 3);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("import");
	TCase *const tcase = unit_tcase(suite, "import");

	tcase_add_checked_fixture(tcase, op_begin, op_end);
	ADD_CASES(tcase, refuses_what_is_no_such_text, refused);
	ADD_CASES(tcase, refuses_what_is_no_such_file, refused_bytes);
	ADD_CASES(tcase, whatever_fails_leaves_all_or_nothing, texts);
	ADD_CASES(tcase, progress_can_cancel_anywhere, long_texts);
	ADD_CASES(tcase, the_contents_show_the_format, texts);
	ADD_CASES(tcase, every_prefix_ends_in_a_status, texts);
	ADD_CASES(tcase, every_changed_byte_ends_in_a_status, texts);
	return unit_main(suite);
}
