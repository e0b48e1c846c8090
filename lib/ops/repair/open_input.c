/* open_input.c - finds and opens the files of a damaged trace */

/*
 * The operand is a key, data, or a base name. The first bytes of the file
 * decide what it is, whatever its name. If its name leads to another file
 * (X.key to X.data, or back) and that begins like the other half, the files
 * are a pair, even if their names are swapped. Whether a key is followed by
 * data in its own file is found out later.
 */

#include "ops/repair/repair.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/path.h"
#include "data/header_decode.h"
#include "trace/container.h"

static void
open_halves(struct dmt_repair *repair, struct dmtrace_error *error)
{
	const struct dmtrace_file *const in = repair->in_file;
	struct dmt_input *const first = &repair->files[0];
	struct dmt_input *const other = &repair->files[1];

	/* A recorder that was killed leaves X.trace.key and X.trace.data. */
	if (in->path != NULL)
		dmt_input_open_base(first, in->path, error);
	else if (dmt_input_open_fd(first, in->fd) != DMTRACE_OK)
		*error = first->error;
	if (error->status == DMTRACE_OK)
		dmt_input_undump(first, error);
	if (error->status == DMTRACE_OK && dmt_input_hold(first) != DMTRACE_OK)
		*error = first->error;
	if (error->status != DMTRACE_OK)
		return;

	const uint8_t *bytes;
	const size_t len = dmt_input_peek(first, DMT_CONTAINER_PROBE, &bytes);
	const bool is_dump = dmt_v2_dump_recognises(bytes, len);
	const bool is_data = is_dump || dmt_input_has_magic(first);
	repair->container = is_dump ? DMTRACE_CONTAINER_PACKETS :
	    dmt_version_container(dmt_header_look(bytes, len).version);
	if (is_data && dmt_repair_refuse_text(repair,
	    dmt_packets_text_damage(bytes, len)) != DMTRACE_OK)
		return;
	if (!is_data && !dmt_input_has_key(first)) {
		/* Fail as a reader does, if it does. */
		if (dmt_container_find(first, error) != NULL)
			dmt_error_set(error, DMTRACE_ERR_NOT_TRACE, "begins"
			    " neither with \"*version\" nor with \"SLOW\"");
		return;
	}
	repair->key_file = is_data ? NULL : first;
	repair->data_file = is_data ? first : NULL;
	if (is_data && repair->container != DMTRACE_CONTAINER_DATA)
		return;			/* it has no other half */
	repair->container = DMTRACE_CONTAINER_DATA;

	if (dmt_input_open_partner(other, first->path, error) != DMTRACE_OK)
		return;
	dmt_input_hold(other);
	dmt_input_skip_room(other);
	const bool has_key = dmt_input_has_key(other);
	*error = other->error;
	if (error->status != DMTRACE_OK || has_key != is_data)
		return;
	if (is_data)
		repair->key_file = other;
	else
		repair->data_file = other;
	repair->data_from = is_data ? 0 : other->offset;
	if (dmt_path_ends(first->path, is_data ? ".key" : ".data"))
		dmt_change_add(&repair->changes, DMT_PAIR_SWAPPED, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
}

enum dmtrace_status
dmt_repair_open(struct dmt_repair *repair)
{
	struct dmtrace_error error = { 0 };

	open_halves(repair, &error);
	return dmt_op_fail(repair->op, repair->in_file, &error);
}
