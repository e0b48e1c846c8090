/* hook_names.c - class, name and signature of a function, from its address */

#include "instrument/hook_names.h"

#include <ctype.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/objects.h"
#include "record/system.h"

/*
 * objects.c finds the file that contains an address, and the symbol. A C
 * symbol is used as the name. Its class is the file name in square brackets,
 * as other profilers write it, because a key has no column for the file and
 * the class must not be empty; its signature is "()", since C symbols have
 * none. A C++ symbol is demangled by the process's own C++ runtime, if it has
 * one: our own demangler would be larger than the rest of the hooks. The
 * result,
 *
 *     void ns::Class<int>::run(char const*) const
 *
 * is split in place, in one pass that skips brackets. If it cannot be split,
 * all of it is the name. Without a symbol, the name is the file name and the
 * offset in the file.
 *
 * A name may be needed in a signal handler that has interrupted malloc. So the
 * memory is mapped, and the demangler, which calls malloc, is not used then.
 */

#define NUMBER_ROOM 32		/* "+0x", 16 digits, and some more */
#define OPERATOR "operator"

static const char opening[] = "([{<", closing[] = ")]}>";

static bool
is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool
is_operator_at(const char *text, size_t at)
{
	const size_t len = strlen(OPERATOR);

	return strncmp(text + at, OPERATOR, len) == 0 &&
	    !is_name_char(text[at + len]) &&
	    (at == 0 || !is_name_char(text[at - 1]));
}

static bool
is_char_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

/* Returns the position after the symbols of an operator at text[at], so that
 * those of "()", "<<" and "->" are not taken for brackets. */
static size_t
skip_operator(const char *text, size_t at)
{
	at += strlen(OPERATOR);
	if (strncmp(text + at, "()", 2) == 0 ||
	    strncmp(text + at, "[]", 2) == 0)
		return at + 2;
	while (is_char_of(text[at], "+-*/%^&|~!=<>,"))
		at++;
	return at;
}

/* Returns the position after the bracket that closes the one at text[at], or
 * the end of the text. */
static size_t
skip_brackets(const char *text, size_t at)
{
	size_t depth = 0;

	while (text[at] != '\0') {
		if (is_operator_at(text, at)) {
			at = skip_operator(text, at);
			continue;
		}
		if (is_char_of(text[at], opening))
			depth++;
		else if (is_char_of(text[at], closing) && --depth == 0)
			return at + 1;
		at++;
	}
	return at;
}

void
dmt_cxx_name_split(struct dmt_cxx_name *parts, char *text)
{
	size_t begin = 0;	/* start of the name, after the result type */
	size_t name = 0;	/* after the last "::" */
	size_t arguments = 0;	/* the last "(" outside brackets; 0: none */
	size_t at = 0;

	/* "(...)::" is a lambda, or a function of a local class. */
	while (text[at] != '\0') {
		if (is_operator_at(text, at)) {
			name = at;
			at = skip_operator(text, at);
			at += strcspn(text + at, "(<");
		} else if (is_char_of(text[at], opening)) {
			const size_t end = skip_brackets(text, at);
			if (text[at] == '(' && at > 0 && text[at - 1] != ' ' &&
			    strncmp(text + end, "::", 2) != 0)
				arguments = at;
			at = end;
		} else if (text[at] == ' ' && arguments == 0) {
			begin = name = ++at;
		} else if (strncmp(text + at, "::", 2) == 0) {
			arguments = 0;
			name = at += 2;
		} else {
			at++;
		}
	}

	*parts = (struct dmt_cxx_name){ .name = text };
	if (arguments <= name)
		return;
	char *signature = text + arguments + 1;
	memmove(signature, signature - 1, strlen(signature - 1) + 1);
	signature[-1] = '\0';
	parts->signature = signature;
	parts->name = text + name;
	if (name >= begin + 2) {
		text[name - 2] = '\0';
		parts->scope = text + begin;
	}
}

typedef char *
demangle_fn(const char *mangled, char *out, size_t *len, int *status);

/* Returns the demangled name, to be freed; NULL: it is not a C++ name, or the
 * process has no demangler. */
static char *
demangle_name(const char *symbol)
{
	demangle_fn *function;
	int status = 0;

	if (strncmp(symbol, "_Z", 2) != 0)
		return NULL;
	void *const demangler = dlsym(RTLD_DEFAULT, "__cxa_demangle");
	memcpy(&function, &demangler, sizeof(function));
	return function == NULL ? NULL :
	    function(symbol, NULL, NULL, &status);
}

/* Makes the text at least need bytes large; its contents are lost. */
static bool
resize_name(struct dmt_hook_name *name, size_t need)
{
	size_t size = 4096;

	if (need <= name->size)
		return true;
	while (size < need)
		size *= 2;
	char *text = dmt_mapped_new(size);
	if (text == NULL)
		return false;
	dmt_mapped_free(name->text, name->size);
	name->text = text;
	name->size = size;
	return true;
}

/* Writes the name. demangled is NULL if the symbol is not a C++ name or must
 * not be demangled. */
static bool
write_name(struct dmt_hook_name *name, const struct dmt_object_place *place,
    const char *demangled)
{
	const char *symbol = demangled != NULL ? demangled : place->symbol;
	const size_t file_size = strlen(place->file) + sizeof("[]");
	const size_t room = symbol != NULL ? strlen(symbol) + 1 :
	    file_size + NUMBER_ROOM;
	struct dmt_cxx_name parts;

	if (!resize_name(name, file_size + room + 1))	/* 1: for splitting */
		return false;
	char *const text = name->text + file_size;
	snprintf(name->text, file_size, "[%s]", place->file);
	name->method = (struct dmtrace_recorder_method){
		.class_name = name->text,
		.name = text,
		.signature = "()"
	};
	if (symbol == NULL)
		snprintf(text, room, "%s+0x%" PRIxPTR, place->file,
		    place->offset);
	else
		memcpy(text, symbol, room);
	if (demangled == NULL)
		return true;
	dmt_cxx_name_split(&parts, text);
	name->method.name = parts.name;
	if (parts.signature != NULL)
		name->method.signature = parts.signature;
	if (parts.scope == NULL)
		return true;
	name->method.class_name = parts.scope;
	/* "()" could be of Java; a class that is no file has C++ methods. */
	if (strcmp(name->method.signature, "()") == 0)
		name->method.signature = "(void)";
	return true;
}

bool
dmt_name_find(struct dmt_hook_name *name, uintptr_t address)
{
	struct dmt_object_place place;
	bool found = false;

	if (dmt_objects_find(&place, address)) {
		char *demangled = place.symbol == NULL || name->plain ? NULL :
		    demangle_name(place.symbol);
		found = write_name(name, &place, demangled);
		free(demangled);
	}
	dmt_objects_unlock();
	return found;
}

int
dmt_name_supply(void *context, uint64_t key,
    struct dmtrace_recorder_method *method)
{
	struct dmt_hook_name *name = context;

	if (!dmt_name_find(name, (uintptr_t)key))
		return 0;
	*method = name->method;
	return 1;
}
