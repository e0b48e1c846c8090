/* merge_make.c - records of an input to those of the output */

#include <inttypes.h>

#include "base/error.h"
#include "data/record.h"
#include "ops/merge.h"

/* A batch of records, and where the output's go. */
struct load {
	struct dmt_merge_input *input;
	const struct dmtrace_layout *to;
	const uint8_t *in;
	size_t count;
	uint8_t *out;
	uint32_t *keys;
	uint64_t *late;			/* events whose key is not their time */
	const struct dmt_watch *watch;
};

DMT_INLINE bool
is_odd(const struct dmt_clocks *clocks, const struct dmtrace_layout *from,
    uint64_t word, uint32_t cpu_us, uint32_t wall_us)
{
	return (word & 3) == DMTRACE_RESERVED ||
	    dmt_clock_is_behind(&clocks->cpu, from->cpu, cpu_us) ||
	    dmt_clock_is_behind(&clocks->wall, from->wall, wall_us);
}

/* What is added to a clock's field, for a time of the output. */
DMT_INLINE uint64_t
base_us(const struct dmt_clock *clock, int64_t shift_us)
{
	return ((uint64_t)clock->wraps << 32) + (uint64_t)shift_us;
}

/* What the records of one thread have in common. */
struct lane {
	struct dmt_merge_thread *thread;
	size_t number;
	uint32_t to;
	uint64_t cpu_base;
	uint64_t wall_base;
};

DMT_INLINE void
set_bases(struct lane *lane, const struct dmt_merge_input *input,
    const struct dmtrace_layout *to)
{
	lane->cpu_base = base_us(&lane->thread->clocks.cpu,
	    to->wall.width == 0 ? input->shift_us : 0);
	lane->wall_base = base_us(&lane->thread->clocks.wall,
	    input->shift_us);
}

/* What stands in a record of the input. */
struct fields {
	size_t number;			/* of its thread */
	uint64_t word;
	uint32_t cpu_us;
	uint32_t wall_us;
};

DMT_INLINE struct fields
get(const struct dmtrace_layout *from, const uint8_t *in)
{
	return (struct fields){
		.number = (size_t)dmt_field_get(from->thread, in),
		.word = dmt_field_get(from->method, in),
		.cpu_us = (uint32_t)dmt_field_get(from->cpu, in),
		.wall_us = (uint32_t)dmt_field_get(from->wall, in)
	};
}

/* The next record is of another thread. false: the thread is not known. */
DMT_INLINE bool
change_lane(struct lane *lane, const struct dmt_merge_input *input,
    const struct dmtrace_layout *to, const struct fields *fields)
{
	struct dmt_merge_thread *const thread =
	    dmt_merge_thread_find(input, fields->number);

	if (thread == NULL)
		return false;
	lane->thread = thread;
	lane->number = fields->number;
	lane->to = thread->to - 1;
	set_bases(lane, input, to);
	return true;
}

/* The table of methods is a copy: what is stored could change the other. */
DMT_INLINE uint32_t
find_method(const struct dmt_remap *table,
    const struct dmt_merge_input *input, uint64_t id)
{
	const uint32_t method = dmt_remap_look_up(table, id);

	return method != DMT_REMAP_NONE ? method :
	    dmt_remap_search(&input->methods, id);
}

/* Takes the times of the i-th record as the last ones of its thread. */
DMT_INLINE void
take_times(struct lane *lane, const struct load *load,
    const struct dmtrace_layout *from, const struct dmtrace_layout *to,
    const struct fields *fields, const uint8_t *in, size_t i)
{
	struct dmt_clocks *const clocks = &lane->thread->clocks;

	if (is_odd(clocks, from, fields->word, fields->cpu_us,
	    fields->wall_us)) {
		dmt_clocks_odd(clocks, from, in, i, load->watch);
		set_bases(lane, load->input, to);
	}
	if (from->cpu.width != 0)
		clocks->cpu.low_us = fields->cpu_us;
	if (from->wall.width != 0)
		clocks->wall.low_us = fields->wall_us;
}

