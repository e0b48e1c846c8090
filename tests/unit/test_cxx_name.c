/* test_cxx_name.c - the parts of demangled names */

#include <string.h>

#include "helpers/unit.h"
#include "instrument/hook_names.h"

static const struct {
	const char *text;
	const char *scope;		/* NULL: none */
	const char *name;
	const char *signature;
} names[] = {
	{ "run()", NULL, "run", "()" },
	{ "run", NULL, "run", NULL },
	{ "", NULL, "", NULL },
	{ "ns::run(int)", "ns", "run", "(int)" },
	{ "ns::Class::run(char const*, int) const", "ns::Class", "run",
	    "(char const*, int) const" },
	{ "void ns::Class<int>::run(char const*) const", "ns::Class<int>",
	    "run", "(char const*) const" },
	{ "unsigned long ns::count<int, 3ul>(int (&) [3ul])", "ns",
	    "count<int, 3ul>", "(int (&) [3ul])" },
	{ "ns::Class::Class(int)", "ns::Class", "Class", "(int)" },
	{ "ns::Class::~Class()", "ns::Class", "~Class", "()" },
	{ "(anonymous namespace)::run(int)", "(anonymous namespace)", "run",
	    "(int)" },
	{ "void ns::(anonymous namespace)::run<int>()",
	    "ns::(anonymous namespace)", "run<int>", "()" },
	{ "ns::Class::operator()(int) const", "ns::Class", "operator()",
	    "(int) const" },
	{ "ns::Class::operator[](int)", "ns::Class", "operator[]", "(int)" },
	{ "ns::operator<<(std::ostream&, ns::Class const&)", "ns",
	    "operator<<", "(std::ostream&, ns::Class const&)" },
	{ "bool ns::operator< <int>(ns::C<int> const&)", "ns",
	    "operator< <int>", "(ns::C<int> const&)" },
	{ "ns::Class::operator->() const", "ns::Class", "operator->",
	    "() const" },
	{ "ns::Class::operator std::string() const", "ns::Class",
	    "operator std::string", "() const" },
	{ "ns::Class::operator bool() const", "ns::Class", "operator bool",
	    "() const" },
	{ "operator new(unsigned long)", NULL, "operator new",
	    "(unsigned long)" },
	{ "main::{lambda(int)#1}::operator()(int) const",
	    "main::{lambda(int)#1}", "operator()", "(int) const" },
	{ "ns::run(int)::{lambda()#1}::operator()() const",
	    "ns::run(int)::{lambda()#1}", "operator()", "() const" },
	{ "ns::C::run() const::{lambda()#2}::operator()() const",
	    "ns::C::run() const::{lambda()#2}", "operator()", "() const" },
	{ "ns::run(int)::Local::go(long)", "ns::run(int)::Local", "go",
	    "(long)" },
	{ "run(int) [clone .constprop.0]", NULL, "run",
	    "(int) [clone .constprop.0]" },
	{ "std::vector<int, std::allocator<int> >::push_back(int const&)",
	    "std::vector<int, std::allocator<int> >", "push_back",
	    "(int const&)" },
	{ "run(void (*)(int), int (*)[3])", NULL, "run",
	    "(void (*)(int), int (*)[3])" },
	{ "ns::text[abi:cxx11](int)", "ns", "text[abi:cxx11]", "(int)" },
	{ "my_operator::operators(int)", "my_operator", "operators",
	    "(int)" },
};

static void
same(const char *part, const char *wanted)
{
	ck_assert_int_eq(part == NULL, wanted == NULL);
	if (part != NULL)
		ck_assert_str_eq(part, wanted);
}

START_TEST(knows_the_parts)
{
	char text[256];
	struct dmt_cxx_name parts;

	strcpy(text, names[_i].text);
	dmt_cxx_name_split(&parts, text);
	same(parts.scope, names[_i].scope);
	same(parts.name, names[_i].name);
	same(parts.signature, names[_i].signature);
}
END_TEST

/* Whatever it is, it is cut within its bytes: under sanitizers, a heap block
 * of their number and one reports. */
static void
split_prefix(const char *text, size_t len, char last)
{
	char *copy = malloc(len + 2);
	struct dmt_cxx_name parts;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (len > 0)
		copy[len - 1] = last;
	dmt_cxx_name_split(&parts, copy);
	ck_assert_ptr_nonnull(parts.name);
	ck_assert(strlen(parts.name) <= len);
	free(copy);
}

START_TEST(cuts_any_prefix_within_its_bytes)
{
	static const char last[] = "(<[{)>]}: o~";
	const char *text = names[_i].text;

	for (size_t len = 0; len <= strlen(text); len++)
		for (size_t i = 0; i < sizeof(last) - 1; i++)
			split_prefix(text, len, last[i]);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("cxx_name");
	TCase *tcase = unit_tcase(suite, "split");

	ADD_CASES(tcase, knows_the_parts, names);
	ADD_CASES(tcase, cuts_any_prefix_within_its_bytes, names);
	return unit_main(suite);
}
