/* test_v2_decode.c - bytes decoded to packets of V2 and their events */

#include "data/v2_decode.h"

#include "base/leb128.h"
#include "helpers/random.h"
#include "helpers/v2_events.h"
#include "helpers/v2_samples.h"

/* Begins the block of a sample, of whose payload len bytes are there. */
static void
begin_sample(struct dmt_v2_block *block, const struct block_sample *sample,
    size_t missing)
{
	struct dmt_v2_packet packet;
	size_t front;

	*block = (struct dmt_v2_block){ .form = sample->form };
	ck_assert_int_eq(dmt_v2_packet_decode(&packet, &sample->form,
	    sample->bytes, sample->len, &front), DMTRACE_OK);
	dmt_v2_block_begin(block, &packet, sample->bytes + front,
	    sample->len - front - missing, missing > 0);
}

START_TEST(decodes_packets)
{
	const struct packet_sample *sample = &packet_samples[_i];
	struct dmt_v2_packet packet;
	size_t used;

	ck_assert_int_eq(dmt_v2_packet_decode(&packet, &sample->form,
	    sample->bytes, sizeof(sample->bytes), &used), DMTRACE_OK);
	ck_assert_uint_eq(used, sample->len);
	ck_assert_int_eq(packet.type, sample->packet.type);
	ck_assert_uint_eq(packet.thread, sample->packet.thread);
	ck_assert_uint_eq(packet.method, sample->packet.method);
	ck_assert_uint_eq(packet.end_ns, sample->packet.end_ns);
	ck_assert_uint_eq(packet.monotonic_ns, sample->packet.monotonic_ns);
	ck_assert_uint_eq(packet.text_len, strlen(sample->text));
	if (packet.text_len > 0)
		ck_assert_mem_eq(packet.text, sample->text, packet.text_len);
}
END_TEST

START_TEST(refuses_every_short_packet)
{
	const struct packet_sample *sample = &packet_samples[_i];
	struct dmt_v2_packet packet = { .thread = 77 };
	size_t used = 77;

	for (size_t len = 0; len < sample->len; len++) {
		uint8_t *in = malloc(len + 1);

		memcpy(in, sample->bytes, len);
		ck_assert_int_eq(dmt_v2_packet_decode(&packet, &sample->form,
		    in, len, &used), DMTRACE_ERR_TRUNCATED);
		free(in);
	}
	ck_assert_uint_eq(packet.thread, 77);
	ck_assert_uint_eq(used, 77);
}
END_TEST

START_TEST(refuses_bytes_that_begin_no_packet)
{
	const struct dmt_v2_form form = FORM_C;
	uint8_t in[32] = { 0 };
	struct dmt_v2_packet packet;
	size_t used;

	for (unsigned type = 4; type < 256; type++) {
		in[0] = (uint8_t)type;
		ck_assert_int_eq(dmt_v2_packet_decode(&packet, &form, in,
		    sizeof(in), &used), DMTRACE_ERR_CORRUPT);
	}
}
END_TEST

/* The start time is where other dialects have the data offset. */
START_TEST(the_header_has_no_data_offset)
{
	static const uint8_t in[] = {
		0x53, 0x4c, 0x4f, 0x57, 0xf5, 0x00,
		0x79, 0xdf, 0x0d, 0x86, 0x48, 0x70, 0x00, 0x00,
		0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
		0x00, 0xf8, 0x24, 0x01, 0x00, 0x00, 0x00, 0x00, 0x31, 0x32
	};
	struct dmt_v2_header header;

	dmt_v2_header_decode(&header, in);
	ck_assert_uint_eq(header.version, 0xf5);
	ck_assert_uint_eq(header.start, UINT64_C(123456789012345));
	ck_assert_uint_eq(header.start_ticks, UINT64_C(0x0807060504030201));
	ck_assert_uint_eq(header.tick_hz, 19200000);
	ck_assert_uint_eq(header.mark, 0x3231);
}
END_TEST

