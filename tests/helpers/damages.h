/* damages.h - one damage to a trace, of the kinds that files meet */

#ifndef DAMAGES_H
#define DAMAGES_H

#include "helpers/changes.h"

enum damage {
	DAMAGE_NONE,
	DAMAGE_FLIP_RECORD,		/* one bit */
	DAMAGE_FLIP_HEADER,
	DAMAGE_FLIP_KEY,
	DAMAGE_BLOCK_LOST,		/* bytes, anywhere after the header */
	DAMAGE_BLOCK_ZERO,
	DAMAGE_TAIL_CUT,
	DAMAGE_CRLF,			/* copied as text: LF became CR LF, */
	DAMAGE_LF,			/* or CR LF became LF, */
	DAMAGE_REPLACED,		/* or what is not ASCII EF BF BD */
	DAMAGE_BLANKS,			/* for TABs */
	DAMAGE_EXITS_DROPPED,
	DAMAGE_TIME_BACK,		/* of one record, or of all that */
	DAMAGE_TIME_STEP,		/* follow in its thread */
	DAMAGES
};

static inline size_t
damage_key_len(const struct made *made)
{
	return made->records_at - 32;
}

static inline char *
damage_record(const struct made *made, uint64_t index)
{
	return made->bytes + made->records_at + index * made->record_size;
}

static inline uint64_t
damage_count(const struct made *made)
{
	return (made->len - made->records_at) / made->record_size;
}

static inline unsigned
damage_thread(const struct made *made, uint64_t index)
{
	const unsigned char *const in =
	    (unsigned char *)damage_record(made, index);

	return made->record_size == 9 ? in[0] : in[0] | in[1] << 8;
}

static inline char *
damage_action(const struct made *made, uint64_t index)
{
	return damage_record(made, index) + (made->record_size == 9 ? 1 : 2);
}

static inline void
damage_flip(struct made *made, size_t from, size_t len, uint64_t *seed)
{
	made->bytes[from + next_random(seed) % len] ^=
	    (char)(1 << next_random(seed) % 8);
}

static inline void
damage_cut(struct made *made, size_t from, size_t len)
{
	memmove(made->bytes + from, made->bytes + from + len,
	    made->len - from - len);
	made->len -= len;
}

/* len bytes in place of the one at. */
static inline void
damage_put(struct made *made, size_t at, const char *bytes, size_t len)
{
	made->bytes = realloc(made->bytes, made->len + len);
	ck_assert_ptr_nonnull(made->bytes);
	memmove(made->bytes + at + len, made->bytes + at + 1,
	    made->len - at - 1);
	memcpy(made->bytes + at, bytes, len);
	made->len += len - 1;
}

static inline void
damage_as_text(struct made *made, enum damage kind)
{
	for (size_t i = made->len; i-- > 0;) {
		const unsigned char byte = (unsigned char)made->bytes[i];

		if (kind == DAMAGE_CRLF && byte == '\n')
			damage_put(made, i, "\r\n", 2);
		else if (kind == DAMAGE_LF && byte == '\n' && i > 0 &&
		    made->bytes[i - 1] == '\r')
			damage_cut(made, i - 1, 1);
		else if (kind == DAMAGE_REPLACED && byte >= 0x80)
			damage_put(made, i, "\xef\xbf\xbd", 3);
	}
}

static inline void
damage_tabs(struct made *made)
{
	for (size_t i = damage_key_len(made); i-- > 0;)
		if (made->bytes[i] == '\t')
			damage_put(made, i, "    ", 4);
}

/* One exit of eight or so. */
static inline void
damage_exits(struct made *made, uint64_t *seed)
{
	for (uint64_t i = damage_count(made); i-- > 0;)
		if ((*damage_action(made, i) & 3) != 0 &&
		    next_random(seed) % 8 == 0)
			damage_cut(made, (size_t)(damage_record(made, i) -
			    made->bytes), made->record_size);
}

/* The last field, of 4 bytes, modulo 2^32. */
static inline void
damage_time(struct made *made, uint64_t index, uint32_t by)
{
	unsigned char *const in = (unsigned char *)
	    damage_record(made, index) + made->record_size - 4;
	const uint32_t time = (in[0] | in[1] << 8 | in[2] << 16 |
	    (uint32_t)in[3] << 24) + by;

	for (int i = 0; i < 4; i++)
		in[i] = (unsigned char)(time >> 8 * i);
}

static inline void
damage_times(struct made *made, enum damage kind, uint64_t *seed)
{
	const uint64_t count = damage_count(made);
	const uint64_t first = count / 2 + next_random(seed) % (count / 4);
	const uint32_t by = (uint32_t)next_random(seed) % 100000;

	if (kind == DAMAGE_TIME_BACK)
		damage_time(made, first, 0 - by - 1);
	for (uint64_t i = first; kind == DAMAGE_TIME_STEP && i < count; i++)
		if (damage_thread(made, i) == damage_thread(made, first))
			damage_time(made, i, *seed % 2 == 0 ? by : 0 - by);
}

/* After the header. */
static inline void
damage_block(struct made *made, enum damage kind, uint64_t *seed)
{
	const size_t len = 1 + next_random(seed) % 300;
	const size_t from = made->records_at +
	    next_random(seed) % (made->len - made->records_at - len);

	if (kind == DAMAGE_BLOCK_LOST)
		damage_cut(made, from, len);
	else
		memset(made->bytes + from, 0, len);
}

/* made is a trace of 120 records at least, or what is left of one that was
 * damaged before; seed is not 0. */
static inline void
damage(struct made *made, enum damage kind, uint64_t seed)
{
	const size_t key_len = damage_key_len(made);

	for (int i = 0; i < 8; i++)
		next_random(&seed);
	if (made->len < made->records_at + 1000)
		return;			/* there is not much left */
	switch (kind) {
	case DAMAGE_FLIP_RECORD:
		damage_flip(made, made->records_at,
		    made->len - made->records_at, &seed);
		break;
	case DAMAGE_FLIP_HEADER:
		damage_flip(made, key_len, 32, &seed);
		break;
	case DAMAGE_FLIP_KEY:
		damage_flip(made, 0, key_len, &seed);
		break;
	case DAMAGE_BLOCK_LOST:
	case DAMAGE_BLOCK_ZERO:
		damage_block(made, kind, &seed);
		break;
	case DAMAGE_TAIL_CUT:
		made->len -= 1 + next_random(&seed) % (made->len - 100);
		break;
	case DAMAGE_CRLF:
	case DAMAGE_LF:
	case DAMAGE_REPLACED:
		damage_as_text(made, kind);
		break;
	case DAMAGE_BLANKS:
		damage_tabs(made);
		break;
	case DAMAGE_EXITS_DROPPED:
		damage_exits(made, &seed);
		break;
	case DAMAGE_TIME_BACK:
	case DAMAGE_TIME_STEP:
		damage_times(made, kind, &seed);
		break;
	default:
		break;
	}
}

#endif
