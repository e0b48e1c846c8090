/* heap.cc - ends within malloc, by a fault or abort; its own, with a lock */

#include <cstdlib>
#include <pthread.h>

#define BARE __attribute__((no_instrument_function))

extern "C" void *__libc_malloc(size_t size);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile bool fails, aborts;

extern "C" BARE void *
malloc(size_t size)
{
	pthread_mutex_lock(&lock);
	if (fails && aborts)
		abort();
	if (fails)
		*(volatile int *)nullptr = 1;
	void *const block = __libc_malloc(size);
	pthread_mutex_unlock(&lock);
	return block;
}

namespace zoo {
void *
feed(size_t size)
{
	return malloc(size);
}
}

int
main(int argc, char **)
{
	free(zoo::feed(10));
	aborts = argc > 1;
	fails = true;
	return zoo::feed(10) != nullptr;
}
