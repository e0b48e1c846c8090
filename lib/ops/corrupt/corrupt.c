/* corrupt.c - damages a trace as the world does */

/*
 * A program that reads traces should be tested with those that it will meet:
 * whose disk was full, that a text editor saved, that a buffer overflowed in.
 * The places of the trace are counted (places.c), damages are chosen among
 * them by a seeded generator, a second walk turns them into edits, and then the
 * bytes are copied with these edits. Copying as text changes all of the file,
 * so it comes last, on the way to the output. Everything is decided by the
 * bytes and the seed alone: the same ones give the same damage on every
 * machine.
 */

#include "ops/corrupt/corrupt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "ops/file.h"
#include "ops/random.h"
#include "private/utf8.h"
#include "trace/container.h"

enum {
	COUNT_MAX = 65536,		/* damages */
	BLOCK_BITS = 12			/* of the size of a block: 4,096 */
};

/* Writes bytes, as text if a kind says so. */
struct corrupt_writer {
	struct dmt_output *output;
	enum dmtrace_damage_kind text;	/* CRLF, UTF8, LOSSY; or another one:
					   none */
	char pending[4];		/* of LOSSY: a character that may go
					   on */
	size_t pending_len;
};

/* Copies as text change all bytes. */
static bool
is_text_kind(enum dmtrace_damage_kind kind)
{
	return kind == DMTRACE_DAMAGE_CRLF || kind == DMTRACE_DAMAGE_UTF8 ||
	    kind == DMTRACE_DAMAGE_LOSSY;
}

/* Writes bytes that are not UTF-8 as U+FFFD, one by one. */
static void
put_pending(struct corrupt_writer *writer, bool ended)
{
	uint32_t code;

	while (writer->pending_len > 0) {
		const uint8_t first = (uint8_t)writer->pending[0];
		size_t used = dmt_utf8_decode(&code, writer->pending,
		    writer->pending_len);
		const size_t need = first < 0xc2 || first > 0xf4 ? 1 :
		    first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

		if (used == 0 && !ended && writer->pending_len < need)
			return;
		if (used > 0) {
			dmt_output_write(writer->output, writer->pending,
			    used);
		} else {
			dmt_output_write(writer->output, "\xef\xbf\xbd", 3);
			used = 1;
		}
		writer->pending_len -= used;
		memmove(writer->pending, writer->pending + used,
		    writer->pending_len);
	}
}

static void
put_text_byte(struct corrupt_writer *writer, uint8_t byte)
{
	const uint8_t latin1[] =
	    { (uint8_t)(0xc0 | byte >> 6), (uint8_t)(0x80 | (byte & 0x3f)) };

	switch (writer->text) {
	case DMTRACE_DAMAGE_CRLF:
		if (byte == '\n')
			dmt_output_write(writer->output, "\r", 1);
		dmt_output_write(writer->output, &byte, 1);
		return;
	case DMTRACE_DAMAGE_UTF8:
		dmt_output_write(writer->output,
		    byte < 0x80 ? &byte : latin1, byte < 0x80 ? 1 : 2);
		return;
	default:
		writer->pending[writer->pending_len++] = (char)byte;
		put_pending(writer, false);
	}
}

static void
put_bytes(struct corrupt_writer *writer, const uint8_t *bytes, size_t len)
{
	if (!is_text_kind(writer->text)) {
		dmt_output_write(writer->output, bytes, len);
		return;
	}
	for (size_t i = 0; i < len; i++)
		put_text_byte(writer, bytes[i]);
}

static void
put_edited_byte(struct corrupt_writer *writer,
    const struct dmt_damage_edit *edit, uint8_t byte)
{
	if (edit->how == DMT_EDIT_FLIP)
		byte ^= edit->value;
	else if (edit->how == DMT_EDIT_FILL)
		byte = edit->value;
	else if (byte == '\t')
		byte = ' ';
	put_bytes(writer, &byte, 1);
}

/* Writes what takes the place of a range, which is next in input. */
static void
apply_edit(struct corrupt_writer *writer, struct dmt_damage_edit *edit,
    struct dmt_input *input)
{
	uint64_t left = edit->damage.len;
	const uint8_t *bytes;
	size_t len;

