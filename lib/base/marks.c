/* marks.c - very many bits, in memory up to a limit, else in a temporary */

#include "base/marks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/path.h"

#define PAGE_BITS (UINT64_C(1) << 19)
#define PAGE_SIZE (PAGE_BITS / 8)
#define PAGES_LEAST 2		/* that a limit leaves */

struct dmt_marks_page {
	bool changed;			/* other than it is in the file */
	bool used;			/* since it was last looked at */
	uint8_t bytes[PAGE_SIZE];
};

static void
fail(struct dmt_marks *marks, const char *what)
{
	dmt_path_failed(&marks->error, what, marks->file.path);
}

/* Bytes behind the end of the file are zeros. */
static void
read_page(struct dmt_marks *marks, struct dmt_marks_page *page, size_t number)
{
	size_t done = 0;

	while (marks->has_file && done < PAGE_SIZE) {
		const ssize_t got = pread(marks->file.fd, page->bytes + done,
		    PAGE_SIZE - done, (off_t)(number * PAGE_SIZE + done));

		if (got == 0)
			return;
		if (got > 0)
			done += (size_t)got;
		else if (errno != EINTR) {
			fail(marks, "cannot read back");
			return;
		}
	}
}

static void
write_page(struct dmt_marks *marks, const struct dmt_marks_page *page,
    size_t number)
{
	size_t done = 0;

	if (!marks->has_file && dmt_sink_open_temporary(&marks->file, NULL) !=
	    DMTRACE_OK) {
		marks->error = marks->file.error;
		dmt_sink_fini(&marks->file);
		return;
	}
	marks->has_file = true;
	while (done < PAGE_SIZE) {
		const ssize_t put = pwrite(marks->file.fd, page->bytes + done,
		    PAGE_SIZE - done, (off_t)(number * PAGE_SIZE + done));

		if (put > 0)
			done += (size_t)put;
		else if (put == 0 || errno != EINTR) {
			fail(marks, "cannot write");
			return;
		}
	}
}

/* The next page in turn that was not used since its last turn goes. */
static void
give_away(struct dmt_marks *marks)
{
	for (;; marks->next++) {
		if (marks->next >= marks->count)
			marks->next = 0;
		struct dmt_marks_page *const page = marks->pages[marks->next];
		if (page == NULL)
			continue;
		if (page->used) {
			page->used = false;
			continue;
		}
		if (page->changed)
			write_page(marks, page, marks->next);
		free(page);
		marks->pages[marks->next] = NULL;
		marks->held--;
		return;
	}
}

static bool
make_room(struct dmt_marks *marks, size_t number)
{
	struct dmt_marks_page **const pages = dmt_array_grow(marks->pages,
	    &marks->capacity, number + 1, sizeof(struct dmt_marks_page *));

	if (pages == NULL)
		return false;
	marks->pages = pages;
	while (marks->count <= number)
		pages[marks->count++] = NULL;
	if (marks->held >= PAGES_LEAST &&
	    marks->held >= marks->most / PAGE_SIZE)
		give_away(marks);
	return true;
}

/* The page of that number, brought to memory; NULL after a failure. */
static struct dmt_marks_page *
take(struct dmt_marks *marks, size_t number)
{
	if (marks->error.status != DMTRACE_OK)
		return NULL;
	if (number < marks->count && marks->pages[number] != NULL)
		return marks->pages[number];
	struct dmt_marks_page *const page = make_room(marks, number) ?
	    calloc(1, sizeof(*page)) : NULL;
	if (page == NULL) {
		dmt_error_memory(&marks->error);
		return NULL;
	}
	read_page(marks, page, number);
	marks->pages[number] = page;
	marks->held++;
	return page;
}

void
dmt_marks_add(struct dmt_marks *marks, uint64_t bit)
{
	struct dmt_marks_page *const page =
	    take(marks, (size_t)(bit / PAGE_BITS));

	if (page == NULL)
		return;
	page->bytes[bit % PAGE_BITS / 8] |= (uint8_t)(1u << bit % 8);
	page->changed = true;
	page->used = true;
}

bool
dmt_marks_has(struct dmt_marks *marks, uint64_t bit)
{
	const size_t number = (size_t)(bit / PAGE_BITS);

	if (number >= marks->count)
		return false;
	struct dmt_marks_page *const page = take(marks, number);
	if (page == NULL)
		return false;
	page->used = true;
	return page->bytes[bit % PAGE_BITS / 8] >> bit % 8 & 1;
}

void
dmt_marks_fini(struct dmt_marks *marks)
{
	for (size_t i = 0; i < marks->count; i++)
		free(marks->pages[i]);
	free(marks->pages);
	if (marks->has_file)
		dmt_sink_fini(&marks->file);
	*marks = (struct dmt_marks){ .most = marks->most };
}