START_TEST(decodes_blocks)
{
	const struct block_sample *sample = &block_samples[_i];
	struct dmtrace_event events[5];
	struct dmt_v2_block block;
	size_t count;

	begin_sample(&block, sample, 0);
	ck_assert_int_eq(decode_events(&block, events, 5, &count),
	    DMTRACE_OK);
	ck_assert_uint_eq(count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_same_event(&events[i], &sample->events[i]);
	ck_assert_int_eq(decode_events(&block, events, 5, &count),
	    DMTRACE_OK);
	ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(decodes_blocks_by_pieces)
{
	const struct block_sample *sample = &block_samples[_i];
	struct dmtrace_event events[4];

	for (size_t step = 1; step < 4; step++) {
		struct dmt_v2_block block;
		size_t done = 0, count;

		begin_sample(&block, sample, 0);
		do {
			ck_assert_int_eq(decode_events(&block,
			    events, step, &count), DMTRACE_OK);
			for (size_t i = 0; i < count; i++)
				assert_same_event(&events[i],
				    &sample->events[done + i]);
			done += count;
		} while (count > 0);
		ck_assert_uint_eq(done, 4);
	}
}
END_TEST

/* The whole records of a cut block count. */
START_TEST(decodes_what_there_is_of_a_block)
{
	const struct block_sample *sample = &block_samples[_i];
	const size_t front = sample->form.stage != DMT_STAGE_B ? 12 :
	    sample->form.cpu ? 25 : 21;
	size_t before = 4;

	for (size_t missing = 1; missing < sample->len - front; missing++) {
		struct dmtrace_event events[4];
		struct dmt_v2_block block;
		size_t count;

		begin_sample(&block, sample, missing);
		const enum dmtrace_status status =
		    decode_events(&block, events, 4, &count);
		ck_assert(block.cut);
		ck_assert_uint_le(count, before);
		ck_assert_int_eq(status, block.in == block.end ? DMTRACE_OK :
		    DMTRACE_ERR_TRUNCATED);
		for (size_t i = 0; i < count; i++)
			assert_same_event(&events[i], &sample->events[i]);
		before = count;
	}
	ck_assert_uint_le(before, 1);
}
END_TEST

START_TEST(every_changed_byte_ends_in_a_status)
{
	struct block_sample changed = block_samples[_i];
	struct dmtrace_event events[48];

	for (size_t at = 0; at < changed.len; at++) {
		for (unsigned byte = 0; byte < 256; byte++) {
			struct dmt_v2_block block = { .form = changed.form };
			struct dmt_v2_packet packet;
			size_t front, size, count;

			changed.bytes[at] = (uint8_t)byte;
			if (dmt_v2_packet_decode(&packet, &changed.form,
			    changed.bytes, changed.len, &front) != DMTRACE_OK ||
			    packet.type != DMT_V2_EVENTS)
				continue;
			if (dmt_v2_block_measure(&size, &changed.form, &packet,
			    changed.bytes + front, changed.len - front,
			    true) == DMTRACE_ERR_CORRUPT)
				continue;
			ck_assert_uint_le(size, changed.len - front);
			dmt_v2_block_begin(&block, &packet,
			    changed.bytes + front, size, false);
			ck_assert_int_ne(decode_events(&block, events, 48,
			    &count), DMTRACE_ERR_MEMORY);
			ck_assert_uint_le(count, size + 1);
		}
		changed.bytes[at] = block_samples[_i].bytes[at];
	}
}
END_TEST

/* A number of eleven bytes, and one that needs 65 bits. */
START_TEST(refuses_numbers_that_are_too_long)
{
	static const uint8_t in[][13] = {
		{ 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		    0x00, 0, 0 },
		{ 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		    0x02, 0, 0 },
	};
	const struct dmt_v2_packet packet = { .type = DMT_V2_EVENTS };
	struct dmtrace_event event;
	size_t count;

	for (size_t i = 0; i < 2; i++) {
		struct dmt_v2_block block = { .form = FORM_E };

		dmt_v2_block_begin(&block, &packet, in[i], sizeof(in[i]),
		    false);
		ck_assert_int_eq(decode_events(&block, &event, 1, &count),
		    DMTRACE_ERR_CORRUPT);
		ck_assert_uint_eq(count, 0);
	}
}
END_TEST

/* Of one method, exit and enter in turn, with wall times 1, 2, 3, ... */
static void
assert_block(struct dmt_v2_block *block, const struct dmt_v2_packet *packet,
    const uint8_t *in, size_t len, uint64_t first_ns, size_t expected)
{
	struct dmtrace_event events[8];
	size_t count;

	dmt_v2_block_begin(block, packet, in, len, false);
	ck_assert_int_eq(decode_events(block, events, 8, &count),
	    DMTRACE_OK);
	ck_assert_uint_eq(count, expected);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(events[i].method, 0x7000);
		ck_assert_uint_eq(events[i].wall_ns, first_ns + i);
	}
}

/* enter 0x7000 at 1, exit at 2 */
static const uint8_t flush[] = { 0x80, 0xe0, 0x01, 0x01, 0x01, 0x01 };
/* and then enter at 3, exit at 4 */
static const uint8_t rest[] = { 0x7f, 0x01, 0x01, 0x01 };

START_TEST(count_wraps_and_size_is_the_truth)
{
	struct dmt_v2_packet packet = {
		.type = DMT_V2_EVENTS, .size = sizeof(flush)
	};
	struct dmt_v2_block block = { .form = { DMT_STAGE_E, false, true, 0 } };

	/* 0, as 262,144 of them would have; the largest; and the right one */
	for (uint32_t count = 0; count < 3; count++) {
		packet.count = count == 1 ? 0xffffff : count;
		assert_block(&block, &packet, flush, sizeof(flush), 1, 2);
	}
}
END_TEST

START_TEST(goes_on_with_a_block_cut_in_two)
{
	struct dmt_v2_packet packet = { .type = DMT_V2_EVENTS, .count = 2 };
	struct dmt_v2_block block = { .form = { DMT_STAGE_E, false, true, 0 } };

	assert_block(&block, &packet, flush, sizeof(flush), 1, 2);
	packet.count = 4;	/* of both */
	assert_block(&block, &packet, rest, sizeof(rest), 3, 2);
	packet.count = 6;
	assert_block(&block, &packet, rest, sizeof(rest), 5, 2);
	packet.count = 2;	/* a new flush */
	assert_block(&block, &packet, flush, sizeof(flush), 1, 2);
	packet.thread = 7;	/* of another thread: also one */
	packet.count = 4;
	assert_block(&block, &packet, flush, sizeof(flush), 1, 2);
}
END_TEST

/* After a count that wrapped to 0 both counts look the same. */
START_TEST(goes_on_after_a_count_of_0_by_the_first_method)
{
	struct dmt_v2_packet packet = { .type = DMT_V2_EVENTS, .count = 0 };
	struct dmt_v2_block block = { .form = { DMT_STAGE_E, false, true, 0 } };

	assert_block(&block, &packet, flush, sizeof(flush), 1, 2);
	packet.count = 2;
	assert_block(&block, &packet, rest, sizeof(rest), 3, 2);
	packet.count = 0;
	assert_block(&block, &packet, flush, sizeof(flush), 1, 2);
	packet.count = 2;
	assert_block(&block, &packet, flush, sizeof(flush), 1, 2);
}
END_TEST

START_TEST(times_before_stage_e_have_32_bits)
{
	static const uint8_t in[] = { 0x80, 0xe0, 0x01,
	    0xfe, 0xff, 0xff, 0xff, 0x0f, 0x01, 0x05, 0x01,
	    0xff, 0xff, 0xff, 0xff, 0x0f };
	const struct dmt_v2_packet packet = {
		.type = DMT_V2_EVENTS, .count = 3
	};
	static const struct {
		enum dmt_v2_stage stage;
		uint64_t wall_ns[3];
	} stages[] = {
		{ DMT_STAGE_C, { UINT64_C(4294967294000), 3000, 2000 } },
		{ DMT_STAGE_E, { 0xfffffffe, UINT64_C(0x100000003),
		    UINT64_C(0x200000002) } },
	};

	for (size_t i = 0; i < ROWS(stages); i++) {
		struct dmt_v2_block block = {
			.form = { stages[i].stage, false, true, 0 }
		};
		struct dmtrace_event events[3];
		size_t count;

		dmt_v2_block_begin(&block, &packet, in, sizeof(in), false);
		ck_assert_int_eq(decode_events(&block, events, 3, &count),
		    DMTRACE_OK);
		ck_assert_uint_eq(count, 3);
		for (size_t j = 0; j < 3; j++)
			ck_assert_uint_eq(events[j].wall_ns,
			    stages[i].wall_ns[j]);
	}
}
END_TEST

/* Ticks of a counter, once a second: one record at 2^34 s, which is 544 years,
 * and two at 2^35 s. */
START_TEST(times_of_more_than_64_bits_stay_the_highest)
{
	static const uint8_t in[] = {
	    0x80, 0x80, 0x80, 0x80, 0x80, 0x02, 0x80, 0xe0, 0x01,
	    0x80, 0x80, 0x80, 0x80, 0x80, 0x02, 0x00, 0x04, 0x00
	};
	static const uint64_t wall_ns[] = {
		(UINT64_C(1) << 34) * 1000000000, UINT64_MAX - 1, UINT64_MAX - 1
	};
	const struct dmt_v2_packet packet = {
		.type = DMT_V2_EVENTS, .count = 3
	};
	struct dmt_v2_block block = { .form = { DMT_STAGE_F, false, true, 1 } };
	struct dmtrace_event events[3];
	size_t count;

	dmt_v2_block_begin(&block, &packet, in, sizeof(in), false);
	ck_assert_int_eq(decode_events(&block, events, 3, &count), DMTRACE_OK);
	ck_assert_uint_eq(count, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_uint_eq(events[i].wall_ns, wall_ns[i]);
}
END_TEST

/* A random number: mostly short and positive, perhaps of ten bytes. */
static uint8_t *
put_random_number(uint8_t *out, uint64_t *seed)
{
	const uint64_t random = next_random(seed) >> 8;
	const unsigned kind = random % 64;
	const unsigned len = 1 + (kind < 60 ? kind % 5 : kind % 10);

	for (unsigned i = 1; i < len; i++)
		*out++ = (uint8_t)(0x80 | random >> 4 * i);
	*out++ = (uint8_t)(len == 10 ? 0 :
	    (random >> 40) & (kind % 8 == 0 ? 0x7f : 0x3f));
	return out;
}

/* What a plain decoder makes of records: how many are whole. */
static size_t
decode_plainly(const struct dmt_v2_form *form, const struct dmt_v2_columns *to,
    const uint8_t *in, size_t len)
{
	const bool is_f = form->stage >= DMT_STAGE_F;
	const unsigned bits = form->stage == DMT_STAGE_LONG ? 1 : 2;
	const uint64_t mask =
	    form->stage == DMT_STAGE_C ? UINT32_MAX : UINT64_MAX;
	uint64_t word = 0, wall = 0, cpu = 0, time = 0;
	size_t count = 0;

	for (;; count++) {
		uint64_t numbers[3] = { 0, 0, 0 };
		const unsigned times = (unsigned)form->cpu + form->wall;

		for (unsigned i = 0; i <= times; i++) {
			if (is_f && i == times && ((time + numbers[0]) &
			    ((1u << bits) - 1)) != DMTRACE_ENTER)
				break;
			const int used = is_f || i == 0 ?
			    dmt_sleb_get(in, len, &numbers[i]) :
			    dmt_uleb_get(in, len, &numbers[i]);
			if (used <= 0)
				return count;
			in += used;
			len -= (size_t)used;
		}
		if (is_f) {
			time += numbers[0];
			const unsigned action = time & ((1u << bits) - 1);
			word += action == DMTRACE_ENTER ? numbers[times] : 0;
			to->words[count] = action == DMTRACE_ENTER ?
			    word & ~UINT64_C(3) : action;
			(form->wall ? to->wall : to->cpu)[count] =
			    time >> bits;
			if (times == 2)
				to->cpu[count] = numbers[1];
			continue;
		}
		to->words[count] = word += numbers[0];
		if (form->wall)
			to->wall[count] = wall = (wall + numbers[1]) & mask;
		if (form->cpu)
			to->cpu[count] = cpu = (cpu + numbers[times]) & mask;
	}
}

/* Whether the events have what dmt_v2_block_decode calls unusual. */
static bool
has_unusual(const struct dmt_v2_form *form, const struct dmt_v2_columns *events,
    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t wall = form->wall ? events->wall[i] : 0;
		const uint64_t cpu = form->cpu ? events->cpu[i] : 0;

		if ((events->words[i] & 3) == DMTRACE_RESERVED ||
		    (wall | cpu) >> 63 != 0 || (i > 0 &&
		    ((form->wall && wall < events->wall[i - 1]) ||
		    (form->cpu && cpu < events->cpu[i - 1]))))
			return true;
	}
	return false;
}

static const struct dmt_v2_form random_forms[] = {
	FORM_C, FORM_E, FORM_F, FORM_LONG,
	{ DMT_STAGE_C, true, false, 0 },
	{ DMT_STAGE_F, true, false, 0 },
	{ DMT_STAGE_F, false, true, 0 },
};

START_TEST(decodes_random_records_as_a_plain_decoder)
{
	enum { MANY = 200 };
	const struct dmt_v2_form *const form = &random_forms[_i];
	uint64_t words[MANY], cpu[MANY], wall[MANY];
	uint64_t expected_words[MANY], expected_cpu[MANY], expected_wall[MANY];
	const struct dmt_v2_columns to = { words, cpu, wall };
	const struct dmt_v2_columns expected = {
		expected_words, expected_cpu, expected_wall
	};
	uint64_t seed = 20 + (unsigned)_i;
	size_t count, usual = 0;

	for (int run = 0; run < 2000; run++) {
		const size_t len = next_random(&seed) % MANY;
		uint8_t numbers[MANY + DMT_LEB_MAX], *end = numbers;
		/* a copy, so that a tool sees a read past its end */
		uint8_t *const in = malloc(len + 1);
		struct dmt_v2_block block = { .form = *form };
		const struct dmt_v2_packet packet = { .type = DMT_V2_EVENTS };

		while (end < numbers + len)
			end = put_random_number(end, &seed);
		memcpy(in, numbers, len);
		dmt_v2_block_begin(&block, &packet, in, len, true);
		const size_t records =
		    decode_plainly(form, &expected, in, len);
		enum dmtrace_status status;
		size_t done = 0;
		do {
			status = dmt_v2_block_decode(&block, &to, 8, &count);
			ck_assert_uint_le(done + count, records);
			ck_assert_mem_eq(words, expected_words + done,
			    count * sizeof(*words));
			if (form->wall)
				ck_assert_mem_eq(wall, expected_wall + done,
				    count * sizeof(*wall));
			if (form->cpu)
				ck_assert_mem_eq(cpu, expected_cpu + done,
				    count * sizeof(*cpu));
			ck_assert(block.unusual ||
			    !has_unusual(form, &to, count));
			usual += !block.unusual;
			done += count;
		} while (status == DMTRACE_OK && count > 0);
		ck_assert_uint_eq(done, records);
		free(in);
	}
	ck_assert_uint_gt(usual, 20);
}
END_TEST

/* In stage B size and count are both modulo 65,536. */
START_TEST(measures_a_long_block_of_stage_b)
{
	enum { RECORDS = 70000, SIZE = 2 * RECORDS };
	const struct dmt_v2_form form = { DMT_STAGE_B, false, true, 0 };
	const struct dmt_v2_packet packet = {
		.type = DMT_V2_EVENTS,
		.count = RECORDS - 65536, .size = SIZE - 2 * 65536,
	};
	static const uint8_t summary[] = { 3, 1, 0, '*' };
	uint8_t *in = malloc(SIZE + sizeof(summary));
	size_t size;

	memset(in, 1, SIZE);
	memcpy(in + SIZE, summary, sizeof(summary));
	ck_assert_int_eq(dmt_v2_block_measure(&size, &form, &packet, in,
	    SIZE + sizeof(summary), false), DMTRACE_OK);
	ck_assert_uint_eq(size, SIZE);
	ck_assert_int_eq(dmt_v2_block_measure(&size, &form, &packet, in,
	    SIZE, true), DMTRACE_OK);
	ck_assert_int_eq(dmt_v2_block_measure(&size, &form, &packet, in,
	    SIZE, false), DMTRACE_ERR_TRUNCATED);
	in[SIZE] = 77;		/* begins no packet */
	ck_assert_int_eq(dmt_v2_block_measure(&size, &form, &packet, in,
	    SIZE + 1, true), DMTRACE_ERR_TRUNCATED);
	ck_assert_uint_eq(size, SIZE + 1);
	memset(in, 0x80, 11);
	ck_assert_int_eq(dmt_v2_block_measure(&size, &form, &packet, in,
	    SIZE, true), DMTRACE_ERR_CORRUPT);
	free(in);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("v2_decode");
	TCase *tcase = unit_tcase(suite, "v2_decode");

	ADD_CASES(tcase, decodes_packets, packet_samples);
	ADD_CASES(tcase, refuses_every_short_packet, packet_samples);
	tcase_add_test(tcase, refuses_bytes_that_begin_no_packet);
	tcase_add_test(tcase, the_header_has_no_data_offset);
	ADD_CASES(tcase, decodes_blocks, block_samples);
	ADD_CASES(tcase, decodes_blocks_by_pieces, block_samples);
	ADD_CASES(tcase, decodes_what_there_is_of_a_block, block_samples);
	ADD_CASES(tcase, every_changed_byte_ends_in_a_status, block_samples);
	tcase_add_test(tcase, refuses_numbers_that_are_too_long);
	tcase_add_test(tcase, count_wraps_and_size_is_the_truth);
	tcase_add_test(tcase, goes_on_with_a_block_cut_in_two);
	tcase_add_test(tcase, goes_on_after_a_count_of_0_by_the_first_method);
	tcase_add_test(tcase, times_before_stage_e_have_32_bits);
	tcase_add_test(tcase, times_of_more_than_64_bits_stay_the_highest);
	ADD_CASES(tcase, decodes_random_records_as_a_plain_decoder,
	    random_forms);
	tcase_add_test(tcase, measures_a_long_block_of_stage_b);
	return unit_main(suite);
}
