/* update.h - the calls of a trace, as they will be written to a spec */
#ifndef DMT_VERIFY_UPDATE_H
#define DMT_VERIFY_UPDATE_H

#include "verify/expect_names.h"
#include "verify/forest.h"

#define DMT_UPDATE_DEPTH 16384		/* of a tree: lines grow by it */

/* How methods are written: those that look the same are one name. */
struct dmt_spelling {
	struct dmt_span word;		/* in quotes if need be */
	uint32_t method;		/* the first of them */
	uint32_t same;			/* another one of that hash, + 1 */
};

struct dmt_update {
	bool signatures;		/* of every method */
	struct dmt_forest forest;	/* its names are spellings */
	struct dmt_spelling *spellings;
	size_t count;
	size_t capacity;
	struct dmt_idmap by_hash;	/* the last spelling of a hash */
	struct dmt_idmap overloaded;	/* names with several signatures */
	uint32_t *of_method;		/* + 1; 0: none yet */
	size_t of_capacity;
	struct dmt_arena arena;
};

/* false: no memory. In any case end it with dmt_update_fini. */
bool
dmt_update_init(struct dmt_update *update, const struct dmtrace_key *key,
    unsigned flags);

void
dmt_update_fini(struct dmt_update *update);

/* A call of the method ends. false: no memory. */
bool
dmt_update_leave(struct dmt_update *update, const struct dmt_matches *names,
    struct dmt_grown *grown, uint32_t method);

#endif
