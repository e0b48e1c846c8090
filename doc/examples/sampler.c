/* sampler.c - a sampling profiler: a timer looks at the stack now and then
 *
 * What is recorded is what differs from one look to the next, so calls that
 * are shorter than the time between two looks may be missed.
 */

#include <dmtrace.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

#define LOOKS 50
#define STACK_MAX 8

/* The program keeps it as it goes; a handler reads it at any time. */
static volatile uint32_t stack[STACK_MAX];
static volatile sig_atomic_t depth;
static volatile sig_atomic_t looks;

static void
look(int number)
{
	uint32_t copy[STACK_MAX];

	(void)number;
	for (int i = 0; i < depth; i++)
		copy[i] = stack[i];
	dmtrace_recorder_sample(NULL, copy, (size_t)depth, DMTRACE_NO_TIME);
	looks++;
}

static void
call(uint32_t method)
{
	stack[depth] = method;
	depth++;
}

static void
ret(void)
{
	depth--;
}

static double
work(uint32_t method, long rounds)
{
	volatile double sum = 0;

	call(method);
	for (long i = 1; i < rounds; i++)
		sum += 1.0 / (double)i;
	ret();
	return sum;
}

/* Of the time that the program has the CPU, 1 ms. */
static int
start_timer(void)
{
	const struct itimerval every = { { 0, 1000 }, { 0, 1000 } };
	struct sigaction action = { .sa_handler = look,
		.sa_flags = SA_RESTART };

	return sigaction(SIGPROF, &action, NULL) == 0 &&
	    setitimer(ITIMER_PROF, &every, NULL) == 0;
}

static void
stop_timer(void)
{
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };

	setitimer(ITIMER_PROF, &never, NULL);
}

int
main(void)
{
	const uint32_t all = dmtrace_intern("Work", "all");
	const uint32_t more = dmtrace_intern("Work", "more");
	const uint32_t less = dmtrace_intern("Work", "less");

	if (dmtrace_start("sampler.trace", NULL) == DMTRACE_OK &&
	    start_timer()) {
		call(all);
		while (looks < LOOKS) {
			work(more, 200000);
			work(less, 100000);
		}
		stop_timer();
		dmtrace_stop(NULL);
	}
	const struct dmtrace_error *error = dmtrace_recorder_error(NULL);
	if (error->status == DMTRACE_OK)
		return 0;
	fprintf(stderr, "sampler: %s\n", error->message);
	return 2;
}
