/* spec_names.c - what methods and threads may be called */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "verify/spec.h"

uint64_t
dmt_name_hash(const char *bytes, size_t len)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++) {
		const char byte = bytes[i] == '/' ? '.' : bytes[i];

		hash = (hash ^ (unsigned char)byte) *
		    UINT64_C(0x100000001b3);
	}
	return hash;
}

static bool
is_name(const struct dmt_word *word, bool regex)
{
	return word->quoted || (memchr(word->bytes, '*', word->len) == NULL &&
	    memchr(word->bytes, '?', word->len) == NULL &&
	    !(regex && word->bytes[0] == '/'));
}

static bool
compile(struct dmtrace_spec *spec, struct dmt_wanted *wanted, bool regex,
    uint64_t line)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };
	char *const words = dmt_arena_alloc(&spec->arena,
	    wanted->word.len + 1);

	if (words == NULL) {
		dmt_error_memory(&spec->error);
		return false;
	}
	memcpy(words, wanted->word.bytes, wanted->word.len);
	words[wanted->word.len] = '\0';
	if (dmt_pattern_init(&wanted->pattern, words, regex, &error) ==
	    DMTRACE_OK)
		return true;
	dmt_pattern_fini(&wanted->pattern);
	if (error.status == DMTRACE_ERR_MEMORY)
		dmt_error_memory(&spec->error);
	else
		dmt_spec_wrong(spec, line, "%s", error.words);
	return false;
}

bool
dmt_wanted_init(struct dmtrace_spec *spec, struct dmt_wanted *wanted,
    const struct dmt_word *word, bool regex, uint64_t line)
{
	*wanted = (struct dmt_wanted){
		.word = *word, .is_name = is_name(word, regex),
		.hash = dmt_name_hash(word->bytes, word->len),
		.same = DMT_NONE, .use = DMT_NONE
	};
	return wanted->is_name || compile(spec, wanted, regex, line);
}

/* A pattern that was there before. */
static uint32_t
find(const struct dmtrace_spec *spec, const struct dmt_word *word,
    uint64_t hash)
{
	const uint32_t *const last = dmt_idmap_find(&spec->by_hash, hash);
	uint32_t i = last == NULL ? DMT_NONE : *last;

	while (i != DMT_NONE) {
		const struct dmt_wanted *const wanted = &spec->patterns[i];

		if (wanted->is_name == is_name(word, true) &&
		    wanted->word.len == word->len && memcmp(
		    wanted->word.bytes, word->bytes, word->len) == 0)
			break;
		i = wanted->same;
	}
	return i;
}

static bool
keep_glob(struct dmtrace_spec *spec, uint32_t index)
{
	uint32_t *const globs = dmt_array_grow(spec->globs,
	    &spec->glob_capacity, spec->glob_count + 1, sizeof(*globs));

	if (globs == NULL)
		return false;
	spec->globs = globs;
	globs[spec->glob_count++] = index;
	return true;
}

/* By its hash, before those that have the same. */
static bool
keep_hash(struct dmtrace_spec *spec, struct dmt_wanted *wanted,
    uint32_t index)
{
	uint32_t *const last = dmt_idmap_find(&spec->by_hash, wanted->hash);

	if (last == NULL)
		return dmt_idmap_add(&spec->by_hash, wanted->hash, index);
	wanted->same = *last;
	*last = index;
	return true;
}

static bool
add(struct dmtrace_spec *spec, const struct dmt_word *word, uint64_t line)
{
	const uint32_t index = (uint32_t)spec->pattern_count;
	struct dmt_wanted *const patterns = dmt_array_grow(spec->patterns,
	    &spec->pattern_capacity, spec->pattern_count + 1,
	    sizeof(*patterns));

	if (patterns == NULL) {
		dmt_error_memory(&spec->error);
		return false;
	}
	spec->patterns = patterns;
	if (!dmt_wanted_init(spec, &patterns[index], word, true, line))
		return false;
	spec->pattern_count++;
	if (keep_hash(spec, &patterns[index], index) &&
	    (patterns[index].is_name || keep_glob(spec, index)))
		return true;
	dmt_error_memory(&spec->error);
	return false;
}

bool
dmt_spec_pattern(struct dmtrace_spec *spec, const struct dmt_word *word,
    uint64_t line, uint32_t *index)
{
	if (word->none) {
		dmt_spec_wrong(spec, line, "no method is named");
		return false;
	}
	*index = find(spec, word, dmt_name_hash(word->bytes, word->len));
	if (*index != DMT_NONE)
		return true;
	*index = (uint32_t)spec->pattern_count;
	return add(spec, word, line);
}
