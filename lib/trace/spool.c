/* spool.c - temporary storage for events that are needed later */

/*
 * A spool is an unnamed temporary file, or memory, to which bytes are
 * appended; then they can be read from any position. It is used for events
 * that have to be written in another order than they come: the records of a
 * joined trace, which follow the key; sorted runs; exports that are grouped by
 * thread. Files that can be read twice are not spooled.
 */

#include "trace/spool.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"

void
dmt_spool_init(struct dmt_spool *spool)
{
	*spool = (struct dmt_spool){ .error.status = DMTRACE_OK };
}

enum dmtrace_status
dmt_spool_open(struct dmt_spool *spool, const char *beside)
{
	dmt_output_fini(&spool->output);
	dmt_output_open_temporary(&spool->output, beside);
	spool->error = spool->output.error;
	return spool->error.status;
}

enum dmtrace_status
dmt_spool_finish(struct dmt_spool *spool)
{
	dmt_output_flush(&spool->output);
	if (spool->error.status == DMTRACE_OK)
		spool->error = spool->output.error;
	return spool->error.status;
}

static enum dmtrace_status
fail_read(struct dmt_spool *spool)
{
	return dmt_path_failed(&spool->error, "cannot read again",
	    spool->output.path);
}

enum dmtrace_status
dmt_spool_read(struct dmt_spool *spool, uint64_t at, void *out, size_t len)
{
	const int fd = spool->output.fd;
	uint8_t *to = out;

	if (spool->error.status != DMTRACE_OK || len == 0)
		return spool->error.status;
	if (!dmt_output_has_fd(&spool->output)) {
		memcpy(to, spool->output.bytes + at, len);
		return DMTRACE_OK;
	}
	if (lseek(fd, (off_t)at, SEEK_SET) < 0)
		return fail_read(spool);
	while (len > 0) {
		errno = EIO;	/* the file is shorter than it was */
		const ssize_t got = read(fd, to, len);

		if (got == 0 || (got < 0 && errno != EINTR))
			return fail_read(spool);
		if (got > 0) {
			to += got;
			len -= (size_t)got;
		}
	}
	return DMTRACE_OK;
}

void
dmt_spool_append_run(struct dmt_spool *spool, const uint64_t *order,
    const struct dmt_record_list *records)
{
	dmt_output_write(&spool->output, order,
	    records->count * sizeof(*order));
	dmt_output_write(&spool->output, records->bytes,
	    records->count * records->size);
}

enum dmtrace_status
dmt_spool_read_run(struct dmt_spool *spool, uint64_t *at, uint64_t *order,
    struct dmt_record_list *records, size_t count)
{
	const size_t order_len = count * sizeof(*order);
	const size_t len = count * records->size;

	if (dmt_spool_read(spool, *at, order, order_len) != DMTRACE_OK ||
	    dmt_spool_read(spool, *at + order_len, records->bytes, len) !=
	    DMTRACE_OK)
		return spool->error.status;
	records->count = count;
	*at += order_len + len;
	return DMTRACE_OK;
}

uint64_t
dmt_spool_run_len(const struct dmt_layout *layout, uint64_t count)
{
	return count * sizeof(uint64_t) + dmt_records_len(layout, count);
}

void
dmt_spool_fini(struct dmt_spool *spool)
{
	dmt_output_fini(&spool->output);
	dmt_spool_init(spool);
}
