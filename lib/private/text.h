/* text.h - texts with a length; parts of a method's name */
/* layer: base */
#ifndef DMT_PRIVATE_TEXT_H
#define DMT_PRIVATE_TEXT_H

#include <dmtrace/key.h>
#include <stdbool.h>
#include <string.h>

static inline struct dmtrace_text
dmt_text_of(const char *string)
{
	return (struct dmtrace_text){ string, strlen(string) };
}

/* bytes may be NULL if the length is 0. */
static inline bool
dmt_text_equal(struct dmtrace_text a, struct dmtrace_text b)
{
	return a.len == b.len &&
	    (a.len == 0 || memcmp(a.bytes, b.bytes, a.len) == 0);
}

static inline bool
dmt_text_is(struct dmtrace_text text, const char *string)
{
	return dmt_text_equal(text, dmt_text_of(string));
}

/* Compares the bytes of two texts; a prefix comes before a longer text.
 * Returns less than, equal to or more than 0. */
static inline int
dmt_text_compare(struct dmtrace_text a, struct dmtrace_text b)
{
	const size_t len = a.len < b.len ? a.len : b.len;
	const int order = len == 0 ? 0 : memcmp(a.bytes, b.bytes, len);

	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static inline bool
dmt_text_begins(struct dmtrace_text text, const char *string)
{
	const size_t len = strlen(string);

	return text.len >= len && (len == 0 ||
	    memcmp(text.bytes, string, len) == 0);
}

/* Returns a byte of a class's name as it is compared: Dalvik writes com/a/B,
 * ART com.a.B. */
static inline char
dmt_class_byte(char byte)
{
	return byte == '/' ? '.' : byte;
}

/* Compares the names of classes, as dmt_text_compare does. */
static inline int
dmt_class_compare(struct dmtrace_text a, struct dmtrace_text b)
{
	size_t i = 0;

	while (i < a.len && i < b.len &&
	    dmt_class_byte(a.bytes[i]) == dmt_class_byte(b.bytes[i]))
		i++;
	if (i == a.len || i == b.len)
		return (a.len > b.len) - (a.len < b.len);
	return (unsigned char)dmt_class_byte(a.bytes[i]) <
	    (unsigned char)dmt_class_byte(b.bytes[i]) ? -1 : 1;
}

/* Says that it has bytes, but not where: misuse of the library. */
static inline bool
dmt_text_is_missing(struct dmtrace_text text)
{
	return text.bytes == NULL && text.len > 0;
}

static inline bool
dmt_text_holds(struct dmtrace_text text, char byte)
{
	return text.len > 0 && memchr(text.bytes, byte, text.len) != NULL;
}

/*
 * The text that precedes the name of a method, depending on its language:
 * "package.Class." in Java, "space::Class::" in C++, and nothing in C, where
 * the class is the file that contains the function, in square brackets, or
 * "native".
 */
struct dmt_method_scope {
	struct dmtrace_text text;
	const char *separator;
};

/* Returns true for a method of C++: its class has a "::", or its signature
 * does not have a result type after the last bracket, as in Java. "()" says
 * nothing: traces that are not of a compiler have it, too. */
static inline bool
dmt_method_is_cxx(struct dmtrace_text class_name,
    struct dmtrace_text signature)
{
	size_t end = signature.len;

	for (size_t i = 0; i + 1 < class_name.len; i++)
		if (memcmp(class_name.bytes + i, "::", 2) == 0)
			return true;
	if (!dmt_text_begins(signature, "(") ||
	    dmt_text_is(signature, "()"))
		return false;
	while (signature.bytes[end - 1] != ')' && end > 1)
		end--;
	return end == signature.len ||
	    strchr("VZBCSIJFDL[", signature.bytes[end]) == NULL;
}

/* Returns true if the class is a file that contains functions:
 * "[libc.so.6]". */
static inline bool
dmt_class_is_file(struct dmtrace_text class_name)
{
	return class_name.len > 2 && class_name.bytes[0] == '[' &&
	    class_name.bytes[class_name.len - 1] == ']';
}

/* Returns the package of a class: the text before its last slash or, without
 * one, its last dot; for a class that is a file, all of it. */
static inline struct dmtrace_text
dmt_class_package(struct dmtrace_text class_name)
{
	size_t slash = class_name.len, dot = class_name.len;

	if (dmt_class_is_file(class_name))
		return class_name;
	while (slash > 0 && class_name.bytes[slash - 1] != '/')
		slash--;
	while (dot > 0 && class_name.bytes[dot - 1] != '.')
		dot--;
	const size_t end = slash > 0 ? slash : dot;
	return (struct dmtrace_text){ class_name.bytes,
	    end > 0 ? end - 1 : 0 };
}

/* Returns the scope without its separator. */
static inline struct dmtrace_text
dmt_scope_text(struct dmtrace_text class_name)
{
	const bool none = class_name.len == 0 ||
	    dmt_class_is_file(class_name) || dmt_text_is(class_name, "native");

	return none ? (struct dmtrace_text){ "", 0 } : class_name;
}

static inline struct dmt_method_scope
dmt_method_scope(struct dmtrace_text class_name,
    struct dmtrace_text signature)
{
	const struct dmtrace_text text = dmt_scope_text(class_name);

	return (struct dmt_method_scope){ text, text.len == 0 ? "" :
	    dmt_method_is_cxx(class_name, signature) ? "::" : "." };
}

/* Returns the text without its first len bytes; it must have that many. */
static inline struct dmtrace_text
dmt_text_after(struct dmtrace_text text, size_t len)
{
	return (struct dmtrace_text){ text.bytes + len, text.len - len };
}

#endif
