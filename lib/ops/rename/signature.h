/* signature.h - the types in the signature of a method */
#ifndef DMT_OPS_RENAME_SIGNATURE_H
#define DMT_OPS_RENAME_SIGNATURE_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/output.h"

/* Returns the new name of a class, with dots or slashes; name is written with
 * slashes. */
typedef struct dmtrace_text
dmt_rename_class_fn(void *context, struct dmtrace_text name);

/*
 * Writes a descriptor, such as (ILcom/a/B;)V, with other names of classes to
 * out, which is memory. false: it is not a descriptor, and out may have a
 * part of it.
 */
bool
dmt_signature_rename(struct dmt_output *out, struct dmtrace_text signature,
    dmt_rename_class_fn *rename, void *context);

/* Writes its types as Java does, first the result and then the parameters,
 * separated by blanks: "void int com.a.B[]". The rest as above. */
bool
dmt_signature_spell(struct dmt_output *out, struct dmtrace_text signature,
    dmt_rename_class_fn *rename, void *context);

/* The other way: writes a descriptor of a result and of parameters that are
 * separated by commas, as mappings have them. */
void
dmt_signature_build(struct dmt_output *out, struct dmtrace_text result,
    struct dmtrace_text parameters);

#endif
