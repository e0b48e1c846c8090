/* opens.c - opens one plugin after the other, often at the same address */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { CALLS = 10 };

/* Calls the function of that name in the file. */
static int
use(const char *file, const char *name)
{
	void *const object = dlopen(file, RTLD_NOW);
	void *const symbol = object == NULL ? NULL : dlsym(object, name);
	int (*function)(int), sum = 0;

	if (symbol == NULL) {
		puts(dlerror());
		return -1;
	}
	memcpy(&function, &symbol, sizeof(function));
	for (int i = 0; i < CALLS; i++)
		sum += function(i);
	dlclose(object);
	return sum;
}

int
main(void)
{
	const int first = use("./first.so", "first");
	const int second = use("./second.so", "second");

	return first >= 0 && first == second && use("./first.so", "first") ==
	    first ? 0 : 1;
}
