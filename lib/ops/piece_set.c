/* piece_set.c - the files that a trace is split into, side by side */

#include "ops/piece_set.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/path.h"
#include "key/added.h"

#define OPEN_MAX_WANTED 256
#define WIDE_PIECES 64		/* the first so many have large buffers */
#define WIDE_UNIT (64 * 1024)	/* of writes; buffers have a page more */
#define UNIT (4 * 1024)
#define WIDE_ROOM (WIDE_UNIT + UNIT)
#define ROOM (16 * 1024)

/* Half of what the process may have is left to others. */
static size_t
open_max(void)
{
	const long limit = sysconf(_SC_OPEN_MAX);

	if (limit < 0 || limit / 2 > OPEN_MAX_WANTED)
		return OPEN_MAX_WANTED;
	return limit < 4 ? 1 : (size_t)limit / 2;
}

enum dmtrace_status
dmt_piece_set_init(struct dmt_piece_set *set, struct dmtrace_op *op,
    struct dmtrace_reader *reader,
    const struct dmtrace_pieces_options *options)
{
	struct dmtrace_error error = { 0 };

	*set = (struct dmt_piece_set){
		.op = op,
		.reader = reader,
		.options = options,
		.in = { .path = dmtrace_reader_data_path(reader), .fd = 0 },
		.exact = true,
		.open_max = open_max()
	};
	set->open = dmt_array_new(set->open_max, sizeof(*set->open));
	if (set->open == NULL)
		return dmt_error_memory(&op->error);
	dmt_piece_front_init(&set->front, reader, &error);
	return dmt_op_fail(op, &set->in, &error);
}

void
dmt_piece_set_fini(struct dmt_piece_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		dmt_sink_fini(&set->items[i]->sink);
		free(set->items[i]->path);
		free(set->items[i]);
	}
	free(set->items);
	free(set->open);
	dmt_piece_front_fini(&set->front);
}

enum dmtrace_status
dmt_piece_check(struct dmt_piece_set *set, const struct dmt_piece *piece)
{
	return dmt_op_fail(set->op, NULL, &piece->sink.error);
}

/* Takes the turn of another descriptor. */
static enum dmtrace_status
take_turn(struct dmt_piece_set *set, struct dmt_piece *piece)
{
	struct dmt_piece *const old = set->open[set->open_next];

	set->open[set->open_next] = piece;
	set->open_next = (set->open_next + 1) % set->open_max;
	if (old == NULL || old == piece || old->sink.fd < 0)
		return DMTRACE_OK;
	dmt_sink_park(&old->sink);
	return dmt_piece_check(set, old);
}

enum dmtrace_status
dmt_piece_use(struct dmt_piece_set *set, struct dmt_piece *piece)
{
	if (piece->sink.fd >= 0)
		return DMTRACE_OK;
	if (take_turn(set, piece) != DMTRACE_OK)
		return set->op->error.status;
	dmt_sink_resume(&piece->sink);
	return dmt_piece_check(set, piece);
}

enum dmtrace_status
dmt_piece_rest(struct dmt_piece_set *set, struct dmt_piece *piece)
{
	dmt_sink_finish(&piece->sink);
	free(piece->sink.buffer);
	piece->sink.buffer = NULL;
	piece->sink.capacity = 0;
	return dmt_piece_check(set, piece);
}

size_t
dmt_piece_unit(const struct dmt_piece *piece)
{
	return piece->sink.capacity < WIDE_ROOM ? UNIT : WIDE_UNIT;
}

static size_t
choose_room(const struct dmt_piece_set *set)
{
	const size_t room = set->count < WIDE_PIECES ? WIDE_ROOM : ROOM;
	const size_t size = set->reader->layout.record_size;

	return room < size ? size : room;
}

static enum dmtrace_status
refuse(struct dmt_piece_set *set)
{
	set->too_many = true;
	return dmt_error_set(&set->op->error, DMTRACE_ERR_LIMIT,
	    "there are more pieces than %" PRIu64, set->options->max_files);
}

/* NULL: no memory. */
static struct dmt_piece *
push(struct dmt_piece_set *set)
{
	struct dmt_piece **const items = dmt_array_grow(set->items,
	    &set->capacity, set->count + 1, sizeof(struct dmt_piece *));
	struct dmt_piece *piece;

	if (items == NULL)
		return NULL;
	set->items = items;
	piece = dmt_array_new(1, sizeof(*piece));
	if (piece == NULL)
		return NULL;
	dmt_sink_open_memory(&piece->sink);
	items[set->count++] = piece;
	return piece;
}

