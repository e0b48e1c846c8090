/* ends.c - a recording that nobody stops; the argument says how it ends */

#define _DEFAULT_SOURCE		/* usleep */

#include <dmtrace.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GOOD_MANY = 1000 };	/* calls, before what is asked for may end */

static volatile sig_atomic_t running;
static sigjmp_buf out;

/* Two events of the method "T.NAME". */
static void
call(const char *name)
{
	const uint32_t method = dmtrace_intern("T", name);

	dmtrace_enter(method);
	dmtrace_exit(method);
}

static void
call_often(unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		call("often");
}

/* Registered before the recorder was used. */
static void
call_at_exit(void)
{
	call("at_exit");
}

static void *
exit_in_thread(void *unused)
{
	call("thread");
	exit(0);
	return unused;
}

static void *
call_for_ever(void *unused)
{
	for (unsigned i = 0;; i++) {
		call("for_ever");
		if (i == GOOD_MANY)
			running = 1;
	}
	return unused;
}

/* What interrupts an event of this thread exits, or jumps out of it. */
static void
exit_in_handler(int number)
{
	(void)number;
	exit(0);
}

static void
jump_in_handler(int number)
{
	(void)number;
	siglongjmp(out, 1);
}

static void
interrupt_calls(void (*handler)(int))
{
	const struct itimerval timer = { .it_value = { .tv_usec = 5000 } };
	const uint32_t method = dmtrace_intern("T", "often");

	signal(SIGALRM, handler);
	for (unsigned i = 0;; i++) {
		dmtrace_enter(method);
		dmtrace_exit(method);
		if (i == GOOD_MANY)
			setitimer(ITIMER_REAL, &timer, NULL);
	}
}

/* The timer's signal is for this thread alone. */
static void
set_alarm_mask(int how)
{
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(how, &alarm, NULL);
}

static void *
be_jumped(void *unused)
{
	set_alarm_mask(SIG_UNBLOCK);
	if (sigsetjmp(out, 1) == 0)
		interrupt_calls(jump_in_handler);
	running = 1;
	for (;;)
		pause();
	return unused;
}

static void
run_thread(void *(*function)(void *))
{
	pthread_t thread;

	pthread_create(&thread, NULL, function, NULL);
	while (!running)
		usleep(100);
}

static void
exit_when_ended(void *context, enum dmtrace_recorder_end why)
{
	(void)context;
	(void)why;
	exit(0);
}

/* The child exits as well, and records if it has a name for its trace. */
static void
run_child(const char *path)
{
	const pid_t child = fork();

	if (child == 0) {
		if (path != NULL)
			dmtrace_start(path, NULL);
		call("child");
		exit(0);
	}
	waitpid(child, NULL, 0);
	call("parent");
}

static void
end(const char *how)
{
	if (strcmp(how, "exit") == 0)
		exit(0);
	if (strcmp(how, "thread") == 0)
		run_thread(exit_in_thread);
	if (strcmp(how, "last-thread") == 0)
		pthread_exit(NULL);
	if (strcmp(how, "busy") == 0)
		run_thread(call_for_ever);
	if (strcmp(how, "handler") == 0)
		interrupt_calls(exit_in_handler);
	if (strcmp(how, "jumped") == 0) {
		set_alarm_mask(SIG_BLOCK);
		run_thread(be_jumped);
	}
	if (strcmp(how, "callback") == 0)
		call_often(1000);
	if (strcmp(how, "fork") == 0)
		run_child(NULL);
	if (strcmp(how, "fork-records") == 0)
		run_child("child.trace");
	if (strcmp(how, "chdir") == 0 && chdir("/") != 0)
		exit(1);
	if (strcmp(how, "again") == 0) {
		dmtrace_stop(NULL);
		dmtrace_start("again.trace", NULL);
		call("again");
	}
	if (strncmp(how, "journal", 7) == 0)
		call_often(10000);
	if (strcmp(how, "journal-_exit") == 0)
		_exit(0);
	if (strcmp(how, "journal-abort") == 0)
		abort();
	if (strcmp(how, "journal-kill") == 0)
		raise(SIGKILL);
}

int
main(int argc, char **argv)
{
	struct dmtrace_recorder_options options = { 0 };
	const char *how = argc > 1 ? argv[1] : "";

	options.journal = strncmp(how, "journal", 7) == 0;
	if (options.journal)
		options.buffer_size = 4096;
	if (strcmp(how, "callback") == 0) {
		options.full = DMTRACE_FULL_STOP;
		options.buffer_size = options.memory_limit = 4096;
		options.ended = exit_when_ended;
	}
	else
		atexit(call_at_exit);
	if (dmtrace_start("ends.trace", &options) != DMTRACE_OK)
		return 1;
	dmtrace_enter(dmtrace_intern("T", "main"));
	call("a");
	end(how);
	return 0;
}
