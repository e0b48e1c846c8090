/* merge_methods.c - merges the method tables of the inputs */

/*
 * Two rows are the same method if their texts are equal; "/" and "." in
 * classes are equivalent. A method without a name is never equal to another.
 * Rows are found by a hash of their texts. Inputs usually come from one
 * program and have their methods in the same order, so the row after the last
 * one found is tried first. A method keeps its id if no other method has it;
 * otherwise it gets the lowest free one.
 *
 * The map of an input leads from its indexes to ids of the output. Inputs
 * whose maps are equal share one, until one of them has a method that its key
 * does not list.
 */

#include "ops/merge/merge_methods.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/hash.h"
#include "key/key.h"
#include "key/number.h"
#include "private/key.h"
#include "private/text.h"

#define ID_MAX UINT32_C(0xfffffffc)	/* every layout can hold it */
#define NO_METHOD 3		/* no id: the two low bits of ids are 0 */

/* Returns true for a byte that would end a line or a column of the key. */
static bool
ends_column(char byte)
{
	return byte == '\t' || byte == '\n' || byte == '\r' || byte == '\0';
}

bool
dmt_merge_mend(struct dmt_arena *arena, struct dmtrace_text *name,
    uint64_t *changed)
{
	size_t plain = 0;

	while (plain < name->len && !ends_column(name->bytes[plain]))
		plain++;
	if (plain == name->len)
		return true;
	char *const bytes = dmt_arena_alloc(arena, name->len);
	if (bytes == NULL)
		return false;
	for (size_t i = 0; i < name->len; i++)
		bytes[i] = ends_column(name->bytes[i]) ? '?' : name->bytes[i];
	name->bytes = bytes;
	++*changed;
	return true;
}

static const struct dmtrace_text unknown = { "?", 1 };

/* Changes a row so that a key accepts it: replaces bytes that a name may not
 * contain, and makes a row without a name have at least four columns. false:
 * no memory. */
static bool
mend_row(struct dmt_merge_methods *methods, struct dmtrace_method *method)
{
	struct dmtrace_text *const texts[] = { &method->class_name,
	    &method->name, &method->signature, &method->file };
	int32_t line;

	method->id &= ~UINT64_C(3);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!dmt_merge_mend(methods->arena, texts[i],
		    &methods->renamed))
			return false;
	if (method->class_name.len == 0 && (method->name.len == 0 ||
	    method->signature.len > 0 || method->file.len > 0 ||
	    method->line != DMTRACE_NO_LINE)) {
		method->class_name = unknown;
		methods->renamed += method->name.len > 0;
	}
	/* Without a file, a line number or a number as the signature would be
	 * read as another column. */
	if (method->file.len == 0 && (method->line != DMTRACE_NO_LINE ||
	    (method->class_name.len > 0 &&
	    dmt_line_number_decode(&line, method->signature)))) {
		method->file = unknown;
		methods->renamed++;
	}
	return true;
}

static uint64_t
hash_text(uint64_t sum, const struct dmtrace_text *text)
{
	return dmt_hash_byte(dmt_hash_class(sum, text->bytes, text->len),
	    '\n');
}

static uint64_t
hash_row(const struct dmt_merge_methods *methods,
    const struct dmtrace_method *method)
{
	uint64_t sum = DMT_HASH ^ (uintptr_t)methods;

	sum = hash_text(sum, &method->class_name);
	sum = hash_text(sum, &method->name);
	sum = hash_text(sum, &method->signature);
	sum = hash_text(sum, &method->file);
	return sum ^ (uint32_t)method->line;
}

static bool
same_method(const struct dmtrace_method *a, const struct dmtrace_method *b)
{
	return a->line == b->line && dmt_text_equal(a->name, b->name) &&
	    dmt_text_equal(a->signature, b->signature) &&
	    dmt_text_equal(a->file, b->file) &&
	    dmt_class_compare(a->class_name, b->class_name) == 0;
}