/* Fills a record of the output. false: its times do not fit 32 bits. */
DMT_INLINE bool
put(const struct dmtrace_layout *to, uint8_t *out, const struct lane *lane,
    uint32_t method, const struct fields *fields)
{
	const uint64_t cpu_us =
	    to->cpu.width == 0 ? 0 : lane->cpu_base + fields->cpu_us;
	const uint64_t wall_us =
	    to->wall.width == 0 ? 0 : lane->wall_base + fields->wall_us;

	if ((cpu_us | wall_us) >> 32 != 0)
		return false;
	dmt_field_put(to->thread, out, lane->to);
	dmt_field_put(to->method, out, method | (fields->word & 3));
	dmt_field_put(to->cpu, out, cpu_us);
	dmt_field_put(to->wall, out, wall_us);
	return true;
}

/* The key of a record of the output: its time, or an earlier one's that is
 * later. */
DMT_INLINE uint32_t
find_key(const struct load *load, const struct dmtrace_layout *to,
    const uint8_t *out, uint32_t last_us)
{
	const uint32_t wall_us = (uint32_t)dmt_field_get(to->wall, out);

	if (wall_us >= last_us)
		return wall_us;
	++*load->late;
	return last_us;
}

/*
 * Stops at the first record of a thread or a method that is not known, or
 * whose times do not fit 32 bits. Neighbours are often of one thread: it is
 * looked up when it changes.
 */
DMT_INLINE size_t
load_to(const struct load *load, const struct dmtrace_layout *from,
    const struct dmtrace_layout *to)
{
	struct dmt_merge_input *const input = load->input;
	const struct dmt_remap methods = input->methods;
	const uint8_t *in = load->in;
	uint8_t *out = load->out;
	struct lane lane = { .number = DMT_MERGE_NUMBERS };
	uint32_t last_us = input->last_us;
	size_t i;

	for (i = 0; i < load->count; i++) {
		const struct fields fields = get(from, in);
		const uint32_t method = find_method(&methods, input,
		    fields.word & ~UINT64_C(3));

		if (method == DMT_REMAP_NONE ||
		    (fields.number != lane.number &&
		    !change_lane(&lane, input, to, &fields)))
			break;
		take_times(&lane, load, from, to, &fields, in, i);
		if (!put(to, out, &lane, method, &fields))
			break;
		if (to->wall.width != 0)
			load->keys[i] = last_us =
			    find_key(load, to, out, last_us);
		in += from->record_size;
		out += to->record_size;
	}
	input->last_us = last_us;
	return i;
}

/* The output's layout is one of these, too. */
DMT_INLINE size_t
make_run(const void *context, const struct dmtrace_layout *from)
{
	const struct load *const load = context;

	switch (dmt_layout_row(load->to)) {
	case DMT_LAYOUT_1_CPU:
		return load_to(load, from, &dmt_layouts[DMT_LAYOUT_1_CPU]);
	case DMT_LAYOUT_1_WALL:
		return load_to(load, from, &dmt_layouts[DMT_LAYOUT_1_WALL]);
	case DMT_LAYOUT_2_CPU:
	case DMT_LAYOUT_3_CPU:
		return load_to(load, from, &dmt_layouts[DMT_LAYOUT_2_CPU]);
	case DMT_LAYOUT_2_WALL:
	case DMT_LAYOUT_3_WALL:
		return load_to(load, from, &dmt_layouts[DMT_LAYOUT_2_WALL]);
	default:
		return load_to(load, from, &dmt_layouts[DMT_LAYOUT_3_DUAL]);
	}
}

/* A batch under way. */
struct batch {
	struct dmt_merge *merge;
	struct load load;
	uint64_t at;			/* of its first record in the file */
};

/* For struct dmt_watch. Each bit is a kind. */
static void
note_odd(void *context, unsigned oddities, size_t index)
{
	const struct batch *const batch = context;
	struct dmt_merge_input *const input = batch->load.input;
	const size_t size = input->layout.record_size;
	struct dmtrace_event event;

	dmtrace_record_decode(&event, &input->layout,
	    batch->load.in + index * size, size);
	for (size_t i = 0; i < DMT_MERGE_ODDITIES; i++) {
		struct dmt_merge_odd *const odd = &input->odd[i];

		if ((oddities >> i & 1) == 0 || odd->count++ > 0)
			continue;
		odd->at = batch->at + index * size;
		odd->thread = event.thread;
	}
}

