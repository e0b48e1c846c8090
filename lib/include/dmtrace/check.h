/* dmtrace/check.h - assertions about traces, for unit tests with Check */
#ifndef DMTRACE_CHECK_H
#define DMTRACE_CHECK_H

#include <check.h>
#include <stdio.h>

#include <dmtrace/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * dmtrace.h does not include this header, because it needs <check.h>. All of it
 * is inline: a program that uses it links with Check, the library does not.
 *
 *	ck_assert_trace_valid(path)		no finding is an error
 *	ck_assert_trace_strict(path)		nor a warning
 *	ck_assert_trace_bytes_valid(bytes, len)	no finding is an error, for
 *						a joined trace in memory
 *	ck_assert_trace_opens(path, reader)	that program reads the trace:
 *						see dmtrace_judge
 *
 * The message of a failed assertion has the file and the first finding that
 * made it fail.
 */
#define ck_assert_trace_valid(path) \
	dmtrace_check_assert(dmtrace_check_file(path, DMTRACE_ERROR))
#define ck_assert_trace_strict(path) \
	dmtrace_check_assert(dmtrace_check_file(path, DMTRACE_WARNING))
#define ck_assert_trace_bytes_valid(bytes, len) \
	dmtrace_check_assert(dmtrace_check_bytes(bytes, len))
#define ck_assert_trace_opens(path, reader) \
	dmtrace_check_assert(dmtrace_check_reader(path, reader))

#define dmtrace_check_assert(call) do { \
	const struct dmtrace_check dmtrace_check_result = (call); \
	ck_assert_msg(dmtrace_check_result.message[0] == '\0', "%s", \
	    dmtrace_check_result.message); \
} while (0)

/* The result of a check. */
struct dmtrace_check {
	const char *path;		/* NULL: the message has none */
	enum dmtrace_severity fail_on;	/* findings of at least this severity */
	char message[DMTRACE_MESSAGE_MAX + 1088];	/* empty: passed */
};

/* Sets the message: the file, the place in it, name unless it is empty, and
 * message. Of a path, at most 960 bytes are shown. */
static inline void
dmtrace_check_put(struct dmtrace_check *check, enum dmtrace_place place,
    uint64_t at, const char *name, const char *message)
{
	char where[32] = "";

	if (place != DMTRACE_PLACE_NONE)
		snprintf(where, sizeof(where), "%s %llu: ",
		    place == DMTRACE_PLACE_LINE ? "line" : "byte",
		    (unsigned long long)at);
	snprintf(check->message, sizeof(check->message), "%.960s%s%s%s%s%s",
	    check->path == NULL ? "" : check->path,
	    check->path == NULL ? "" : ": ", where, name,
	    name[0] == '\0' ? "" : ": ", message);
}

/* A dmtrace_finding_fn: keeps the first finding that makes the check fail. */
static inline void
dmtrace_check_note(void *context, const struct dmtrace_finding *finding)
{
	struct dmtrace_check *check = (struct dmtrace_check *)context;

	if (finding->severity < check->fail_on || check->message[0] != '\0')
		return;
	dmtrace_check_put(check, finding->place, finding->at, finding->name,
	    finding->message);
}

/* Ends a check, which fails, too, if the library returned a failure. Frees the
 * op. */
static inline void
dmtrace_check_end(struct dmtrace_check *check, struct dmtrace_op *op,
    enum dmtrace_status status)
{
	const struct dmtrace_error *error =
	    op == NULL ? NULL : dmtrace_op_error(op);

	if (status == DMTRACE_ERR_IO)	/* the op's message has the path */
		check->path = NULL;
	if (status != DMTRACE_OK && check->message[0] == '\0')
		dmtrace_check_put(check,
		    error == NULL ? DMTRACE_PLACE_NONE : error->place,
		    error == NULL ? 0 : error->at, "",
		    error == NULL ? dmtrace_strerror(status) :
		    error->message);
	dmtrace_op_free(op);
}

static inline struct dmtrace_op *
dmtrace_check_begin(struct dmtrace_check *check, const char *path,
    enum dmtrace_severity fail_on)
{
	struct dmtrace_op *op = dmtrace_op_new();

	check->path = path;
	check->fail_on = fail_on;
	check->message[0] = '\0';
	if (op != NULL)
		dmtrace_op_set_report(op, dmtrace_check_note, check);
	return op;
}

static inline struct dmtrace_check
dmtrace_check_file(const char *path, enum dmtrace_severity fail_on)
{
	struct dmtrace_check check;
	struct dmtrace_op *op = dmtrace_check_begin(&check, path, fail_on);
	struct dmtrace_file file = { path, -1 };
	struct dmtrace_validity validity;

	dmtrace_check_end(&check, op, op == NULL ? DMTRACE_ERR_MEMORY :
	    dmtrace_validate(op, &file, &validity));
	return check;
}

static inline struct dmtrace_check
dmtrace_check_bytes(const void *bytes, size_t len)
{
	struct dmtrace_check check;
	struct dmtrace_op *op = dmtrace_check_begin(&check, NULL,
	    DMTRACE_ERROR);
	struct dmtrace_validity validity;

	dmtrace_check_end(&check, op, op == NULL ? DMTRACE_ERR_MEMORY :
	    dmtrace_validate_memory(op, bytes, len, &validity));
	return check;
}

static inline struct dmtrace_check
dmtrace_check_reader(const char *path, enum dmtrace_other_reader reader)
{
	struct dmtrace_check check;
	struct dmtrace_op *op = dmtrace_op_new();
	struct dmtrace_file file = { path, -1 };
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmtrace_validity validity;
	const enum dmtrace_status status = op == NULL ? DMTRACE_ERR_MEMORY :
	    dmtrace_judge(op, &file, verdicts, &validity);

	check.path = path;
	check.message[0] = '\0';
	if (status == DMTRACE_OK &&
	    verdicts[reader].reception != DMTRACE_READS) {
		char name[128];

		snprintf(name, sizeof(name), "%s %s: %s",
		    dmtrace_other_reader_name(reader),
		    dmtrace_reception_name(verdicts[reader].reception),
		    verdicts[reader].rule);
		dmtrace_check_put(&check, DMTRACE_PLACE_NONE, 0, name,
		    verdicts[reader].message);
	}
	dmtrace_check_end(&check, op, status);
	return check;
}

#ifdef __cplusplus
}
#endif

#endif