static bool
is_free_id(const struct dmt_merge_methods *methods, uint64_t id)
{
	return dmtrace_key_method_find(methods->key, id) == NULL &&
	    dmt_idmap_find(&methods->unlisted, id) == NULL;
}

/* Returns the id itself, or the lowest free one; NO_METHOD: none is
 * free. */
static uint32_t
find_id(struct dmt_merge_methods *methods, uint64_t id)
{
	if (id <= ID_MAX && is_free_id(methods, id))
		return (uint32_t)id;
	while (methods->free_id <= ID_MAX &&
	    !is_free_id(methods, methods->free_id))
		methods->free_id += 4;
	return methods->free_id <= ID_MAX ?
	    (uint32_t)methods->free_id : NO_METHOD;
}

static enum dmtrace_status
fail_ids(struct dmt_merge_methods *methods)
{
	return dmt_error_set(&methods->op->error, DMTRACE_ERR_RANGE,
	    "there are more methods than 4-byte ids");
}

/* Finds the row in the output or adds it; then method->id is the id in the
 * output. A method without a name is always added, and known by its id. */
static enum dmtrace_status
find_or_add_row(struct dmt_merge_methods *methods,
    struct dmtrace_method *method)
{
	struct dmtrace_key *const key = methods->key;
	const uint64_t sum = hash_row(methods, method);
	uint32_t *const first = dmt_idmap_find(&methods->by_hash, sum);
	const uint32_t same = first == NULL ? 0 : *first + 1;
	char number[DMT_NUMBER_MAX];

	for (uint32_t at = method->name.len == 0 ? 0 : same; at != 0;
	    at = methods->next_same[at - 1]) {
		const struct dmtrace_method *const other =
		    dmtrace_key_method_get(key, at - 1);

		if (same_method(method, other)) {
			method->id = other->id;
			methods->next_method = at;
			return DMTRACE_OK;
		}
	}

	const size_t count = dmtrace_key_method_count(key);
	method->id = find_id(methods, method->id);
	if (method->id == NO_METHOD)
		return fail_ids(methods);
	if (method->name.len == 0)
		methods->named++;
	*method = dmt_method_named(method, method->id, number);
	uint32_t *const next = count >= UINT32_MAX ? NULL :
	    dmt_array_grow(methods->next_same, &methods->next_capacity,
	    count + 1, sizeof(*next));
	if (next == NULL)
		return dmt_error_memory(&methods->op->error);
	methods->next_same = next;
	next[count] = same;
	if (first != NULL)
		*first = (uint32_t)count;
	else if (!dmt_idmap_add(&methods->by_hash, sum, (uint32_t)count))
		return dmt_error_memory(&methods->op->error);
	dmtrace_key_method_add(key, method);
	return dmt_op_fail(methods->op, NULL, dmt_key_error(key));
}

/* Finds or adds a row of an input's key, and maps its index in the input to
 * the id in the output. */
static enum dmtrace_status
add_method(struct dmt_merge_methods *methods, struct dmt_merge_input *input,
    const struct dmtrace_method *row, size_t index)
{
	struct dmtrace_key *const key = methods->key;
	struct dmtrace_method method = *row;

	/* First try the method after the last one found. It was mended before,
	 * so the row need not be. */
	if (methods->next_method < dmtrace_key_method_count(key) &&
	    same_method(row, dmtrace_key_method_get(key,
	    methods->next_method))) {
		method.id = dmtrace_key_method_get(key,
		    methods->next_method++)->id;
	} else {
		if (!mend_row(methods, &method))
			return dmt_error_memory(&methods->op->error);
		if (find_or_add_row(methods, &method) != DMTRACE_OK)
			return methods->op->error.status;
	}

	if (input->indexes->failed ||
	    (dmt_merge_map_get(input->methods, index) == 0 &&
	    !dmt_merge_map_set(input->methods, index,
	    (uint32_t)method.id + 1)))
		return dmt_error_memory(&methods->op->error);
	return DMTRACE_OK;
}

