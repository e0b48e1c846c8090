/* digest.c - names and events as numbers that look random */

/*
 * A hash of 128 bits is two of 64, the halves, each by the same steps with
 * constants of its own. A name is hashed byte by byte (FNV-1a), and the bits
 * are mixed at the end. An event is hashed by those who have it (digest.h): it
 * adds its action and times, each times a constant, to the hashes of its thread
 * and method, and is mixed once. Hashes of events are added up, so that their
 * order does not matter.
 */

#include "ops/digest.h"

#include "base/bytes.h"
#include "private/ops.h"

/* A hash of both halves under way. */
struct state {
	struct dmtrace_sum hash;
};

static void
digest_bytes(struct state *state, const void *bytes, size_t len)
{
	const uint8_t *const in = bytes;

	for (size_t i = 0; i < len; i++) {
		state->hash.low = (state->hash.low ^ in[i]) *
		    dmt_digest_low.step;
		state->hash.high = (state->hash.high ^ in[i]) *
		    dmt_digest_high.step;
	}
}

static void
digest_text(struct state *state, const struct dmtrace_text *text)
{
	digest_bytes(state, text->bytes, text->len);
}

/* Dalvik writes com/a/B, ART com.a.B. */
static void
put_class(struct state *state, const struct dmtrace_text *text)
{
	for (size_t i = 0; i < text->len; i++)
		digest_bytes(state, text->bytes[i] == '.' ? "/" :
		    text->bytes + i, 1);
}

static struct dmtrace_sum
finish_digest(const struct state *state)
{
	return (struct dmtrace_sum){
		.high = dmt_digest_mix(state->hash.high),
		.low = dmt_digest_mix(state->hash.low),
	};
}

/* No name has a line end in it. A method without a name goes by its id. */
struct dmtrace_sum
dmt_digest_method(const struct dmtrace_method *row, uint64_t id)
{
	struct state state = {
		{ dmt_digest_high.method, dmt_digest_low.method }
	};
	uint8_t bytes[8];

	if (row != NULL && row->name.len > 0) {
		put_class(&state, &row->class_name);
		digest_bytes(&state, "\n", 1);
		digest_text(&state, &row->name);
		digest_bytes(&state, "\n", 1);
		digest_text(&state, &row->signature);
	} else {
		dmt_put_le64(bytes, id);
		digest_bytes(&state, "\n\n\n", 3);
		digest_bytes(&state, bytes, sizeof(bytes));
	}
	return finish_digest(&state);
}

struct dmtrace_sum
dmt_digest_thread(const struct dmtrace_thread *row, uint32_t number)
{
	struct state state = {
		{ dmt_digest_high.thread, dmt_digest_low.thread }
	};
	uint8_t bytes[4];

	if (row != NULL) {
		digest_text(&state, &row->name);
	} else {
		dmt_put_le32(bytes, number);
		digest_bytes(&state, "\n", 1);
		digest_bytes(&state, bytes, sizeof(bytes));
	}
	return finish_digest(&state);
}

void
dmt_sum_add(struct dmtrace_sum *sum, const struct dmtrace_sum *other)
{
	dmt_digest_add(sum, other->high, other->low);
}
