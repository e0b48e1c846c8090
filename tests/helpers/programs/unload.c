/* unload.c - lets go of libdmtrace while a thread that has recorded goes on
 *
 * With a second argument nobody stops the recorder before.
 */

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int (*start)(void *recorder, const char *path, const void *options);
static int (*stop)(void *recorder, void *result);
static uint32_t (*method)(const char *class_name, const char *name);
static void (*enter)(void *recorder, uint32_t method);
static pthread_barrier_t barrier;

/* Without a cast from an object to a function. */
static void
find(void *library, const char *name, void *function)
{
	void *const symbol = dlsym(library, name);

	memcpy(function, &symbol, sizeof(symbol));
}

static void *
load(const char *path)
{
	void *const library = dlopen(path, RTLD_NOW);

	if (library == NULL)
		return NULL;
	find(library, "dmtrace_recorder_start", &start);
	find(library, "dmtrace_recorder_stop", &stop);
	find(library, "dmtrace_intern", &method);
	find(library, "dmtrace_recorder_enter", &enter);
	return library;
}

static void *
record(void *unused)
{
	enter(NULL, method("T", "a"));
	pthread_barrier_wait(&barrier);		/* has recorded */
	pthread_barrier_wait(&barrier);		/* is unloaded */
	return unused;
}

int
main(int argc, char **argv)
{
	pthread_t thread;
	void *const library = argc >= 2 ? load(argv[1]) : NULL;

	if (library == NULL || start(NULL, "unload.trace", NULL) != 0)
		return 1;
	pthread_barrier_init(&barrier, NULL, 2);
	if (pthread_create(&thread, NULL, record, NULL) != 0)
		return 2;
	pthread_barrier_wait(&barrier);
	if ((argc == 2 && stop(NULL, NULL) != 0) || dlclose(library) != 0)
		return 3;
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	const pid_t child = fork();
	if (child == 0)
		_exit(0);
	return waitpid(child, NULL, 0) == child ? 0 : 4;
}
