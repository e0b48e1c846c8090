/* change.c - a tally of changes: how many of each kind */

#include "format/change.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "private/put.h"
#include "private/status.h"

/*
 * A change cures a finding and shares its row in lib/format/finding.c: name,
 * kind and message.
 */
const char *
dmt_change_kind_name(enum dmtrace_change_kind kind)
{
	static const char *const names[] = {
		[DMTRACE_CHANGE_FIXED] = "fixed",
		[DMTRACE_CHANGE_ADDED] = "added",
		[DMTRACE_CHANGE_DROPPED] = "dropped",
		[DMTRACE_CHANGE_LOST] = "lost",
		[DMTRACE_CHANGE_KEPT] = "kept",
	};

	return (size_t)kind < sizeof(names) / sizeof(names[0]) ?
	    names[kind] : "";
}

void
dmt_change_add(struct dmt_changes *changes, enum dmt_finding which,
    uint64_t n, enum dmtrace_place place, uint64_t at, const char *format,
    ...)
{
	struct dmt_tally *const tally = &changes->tallies[which];
	va_list args;

	if (n == 0)
		return;
	tally->count += n;
	if (tally->count > n)
		return;
	tally->place = place;
	tally->at = at;
	va_start(args, format);
	dmt_tally_describe(tally, dmt_finding_rows[which].cured, format, args);
	va_end(args);
}

uint64_t
dmt_changes_count(const struct dmt_changes *changes)
{
	uint64_t count = 0;

	for (size_t i = 0; i < DMT_ROW_COUNT; i++)
		if (dmt_finding_rows[i].kind != DMTRACE_CHANGE_KEPT)
			count += changes->tallies[i].count;
	return count;
}

enum dmtrace_status
dmt_changes_report(const struct dmt_changes *changes,
    dmtrace_change_fn *change, void *context, struct dmtrace_error *error)
{
	bool cancelled = false;

	if (change == NULL)
		return DMTRACE_OK;
	for (size_t i = 0; i < DMT_ROW_COUNT && !cancelled; i++) {
		const struct dmt_tally *const tally = &changes->tallies[i];
		const struct dmtrace_change made = {
			.name = dmt_finding_rows[i].name,
			.kind = (enum dmtrace_change_kind)
			    dmt_finding_rows[i].kind,
			.place = tally->place,
			.at = tally->at,
			.count = tally->count,
			.message = tally->message
		};

		cancelled = tally->count > 0 && change(context, &made) != 0;
	}
	if (!cancelled && change(context, NULL) == 0)
		return DMTRACE_OK;
	return dmt_error_set(error, DMTRACE_ERR_CANCELLED, "cancelled");
}

void
dmt_changes_merge(struct dmt_changes *changes, const struct dmt_changes *more)
{
	for (size_t i = 0; i < DMT_ROW_COUNT; i++) {
		struct dmt_tally *const tally = &changes->tallies[i];
		const uint64_t count = tally->count;

		if (count == 0)
			*tally = more->tallies[i];
		else
			tally->count += more->tallies[i].count;
	}
}

/* The count that an earlier value, "name:count,...", has for name; 0: none. */
static uint64_t
count_in_old_value(const struct dmtrace_option *old, const char *name)
{
	const size_t len = strlen(name);
	const char *at = old == NULL ? NULL : old->value.bytes;
	const char *const end = at == NULL ? NULL : at + old->value.len;
	uint64_t count = 0;

	while (at != NULL && (size_t)(end - at) > len &&
	    (memcmp(at, name, len) != 0 || at[len] != ':')) {
		at = memchr(at, ',', (size_t)(end - at));
		at = at == NULL ? NULL : at + 1;
	}
	if (at == NULL || (size_t)(end - at) <= len)
		return 0;
	for (at += len + 1; at < end && *at >= '0' && *at <= '9' &&
	    count < UINT64_MAX / 100; at++)
		count = count * 10 + (uint64_t)(*at - '0');
	return count;
}

/* Sums the rows that have the name of this row; 0 unless this is the first of
 * them, so that each name is counted once. */
static uint64_t
count_changes_of_name(const struct dmt_changes *changes, size_t row)
{
	const char *const name = dmt_finding_rows[row].name;
	uint64_t count = 0;

	if (row > 0 && strcmp(dmt_finding_rows[row - 1].name, name) == 0)
		return 0;
	for (size_t i = row; i < DMT_ROW_COUNT &&
	    strcmp(dmt_finding_rows[i].name, name) == 0; i++)
		if (dmt_finding_rows[i].kind != DMTRACE_CHANGE_FIXED &&
		    dmt_finding_rows[i].kind != DMTRACE_CHANGE_KEPT)
			count += changes->tallies[i].count;
	return count;
}

char *
dmt_changes_option(const struct dmt_changes *changes,
    const struct dmtrace_option *old)
{
	struct dmt_output value = { 0 };

	for (size_t i = 0; i < DMT_ROW_COUNT; i++) {
		const char *const name = dmt_finding_rows[i].name;
		uint64_t count = count_changes_of_name(changes, i);

		if (i == 0 || strcmp(dmt_finding_rows[i - 1].name, name) != 0)
			count += count_in_old_value(old, name);
		if (count > 0)
			dmt_put_format(&value, "%s%s:%" PRIu64,
			    value.len > 0 ? "," : "", name, count);
	}
	dmt_output_write(&value, "", 1);
	if (value.error.status != DMTRACE_OK)
		dmt_output_fini(&value);
	return value.bytes;
}
