/* signature.c - the types in the signature of a method */

#include "ops/rename/signature.h"

#include "private/text.h"

static const struct {
	char letter;
	const char *word;
} primitives[] = {
	{ 'B', "byte" }, { 'C', "char" }, { 'D', "double" }, { 'F', "float" },
	{ 'I', "int" }, { 'J', "long" }, { 'S', "short" }, { 'V', "void" },
	{ 'Z', "boolean" },
};

enum { PRIMITIVES = sizeof(primitives) / sizeof(primitives[0]) };

/* A type within a descriptor. */
struct type {
	size_t arrays;			/* how many "[" */
	const char *word;		/* of a primitive; NULL: a class */
	struct dmtrace_text name;	/* of the class, or the letter */
};

/* Takes the type at the beginning of *rest. false: there is none. */
static bool
take_type(struct dmtrace_text *rest, struct type *type)
{
	size_t at = 0;

	*type = (struct type){ 0 };
	while (at < rest->len && rest->bytes[at] == '[')
		at++;
	type->arrays = at;
	if (at == rest->len)
		return false;
	const char *const first = rest->bytes + at;
	size_t len = 1;
	if (*first == 'L') {
		const char *const end = memchr(first, ';', rest->len - at);

		if (end == NULL || end == first + 1)
			return false;
		len = (size_t)(end - first) + 1;
		type->name = (struct dmtrace_text){ first + 1, len - 2 };
		if (dmt_text_holds(type->name, '.'))
			return false;
	} else {
		for (size_t i = 0; i < PRIMITIVES; i++)
			if (primitives[i].letter == *first)
				type->word = primitives[i].word;
		if (type->word == NULL)
			return false;
		type->name = (struct dmtrace_text){ first, 1 };
	}
	rest->bytes += at + len;
	rest->len -= at + len;
	return true;
}

static void
put_class_bytes(struct dmt_output *out, struct dmtrace_text name, char from,
    char to)
{
	for (size_t i = 0; i < name.len; i++)
		dmt_output_write(out, name.bytes[i] == from ? &to :
		    &name.bytes[i], 1);
}

static void
put_type(struct dmt_output *out, const struct type *type,
    dmt_rename_class_fn *rename, void *context)
{
	for (size_t i = 0; i < type->arrays; i++)
		dmt_output_write(out, "[", 1);
	if (type->word != NULL) {
		dmt_output_write(out, type->name.bytes, 1);
		return;
	}
	dmt_output_write(out, "L", 1);
	put_class_bytes(out, rename(context, type->name), '.', '/');
	dmt_output_write(out, ";", 1);
}

static void
spell_type(struct dmt_output *out, const struct type *type,
    dmt_rename_class_fn *rename, void *context)
{
	if (type->word != NULL)
		dmt_output_write(out, type->word, strlen(type->word));
	else
		put_class_bytes(out, rename(context, type->name), '/', '.');
	for (size_t i = 0; i < type->arrays; i++)
		dmt_output_write(out, "[]", 2);
}

bool
dmt_signature_rename(struct dmt_output *out, struct dmtrace_text signature,
    dmt_rename_class_fn *rename, void *context)
{
	struct dmtrace_text rest = signature;
	struct type type;

	if (!dmt_text_begins(rest, "("))
		return false;
	dmt_output_write(out, "(", 1);
	rest = (struct dmtrace_text){ rest.bytes + 1, rest.len - 1 };
	while (take_type(&rest, &type))
		put_type(out, &type, rename, context);
	if (!dmt_text_begins(rest, ")"))
		return false;
	dmt_output_write(out, ")", 1);
	rest = (struct dmtrace_text){ rest.bytes + 1, rest.len - 1 };
	if (!take_type(&rest, &type) || rest.len > 0)
		return false;
	put_type(out, &type, rename, context);
	return true;
}

bool
dmt_signature_spell(struct dmt_output *out, struct dmtrace_text signature,
    dmt_rename_class_fn *rename, void *context)
{
	const char *const end = signature.len == 0 ? NULL :
	    memchr(signature.bytes, ')', signature.len);
	struct type type;

	if (end == NULL || signature.bytes[0] != '(')
		return false;
	const size_t inside = (size_t)(end - signature.bytes);
	struct dmtrace_text result =
	    { end + 1, signature.len - inside - 1 };
	struct dmtrace_text rest = { signature.bytes + 1, inside - 1 };
	if (!take_type(&result, &type) || result.len > 0)
		return false;
	spell_type(out, &type, rename, context);
	while (take_type(&rest, &type)) {
		dmt_output_write(out, " ", 1);
		spell_type(out, &type, rename, context);
	}
	return rest.len == 0;
}

static void
build_type(struct dmt_output *out, struct dmtrace_text word)
{
	for (; word.len > 2 && word.bytes[word.len - 1] == ']'; word.len -= 2)
		dmt_output_write(out, "[", 1);
	for (size_t i = 0; i < PRIMITIVES; i++)
		if (dmt_text_is(word, primitives[i].word)) {
			dmt_output_write(out, &primitives[i].letter, 1);
			return;
		}
	dmt_output_write(out, "L", 1);
	put_class_bytes(out, word, '.', '/');
	dmt_output_write(out, ";", 1);
}

void
dmt_signature_build(struct dmt_output *out, struct dmtrace_text result,
    struct dmtrace_text parameters)
{
	size_t begin = 0;

	dmt_output_write(out, "(", 1);
	for (size_t i = 0; i <= parameters.len && parameters.len > 0; i++) {
		if (i < parameters.len && parameters.bytes[i] != ',')
			continue;
		build_type(out, (struct dmtrace_text){
		    parameters.bytes + begin, i - begin });
		begin = i + 1;
	}
	dmt_output_write(out, ")", 1);
	build_type(out, result);
}
