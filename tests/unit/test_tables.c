/* test_tables.c - arrays by index that grow in the pull, and lists */

#include <dmtrace.h>
#include <string.h>

#include "events/pipeline.h"
#include "helpers/array_source.h"
#include "helpers/faults.h"
#include "helpers/unit.h"
#include "private/array.h"
#include "private/key.h"

#define IN(thread, method) { method, 0, 0, thread, DMTRACE_ENTER }

/* Batches of two events: the second one has no new thread, the third one has
 * nothing new. */
static const struct dmtrace_event events[] = {
	IN(5, 0x40), IN(7, 0x44), IN(7, 0x48), IN(5, 0x4c), IN(5, 0x40),
	IN(7, 0x44), IN(300, 0x50)
};

static const struct {
	size_t threads, methods;
} after_batch[] = { { 2, 2 }, { 2, 4 }, { 2, 4 }, { 3, 5 }, { 3, 5 } };

struct item {
	uint32_t number;		/* of the thread */
	uint32_t zero;
	void *own;
};

struct owner {
	struct dmtrace_source *source;
	struct item *threads;
	uint8_t *methods;
	size_t begun;
};

static bool
begin_item(void *context, uint32_t index, void *thread)
{
	struct owner *const owner = context;
	struct item *const item = thread;

	item->number = owner->source->indexes->threads[index].number;
	item->own = malloc(1);
	owner->begun++;
	return item->own != NULL;
}

static void
fini_item(void *item)
{
	free(((struct item *)item)->own);
}

static void
attach_tables(struct owner *owner, struct dmtrace_source *source)
{
	*owner = (struct owner){ .source = source };
	dmt_attach(source, &owner->threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*owner->threads),
	    .init = begin_item, .fini = fini_item, .owner = owner });
	dmt_attach(source, &owner->methods, &(struct dmt_table){
	    .by = DMT_BY_METHOD, .item_size = sizeof(*owner->methods) });
}

static struct dmtrace_source *
open_events(const struct dmtrace_key *key)
{
	return array_source_new(key, dmt_layout_find(3, DMTRACE_CLOCK_DUAL),
	    events, sizeof(events) / sizeof(events[0]), 2);
}

START_TEST(tables_have_all_indexes_of_each_batch)
{
	struct dmtrace_key *const key = dmt_key_new();
	struct dmtrace_source *const source = open_events(key);
	struct dmt_batch *batch;
	struct owner owner;
	size_t known = 0;

	attach_tables(&owner, source);
	for (size_t i = 0; i < 5; i++) {
		ck_assert_int_eq(dmt_pull(source, &batch), DMTRACE_OK);
		ck_assert_int_eq(batch == NULL, i == 4);
		ck_assert_uint_eq(owner.begun, after_batch[i].threads);
		ck_assert_uint_eq(dmt_index_count(source, DMT_BY_THREAD),
		    after_batch[i].threads);
		ck_assert_uint_eq(dmt_index_count(source, DMT_BY_METHOD),
		    after_batch[i].methods);
		for (; known < after_batch[i].methods; known++) {
			ck_assert_uint_eq(owner.methods[known], 0);
			owner.methods[known] = (uint8_t)(9 + known);
		}
		for (size_t k = 0; k < known; k++)
			ck_assert_uint_eq(owner.methods[k], 9 + k);
	}
	ck_assert_uint_eq(owner.threads[0].number, 5);
	ck_assert_uint_eq(owner.threads[1].number, 7);
	ck_assert_uint_eq(owner.threads[2].number, 300);
	ck_assert_uint_eq(owner.threads[2].zero, 0);
	dmtrace_source_free(source);
	dmt_key_free(key);
}
END_TEST

/* A sink that comes later finds the indexes of those before it. */
START_TEST(tables_begin_with_the_indexes_that_are_there)
{
	struct dmtrace_key *const key = dmt_key_new();
	struct dmtrace_source *const source = open_events(key);
	struct dmt_batch *batch;
	struct owner first, second;

	attach_tables(&first, source);
	ck_assert_int_eq(dmt_pull(source, &batch), DMTRACE_OK);
	dmt_detach(source);
	attach_tables(&second, source);
	ck_assert_uint_eq(second.begun, 2);
	ck_assert_uint_eq(second.threads[1].number, 7);
	ck_assert_uint_eq(second.methods[1], 0);
	ck_assert_int_eq(dmt_pull(source, &batch), DMTRACE_OK);
	ck_assert_uint_eq(first.begun, 2);
	ck_assert_uint_eq(second.methods[3], 0);
	dmtrace_source_free(source);
	dmt_key_free(key);
}
END_TEST

/* Reads the events with the nth allocation failing. Returns whether there was
 * one: then the pull that needed it fails, and all that follow. */
static bool
fails_at(const struct dmtrace_key *key, unsigned nth)
{
	enum dmtrace_status status = DMTRACE_OK;
	struct dmt_batch *batch = NULL;
	struct owner owner;

	fault_arm(FAULT_ALLOC, nth);
	struct dmtrace_source *const source = open_events(key);
	if (source != NULL) {
		attach_tables(&owner, source);
		do
			status = dmt_pull(source, &batch);
		while (status == DMTRACE_OK && batch != NULL);
		if (status != DMTRACE_OK)
			status = dmt_pull(source, &batch);
		if (status != dmtrace_source_error(source)->status)
			status = DMTRACE_ERR_STATE;
	} else {
		status = DMTRACE_ERR_MEMORY;
	}
	dmtrace_source_free(source);
	const bool failed = fault_disarm();
	ck_assert_int_eq(status, failed ? DMTRACE_ERR_MEMORY : DMTRACE_OK);
	return failed;
}

START_TEST(a_table_without_memory_fails_the_pull)
{
	struct dmtrace_key *const key = dmt_key_new();
	unsigned nth = 1;

	while (fails_at(key, nth))
		nth++;
	ck_assert_uint_gt(nth, 10);
	dmt_key_free(key);
}
END_TEST

struct numbers {
	uint32_t *items;
	size_t count;
	size_t capacity;
	uint32_t spare;
};

START_TEST(a_list_without_memory_keeps_what_it_has)
{
	struct numbers list = { .items = NULL };
	bool no_memory = false;

	fault_arm(FAULT_ALLOC, 2);
	for (uint32_t i = 0; i < 10; i++)
		*dmt_push(&list, &no_memory) = 3 * i;
	fault_disarm();
	ck_assert(no_memory);
	/* eight are there, the ninth was dropped */
	ck_assert_uint_eq(list.count, 9);
	for (uint32_t i = 0; i < 9; i++)
		ck_assert_uint_eq(list.items[i], 3 * (i < 8 ? i : 9));
	free(list.items);

	list = (struct numbers){ .items = NULL };
	fault_arm(FAULT_ALLOC, 1);
	*dmt_push(&list, &no_memory) = 1;
	fault_disarm();
	ck_assert_uint_eq(list.count, 0);
	ck_assert_uint_eq(list.spare, 1);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("tables");
	TCase *tcase = unit_tcase(suite, "tables");

	tcase_add_test(tcase, tables_have_all_indexes_of_each_batch);
	tcase_add_test(tcase, tables_begin_with_the_indexes_that_are_there);
	tcase_add_test(tcase, a_table_without_memory_fails_the_pull);
	tcase_add_test(tcase, a_list_without_memory_keeps_what_it_has);
	return unit_main(suite);
}
