/* text_damage.c - undoes the damage of a program that treats data as text */

/*
 * Programs that convert text, such as line ends or character sets, replace
 * bytes by other sequences when they are applied to data. Each kind of damage
 * is undone from left to right, one original byte at a time: a function looks
 * at the next bytes and returns the byte that they were made of. A byte that
 * became U+FFFD is lost; a zero takes its place, so that the offsets of later
 * bytes stay right.
 *
 * The same functions detect damage. A conversion replaces all bytes of a kind,
 * so a single one that is left proves that it was not done; and its results
 * are too frequent to be accidental. If there are too few bytes to be sure, or
 * the damage is not complete, the damage is undone, and the records are
 * checked for sense (ops/repair/find_records.c).
 */

#include "data/text_damage.h"
#include "private/utf8.h"


#define REPLACEMENT 0xfffd
#define SURE 8			/* so many cannot be accidental */
#define VARIETY 4		/* so many different ones cannot be, either */

/* How each damage is detected. */
static const struct {
	const char *description;
	size_t longest;			/* longest sequence, which may be cut
					   at the end of the bytes */
	size_t sure;			/* so many sequences cannot be
					   accidental, */
	size_t variety;			/* if so many differ: a single one that
					   repeats may be an id */
} damages[] = {
	[DMT_TEXT_CRLF] = { "every LF has become CR LF", 1, SURE, 0 },
	[DMT_TEXT_LOSSY] = { "every byte of 80 or more has become EF BF BD",
	    3, SURE, 0 },
	[DMT_TEXT_CHARACTERS] = {
	    "every byte of 80 or more has become a character",
	    4, 2 * SURE, VARIETY },
};

/* The characters of bytes 0x80 to 0x9f in Windows-1252; 0: none. */
static const uint16_t windows[32] = {
	0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
	0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0,
	0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
	0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178
};

static struct dmt_text_byte
undo_crlf(const uint8_t *in, size_t len)
{
	if (in[0] != '\r' || len < 2 || in[1] != '\n')
		return (struct dmt_text_byte){ .byte = in[0], .used = 1 };
	return (struct dmt_text_byte){ .byte = '\n', .changed = true,
	    .used = 2 };
}

static struct dmt_text_byte
undo_characters(const uint8_t *in, size_t len)
{
	uint32_t code;
	const size_t used = dmt_utf8_decode(&code, (const char *)in, len);

	if (used == 1)
		return (struct dmt_text_byte){ .byte = in[0], .used = 1 };
	if (used == 0)
		return (struct dmt_text_byte){ .used = 0 };
	struct dmt_text_byte byte = { .changed = true, .code = code,
	    .used = used };
	if (code == REPLACEMENT) {
		byte.lost = true;
		return byte;
	}
	for (unsigned i = 0; i < 32; i++)
		if (windows[i] == code)
			code = 0x80 + i;
	byte.foreign = code > 0xff;
	byte.byte = (uint8_t)code;
	return byte;
}

static struct dmt_text_byte
undo_lossy(const uint8_t *in, size_t len)
{
	uint32_t code;
	const size_t used = dmt_utf8_decode(&code, (const char *)in, len);

	if (used != 3 || code != REPLACEMENT)
		return (struct dmt_text_byte){ .byte = in[0], .used = 1 };
	return (struct dmt_text_byte){ .lost = true, .changed = true,
	    .code = code, .used = used };
}

struct dmt_text_byte
dmt_text_undo_byte(enum dmt_text_damage damage, const uint8_t *in, size_t len)
{
	switch (damage) {
	case DMT_TEXT_CRLF:
		return undo_crlf(in, len);
	case DMT_TEXT_CHARACTERS:
		return undo_characters(in, len);
	default:
		return undo_lossy(in, len);
	}
}

bool
dmt_text_undo(enum dmt_text_damage damage, const uint8_t *in, size_t len,
    uint8_t *out, size_t *out_len)
{
	bool changed = false;

	*out_len = 0;
	for (size_t at = 0; at < len;) {
		const struct dmt_text_byte byte =
		    dmt_text_undo_byte(damage, in + at, len - at);

		/* The last few bytes may be the beginning of a sequence. */
		if (byte.used == 0 || byte.foreign)
			return len - at <= 3 && changed;
		changed |= byte.changed;
		out[(*out_len)++] = byte.byte;
		at += byte.used;
	}
	return changed;
}

/* Returns true if all bytes have this damage. */
static bool
is_damaged(enum dmt_text_damage damage, const uint8_t *bytes, size_t len)
{
	uint32_t codes[VARIETY];
	size_t found = 0, count = 0;

	for (size_t at = 0; at < len;) {
		const struct dmt_text_byte byte =
		    dmt_text_undo_byte(damage, bytes + at, len - at);
		const bool spared = !byte.changed && (damage ==
		    DMT_TEXT_CRLF ? bytes[at] == '\n' : bytes[at] >= 0x80);

		if (spared && len - at < damages[damage].longest)
			break;
		if (spared)
			return false;
		at += byte.used;
		if (!byte.changed)
			continue;
		found++;
		size_t other = 0;
		while (other < count && codes[other] != byte.code)
			other++;
		if (other == count && count < VARIETY)
			codes[count++] = byte.code;
	}
	return found >= damages[damage].sure &&
	    count >= damages[damage].variety;
}

enum dmt_text_damage
dmt_text_damage_find(const uint8_t *bytes, size_t len)
{
	unsigned damage = 0;

	while (damage < DMT_TEXT_DAMAGES &&
	    !is_damaged((enum dmt_text_damage)damage, bytes, len))
		damage++;
	return (enum dmt_text_damage)damage;
}

const char *
dmt_text_damage_description(enum dmt_text_damage damage)
{
	return damages[damage].description;
}
