/* op.h - an empty folder and an operation for each test */

#ifndef OP_H
#define OP_H

#include <dmtrace.h>

#include <check.h>

#include "helpers/files.h"

static struct dmtrace_op *op;

/* A checked fixture. */
static inline void
op_begin(void)
{
	folder_enter();
	op = dmtrace_op_new();
	ck_assert_ptr_nonnull(op);
}

static inline void
op_end(void)
{
	dmtrace_op_free(op);
	folder_leave();
}

#endif