	put_pending(writer, true);
	edit->damage.new_at = writer->output->written;
	if (edit->how == DMT_EDIT_BYTES)
		put_bytes(writer, edit->bytes, edit->bytes_len);
	if (edit->how == DMT_EDIT_TWICE || edit->how == DMT_EDIT_SWAP) {
		/* Both are small. */
		len = dmt_input_peek(input, (size_t)left, &bytes);
		if (len > left)
			len = (size_t)left;
		const size_t split = edit->how == DMT_EDIT_TWICE ? 0 :
		    edit->split < len ? edit->split : len;
		put_bytes(writer, bytes + split, len - split);
		put_bytes(writer, bytes, split == 0 ? len : split);
		dmt_input_skip(input, len);
		left = 0;
	}
	while (left > 0 && (len = dmt_input_peek(input, 1, &bytes)) > 0) {
		if (len > left)
			len = (size_t)left;
		for (size_t i = 0; i < len && edit->how != DMT_EDIT_BYTES; i++)
			put_edited_byte(writer, edit, bytes[i]);
		dmt_input_skip(input, len);
		left -= len;
	}
	put_pending(writer, true);
	edit->damage.new_len = writer->output->written -
	    edit->damage.new_at;
}

static int
compare_edits(const void *a, const void *b)
{
	const struct dmtrace_damage *const left =
	    &((const struct dmt_damage_edit *)a)->damage;
	const struct dmtrace_damage *const right =
	    &((const struct dmt_damage_edit *)b)->damage;

	if (left->at != right->at)
		return left->at < right->at ? -1 : 1;
	if (left->len != right->len)
		return left->len < right->len ? -1 : 1;
	return (int)left->kind - (int)right->kind;
}

static int
compare_picks(const void *a, const void *b)
{
	const struct dmt_pick *const left = a;
	const struct dmt_pick *const right = b;

	if (left->kind != right->kind)
		return (int)left->kind - (int)right->kind;
	if (left->number != right->number)
		return left->number < right->number ? -1 : 1;
	return left->random < right->random ? -1 :
	    left->random > right->random;
}

/* The place of a kind that can damage any bytes. false: it is another kind. */
static bool
make_byte_edit(struct dmt_damage_edit *edit, const struct dmt_pick *pick,
    uint64_t size)
{
	static const enum dmt_edit_how hows[] = {
		[DMTRACE_DAMAGE_BITS] = DMT_EDIT_FLIP,
		[DMTRACE_DAMAGE_LOST] = DMT_EDIT_BYTES,
		[DMTRACE_DAMAGE_DOUBLED] = DMT_EDIT_TWICE,
		[DMTRACE_DAMAGE_TRUNCATED] = DMT_EDIT_BYTES,
		[DMTRACE_DAMAGE_ZEROS] = DMT_EDIT_FILL,
		[DMTRACE_DAMAGE_FILL] = DMT_EDIT_FILL
	};
	uint64_t at = pick->number;
	uint64_t len = UINT64_C(1) << (pick->random >> 8) % (BLOCK_BITS + 1);

	if (pick->kind > DMTRACE_DAMAGE_FILL)
		return false;
	if (pick->kind == DMTRACE_DAMAGE_BITS)
		len = 1;
	else if (pick->kind == DMTRACE_DAMAGE_TRUNCATED)
		len = size;
	else if (pick->random & 1)
		at -= at % len;		/* disks lose whole blocks */
	if (len > size - at)
		len = size - at;
	*edit = (struct dmt_damage_edit){
		.damage = { .kind = pick->kind, .at = at, .len = len },
		.how = hows[pick->kind],
		.value = pick->kind == DMTRACE_DAMAGE_FILL ? 0xee :
		    pick->kind == DMTRACE_DAMAGE_ZEROS ? 0 :
		    (uint8_t)(1 + (pick->random >> 16) % 255)
	};
	return true;
}

/* Finds out if copies as text would change the file: *lf, *high. */
static void
find_text_places(struct dmt_input *input, bool *lf, bool *high)
{
	const uint8_t *bytes;
	size_t len;

	*lf = *high = false;
	while ((!*lf || !*high) &&
	    (len = dmt_input_peek(input, 1, &bytes)) > 0) {
		*lf |= memchr(bytes, '\n', len) != NULL;
		for (size_t i = 0; i < len && !*high; i++)
			*high = bytes[i] >= 0x80;
		dmt_input_skip(input, len);
	}
}

/*
 * Chooses damages among those that options allow and places has room for.
 * Returns how many; *text is a kind that changes all bytes, or
 * DMT_DAMAGE_KINDS. 0: no kind has a place.
 */
