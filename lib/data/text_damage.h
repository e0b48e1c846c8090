/* text_damage.h - undoes the damage of a program that treats data as text */
#ifndef DMT_DATA_TEXT_DAMAGE_H
#define DMT_DATA_TEXT_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of damage. */
enum dmt_text_damage {
	DMT_TEXT_CRLF,			/* LF became CR LF */
	DMT_TEXT_CHARACTERS,		/* each byte became a character, as if
					   it were Latin-1 or Windows-1252,
					   written as UTF-8 */
	DMT_TEXT_LOSSY,			/* bytes that are not UTF-8 became
					   U+FFFD */
	DMT_TEXT_DAMAGES		/* none */
};

/* An original byte. */
struct dmt_text_byte {
	uint8_t byte;
	bool lost;			/* its value is unknown */
	bool changed;			/* it had been replaced */
	bool foreign;			/* a character that this damage does
					   not make */
	uint32_t code;			/* the character, if changed */
	size_t used;			/* bytes that it had become; 0: they
					   are not of this damage, or more
					   bytes are needed */
};

/* Returns the original of the first of len bytes, at least 1. */
struct dmt_text_byte
dmt_text_undo_byte(enum dmt_text_damage damage, const uint8_t *in,
    size_t len);

/*
 * Undoes the damage of len bytes. out has space for len bytes; *out_len is the
 * number of original bytes. A lost byte is 0. false: the bytes do not have
 * this damage.
 */
bool
dmt_text_undo(enum dmt_text_damage damage, const uint8_t *in, size_t len,
    uint8_t *out, size_t *out_len);

/* Returns the damage that the first len bytes of data prove; DMT_TEXT_DAMAGES:
 * none. */
enum dmt_text_damage
dmt_text_damage_find(const uint8_t *bytes, size_t len);

/* Returns a text such as "every LF has become CR LF". */
const char *
dmt_text_damage_description(enum dmt_text_damage damage);

#endif
