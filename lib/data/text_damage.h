/* text_damage.h - data that a program has taken for text */
#ifndef DMT_DATA_TEXT_DAMAGE_H
#define DMT_DATA_TEXT_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was done to the bytes. */
enum dmt_text_damage {
	DMT_TEXT_CRLF,			/* LF became CR LF */
	DMT_TEXT_CHARACTERS,		/* each byte became a character, in
					   Latin-1 or Windows-1252, and that
					   became UTF-8 */
	DMT_TEXT_LOSSY,			/* what is not UTF-8 became U+FFFD */
	DMT_TEXT_DAMAGES		/* nothing */
};

/* One byte put back. */
struct dmt_text_byte {
	uint8_t byte;
	bool lost;			/* its place is known, no more */
	bool changed;			/* it was another byte, or several */
	bool foreign;			/* a character that no byte became */
	uint32_t code;			/* of the character, if changed */
	size_t used;			/* bytes that it became; 0: they are
					   not of this damage, or more are
					   needed to know it */
};

/* Which byte the first ones of len, at least 1, were before. */
struct dmt_text_byte
dmt_text_undo_byte(enum dmt_text_damage damage, const uint8_t *in,
    size_t len);

/*
 * Undoes it for len bytes, into out, which has room for so many; *out_len is
 * how many they are. A byte that is lost is 0. false: this damage was not done
 * to them.
 */
bool
dmt_text_undo(enum dmt_text_damage damage, const uint8_t *in, size_t len,
    uint8_t *out, size_t *out_len);

/* The damage that the first len bytes of data alone show for sure, of any
 * character set; DMT_TEXT_DAMAGES: none. */
enum dmt_text_damage
dmt_text_damage_find(const uint8_t *bytes, size_t len);

/* "every LF has become CR LF" */
const char *
dmt_text_damage_description(enum dmt_text_damage damage);

#endif