static size_t
choose_damages(struct dmt_pick *picks, unsigned *text,
    const struct dmtrace_corrupt_options *options,
    const struct dmt_places *places)
{
	struct dmt_random random = { .state = options->seed };
	enum dmtrace_damage_kind kinds[DMT_DAMAGE_KINDS];
	size_t kind_count = 0, count = 0;

	*text = DMT_DAMAGE_KINDS;
	for (unsigned i = 0; i < DMT_DAMAGE_KINDS; i++)
		if (places->counts[i] > 0 && (options->kinds == 0 ||
		    (options->kinds & DMTRACE_DAMAGE_BIT(i)) != 0))
			kinds[kind_count++] = (enum dmtrace_damage_kind)i;
	for (uint32_t n = 0; n < options->count && kind_count > 0; n++) {
		const uint32_t at =
		    dmt_random_below(&random, (uint32_t)kind_count);
		const enum dmtrace_damage_kind kind = kinds[at];
		const uint64_t number =
		    dmt_random_next(&random) % places->counts[kind];

		picks[count] = (struct dmt_pick){
			kind, number, dmt_random_next(&random)
		};
		if (!is_text_kind(kind))
			count++;
		else if (*text == DMT_DAMAGE_KINDS)
			*text = kind;

		/* Once is enough of what changes all that follows. */
		if (is_text_kind(kind) || kind == DMTRACE_DAMAGE_TRUNCATED ||
		    kind == DMTRACE_DAMAGE_OVERFLOW)
			kinds[at] = kinds[--kind_count];
	}
	qsort(picks, count, sizeof(*picks), compare_picks);
	return count;
}

/* Copies input with the edits, which are in order; drops those that overlap
 * with earlier ones, and returns how many are left. op may be NULL. */
static size_t
copy_edited(struct corrupt_writer *writer, struct dmtrace_op *op,
    struct dmt_input *input, struct dmt_damage_edit *edits, size_t count)
{
	size_t done = 0, len;
	const uint8_t *bytes;

	for (size_t i = 0; i <= count; i++) {
		const uint64_t end =
		    i < count ? edits[i].damage.at : UINT64_MAX;

		if (end < input->offset)
			continue;
		while (input->offset < end &&
		    (len = dmt_input_peek(input, 1, &bytes)) > 0) {
			if (len > end - input->offset)
				len = (size_t)(end - input->offset);
			put_bytes(writer, bytes, len);
			dmt_input_skip(input, len);
			if (op != NULL && dmt_op_progress(op, input->offset,
			    dmt_input_size(input)) != DMTRACE_OK)
				return done;
		}
		if (i < count) {
			edits[done] = edits[i];
			apply_edit(writer, &edits[done++], input);
		}
	}
	put_pending(writer, true);
	return done;
}

enum dmtrace_status
dmt_corrupt(struct dmtrace_op *op, struct dmt_input *input,
    struct dmt_output *output, const struct dmtrace_corrupt_options *options,
    struct dmtrace_damage *damages, size_t *damage_count,
    struct dmtrace_error *error)
{
	struct dmt_places places = { .input = input };
	const uint64_t size = dmt_input_size(input);
	struct dmt_damage_edit *const edits =
	    dmt_array_new((size_t)options->count + 1, sizeof(*edits));
	struct dmt_pick *const picks =
	    dmt_array_new(options->count, sizeof(*picks));
	unsigned text;
	bool lf, high;

	*damage_count = 0;
	dmt_error_clear(error);
	if (edits == NULL || picks == NULL) {
		dmt_error_memory(error);
		goto end;
	}
	find_text_places(input, &lf, &high);
	if (dmt_places_walk(&places, error) != DMTRACE_OK)
		goto end;
	for (unsigned i = 0; i <= DMTRACE_DAMAGE_FILL; i++)
		places.counts[i] = size;
	places.counts[DMTRACE_DAMAGE_CRLF] = lf;
	places.counts[DMTRACE_DAMAGE_UTF8] = high;
	places.counts[DMTRACE_DAMAGE_LOSSY] = high;
	const size_t picked =
	    choose_damages(picks, &text, options, &places);
	if (picked == 0 && text == DMT_DAMAGE_KINDS) {
		dmt_error_set(error, DMTRACE_ERR_RANGE,
		    "it has no place for damage of this kind");
		goto end;
	}

