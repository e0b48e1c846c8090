/* cmd_rename.c - change the names in a trace and nothing else */

#include <dmtrace.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/escapes.h"
#include "cli/job.h"
#include "cli/method_name.h"
#include "cli/msg.h"
#include "cli/table.h"

#define NOTES_MAX 10		/* ambiguous methods that are printed */

struct rename_job {
	struct job job;
	struct table table;
	const char *mapping;		/* NULL: not given */
	const char *anonymize;		/* the same; "": with a random key */
	const char *names;		/* the file of --table */
	bool all;
	uint8_t key[DMTRACE_RENAME_KEY_SIZE];
	uint64_t noted;			/* ambiguous methods so far */
	struct dmt_output candidates;	/* of the current one */
};

static const char *const states[] = {
	[DMTRACE_RENAMED] = "renamed",
	[DMTRACE_RENAMED_CLASS] = "class",
	[DMTRACE_RENAMING_AMBIGUOUS] = "ambiguous",
	[DMTRACE_RENAMING_UNMAPPED] = "unmapped",
	[DMTRACE_RENAMING_CANDIDATE] = "candidate",
};

static void
append_name(struct dmt_output *buffer, const struct dmtrace_method *method)
{
	dmt_output_write(buffer, method->class_name.bytes,
	    method->class_name.len);
	dmt_put(buffer, method->class_name.len > 0 ? "." : "");
	dmt_output_write(buffer, method->name.bytes, method->name.len);
	dmt_output_write(buffer, method->signature.bytes,
	    method->signature.len);
	dmt_output_write(buffer, "", 1);
	buffer->len--;
}

/* A dmtrace_renaming_fn: prints a row or, of ambiguous methods, a note. */
static void
report_renaming(void *context, enum dmtrace_renaming_state state,
    const struct dmtrace_method *from, const struct dmtrace_method *to)
{
	struct rename_job *const rename = context;
	struct table *const table = &rename->table;
	struct dmt_output name = { 0 };

	if (table_has_rows(table)) {
		table_string(table, states[state]);
		method_name_cells(table, from->class_name, from->name,
		    from->signature);
		method_name_cells(table, to->class_name, to->name,
		    to->signature);
		table_end_row(table);
		return;
	}
	if (state == DMTRACE_RENAMING_CANDIDATE) {
		dmt_put(&rename->candidates,
		    rename->candidates.len > 0 ? ", " : "");
		append_name(&rename->candidates, to);
	} else if (state == DMTRACE_RENAMING_AMBIGUOUS) {
		if (rename->noted++ < NOTES_MAX && !rename->job.quiet) {
			append_name(&name, from);
			msg_note("note: %s keeps its name, which is that of "
			    "several methods%s%s", name.bytes == NULL ? "" :
			    name.bytes, rename->candidates.len > 0 ? ": " :
			    "", rename->candidates.len > 0 ?
			    rename->candidates.bytes : "");
		}
		dmt_output_clear(&rename->candidates);
	}
	dmt_output_fini(&name);
}

static void
note_renaming_count(uint64_t count, const char *what)
{
	char number[COUNT_MAX];

	if (count > 0)
		msg_note("note: %s: %s", what, count_format(number, count));
}

static void
report_rename_result(const struct rename_job *rename,
    const struct dmtrace_rename_result *result)
{
	char number[COUNT_MAX];

	msg_note("renamed %s methods%s", count_format(number,
	    result->renamed + result->class_only), rename->mapping != NULL ?
	    "" : ", and threads, files and options");
	note_renaming_count(result->class_only, "of these only the class, as "
	    "the mapping does not have the method");
	note_renaming_count(result->ambiguous,
	    "methods that keep an ambiguous name; -f tsv lists all");
	note_renaming_count(result->unmapped, rename->mapping != NULL ?
	    "methods of classes that the mapping does not have" :
	    rename->anonymize != NULL ?
	    "methods of the platform keep their names" :
	    "methods whose names the table does not have");
	note_renaming_count(result->not_mapped_lines,
	    "lines of the mapping are not understood");
}

/* Reads the key of the hash, or makes one. false: failed, which was
 * reported. */
static bool
read_hash_key(struct rename_job *rename)
{
	const bool random = rename->anonymize[0] == '\0';
	const char *const name = random ? "/dev/urandom" : rename->anonymize;
	const int fd = open(name, O_RDONLY | O_CLOEXEC);
	uint8_t bytes[DMTRACE_RENAME_KEY_SIZE + 1];
	const size_t most = sizeof(bytes) - random;
	size_t len = 0;
	ssize_t got = 1;

	if (fd < 0) {
		msg_error("cannot open %s: %s", name, strerror(errno));
		return false;
	}
	while (len < most && (got = read(fd, bytes + len, most - len)) != 0)
		if (got > 0)
			len += (size_t)got;
		else if (errno != EINTR)
			break;
	if (got < 0)
		msg_error("cannot read %s: %s", name, strerror(errno));
	else if (len != sizeof(rename->key))
		msg_error("%s is not a key, which has %zu bytes; \"head -c %zu"
		    " /dev/urandom\" writes one", name, sizeof(rename->key),
		    sizeof(rename->key));
	close(fd);
	if (got < 0 || len != sizeof(rename->key))
		return false;
	memcpy(rename->key, bytes, sizeof(rename->key));
	return true;
}

/* Returns true, and reports it, if an output would be written over a file that
 * is read, or over the other output. */