/* Whether its wall time would fit if the start times were not heeded. */
static bool
fits_at_zero(const struct batch *batch, uint64_t wall_us)
{
	const struct dmt_merge_input *const input = batch->load.input;
	const int64_t offset_us = input->asked->offset_ns / 1000;

	return input->shift_us != offset_us &&
	    (wall_us + (uint64_t)input->shift_us) >> 32 != 0 &&
	    (wall_us + (uint64_t)offset_us) >> 32 == 0;
}

static enum dmtrace_status
fail_time(const struct batch *batch, const struct dmt_clocks *clocks)
{
	const struct dmt_merge_input *const input = batch->load.input;
	const struct dmtrace_layout *const to = batch->load.to;
	const uint64_t wall_us = dmt_clock_us(&clocks->wall);
	const uint64_t time_us = to->wall.width == 0 ||
	    (wall_us + (uint64_t)input->shift_us) >> 32 == 0 ?
	    dmt_clock_us(&clocks->cpu) : wall_us;
	const bool by_start = to->wall.width != 0 &&
	    fits_at_zero(batch, wall_us);
	struct dmtrace_error error = { .status = DMTRACE_OK };

	dmt_error_at(&error, DMTRACE_ERR_RANGE, DMTRACE_PLACE_OFFSET,
	    batch->at, "a time of %" PRIu64 " us, moved by %" PRId64 " us%s,"
	    " is not below 2^32 us, which is 71 minutes%s", time_us,
	    input->shift_us, by_start ? ", as the starts say" : "", by_start ?
	    "; --align zero moves none" : ", or is before zero");
	return dmt_merge_fail(batch->merge, input, &error);
}

/* The record that the loop stopped at: what is not known gets a number. */
static enum dmtrace_status
learn(const struct batch *batch)
{
	struct dmt_merge_input *const input = batch->load.input;
	const size_t number =
	    dmt_field_get(input->layout.thread, batch->load.in);
	const uint64_t method = dmt_field_get(input->layout.method,
	    batch->load.in) & ~UINT64_C(3);
	const struct dmt_merge_thread *const page =
	    input->pages[number / DMT_MERGE_PAGE];

	if (page == NULL || page[number % DMT_MERGE_PAGE].to == 0)
		return dmt_merge_thread_extend(batch->merge, input,
		    (uint32_t)number);
	if (dmt_remap_find(&input->methods, method) == DMT_REMAP_NONE)
		return dmt_merge_method_extend(batch->merge, input, method);
	return fail_time(batch, &page[number % DMT_MERGE_PAGE].clocks);
}

static enum dmtrace_status
run_batch(struct batch *batch)
{
	struct load *const load = &batch->load;
	const size_t from_size = load->input->layout.record_size;
	const size_t to_size = load->to->record_size;

	for (;;) {
		const size_t done = dmt_loop(make_run, load,
		    &load->input->layout);

		if (done == load->count)
			return DMTRACE_OK;
		load->in += done * from_size;
		load->out += done * to_size;
		load->keys += done;
		load->count -= done;
		batch->at += done * from_size;
		if (learn(batch) != DMTRACE_OK)
			return batch->merge->op->error.status;
	}
}

enum dmtrace_status
dmt_merge_convert(struct dmt_merge *merge, struct dmt_merge_input *input,
    const struct dmt_merge_run *run)
{
	struct batch batch = { .merge = merge, .at = run->at };
	const struct dmt_watch watch = { note_odd, &batch };

	batch.load = (struct load){
		.input = input,
		.to = &merge->layout,
		.in = run->in,
		.count = run->count,
		.out = run->out,
		.keys = run->keys,
		.late = &merge->result.late,
		.watch = &watch
	};
	return run_batch(&batch);
}