	/* The kinds that can be anywhere come first. */
	places.picks = picks;
	places.pick_count = picked;
	places.edits = edits;
	while (places.edit_count < picked && make_byte_edit(
	    &edits[places.edit_count], &picks[places.edit_count], size))
		places.edit_count++;
	if (dmt_places_walk(&places, error) != DMTRACE_OK)
		goto end;
	qsort(edits, places.edit_count, sizeof(*edits), compare_edits);

	struct corrupt_writer writer = {
		.output = output, .text = (enum dmtrace_damage_kind)text
	};
	if (dmt_input_rewind(input, 0) == DMTRACE_OK)
		places.edit_count = copy_edited(&writer, op, input, edits,
		    places.edit_count);
	*error = input->error;
	if (text != DMT_DAMAGE_KINDS)
		damages[(*damage_count)++] = (struct dmtrace_damage){
			.kind = (enum dmtrace_damage_kind)text, .len = size,
			.new_len = output->written
		};
	for (size_t i = 0; i < places.edit_count; i++)
		damages[(*damage_count)++] = edits[i].damage;
end:
	free(edits);
	free(picks);
	return error->status;
}

/* Reports the damages; the last call has none. */
static enum dmtrace_status
report_damages(struct dmtrace_op *op,
    const struct dmtrace_corrupt_options *options,
    const struct dmtrace_damage *damages, size_t count)
{
	if (options->damage == NULL)
		return DMTRACE_OK;
	for (size_t i = 0; i <= count; i++)
		if (options->damage(options->context,
		    i < count ? &damages[i] : NULL) != 0)
			return dmt_error_set(&op->error,
			    DMTRACE_ERR_CANCELLED, "cancelled");
	return DMTRACE_OK;
}

static enum dmtrace_status
check_options(struct dmtrace_op *op,
    const struct dmtrace_corrupt_options *options)
{
	if (dmt_op_check_flags(op, "dmtrace_corrupt", options->flags,
	    DMT_FILE_FLAGS) != DMTRACE_OK)
		return op->error.status;
	if (options->count > COUNT_MAX)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "count %" PRIu32 ": at most %d damages are made",
		    options->count, COUNT_MAX);
	if (options->kinds >= DMTRACE_DAMAGE_BIT(DMT_DAMAGE_KINDS))
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "dmtrace_corrupt: unknown bits of kinds");
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_corrupt(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_corrupt_options *options)
{
	struct dmtrace_corrupt_options all = { .count = 0 };
	struct dmtrace_error error = { 0 };
	struct dmtrace_damage *damages;
	struct dmt_input input;
	struct dmt_output output = { 0 };
	size_t count;

	if (dmt_op_begin_call(op, __func__, in == NULL || out == NULL) !=
	    DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (options != NULL)
		all = *options;
	if (all.count == 0)
		all.count = 1;
	if (check_options(op, &all) != DMTRACE_OK)
		return op->error.status;

	dmt_input_open_memory(&input, NULL, 0);
	damages = dmt_array_new((size_t)all.count + 2, sizeof(*damages));
	if (damages == NULL) {
		dmt_error_memory(&op->error);
		goto end;
	}
	if (in->path != NULL)
		dmt_input_open_base(&input, in->path, &error);
	else
		dmt_input_open_fd(&input, in->fd);
	if (error.status == DMTRACE_OK)
		error = input.error;
	if (error.status == DMTRACE_OK &&
	    dmt_input_undump(&input, &error) == DMTRACE_OK &&
	    dmt_input_hold(&input) != DMTRACE_OK)
		error = input.error;
	if (dmt_op_fail(op, in, &error) != DMTRACE_OK ||
	    dmt_file_check_other(op, &input.file, out->path, out) !=
	    DMTRACE_OK ||
	    dmt_file_write(op, &output, out, all.flags) != DMTRACE_OK)
		goto end;
	dmt_corrupt(op, &input, &output, &all, damages, &count, &error);
	if (dmt_op_fail(op, in, &error) != DMTRACE_OK)
		goto end;
	dmt_output_finish(&output);
	if (dmt_op_fail(op, out, &output.error) != DMTRACE_OK ||
	    report_damages(op, &all, damages, count) != DMTRACE_OK)
		goto end;
	dmt_output_publish(&output);
	dmt_op_fail(op, out, &output.error);
end:
	free(damages);
	dmt_output_fini(&output);
	dmt_input_fini(&input);
	return op->error.status;
}
