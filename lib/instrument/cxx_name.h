/* cxx_name.h - a demangled name, in the words of a method */
#ifndef DMT_INSTRUMENT_CXX_NAME_H
#define DMT_INSTRUMENT_CXX_NAME_H

/* Parts of the text given, which is cut into them; NULL: it has none. */
struct dmt_cxx_name {
	const char *scope;		/* "ns::Class" */
	const char *name;		/* "operator()" */
	const char *signature;		/* "(int) const" */
};

/*
 * "void ns::Class<int>::run(char const*) const" is "run" with the signature
 * "(char const*) const" in "ns::Class<int>". What is not understood is the
 * name as a whole. Behind the NUL of the text there is room for one byte more.
 */
void
dmt_cxx_name_split(struct dmt_cxx_name *parts, char *text);

#endif
