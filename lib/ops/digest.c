/* digest.c - 128-bit hashes of names and events */

/*
 * A hash of 128 bits is two independent hashes of 64 bits, the halves,
 * computed in the same way with different constants. A name is hashed byte by
 * byte (FNV-1a), and its bits are mixed at the end. An event is hashed by the
 * callers (digest.h): its action and times, each multiplied by a constant, are
 * added to the hashes of its thread and method, and the sum is mixed. Hashes
 * of events are added, so that their order does not matter.
 */

#include "ops/digest.h"

#include "base/bytes.h"
#include "private/ops.h"

static void
digest_bytes(struct dmtrace_sum *hash, const void *bytes, size_t len)
{
	const uint8_t *const in = bytes;

	for (size_t i = 0; i < len; i++) {
		hash->low = (hash->low ^ in[i]) * dmt_digest_low.step;
		hash->high = (hash->high ^ in[i]) * dmt_digest_high.step;
	}
}

static void
digest_text(struct dmtrace_sum *hash, const struct dmtrace_text *text)
{
	digest_bytes(hash, text->bytes, text->len);
}

/* Hashes a class; com/a/B, as Dalvik writes it, is the same as com.a.B of
 * ART. */
static void
digest_class(struct dmtrace_sum *hash, const struct dmtrace_text *text)
{
	for (size_t i = 0; i < text->len; i++)
		digest_bytes(hash, text->bytes[i] == '.' ? "/" :
		    text->bytes + i, 1);
}

static struct dmtrace_sum
finish_digest(const struct dmtrace_sum *hash)
{
	return (struct dmtrace_sum){
		.high = dmt_digest_mix(hash->high),
		.low = dmt_digest_mix(hash->low),
	};
}

/* A line end separates the names, as no name contains one. A method without a
 * name is hashed by its id. */
struct dmtrace_sum
dmt_digest_method(const struct dmtrace_method *row, uint64_t id)
{
	struct dmtrace_sum hash =
	    { dmt_digest_high.method, dmt_digest_low.method };
	uint8_t bytes[8];

	if (row != NULL && row->name.len > 0) {
		digest_class(&hash, &row->class_name);
		digest_bytes(&hash, "\n", 1);
		digest_text(&hash, &row->name);
		digest_bytes(&hash, "\n", 1);
		digest_text(&hash, &row->signature);
	} else {
		dmt_put_le64(bytes, id);
		digest_bytes(&hash, "\n\n\n", 3);
		digest_bytes(&hash, bytes, sizeof(bytes));
	}
	return finish_digest(&hash);
}

struct dmtrace_sum
dmt_digest_thread(const struct dmtrace_thread *row, uint32_t number)
{
	struct dmtrace_sum hash =
	    { dmt_digest_high.thread, dmt_digest_low.thread };
	uint8_t bytes[4];

	if (row != NULL) {
		digest_text(&hash, &row->name);
	} else {
		dmt_put_le32(bytes, number);
		digest_bytes(&hash, "\n", 1);
		digest_bytes(&hash, bytes, sizeof(bytes));
	}
	return finish_digest(&hash);
}

void
dmt_sum_add(struct dmtrace_sum *sum, const struct dmtrace_sum *other)
{
	dmt_digest_add(sum, other->high, other->low);
}
