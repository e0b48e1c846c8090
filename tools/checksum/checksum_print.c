/* checksum_print.c - checksums as text, and as rows for machines */

#include "checksum/checksum_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DIGITS 32

static const char *
digits(char out[DIGITS + 1], const struct dmtrace_sum *sum)
{
	snprintf(out, DIGITS + 1, "%016" PRIx64 "%016" PRIx64, sum->high,
	    sum->low);
	return out;
}

void
checksum_print_names(struct strbuf *buffer, enum form form)
{
	static const char *const names[] = {
		"file", "checksum", "records", "added", "per_thread",
		"error"
	};
	struct row row;

	if (form != FORM_TSV && form != FORM_CSV)
		return;
	row_begin(&row, buffer, form);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		row_string(&row, names[i], names[i]);
	row_line(&row);
}

static void
put_json(struct strbuf *json, const struct checksum_row *thread)
{
	char sum[DIGITS + 1];
	struct row row;

	row_begin(&row, json, FORM_JSON);
	if (thread->name != NULL) {
		row_text(&row, "name", thread->name, thread->len);
		row_absent(&row, "thread");
	} else {
		row_absent(&row, "name");
		row_number(&row, "thread", thread->thread);
	}
	row_number(&row, "threads", thread->threads);
	row_string(&row, "checksum", digits(sum, &thread->sum));
	row_number(&row, "records", thread->records);
	row_end(&row);
}

static void
put_row(struct strbuf *buffer, enum form form, const char *file,
    const struct checksum_rows *sums)
{
	struct strbuf json = { 0 };
	char sum[DIGITS + 1];
	struct row row;

	strbuf_string(&json, "[");
	for (size_t i = 0; i < sums->count; i++) {
		if (i > 0)
			strbuf_string(&json, ",");
		put_json(&json, &sums->rows[i]);
	}
	strbuf_string(&json, "]");
	row_begin(&row, buffer, form);
	if (file != NULL)
		row_string(&row, "file", file);
	else
		row_absent(&row, "file");
	row_string(&row, "checksum", digits(sum, &sums->sum));
	row_number(&row, "records", sums->records);
	row_number(&row, "added", sums->added);
	row_json(&row, "per_thread", &json);
	row_absent(&row, "error");
	row_line(&row);
	strbuf_fini(&json);
}

void
checksum_print_unreadable(struct strbuf *buffer, enum form form,
    const char *file,
    const char *why)
{
	struct row row;

	if (form == FORM_TEXT) {
		strbuf_string(buffer, "unreadable  ");
		strbuf_text(buffer, escape_plain, file, strlen(file));
		strbuf_string(buffer, ": ");
		strbuf_text(buffer, escape_plain, why, strlen(why));
		strbuf_string(buffer, "\n");
		return;
	}
	row_begin(&row, buffer, form);
	row_string(&row, "file", file);
	row_absent(&row, "checksum");
	row_absent(&row, "records");
	row_absent(&row, "added");
	row_absent(&row, "per_thread");
	row_string(&row, "error", why);
	row_line(&row);
}

static void
put_name(struct strbuf *buffer, const struct checksum_row *row)
{
	if (row->name == NULL)
		strbuf_printf(buffer, "thread %" PRIu32 ", not listed",
		    row->thread);
	else
		strbuf_text(buffer, escape_plain, row->name, row->len);
	if (row->threads > 1)
		strbuf_printf(buffer, " (%" PRIu64 " threads)", row->threads);
}

static void
put_text(struct strbuf *buffer, const char *file,
    const struct checksum_rows *sums)
{
	char sum[DIGITS + 1];

	for (size_t i = 0; i < sums->count; i++) {
		const struct checksum_row *const row = &sums->rows[i];

		strbuf_printf(buffer, "%s %10" PRIu64 "  ",
		    digits(sum, &row->sum), row->records);
		put_name(buffer, row);
		strbuf_string(buffer, "\n");
	}
	strbuf_printf(buffer, "%s %10" PRIu64 "  = ",
	    digits(sum, &sums->sum), sums->records);
	strbuf_text(buffer, escape_plain, file, strlen(file));
	if (sums->added > 0)
		strbuf_printf(buffer, " (without %" PRIu64 " added)",
		    sums->added);
	strbuf_string(buffer, "\n");
}

void
checksum_print(struct strbuf *buffer, enum form form, const char *file,
    const struct checksum_rows *sums, bool brief)
{
	char sum[DIGITS + 1];

	if (form != FORM_TEXT) {
		put_row(buffer, form, file, sums);
		return;
	}
	if (file == NULL)
		file = "all";
	if (!brief) {
		put_text(buffer, file, sums);
		return;
	}
	strbuf_printf(buffer, "%s  ", digits(sum, &sums->sum));
	strbuf_text(buffer, escape_plain, file, strlen(file));
	strbuf_string(buffer, "\n");
}

/* Either may be NULL: there is no such thread. */
static void
put_pair(struct strbuf *buffer, const struct checksum_row *a,
    const struct checksum_row *b)
{
	if (a != NULL && b != NULL && sum_is_same(&a->sum, &b->sum))
		return;
	strbuf_string(buffer, "  ");
	put_name(buffer, a != NULL ? a : b);
	if (b == NULL)
		strbuf_printf(buffer, ": %" PRIu64 " records and none\n",
		    a->records);
	else if (a == NULL)
		strbuf_printf(buffer, ": no record and %" PRIu64 "\n",
		    b->records);
	else
		strbuf_printf(buffer, ": %" PRIu64 " records and %" PRIu64
		    "\n", a->records, b->records);
}

void
checksum_print_difference(struct strbuf *buffer, const char *file,
    const struct checksum_rows *a, const char *other,
    const struct checksum_rows *b)
{
	size_t i = 0, j = 0;

	strbuf_text(buffer, escape_plain, file, strlen(file));
	strbuf_string(buffer, " differs from ");
	strbuf_text(buffer, escape_plain, other, strlen(other));
	strbuf_string(buffer, ":\n");
	while (i < a->count || j < b->count) {
		const int order = i == a->count ? 1 : j == b->count ? -1 :
		    checksum_row_compare(&a->rows[i], &b->rows[j]);

		put_pair(buffer, order > 0 ? NULL : &a->rows[i],
		    order < 0 ? NULL : &b->rows[j]);
		i += order <= 0;
		j += order >= 0;
	}
}