enum dmtrace_status
dmt_piece_set_add(struct dmt_piece_set *set)
{
	const unsigned number = (unsigned)set->count;
	const size_t room = choose_room(set);

	if (set->count >= set->options->max_files)
		return refuse(set);
	struct dmt_piece *const piece = push(set);
	if (piece == NULL)
		return dmt_error_memory(&set->op->error);
	if (take_turn(set, piece) != DMTRACE_OK)
		return set->op->error.status;
	dmt_sink_open_part(&piece->sink, set->options->before, number, room);
	dmt_sink_patch(&piece->sink, 0, set->front.bytes, set->front.len);
	return dmt_piece_check(set, piece);
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How many of the records from first on are among the first or the last of
 * total that were added before. */
static void
count_added(struct dmt_piece_set *set, struct dmt_piece_facts *facts,
    uint64_t first, uint64_t total)
{
	const struct dmtrace_key *const key = set->reader->key;
	const uint64_t opened = dmt_added(key, "dmtrace-opened");
	const uint64_t closed = least(total,
	    dmt_added(key, "dmtrace-closed"));
	const uint64_t end = first + facts->records;
	const uint64_t close = total - closed;

	facts->was_opened = least(opened > first ? opened - first : 0,
	    facts->records);
	facts->was_closed = end <= close ? 0 :
	    end - (close > first ? close : first);
}

/* What the fronts say of all the pieces. */
static void
complete_facts(struct dmt_piece_set *set)
{
	uint64_t total = 0, first = 0, id = set->front.id;

	for (size_t i = 0; i < set->count; i++)
		total += set->items[i]->facts.records;
	for (size_t i = 0; i < set->count; i++) {
		struct dmt_piece_facts *const facts = &set->items[i]->facts;

		facts->index = i + 1;
		facts->total = set->count;
		facts->by = set->options->by;
		facts->exact = set->exact;
		if (facts->by != DMTRACE_PIECES_THREAD)
			count_added(set, facts, first, total);
		first += facts->records;
		id = dmt_piece_hash_facts(id, facts);
	}
	for (size_t i = 0; i < set->count; i++)
		set->items[i]->facts.id = id;
}

static enum dmtrace_status
end_piece(struct dmt_piece_set *set, struct dmt_piece *piece,
    const uint8_t *tail, size_t tail_len)
{
	const struct dmt_piece_front *const front = &set->front;
	struct dmt_sink *const sink = &piece->sink;

	if (!dmt_piece_front_fill(&set->front, &piece->facts))
		return dmt_error_set(&set->op->error, DMTRACE_ERR_LIMIT,
		    "a piece has too many records for its key");
	if (dmt_piece_use(set, piece) != DMTRACE_OK)
		return set->op->error.status;
	dmt_sink_patch(sink, sink->written, tail, tail_len);
	dmt_sink_patch(sink, front->block_at, front->bytes + front->block_at,
	    front->block_len);
	sink->sync = set->options->flags & DMTRACE_SYNC;
	return dmt_piece_rest(set, piece);
}

/* The input is never an output. */
static bool
is_input(const struct dmt_source *source, const char *path)
{
	struct stat from, to;

	return source->fd >= 0 && fstat(source->fd, &from) == 0 &&
	    stat(path, &to) == 0 && from.st_dev == to.st_dev &&
	    from.st_ino == to.st_ino;
}

static enum dmtrace_status
give_path(struct dmt_piece_set *set, struct dmt_piece *piece)
{
	struct dmt_sink *const sink = &piece->sink;

	dmt_sink_name(sink, piece->path);
	sink->no_replace = set->options->flags & DMTRACE_NO_REPLACE;
	if (is_input(&set->reader->key_source, piece->path) ||
	    is_input(&set->reader->data_source, piece->path))
		dmt_error_set(&sink->error, DMTRACE_ERR_IO,
		    "a piece would take the place of the input");
	errno = EEXIST;
	if (sink->no_replace && sink->replaces)
		dmt_path_failed(&sink->error, "cannot create", sink->path);
	return dmt_piece_check(set, piece);
}

static enum dmtrace_status
give_paths(struct dmt_piece_set *set)
{
	if (!dmt_piece_set_name(set))
		return dmt_error_memory(&set->op->error);
	for (size_t i = 0; i < set->count; i++)
		if (give_path(set, set->items[i]) != DMTRACE_OK)
			return set->op->error.status;
	return DMTRACE_OK;
}

static enum dmtrace_status
publish(struct dmt_piece_set *set)
{
	size_t i = 0;

	while (i < set->count &&
	    dmt_sink_publish(&set->items[i]->sink) == DMTRACE_OK)
		i++;
	if (i == set->count)
		return DMTRACE_OK;
	dmt_piece_check(set, set->items[i]);
	while (i-- > 0)
		dmt_sink_withdraw(&set->items[i]->sink);
	return set->op->error.status;
}

enum dmtrace_status
dmt_piece_set_finish(struct dmt_piece_set *set, const uint8_t *tail,
    size_t tail_len)
{
	complete_facts(set);
	for (size_t i = 0; i < set->count; i++)
		if (end_piece(set, set->items[i], tail, tail_len) !=
		    DMTRACE_OK)
			return set->op->error.status;
	return give_paths(set) == DMTRACE_OK ? publish(set) :
	    set->op->error.status;
}