void
dmt_merge_methods_leave(struct dmt_merge_input *input)
{
	struct dmt_merge_map *const map = input->methods;

	if (map == NULL || --map->inputs > 0)
		return;
	free(map->to);
	free(map);
}

/* Of several rows with one id the first counts; the others are not used,
 * unless a packet redefines the id as them. */
enum dmtrace_status
dmt_merge_methods_add(struct dmt_merge_methods *methods,
    struct dmt_merge_input *input)
{
	const struct dmtrace_key *const key =
	    dmtrace_reader_key(input->reader);
	const struct dmt_definitions *const definitions =
	    &input->reader->definitions;
	const size_t count = dmtrace_key_method_count(key);

	input->methods = dmt_array_new(1, sizeof(*input->methods));
	if (input->methods == NULL)
		return dmt_error_memory(&methods->op->error);
	input->methods->inputs = 1;
	methods->next_method = 0;
	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_method *const row =
		    dmtrace_key_method_get(key, i);

		if (dmtrace_key_method_find(key, row->id) == row &&
		    add_method(methods, input, row, dmt_method_index(
		    input->indexes, row->id & ~UINT64_C(3))) != DMTRACE_OK)
			return methods->op->error.status;
	}
	if (definitions->redefined_count > 0 &&
	    dmt_input_redefine(input->source) != DMTRACE_OK)
		return dmt_error_memory(&methods->op->error);
	size_t rows = 0;		/* up to the last redefined one */
	for (size_t i = 0; i < definitions->redefined_count; i++) {
		const size_t row = definitions->redefined[i].row;

		/* Skip redefinitions that return to an earlier row. */
		if (row >= rows && add_method(methods, input,
		    dmtrace_key_method_get(key, row),
		    dmt_input_redefined(input->source, i)) != DMTRACE_OK)
			return methods->op->error.status;
		if (row >= rows)
			rows = row + 1;
	}

	/* Inputs of one program have the same methods: then they share one
	 * map. */
	struct dmt_merge_map *const own = input->methods;
	struct dmt_merge_map *const last = methods->last_map;
	if (last != NULL && methods->last_indexes == input->indexes &&
	    own->count > 0 && own->count == last->count &&
	    memcmp(own->to, last->to, own->count * sizeof(*own->to)) == 0) {
		dmt_merge_methods_leave(input);
		input->methods = last;
		last->inputs++;
	}
	methods->last_map = input->methods;
	methods->last_indexes = input->indexes;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_merge_methods_extend(struct dmt_merge_methods *methods,
    struct dmt_merge_input *input, size_t index)
{
	struct dmt_merge_map *map = input->methods;
	const uint32_t to =
	    find_id(methods, input->indexes->methods[index].id);

	if (to == NO_METHOD)
		return fail_ids(methods);
	if (!dmt_idmap_add(&methods->unlisted, to, 0))
		return dmt_error_memory(&methods->op->error);

	/* Only this input has the method: give it a map of its own. */
	if (map->inputs > 1) {
		struct dmt_merge_map *const own =
		    dmt_array_new(1, sizeof(*own));

		if (own == NULL || !dmt_merge_map_grow(own, map->count)) {
			free(own);
			return dmt_error_memory(&methods->op->error);
		}
		memcpy(own->to, map->to, map->count * sizeof(*map->to));
		own->inputs = 1;
		map->inputs--;
		map = own;
		input->methods = own;
	}
	return dmt_merge_map_set(map, index, to + 1) ? DMTRACE_OK :
	    dmt_error_memory(&methods->op->error);
}

void
dmt_merge_methods_end(struct dmt_merge_methods *methods)
{
	dmt_idmap_fini(&methods->by_hash);
	free(methods->next_same);
	methods->next_same = NULL;
}

void
dmt_merge_methods_fini(struct dmt_merge_methods *methods)
{
	dmt_merge_methods_end(methods);
	dmt_idmap_fini(&methods->unlisted);
}