static bool
outputs_clash(const struct rename_job *rename, const char *operand,
    const struct dmtrace_file *names)
{
	const struct dmtrace_file *const out = &rename->job.out;
	const bool anonymize = rename->anonymize != NULL;
	const char *const key = anonymize && rename->anonymize[0] != '\0' ?
	    rename->anonymize : NULL;

	if ((rename->mapping != NULL &&
	    files_clash_halves(rename->mapping, out)) ||
	    (key != NULL && files_clash_halves(key, out)))
		return true;
	if (rename->names == NULL)
		return false;
	if (!anonymize)
		return files_clash_halves(rename->names, out);
	return files_clash_operand(operand, names) ||
	    (key != NULL && files_clash_operand(key, names)) ||
	    files_clash_outputs(names, out);
}

static int
rename_trace(struct rename_job *rename, const char *operand)
{
	static const char *const columns[] = {
		"state", "class", "name", "signature", "new_class",
		"new_name", "new_signature", NULL
	};
	struct job *const job = &rename->job;
	struct table *const table = &rename->table;
	const struct dmtrace_file mapping = files_input(
	    rename->mapping != NULL ? rename->mapping : "");
	const struct dmtrace_file names = rename->anonymize != NULL ?
	    files_output(rename->names) :
	    files_input(rename->names != NULL ? rename->names : "");
	const struct dmtrace_rename_options options = {
		.mapping = rename->mapping != NULL ? &mapping : NULL,
		.hash_key = rename->anonymize != NULL ? rename->key : NULL,
		.table = rename->names != NULL ? &names : NULL,
		.all = rename->all,
		.report = report_renaming, .context = rename,
		.flags = job->sync ? DMTRACE_SYNC : 0
	};
	struct dmtrace_rename_result result;

	if ((rename->anonymize != NULL && !read_hash_key(rename)) ||
	    job_begin_rewrite(job, operand) != CMD_OK)
		return CMD_TROUBLE;
	if (outputs_clash(rename, operand, &names))
		return CMD_TROUBLE;
	if (job_open_writer(job) != CMD_OK)
		return CMD_TROUBLE;
	if (table_has_rows(table))
		table_set_columns(table, columns);
	const enum dmtrace_status done = dmtrace_rename(job->op, job->reader,
	    job->writer, &options, &result);
	if (done != DMTRACE_OK && dmtrace_op_error_file(job->op) != NULL)
		return job_end(job, done);
	const int status = job_close(job, done);
	if (done == DMTRACE_OK && status != CMD_TROUBLE && !job->quiet &&
	    !table_has_rows(table))
		report_rename_result(rename, &result);
	if (done != DMTRACE_OK || status == CMD_TROUBLE || result.cut_line == 0)
		return status;
	msg_error("%s: line %" PRIu64 ": the file ends within this line, as it"
	    " has no newline; what precedes it is used", files_name(&mapping),
	    result.cut_line);
	return CMD_NO;
}

static int
check_rename_usage(const struct cmd *cmd, const struct rename_job *rename)
{
	const bool anonymize = rename->anonymize != NULL;

	if (rename->mapping == NULL && !anonymize && rename->names == NULL)
		return opt_usage(cmd, "no way to rename: use --mapping, "
		    "--anonymize or --table");
	if (rename->mapping != NULL && (anonymize || rename->names != NULL))
		return opt_usage(cmd, "--mapping is used alone");
	if (rename->all && !anonymize)
		return opt_usage(cmd, "--all needs --anonymize");
	const bool trace_on_stdout =
	    files_output(rename->job.output).path == NULL;
	if (table_has_rows(&rename->table) && trace_on_stdout)
		return opt_usage(cmd, "--format needs standard output: name a"
		    " file with -o");
	if (anonymize && rename->names != NULL &&
	    files_output(rename->names).path == NULL &&
	    (trace_on_stdout || table_has_rows(&rename->table)))
		return opt_usage(cmd, "--table would be written into the other"
		    " output: name a file");
	return OPT_GO;
}

static int
run_rename(const struct cmd *cmd, int argc, char **argv)
{
	struct rename_job rename = { .table = { .form = FORM_TEXT } };
	const struct opt options[] = {
		OPT_STRING(0, "mapping", "FILE", &rename.mapping,
		    "give methods the original names of R8 or ProGuard"),
		OPT_MAYBE(0, "anonymize", "KEYFILE", &rename.anonymize,
		    "replace names by a hash with a key [a random key]"),
		OPT_STRING(0, "table", "FILE", &rename.names,
		    "write the names, or without --anonymize restore"),
		OPT_FLAG('a', "all", &rename.all,
		    "anonymize the names of the platform, too"),
		OPT_FORM(&rename.table.form),
		OPT_JOB_DIALECT(&rename.job),
		OPT_JOB_OUTPUT(&rename.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = check_rename_usage(cmd, &rename);
	if (status == OPT_GO)
		status = job_check_operand(cmd, argc, "trace");
	if (status == OPT_GO) {
		status = rename_trace(&rename, argv[0]);
		if (table_has_rows(&rename.table))
			status = table_print(&rename.table, status);
	}
	job_fini(&rename.job);
	dmt_output_fini(&rename.candidates);
	return status;
}

const struct cmd cmd_rename = {
	.name = "rename",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] TRACE",
	.summary = "restore or hide the names in a trace",
	.examples = {
		"dmtrace rename --mapping=mapping.txt -o clear.trace app.trace",
		"dmtrace rename --anonymize --table=names -o x.trace app.trace",
	},
	.run = run_rename,
};
