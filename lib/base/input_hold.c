/* input_hold.c - inputs that are read more than once */

#include "base/input.h"

#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "base/output.h"

static int
get_fd(const struct dmt_input *input)
{
	return (int)(intptr_t)input->call.context;
}

/* All that is left of the input; it is as long as it is known to be then. */
static void
copy(struct dmt_input *input, struct dmt_output *output)
{
	const uint8_t *bytes;
	size_t len;

	while ((len = dmt_input_peek(input, 1, &bytes)) > 0 &&
	    output->error.status == DMTRACE_OK) {
		dmt_output_write(output, bytes, len);
		dmt_input_skip(input, len);
	}
}

/* The file takes the place of the input. */
static void
take_file(struct dmt_input *input, struct dmt_output *output, uint64_t offset)
{
	if (input->fd >= 0)
		close(input->fd);
	input->fd = output->fd;
	input->call = dmt_read_from_fd(output->fd);
	input->size = input->offset;
	input->shift = -(int64_t)offset;
	input->seekable = true;
	output->fd = -1;
}

enum dmtrace_status
dmt_input_hold(struct dmt_input *input)
{
	const uint64_t offset = input->offset;
	struct dmt_output output;

	if (input->seekable || input->call.read == NULL)
		return DMTRACE_OK;
	if (dmt_output_open_temporary(&output, NULL) == DMTRACE_OK)
		copy(input, &output);
	if (output.error.status == DMTRACE_OK)
		dmt_output_flush(&output);
	if (input->error.status == DMTRACE_OK)
		input->error = output.error;
	if (input->error.status == DMTRACE_OK) {
		take_file(input, &output, offset);
		dmt_input_rewind(input, offset);
	}
	input->ended |= input->error.status != DMTRACE_OK;
	dmt_output_fini(&output);
	return input->error.status;
}

enum dmtrace_status
dmt_input_rewind(struct dmt_input *input, uint64_t offset)
{
	if (input->error.status != DMTRACE_OK)
		return input->error.status;
	if (input->call.read == NULL) {
		input->start -= (size_t)(input->offset - offset);
		input->offset = offset;
		return DMTRACE_OK;
	}
	if ((input->pool == NULL || input->fd >= 0) &&
	    lseek(get_fd(input), (off_t)((int64_t)offset + input->shift),
	    SEEK_SET) < 0) {
		input->ended = true;
		return dmt_path_failed(&input->error, "cannot go back in",
		    input->path);
	}
	input->start = 0;
	input->end = 0;
	input->offset = offset;
	input->ended = false;
	return DMTRACE_OK;
}
