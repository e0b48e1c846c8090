/* expects.h - traces of a few letters, and what is expected of them */

#ifndef EXPECTS_H
#define EXPECTS_H

#include <dmtrace.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "private/key.h"

#define US UINT64_C(1000)

static const char key_text[] =
    "*version\n3\nclock=dual\n*threads\n"
    "1\tmain\n2\tworker\n3\tworker\n4\tpool 4\n"
    "*methods\n"
    "0x4\tp/K\ta\t()V\tK.java\t1\n"
    "0x8\tp/K\tb\t()V\tK.java\t2\n"
    "0xc\tp/K\tc\t()V\tK.java\t3\n"
    "0x10\tp/K\td\t(I)V\tK.java\t4\n"
    "0x14\tp/K\td\t(J)V\tK.java\t5\n"
    "0x18\t\ttwo words\n"
    "*end\n";

/* Of "a" to "f"; "u" is in no table. */
static inline uint64_t
method_of(char letter)
{
	return letter == 'u' ? 0x40 : (uint64_t)(letter - 'a' + 1) * 4;
}

/*
 * Events of the form "1+a" (thread 1 enters a) and "1-a", with blanks between
 * them, 10 us apart by the wall clock and 1 us by that of the CPU, as a trace
 * in memory, which the writer holds.
 */
static inline struct dmtrace_writer *
trace_of(const char *events)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_key *const key = dmtrace_writer_key(writer);
	size_t used;
	uint64_t n = 0;

	struct dmtrace_key *const rows = dmt_key_new();
	ck_assert_int_eq(dmt_key_decode_bytes(rows, key_text,
	    sizeof(key_text) - 1, &used, NULL, NULL), DMTRACE_OK);
	for (size_t i = 0; i < dmtrace_key_thread_count(rows); i++)
		ck_assert_int_eq(dmtrace_key_thread_add(key,
		    dmtrace_key_thread_get(rows, i)), DMTRACE_OK);
	for (size_t i = 0; i < dmtrace_key_method_count(rows); i++)
		ck_assert_int_eq(dmtrace_key_method_add(key,
		    dmtrace_key_method_get(rows, i)), DMTRACE_OK);
	dmt_key_free(rows);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	for (; *events != '\0'; events += events[3] == ' ' ? 4 : 3) {
		n++;
		const struct dmtrace_event event = {
			.thread = (uint32_t)(events[0] - '0'),
			.action = events[1] == '+' ? DMTRACE_ENTER :
			    events[1] == '!' ? DMTRACE_UNROLL : DMTRACE_EXIT,
			.method = method_of(events[2]),
			.wall_ns = n * 10 * US, .cpu_ns = n * US
		};
		ck_assert_int_eq(dmtrace_writer_write(writer, &event, 1),
		    DMTRACE_OK);
	}
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	return writer;
}

static inline struct dmtrace_reader *
open_trace(const struct dmtrace_writer *writer)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	size_t len;
	const void *const bytes = dmtrace_writer_memory(writer, &len);

	ck_assert_int_eq(dmtrace_reader_open_memory(reader, bytes, len),
	    DMTRACE_OK);
	return reader;
}

/* "LINE @RECORD: EXPECTED | FOUND" for all that is not met. */
static inline void
note(void *context, const struct dmtrace_expectation *about)
{
	char *const out = (char *)context + strlen(context);

	ck_assert_uint_gt(about->line, 0);
	ck_assert_ptr_nonnull(about->text);
	if (about->met)
		ck_assert_uint_eq(about->row_count, 0);
	else
		sprintf(out, "%u @%u: %s | %s\n", (unsigned)about->line,
		    (unsigned)about->record, about->expected, about->found);
}

/* What was reported, or written. */
static char got[65536];

static inline void
judge(const char *events, const char *text)
{
	struct dmtrace_writer *const writer = trace_of(events);
	struct dmtrace_reader *const reader = open_trace(writer);
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_expected expected;
	size_t unmet = 0;

	got[0] = '\0';
	ck_assert_msg(dmtrace_spec_decode(spec, text, strlen(text)) ==
	    DMTRACE_OK, "line %u: %s",
	    (unsigned)dmtrace_spec_error(spec)->at,
	    dmtrace_spec_error(spec)->message);
	ck_assert_int_eq(dmtrace_expect(op, spec, reader, note, got,
	    &expected), DMTRACE_OK);
	for (const char *at = got; (at = strchr(at, '\n')) != NULL; at++)
		unmet++;
	ck_assert_uint_eq(expected.unmet, unmet);
	dmtrace_op_free(op);
	dmtrace_spec_free(spec);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}

/* A text with all that there is. */
static const char whole[] =
    "# all\nselect thread *\nselect depth 1..9\ncalls(p.K.*) >= 1\n"
    "never \"a\\x00\\\"b\"\n/K.a/ before p.K.b\np.K.b under p.K.a\n"
    "inclusive(*.a) < 5ms cpu\nexclusive(*.a) >= 0\nno other threads\n"
    "thread main exact\n\t*.a x1\n\t\tp/K.b ...\n"
    "thread w* rules\n  threads <= 2\n  depth 1\n"
    "thread worker subsequence\n  p.K.c\n";
static const char whole_events[] = "1+a 1+b 1-b 1-a 2+c 2-c 3+c";

#endif
